"""The toy's reference. Wiring only."""

from collections.abc import Mapping

from tests.secrecy.oracle.account import Reference
from tests.secrecy.oracle.toy.display import gaps_in_view
from tests.secrecy.oracle.toy.memory import remember
from tests.secrecy.oracle.toy.release import EVERYONE, Areas, told


def read(files: Mapping[str, str]) -> Reference:
    """From the texts of a scenario's files by name."""
    areas = Areas.read(files)
    return Reference(
        audiences=EVERYONE,
        told=lambda fact, truth: told(fact, truth, areas),
        remember=remember,
        gaps_in_view=gaps_in_view,
        gathers=True,
    )
