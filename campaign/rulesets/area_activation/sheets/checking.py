"""What each line of a sheet will do, as far as its side knows, or what is wrong with it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from campaign.engine.orders.checking import Doubt, LineCheck, Meaning, Refused, check_lines
from campaign.engine.orders.order import Checked, Gauge, Order, Placed, Severity, Submission, in_order, verb_of
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.area_activation.day.morning import WEAK, may_be_marked, may_strike, needs_men
from campaign.rulesets.area_activation.day.moving import why_not
from campaign.rulesets.area_activation.day.questions import wished
from campaign.rulesets.area_activation.day.turns import active_spaces
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, Card, GameData, Kind, Points
from campaign.rulesets.area_activation.model.orders import (
    OF_DECISION,
    Activate,
    Arrive,
    AskMe,
    BreakThrough,
    Combat,
    Commando,
    Delegate,
    Exit,
    GoOn,
    Halt,
    KeepReserve,
    Lose,
    Mark,
    Move,
    Pass,
    Refuel,
    Replace,
    Retreat,
    Stand,
)
from campaign.rulesets.area_activation.model.state import MOST_IN_A_SPACE, Open, State, Unit, is_surprise
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.rules.arrival import arriving, entries_for, reserve_called
from campaign.rulesets.area_activation.rules.movement import described, is_first_day, no_breakthrough, path_in_words
from campaign.rulesets.area_activation.rules.situation import Situation, as_known
from campaign.rulesets.area_activation.sheets.forecast import Activation, activated, foreseen, in_words

Written = Submission[GameData, State]

MOVE_ARROW, STRATEGIC_ARROW = "move", "strategic"
"""Keys of the arrows that show lines on the map."""


def accepted(sheet: Written, check: Callable[[Written], Checked]) -> tuple[Placed, ...]:
    """The lines of a sheet that count: a line with an error is ignored."""
    wrong = {(each.desk, each.line) for each in check(sheet).problems if each.severity is Severity.ERROR}
    return tuple(placed for placed in sheet.lines if (placed.desk, placed.line) not in wrong)


def check_morning(sheet: Written) -> Checked:
    """R37 to R41 The answer to a sheet of the morning."""
    reading = _Morning(as_known(sheet.game_data, sheet.known, sheet.side), sheet.known)
    checked = check_lines(sheet.lines, reading.meanings())
    return in_order(checked.understood, checked.problems, reading.gauges())


def check_day(sheet: Written) -> Checked:
    """R46 to R49 The answer to a sheet of a day, or of the surprise turns."""
    reading = _Day(as_known(sheet.game_data, sheet.known, sheet.side), [placed.order for placed in sheet.lines])
    checked = check_lines(sheet.lines, reading.meanings())
    return in_order(checked.understood, checked.problems)


def check_reply(sheet: Written) -> Checked:
    """R48 The answer to a reply: only lines about what was asked count."""
    question = sheet.known.open.question
    situation = as_known(sheet.game_data, sheet.known, sheet.side)
    reading = _Day(situation, [*(placed.order for placed in sheet.lines), *sheet.known.own[sheet.side].plan])
    meanings = reading.meanings()
    if question is None or question.side != sheet.side:
        return Checked()
    fitting = OF_DECISION[question.about]

    def refuse(order: Order) -> str:
        verbs = list_of([verb_of(kind) for kind in fitting], last="or")
        message = f"you are asked about {question.about.value}, and {verb_of(type(order))} does not answer that"
        raise Refused("other-question", message, "R48", hint=f"Write {verbs}.")

    checked = check_lines(sheet.lines, {kind: meanings[kind] if kind in fitting else refuse for kind in _PLANS})
    return in_order(checked.understood, checked.problems)


# --- the morning -----------------------------------------------------------------------------------------------------


@dataclass
class _Morning:
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
        return self.situation.crowd.get(place, 0) + above < MOST_IN_A_SPACE

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
        return Meaning(f"{card.name} is marked as short of fuel", tuple(self._lost_mark(order.unit)))

    def _lost_mark(self, unit: UnitId) -> Iterator[Doubt]:
        """R37 Why a mark changes nothing, as far as the Allies see."""
        seen = next((enemy for enemy in self.situation.enemies if enemy.id == unit), None)
        if seen is None and self.game_data.cards[unit].due != self.situation.open.date:
            yield Doubt("lost-mark", "you see it nowhere: the mark is lost unless it is on the map by then", "R37")
        elif seen is not None and seen.unsupplied:
            yield Doubt("lost-mark", "it is out of supply and does not act anyway: the mark is lost", "R37")

    def _refuel(self, order: Refuel) -> str:
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
        return f"{card.name}: choice {len(self.freed)} if it is marked; {day.refuelled} units are freed"

    def _commando(self, order: Commando) -> str:
        card = self.game_data.cards[order.unit]
        if self.situation.side != GERMAN or not may_strike(self.game_data, self.known):
            raise Refused("no-commando", "the commando operation cannot be carried out today", "R41")
        if card.side != ALLIED or order.unit in (*self.situation.open.lost, *self.situation.open.gone):
            raise Refused("foreign", f"{card.name} is no Allied unit in the game", "R41")
        if self.struck:
            raise Refused("twice", "there is one commando operation", "R41")
        self.struck = True
        return f"The commando operation keeps {card.name} from acting today, if it is on the map"

    def _on_map(self, unit: UnitId, rule: str) -> Unit:
        found = self.situation.own.get(unit)
        if found is None:
            raise Refused("not-there", f"{self.game_data.cards[unit].name} is not on the map", rule)
        return found


# --- the day ---------------------------------------------------------------------------------------------------------


@dataclass
class _Day:
    """The lines of a day's sheet so far."""

    situation: Situation
    lines: Sequence[Order]

    def meanings(self) -> Mapping[type[Order], LineCheck]:
        return {
            Activate: self._activate,
            Move: self._move,
            Exit: self._exit,
            Pass: self._pass,
            GoOn: lambda _order: "You do not pass in this turn",
            Combat: lambda order: f"A combat in {self._name(order.at)} comes before those of lines further down",
            Lose: self._lose,
            Retreat: self._retreat,
            Stand: lambda order: f"Your units stay in {self._name(order.at)}, whatever it costs",
            BreakThrough: self._break_through,
            Halt: self._halt,
            AskMe: self._ask_me,
            Delegate: lambda order: f"Your lines decide about {order.about.value}, then the defaults",
        }

    def _name(self, place: PlaceId) -> str:
        return self.situation.space(place).name

    def _unit(self, unit: UnitId, rule: str) -> Unit:
        card = self.situation.game_data.cards[unit]
        if card.side != self.situation.side:
            raise Refused("foreign", f"{card.name} is not yours", rule)
        if unit not in self.situation.own:
            raise Refused("not-there", f"{card.name} is not on the map", rule)
        return self.situation.own[unit]

    @cached_property
    def _foreseen(self) -> Sequence[Activation]:
        """R46 What the lines lead to, as things stand."""
        known = [line for line in self.lines if self._counts(line)]
        return tuple(foreseen(self.situation, known))

    def _counts(self, line: Order) -> bool:
        """Whether the line is none that is refused for what it names."""
        if isinstance(line, Activate):
            return (line.when is None) == (line.holds is None)
        return not isinstance(line, Move | Exit) or line.unit in self.situation.own

    def _activate(self, order: Activate) -> Meaning:
        if not self._counts(order):
            raise Refused("condition", "a condition names a space and how it stands", "R49", hint=_CONDITION)
        comes = next((each for each in self._foreseen if each.line is order), None)
        doubts = list(self._no_turns())
        if order.at not in active_spaces(self.situation):
            doubts.append(Doubt("nobody", f"now you have no unit in {self._name(order.at)} that can act", "R10"))
        elif comes is None and not order.is_conditional and not doubts:
            doubts.append(self._too_late(order.at))
        after = f", from {order.after.value} on" if order.after else ""
        depends = f", if {self._name(order.when)} is {order.holds.value}" if order.when and order.holds else ""
        acts = f"Your units in {self._name(order.at)} act{after}{depends}"
        return Meaning(
            f"{acts}{self._combats(comes or activated(self.situation, order.at, self.lines))}", tuple(doubts)
        )

    @cached_property
    def _end(self) -> Situation:
        """The position when the last of these spaces has acted."""
        return self._foreseen[-1].rested if self._foreseen else self.situation

    def _too_late(self, place: PlaceId) -> Doubt:
        """R7, R10, R48 Why a space does not act by a line: its units have acted before, or the turns are over."""
        if place not in active_spaces(self._end):
            return Doubt("nobody", f"your units in {self._name(place)} have acted by then", "R10")
        if self._open.question is not None:
            return Doubt("no-turn", "an answer counts in this turn alone, and another space acts in it", "R48")
        return Doubt("no-turn", "your turns are over by then", "R7")

    def _combats(self, activation: Activation) -> str:
        return "".join(f". {in_words(self.situation, fight)}" for fight in activation.fights)

    def _move(self, order: Move) -> Meaning:
        unit = self._unit(order.unit, "R15")
        how = "makes a strategic move" if order.strategic else "goes"
        said = self._in_turn(order, unit, f"{how} to {path_in_words(self.situation, order.path)}")
        return replace(said, path=(unit.at, *order.path), arrow=STRATEGIC_ARROW if order.strategic else MOVE_ARROW)

    def _exit(self, order: Exit) -> Meaning:
        unit = self._unit(order.unit, "R24")
        return self._in_turn(order, unit, f"leaves the map for {unit.strength} points")

    def _in_turn(self, order: Move | Exit, unit: Unit, acts: str) -> Meaning:
        """What a unit does when its space acts, after the lines further up; said with a doubt if it cannot."""
        obstacle = why_not(self.situation, order)
        if obstacle is not None and not obstacle.passing:
            raise Refused("no-way", described(self.situation, obstacle), obstacle.rule)
        text = f"{self.situation.card(unit).name} {acts}"
        doubts = tuple(self._no_turns())
        if doubts:
            return Meaning(text, doubts)
        comes = next((each for each in self._foreseen if unit.id in each.units), None)
        obstacle = comes.obstacle(order) if comes else why_not(self._end, order)
        if obstacle is not None:
            why = f"as things stand it cannot: {described(self.situation, obstacle)}"
            return Meaning(text, (Doubt("not-now", why, obstacle.rule),))
        if comes is None:
            return Meaning(text, (self._too_late(unit.at),))
        if comes.follows(order):
            return Meaning(f"{text}{self._by_default(comes, order)}")
        return Meaning(f"{text}, if it cannot follow a line further up")

    def _by_default(self, activation: Activation, order: Move | Exit) -> str:
        """R49.1 That a space acts without an `ACTIVATE` line: said once, with the odds, at the first of its moves."""
        if activation.line is not None or activation.moves[0] is not order:
            return ""
        return f". {self._name(activation.place)} acts by default, after your ACTIVATE lines{self._combats(activation)}"

    def _pass(self, order: Pass) -> Meaning:
        doubts = (Doubt("not-now", "nobody passes in the surprise turns", "R4"),) if is_surprise(self._open) else ()
        if order.after is not None:
            return Meaning(f"From {order.after.value} on you pass whenever you may", doubts)
        return Meaning("When this line's turn has come you pass, if you may", doubts)

    @property
    def _open(self) -> Open:
        return self.situation.open

    def _no_turns(self) -> Iterator[Doubt]:
        if is_surprise(self._open) and self.situation.side == ALLIED:
            yield Doubt("not-now", "the Allies take no turn before the first day", "R4")

    def _lose(self, order: Lose) -> str:
        unit = self._unit(order.unit, "R31")
        return f"{self.situation.card(unit).name} takes a hit before the units of lines further down"

    def _retreat(self, order: Retreat) -> Meaning:
        near = self.situation.game_data.board.adjoining[order.at]
        strange = [place for place in order.to if place not in near]
        if strange:
            raise Refused("far", f"{self._name(strange[0])} does not adjoin {self._name(order.at)}", "R32")
        enough = f" if they would take {order.hits} hits or more" if order.hits else ""
        to = f" to {list_of([self._name(place) for place in order.to], last='or')}" if order.to else ""
        return Meaning(f"Your units in {self._name(order.at)} retreat{to}{enough}", ())

    def _break_through(self, order: BreakThrough) -> Meaning:
        unit = self._unit(order.unit, "R33")
        if self.situation.card(unit).kind is not Kind.ARMOR:
            raise Refused("no-armor", "only armor breaks through", "R33")
        obstacle = no_breakthrough(self.situation, unit, order.to)
        is_there = self.situation.open.fight is not None and unit.at == self.situation.open.fight.at
        if is_there and obstacle is not None:
            raise Refused("no-way", described(self.situation, obstacle), obstacle.rule)
        first = Doubt("not-now", "nobody breaks through on the first day", "R12")
        doubts = (first,) if is_first_day(self.situation) else ()
        return Meaning(
            f"{self.situation.card(unit).name} breaks through to {self._name(order.to)} after a victory", doubts
        )

    def _halt(self, order: Halt) -> str:
        unit = self._unit(order.unit, "R33")
        return f"{self.situation.card(unit).name} makes no breakthrough"

    def _ask_me(self, order: AskMe) -> str:
        if order.about not in wished(self.lines):
            raise Refused("withdrawn", "a line further down delegates this again", "R47")
        return f"You are asked about {order.about.value}; everybody will know that you are"


_CONDITION = "Write: when Bastogne is ours|theirs|contested."
_PLANS = tuple(kind for kinds in OF_DECISION.values() for kind in kinds)
