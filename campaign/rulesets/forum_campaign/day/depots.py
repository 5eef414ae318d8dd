"""R9 Depots: capture and demolition."""

from dataclasses import dataclass

from campaign.engine.facts import Ledger
from campaign.engine.orders.checking import Refused, check_lines
from campaign.engine.orders.order import Checked, Submission
from campaign.engine.values.ids import GM, PUBLIC, Audience, PlaceId
from campaign.engine.values.modifiers import Modifier, total
from campaign.rulesets.forum_campaign.model.facts.day import Demolished, DemolitionPaid, DepotCaptured
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.orders import Demolish
from campaign.rulesets.forum_campaign.model.state import DepotStatus, State, commandos_on_map
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes, seen_hexes

_NEAR = 2
"""R9.5 Hexes within which a German ground unit must be."""
_NEXT_TO = 1
"""R9.5 Ruling 72: hexes within which one makes a demolition free where it is costly."""
_PRICE = 1
"""R9.5 Ruling 72: in purchase points."""
_DIE = 6
_DESTROYED_FROM = 4
"""R9.6"""


def capture_depots(ledger: Ledger[GameData, State]) -> None:
    """R9.2 A German ground unit that ends its movement or advance on a depot takes it; its fuel counts at once.

    The marker stays as captured: it has no fuel left, but still supplies units on it.
    """
    german = occupied_hexes(ledger.state.own[GERMAN])
    for place, status in sorted(ledger.state.open.depots.items()):
        if status is DepotStatus.INTACT and place in german:
            ledger.emit(DepotCaptured(place, ledger.game_data.hexes[place].depot), rule="R9.2")


# --- demolition ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Demolition:
    """The depot of the DEMOLISH line that counts, and the answer to all such lines."""

    place: PlaceId | None
    price: int
    """In purchase points of the day."""
    checked: Checked


def check_demolition(sheet: Submission[GameData, State]) -> Demolition:
    """R9.5 One attempt in an Allied portion, on a depot that is eligible as far as the Allies see."""
    game_data, prices = sheet.game_data, dict[PlaceId, int]()

    def check(order: Demolish) -> str:
        if order.at not in sheet.known.open.depots:
            raise Refused("no-depot", f"there is no depot at {game_data.place_name(order.at)}", "R9.5")
        _refuse_depot(game_data, sheet.known, order.at, chosen=next(iter(prices), None))
        prices[order.at] = _price(game_data, sheet.known, order.at)
        cost = "; it costs 1 of the day's purchase points" if prices[order.at] else ""
        return f"An attempt is made to destroy the depot of {game_data.place_name(order.at)} before anyone moves{cost}"

    checked = check_lines(sheet.lines, {Demolish: check})
    place, price = next(iter(prices.items()), (None, 0))
    return Demolition(place, price, checked)


def _refuse_depot(game_data: GameData, known: State, at: PlaceId, *, chosen: PlaceId | None) -> None:
    status, name = known.open.depots[at], game_data.place_name(at)
    seen = seen_hexes(known.own[ALLIED].sightings)
    if status is not DepotStatus.INTACT:
        raise Refused(status.value, f"the depot of {name} is already {status.value}", "R9.5")
    if chosen is not None:
        message = f"only one depot can be tried a day; a line above names {game_data.place_name(chosen)}"
        raise Refused("twice", message, "R9.5")
    if at in seen:
        raise Refused("held", f"a German unit is at the depot of {name}", "R9.5")
    if not any(game_data.grid.distance(at, place) <= _NEAR for place in seen):
        message = f"you see no German ground unit within {_NEAR} hexes of the depot of {name}"
        raise Refused("far", message, "R9.5")


def _price(game_data: GameData, known: State, at: PlaceId) -> int:
    """R9.5 Ruling 72: what an attempt costs, where it is costly; raises Refused if no points are left to pay it."""
    near = any(game_data.grid.distance(at, place) <= _NEXT_TO for place in seen_hexes(known.own[ALLIED].sightings))
    if not known.open.options.costly_demolition or near or at in occupied_hexes(known.own[ALLIED]):
        return 0
    if known.open.date >= game_data.last_day or game_data.charts.purchases.points < _PRICE:
        message = (
            f"no German ground unit is next to the depot of {game_data.place_name(at)}, and none of yours is on it"
        )
        raise Refused("points", f"{message}: this costs a purchase point, and none is left to come", "R9.5")
    return _PRICE


def demolish(ledger: Ledger[GameData, State], demolition: Demolition) -> None:
    """R9.6 A d6, minus one with German commandos in the hex: on 4 or higher the depot is destroyed."""
    place = demolition.place
    if place is None:
        return
    if demolition.price:
        ledger.emit(DemolitionPaid(ALLIED, demolition.price), rule="R9.5")
    (die,) = ledger.roll(
        f"demolition/{place}",
        sides=_DIE,
        audience=_audience(ledger),
        purpose=f"the demolition of the depot of {ledger.game_data.place_name(place)}",
        rule="R9.6",
    )
    reasons = (Modifier(die, "die", "R9.6"), *_hindered(ledger.state, place))
    ledger.emit(Demolished(place, total(reasons) >= _DESTROYED_FROM, reasons), rule="R9.6")


def _hindered(state: State, place: PlaceId) -> tuple[Modifier, ...]:
    """R11.7 One or several commandos in the hex."""
    there = any(at == place for _, at in commandos_on_map(state.own[GERMAN]))
    return (Modifier(-1, "commandos in the hex", "R11.7"),) if there else ()


def _audience(ledger: Ledger[GameData, State]) -> Audience:
    """R9.6 Only the GM sees the die as long as there may be commandos: a 4 that fails would reveal them."""
    over = ledger.state.open.date > ledger.game_data.charts.commandos.last_day
    return PUBLIC if over else GM
