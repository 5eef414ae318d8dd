"""Plans of a day: for each space the activation that promises most, as its side sees the position."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from campaign.engine.orders.order import Order
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.rulesets.area_activation.bots.ground import ground
from campaign.rulesets.area_activation.bots.styles import Style
from campaign.rulesets.area_activation.model.game_data import GERMAN, Kind, Victory, enemy_of
from campaign.rulesets.area_activation.model.orders import LAST_TURN, Activate, BreakThrough, Exit, Move, Retreat
from campaign.rulesets.area_activation.model.state import MOST_IN_A_SPACE, Fight, Unit, is_surprise
from campaign.rulesets.area_activation.rules.combat import may_act
from campaign.rulesets.area_activation.rules.movement import no_breakthrough, no_exit, ways
from campaign.rulesets.area_activation.rules.odds import odds
from campaign.rulesets.area_activation.rules.situation import Situation
from campaign.rulesets.area_activation.rules.supply import supplied_spaces
from campaign.rulesets.area_activation.sheets.forecast import activated

_ENDURANCE, _ATTACHMENT = 0.7, 0.15
"""R32 The part of their strength for which units stand, and what each point of a space adds to it. They retreat from
hits that cost more.
"""
_MOST_TARGETS = 7
"""Of a space: the best ones are weighed with their odds."""


@dataclass(frozen=True)
class Plan:
    """An activation with its moves, and what it promises."""

    place: PlaceId
    worth: float
    lines: tuple[Order, ...]

    @property
    def moves(self) -> list[Move]:
        return [line for line in self.lines if isinstance(line, Move)]


class Planner:
    """A side's plans in a position."""

    def __init__(self, situation: Situation, style: Style) -> None:
        self.situation, self.style = situation, style
        self.ground = ground(situation)
        self.crowd = Counter(situation.crowd)
        self.strength: Counter[PlaceId] = Counter()
        for unit in situation.own.values():
            self.strength[unit.at] += 0 if unit.stuck else unit.strength
        self.supplied = supplied_spaces(situation.game_data, situation.open, enemy_of(situation.side))
        self.reach: dict[PlaceId, dict[str, dict[PlaceId, Move]]] = {}

    def day(self) -> list[Order]:
        """The lines of a day: the activations that promise most, each in the light of those before it."""
        lines: list[Order] = []
        for plan in self._chosen():
            lines += [Activate(plan.place), *plan.lines]
        return [*lines, *self._reactions()]

    def _chosen(self) -> Iterator[Plan]:
        spaces = dict.fromkeys(unit.at for unit in self.situation.own.values() if may_act(unit))
        plans = [plan for place in spaces for plan in self._best(place)]
        for _ in range(LAST_TURN):
            now: list[Plan] = []
            while plans:
                plans.sort(key=lambda plan: plan.worth)
                best = plans.pop()
                now = list(self._best(best.place))
                if not now or now[0].worth >= (plans[-1].worth if plans else 0):
                    break
                plans += now
            else:
                return
            for plan in now:
                yield plan
                self._carry_out(plan)

    def _carry_out(self, plan: Plan) -> None:
        """Count the units where they will be."""
        for move in plan.moves:
            strength = self.situation.own[move.unit].strength
            for place, sign in ((plan.place, -1), (move.path[-1], 1)):
                self.crowd[place] += sign
                self.strength[place] += sign * strength

    def _best(self, place: PlaceId) -> Iterator[Plan]:
        """The most promising plan of a space, if it promises enough."""
        plans = list(self._of(place))
        if not plans:
            return
        best = self._with_others(max(plans, key=lambda plan: plan.worth))
        if best.worth >= self.style.boldness:
            yield best

    def _with_others(self, plan: Plan) -> Plan:
        """The same with moves of units that would stay, each to where it adds most."""
        for unit, reach in self.reach[plan.place].items():
            if plan.moves and unit not in {move.unit for move in plan.moves}:
                free = [to for to in reach if self._has_room(to, plan)]
                more = [self._plan(plan.place, (*plan.moves, reach[to])) for to in sorted(free, key=self.promise)[-3:]]
                plan = max([plan, *more], key=lambda each: each.worth)
        return plan

    def _has_room(self, place: PlaceId, plan: Plan) -> bool:
        return self.crowd[place] + sum(move.path[-1] == place for move in plan.moves) < MOST_IN_A_SPACE

    def _of(self, place: PlaceId) -> Iterator[Plan]:
        units = [unit for unit in self.situation.own_in(place) if may_act(unit)]
        leaving = [unit for unit in units if self.situation.side == GERMAN and no_exit(self.situation, unit) is None]
        if leaving:
            yield Plan(place, float(leaving[0].strength), (Exit(leaving[0].id),))
        if self.situation.enemies_in(place):
            yield self._plan(place, ())
        reach = self.reach.setdefault(place, {unit.id: self._reach(unit) for unit in units})
        there = sorted({to for found in reach.values() for to in found})  # a set has another order in each process
        targets = sorted(there, key=self.promise, reverse=True)
        for target in targets[:_MOST_TARGETS]:
            able = [unit for unit in units if target in reach[unit.id]]
            for group in _groups(able, room=MOST_IN_A_SPACE - self.crowd[target]):
                yield self._plan(place, tuple(reach[unit.id][target] for unit in group))

    def _reach(self, unit: Unit) -> dict[PlaceId, Move]:
        """The spaces that a unit can reach, each with its shortest way."""
        found: dict[PlaceId, Move] = {}
        for path, strategic in ways(self.situation, unit):
            found.setdefault(path[-1], Move(unit.id, path, strategic))
        return found

    # --- worth -------------------------------------------------------------------------------------------------------

    def _plan(self, place: PlaceId, moves: Sequence[Move]) -> Plan:
        worth = sum(self._move_worth(place, move) for move in moves) + self._held(place, moves)
        worth += self._supply_worth(moves)
        return Plan(place, worth + self._combat_worth(place, moves), tuple(moves))

    def _move_worth(self, place: PlaceId, move: Move) -> float:
        """The way to the goal, and the empty spaces that change hands."""
        to, distance = move.path[-1], self.ground.distance
        worth = self.style.ground * (distance[place] - distance[to]) / 3 if self.situation.side == GERMAN else 0.0
        if to in self.situation.held_by_enemy:
            return worth * 0.5 + (self.ground.prize[to] if self._wins_race(to) else 0)
        taken = [each for each in move.path if not self.situation.is_ours(each)]
        return worth + sum(self.ground.prize[each] for each in taken) + 0.1 * len(taken)

    def _wins_race(self, place: PlaceId) -> bool:
        """R44 Whether a German unit there may win the game, even if the enemy is there."""
        game_data, is_german = self.situation.game_data, self.situation.side == GERMAN
        return is_german and game_data.victory is Victory.RACE and game_data.touches_meuse(place)

    def _supply_worth(self, moves: Sequence[Move]) -> float:
        """R34 The enemy's strength that the spaces of these moves cut off from its supply."""
        situation, enemy = self.situation, enemy_of(self.situation.side)
        taken = {each for move in moves for each in move.path if not situation.is_ours(each)} - situation.held_by_enemy
        if not taken:
            return 0.0
        open_ = replace(situation.open, control={**situation.open.control, **dict.fromkeys(taken, situation.side)})
        lost = self.supplied - supplied_spaces(situation.game_data, open_, enemy)
        return self.style.cut * sum(unit.strength for unit in situation.enemies if unit.at in lost)

    def _held(self, place: PlaceId, moves: Sequence[Move]) -> float:
        """What the units that move hold where they go, less what they held where they were."""
        worth = 0.0
        for to in dict.fromkeys(move.path[-1] for move in moves):
            brought = sum(self.situation.own[move.unit].strength for move in moves if move.path[-1] == to)
            worth += self._gain(to, brought)
        gone = sum(self.situation.own[move.unit].strength for move in moves)
        return self.style.hold * (worth + self._gain(place, -gone))

    def _gain(self, place: PlaceId, change: int) -> float:
        space, own, now = self.situation.space(place), self.situation.is_ours(place), self.strength[place]
        return self.ground.held(space, now + change, own=own) - self.ground.held(space, now, own=own)

    def promise(self, place: PlaceId) -> float:
        """What a unit promises in a space, before its combats are weighed."""
        worth = self.style.hold * self._gain(place, 4)
        if self.situation.side == GERMAN:
            worth -= self.style.ground * self.ground.distance[place] / 3
        return worth + (0 if self.situation.is_ours(place) else self.ground.prize[place])

    def _combat_worth(self, place: PlaceId, moves: Sequence[Move]) -> float:
        if self.situation.held_by_enemy.isdisjoint((place, *(move.path[-1] for move in moves))):
            return 0.0
        return sum(self._fight_worth(fight) for fight in activated(self.situation, place, moves).fights)

    def _fight_worth(self, fight: Fight) -> float:
        found = odds(self.situation.game_data, fight)
        cards = self.situation.game_data.cards
        counts = self.situation.game_data.victory is Victory.POINTS
        bounty = counts * sum(cards[fighter.unit].worth for fighter in fight.defenders)
        prize = bounty + (0 if self.situation.is_ours(fight.at) else self.ground.prize[fight.at]) + 0.2
        price = counts * sum(cards[fighter.unit].worth for fighter in fight.attackers)
        gain = found.eliminated * prize + self.style.enemy_loss * found.defender_loss
        return gain - self.style.own_loss * found.attacker_loss - found.attackers_lost * price

    # --- reactions ---------------------------------------------------------------------------------------------------

    def _reactions(self) -> Iterator[Order]:
        for place, strength in sorted(self.strength.items()):
            endurance = _ENDURANCE + _ATTACHMENT * self.situation.space(place).points
            if strength > 1 and endurance < 1:
                yield Retreat(place, hits=max(1, round(strength * endurance)))
        if self.style.breaks_through and not is_surprise(self.situation.open):
            yield from self._breakthroughs()

    def _breakthroughs(self) -> Iterator[Order]:
        """Armor goes on towards the goal from where it stands or may come to."""
        near, distance = self.situation.game_data.board.neighbours, self.ground.distance
        here = self.situation.open.fight
        for unit in self.situation.own.values():
            if self.situation.card(unit).kind is not Kind.ARMOR:
                continue
            further = {to for place in (unit.at, *near(unit.at)) for to in near(place)} - {unit.at}
            for to in sorted(sorted(further), key=self.promise, reverse=True)[:4]:
                if here is not None and unit.at == here.at and no_breakthrough(self.situation, unit, to) is not None:
                    continue
                if self.situation.side != GERMAN or distance[to] <= distance[unit.at]:
                    yield BreakThrough(unit.id, to)


def _groups(units: Sequence[Unit], *, room: int) -> Iterator[tuple[Unit, ...]]:
    """All of the units that fit, or all but one of them, or one alone: the strongest first."""
    ordered = sorted(units, key=lambda unit: -unit.strength)
    most = min(room, len(ordered))
    for size in range(most, 0, -1):
        yield from (group for group in combinations(ordered, size) if size in (most, 1) or group[0] is ordered[0])
