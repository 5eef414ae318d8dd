"""R1 The sequence of play: the phases of a day as a table, and what each of them does."""

import datetime
from collections.abc import Callable, Sequence

from campaign.engine.facts import Ledger
from campaign.engine.ids import GM, Audience, PhaseKey, SideId, audience_of
from campaign.engine.orders import Checked, Placed
from campaign.engine.phases import Orders, Phase
from campaign.engine.state import slice_for
from campaign.rulesets.forum_campaign.battles import open_battles, resolve_battles
from campaign.rulesets.forum_campaign.depots import capture_depots
from campaign.rulesets.forum_campaign.facts import Moved, Noted, Turned
from campaign.rulesets.forum_campaign.fuel import receive_fuel, spend_fuel
from campaign.rulesets.forum_campaign.options import BattleMode
from campaign.rulesets.forum_campaign.orders import (
    AIR_ORDERS,
    ALLIED_ORDERS,
    ATTACK_ORDERS,
    BATTLE_ORDERS,
    GERMAN_ORDERS,
    REMOVAL_ORDERS,
    RETREAT_ORDERS,
)
from campaign.rulesets.forum_campaign.plan import Step, plan_attacks, plan_moves
from campaign.rulesets.forum_campaign.results import check_results
from campaign.rulesets.forum_campaign.sheet import accept, check_sheet
from campaign.rulesets.forum_campaign.sighting import scout
from campaign.rulesets.forum_campaign.situation import as_true
from campaign.rulesets.forum_campaign.state import State
from campaign.rulesets.forum_campaign.supply import check_supply
from campaign.rulesets.forum_campaign.theatre import ALLIED, GERMAN, SIDES, Theatre, enemy_of
from campaign.rulesets.forum_campaign.victory import end_campaign, take_control
from campaign.rulesets.forum_campaign.weather import roll_weather

Book = Ledger[Theatre, State]

_DAY = datetime.timedelta(days=1)


def _morning(ledger: Book, _orders: Orders) -> None:
    receive_fuel(ledger)
    roll_weather(ledger)
    scout(ledger)


def _sheet_of(side: SideId) -> Callable[[Book, Orders], None]:
    """R1.4 A side's movement and attacks: what was legal as it knew things, carried out on what is."""

    def resolve(ledger: Book, orders: Orders) -> None:
        known = slice_for(ledger.state, (side,))
        accepted = accept(ledger.theatre, known, side, orders.get(audience_of(side), ()))
        for note in accepted.notes:
            ledger.emit(Noted(side, note.text), rule="")
        plan = plan_moves(as_true(ledger.theatre, ledger.state, side), accepted.routes)
        assaults = plan_attacks(plan, accepted.attacks)
        for step in plan.steps:
            ledger.emit(_moved(side, step), rule="R4")
        _settle(ledger, side)
        open_battles(ledger, side, assaults)

    return resolve


def _moved(side: SideId, step: Step) -> Moved:
    walk = step.walk
    return Moved(
        side, step.route.unit, step.start, walk.entered, walk.spent, walk.halt, walk.before, walk.reasons, walk.met
    )


def _settle(ledger: Book, side: SideId) -> None:
    """What changes hands when a side's units have come to rest. Depots fall in the German portion only (R9.2)."""
    if side == GERMAN:
        capture_depots(ledger)
    take_control(ledger)


def _battles_of(side: SideId) -> Callable[[Book, Orders], None]:
    """R1.4 The results of a side's attacks."""

    def resolve(ledger: Book, orders: Orders) -> None:
        resolve_battles(ledger, orders.get(GM, ()))
        _settle(ledger, side)

    return resolve


def _attacks_of(_side: SideId) -> Callable[[Book, Orders], None]:
    """2.10 Attacks named at a stop of their own, where a campaign has chosen so."""

    def resolve(_ledger: Book, _orders: Orders) -> None:
        pass

    return resolve


def _retreats_after(_side: SideId) -> Callable[[Book, Orders], None]:
    """R12.5 The beaten retreat."""

    def resolve(_ledger: Book, _orders: Orders) -> None:
        pass

    return resolve


def _after(side: SideId) -> Callable[[Book, Orders], None]:
    """R12.2, R12.3, R4.5 The victors move on, and saved movement is used."""

    def resolve(ledger: Book, _orders: Orders) -> None:
        _settle(ledger, side)

    return resolve


def _air(_ledger: Book, _orders: Orders) -> None:
    """R14, R3.5 Yesterday's purchases; then the boxes are opened."""


def _removals(_ledger: Book, _orders: Orders) -> None:
    """R3.7 What the winner in the air removes."""


def _dawn(ledger: Book, _orders: Orders) -> None:
    """R3.8, R3.9, R11.8 The missions of the morning are flown; then both sides look around."""
    scout(ledger)


def _german_end(ledger: Book, _orders: Orders) -> None:
    spend_fuel(ledger)
    check_supply(ledger)


def _allied_start(ledger: Book, _orders: Orders) -> None:
    scout(ledger)


def _allied_end(ledger: Book, _orders: Orders) -> None:
    check_supply(ledger)


def _night(ledger: Book, _orders: Orders) -> None:
    if ledger.state.open.date >= ledger.theatre.last_day:
        end_campaign(ledger)


def _enemy_if_retreating(side: SideId) -> Callable[[State], frozenset[Audience]]:
    """2.10 The owner of beaten units says where they go, where a campaign has chosen a stop for it."""
    loser = enemy_of(side)

    def acts(state: State) -> frozenset[Audience]:
        separate = state.open.options.separate_retreats
        return frozenset({audience_of(loser)}) if separate and state.open.beaten_at else frozenset()

    return acts


def _side(side: SideId) -> Callable[[State], frozenset[Audience]]:
    return lambda _state: frozenset({audience_of(side)})


def _if_in_the_air(state: State) -> frozenset[Audience]:
    """R1.5 Whoever may buy, fly or jump. Of what is known to all alone, so that the stop tells nothing."""
    bought = frozenset(audience_of(side) for side in SIDES) if _is_later_day(state) else frozenset()
    return bought | {audience_of(side) for side, day in state.open.air.items() if day.available}


def _is_later_day(state: State) -> bool:
    """R14.1 Whether there is a yesterday to buy after."""
    return state.open.turn > 1


def _winner_if_removing(state: State) -> frozenset[Audience]:
    """2.10 The winner in the air names removals at a stop of its own, where a campaign has chosen so."""
    winner = state.open.air_winner
    removes = state.open.options.separate_removals and state.open.removals and winner
    return frozenset({audience_of(winner)}) if removes and winner else frozenset()


def _side_if_attacking(side: SideId) -> Callable[[State], frozenset[Audience]]:
    return lambda state: frozenset({audience_of(side)}) if state.open.options.separate_attacks else frozenset()


def _gm_if_battles(state: State) -> frozenset[Audience]:
    automatic = state.open.options.battles is BattleMode.AUTOMATIC
    return frozenset({GM}) if state.open.battles and not automatic else frozenset()


def _phase(key: str, title: str, rule: str, resolve: Callable[[Book, Orders], None]) -> Phase[Theatre, State]:
    """A phase that needs nobody."""
    return Phase(key=PhaseKey(key), title=title, rule=rule, resolve=resolve)


def _sheet(side: SideId, title: str, rule: str) -> Phase[Theatre, State]:
    return Phase(
        key=PhaseKey(f"{side}_sheet"),
        title=title,
        rule=rule,
        acts=_side(side),
        orders=GERMAN_ORDERS if side == GERMAN else ALLIED_ORDERS,
        resolve=_sheet_of(side),
    )


def _attacks(side: SideId, title: str) -> Phase[Theatre, State]:
    return Phase(
        key=PhaseKey(f"{side}_attacks"),
        title=title,
        rule="R4.4",
        acts=_side_if_attacking(side),
        orders=ATTACK_ORDERS,
        resolve=_attacks_of(side),
    )


def _battle(side: SideId, title: str, rule: str) -> Phase[Theatre, State]:
    return Phase(
        key=PhaseKey(f"{side}_battles"),
        title=title,
        rule=rule,
        acts=_gm_if_battles,
        orders=BATTLE_ORDERS,
        closes=False,
        resolve=_battles_of(side),
    )


def _retreats(side: SideId, title: str) -> Phase[Theatre, State]:
    return Phase(
        key=PhaseKey(f"{side}_retreats"),
        title=title,
        rule="R12.5",
        acts=_enemy_if_retreating(side),
        orders=RETREAT_ORDERS,
        resolve=_retreats_after(side),
    )


PHASES: tuple[Phase[Theatre, State], ...] = (
    _phase("morning", "Morning", "R1.4.1", _morning),
    Phase(
        key=PhaseKey("air"),
        title="Purchases and air",
        rule="R1.5",
        acts=_if_in_the_air,
        orders=AIR_ORDERS,
        resolve=_air,
    ),
    Phase(
        key=PhaseKey("removals"),
        title="Removals in the air",
        rule="R3.7",
        acts=_winner_if_removing,
        orders=REMOVAL_ORDERS,
        resolve=_removals,
    ),
    _phase("dawn", "Missions in the air", "R1.4.1", _dawn),
    _sheet(GERMAN, "German movement and attacks", "R1.4.2"),
    _attacks(GERMAN, "German attacks"),
    _battle(GERMAN, "German battles", "R1.4.3"),
    _retreats(GERMAN, "Retreats from the German battles"),
    _phase("german_after", "After the German battles", "R1.4.3", _after(GERMAN)),
    _phase("german_end", "End of the German portion", "R1.4.4", _german_end),
    _phase("allied_start", "Start of the Allied portion", "R1.4.5", _allied_start),
    _sheet(ALLIED, "Allied movement and attacks", "R1.4.6"),
    _attacks(ALLIED, "Allied attacks"),
    _battle(ALLIED, "Allied battles", "R1.4.7"),
    _retreats(ALLIED, "Retreats from the Allied battles"),
    _phase("allied_after", "After the Allied battles", "R1.4.7", _after(ALLIED)),
    _phase("allied_end", "End of the Allied portion", "R1.4.8", _allied_end),
    _phase("night", "Night", "R1.4.10", _night),
)

_KEYS = [phase.key for phase in PHASES]


def now(state: State) -> PhaseKey:
    return state.open.phase


def day(state: State) -> datetime.date:
    """R1.1 The day of the game."""
    return state.open.date


def step(state: State) -> Turned:
    """R1.2 The phase that follows; after the night, the next day's morning."""
    following = _KEYS.index(state.open.phase) + 1
    if following == len(_KEYS):
        return Turned(_KEYS[0], state.open.date + _DAY)
    return Turned(_KEYS[following], state.open.date)


def over(state: State) -> bool:
    return state.open.ended


def check(theatre: Theatre, known: State, who: Audience, sheet: Sequence[Placed]) -> Checked:
    """What a sheet for the open stop would do, as far as its writer knows."""
    if who == GM:
        return check_results(theatre, known, sheet)
    return check_sheet(theatre, known, SideId(who), sheet)
