"""The truth of the current phase, for mutators to change where an audience cannot see it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from campaign.engine.facts import Event, Rolled
from campaign.engine.orders.order import Path
from campaign.engine.state import known_state, state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, PlaceId, SideId, UnitId
from campaign.engine.values.value import encode, replace
from campaign.game.artefacts import chart_texts, report_texts
from campaign.game.loading import Loaded
from campaign.game.rulebook import rule_url
from campaign.game.store import decode_events, digest, encode_events, encode_state, pack, unpack
from campaign.game.turn_package import view_of
from campaign.links import PICTURES
from campaign.models import Artefact, Outcome, Phase, PhaseStart, PhaseState, Resolution
from campaign.reports import chart, report
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.situation import as_known
from campaign.rulesets.forum_campaign.model.state import Own, State, Unit, on_map
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.movement.reach import reachable
from campaign.services import scenario_of
from tests.secrecy.campaigns import SIDES, SLUG, live, truth

EDGE, PATH, ELSEWHERE = "edge of vision", "zone on a planned path", "elsewhere"
PLACEMENTS = (EDGE, PATH, ELSEWHERE)
_WEIGHTS = (45, 45, 10)


@dataclass
class Truth:
    """The state at the start of the current phase, and the events before it; `observer` must not see what changes."""

    phase: Phase
    observer: Audience
    loaded: Loaded
    state: State
    events: tuple[Event[Any], ...]

    @classmethod
    def read(cls, observer: Audience) -> "Truth | None":
        """The truth of the present world; None before the campaign begins and after it is over."""
        phase, last = live(), _last_published()
        if phase is None or last is None:
            return None
        loaded = scenario_of(phase.campaign)
        events = decode_events(loaded.rules, unpack(last.outcome.events), version=last.event_version)
        return cls(phase, observer, loaded, truth(phase), events)

    @property
    def foreign(self) -> tuple[SideId, ...]:
        """The sides whose parts the observer does not know."""
        return tuple(SideId(side) for side in SIDES if side != self.observer)

    def change(self, side: SideId, **parts: Any) -> None:
        own = {**self.state.own, side: replace(self.state.own[side], **parts)}
        self.state = replace(self.state, own=own)

    def write(self) -> None:
        """Store it, and what everybody but the observer and the public received of it."""
        assert state_known_to(self.state, self.observer) == state_known_to(truth(self.phase), self.observer)
        packed, last = pack(encode_state(self.state)), _last_published()
        assert last is not None
        PhaseStart.objects.filter(phase=self.phase).update(state_before=packed)
        Outcome.objects.filter(resolution=last).update(state_after=packed, events=pack(encode_events(self.events)))
        for audience in (GM, *map(Audience, self.foreign)):
            self._send_anew(last, audience)

    def _send_anew(self, last: Resolution, audience: Audience) -> None:
        rules, game_data = self.loaded.rules, self.loaded.scenario.game_data
        view = view_of(rules, game_data, self.state, self.events, audience)
        contents = {"slice": encode(state_known_to(self.state, audience)), "view": encode(view)}
        contents |= {**dict(report_texts(report(view), rule_url(SLUG))), **dict(chart_texts(chart(view)))}
        for kind, content in contents.items():
            rows = Artefact.objects.filter(phase=last.phase_id, audience=audience, kind=kind)
            rows.update(content=content, sha256=digest(content))
        pictures = Artefact.objects.filter(phase=last.phase_id, audience=audience, kind__in=PICTURES)
        for row in pictures:
            content = bytes(row.content) + digest(contents["slice"]).encode()
            pictures.filter(pk=row.pk).update(content=content, sha256=digest(content))


def _last_published() -> Resolution | None:
    published = Resolution.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.PUBLISHED)
    return published.order_by("-phase__no").first()


# --- units and hexes -------------------------------------------------------------------------------------------------


def hidden_units(truth: Truth, side: SideId) -> list[Unit]:
    """Units of a foreign side that the observer does not know of, and that no order or battle names."""
    own, open_ = truth.state.own[side], truth.state.open
    seen = {sighting.at for sighting in _sightings(truth)} | {
        place for _, place in on_map(own) if _is_known(truth, place)
    }
    named = {unit for unit, _ in _bound(own)}
    named |= {each.unit for battle in open_.battles for each in (*battle.attackers, *battle.defenders)}
    named |= {
        each.unit
        for pending in open_.pending_retreats
        for each in (*pending.battle.attackers, *pending.battle.defenders)
    }
    named |= {sighting.unit for sighting in _sightings(truth)}
    units = (unit for unit in own.units.values() if unit.at is not None and unit.parent is None and not unit.lent)
    return [unit for unit in units if unit.id not in named and unit.at not in seen]


def _is_known(truth: Truth, place: PlaceId) -> bool:
    return any(sighting.at == place for sighting in _sightings(truth))


def _sightings(truth: Truth) -> list[Any]:
    return [] if truth.observer == PUBLIC else list(truth.state.own[SideId(truth.observer)].sightings)


def _bound(own: Own) -> Iterator[tuple[UnitId, None]]:
    """Units that the plans of their side name."""
    for plot in own.plots:
        yield plot.unit, None
    for unit in (*own.defeated, *own.followers, *own.missions.drops, *own.close_support):
        yield unit, None
    for escort in own.followers.values():
        yield escort.leader, None
    for advance in own.advances.values():
        yield from ((unit, None) for unit in (advance.unit, *advance.pursuers) if unit)
    if own.missions.jump:
        yield own.missions.jump.unit, None


def somewhere(
    truth: Truth, side: SideId, unit: Unit, chance: Random, plans: Sequence[Path]
) -> tuple[str, PlaceId] | None:
    """An unseen hex for a unit of a foreign side, with its kind; mostly where the unit would matter."""
    free = [place for place in truth.loaded.scenario.game_data.board.places if _has_room(truth, side, unit, place)]
    kinds = chance.choices(PLACEMENTS, _WEIGHTS)
    for kind in (*kinds, *PLACEMENTS):
        places = sorted(set(_PLACES[kind](truth, side, plans)) & set(free))
        if places:
            return kind, chance.choice(places)
    return None


def _has_room(truth: Truth, side: SideId, unit: Unit, place: PlaceId) -> bool:
    """Whether a unit can be there: no enemy of it is in the hex, and none knows of a unit there."""
    others = [other for other in SIDES if other != side]
    if any(at == place for other in others for _, at in on_map(truth.state.own[SideId(other)])) or _is_known(
        truth, place
    ):
        return False
    here = [each for each, at in on_map(truth.state.own[side]) if at == place and each.id != unit.id]
    return not too_full([*here, unit])


def _edge(truth: Truth, side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Hexes one step beyond the other side's sight."""
    game_data, view = truth.loaded.scenario.game_data, _around(truth, side)
    return (
        place
        for place in game_data.board.places
        if view.get(game_data.grid.coordinates[place]) == game_data.charts.sight.type + 1
    )


def _by_the_path(truth: Truth, _side: SideId, plans: Sequence[Path]) -> Iterator[PlaceId]:
    """Hexes whose zone of control lies on a path that the other side plans."""
    board = truth.loaded.scenario.game_data.open_board
    ways = {place for way in plans for place in way}
    return (near for place in ways for near in board.neighbours(place) if near not in ways)


def unseen_moves(truth: Truth, side: SideId, chance: Random) -> dict[str, str]:
    """Orders that move hidden units of a foreign side through hexes that the observer's side does not see, by unit."""
    game_data, known = truth.loaded.scenario.game_data, known_state(truth.state, (side,))
    if known.open.weather is None:
        return {}
    seen = {place for place, away in _around(truth, side).items() if away <= game_data.charts.sight.type}
    if truth.observer == PUBLIC:
        seen = set()
    situation = as_known(game_data, known, side)
    found = {}
    for unit in hidden_units(truth, side):
        ways = [
            way
            for _, way in reachable(situation, unit).ways()
            if way and seen.isdisjoint(map(game_data.grid.coordinates.get, way))
        ]
        if ways:
            found[unit.label] = f"MOVE {unit.label} {'-'.join(chance.choice(sorted(ways)))}"
    return found


def _around(truth: Truth, side: SideId) -> Mapping[Any, int]:
    """The hexes in the other side's sight, and those just beyond, with their distances."""
    game_data: GameData = truth.loaded.scenario.game_data
    looking = truth.state.own[_other(side)]
    eyes = frozenset(unit.at for unit in looking.units.values() if unit.at is not None)
    return game_data.grid.steps_around(eyes, most=game_data.charts.sight.type + 1)


def _anywhere(truth: Truth, _side: SideId, _plans: Sequence[Path]) -> Iterator[PlaceId]:
    return iter(truth.loaded.scenario.game_data.board.places)


_PLACES: Mapping[str, Callable[[Truth, SideId, Sequence[Path]], Iterator[PlaceId]]] = {
    EDGE: _edge,
    PATH: _by_the_path,
    ELSEWHERE: _anywhere,
}


def _other(side: SideId) -> SideId:
    return next(SideId(other) for other in SIDES if other != side)


def planned(loaded: Loaded, state: State, side: SideId, chance: Random) -> list[tuple[Unit, Path]]:
    """Paths that a side may order, as far as it knows: one each for some of its units, longer ones more likely."""
    game_data = loaded.scenario.game_data
    known = known_state(state, (side,))
    if known.open.weather is None:
        return []
    situation = as_known(game_data, known, side)
    units = [unit for unit in known.own[side].units.values() if unit.at is not None]
    found = []
    for unit in sorted(chance.sample(units, k=min(6, len(units))), key=lambda unit: unit.id):
        ways = sorted((way for _, way in reachable(situation, unit).ways() if way), key=lambda way: (len(way), way))
        if ways:
            found.append((unit, chance.choice(ways[len(ways) // 2 :])))
    return found


def other_dice(events: Sequence[Event[Any]], observer: Audience, chance: Random) -> tuple[Event[Any], ...]:
    """The same events, with other results for every roll of other audiences."""

    def changed(event: Event[Any]) -> Event[Any]:
        roll = event.fact
        if not isinstance(roll, Rolled) or roll.audience in (observer, PUBLIC):
            return event
        fallen = replace(roll, dice=tuple(chance.randint(1, roll.sides) for _ in roll.dice))
        return replace(event, fact=fallen, disclosures=dict.fromkeys(event.disclosures, fallen))

    return tuple(map(changed, events))
