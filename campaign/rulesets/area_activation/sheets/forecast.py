"""What lines lead to as a side sees it: the activations of a day, their moves, and their combats with their odds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as altered

from campaign.engine.orders.order import Order
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import replace as changed
from campaign.rulesets.area_activation.day.moving import why_not
from campaign.rulesets.area_activation.day.turns import active_spaces, chosen, may_pass
from campaign.rulesets.area_activation.model.game_data import GERMAN, enemy_of
from campaign.rulesets.area_activation.model.orders import LAST_TURN, Activate, Exit, Move, Pass
from campaign.rulesets.area_activation.model.state import SURPRISE_TURNS, Fight, Open, Unit, is_surprise
from campaign.rulesets.area_activation.model.words import list_of
from campaign.rulesets.area_activation.rules.combat import fight_in, may_act, places_to_fight
from campaign.rulesets.area_activation.rules.movement import Obstacle
from campaign.rulesets.area_activation.rules.odds import odds
from campaign.rulesets.area_activation.rules.situation import Situation


@dataclass(frozen=True)
class Activation:
    """R10 The activation of a space."""

    place: PlaceId
    line: Activate | None
    """The line that it comes from; None: the default."""
    units: tuple[UnitId, ...]
    """Those that become active."""
    moves: tuple[Move | Exit, ...]
    """The lines that they follow."""
    obstacles: tuple[tuple[Move | Exit, Obstacle], ...]
    """The lines that they cannot follow when they come to them, with the reason."""
    after: Situation
    """The position after these moves."""

    def obstacle(self, line: Move | Exit) -> Obstacle | None:
        return next((why for other, why in self.obstacles if other is line), None)

    def follows(self, line: Move | Exit) -> bool:
        return any(other is line for other in self.moves)

    @property
    def fights(self) -> Iterator[Fight]:
        """R25 The combats that it leads to."""
        return (fight_in(self.after, place) for place in places_to_fight(self.after))

    @property
    def rested(self) -> Situation:
        """R10, R25 The position after its turn: who was active or has joined a combat has acted."""
        fought = places_to_fight(self.after)

        def rest(unit: Unit) -> Unit:
            joined = unit.at in fought and may_act(unit)
            return changed(unit, acted=unit.acted or unit.active or joined, active=False, across=False)

        return altered(self.after, own={id_: rest(unit) for id_, unit in self.after.own.items()}, crossed=())


def activated(
    situation: Situation, place: PlaceId, lines: Iterable[Order], *, by: Activate | None = None
) -> Activation:
    """R49.2 An activation with its moves, if nothing has changed until then."""
    units = tuple(unit.id for unit in situation.own_in(place) if may_act(unit))
    own = {id_: changed(unit, active=True) if id_ in units else unit for id_, unit in situation.own.items()}
    now, moves, obstacles = altered(situation, own=own), dict[UnitId, Move | Exit](), []
    for line in lines:
        if not isinstance(line, Move | Exit) or line.unit not in units or line.unit in moves:
            continue
        obstacle = why_not(now, line)
        if obstacle is None:
            moves[line.unit] = line
            now = _moved(now, line)
        else:
            obstacles.append((line, obstacle))
    return Activation(place, by, units, tuple(moves.values()), tuple(obstacles), now)


def _moved(situation: Situation, line: Move | Exit) -> Situation:
    if isinstance(line, Exit):
        return _settled(situation, {id_: unit for id_, unit in situation.own.items() if id_ != line.unit})
    unit = situation.own[line.unit]
    step = ((unit.at, *line.path)[-2], line.path[-1])
    river = bool(situation.game_data.borders[step].river)
    crossed = (*situation.crossed, step) if river and step[1] in situation.held_by_enemy else situation.crossed
    own = {**situation.own, unit.id: changed(unit, at=line.path[-1], across=river)}
    return _settled(altered(situation, crossed=crossed), own, passed=line.path[:-1])


def _settled(situation: Situation, own: Mapping[UnitId, Unit], *, passed: Iterable[PlaceId] = ()) -> Situation:
    """R13, R14 The position with the side's units elsewhere: who controls what, and what is contested."""
    held, enemy = {unit.at for unit in own.values()}, situation.held_by_enemy
    control = {**situation.open.control, **dict.fromkeys({*held, *passed} - enemy, situation.side)}
    control |= dict.fromkeys(enemy - held, enemy_of(situation.side))
    contested = tuple(place for place in situation.game_data.spaces if place in held & enemy)
    return altered(situation, open=changed(situation.open, control=control, contested=contested), own=own)


# --- a day -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outlook:
    """R46, R49 What lines lead to, if the enemy does nothing and combats change nothing."""

    activations: tuple[Activation, ...]
    end: Situation
    """The position when the last of these spaces has acted."""
    passes: bool
    """R8 Whether the side passes then though it can act: with the enemy's pass that ends the day."""


def foreseen(situation: Situation, lines: Sequence[Order]) -> Outlook:
    """R46, R49 The activations until the side passes.

    The lines of a day, or the answer to a question and then those: an answer decides its own turn.
    """
    left, found = list(lines), list[Activation]()
    for number in range(_turns_of(situation)):
        now = altered(situation, open=_at_turn(situation, number))
        choice = chosen(now, left, allowed=may_pass(now.open))
        if choice is None or isinstance(choice, Pass):
            return Outlook(tuple(found), situation, bool(active_spaces(situation)))
        if isinstance(choice, Activate):
            left = [line for line in left if line is not choice]
        by, place = (choice, choice.at) if isinstance(choice, Activate) else (None, choice)
        found.append(activated(now, place, left, by=by))
        situation = found[-1].rested
    return Outlook(tuple(found), situation, passes=False)


def _turns_of(situation: Situation) -> int:
    """R4, R7, R48 How many turns of the side these lines decide."""
    if situation.open.question is not None:
        return 1
    if is_surprise(situation.open):
        return SURPRISE_TURNS if situation.side == GERMAN else 0
    return LAST_TURN


def _at_turn(situation: Situation, number: int) -> Open:
    """R7, R9 The open facts at the side's turn of this number, from 0 on, if the enemy has passed in its own."""
    open_, side = situation.open, situation.side
    if open_.question is not None:
        return open_
    if is_surprise(open_):
        return changed(open_, turn=side, surprise=number + 1)
    of_initiative = number if side == open_.initiative else number + 1
    return changed(open_, turn=side, turns={open_.initiative: of_initiative}, passes=min(number, 1))


def in_words(situation: Situation, fight: Fight) -> str:
    """A combat with its odds: who fights, how likely the defender is eliminated, and the losses on average."""
    cards, found = situation.game_data.cards, odds(situation.game_data, fight)
    attackers, defenders = (
        list_of([cards[fighter.unit].name for fighter in fighters]) for fighters in (fight.attackers, fight.defenders)
    )
    return (
        f"{attackers} against {defenders} in {situation.space(fight.at).name}: "
        f"{percent(found.eliminated)} that no defender is left if they stand; on average the attacker loses "
        f"{found.attacker_loss:.1f} and the defender {found.defender_loss:.1f}"
    )


def percent(probability: float) -> str:
    """A probability: 69 %."""
    return f"{probability * 100:.0f} %"
