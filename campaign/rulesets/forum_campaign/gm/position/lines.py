"""The lines of a position that are about no unit: day, fuel, weather, places and ledgers."""

import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from campaign.engine.facts import Fact
from campaign.engine.orders.lexicon import plain
from campaign.engine.pasted import LONGEST_CELL, Fault, PastedLine
from campaign.engine.rulings import objection_to
from campaign.engine.state import with_open, with_own
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.gm.position.roster import names_of
from campaign.rulesets.forum_campaign.gm.position.table import (
    LINES,
    SIDES_IN_WORDS,
    About,
    Table,
    date_in,
    place_in,
    whole_number,
)
from campaign.rulesets.forum_campaign.gm.rulings import RULINGS
from campaign.rulesets.forum_campaign.model.facts.day import Controlled, DepotSet, FuelSet
from campaign.rulesets.forum_campaign.model.facts.muster import LineWritten
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData, Weather, enemy_of
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind
from campaign.rulesets.forum_campaign.model.state import DepotStatus, Own, Stamp, State, WeatherToday, stamp
from campaign.rulesets.forum_campaign.model.words import PEOPLES, listed
from campaign.rulesets.forum_campaign.model.zoc import occupied_hexes

_MOST_FUEL = 999


def day_of(game_data: GameData, table: Table, asked: datetime.date | None) -> datetime.date | None:
    """The day on which the campaign begins, by the table or as it was asked for; None, and a fault, if that fails."""
    lines = [line for about, line in table.lines if about is About.DAY]
    days = (game_data.first_day, game_data.last_day)
    found = asked
    for line in lines:
        written = date_in(line.cells[1]) if len(line.cells) > 1 else None
        if written is None:
            table.faults.append(Fault(line.number, "no day can be read here", f"Write it so: {_example(About.DAY)}"))
        elif found not in (None, written):
            message = f"the day is {written}, and {found} is chosen"
            table.faults.append(Fault(line.number, message, "Correct one of the two."))
        found = found or written
    if found is None and not lines:
        table.faults.append(Fault(0, "no day is given on which the campaign begins", "Choose one."))
    if found is not None and not days[0] <= found <= days[1]:
        where = lines[0].number if lines else 0
        message = f"{found} is no day of this scenario"
        table.faults.append(Fault(where, message, f"Choose one from {days[0]} to {days[1]}."))
        return None
    return found


def with_lines(game_data: GameData, state: State, table: Table) -> State:
    """A state whose units and day are there already, with all that the other lines say; the table gets their faults."""
    read = _Reading(game_data, _with_holders(state), table.faults)
    for about, line in table.lines:
        if about is not About.DAY:
            read.line(about, line)
    read.check_holders()
    return read.state


def _with_holders(state: State) -> State:
    """R15.5 An objective belongs to the side that has a ground unit there, unless a line says otherwise."""
    held = {place: side for side in SIDES for place in occupied_hexes(state.own[side])}
    return with_open(state, control={place: held.get(place, side) for place, side in state.open.control.items()})


@dataclass
class _Reading:
    """The state so far, and on which line each thing was said."""

    game_data: GameData
    state: State
    faults: list[Fault]
    said: dict[tuple[About, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """No line changes where units are, or which there are."""
        units = {side: own.units for side, own in self.state.own.items()}
        self.meanings = names_of(SIDES, units).meanings
        self.occupied = {side: occupied_hexes(own) for side, own in self.state.own.items()}

    def line(self, about: About, line: PastedLine) -> None:
        cells = line.cells + ("",) * 5
        readers: Mapping[About, Callable[..., None]] = {
            About.FUEL: self._fuel,
            About.WEATHER: self._weather,
            About.CONTROL: self._control,
            About.DEPOT: self._depot,
            About.HELD: self._held,
            About.LEDGER: self._ledger,
        }
        try:
            readers[about](line.number, *cells[1 : None if about is About.HELD else 5])
        except _WrongError as wrong:
            self.faults.append(Fault(line.number, wrong.message, wrong.cure or f"Write it so: {_example(about)}"))

    def check_holders(self) -> None:
        """R15.5 No line gives an objective to a side while the other has a ground unit there."""
        for (about, place), number in self.said.items():
            for side in SIDES:
                holder = self.state.open.control.get(PlaceId(place))
                if about is About.CONTROL and holder != side and place in self.occupied[side]:
                    message = f"{self.game_data.place_name(PlaceId(place))} holds a unit of the {PEOPLES[side]}"
                    self.faults.append(Fault(number, message, "So it is theirs (R15.5). Correct the side or the unit."))

    # --- what each line says ---

    def _fuel(self, number: int, points: str, *_: str) -> None:
        self._once(About.FUEL, "", number)
        found = whole_number(points)
        if found is None or abs(found) > _MOST_FUEL:
            raise _WrongError(f"the fuel is {points!r}", f"Write a whole number up to {_MOST_FUEL}.")
        self._rule(FuelSet(found), "Correct the number.")

    def _weather(self, number: int, weather: str, allied: str, german: str, _: str) -> None:
        """R2.3 As the day's table has it; with the modifiers to air units of each side if it has them twice."""
        self._once(About.WEATHER, "", number)
        bands = self.game_data.charts.weather[self.state.open.date]
        found = [band for band in bands if plain(band.weather.value) == plain(weather)]
        modifiers = (whole_number(allied), whole_number(german)) if allied or german else None
        found = [band for band in found if modifiers in (None, (band.allied, band.german))]
        if not found:
            possible = listed(list(dict.fromkeys(band.weather.value for band in bands)))
            all_there = plain(weather) in {plain(each.value) for each in Weather}
            what = f"{' '.join(filter(None, (weather, allied, german)))!r} is not on the table of"
            which = f"{self.state.open.date:%-d %B}" if all_there else f"{self.state.open.date:%-d %B}, nor any other"
            raise _WrongError(f"{what} {which}", f"That day can have: {possible}.")
        today = WeatherToday(found[0].weather, found[0].allied, found[0].german)
        self.state = with_open(self.state, forecast=today)

    def _control(self, number: int, place: str, side: str, *_: str) -> None:
        at, holder = self._place(place), _side(side)
        self._once(About.CONTROL, at, number)
        named = listed([self.game_data.place_name(each) for each in sorted(self.state.open.control)])
        self._rule(Controlled(at, holder), f"There are: {named}.")

    def _depot(self, number: int, place: str, status: str, *_: str) -> None:
        at = self._place(place)
        self._once(About.DEPOT, at, number)
        found = next((each for each in DepotStatus if each.value == status.lower()), None)
        if found is None:
            raise _WrongError(f"the depot is {status!r}", "Write intact, captured or destroyed.")
        named = listed([self.game_data.place_name(each) for each in sorted(self.state.open.depots)])
        self._rule(DepotSet(at, found), f"There are: {named}.")

    def _held(self, number: int, side: str, *hexes: str) -> None:
        holder, places = _side(side), list[PlaceId]()
        for place in [self._place(word) for word in re.split(r"[\s,;]+", " ".join(hexes)) if word]:
            self._once(About.HELD, place, number)
            if place in self.occupied[enemy_of(holder)]:
                raise _WrongError(f"{place} holds a unit of the other side", "Delete the hex, or correct the unit.")
            places.append(place)
        self.state = with_own(self.state, holder, has_entered(tuple(places), evening_before(self.state)))

    def _ledger(self, _number: int, unit: str, kind: str, text: str, origin: str) -> None:
        side, id_ = self._unit(unit)
        found = next((each for each in LineKind if each.value == kind.lower()), None)
        if found is None:
            raise _WrongError(f"{kind!r} is no kind of line", "Write extra, medium, heavy or remark.")
        self._rule(LineWritten(side, id_, LedgerLine(found, text, " ".join(origin.split()))), "Correct the line.")

    # --- helpers ---

    def _rule(self, fact: Fact, cure: str) -> None:
        """R15.6 Apply what a GM could rule, with the same objections."""
        if why := objection_to(fact, RULINGS, self.game_data, self.state):
            raise _WrongError(why, cure)
        self.state = evolve(self.state, fact)

    def _once(self, about: About, what: str, number: int) -> None:
        before = self.said.setdefault((about, what), number)
        if before != number:
            of = f" of {self.game_data.place_name(PlaceId(what))}" if what else ""
            raise _WrongError(f"the {about}{of} is on line {before} already", "Delete one of the two lines.")

    def _place(self, written: str) -> PlaceId:
        found = place_in(self.game_data, written)
        if found is None:
            raise _WrongError(f"this map has no hex or town {written[:LONGEST_CELL]!r}", "")
        return found

    def _unit(self, written: str) -> tuple[SideId, UnitId]:
        found = self.meanings.get(plain(written), ())
        if len(found) != 1:
            which = "more than one unit can be" if found else "no unit that is left is called"
            raise _WrongError(f"{which} {written!r}", "Write its label as in the scenario.")
        return next((side, found[0]) for side in SIDES if found[0] in self.state.own[side].units)


class _WrongError(Exception):
    """What is wrong with a line; without a fix, an example shows how it is written."""

    def __init__(self, message: str, cure: str) -> None:
        self.message, self.cure = message, cure
        super().__init__(message)


def _side(written: str) -> SideId:
    found = SIDES_IN_WORDS.get(written.lower())
    if found is None:
        raise _WrongError(f"{written!r} is no side", "")
    return found


def _example(about: About) -> str:
    return next(example for example in LINES if example.startswith(about.value))


def evening_before(state: State) -> Stamp:
    """When a position's places were last entered, as far as it knows: in the last portion of the day before."""
    return stamp(state.open) - 1


def has_entered(places: tuple[PlaceId, ...], when: Stamp) -> Callable[[Own], Own]:
    return lambda own: replace(own, entered={**own.entered, **dict.fromkeys(places, when)})


def holders(game_data: GameData) -> Mapping[PlaceId, SideId]:
    """Who held each hex on the first morning."""
    return {place: each.control for place, each in game_data.hexes.items()}
