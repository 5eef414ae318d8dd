"""The area game's reference. Wiring only."""

from collections.abc import Mapping

from tests.secrecy.oracle.account import Reference
from tests.secrecy.oracle.area_activation.display import gaps_in_view
from tests.secrecy.oracle.area_activation.land import Land
from tests.secrecy.oracle.area_activation.memory import remember
from tests.secrecy.oracle.area_activation.release import EVERYONE, told


def read(files: Mapping[str, str]) -> Reference:
    """From the texts of a scenario's files by name."""
    land = Land.read(files)
    return Reference(
        audiences=EVERYONE,
        told=lambda fact, truth: told(fact, truth, land),
        remember=remember,
        gaps_in_view=lambda view, played, who, account: gaps_in_view(view, played, who, account, land),
        gathers=True,
        published_at_once=frozenset({"Asked"}),
    )
