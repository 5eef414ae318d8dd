"""Sheets of bots as text: the plans of a day, and the morning's arrivals, points and marks."""

from collections.abc import Callable, Iterator

from campaign.engine.orders.notation import format_order
from campaign.engine.orders.order import Order, Ready, verb_of
from campaign.engine.values.ids import Audience, SideId
from campaign.rulesets.area_activation.bots.plans import Planner
from campaign.rulesets.area_activation.bots.styles import Style
from campaign.rulesets.area_activation.day.morning import may_strike
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.area_activation.model.orders import OF_DECISION, Arrive, AskMe, Commando, Decision, Mark
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.rules.arrival import due_today, entries_for
from campaign.rulesets.area_activation.rules.situation import Situation, as_known
from campaign.rulesets.area_activation.sequence import DAY, MORNING, SURPRISE
from campaign.rulesets.area_activation.sheets.names import names
from campaign.rulesets.area_activation.sheets.reply_lines import stray


def sheet(game_data: GameData, known: State, who: Audience, style: Style) -> str:
    """A bot's sheet for the open phase."""
    situation = as_known(game_data, known, SideId(who))
    planner = Planner(situation, style)
    question = known.open.question
    if known.open.phase in (DAY, SURPRISE):
        lines = planner.day()
    elif known.open.phase == MORNING:
        lines = list(_morning(known, situation, planner))
    elif question is not None:
        fitting = [line for line in planner.day() if isinstance(line, OF_DECISION[question.about])]
        lines = [line for line in fitting if not stray(situation, line)]
    else:
        lines = []
    spoken = names(game_data, known)
    return "".join(f"{format_order(line, spoken)}\n" for line in [*lines, Ready()])


def asking(style: Style) -> Callable[[GameData, State, Audience], str]:
    """R47 A bot that wants to be asked about retreats and breakthroughs."""
    wishes = "".join(f"{verb_of(AskMe)} {each.value}\n" for each in (Decision.RETREATS, Decision.BREAKTHROUGHS))

    def written(game_data: GameData, known: State, who: Audience) -> str:
        is_day = known.open.phase in (DAY, SURPRISE)
        return (wishes if is_day else "") + sheet(game_data, known, who, style)

    return written


def _morning(known: State, situation: Situation, planner: Planner) -> Iterator[Order]:
    """Units arrive as near to the goal as they can; the strongest unit in sight is marked or struck."""
    game_data, side = situation.game_data, situation.side
    crowd: dict[str, int] = {}
    for card in due_today(game_data, known, side):
        places = entries_for(situation, card.id, delayed=known.own[side].due[card.id].delayed)
        free = [place for place in places if crowd.get(place, 0) < situation.room_in(place)]
        if free:
            best = max(free, key=planner.promise)
            crowd[best] = crowd.get(best, 0) + 1
            yield Arrive(card.id, best)
    strongest = sorted(situation.enemies, key=lambda unit: -unit.strength)
    if side == ALLIED:
        drivers = [unit for unit in strongest if situation.card(unit).drives and not unit.unsupplied]
        yield from (Mark(unit.id) for unit in drivers[: game_data.days[known.open.date].marked])
    if side == GERMAN and strongest and may_strike(game_data, known):
        yield Commando(strongest[0].id)
