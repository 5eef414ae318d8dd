"""The others reach every limit (M26 and M27): what they do counts for nobody else."""

from collections.abc import Mapping

from tests.secrecy.asking.first import PASSER_BY
from tests.secrecy.campaigns import SLUG
from tests.secrecy.mutators.change import Change
from tests.secrecy.steps.attempts import People
from tests.secrecy.steps.limits import OF_ALL, OF_BATTLES, OF_SHEETS, Reach, reach


def ask(change: Change) -> bool:
    """Enemies, the GM and a passer-by ask for as much as they may, and once more."""
    return _reach(change, OF_ALL)


def write(change: Change) -> bool:
    """Enemies reach the limits on sheets and reports, in number and in length, and try one more."""
    return _reach(change, {**OF_SHEETS, **OF_BATTLES})


def _reach(change: Change, limits: Mapping[str, Reach]) -> bool:
    people = People(change.enemy, f"{change.enemy} staff", PASSER_BY, "gm", SLUG)
    answers = [reach(change.world, limit, people) for limit in limits.values()]
    return any(answers)
