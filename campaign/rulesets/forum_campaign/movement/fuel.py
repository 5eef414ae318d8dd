"""R10 German fuel."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.modifiers import Modifier, total
from campaign.rulesets.forum_campaign.model.facts.day import FuelReceived, FuelSpent
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, Fuel, GameData
from campaign.rulesets.forum_campaign.model.options import FuelGrouping, Options, Shortage
from campaign.rulesets.forum_campaign.model.state import State, Unit


def receive_fuel(ledger: Ledger[GameData, State]) -> None:
    """R10.2 The income of the day."""
    ledger.emit(FuelReceived(ledger.game_data.charts.fuel.income), rule="R10.2")


def spend_fuel(ledger: Ledger[GameData, State]) -> None:
    """R10.4 Pay at the end of the German portion for every unit that has moved (R10.6), including destroyed ones."""
    own, options = ledger.state.own[GERMAN], ledger.state.open.options
    moved = [unit for unit in (*own.units.values(), *own.lost.values()) if unit.moved]
    reasons = price(ledger.game_data.charts.fuel, moved, options.fuel_grouping)
    points = total(reasons)
    if options.fuel_shortage is not Shortage.DEBT:
        points = min(points, ledger.state.open.fuel)  # set by the GM, or infantry moved without fuel
    if reasons:
        ledger.emit(FuelSpent(points, reasons), rule="R10.4")


def advance_counts(game_data: GameData, options: Options, side: SideId, unit: Unit) -> bool:
    """R10.6 Whether a unit that advances or pursues uses fuel: a mechanized one may, by choice or by the chart."""
    return side == GERMAN and unit.mechanized and (options.advances_burn_fuel or game_data.charts.fuel.advance_counts)


def price(chart: Fuel, units: Iterable[Unit], grouping: FuelGrouping = FuelGrouping.SEPARATE) -> tuple[Modifier, ...]:
    """R10.4 Points for these units' moves: each class rounded up, or both together. Commandos use none."""
    ground = [unit for unit in units if unit.ground]
    mechanized = sum(unit.mechanized for unit in ground)
    infantry = len(ground) - mechanized
    if grouping is FuelGrouping.POOLED:
        return tuple(_pooled(chart, infantry, mechanized))
    parts = ((infantry, chart.infantry_per_point, "infantry"), (mechanized, chart.mechanized_per_point, "mechanized"))
    return tuple(
        Modifier(-(-count // per_point), f"{count} {kind} moved, {per_point} a point", "R10.4")
        for count, per_point, kind in parts
        if count
    )


def _pooled(chart: Fuel, infantry: int, mechanized: int) -> Iterable[Modifier]:
    """Fractions of a point are added before rounding up."""
    if infantry or mechanized:
        parts = infantry * chart.mechanized_per_point + mechanized * chart.infantry_per_point
        points = -(-parts // (chart.infantry_per_point * chart.mechanized_per_point))
        yield Modifier(points, f"{infantry} infantry and {mechanized} mechanized moved, counted together", "R10.4")


@dataclass
class FuelBudget:
    """R10.4, R10.7 The fuel in hand while the lines of a sheet are read, and the units it is for."""

    chart: Fuel
    options: Options
    points: int
    movers: dict[UnitId, Unit]
    """Units that have left their hex, or will after the battles; each pays once."""
    dry: bool = False
    """A line could not be paid, so no later line can."""

    @property
    def price(self) -> int:
        return total(price(self.chart, self.movers.values(), self.options.fuel_grouping))

    def can_afford(self, unit: Unit) -> bool:
        """R10.7 Whether there is fuel for one more unit to move; if so, it is reserved for the unit."""
        paid = not unit.ground or unit.id in self.movers or self._suffices(unit)
        if paid:
            self.movers[unit.id] = unit
        return paid

    def _suffices(self, unit: Unit) -> bool:
        if self.options.fuel_shortage is Shortage.DEBT:
            return self.points >= 0 or not unit.mechanized
        movers = [*self.movers.values(), unit]
        fits = total(price(self.chart, movers, self.options.fuel_grouping)) <= self.points
        if goes_without(self.options, unit):
            return fits
        self.dry = self.dry or not fits
        return not self.dry


def goes_without(options: Options, unit: Unit) -> bool:
    """2.10 Whether a unit may use its printed movement even without fuel."""
    return options.fuel_shortage is Shortage.INFANTRY_FREE and not unit.mechanized
