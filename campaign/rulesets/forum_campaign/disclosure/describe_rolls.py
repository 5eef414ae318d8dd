"""The sentences of rolls. What a roll is for is on record in the words of its time; reports say it shorter."""

import re
from collections.abc import Callable, Mapping

from campaign.engine.display.sentences import Sentence, dice_in_words, rolled
from campaign.engine.facts import Rolled


def roll(fact: Rolled) -> Sentence:
    """The sentence for a roll: what it is for, the dice, and what follows from them."""
    for pattern, say in _SENTENCES.items():
        found = re.fullmatch(pattern, fact.purpose)
        if found:
            return Sentence(say(fact, *found.groups()))
    return rolled(fact)


def _losses(fact: Rolled, who: str, place: str, extra: str) -> str:
    """R12.11 Attackers' losses at Auw (P20): d10 8 + 8 = 16 %."""
    lost = min(sum(fact.dice) + int(extra), 100)
    return f"{who.capitalize()}' losses at {place}: {dice_in_words(fact)} + {extra} = {lost} %"


def _winner(fact: Rolled, place: str, chance: str) -> str:
    return f"Battle of {place}, attackers win at {chance} or less: {dice_in_words(fact)}"


def _interdiction(fact: Rolled, side: str, place: str) -> str:
    return f"Interdiction of {place}, {side} roll: {dice_in_words(fact)}"


_SENTENCES: Mapping[str, Callable[..., str]] = {
    r"the losses of the (\w+) at (.+), which are (\d+) percent more": _losses,
    r"the battle of (.+), which the attackers win at (\d+) or less": _winner,
    r"the (\w+) side in the interdiction of (.+)": _interdiction,
}
"""By the recorded purpose of a roll."""
