"""R37 to R41 The lines of a morning's sheet: what each will do, as far as its side knows, or what is wrong with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from campaign.engine.orders.checking import Doubt, LineCheck, Meaning, Refused
from campaign.engine.orders.order import Gauge, Order
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.area_activation.day.morning import WEAK, may_be_marked, may_strike, needs_men
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, Card, GameData, Kind, Points
from campaign.rulesets.area_activation.model.orders import (
    Arrive,
    Commando,
    KeepReserve,
    Mark,
    Refuel,
    Replace,
)
from campaign.rulesets.area_activation.model.state import State, Unit
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.rules.arrival import arriving, entries_for, reserve_called
from campaign.rulesets.area_activation.rules.situation import Situation


@dataclass
class MorningLines:
    """The lines of a morning so far."""

    situation: Situation
    known: State
    arrivals: dict[UnitId, PlaceId] = field(default_factory=dict)
    replaced: list[UnitId] = field(default_factory=list)
    marked: list[UnitId] = field(default_factory=list)
    freed: list[UnitId] = field(default_factory=list)
    struck: bool = False
    keeps_reserve: bool = False

    def meanings(self) -> Mapping[type[Order], LineCheck]:
        return {
            Arrive: self._arrive,
            KeepReserve: self._keep_reserve,
            Replace: self._replace,
            Mark: self._mark,
            Refuel: self._refuel,
            Commando: self._commando,
        }

    @property
    def game_data(self) -> GameData:
        return self.situation.game_data

    @property
    def _points(self) -> Points:
        return self.game_data.days[self.situation.open.date].replacements[self.situation.side]

    def gauges(self) -> tuple[Gauge, ...]:
        """R40 How many of the day's replacement points the lines read so far use."""
        armor = sum(self.game_data.cards[unit].kind is Kind.ARMOR for unit in self.replaced)
        used = (
            Gauge("Replacement points for armor", armor, self._points.armor),
            Gauge("Replacement points for other units", len(self.replaced) - armor, self._points.infantry),
        )
        return tuple(gauge for gauge in used if gauge.of)

    def _own_card(self, unit: UnitId) -> Card:
        card = self.game_data.cards[unit]
        if card.side != self.situation.side:
            raise Refused("foreign", f"{card.name} is not yours", "R38")
        return card

    def _arrive(self, order: Arrive) -> str:
        card = self._own_card(order.unit)
        space = self.situation.space(order.at)
        if order.unit in self.arrivals:
            raise Refused("twice", f"a line above says where {card.name} arrives", "R38")
        if not arriving(self.game_data, self.known, card):
            raise Refused("not-due", f"{card.name} does not arrive today", "R39" if card.in_reserve else "R38")
        if card.in_reserve and (self.keeps_reserve or self._from_reserve):
            raise Refused(
                "one-a-day", "a line above decides about the reserve, and one unit of it arrives a day", "R39"
            )
        waiting = self.known.own[card.side].due.get(card.id)
        found = entries_for(self.situation, card.id, delayed=waiting is not None and waiting.delayed)
        places = [place for place in found if self._room_left(place)]
        if order.at not in places:
            ways = list_of([self.situation.space(place).name for place in places], last="or")
            hint = f"Write {ways}." if ways else "None is open to it now: it waits."
            raise Refused("no-entry", f"{card.name} cannot arrive in {space.name}", "R38", hint=hint)
        self.arrivals[order.unit] = order.at
        return f"{card.name} arrives in {space.name}"

    def _room_left(self, place: PlaceId) -> bool:
        """R18 Whether there is room after the arrivals of the lines above."""
        above = sum(at == place for at in self.arrivals.values())
        return above < self.situation.room_in(place)

    @property
    def _from_reserve(self) -> bool:
        return any(self.game_data.cards[unit].in_reserve for unit in self.arrivals)

    def _keep_reserve(self, _order: KeepReserve) -> str:
        if self.situation.side != GERMAN or not self.known.own[GERMAN].reserve:
            raise Refused("no-reserve", "you have no reserve", "R39")
        if not reserve_called(self.game_data, self.known):
            raise Refused("not-due", "no unit of the reserve can arrive today", "R39")
        if self._from_reserve:
            raise Refused("one-a-day", "a line above says where a unit of the reserve arrives", "R39")
        self.keeps_reserve = True
        return "No unit of the reserve arrives today"

    def _replace(self, order: Replace) -> str:
        card, unit = self._own_card(order.unit), self._on_map(order.unit, "R40")
        if not needs_men(self.game_data, unit):
            most = f"of strength {WEAK} or less that has lost men, with supply and fuel"
            raise Refused("no-need", f"{card.name} is no unit {most}", "R40")
        if order.unit in self.replaced:
            raise Refused("twice", f"{card.name} receives a point already, and no unit more than one", "R40")
        armor = card.kind is Kind.ARMOR
        used = sum((self.game_data.cards[each].kind is Kind.ARMOR) is armor for each in self.replaced)
        given = self._points.armor if armor else self._points.infantry
        if used >= given:
            sort = "armor" if armor else "infantry and mechanized units"
            raise Refused("no-points", f"there is no replacement point left for {sort} today", "R40")
        self.replaced.append(order.unit)
        return f"{card.name} receives a replacement point: strength {unit.strength + 1}"

    def _mark(self, order: Mark) -> Meaning:
        card, most = self.game_data.cards[order.unit], self.game_data.days[self.situation.open.date].marked
        if self.situation.side != ALLIED or not most:
            raise Refused("no-marks", "the Allies mark units from 21 December on", "R37")
        if not may_be_marked(self.game_data, self.known, order.unit):
            raise Refused("no-engine", f"{card.name} is no German armored or mechanized unit in the game", "R37")
        if order.unit in self.marked or len(self.marked) == most:
            raise Refused("too-many", f"you mark {most} different units a day", "R37")
        self.marked.append(order.unit)
        doubts = self._misses(order.unit, "lost-mark", "the mark is lost", "R37")
        return Meaning(f"{card.name} is marked as short of fuel", tuple(doubts))

    def _misses(self, unit: UnitId, code: str, so: str, rule: str) -> Iterator[Doubt]:
        """R37, R41 Why a mark or a commando operation changes nothing, as far as its side sees."""
        seen = next((enemy for enemy in self.situation.enemies if enemy.id == unit), None)
        if seen is None and self.game_data.cards[unit].due != self.situation.open.date:
            yield Doubt(code, f"you see it nowhere: {so} unless it is on the map by then", rule)
        elif seen is not None and seen.unsupplied:
            yield Doubt(code, f"it is out of supply and does not act anyway: {so}", rule)

    def _refuel(self, order: Refuel) -> Meaning:
        card = self._own_card(order.unit)
        if not arriving(self.game_data, self.known, card):
            self._on_map(order.unit, "R37")
        day = self.game_data.days[self.situation.open.date]
        if self.situation.side != GERMAN or not day.refuelled:
            raise Refused("no-marks", "no unit is marked today", "R37")
        if not card.drives:
            raise Refused("no-engine", f"{card.name} needs no fuel", "R37")
        if card.id in self.freed:
            raise Refused("twice", f"{card.name} is named above already", "R37")
        self.freed.append(card.id)
        text = f"{card.name}: choice {len(self.freed)} if it is marked; {day.refuelled} units are freed"
        unit = self.situation.own.get(card.id)
        lost = Doubt("lost-mark", "it is out of supply: a mark on it is lost, and there is nothing to free", "R37")
        return Meaning(text, (lost,) if unit is not None and unit.unsupplied else ())

    def _commando(self, order: Commando) -> Meaning:
        card = self.game_data.cards[order.unit]
        if self.situation.side != GERMAN or not may_strike(self.game_data, self.known):
            raise Refused("no-commando", "the commando operation cannot be carried out today", "R41")
        if card.side != ALLIED or order.unit in (*self.situation.open.lost, *self.situation.open.gone):
            raise Refused("foreign", f"{card.name} is no Allied unit in the game", "R41")
        if self.struck:
            raise Refused("twice", "there is one commando operation", "R41")
        self.struck = True
        text = f"The commando operation keeps {card.name} from acting today, if it is on the map"
        return Meaning(text, tuple(self._misses(order.unit, "in-vain", "the operation is in vain", "R41")))

    def _on_map(self, unit: UnitId, rule: str) -> Unit:
        found = self.situation.own.get(unit)
        if found is None:
            raise Refused("not-there", f"{self.game_data.cards[unit].name} is not on the map", rule)
        return found
