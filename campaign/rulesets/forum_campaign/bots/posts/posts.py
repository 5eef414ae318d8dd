"""Where a bot's units stand: what each hex is worth for each unit, given where all the others are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.bots.assessment.assessment import CUT_OFF, Assessment
from campaign.rulesets.forum_campaign.bots.assessment.goals import depot_worth, their_goals
from campaign.rulesets.forum_campaign.bots.assessment.odds import strength
from campaign.rulesets.forum_campaign.bots.assessment.ways import FAR, a_move, points_to, worth_by_points
from campaign.rulesets.forum_campaign.bots.posts.approaches import Stops, stops
from campaign.rulesets.forum_campaign.bots.posts.cuts import cutting, weak_spots
from campaign.rulesets.forum_campaign.bots.posts.draws import Draw, Pull, draws, pulls
from campaign.rulesets.forum_campaign.bots.posts.risks import Risks
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.state import FULL, Unit
from campaign.rulesets.forum_campaign.model.zoc import too_full, zone

_CLOSED = 0.8
"""The part of an enemy's way that a unit in it closes if it surely holds."""
_STAY = 0.05
"""The worth of not moving, as positions grow."""
_REST = 40
"""R14.2 Percent of headcount that a unit at rest may receive."""
_RECEIVES = 0.5
"""How likely it receives them: there are points for few."""
_LATER = 0.6
"""The worth of receiving them a day later, as it must move first."""


@dataclass(frozen=True)
class Post:
    """A hex for a unit, the points it has spent when it is there, and what it is worth."""

    at: PlaceId
    spent: int
    worth: float


class Wants(NamedTuple):
    """What a unit wants from where it is."""

    pulls: Sequence[Pull]
    """What it is drawn to."""
    rest: float
    """R14.4 The worth of the replacements that it may receive tomorrow if it stays out of danger."""


NOTHING = Wants((), 0.0)


@dataclass
class Posts:
    """Where the units are, or will be as far as that is planned, and the worth of hexes for them."""

    seen: Assessment
    risks: Risks
    stops: Stops
    draws: Sequence[Draw]
    there: dict[PlaceId, list[Unit]] = field(default_factory=dict)
    """Own ground units by the hex in which they end."""
    ends: dict[UnitId, PlaceId] = field(default_factory=dict)
    open: list[float] = field(default_factory=list)
    """The part of each enemy way that nobody closes."""
    drawn: list[float] = field(default_factory=list)
    """The strength that each draw has drawn."""
    open_goals: dict[PlaceId, float] = field(default_factory=dict)
    """What it is worth to stand in own objectives that the enemy can walk into."""
    cuts: Mapping[PlaceId, float] = field(default_factory=dict)
    """What it is worth to stand in hexes from which enemies are cut off."""
    _closes: dict[UnitId, list[tuple[int, float]]] = field(default_factory=dict)
    """By which part each unit leaves enemy ways open."""
    _strengths: dict[tuple[UnitId, int], int] = field(default_factory=dict)
    _fixed: dict[PlaceId, tuple[float, float, float]] = field(default_factory=dict)

    # --- where units are ---------------------------------------------------------------------------------------------

    def put(self, unit: Unit, at: PlaceId) -> None:
        """A unit will be there."""
        self.there.setdefault(at, []).append(unit)
        self.ends[unit.id] = at
        hold, _ = self.risk(unit, at)
        closes = self._closes[unit.id] = [
            (stop.way, 1 - hold * stop.closed * _CLOSED) for stop in self.stops.get(at, ())
        ]
        for way, part in closes:
            self.open[way] *= part
        self._draw(unit, at, 1)

    def take(self, unit: Unit) -> PlaceId | None:
        """A unit will not be where it was to be."""
        at = self.ends.pop(unit.id, None)
        if at is not None:
            self.there[at] = [other for other in self.there[at] if other.id != unit.id]
            for way, part in self._closes.pop(unit.id):
                self.open[way] /= part
            self._draw(unit, at, -1)
        return at

    def _draw(self, unit: Unit, at: PlaceId, times: int) -> None:
        own, left = self.strength(unit) * times, worth_by_points(a_move(unit))
        for number, draw in enumerate(self.draws):
            self.drawn[number] += own * left[draw.points.get(at, FAR)]

    def strength(self, unit: Unit) -> int:
        """R12.11 What a unit is worth in a battle, with the headcount that it has here."""
        key = (unit.id, unit.strength)
        found = self._strengths.get(key)
        if found is None:
            found = self._strengths[key] = strength(self.seen.game_data, self.seen.side, unit)
        return found

    def has_room(self, unit: Unit, place: PlaceId) -> bool:
        others = self.there.get(place)
        return not others or not too_full([*(other for other in others if other.id != unit.id), unit])

    @property
    def held(self) -> frozenset[PlaceId]:
        """Where own ground units will be."""
        return frozenset(self.ends.values())

    @property
    def zone(self) -> frozenset[PlaceId]:
        """R5.1 Their zones of control."""
        return zone(self.seen.game_data, sorted(self.held))

    def look_for_cuts(self) -> None:
        """R7 Find the hexes from which enemies are cut off, with all units where they will be."""
        if self.seen.style.cut:
            lines = replace(self.seen.their_lines, enemies=self.held)
            found = cutting(lines, self.seen.foe_worths, self.seen.in_reach)
            self.cuts = {at: worth * self.seen.style.cut for at, worth in found.items()}

    # --- worths ------------------------------------------------------------------------------------------------------

    def options(self, unit: Unit) -> list[Post]:
        """Every hex with room in which the unit may end now, with its worth if all others are where they will be."""
        in_range = self.seen.ranges.get(unit.id)
        costs: Mapping[PlaceId, int] = in_range.costs if in_range else {}
        if unit.at is not None and unit.at not in costs:
            costs = {**costs, unit.at: 0}
        where = self.take(unit)
        wants = self.wants(unit)
        found = [
            Post(at, unit.spent + cost, self.worth(unit, at, wants))
            for at, cost in costs.items()
            if self.has_room(unit, at)
        ]
        if where is not None:
            self.put(unit, where)
        return found

    def wants(self, unit: Unit) -> Wants:
        """What the unit wants from where it is."""
        pulled = pulls(self.seen, unit, list(zip(self.draws, self.drawn, strict=True)))
        missing = min(FULL - unit.whole, _REST)
        if unit.raised or missing < _REST / 2 or unit.fought:
            return Wants(pulled, 0.0)
        whole = self.strength(unit) / max(unit.strength, 1) * missing * self.seen.per_strength
        return Wants(pulled, whole * _RECEIVES * self.seen.style.rest)

    def worth(self, unit: Unit, at: PlaceId, wants: Wants) -> float:
        """What it is worth that the unit is there. It must not be counted anywhere itself."""
        taken, lack, kept = self._fixed.get(at) or self._fix(at)
        worth = taken + self.cuts.get(at, 0.0)
        for way, saved, _ in self.stops.get(at, ()):
            worth += self.open[way] * saved
        if at in self.seen.threats:
            hold, danger = self.risk(unit, at)
            worth = worth * hold - danger * self.seen.style.caution
        elif wants.rest:
            worth += wants.rest if at == unit.at else wants.rest * _LATER
        for pull, left, points in wants.pulls:
            worth += pull * left[points.get(at, FAR)]
        if lack:
            worth -= lack * (CUT_OFF + self.strength(unit) * self.seen.per_strength)
        if not self.there.get(at):
            worth += kept + self.open_goals.get(at, 0.0)
        return worth + _STAY if at == unit.at else worth

    def risk(self, unit: Unit, at: PlaceId) -> tuple[float, float]:
        """How likely the unit holds a hex with those who are there, and what it is likely to lose, in points."""
        mates = sum(self.strength(other) for other in self.there.get(at, ()) if other.id != unit.id)
        return self.risks.at(at, self.strength(unit), mates)

    def _fix(self, at: PlaceId) -> tuple[float, float, float]:
        """What a hex is worth if it is taken, how far it lacks supply, and what a garrison there is worth."""
        seen, lack = self.seen, 0.0
        taken = 0.0 if at in seen.foe_strengths else prize(seen, at) * seen.style.take
        if not seen.firm.reach(at):
            lack = 0.2 if seen.lines.reach(at) else 0.8
        found = self._fixed[at] = (taken, lack * seen.style.supply, self._kept(at))
        return found

    def _kept(self, at: PlaceId) -> float:
        """What a garrison of an own objective is worth, though no enemy in sight can walk in."""
        seen = self.seen
        if not seen.is_ours(at):
            return 0.0
        points = points_to(seen.game_data, at)
        near = any(points.get(foe.at, FAR) <= _RAID for foe in seen.foes)
        return seen.game_data.hexes[at].victory_points * max(seen.style.garrison, seen.style.raid if near else 0.0)

    def ahead(self, at: PlaceId) -> float:
        """What a hex leads to."""
        left = worth_by_points(_USUAL_MOVE)
        return sum(sorted((draw.worth * left[draw.points.get(at, FAR)] for draw in self.draws), reverse=True)[:6])


_USUAL_MOVE = 7
_RAID = 16
"""Movement points from an enemy in sight within which others may come in a day."""


def prize(seen: Assessment, at: PlaceId) -> float:
    """What there is to take in a hex: an objective of the enemy, a depot for the Germans."""
    worth = float(seen.game_data.hexes[at].victory_points) if seen.is_theirs(at) else 0.0
    return worth + (depot_worth(seen, at) if seen.side == GERMAN else 0.0)


def posts_of(seen: Assessment) -> Posts:
    """All units where they are."""
    their, style = their_goals(seen), seen.style
    spots = [replace(goal, worth=goal.worth * style.lines) for goal in weak_spots(seen)] if style.lines else []
    blocked = [replace(goal, worth=goal.worth * style.block) for goal in their]
    places, ways = stops(seen, [*blocked, *spots])
    drawing = draws(seen, their)
    posts = Posts(seen, Risks(seen), places, drawing, open=[1.0] * ways, drawn=[0.0] * len(drawing))
    for unit in seen.units.values():
        if unit.at is not None:
            posts.put(unit, unit.at)
    posts.look_for_cuts()
    return posts
