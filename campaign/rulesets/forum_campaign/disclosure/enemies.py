"""R15 The enemy as far as a side makes it out: on its map, and in words for those who read no map."""

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from campaign.engine.display.views import Panel, Sighting
from campaign.engine.facts import Disclosure
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.model.facts.movement import Moved
from campaign.rulesets.forum_campaign.model.game_data import Branch, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.signs import SIGNS
from campaign.rulesets.forum_campaign.model.state import Sighting as Seen
from campaign.rulesets.forum_campaign.model.state import State, UnitType

_BRANCHES = {
    UnitType.ARMOUR: Branch.ARMOR,
    UnitType.INFANTRY: Branch.INFANTRY,
    UnitType.PANZERGRENADIER: Branch.MECHANIZED,
    UnitType.COMMANDO: Branch.COMMANDO,
    UnitType.CONTACT: None,
}
"""R15.2 The symbol of an enemy that is known by type only."""


# --- on the map ------------------------------------------------------------------------------------------------------


def sightings(known: State, disclosures: Sequence[Disclosure[Any]]) -> Iterator[Sighting]:
    """The enemy as one side sees and remembers it. The GM sees both sides' counters instead."""
    if len(known.own) != 1:
        return
    ((side, own),) = known.own.items()
    enemy = enemy_of(side)
    for seen in own.sightings:
        yield _sighting(seen, enemy)
    yield from (Sighting(place, enemy, None) for place in _contacts(own.sightings, disclosures))
    for last in own.last_seen:  # 2.10
        yield _sighting(last.sighting, enemy, age=(known.open.date - last.since).days)


def _sighting(seen: Seen, enemy: SideId, *, age: int | None = None) -> Sighting:
    arm = seen.branch or _BRANCHES[seen.type]
    return Sighting(seen.at, enemy, None if arm is None else arm.value, seen.label, seen.echelon.value, age)


def _contacts(seen: Sequence[Seen], disclosures: Sequence[Disclosure[Any]]) -> list[PlaceId]:
    """R4.7 The places of unidentified enemies that own units have run into."""
    met = {line.fact.met for line in disclosures if isinstance(line.fact, Moved) and line.fact.met is not None}
    return sorted(met - {each.at for each in seen})


# --- in words --------------------------------------------------------------------------------------------------------


def enemy_panels(game_data: GameData, known: State, side: SideId, sighted: Sequence[Sighting]) -> Iterator[Panel]:
    """The sightings of one side as tables, so that its reports say all that its map shows of the enemy."""
    seen = ((each, (game_data.place_name(each.at), _what(each))) for each in sighted)
    in_sight, out_of_sight = [], []
    for each, words in seen:
        if each.age is None:
            in_sight.append(words)
        else:
            out_of_sight.append((*words, f"{known.open.date - datetime.timedelta(each.age):%-d %B}"))
    yield Panel(f"seen-{side}", "Enemy in sight", ("Hex", "What is known"), tuple(in_sight), news="no longer in sight")
    head = ("Hex", "What is known", "Last seen")
    yield Panel(f"last-seen-{side}", "Enemy out of sight", head, tuple(out_of_sight), news="no longer listed")


_ARMS = {sign.key: sign.words.lower() for sign in SIGNS.arms}


def _what(sighting: Sighting) -> str:
    """A sighted unit in words: 2 Pz (armour, division); infantry; unknown unit."""
    arm = "" if sighting.branch is None else _ARMS[sighting.branch]
    kind = ", ".join(filter(None, (arm, sighting.echelon)))
    return f"{sighting.label} ({kind})" if sighting.label else kind or "unknown unit"
