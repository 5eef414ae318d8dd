"""The headlines of reports, from disclosures only: one sentence about all news of a kind."""

from collections.abc import Iterable, Mapping, Sequence

from campaign.engine.display.sentences import Headline
from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.day.victory import victory_points
from campaign.rulesets.forum_campaign.disclosure.describe_air import landed
from campaign.rulesets.forum_campaign.disclosure.sentences import Speaker
from campaign.rulesets.forum_campaign.model.facts.air import AirAvailable, Interdicted, Landed, SuperiorityWon
from campaign.rulesets.forum_campaign.model.facts.battle import BattleFought, BattleOpened, Destroyed
from campaign.rulesets.forum_campaign.model.facts.day import (
    CampaignEnded,
    Controlled,
    CutOff,
    Demolished,
    DepotCaptured,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.model.facts.movement import CommandoSearched, Moved
from campaign.rulesets.forum_campaign.model.game_data import SIDES, enemy_of
from campaign.rulesets.forum_campaign.model.state import Winner
from campaign.rulesets.forum_campaign.model.words import PEOPLES, counted, final_result, listed

_MOST = 5
"""Names in one headline; it counts the others."""


def _ended(_speaker: Speaker, facts: Sequence[CampaignEnded]) -> str:
    return final_result(facts[-1].points, facts[-1].winner)


def _taken(speaker: Speaker, facts: Sequence[Controlled]) -> str:
    """R15.5 With the points of both sides after the phase."""
    held = {fact.place: fact.side for fact in facts}
    takes = [
        f"{PEOPLES[side]} take {_places(speaker, (place for place in held if held[place] == side))}"
        for side in SIDES
        if side in held.values()
    ]
    points = victory_points(speaker.game_data, speaker.known.open.control)
    worth = ", ".join(f"{PEOPLES[side]} {points[side]}" for side in SIDES)
    return f"{'; '.join(takes)}; victory points: {worth}"


def _fought(speaker: Speaker, facts: Sequence[BattleFought]) -> str:
    """R12.1 Who has won where; only the last result of each hex counts."""
    last = {fact.at: fact for fact in facts}.values()
    parts: list[str] = []
    for side in SIDES:
        won = [fact.at for fact in last if fact.attacker == side and fact.winner is Winner.ATTACKERS]
        kept = [fact.at for fact in last if enemy_of(fact.attacker) == side and fact.winner is Winner.DEFENDERS]
        parts += [f"{PEOPLES[side]} win at {_places(speaker, won)}"] if won else []
        parts += [f"{PEOPLES[side]} hold {_places(speaker, kept)}"] if kept else []
    return "; ".join(parts)


def _opened(speaker: Speaker, facts: Sequence[BattleOpened]) -> str:
    return "; ".join(
        f"{PEOPLES[side]} attack {_places(speaker, places)}"
        for side in SIDES
        if (places := [fact.battle.at for fact in facts if fact.battle.attacker == side])
    )


def _destroyed(_speaker: Speaker, facts: Sequence[Destroyed]) -> str:
    losses = (
        f"{listed(labels, most=_MOST)} ({PEOPLES[side]})"
        for side in SIDES
        if (labels := [fact.label for fact in facts if fact.side == side])
    )
    return f"Destroyed: {'; '.join(losses)}"


def _captured(speaker: Speaker, facts: Sequence[DepotCaptured]) -> str:
    fuel = sum(fact.value for fact in facts)
    return f"Germans capture fuel at {_places(speaker, (fact.place for fact in facts))}: {counted(fuel, 'point')}"


def _demolished(speaker: Speaker, facts: Sequence[Demolished]) -> str:
    places = [fact.place for fact in facts if fact.destroyed]
    return f"Allies destroy their fuel at {_places(speaker, places)}" if places else ""


def _cut_off(speaker: Speaker, facts: Sequence[CutOff]) -> str:
    return f"Out of supply: {listed([speaker.unit(fact.side, fact.unit) for fact in facts], most=_MOST)}"


def _landed(speaker: Speaker, facts: Sequence[Landed]) -> str:
    return "; ".join(landed(speaker, fact).text for fact in facts)


def _searched(_speaker: Speaker, facts: Sequence[CommandoSearched]) -> str:
    found = [fact.label for fact in facts if fact.eliminated]
    return f"Commandos found and eliminated: {listed(found, most=_MOST)}" if found else ""


def _moved(speaker: Speaker, facts: Sequence[Moved]) -> str:
    """R4 With the units that did not get as far as they were ordered."""
    moved = {fact.unit for fact in facts if fact.path}
    short = list(dict.fromkeys(speaker.unit(fact.side, fact.unit) for fact in facts if fact.stop_reason is not None))
    parts = [f"{counted(len(moved), 'unit')} moved"] if moved else []
    parts += [f"did not get as far as ordered: {listed(short, most=_MOST)}"] if short else []
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _interdicted(speaker: Speaker, facts: Sequence[Interdicted]) -> str:
    places = [fact.at for fact in facts if fact.success]
    return f"Interdiction succeeds at {_places(speaker, places)}" if places else ""


def _superiority(_speaker: Speaker, facts: Sequence[SuperiorityWon]) -> str:
    side = facts[-1].side
    return "Neither side has air superiority" if side is None else f"{PEOPLES[side]} win air superiority"


def _available(_speaker: Speaker, facts: Sequence[AirAvailable]) -> str:
    newest = {fact.side: fact.units for fact in facts}
    return f"Air units today: {', '.join(f'{PEOPLES[side]} {units}' for side, units in newest.items())}"


def _weather(_speaker: Speaker, facts: Sequence[WeatherSet]) -> str:
    return f"Weather: {facts[-1].today.condition.value}"


def _places(speaker: Speaker, places: Iterable[PlaceId]) -> str:
    """Places by name, those worth most victory points first."""
    points = {place: speaker.game_data.hexes[place].victory_points for place in places}
    return listed([speaker.place(place) for place in sorted(points, key=lambda place: -points[place])], most=_MOST)


HEADLINES: Mapping[type, Headline] = {
    CampaignEnded: _ended,
    Controlled: _taken,
    BattleFought: _fought,
    Destroyed: _destroyed,
    DepotCaptured: _captured,
    BattleOpened: _opened,
    Demolished: _demolished,
    CutOff: _cut_off,
    Landed: _landed,
    CommandoSearched: _searched,
    Moved: _moved,
    SuperiorityWon: _superiority,
    Interdicted: _interdicted,
    WeatherSet: _weather,
    AirAvailable: _available,
}
"""What is news, the most important first."""
