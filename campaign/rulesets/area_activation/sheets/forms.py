"""The lines that can be filled in: the morning's decisions, what a side wants to be asked, and the answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import Blank, Choice, Form, Row
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.area_activation.day.morning import may_strike, needs_men
from campaign.rulesets.area_activation.day.turns import active_spaces, may_pass
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, GameData, Kind
from campaign.rulesets.area_activation.model.orders import (
    Activate,
    Arrive,
    AskMe,
    BreakThrough,
    Combat,
    Commando,
    Decision,
    GoOn,
    KeepReserve,
    Lose,
    Mark,
    Pass,
    Refuel,
    Replace,
    Retreat,
    Stand,
)
from campaign.rulesets.area_activation.model.state import Fight, State, Unit
from campaign.rulesets.area_activation.model.words import counted
from campaign.rulesets.area_activation.rules.arrival import due_today, entries_for, reserve_called
from campaign.rulesets.area_activation.rules.combat import ways_to_retreat
from campaign.rulesets.area_activation.rules.movement import no_breakthrough
from campaign.rulesets.area_activation.rules.situation import Situation, as_known

Drafted = Draft[GameData, State]

_MOST_FREED = 4
"""Rows for units to free: more than are ever marked."""


def forms(draft: Drafted) -> Iterator[Form]:
    """What can be filled in now."""
    situation = as_known(draft.sheet.game_data, draft.sheet.known, draft.sheet.side)
    kinds = draft.phase.orders
    if Arrive in kinds:
        yield from _with_rows(_of_the_morning(draft.sheet.known, situation))
    if AskMe in kinds:
        rows = (Row(kind=AskMe, label=_ASKED[each], fixed={"about": each}) for each in Decision)
        yield Form(key="ask", title="Ask me", help="What you want to be asked during the day (R47).", rows=tuple(rows))
    question = situation.open.question
    if question is not None and question.side == situation.side and question.about in _ANSWERS:
        yield from _with_rows([_ANSWERS[question.about](situation)])


_ASKED = {
    Decision.ACTIVATIONS: "which space acts next",
    Decision.PASSES: "whether to pass",
    Decision.COMBATS: "which combat comes first",
    Decision.LOSSES: "who takes the hits",
    Decision.RETREATS: "whether to retreat",
    Decision.BREAKTHROUGHS: "who breaks through",
}


def _with_rows(found: Iterable[Form]) -> Iterator[Form]:
    return (form for form in found if form.rows)


def _row(kind: type[Order], label: str, field: str, choices: Iterable[Choice], **more: Any) -> Row:
    blank = Blank(name=field, label=label, choices=tuple(choices), **more)
    return Row(kind=kind, label=label, blanks=(blank,))


def _named(situation: Situation, units: Iterable[UnitId], **more: Any) -> tuple[Choice, ...]:
    return tuple(Choice({"unit": unit}, situation.game_data.cards[unit].name, **more) for unit in units)


def _spaces(situation: Situation, field: str, places: Iterable[PlaceId]) -> tuple[Choice, ...]:
    return tuple(Choice({field: place}, situation.space(place).name) for place in places)


# --- the morning -----------------------------------------------------------------------------------------------------


def _of_the_morning(known: State, situation: Situation) -> Iterator[Form]:
    day = situation.game_data.days[situation.open.date]
    yield Form(
        key="arrivals",
        title="Arrivals",
        help="Where your units arrive; without room, they wait (R38). Of the reserve one unit a day, or none (R39).",
        rows=tuple(_arrivals(known, situation)),
        main=True,
    )
    yield from _replacements(situation)
    if situation.side == ALLIED and day.marked:
        enemies = [unit.id for unit in situation.enemies if situation.card(unit).drives]
        yield _list(situation, Mark, "Short of fuel", "German units that you mark (R37).", enemies, most=day.marked)
    if situation.side == GERMAN and day.refuelled:
        coming = [card.id for card in due_today(situation.game_data, known, GERMAN) if card.drives]
        own = [*(unit.id for unit in situation.own.values() if situation.card(unit).drives), *coming]
        yield _list(situation, Refuel, "Fuel", "Whom you free first if it is marked (R37).", own, most=_MOST_FREED)
    if situation.side == GERMAN and may_strike(situation.game_data, known):
        allies = [unit.id for unit in situation.enemies]
        yield _list(
            situation, Commando, "Commando operation", "An Allied unit that does not act today (R41).", allies, most=1
        )


def _arrivals(known: State, situation: Situation) -> Iterator[Row]:
    game_data, own = situation.game_data, known.own[situation.side]
    cards = list(due_today(game_data, known, situation.side))
    if situation.side == GERMAN and reserve_called(game_data, known):
        cards += [game_data.cards[unit] for unit in own.reserve]
    for card in cards:
        waiting = own.due.get(card.id)
        places = entries_for(situation, card.id, delayed=waiting is not None and waiting.delayed)
        if places:
            choices = (Choice({"at": at}, situation.space(at).name, times=situation.room_in(at)) for at in places)
            blank = Blank(name="at", label="space", choices=tuple(choices), on_map=True)
            label = f"{card.name}, of the reserve" if card.in_reserve else card.name
            yield Row(kind=Arrive, label=label, fixed={"unit": card.id}, blanks=(blank,))
    if any(card.in_reserve for card in cards):
        yield Row(kind=KeepReserve, label="Keep the reserve")


def _replacements(situation: Situation) -> Iterator[Form]:
    points = situation.game_data.days[situation.open.date].replacements[situation.side]
    weak = [unit for unit in situation.own.values() if needs_men(situation.game_data, unit)]
    for key, title, given, fits in (
        ("armor", "Replacements for armor", points.armor, _is_armor),
        ("infantry", "Replacements for other units", points.infantry, _is_other),
    ):
        units = [unit for unit in weak if fits(situation, unit)] if given else []
        rows = tuple(
            Row(kind=Replace, label=f"{situation.card(unit).name}, strength {unit.strength}", fixed={"unit": unit.id})
            for unit in units
        )
        yield Form(key=key, title=title, help="A point of strength each (R40).", rows=rows, most=given)


def _is_armor(situation: Situation, unit: Unit) -> bool:
    return situation.card(unit).kind is Kind.ARMOR


def _is_other(situation: Situation, unit: Unit) -> bool:
    return not _is_armor(situation, unit)


def _list(
    situation: Situation, kind: type[Order], title: str, words: str, units: Iterable[UnitId], *, most: int
) -> Form:
    """Rows that each name a unit, in an order that counts."""
    choices = _named(situation, units, times=1)
    rows = (_row(kind, f"Unit {number}" if most > 1 else "Unit", "unit", choices) for number in range(1, most + 1))
    return Form(key=kind.__name__.lower(), title=title, help=words, rows=tuple(rows) if choices else ())


# --- answers ---------------------------------------------------------------------------------------------------------


def _activation(situation: Situation) -> Form:
    places = active_spaces(situation)
    row = _row(Activate, "Space", "at", _spaces(situation, "at", places), on_map=True)
    rows = [row] if places else []
    if may_pass(situation.open) or not places:
        rows.append(Row(kind=Pass, label="Pass"))
    return Form(
        key="activate", title="Your turn", help="Moves are written below (R10).", rows=tuple(rows), most=1, main=True
    )


def _passing(_situation: Situation) -> Form:
    rows = (Row(kind=Pass, label="Pass"), Row(kind=GoOn, label="Do not pass in this turn"))
    return Form(key="pass", title="Pass?", help="A pass does not end your day (R9).", rows=rows, most=1, main=True)


def _combats(situation: Situation) -> Form:
    row = _row(Combat, "First", "at", _spaces(situation, "at", situation.open.fights), spread=True)
    return Form(key="combat", title="Which combat comes first?", rows=(row,), main=True)


def _losses(situation: Situation) -> Form:
    fight = _fight(situation)
    units = [fighter.unit for fighter in fight.of(situation.side)]
    choices = _named(situation, units, times=1)
    rows = tuple(_row(Lose, f"Hit {number}", "unit", choices) for number in range(1, len(units)))
    return Form(
        key="lose",
        title="Who takes a hit first?",
        help="Each unit takes one before any a second (R31).",
        rows=rows,
        main=True,
    )


def _retreat(situation: Situation) -> Form:
    fight = _fight(situation)
    ways = ways_to_retreat(situation, fight.at)
    rows = [Row(kind=Stand, label=f"Stand, with {counted(fight.on_defender, 'hit')}", fixed={"at": fight.at})]
    if ways:
        choices = tuple(Choice({"to": (way,)}, situation.space(way).name) for way in ways)
        label = f"Retreat, with {counted(max(0, fight.on_defender - 1), 'hit')}"
        blank = Blank(name="to", label="to", choices=choices, spread=True)
        rows.append(Row(kind=Retreat, label=label, fixed={"at": fight.at}, blanks=(blank,)))
    return Form(
        key="retreat", title="Retreat?", help="A retreat takes off a hit (R32).", rows=tuple(rows), most=1, main=True
    )


def _breakthrough(situation: Situation) -> Form:
    fight = _fight(situation)
    rows = []
    for fighter in fight.attackers:
        unit = situation.own.get(fighter.unit)
        near = situation.game_data.board.neighbours(fight.at)
        ways = [to for to in near if unit is not None and no_breakthrough(situation, unit, to) is None]
        if unit is not None and ways:
            blank = Blank(name="to", label="to", choices=_spaces(situation, "to", ways), on_map=True)
            row = Row(kind=BreakThrough, label=situation.card(unit).name, fixed={"unit": unit.id}, blanks=(blank,))
            rows.append(row)
    return Form(key="break", title="Breakthrough", help="Or stay (R33).", rows=tuple(rows), main=True)


def _fight(situation: Situation) -> Fight:
    assert situation.open.fight is not None
    return situation.open.fight


_ANSWERS: Mapping[Decision, Callable[[Situation], Form]] = {
    Decision.ACTIVATIONS: _activation,
    Decision.PASSES: _passing,
    Decision.COMBATS: _combats,
    Decision.LOSSES: _losses,
    Decision.RETREATS: _retreat,
    Decision.BREAKTHROUGHS: _breakthrough,
}
