"""The forum campaign's reference. Wiring only."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.secrecy.oracle.account import Reference
from tests.secrecy.oracle.display import gaps_in_view
from tests.secrecy.oracle.ground import Ground
from tests.secrecy.oracle.memory import remember
from tests.secrecy.oracle.release import EVERYONE, SIDES, told, who_may_see
from tests.secrecy.oracle.statements import stated

Json = dict[str, Any]


def read(files: Mapping[str, str]) -> Reference:
    """From the texts of a scenario's files by name."""
    return _on(Ground.read(files))


@cache
def _on(ground: Ground) -> Reference:
    return Reference(
        audiences=EVERYONE,
        told=lambda fact, truth: told(fact, truth, ground),
        remember=remember,
        gaps_in_view=gaps_in_view,
        kept_back=_of_both_sides,
        stated=stated,
    )


def _of_both_sides(fact: Json) -> bool:
    """A die that both sides may see has no audience of its own, so it may be kept from all: they learn its result."""
    return bool(fact["type"] == "Rolled" and who_may_see(fact["label"]) == SIDES)
