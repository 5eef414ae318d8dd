"""R3.5 The air sheet: a side's allocation and missions, checked by what it knows.

Purchases and artillery on the same sheet are checked elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from campaign.engine.orders.checking import TO_ALL, TO_HQ, Doubt, LineCheck, Meaning, Refused, check_lines, notice
from campaign.engine.orders.order import Checked, Gauge, Problem, Submission
from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.air.airdrop import PAIR, dropped_to
from campaign.rulesets.forum_campaign.air.paratroops import check_jump, due_today
from campaign.rulesets.forum_campaign.model.game_data import PEOPLE, Box, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Air, Airdrop, Interdict, Paradrop, Remove
from campaign.rulesets.forum_campaign.model.state import Jump, Missions, State, Target
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, plural
from campaign.rulesets.forum_campaign.model.zoc import seen_hexes

_PAIRED = (Box.SUPERIORITY, Box.DROP)
"""R3.6 Boxes in which units count in pairs."""


@dataclass(frozen=True)
class AirPlan:
    """The lines of an air sheet that count, and the answer to all of them."""

    boxes: dict[Box, int]
    missions: Missions
    checked: Checked


def check_air(sheet: Submission[GameData, State]) -> AirPlan:
    """R3.5 Check an air sheet: first the allocation, wherever its lines are, as missions use its boxes."""
    plan = _Planning(sheet.game_data, sheet.known, sheet.side)
    allocation = [placed for placed in sheet.lines if isinstance(placed.order, Air)]
    missions = [placed for placed in sheet.lines if not isinstance(placed.order, Air)]
    checked = check_lines([*allocation, *missions], plan.checks()).and_also(plan.notices())
    return AirPlan(plan.boxes, plan.missions(), replace(checked, gauges=plan.gauges()))


@dataclass
class _Planning:
    """The sheet so far, line by line."""

    game_data: GameData
    known: State
    side: SideId
    allocated: bool = False
    """Whether an AIR line counts."""
    boxes: dict[Box, int] = field(default_factory=dict)
    priorities: list[Box] = field(default_factory=list)
    drops: list[UnitId] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    jump: Jump | None = None

    def checks(self) -> dict[type, LineCheck]:
        return {
            Air: self.allocate,
            Remove: self.prefer,
            Interdict: self.interdict,
            Airdrop: self.drop,
            Paradrop: self.paradrop,
        }

    def missions(self) -> Missions:
        return Missions(tuple(self.priorities), tuple(self.drops), tuple(self.targets), self.jump)

    @property
    def available(self) -> int:
        day = self.known.open.air.get(self.side)
        return day.available if day else 0

    # R3.5 the allocation

    def allocate(self, order: Air) -> Meaning:
        """R3.1-R3.5 One AIR line counts, as a whole or not at all."""
        wanted = {box: units for box, units in in_boxes(order).items() if units}
        if self.allocated:
            raise Refused(
                "twice", "a line above already assigns the air units", "R3.5", hint="Keep one of the two lines."
            )
        for box in wanted:
            self._refuse_box(box)
        if sum(wanted.values()) > self.available:
            message = f"this line sends out {sum(wanted.values())} air units, and only {self.available} can fly today"
            raise Refused("too-many", f"{message}; the whole line is ignored", "R3.1")
        self.allocated, self.boxes = True, wanted
        sent = ", ".join(f"{BOX_NAMES[box]} {units}" for box, units in wanted.items())
        return Meaning(f"Air units: {sent or 'none'}", tuple(_odd(box) for box in _PAIRED if wanted.get(box, 0) % PAIR))

    def _refuse_box(self, box: Box) -> None:
        if box not in boxes_of(self.game_data, self.side):
            message = f"{PEOPLE[self.side]} have no box for {BOX_NAMES[box]}"
            raise Refused("no-box", f"{message}; the whole line is ignored", "R3.3")
        weather = self.known.open.weather
        if weather is None or box not in self.game_data.charts.air.missions[weather.condition][self.side]:
            condition = weather.condition.value if weather else "this"
            message = f"{BOX_NAMES[box]} is not possible in {condition} weather; the whole line is ignored"
            raise Refused("barred", message, "R3.4")

    # R3.7 removals

    def prefer(self, order: Remove) -> str:
        """R3 G3 The enemy's boxes in the order in which removals hit them."""
        if order.box not in boxes_of(self.game_data, enemy_of(self.side)):
            message = f"the enemy has no box for {BOX_NAMES[order.box]}"
            raise Refused("no-box", message, "R3.3")
        if order.box in self.priorities:
            raise Refused("twice", "a line above already names this box", "R3.7", hint="Keep one of the two lines.")
        self.priorities.append(order.box)
        rank = "first" if len(self.priorities) == 1 else "next"
        return f"If you win in the air, enemy air units are removed {rank} from {BOX_NAMES[order.box]}"

    # R3.9 interdiction

    def interdict(self, order: Interdict) -> str:
        """R3.9 Air units on a hex in which the Allies saw a German ground unit this morning."""
        self._refuse_foreign_box(Box.INTERDICTION, "R3.9")
        name, left = self.game_data.place_name(order.at), self._interdiction_left()
        if order.air_units < 1:
            raise Refused(
                "number",
                "interdiction takes at least one air unit",
                "R3.9",
                hint="Write a number from 1 up, or leave the line out.",
            )
        if order.at not in seen_hexes(self.known.own[self.side].sightings):
            raise Refused("unseen", f"you see no enemy unit at {name}", "R3.9")
        if any(target.at == order.at for target in self.targets):
            raise Refused("twice", f"a line above already interdicts {name}", "R3.9", hint="Keep one of the two lines.")
        if order.air_units > left:
            message = f"interdiction has {left} air {plural('unit', left)} left, not {order.air_units}"
            raise Refused("too-many", message, "R3.9", hint="The AIR line says how many there are.")
        self.targets.append(Target(order.at, order.air_units))
        return f"{order.air_units} air {plural('unit', order.air_units)} against the enemy at {name}"

    def _interdiction_left(self) -> int:
        return self.boxes.get(Box.INTERDICTION, 0) - sum(target.air_units for target in self.targets)

    def _refuse_foreign_box(self, box: Box, rule: str) -> None:
        if box not in boxes_of(self.game_data, self.side):
            raise Refused("no-box", f"{PEOPLE[self.side]} have no box for {BOX_NAMES[box]}", rule)

    # R3.8, R11.8 drops

    def drop(self, order: Airdrop) -> str:
        """R3.8 Supply at the start of the German portion."""
        self._refuse_foreign_box(Box.DROP, "R3.8")
        pairs = self.boxes.get(Box.DROP, 0) // PAIR
        unit = dropped_to(self.known, self.side, order, self.drops, pairs=pairs)
        self.drops.append(unit.id)
        return f"{unit.label} is supplied from the air in the morning"

    def paradrop(self, order: Paradrop) -> str:
        """R11.8 One jump."""
        if self.jump is not None:
            raise Refused(
                "twice", "the paratroops already jump in a line above", "R11.8", hint="Keep one of the two lines."
            )
        self.jump = check_jump(self.game_data, self.known, self.side, order)
        return f"{self.known.own[self.side].units[order.unit].label} jumps over {self.game_data.place_name(order.at)}"

    # what is used, and what is missing

    def gauges(self) -> tuple[Gauge, ...]:
        return (Gauge("Air units", sum(self.boxes.values()), self.available),) if self.available else ()

    def notices(self) -> Iterator[Problem]:
        """What was left out. HQ gets these notices, even if a desk has the units."""
        idle = self.available - sum(self.boxes.values())
        if idle:
            message = f"air units without a mission: {idle} of {self.available}; they are lost today"
            yield notice(TO_HQ, "idle-air", message, "R3.2")
        if self._interdiction_left():
            message = f"{self._interdiction_left()} air {plural('unit', self._interdiction_left())} for interdiction"
            yield notice(
                TO_HQ,
                "no-target",
                f"{message} without a target",
                "R3.9",
                hint="Write INTERDICT with a hex and a number.",
            )
        if self.jump is None:
            for unit in due_today(self.known, self.side):
                message = f"{unit.label} can jump today only"
                yield notice(
                    TO_HQ, "jump", message, "R11.8", hint=f"Write PARADROP {unit.label} and a hex of the drop zone."
                )


def _odd(box: Box) -> Doubt:
    return Doubt("odd", f"{BOX_NAMES[box]} counts air units in pairs; the odd one has no effect", "R3.6")


def in_boxes(order: Air) -> dict[Box, int]:
    """The units that an AIR line sends into each box."""
    return {
        Box.SUPERIORITY: order.superiority,
        Box.CAS: order.cas,
        Box.INTERDICTION: order.interdiction,
        Box.DROP: order.drop,
    }


def boxes_of(game_data: GameData, side: SideId) -> tuple[Box, ...]:
    """R3.3 The boxes that a side has in any weather."""
    by_side = [missions[side] for missions in game_data.charts.air.missions.values()]
    return tuple(box for box in Box if any(box in boxes for boxes in by_side))


# --- removals in a phase of their own --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Removals:
    """The boxes that lose an enemy air unit each, and the answer to the lines."""

    boxes: tuple[Box, ...]
    checked: Checked


def read_removals(sheet: Submission[GameData, State]) -> Removals:
    """R3.7 Both charts are open: each REMOVE line takes one enemy air unit out of a box."""
    boxes: list[Box] = []
    day, most = sheet.known.open.air.get(enemy_of(sheet.side)), sheet.known.open.removals

    def check(order: Remove) -> str:
        if len(boxes) >= most:
            message = f"only {most} air {plural('unit', most)} can be removed, and the lines above do that"
            raise Refused("too-many", message, "R3.7")
        if (day.boxes.get(order.box, 0) if day else 0) <= boxes.count(order.box):
            raise Refused("empty", f"no enemy air unit is left in {BOX_NAMES[order.box]}", "R3.7")
        boxes.append(order.box)
        return f"An enemy air unit is removed from {BOX_NAMES[order.box]}"

    checked = check_lines(sheet.lines, {Remove: check})
    return Removals(tuple(boxes), checked)


def check_removals(sheet: Submission[GameData, State]) -> Checked:
    """R3.7 The answer to a sheet of the removals' own phase."""
    removals = read_removals(sheet)
    open_ = sheet.known.open.removals - len(removals.boxes)
    if not open_ or sheet.known.open.air_winner != sheet.side:
        return removals.checked
    message = f"you can remove {open_} more; without a line here, the REMOVE lines of your air sheet decide"
    return removals.checked.and_also([notice(TO_ALL, "more", message, "R3.7")])
