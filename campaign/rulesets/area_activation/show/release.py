"""The release table: what each fact discloses to whom. The GM learns everything."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Disclose, Fact, Noted, Release, Rolled, to_all, to_audience_of_roll, to_owner
from campaign.engine.values.ids import PUBLIC, Audience, audience_of
from campaign.engine.values.value import replace
from campaign.rulesets.area_activation.model import facts
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, SIDES, enemy_of
from campaign.rulesets.area_activation.model.options import Fog
from campaign.rulesets.area_activation.model.state import State

Disclosed = Callable[[Any], Fact | None]
"""What is disclosed of a fact to others than its owner where units are hidden; None: nothing."""


def _in_fog(enemy: Disclosed, public: Disclosed) -> Disclose:
    """R45 To all where nothing is hidden; else to the owner, and in part to the enemy and the public."""

    def disclose(before: State, after: State, fact: Any) -> Mapping[Audience, Fact]:
        if before.open.options.fog is Fog.OFF:
            return to_all(before, after, fact)
        found = {audience_of(fact.side): fact, audience_of(enemy_of(fact.side)): enemy(fact), PUBLIC: public(fact)}
        return {audience: disclosed for audience, disclosed in found.items() if disclosed is not None}

    return disclose


def _nothing(_fact: object) -> None:
    return None


def _if_seen(fact: Any) -> Any:
    return fact if fact.seen else None


def _activation(fact: facts.Activated) -> Fact:
    return replace(fact, at=None, units=(), seen=False)


def _activation_as_seen(fact: facts.Activated) -> Fact:
    return replace(fact, units=()) if fact.seen else _activation(fact)


def _move_as_seen(fact: facts.Moved) -> Fact | None:
    """The part of a way that the enemy sees, as if it were the whole."""
    if not fact.seen:
        return None
    return replace(fact, path=fact.seen, strategic=False, across=False, barred=None)


def _answer(before: State, _after: State, fact: facts.Answered) -> Mapping[Audience, Fact]:
    """R48 Everybody learns that a side has answered, and only the side what."""
    others = replace(fact, lines=())
    return {PUBLIC: others} | {audience_of(side): fact if side == fact.side else others for side in before.own}


def _to_sides_in_fog(before: State, after: State, fact: Fact) -> Mapping[Audience, Fact]:
    if before.open.options.fog is Fog.OFF:
        return to_all(before, after, fact)
    return {audience_of(side): fact for side in SIDES}


def _dry(before: State, after: State, fact: facts.RanDry) -> Mapping[Audience, Fact]:
    if before.open.options.fog is Fog.OFF:
        return to_all(before, after, fact)
    seen = {audience_of(ALLIED): replace(fact, units=fact.seen)} if fact.seen else {}
    return {audience_of(GERMAN): replace(fact, seen=()), **seen}


def _struck(before: State, after: State, fact: facts.CommandoStruck) -> Mapping[Audience, Fact]:
    unit = fact.unit if before.open.options.fog is Fog.OFF else None
    return {**_to_sides_in_fog(before, after, fact), PUBLIC: replace(fact, unit=unit)}


def _to_germans(_before: State, _after: State, fact: Fact) -> Mapping[Audience, Fact]:
    return {audience_of(GERMAN): fact}


def _pictures(before: State, _after: State, fact: facts.Sighted) -> Mapping[Audience, Fact]:
    """R45 Each side its own; the public what is open to all, and where units are hidden not even that a side looks."""
    own = {audience_of(side): replace(fact, pictures={side: picture}) for side, picture in fact.pictures.items()}
    return own if fact.shown == before.open.shown else {PUBLIC: replace(fact, pictures={}), **own}


def _points_of(**unknown: None) -> Disclose:
    """R42, R45 The points to everybody; where units are hidden, who made them or where only to those who see it."""

    def disclose(before: State, after: State, fact: Any) -> Mapping[Audience, Fact]:
        if before.open.options.fog is Fog.OFF:
            return to_all(before, after, fact)
        points = replace(fact, seen=False, **unknown)
        return {audience_of(GERMAN): fact, audience_of(ALLIED): fact if fact.seen else points, PUBLIC: points}

    return disclose


_TO_ALL = Release("everybody", to_all)
_TO_OWNER = Release("its side only", to_owner)
_HIDDEN_UNLESS_SEEN = Release(
    "everybody; where units are hidden its side, and the enemy if it sees it", _in_fog(_if_seen, _nothing)
)
_OWN_IN_FOG = Release("everybody; where units are hidden its side only", _in_fog(_nothing, _nothing))

RELEASE: Mapping[type[Fact], Release] = {
    Rolled: Release("the audience that the roll was announced for", to_audience_of_roll),
    Noted: Release("the side that wrote it", to_owner),
    facts.Turned: _TO_ALL,
    facts.DayBegan: _TO_ALL,
    facts.SupplyChecked: _OWN_IN_FOG,
    facts.Starved: _OWN_IN_FOG,
    facts.MeuseReached: Release(
        "everybody; where units are hidden the public does not learn the unit, nor the Allies if they do not see it",
        _points_of(unit=None),
    ),
    facts.BritishFreed: _TO_ALL,
    facts.Arrived: _HIDDEN_UNLESS_SEEN,
    facts.Delayed: _OWN_IN_FOG,
    facts.Marked: Release("everybody; where units are hidden both sides", _to_sides_in_fog),
    facts.RanDry: Release("everybody; where units are hidden the Germans, and the Allies what they see of it", _dry),
    facts.Replaced: _TO_ALL,
    facts.CommandoStruck: Release("everybody; where units are hidden the public does not learn the unit", _struck),
    facts.CommandoLapsed: Release("the Germans only", _to_germans),
    facts.Planned: _TO_OWNER,
    facts.Wished: _TO_ALL,
    facts.Asked: _TO_ALL,
    facts.Answered: Release("everybody: that a side has answered; the side: what", _answer),
    facts.Unanswered: _TO_ALL,
    facts.Used: _TO_OWNER,
    facts.Passed: _TO_ALL,
    facts.Activated: Release(
        "everybody; where units are hidden its side, others only that it acts, and the enemy where, if it sees it",
        _in_fog(_activation_as_seen, _activation),
    ),
    facts.Moved: Release(
        "everybody; where units are hidden its side, and the enemy the part of the way that it sees",
        _in_fog(_move_as_seen, _nothing),
    ),
    facts.CouldNotMove: _TO_OWNER,
    facts.Exited: Release(
        "everybody; where units are hidden the public does not learn where, nor the Allies if they do not see it",
        _points_of(at=None),
    ),
    facts.Taken: _TO_ALL,
    facts.ContestedNow: _TO_ALL,
    facts.CombatsDue: _TO_ALL,
    facts.Joined: _TO_ALL,
    facts.Fought: _TO_ALL,
    facts.Stood: _TO_ALL,
    facts.FellBack: _TO_ALL,
    facts.Hit: _TO_ALL,
    facts.Eliminated: _TO_ALL,
    facts.Retreated: _TO_ALL,
    facts.BrokeThrough: _HIDDEN_UNLESS_SEEN,
    facts.Staged: _TO_ALL,
    facts.CombatOver: _TO_ALL,
    facts.TurnOver: _TO_ALL,
    facts.Sighted: Release(
        "each side: what it sees of the enemy; everybody: all units, where nothing is hidden", _pictures
    ),
    facts.Ended: _TO_ALL,
    facts.UnitPlaced: _OWN_IN_FOG,
    facts.StrengthSet: _OWN_IN_FOG,
    facts.UnitRemoved: _OWN_IN_FOG,
    facts.SignSet: _OWN_IN_FOG,
    facts.ControlSet: _TO_ALL,
    facts.PointsSet: _TO_ALL,
}
