"""R10 The fuel for a deployment: the marches that are worth most for a point of it come first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from campaign.engine.values.ids import PlaceId
from campaign.engine.values.modifiers import total
from campaign.rulesets.forum_campaign.bots.assessment.assessment import Assessment
from campaign.rulesets.forum_campaign.bots.plans.deployment import March
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.options import Shortage
from campaign.rulesets.forum_campaign.model.state import Unit, left_a_hex
from campaign.rulesets.forum_campaign.model.zoc import too_full
from campaign.rulesets.forum_campaign.movement.fuel import price


@dataclass
class Fuel:
    """The reserve, and the units that move with it."""

    seen: Assessment
    movers: list[Unit] = field(default_factory=list)

    def pays(self, units: Iterable[Unit]) -> bool:
        """R10.4, R10.7 Whether these units can move too; then they do."""
        movers = [*self.movers, *units]
        if self.seen.side == GERMAN and not self._suffices(movers):
            return False
        self.movers = movers
        return True

    def _suffices(self, movers: Sequence[Unit]) -> bool:
        options, fuel = self.seen.situation.options, self.seen.situation.fuel
        if options.fuel_shortage is Shortage.DEBT:
            return fuel >= 0 or not any(unit.mechanized for unit in movers)
        return total(price(self.seen.game_data.charts.fuel, movers, options.fuel_grouping)) <= fuel


def affordable(fuel: Fuel, marches: Iterable[March]) -> list[March]:
    """The marches that there is fuel for, the most valuable first, and room where they end."""
    going = sorted((march for march in marches if march.way), key=lambda march: (-march.gain, march.unit))
    paid = [march for bundle in _bundles(fuel.seen, going) if fuel.pays(_movers(fuel.seen, bundle)) for march in bundle]
    return _with_room(fuel.seen, paid)


def _bundles(seen: Assessment, going: Sequence[March]) -> list[list[March]]:
    """R10.4 Marches in bundles, as many as a point of fuel moves; the most valuable first."""
    chart = seen.game_data.charts.fuel
    found: list[list[March]] = []
    for mechanized, most in ((False, chart.infantry_per_point), (True, chart.mechanized_per_point)):
        alike = [march for march in going if seen.units[march.unit].mechanized is mechanized]
        found += [alike[start : start + most] for start in range(0, len(alike), most)]
    return sorted(found, key=lambda bundle: -sum(march.gain for march in bundle))


def _movers(seen: Assessment, bundle: Sequence[March]) -> Iterator[Unit]:
    """R10 G2 Those of them that leave a hex."""
    units = ((seen.units[march.unit], march.way) for march in bundle)
    return (unit for unit, way in units if left_a_hex(unit.at, way))


def _with_room(seen: Assessment, marches: list[March]) -> list[March]:
    """R5.7 Without marches into hexes that stay full because a unit does not leave them."""
    while True:
        ends = {march.unit: march.at for march in marches}
        there: dict[PlaceId | None, list[Unit]] = {}
        for unit in seen.units.values():
            there.setdefault(ends.get(unit.id, unit.at), []).append(unit)
        barred = [march for march in marches if too_full(there[march.at])]
        if not barred:
            return marches
        marches = [march for march in marches if march is not barred[-1]]
