"""Where a bot's units stand: what each hex is worth for each unit, given where all the others are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.bots.approaches import Stops, stops
from campaign.rulesets.forum_campaign.bots.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.cuts import CUT_OFF, cutting, enemy_worths, weak_spots
from campaign.rulesets.forum_campaign.bots.draws import Draw, Pull, draws, pulls
from campaign.rulesets.forum_campaign.bots.goals import depot_worth, their_goals
from campaign.rulesets.forum_campaign.bots.lines import Lines
from campaign.rulesets.forum_campaign.bots.odds import strength
from campaign.rulesets.forum_campaign.bots.risks import Risks
from campaign.rulesets.forum_campaign.bots.ways import FAR, a_move, worth_by_points
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.state import FULL, Unit
from campaign.rulesets.forum_campaign.model.zoc import too_full, zone

_CLOSED = 0.8
"""The part of an enemy's way that a unit in it closes if it surely holds."""
_STAY = 0.05
"""The worth of not moving, as positions grow."""
_REST = 40
"""R14.2 Percent of headcount that a unit at rest may receive."""


@dataclass(frozen=True)
class Post:
    """A hex for a unit, the points it has spent when it is there, and what it is worth."""

    at: PlaceId
    spent: int
    worth: float


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
    cuts: Mapping[PlaceId, float] = field(default_factory=dict)
    """What it is worth to stand in hexes from which enemies are cut off."""
    _closes: dict[UnitId, list[tuple[int, float]]] = field(default_factory=dict)
    """By which part each unit leaves enemy ways open."""
    _strengths: dict[tuple[UnitId, int], int] = field(default_factory=dict)
    _fixed: dict[PlaceId, tuple[float, float]] = field(default_factory=dict)

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
            found = self._strengths[key] = strength(self.seen.game_data, unit)
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

    # --- worths ------------------------------------------------------------------------------------------------------

    def options(self, unit: Unit) -> list[Post]:
        """Every hex with room in which the unit may end now, with its worth if all others are where they will be."""
        in_range = self.seen.ranges.get(unit.id)
        costs: Mapping[PlaceId, int] = in_range.costs if in_range else {}
        if unit.at is not None and unit.at not in costs:
            costs = {**costs, unit.at: 0}
        where = self.take(unit)
        pulled = self.pulls(unit)
        found = [
            Post(at, unit.spent + cost, self.worth(unit, at, pulled))
            for at, cost in costs.items()
            if self.has_room(unit, at)
        ]
        if where is not None:
            self.put(unit, where)
        return found

    def pulls(self, unit: Unit) -> Sequence[Pull]:
        """What the unit is drawn to."""
        return pulls(self.seen, unit, list(zip(self.draws, self.drawn, strict=True)))

    def worth(self, unit: Unit, at: PlaceId, pulled: Sequence[Pull]) -> float:
        """What it is worth that the unit is there. It must not be counted anywhere itself."""
        style = self.seen.style
        hold, danger = self.risk(unit, at)
        taken, lack = self._fixed.get(at) or self._fix(at)
        worth = (taken + self.cuts.get(at, 0.0)) * hold - danger * style.caution
        for pull, left, points in pulled:
            if at in points:
                worth += pull * left[points[at]]
        for way, saved, _ in self.stops.get(at, ()):
            worth += self.open[way] * saved * hold
        if lack:
            worth -= lack * (CUT_OFF + self.strength(unit) * self.seen.per_strength)
        if style.garrison and not self.there.get(at) and self.seen.is_ours(at):
            worth += style.garrison * self.seen.game_data.hexes[at].victory_points
        return worth + self._stay(unit) if at == unit.at else worth

    def risk(self, unit: Unit, at: PlaceId) -> tuple[float, float]:
        """How likely the unit holds a hex with those who are there, and what it is likely to lose, in points."""
        mates = sum(self.strength(other) for other in self.there.get(at, ()) if other.id != unit.id)
        return self.risks.at(at, self.strength(unit), mates)

    def _fix(self, at: PlaceId) -> tuple[float, float]:
        """What a hex is worth if it is taken, and how far it lacks supply."""
        seen, lack = self.seen, 0.0
        taken = 0.0 if at in seen.foe_strengths else prize(seen, at) * seen.style.take
        if not seen.firm.reach(at):
            lack = 0.2 if seen.lines.reach(at) else 0.8
        found = self._fixed[at] = (taken, lack * seen.style.supply)
        return found

    def _stay(self, unit: Unit) -> float:
        """R13.1, R14.4 Positions grow under a unit that stays, and it may receive replacements."""
        missing = min(FULL - unit.whole, _REST)
        if missing < _REST / 2 or unit.fought or unit.at in self.seen.situation.zone:
            return _STAY
        return _STAY + 0.5 * missing * self.seen.per_strength * self.strength(unit) / max(unit.strength, 1)

    def ahead(self, at: PlaceId) -> float:
        """What a hex leads to."""
        left = worth_by_points(_USUAL_MOVE)
        return sum(sorted((draw.worth * left[draw.points.get(at, FAR)] for draw in self.draws), reverse=True)[:6])


_USUAL_MOVE = 7


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
    posts.cuts = cuts_of(posts, ())
    return posts


def cuts_of(posts: Posts, placed: Iterable[PlaceId]) -> Mapping[PlaceId, float]:
    """What it is worth to stand in hexes from which enemies are cut off, with units placed in these hexes."""
    seen = posts.seen
    if not seen.style.cut:
        return {}
    lines: Lines = seen.their_lines.with_enemies(*placed)
    within = frozenset().union(*(each.costs for each in seen.ranges.values()))
    return {at: worth * seen.style.cut for at, worth in cutting(lines, enemy_worths(seen), within).items()}
