"""R46 to R49 The lines of a day's sheet: what each will do, as far as its side knows, or what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from campaign.engine.orders.checking import Doubt, LineCheck, Meaning, Refused
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.rulesets.area_activation.day.moving import why_not
from campaign.rulesets.area_activation.day.questions import wished
from campaign.rulesets.area_activation.day.turns import active_spaces, may_pass
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, Kind
from campaign.rulesets.area_activation.model.orders import (
    LAST_TURN,
    TIMES,
    Activate,
    AskMe,
    BreakThrough,
    Combat,
    Decision,
    Delegate,
    Exit,
    GoOn,
    Halt,
    Lose,
    Move,
    Pass,
    Retreat,
    Stand,
    Time,
)
from campaign.rulesets.area_activation.model.state import Open, Unit, is_surprise
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.rules.movement import described, is_first_day, path_in_words
from campaign.rulesets.area_activation.rules.situation import Situation
from campaign.rulesets.area_activation.sheets.forecast import Activation, Outlook, activated, foreseen, in_words

MOVE_ARROW, STRATEGIC_ARROW = "move", "strategic"
"""Keys of the arrows that show lines on the map."""


@dataclass
class DayLines:
    """The lines of a day's sheet so far."""

    situation: Situation
    lines: Sequence[Order]
    sheet: Sequence[Order] = ()
    """Those of them that an answer finds in the sheet."""

    def meanings(self) -> Mapping[type[Order], LineCheck]:
        return {
            Activate: self._activate,
            Move: self._move,
            Exit: self._exit,
            Pass: self._pass,
            GoOn: self._go_on,
            Combat: self._combat,
            Lose: self._lose,
            Retreat: self._retreat,
            Stand: self._stand,
            BreakThrough: self._break_through,
            Halt: self._halt,
            AskMe: self._ask_me,
            Delegate: lambda order: f"Your lines decide about {order.about.value}, then the defaults",
        }

    def by_default(self) -> Iterator[str]:
        """R9, R49.1 That spaces act, as things stand, of which no line says so."""
        for each in self._foreseen.activations:
            by_sheet = any(move is line for move in each.moves[:1] for line in self.sheet)
            if each.line is None and (by_sheet or not each.moves):
                acts = f"{self._name(each.place)} acts by default in {self._turn}"
                moves = ", with the moves of your sheet" if by_sheet else ""
                yield f"As things stand {acts}{moves}{self._combats(each)}"

    @property
    def _turn(self) -> str:
        """R9, R48 The turn in which a space may act by default, in words."""
        if self._open.question is not None:
            return "this turn"
        turn = "a surprise turn" if is_surprise(self._open) else "your first turn"
        answers = ", unless you answer otherwise" if Decision.ACTIVATIONS in wished(self.lines) else ""
        return f"{turn}, in which you may not pass{answers}"

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
    def _foreseen(self) -> Outlook:
        """R46 What the lines lead to, as things stand."""
        return foreseen(self.situation, [line for line in self.lines if self._counts(line)])

    def _counts(self, line: Order) -> bool:
        """Whether the line is none that is refused for what it names."""
        if isinstance(line, Activate):
            return (line.when is None) == (line.holds is None)
        return not isinstance(line, Move | Exit) or line.unit in self.situation.own

    def _activate(self, order: Activate) -> Meaning:
        if not self._counts(order):
            raise Refused("condition", "a condition names a space and how it stands", "R49", hint=_CONDITION)
        comes = next((each for each in self._foreseen.activations if each.line is order), None)
        doubts = list(self._not_decided(Decision.ACTIVATIONS))
        if comes is None and not doubts and self._is_spare(order):
            return Meaning(f"Your units in {self._name(order.at)} act only if a line above is not possible")
        if order.at not in active_spaces(self.situation):
            doubts.append(Doubt("nobody", f"now you have no unit in {self._name(order.at)} that can act", "R10"))
        elif comes is None and not doubts:
            doubts.extend(self._not_used(order))
        after = f", from {order.after.value} on" if order.after else ""
        depends = f", if {self._name(order.when)} is {order.holds.value}" if order.when and order.holds else ""
        acts = f"Your units in {self._name(order.at)} act{after}{depends}"
        return Meaning(
            f"{acts}{self._combats(comes or activated(self.situation, order.at, self.lines))}", tuple(doubts)
        )

    def _is_spare(self, order: Activate) -> bool:
        """R46 Whether a line of a sheet waits for nothing but a turn, of which those above leave none."""
        turns_are_over = self._open.question is None and not self._foreseen.passes
        return turns_are_over and not order.is_conditional and order.at in active_spaces(self._foreseen.end)

    def _not_used(self, order: Activate) -> Iterator[Doubt]:
        """R49.1 Why a space does not act by its line: of a line with a condition only what no event can change."""
        never = tuple(self._never(order.after))
        before = next((each for each in self._foreseen.activations if each.place == order.at), None)
        if never:
            yield from never
        elif order.is_conditional and before is not None and order.at not in active_spaces(self._foreseen.end):
            how = "" if before.line else ", by default"
            yield Doubt(
                "too-soon", f"as things stand your units in {self._name(order.at)} act before that{how}", "R49.1"
            )
        elif order.when is None or self._open.question is not None:
            yield self._too_late(order.at)

    def _never(self, after: Time | None) -> Iterator[Doubt]:
        """R4, R7 That a time does not come in the turns for which a line is written."""
        last = TIMES[0 if is_surprise(self._open) else LAST_TURN - (self.situation.side == self._open.initiative)]
        if after is None or after.value <= last.value:
            return
        if is_surprise(self._open):
            yield Doubt("no-time", "in the surprise turns it is 0530", "R4")
        else:
            yield Doubt("no-time", f"your last turn is at {last.value}", "R7")

    def _too_late(self, place: PlaceId) -> Doubt:
        """R7, R8, R10, R48 Why a space does not act by a line: its units have acted before, or the turns are over."""
        if place not in active_spaces(self._foreseen.end):
            return Doubt("nobody", f"your units in {self._name(place)} have acted by then", "R10")
        if self._open.question is not None and self._foreseen.passes:
            return Doubt("no-turn", "you pass in this turn", "R48")
        if self._open.question is not None:
            return Doubt("no-turn", "an answer counts in this turn alone, and another space acts in it", "R48")
        if self._foreseen.passes:
            return Doubt("day-ends", "you pass before that, and the day ends if the enemy passes too", "R8")
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
        doubts = tuple(self._not_decided(Decision.ACTIVATIONS))
        if doubts:
            return Meaning(text, doubts)
        comes = next((each for each in self._foreseen.activations if unit.id in each.units), None)
        obstacle = comes.obstacle(order) if comes else why_not(self._foreseen.end, order)
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
        waits = any(isinstance(line, Activate) and line.at == activation.place for line in self.lines)
        when = "before its ACTIVATE line counts" if waits else "after your ACTIVATE lines"
        return f". {self._name(activation.place)} acts by default, {when}{self._combats(activation)}"

    def _pass(self, order: Pass) -> Meaning:
        if self._open.question is not None and active_spaces(self.situation) and not may_pass(self._open):
            raise Refused("no-pass", "you may not pass in this turn", "R9", hint="Activate one of your spaces.")
        doubts = tuple(self._not_decided(Decision.PASSES)) or tuple(self._never(order.after))
        if order.after is not None:
            return Meaning(f"From {order.after.value} on you pass whenever you may", doubts)
        return Meaning("When this line's turn has come you pass, if you may", doubts)

    @property
    def _open(self) -> Open:
        return self.situation.open

    def _not_decided(self, about: Decision) -> Iterator[Doubt]:
        """R4, R12 That the side has nothing of a kind to decide in the turns for which a sheet is written."""
        if about is Decision.BREAKTHROUGHS and is_first_day(self.situation):
            yield Doubt("not-now", "nobody breaks through on the first day", "R12")
        if not is_surprise(self._open):
            return
        if about is Decision.PASSES:
            yield Doubt("not-now", "nobody passes in the surprise turns", "R4")
        if about in (Decision.ACTIVATIONS, Decision.COMBATS) and self.situation.side == ALLIED:
            yield Doubt("not-now", "the Allies take no turn before the first day", "R4")
        if about is Decision.RETREATS and self.situation.side == GERMAN:
            yield Doubt("not-now", "the Germans are not attacked before the first day", "R4")

    def _go_on(self, _order: GoOn) -> Meaning:
        return Meaning("You do not pass in this turn")

    def _combat(self, order: Combat) -> Meaning:
        text = f"A combat in {self._name(order.at)} comes before those of lines further down"
        return Meaning(text, tuple(self._not_decided(Decision.COMBATS)))

    def _lose(self, order: Lose) -> Meaning:
        unit = self._unit(order.unit, "R31")
        return Meaning(f"{self.situation.card(unit).name} takes a hit before the units of lines further down")

    def _stand(self, order: Stand) -> Meaning:
        text = f"Your units stay in {self._name(order.at)}, whatever it costs"
        return Meaning(text, tuple(self._not_decided(Decision.RETREATS)))

    def _retreat(self, order: Retreat) -> Meaning:
        near = self.situation.game_data.board.adjoining[order.at]
        strange = [place for place in order.to if place not in near]
        if strange:
            raise Refused("far", f"{self._name(strange[0])} does not adjoin {self._name(order.at)}", "R32")
        enough = f" if they would take {order.hits} hits or more" if order.hits else ""
        to = f" to {list_of([self._name(place) for place in order.to], last='or')}" if order.to else ""
        text = f"Your units in {self._name(order.at)} retreat{to}{enough}"
        return Meaning(text, tuple(self._not_decided(Decision.RETREATS)))

    def _break_through(self, order: BreakThrough) -> Meaning:
        unit = self._unit(order.unit, "R33")
        if self.situation.card(unit).kind is not Kind.ARMOR:
            raise Refused("no-armor", "only armor breaks through", "R33")
        text = f"{self.situation.card(unit).name} breaks through to {self._name(order.to)} after a victory"
        return Meaning(text, tuple(self._not_decided(Decision.BREAKTHROUGHS)))

    def _halt(self, order: Halt) -> Meaning:
        unit = self._unit(order.unit, "R33")
        return Meaning(f"{self.situation.card(unit).name} makes no breakthrough")

    def _ask_me(self, order: AskMe) -> Meaning:
        if order.about not in wished(self.lines):
            raise Refused("withdrawn", "a line further down delegates this again", "R47")
        text = f"You are asked about {order.about.value}; everybody will know that you are"
        return Meaning(text, tuple(self._not_decided(order.about)))


_CONDITION = "Write: when Bastogne is ours|theirs|contested."
