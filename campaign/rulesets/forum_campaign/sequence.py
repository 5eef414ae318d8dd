"""R1 The sequence of play: what happens in each phase of the calendar, and who acts in it."""

import datetime
from collections.abc import Callable, Sequence

from campaign.engine.facts import Ledger
from campaign.engine.orders.order import Checked, Order, Placed, Submission, merged
from campaign.engine.phases import Check, Orders, Phase, asks, nobody, nothing_to_check, submitted, take_notes
from campaign.engine.values.ids import GM, Audience, SideId, audience_of
from campaign.engine.values.moments import Moment, day_moment
from campaign.rulesets.forum_campaign.air.airdrop import fly_second_drops
from campaign.rulesets.forum_campaign.air.checking import check_air, check_removals
from campaign.rulesets.forum_campaign.air.missions import fly_missions, open_boxes, remove, roll_air_units
from campaign.rulesets.forum_campaign.air.paratroops import jump
from campaign.rulesets.forum_campaign.battle.artillery import check_artillery, name_artillery
from campaign.rulesets.forum_campaign.battle.battles import decide_battles, open_battles
from campaign.rulesets.forum_campaign.battle.casualties import shrink_sizes
from campaign.rulesets.forum_campaign.battle.close_air import assign_close_support, support_battles
from campaign.rulesets.forum_campaign.battle.outside import check_ranking, fought_outside
from campaign.rulesets.forum_campaign.battle.pursuit import move_on
from campaign.rulesets.forum_campaign.battle.results import check_results
from campaign.rulesets.forum_campaign.battle.retreats import check_retreats, retreat_all
from campaign.rulesets.forum_campaign.day.depots import capture_depots, demolish
from campaign.rulesets.forum_campaign.day.digging import dig, give_up_positions
from campaign.rulesets.forum_campaign.day.purchases import check_purchases, make_purchases, restore_sizes
from campaign.rulesets.forum_campaign.day.sighting import scout
from campaign.rulesets.forum_campaign.day.supply import check_supply
from campaign.rulesets.forum_campaign.day.victory import end_campaign, take_control
from campaign.rulesets.forum_campaign.day.weather import roll_weather
from campaign.rulesets.forum_campaign.model.calendar import (
    AFTER,
    AIR,
    ALLIED_START,
    ATTACKS,
    BATTLES,
    DAWN,
    END,
    MORNING,
    NIGHT,
    REMOVALS,
    RETREATS,
    SHEET,
    Entry,
)
from campaign.rulesets.forum_campaign.model.facts.day import Turned
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.orders import (
    AIR_ORDERS,
    ALLIED_ORDERS,
    ATTACK_ORDERS,
    BATTLE_ORDERS,
    GERMAN_ORDERS,
    REMOVAL_ORDERS,
    RETREAT_ORDERS,
)
from campaign.rulesets.forum_campaign.model.situation import as_true
from campaign.rulesets.forum_campaign.model.state import Open, State
from campaign.rulesets.forum_campaign.movement.attacks import PlannedAttack, plan_attacks
from campaign.rulesets.forum_campaign.movement.commandos import note_follows, remove_commandos
from campaign.rulesets.forum_campaign.movement.fuel import receive_fuel, spend_fuel
from campaign.rulesets.forum_campaign.movement.plan import Plan, execute, plan_moves
from campaign.rulesets.forum_campaign.movement.saved_moves import plot_moves, use_saved_moves
from campaign.rulesets.forum_campaign.sheets.checking import (
    accepted_attacks,
    accepted_lines,
    check_attacks,
    check_sheet,
)

Acts = Callable[[Open], frozenset[Audience]]

_DAY = datetime.timedelta(days=1)


def _morning(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    receive_fuel(ledger)
    restore_sizes(ledger)
    dig(ledger)
    roll_weather(ledger)
    open_ = ledger.state.open
    flies = ledger.game_data.air_on_first_day or open_.date > ledger.game_data.first_day
    if flies:
        roll_air_units(ledger)
    scout(ledger)
    if not flies:  # the air sheet is left out: the phase after it follows
        ledger.emit(Turned(AIR.key, open_.date), rule="R1.5")


def _sheet_of(side: SideId) -> Callable[[Ledger[GameData, State], Orders], None]:
    """R1.4 A side's movement and attacks: what was legal as far as it knew, executed on the truth."""

    def resolve(ledger: Ledger[GameData, State], orders: Orders) -> None:
        if side == ALLIED:
            fly_second_drops(ledger, submitted(ledger, orders, side))
        sheet = submitted(ledger, orders, side)
        accepted = accepted_lines(sheet)
        take_notes(ledger, sheet)
        demolish(ledger, accepted.demolition)
        plan = plan_moves(as_true(ledger.game_data, ledger.state, side), accepted.actions)
        assaults = plan_attacks(plan, accepted.attacks)
        execute(ledger, side, plan)
        plot_moves(ledger, side, plan, accepted.plots)
        note_follows(ledger, accepted.escorts)
        _settle(ledger, side)
        _attack(ledger, submitted(ledger, orders, side), accepted.attacks, assaults)

    return resolve


def _attack(
    ledger: Ledger[GameData, State],
    sheet: Submission[GameData, State],
    lines: Sequence[Placed],
    assaults: Sequence[PlannedAttack],
) -> None:
    """R1.4 Assign support to the attacks, and open their battles."""
    attacking = {placed.order.unit for placed in lines}
    assign_close_support(ledger, sheet, attacking=attacking)
    name_artillery(ledger, sheet)
    open_battles(ledger, sheet.side, assaults, check_ranking(sheet, attacking=attacking).units)
    support_battles(ledger, sheet.side)


def _settle(ledger: Ledger[GameData, State], side: SideId) -> None:
    """What changes hands when a side's units have moved. Depots are captured in the German portion only (R9.2)."""
    if side == GERMAN:
        capture_depots(ledger)
    take_control(ledger)


def _battles(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R1.4 The results of a portion's attacks."""
    decide_battles(ledger, orders.get(GM, ()))


def _attacks_of(side: SideId) -> Callable[[Ledger[GameData, State], Orders], None]:
    """2.10 Attacks named in a phase of their own, if the campaign has chosen so."""

    def resolve(ledger: Ledger[GameData, State], orders: Orders) -> None:
        if not ledger.state.open.options.separate_attacks:
            return
        sheet = submitted(ledger, orders, side)
        take_notes(ledger, sheet)
        attacks = accepted_attacks(sheet)
        assaults = plan_attacks(Plan((), as_true(ledger.game_data, ledger.state, side)), attacks)
        _attack(ledger, sheet, attacks, assaults)

    return resolve


def _retreats_after(side: SideId) -> Callable[[Ledger[GameData, State], Orders], None]:
    """R12.5 Units defeated by a side retreat."""

    def resolve(ledger: Ledger[GameData, State], orders: Orders) -> None:
        retreat_all(ledger, submitted(ledger, orders, enemy_of(side)))

    return resolve


def _after(side: SideId) -> Callable[[Ledger[GameData, State], Orders], None]:
    """R12.2, R12.3, R4.5 The victors move on, taking depots (R9.2), and saved movement is used."""

    def resolve(ledger: Ledger[GameData, State], _orders: Orders) -> None:
        move_on(ledger, side)
        if side == GERMAN:
            capture_depots(ledger)
        use_saved_moves(ledger, side)
        _settle(ledger, side)

    return resolve


def _air(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R14, R3.5 Yesterday's purchases; then the boxes are opened."""
    _take_notes(ledger, orders)
    make_purchases(ledger, orders)
    for side in SIDES:
        name_artillery(ledger, submitted(ledger, orders, side))
    open_boxes(ledger, orders)


def _take_notes(ledger: Ledger[GameData, State], orders: Orders) -> None:
    for side in SIDES:
        take_notes(ledger, submitted(ledger, orders, side))


def _removals(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R3.7 The winner in the air removes enemy air units."""
    _take_notes(ledger, orders)
    remove(ledger, orders)


def _dawn(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    """R3.8, R3.9, R11.8 Fly the missions of the morning; then both sides scout."""
    fly_missions(ledger)
    jump(ledger)
    scout(ledger)


def _german_end(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    spend_fuel(ledger)
    _end_portion(ledger, GERMAN)


def _allied_start(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    scout(ledger)


def _allied_end(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    _end_portion(ledger, ALLIED)


def _end_portion(ledger: Ledger[GameData, State], side: SideId) -> None:
    shrink_sizes(ledger)  # the GM may have taken a task force away
    give_up_positions(ledger, side)
    check_supply(ledger)


def _night(ledger: Ledger[GameData, State], _orders: Orders) -> None:
    remove_commandos(ledger)
    if ledger.state.open.date >= ledger.game_data.last_day:
        end_campaign(ledger)


def _enemy_if_retreating(side: SideId) -> Acts:
    """2.10 The owner of defeated units says where they go, if the campaign has chosen a phase for it."""
    loser = enemy_of(side)

    def acts(open_: Open) -> frozenset[Audience]:
        chooses = open_.options.separate_retreats and any(pending.choice for pending in open_.pending_retreats)
        return asks(loser if chooses else None)

    return acts


def _side(side: SideId) -> Acts:
    return lambda _open: asks(side)


def _both_sides(_open: Open) -> frozenset[Audience]:
    """R1.5 Both may name artillery every day, even with nothing else to do, so that the phase reveals nothing."""
    return frozenset(audience_of(side) for side in SIDES)


def _winner_if_removing(open_: Open) -> frozenset[Audience]:
    """2.10 The winner in the air names removals in a phase of its own, if the campaign has chosen so."""
    removes = open_.options.separate_removals and open_.removals
    return asks(open_.air_winner if removes else None)


def _side_if_attacking(side: SideId) -> Acts:
    return lambda open_: asks(side if open_.options.separate_attacks else None)


def _gm_if_battles(open_: Open) -> frozenset[Audience]:
    return frozenset({GM}) if fought_outside(open_) else frozenset()


# --- what sheets are checked by ---------------------------------------------------------------------------------------


def _check_air(sheet: Submission[GameData, State]) -> Checked:
    """R1.5 The check of the air sheet: missions, purchases and artillery."""
    return merged(check_air(sheet).checked, check_purchases(sheet).checked, check_artillery(sheet).checked)


def _check_results(sheet: Submission[GameData, State]) -> Checked:
    return check_results(sheet.game_data, sheet.known, sheet.lines)


# --- the table --------------------------------------------------------------------------------------------------------


def _phase(
    entry: Entry,
    resolve: Callable[[Ledger[GameData, State], Orders], None],
    *,
    acts: Acts = nobody,
    orders: tuple[type[Order], ...] = (),
    check: Check[GameData, State] = nothing_to_check,
    closes: bool = True,
) -> Phase[GameData, State]:
    """A phase of the calendar and what happens in it; without `acts` nobody must act."""
    return Phase(
        key=entry.key,
        title=entry.title,
        rule=entry.rule,
        side=entry.side,
        acts=acts,
        orders=orders,
        check=check,
        closes=closes,
        resolve=resolve,
    )


def _portion(side: SideId, sheet_orders: tuple[type[Order], ...]) -> tuple[Phase[GameData, State], ...]:
    """R1.4 A side moves and attacks, its battles are decided, and their consequences follow."""
    return (
        _phase(SHEET[side], _sheet_of(side), acts=_side(side), orders=sheet_orders, check=check_sheet),
        _phase(
            ATTACKS[side],
            _attacks_of(side),
            acts=_side_if_attacking(side),
            orders=ATTACK_ORDERS,
            check=check_attacks,
        ),
        _phase(BATTLES[side], _battles, acts=_gm_if_battles, orders=BATTLE_ORDERS, check=_check_results, closes=False),
        _phase(
            RETREATS[side],
            _retreats_after(side),
            acts=_enemy_if_retreating(side),
            orders=RETREAT_ORDERS,
            check=check_retreats,
        ),
        _phase(AFTER[side], _after(side)),
    )


PHASES: tuple[Phase[GameData, State], ...] = (
    _phase(MORNING, _morning),
    _phase(AIR, _air, acts=_both_sides, orders=AIR_ORDERS, check=_check_air),
    _phase(REMOVALS, _removals, acts=_winner_if_removing, orders=REMOVAL_ORDERS, check=check_removals),
    _phase(DAWN, _dawn),
    *_portion(GERMAN, GERMAN_ORDERS),
    _phase(END[GERMAN], _german_end),
    _phase(ALLIED_START, _allied_start),
    *_portion(ALLIED, ALLIED_ORDERS),
    _phase(END[ALLIED], _allied_end),
    _phase(NIGHT, _night),
)

_KEYS = [phase.key for phase in PHASES]


def moment(state: State) -> Moment:
    """R1.1 The day of the game."""
    return day_moment(state.open.date)


def last_day(game_data: GameData) -> datetime.date:
    """R1.1"""
    return game_data.last_day


def step(state: State) -> Turned:
    """R1.2 The phase that follows; after the night, the next day's morning."""
    following = _KEYS.index(state.open.phase) + 1
    if following == len(_KEYS):
        return Turned(_KEYS[0], state.open.date + _DAY)
    return Turned(_KEYS[following], state.open.date)
