"""R11.8, R11.9 The paratroops: where they may jump, where they land, and in what state."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused
from campaign.engine.values.ids import GM, PlaceId, SideId, audience_of
from campaign.rulesets.forum_campaign.model.facts.air import Landed, Landing
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Paradrop
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Jump, State, Unit
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, seen_hexes

LANDING_DIE = 10
LANDINGS: Mapping[Landing, range] = {
    Landing.NORMAL: range(1, 4),
    Landing.SCATTERED: range(4, 8),
    Landing.ELIMINATED: range(8, LANDING_DIE + 1),
}
"""R11.8 The rolls for each kind of landing."""


def is_paratroop(unit: Unit) -> bool:
    """R11.8 Whether a unit arrives by parachute."""
    return unit.arrives is not None and unit.entry is None


def has_missed_its_day(unit: Unit, today: datetime.date) -> bool:
    """R11.8 Whether paratroops have missed the only day on which they may jump."""
    return unit.at is None and is_paratroop(unit) and unit.arrives is not None and unit.arrives < today


def due_today(known: State, side: SideId) -> tuple[Unit, ...]:
    """R11.8 Paratroops that can jump today, and on no other day."""
    units = known.own[side].units.values()
    return tuple(unit for unit in units if unit.at is None and is_paratroop(unit) and unit.arrives == known.open.date)


# --- the order -------------------------------------------------------------------------------------------------------


def check_jump(game_data: GameData, known: State, side: SideId, order: Paradrop) -> Jump:
    """R11.8 Check a jump as far as its side knows; raises Refused."""
    unit = known.own[side].units.get(order.unit)
    if unit is None:
        raise Refused("gone", f"{order.unit} no longer exists", "R11.8")
    if side != GERMAN or not is_paratroop(unit):
        raise Refused("no-paratroops", f"{unit.label} cannot jump", "R11.8", hint="Only paratroops can.")
    if unit.at is not None:
        raise Refused("landed", f"{unit.label} has already landed", "R11.8")
    if unit.arrives != known.open.date:
        raise Refused("wrong-day", f"{unit.label} jumps on {unit.arrives:%-d %B} only", "R11.8")
    obstacle = _Ground.known(game_data, known, side).obstacle(order.at)
    if obstacle is not None:
        raise obstacle
    return Jump(unit.id, order.at)


@dataclass(frozen=True)
class _Ground:
    """Where a jump may go, and what it must keep clear of."""

    game_data: GameData
    zone: frozenset[PlaceId]
    enemy: frozenset[PlaceId]
    own: frozenset[PlaceId]
    depots: frozenset[PlaceId]

    @classmethod
    def known(cls, game_data: GameData, known: State, side: SideId) -> "_Ground":
        return cls._of(game_data, known, side, enemy=seen_hexes(known.own[side].sightings))

    @classmethod
    def true(cls, game_data: GameData, state: State, side: SideId) -> "_Ground":
        return cls._of(game_data, state, side, enemy=occupied_hexes(state.own[enemy_of(side)]))

    @classmethod
    def _of(cls, game_data: GameData, state: State, side: SideId, *, enemy: frozenset[PlaceId]) -> "_Ground":
        zone = game_data.charts.commandos.zone(whole=state.open.options.whole_drop_zone)
        return cls(game_data, zone, enemy, occupied_hexes(state.own[side]), _depots(state))

    def obstacle(self, at: PlaceId) -> Refused | None:
        """R11.8 Why nobody may jump over a hex; None if they may."""
        name, near = self.game_data.place_name(at), {at, *self.game_data.board.neighbours(at)}
        if at not in self.zone:
            return Refused(
                "drop-zone", f"{name} is outside the drop zone", "R11.8", hint="The rules page lists its hexes."
            )
        if near & self.enemy:
            return Refused("enemy-near", f"you see an enemy unit at {name} or next to it", "R11.8")
        if near & self.depots:
            return Refused("depot-near", f"a depot is at {name} or next to it", "R11.8")
        if at in self.own:
            return Refused("occupied", f"one of your units is at {name}", "R11.8")
        return None


def _depots(known: State) -> frozenset[PlaceId]:
    return frozenset(place for place, status in known.open.depots.items() if status is not DepotStatus.DESTROYED)


# --- the jump --------------------------------------------------------------------------------------------------------


def jump(ledger: Ledger[GameData, State]) -> None:
    """R11.8 The jump ordered for this morning: they drift if they must, and a roll decides how they land."""
    ordered = ledger.state.own[GERMAN].missions.jump
    unit = ledger.state.own[GERMAN].units.get(ordered.unit) if ordered else None
    if ordered is None or unit is None or unit.at is not None:
        return
    at = _landing_hex(ledger, ordered.at)
    landing = Landing.CALLED_OFF if at is None else _landing(ledger, unit)
    ledger.emit(Landed(GERMAN, unit.id, ordered.at, at or ordered.at, landing), rule="R11.8")


def _landing_hex(ledger: Ledger[GameData, State], wanted: PlaceId) -> PlaceId | None:
    """R11.9 The hex ordered, else the nearest hex that is really free, ties by die. None: the whole zone is blocked.

    Only the GM sees this die: the number of its sides would reveal enemies that nobody has seen.
    """
    ground = _Ground.true(ledger.game_data, ledger.state, GERMAN)
    free = [place for place in sorted(ground.zone) if ground.obstacle(place) is None]
    if not free:
        return None
    distance = ledger.game_data.grid.distance
    nearest = min(distance(place, wanted) for place in free)
    tied = [place for place in free if distance(place, wanted) == nearest]
    if len(tied) == 1:
        return tied[0]
    (die,) = ledger.roll("paratroops/drift", sides=len(tied), audience=GM, purpose="where they drift", rule="R11.9")
    return tied[die - 1]


def _landing(ledger: Ledger[GameData, State], unit: Unit) -> Landing:
    (die,) = ledger.roll(
        "paratroops/landing",
        sides=LANDING_DIE,
        audience=audience_of(GERMAN),
        purpose=f"the landing of {unit.label}",
        rule="R11.8",
    )
    return next(landing for landing, rolls in LANDINGS.items() if die in rolls)
