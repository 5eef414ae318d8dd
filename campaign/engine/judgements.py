"""What the rules leave to the GM: questions that a phase raises, each with those who read the answer."""

from campaign.engine.values.ids import Audience
from campaign.engine.values.value import Value


class Judgement(Value, frozen=True):
    """Something for the GM to judge in the draft of a phase. Without an answer the result stands as it is."""

    key: str
    """The same in every draft of the phase, and of no other question there."""
    kind: str
    """What it is about, in a few words."""
    question: str
    """In words for those who read the answer: it says nothing that they do not know."""
    audiences: tuple[Audience, ...] = ()
    """Who reads the answer: the side that asks. Empty: everybody, for an open matter."""
    hint: str = ""
    """What the GM alone should know of it."""
    rule: str = ""
    """The number of the rule that leaves it to the GM; empty: no rule."""


def nothing_to_judge(*_of: object) -> tuple[Judgement, ...]:
    """For rulesets that leave nothing to the GM."""
    return ()
