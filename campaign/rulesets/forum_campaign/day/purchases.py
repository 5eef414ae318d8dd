"""R14 Purchases: what each side's points bring to units that rested yesterday."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec import UNSET

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import TO_HQ, Refused, check_lines, notice
from campaign.engine.orders.order import Checked, Gauge, Problem, Submission
from campaign.engine.phases import Orders, submitted
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.day import Reinforced
from campaign.rulesets.forum_campaign.model.facts.movement import Resized
from campaign.rulesets.forum_campaign.model.game_data import SIDES, Branch, GameData, Goods, Ware
from campaign.rulesets.forum_campaign.model.orders import Buy
from campaign.rulesets.forum_campaign.model.state import FULL, State, Unit, UnitType, is_small
from campaign.rulesets.forum_campaign.model.words import plural, received
from campaign.rulesets.forum_campaign.model.zoc import too_full, zone


@dataclass(frozen=True)
class Purchase:
    """What a unit receives, and what it costs in points."""

    unit: UnitId
    ware: Ware
    amount: int


@dataclass(frozen=True)
class CheckedPurchases:
    """A side's purchases that count, and the answer to its BUY lines."""

    purchases: tuple[Purchase, ...]
    checked: Checked


def check_purchases(sheet: Submission[GameData, State]) -> CheckedPurchases:
    """R14 Check a sheet's BUY lines one by one, each with the points that those above it have left.

    Enemies next to a unit are always seen in the morning, so what the side knows is enough (R14.4).
    """
    till = _till(sheet)
    checked = check_lines(sheet.lines, {Buy: till.check}).and_also(till.unspent())
    return CheckedPurchases(tuple(till.sold), replace(checked, gauges=till.gauges()))


def points_of(sheet: Submission[GameData, State]) -> int:
    """R14.1 The points that a side may spend today."""
    return 0 if sheet.known.open.turn == 1 else _till(sheet).points


def offered(sheet: Submission[GameData, State], unit: UnitId) -> tuple[Ware, ...]:
    """R14 What a unit may still receive, after a sheet's purchases."""
    till = _till(sheet)
    check_lines(sheet.lines, {Buy: till.check})
    return tuple(ware for ware in sheet.game_data.charts.purchases.wares if till.sells(Buy(unit, ware.goods)))


def make_purchases(ledger: Ledger[GameData, State], orders: Orders) -> None:
    """R14.1 Both sides receive what they bought for yesterday; then units that have grown are full-size again."""
    for side in SIDES:
        for purchase in check_purchases(submitted(ledger, orders, side)).purchases:
            fact = Reinforced(side, purchase.unit, purchase.ware.goods, purchase.amount)
            ledger.emit(fact, rule="R14.2")
    restore_sizes(ledger)


def restore_sizes(ledger: Ledger[GameData, State]) -> None:
    """R12.7 A unit that fell to task force size is full size again once it has more than half its headcount.

    It waits while its hex has no room for another full unit.
    """
    for side in SIDES:
        for unit in tuple(ledger.state.own[side].units.values()):
            if unit.small and not unit.raised and not is_small(unit) and _may_grow(ledger.state, side, unit):
                ledger.emit(Resized(side, unit.id, small=False), rule="R12.7")


def _may_grow(state: State, side: SideId, unit: Unit) -> bool:
    others = [other for other in state.own[side].units.values() if other.at == unit.at and other.id != unit.id]
    return unit.at is not None and not too_full([*others, replace(unit, small=False)])


# --- line by line ----------------------------------------------------------------------------------------------------


def _till(sheet: Submission[GameData, State]) -> "_Till":
    sightings = sheet.known.own[sheet.side].sightings
    enemies = (seen.at for seen in sightings if seen.type is not UnitType.COMMANDO)
    return _Till(sheet.game_data, sheet.known, sheet.side, zone(sheet.game_data, enemies))


@dataclass
class _Till:
    """What a side has bought so far."""

    game_data: GameData
    known: State
    side: SideId
    enemy_zone: frozenset[PlaceId]
    """R5.1 As the side sees it; commandos have none (R11.1)."""
    sold: list[Purchase] = field(default_factory=list)

    def check(self, buy: Buy) -> str:
        unit = self.known.own[self.side].units.get(buy.unit)
        if unit is None:
            raise Refused("gone", f"{buy.unit} no longer exists", "R14")
        ware = self._ware(unit, buy.goods)
        if (bar := self._bar(unit)) is not None:
            raise bar
        self._require_points(unit, ware)
        amount = self._amount(unit, ware)
        self.sold.append(Purchase(unit.id, ware, amount))
        price = f"{ware.points} {plural('point', ware.points)}, {self._left} left"
        return f"{unit.label} receives {received(ware, self.side, amount)} ({price})"

    def sells(self, buy: Buy) -> bool:
        """Whether a purchase would count as the next one."""
        try:
            _Till(self.game_data, self.known, self.side, self.enemy_zone, list(self.sold)).check(buy)
        except Refused:
            return False
        return True

    def unspent(self) -> Iterator[Problem]:
        """R14.1 A notice to HQ about points that lapse although a unit could use them."""
        if self._left > 0 and any(self._bar(unit) is None for unit in self.known.own[self.side].units.values()):
            message = f"you have not spent {self._left} of {self.points} purchase points"
            yield notice(TO_HQ, "unspent", message, "R14.1", hint="They cannot be saved.")

    def gauges(self) -> tuple[Gauge, ...]:
        if self.known.open.turn == 1:
            return ()
        return (Gauge("Purchase points", self.points - self._left, self.points),)

    @property
    def _left(self) -> int:
        """R14.1 Points not yet spent."""
        return self.points - sum(purchase.ware.points for purchase in self.sold)

    @property
    def points(self) -> int:
        """R14.1 The points of the day, without those that a demolition has cost (R9.5)."""
        cost, points = self.known.own[self.side].demolition_cost, self.game_data.charts.purchases.points
        return points if cost is UNSET else points - cost

    def _ware(self, unit: Unit, goods: Goods) -> Ware:
        for ware in self.game_data.charts.purchases.wares:
            if ware.goods is goods is Goods.TANKS and (unit.branch is not Branch.ARMOR or unit.raised):
                raise Refused("no-armour", f"{unit.label} is not an armoured division and gets no tanks", "R14.2")
            if ware.goods is goods:
                return ware
        raise Refused("no-ware", f"{goods.value} cannot be bought in this campaign", "R14.2")

    def _bar(self, unit: Unit) -> Refused | None:
        """R14.4 Why a unit may receive nothing."""
        if self.known.open.turn == 1:
            return Refused("first-day", "purchases are for the day before, and this is the first day", "R14.1")
        code, why = next(((code, why) for code, why, applies in self._bars(unit) if applies), ("", ""))
        return Refused(code, f"{unit.label} {why}", "R14.4") if code else None

    def _bars(self, unit: Unit) -> Iterator[tuple[str, str, bool]]:
        yield "commando", "is a commando and can get nothing", not unit.ground
        yield "off-map", "is not on the map", unit.at is None
        yield "moved", "moved yesterday", unit.moved or unit.spent > 0
        yield "fought", "fought yesterday", unit.fought
        yield "unsupplied", "is unsupplied", not unit.supplied
        yield "zone", "is in an enemy zone of control", unit.at in self.enemy_zone

    def _require_points(self, unit: Unit, ware: Ware) -> None:
        if ware.points > self._left:
            price = f"costs {ware.points} {plural('point', ware.points)}, and you have {max(self._left, 0)} left"
            raise Refused("points", f"{ware.goods.value} for {unit.label} {price}", "R14.1")

    def _amount(self, unit: Unit, ware: Ware) -> int:
        """R14.2 How much it receives. What a unit has lent counts as its own; a task force gets at most what it had."""
        if ware.goods is not Goods.MEN:
            return ware.amount
        bought = sum(each.amount for each in self.sold if each.unit == unit.id and each.ware is ware)
        room = (unit.raised or FULL) - unit.whole - bought
        if room <= 0:
            raise Refused("full", f"{unit.label} already has all the headcount it can have", "R14.2")
        return min(ware.amount, room)
