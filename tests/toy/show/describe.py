"""The sentences of reports, from disclosures."""

from collections.abc import Mapping

from campaign.engine.display.sentences import Headline, Say, Sentence, rolled
from campaign.engine.facts import Noted, Rolled
from campaign.engine.values.ids import SideId
from campaign.engine.values.modifiers import explain, total
from tests.toy.model import facts
from tests.toy.model.game_data import SIDE_NAMES
from tests.toy.rules.standing import meaning


def _fought(fact: facts.Fought) -> Sentence:
    sums = (f"{SIDE_NAMES[side]} {total(sum_)}: {', '.join(explain(sum_))}" for side, sum_ in sorted(fact.sums.items()))
    return Sentence(f"{SIDE_NAMES[fact.winner]} wins at {fact.at}", tuple(sums))


def _drawn(fact: facts.Drawn) -> str:
    return f"{SIDE_NAMES[fact.side]} draws {f'the card {fact.card.value}' if fact.card else 'a card'}"


def _moved(fact: facts.Moved) -> str:
    way = f"moves {'-'.join((fact.start, *fact.path))}" if fact.path else f"stays at {fact.start}"
    return f"{fact.force} {way}" + (f" and meets the enemy at {fact.met}" if fact.met else "")


def _attacked(fact: facts.Attacked) -> str:
    attack = fact.attack
    return f"{attack.name} attacks {attack.defender_name} at {attack.at}"


def _ended(fact: facts.Ended) -> str:
    points = ", ".join(f"{SIDE_NAMES[side]} {fact.points[side]}" for side in sorted(fact.points))
    return f"The game is over: {_victory(fact.winner)}. Points: {points}"


def _victory(winner: SideId | None) -> str:
    return "a draw" if winner is None else f"{SIDE_NAMES[winner]} wins"


SENTENCES: Mapping[type, Say] = {
    Rolled: rolled,
    Noted: lambda fact: f"Note of {SIDE_NAMES[fact.side]}: {fact.text}",
    facts.Opened: lambda fact: f"{SIDE_NAMES[fact.side]} has the first turn",
    facts.Drawn: _drawn,
    facts.Played: lambda fact: f"{SIDE_NAMES[fact.side]} plays the card {fact.card.value}",
    facts.Passed: lambda fact: f"{SIDE_NAMES[fact.side]} passes",
    facts.Acted: lambda fact: f"{SIDE_NAMES[fact.side]} acts",
    facts.Moved: _moved,
    facts.Attacked: _attacked,
    facts.AttackLapsed: lambda fact: f"{fact.force} finds nobody to attack at {fact.at}",
    facts.Answered: lambda fact: f"The attacked force {fact.answer.value}",
    facts.StandingOrdersGiven: lambda fact: f"Standing orders: {'; '.join(map(meaning, fact.orders)) or 'none'}",
    facts.Fought: _fought,
    facts.Weakened: lambda fact: f"{fact.force} loses a point of strength",
    facts.FellBack: lambda fact: f"{fact.force} falls back to {fact.to}",
    facts.Advanced: lambda fact: f"{fact.force} moves into {fact.to}",
    facts.Destroyed: lambda fact: f"{fact.name} is destroyed",
    facts.Taken: lambda fact: f"{SIDE_NAMES[fact.side]} takes {fact.place}",
    facts.Ended: _ended,
    facts.ForcePlaced: lambda fact: f"{fact.force} is put at {fact.at}",
    facts.StrengthSet: lambda fact: f"{fact.force} has a strength of {fact.strength}",
}

HEADLINES: Mapping[type, Headline] = {
    facts.Ended: lambda ended: _ended(ended[-1]),
    facts.Taken: lambda taken: "; ".join(f"{SIDE_NAMES[fact.side]} takes {fact.place}" for fact in taken),
    facts.Fought: lambda fought: "; ".join(f"{SIDE_NAMES[fact.winner]} wins at {fact.at}" for fact in fought),
    facts.Destroyed: lambda destroyed: f"Destroyed: {', '.join(fact.name for fact in destroyed)}",
}
