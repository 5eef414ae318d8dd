"""R48 The lines of an answer: what each decides in the turn or the combat that its side is asked about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import replace as altered
from functools import cached_property, partial
from itertools import takewhile

from campaign.engine.orders.checking import Doubt, LineCheck, Meaning, Refused
from campaign.engine.orders.order import Order
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import replace as changed
from campaign.rulesets.area_activation.day.fighting import breakthrough_of, line_about
from campaign.rulesets.area_activation.day.turns import active_spaces, chosen, clock, is_met, may_pass
from campaign.rulesets.area_activation.model.orders import BreakThrough, Combat, GoOn, Halt, Lose, Pass, Retreat, Stand
from campaign.rulesets.area_activation.model.state import Fight
from campaign.rulesets.area_activation.model.words import counted, list_of
from campaign.rulesets.area_activation.rules.combat import ways_to_retreat
from campaign.rulesets.area_activation.rules.movement import described, no_breakthrough
from campaign.rulesets.area_activation.rules.situation import Situation
from campaign.rulesets.area_activation.sheets.day_lines import DayLines


def stray(situation: Situation, order: Order) -> str:
    """Why a line is about another combat than the open one, or none of those that are due; empty if it is not."""
    fight, fights = situation.open.fight, situation.open.fights
    if isinstance(order, Combat) and order.at not in fights:
        return f"combats are due in {list_of([situation.space(place).name for place in fights])}"
    if fight is None:
        return ""
    if isinstance(order, Retreat | Stand) and order.at != fight.at:
        return f"you are asked about {situation.space(fight.at).name}"
    fighters = [fighter.unit for fighter in fight.of(situation.side)]
    if isinstance(order, Lose | BreakThrough | Halt) and order.unit not in fighters:
        name = situation.game_data.cards[order.unit].name
        return f"{name} is not in the combat in {situation.space(fight.at).name}"
    return ""


@dataclass
class ReplyLines(DayLines):
    """The lines of an answer, and after them those of the sheet."""

    def meanings(self) -> Mapping[type[Order], LineCheck]:
        return {kind: partial(self._about_the_question, check) for kind, check in super().meanings().items()}

    def _about_the_question(self, check: LineCheck, order: Order) -> str | Meaning:
        said = check(order)
        if why := stray(self.situation, order):
            raise Refused("other-combat", why, "R48")
        return said

    def _counts(self, line: Order) -> bool:
        if isinstance(line, Retreat):
            return set(line.to) <= set(self.situation.game_data.board.neighbours(line.at))
        return super()._counts(line)

    @property
    def _fight(self) -> Fight:
        assert self._open.fight is not None
        return self._open.fight

    @property
    def _counting(self) -> list[Order]:
        return [line for line in self.lines if self._counts(line)]

    # --- turns -------------------------------------------------------------------------------------------------------

    def _pass(self, order: Pass) -> Meaning:
        return altered(super()._pass(order), text="You pass in this turn", doubts=tuple(self._no_pass(order)))

    def _no_pass(self, order: Pass) -> Iterator[Doubt]:
        now = clock(self._open)
        if not is_met(self.situation, order, now):
            yield Doubt("no-time", f"it is {now.value}, and an answer counts in this turn alone", "R48")
        elif chosen(self.situation, self._counting, allowed=may_pass(self._open)) not in (order, None):
            yield Doubt("no-turn", "another line decides about this turn", "R49.1")

    def _go_on(self, order: GoOn) -> Meaning:
        none = Doubt("nobody", "none of your units can act: you pass", "R9")
        return altered(super()._go_on(order), doubts=() if active_spaces(self.situation) else (none,))

    # --- combat ------------------------------------------------------------------------------------------------------

    @cached_property
    def _ways(self) -> tuple[PlaceId, ...]:
        """R32 Where the units may retreat to."""
        return ways_to_retreat(self.situation, self._fight.at)

    def _retreat(self, order: Retreat) -> Meaning:
        if self._ways or order.at != self._fight.at:
            return altered(super()._retreat(order), doubts=(*self._closed(order), *self._second(order)))
        why = "they must stand: no space to which they could retreat has room"
        return altered(super()._retreat(order), doubts=(Doubt("no-way", why, "R32"),))

    def _closed(self, order: Retreat) -> Iterator[Doubt]:
        """R32 Of the spaces that a line names: those that are no way to retreat, and whether the others have room."""
        open_ = [place for place in order.to if place in self._ways]
        closed = [self._name(place) for place in order.to if place not in open_]
        if closed:
            why = "retreats lead to spaces that your side controls, without enemies and with room"
            instead = "" if open_ else "; they retreat elsewhere"
            yield Doubt("no-way", f"not to {list_of(closed, last='or')}: {why}{instead}", "R32")
        room = sum(self.situation.room_in(place) for place in open_)
        if open_ and room < len(self.situation.own_in(order.at)):
            why = f"there is room for {counted(room, 'unit')}: if more are left, the others go elsewhere"
            yield Doubt("room", why, "R32")

    def _stand(self, order: Stand) -> Meaning:
        return altered(super()._stand(order), doubts=tuple(self._second(order)))

    def _second(self, order: Retreat | Stand) -> Iterator[Doubt]:
        """R49.5 Why another line decides about the combat."""
        if isinstance(order, Retreat) and order.hits > self._fight.on_defender:
            yield Doubt("few-hits", f"they take {counted(self._fight.on_defender, 'hit')}", "R49.5")
        elif self._ways and line_about(self._fight, self._counting) is not order:
            yield Doubt("no-turn", "a line above decides", "R49.5")

    def _break_through(self, order: BreakThrough) -> Meaning:
        said, unit = super()._break_through(order), self.situation.own[order.unit]
        obstacle = no_breakthrough(self.situation, unit, order.to)
        if obstacle is not None and not stray(self.situation, order):
            raise Refused("no-way", described(self.situation, obstacle), obstacle.rule)
        why = self._no_breakthrough(order, self._before.get(order.unit, self.situation))
        return altered(said, doubts=(Doubt("no-turn", why, "R49.6"),)) if why else said

    def _no_breakthrough(self, order: BreakThrough, now: Situation) -> str:
        """R49.6 Why a unit does not follow a line when its turn has come; empty: it does."""
        unit, above = now.own[order.unit], list(takewhile(lambda line: line is not order, self.lines))
        halts = any(isinstance(line, Halt) and line.unit == unit.id for line in above)
        if halts or breakthrough_of(now, unit, above)[0] is not None:
            return "a line above decides"
        obstacle = breakthrough_of(now, unit, [order])[1]
        return f"by then it cannot: {described(now, obstacle)}" if obstacle else ""

    @cached_property
    def _before(self) -> Mapping[UnitId, Situation]:
        """R33 The position in which each unit of the combat goes on, one unit after the other."""
        now, found = self.situation, dict[UnitId, Situation]()
        for fighter in self._fight.attackers:
            found[fighter.unit] = now
            unit = now.own.get(fighter.unit)
            if unit is not None and (line := breakthrough_of(now, unit, self.lines)[0]):
                river = bool(now.game_data.borders[unit.at, line.to].river)
                crossed = (*now.crossed, (unit.at, line.to)) if river else now.crossed
                now = altered(now, own={**now.own, unit.id: changed(unit, at=line.to)}, crossed=crossed)
        return found
