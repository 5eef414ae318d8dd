"""R11 Commandos, who guard depots for the army that comes after them, and paratroops."""

from collections.abc import Iterator, Mapping

from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.forum_campaign.air.paratroops import due_today
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.assessment.goals import depot_worth
from campaign.rulesets.forum_campaign.bots.assessment.ways import FAR, points_to
from campaign.rulesets.forum_campaign.bots.posts.posts import Posts
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.state import Unit
from campaign.rulesets.forum_campaign.movement.reach import reachable


def commandos(posts: Posts, advancing: Mapping[UnitId, PlaceId]) -> Iterator[str]:
    """R11 Each commando goes to a depot of its own, as near to the own front as it is rich.

    `advancing`: units that may advance today, with their hexes; a commando in one of these goes along (R11.5).
    """
    seen = posts.seen
    taken: set[PlaceId] = set()
    for unit in sorted(seen.known.own[seen.side].units.values(), key=lambda unit: unit.id):
        if unit.ground or unit.at is None:
            continue
        leader = next((id_ for id_, at in sorted(advancing.items()) if at == unit.at), None)
        if leader is not None:
            yield f"FOLLOW {unit.label} {seen.units[leader].label}"
            continue
        goal = _depot(seen, unit, taken)
        if goal is None:
            continue
        taken.add(goal)
        costs = reachable(seen.situation, unit)
        points = points_to(seen.game_data, goal)
        best = min(costs.costs, key=lambda place: (points.get(place, FAR), place), default=unit.at)
        if best != unit.at:
            yield f"MOVE {unit.label} {'-'.join(costs.way(best))}"


def _depot(seen: Assessment, unit: Unit, taken: set[PlaceId]) -> PlaceId | None:
    """The depot that is most likely to be reached by the army, and worth it."""

    def worth(place: PlaceId) -> float:
        points = points_to(seen.game_data, place)
        near = min((points.get(at, FAR) for at in seen.held), default=FAR)
        return depot_worth(seen, place) / (4 + near + 0.5 * points.get(unit.at or place, FAR))

    depots = [place for place in sorted(seen.known.open.depots) if depot_worth(seen, place) and place not in taken]
    return max(depots, key=worth, default=None)


def paratroops(posts: Posts) -> Iterator[str]:
    """R11.8 Where the paratroops are worth most, on their day."""
    seen = posts.seen
    if seen.side != GERMAN:
        return
    for unit in due_today(seen.known, seen.side):
        barred = seen.foe_strengths.keys() | seen.known.open.depots.keys()
        distance = seen.game_data.grid.distance
        free = [
            place
            for place in sorted(seen.game_data.charts.commandos.zone(whole=seen.known.open.options.whole_drop_zone))
            if place not in seen.held and all(distance(place, other) > 1 for other in barred)
        ]
        if free:
            yield f"PARADROP {unit.label} {max(free, key=lambda place: (_use(posts, place), place))}"


def _use(posts: Posts, place: PlaceId) -> float:
    """What paratroops may do there: cut off enemies, and take what is near."""
    seen = posts.seen
    return posts.ahead(place) + seen.their_lines.cut_at(place, seen.foe_worths) * seen.style.cut
