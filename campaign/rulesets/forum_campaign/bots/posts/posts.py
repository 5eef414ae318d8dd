"""Where a bot's units stand: what each hex is worth for each unit, given where all the others are."""

from collections.abc import Callable, Mapping, Sequence
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
_NO_SUPPLY, _IN_DANGER = 10.0, 2.5
"""R7.4 How much it counts that a hex has no supply, and that enemies in sight could cut it off: a unit that does not
move must wait until others free it. After the last day it does not count."""


class Post(NamedTuple):
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
    _parts: dict[tuple[PlaceId, int], list[float]] = field(default_factory=dict)
    """What is left of each draw for a unit in a hex, by the points that it moves."""
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
        own, move, drawn = self.strength(unit) * times, a_move(unit), self.drawn
        parts = self._parts.get((at, move))
        if parts is None:
            left = worth_by_points(move)
            parts = self._parts[at, move] = [left[draw.points.get(at, FAR)] for draw in self.draws]
        for number, part in enumerate(parts):
            drawn[number] += own * part

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
        worth, spent, there = self.worth_of(unit, wants), unit.spent, self.there
        found = [
            Post(at, spent + cost, worth(at))
            for at, cost in costs.items()
            if not there.get(at) or self.has_room(unit, at)
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
        return self.worth_of(unit, wants)(at)

    def worth_of(self, unit: Unit, wants: Wants) -> Callable[[PlaceId], float]:
        """A function that gives it for each hex, until a unit is put somewhere or taken away."""
        fixed, cuts, stops_at, left_open, there = self._fixed, self.cuts, self.stops, self.open, self.there
        threats, caution, own = self.seen.threats, self.seen.style.caution, self.strength(unit)
        open_goals, (attracted, rest), here = self.open_goals, wants, unit.at

        def worth(at: PlaceId) -> float:
            taken, lack, kept = fixed.get(at) or self._fix(at)
            found = taken + cuts.get(at, 0.0)
            for way, saved, _ in stops_at.get(at, ()):
                found += left_open[way] * saved
            if at in threats:
                hold, danger = self.risk(unit, at)
                found = found * hold - danger * caution
            elif rest:
                found += rest if at == here else rest * _LATER
            for pull, left, points in attracted:
                found += pull * left[points.get(at, FAR)]
            if lack:
                found -= lack * (CUT_OFF + own * self.seen.per_strength)
            if not there.get(at):
                found += kept + open_goals.get(at, 0.0)
            return found + _STAY if at == here else found

        return worth

    def risk(self, unit: Unit, at: PlaceId) -> tuple[float, float]:
        """How likely the unit holds a hex with those who are there, and what it is likely to lose, in points."""
        there = self.there.get(at)
        mates = sum([self.strength(other) for other in there if other.id != unit.id]) if there else 0
        return self.risks.at(at, self.strength(unit), mates)

    def _fix(self, at: PlaceId) -> tuple[float, float, float]:
        """What a hex is worth if it is taken, how much a lack of supply counts, and what a garrison there is worth."""
        seen, lack = self.seen, 0.0
        taken = 0.0 if at in seen.foe_strengths else prize(seen, at) * seen.style.take
        if not seen.firm.reach(at):
            lack = min(_IN_DANGER if seen.lines.reach(at) else _NO_SUPPLY, seen.days_left)
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
