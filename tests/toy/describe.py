"""What a report says of what an audience was told."""

from collections.abc import Mapping

from campaign.engine.facts import Noted, Rolled
from campaign.engine.ids import SideId
from campaign.engine.modifiers import explain, total
from campaign.engine.sentences import Say, Sentence, rolled
from tests.toy import facts
from tests.toy.standing import meaning
from tests.toy.theatre import SIDE_NAMES


def _fought(face: facts.Fought) -> Sentence:
    sums = (f"{SIDE_NAMES[side]} {total(sum_)}: {', '.join(explain(sum_))}" for side, sum_ in sorted(face.sums.items()))
    return Sentence(f"{SIDE_NAMES[face.winner]} wins at {face.at}", tuple(sums))


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


SENTENCES: Mapping[type, Say] = {
    Rolled: rolled,
    Noted: lambda face: f"Note of {SIDE_NAMES[face.side]}: {face.text}",
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
    facts.Fought: _fought,
    facts.Weakened: lambda face: f"{face.force} loses a point of strength",
    facts.FellBack: lambda face: f"{face.force} falls back to {face.to}",
    facts.Advanced: lambda face: f"{face.force} moves into {face.to}",
    facts.Destroyed: lambda face: f"{face.name} is destroyed",
    facts.Taken: lambda face: f"{SIDE_NAMES[face.side]} takes {face.place}",
    facts.Ended: _ended,
    facts.ForcePlaced: lambda face: f"{face.force} is put at {face.at}",
    facts.StrengthSet: lambda face: f"{face.force} has a strength of {face.strength}",
}
