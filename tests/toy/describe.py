"""Faces as sentences."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.engine.facts import Rolled, Told
from campaign.engine.ids import SideId
from campaign.engine.modifiers import explain, total
from campaign.engine.views import LogLine
from tests.toy import facts
from tests.toy.sequence import PHASES
from tests.toy.standing import meaning
from tests.toy.theatre import SIDE_NAMES

_TITLES = {phase.key: phase.title for phase in PHASES}


def describe(told: Told[Any]) -> LogLine | None:
    """The line of a report for a face, or None where there is nothing to say of it."""
    sentence = _SENTENCES.get(type(told.face))
    if sentence is None:
        return None
    text = f"Ruling of the GM: {sentence(told.face)}" if told.ruling else sentence(told.face)
    return LogLine(_TITLES[told.phase], text, told.rule, (*_reasons(told.face), *filter(None, (told.ruling,))))


def _reasons(face: Any) -> tuple[str, ...]:
    if not isinstance(face, facts.Fought):
        return ()
    return tuple(
        f"{SIDE_NAMES[side]} {total(parts)}: {', '.join(explain(parts))}" for side, parts in sorted(face.sums.items())
    )


def _rolled(face: Rolled) -> str:
    by = "entered by the GM" if face.by_hand else f"d{face.sides}"
    return f"Roll for {face.purpose}: {', '.join(map(str, face.dice))} ({by})"


def _drawn(face: facts.Drawn) -> str:
    return f"{SIDE_NAMES[face.side]} draws {f'the card {face.card.value}' if face.card else 'a card'}"


def _moved(face: facts.Moved) -> str:
    way = f"moves {'-'.join((face.start, *face.path))}" if face.path else f"stays at {face.start}"
    return f"{face.force} {way}" + (f" and meets the enemy at {face.met}" if face.met else "")


def _attacked(face: facts.Attacked) -> str:
    attack = face.attack
    return f"{attack.name} attacks {attack.defender_name} at {attack.at}"


def _ended(face: facts.Ended) -> str:
    points = ", ".join(f"{SIDE_NAMES[side]} {face.points[side]}" for side in sorted(face.points))
    return f"The game is over: {_victory(face.winner)}. Points: {points}"


def _victory(winner: SideId | None) -> str:
    return "a draw" if winner is None else f"{SIDE_NAMES[winner]} wins"


_SENTENCES: Mapping[type, Callable[[Any], str]] = {
    Rolled: _rolled,
    facts.Opened: lambda face: f"{SIDE_NAMES[face.side]} has the first turn",
    facts.Drawn: _drawn,
    facts.Played: lambda face: f"{SIDE_NAMES[face.side]} plays the card {face.card.value}",
    facts.Passed: lambda face: f"{SIDE_NAMES[face.side]} passes",
    facts.Acted: lambda face: f"{SIDE_NAMES[face.side]} acts",
    facts.Moved: _moved,
    facts.Attacked: _attacked,
    facts.AttackLapsed: lambda face: f"{face.force} finds nobody to attack at {face.at}",
    facts.Answered: lambda face: f"The attacked force {face.answer.value}",
    facts.StandingOrdersGiven: lambda face: f"Standing orders: {'; '.join(map(meaning, face.orders)) or 'none'}",
    facts.Fought: lambda face: f"{SIDE_NAMES[face.winner]} wins at {face.at}",
    facts.Weakened: lambda face: f"{face.force} loses a point of strength",
    facts.FellBack: lambda face: f"{face.force} falls back to {face.to}",
    facts.Advanced: lambda face: f"{face.force} moves into {face.to}",
    facts.Destroyed: lambda face: f"{face.name} is destroyed",
    facts.Taken: lambda face: f"{SIDE_NAMES[face.side]} takes {face.place}",
    facts.Ended: _ended,
    facts.ForcePlaced: lambda face: f"{face.force} is put at {face.at}",
    facts.StrengthSet: lambda face: f"{face.force} has a strength of {face.strength}",
}
