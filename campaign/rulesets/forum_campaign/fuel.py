"""R10 German fuel."""

from collections.abc import Iterable

from campaign.engine.facts import Ledger
from campaign.engine.modifiers import Modifier, total
from campaign.rulesets.forum_campaign.facts import FuelReceived, FuelSpent
from campaign.rulesets.forum_campaign.state import State, Unit
from campaign.rulesets.forum_campaign.theatre import GERMAN, Fuel, Theatre


def receive_fuel(ledger: Ledger[Theatre, State]) -> None:
    """R10.2 The daily income."""
    ledger.emit(FuelReceived(ledger.theatre.charts.fuel.income), rule="R10.2")


def price(chart: Fuel, units: Iterable[Unit]) -> tuple[Modifier, ...]:
    """R10.4 Points for these units' moves, each class rounded up by itself."""
    moved = list(units)
    mechanized = sum(unit.mechanized for unit in moved)
    infantry = len(moved) - mechanized
    parts = ((infantry, chart.infantry_per_point, "infantry"), (mechanized, chart.mechanized_per_point, "mechanized"))
    return tuple(
        Modifier(-(-count // per_point), f"{count} {kind} moved, {per_point} a point", "R10.4")
        for count, per_point, kind in parts
        if count
    )


def spend_fuel(ledger: Ledger[Theatre, State]) -> None:
    """R10.4 At the end of the German portion, for every unit that left its hex by order, the destroyed included."""
    own = ledger.state.own[GERMAN]
    moved = [unit for unit in (*own.units.values(), *own.lost.values()) if unit.moved]
    reasons = price(ledger.theatre.charts.fuel, moved)
    if reasons:
        points = min(total(reasons), ledger.state.open.fuel)  # the GM may have set the reserve since
        ledger.emit(FuelSpent(points, reasons), rule="R10.4")
