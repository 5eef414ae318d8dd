"""No column is equal in both worlds unless it is declared, with the reason."""

from collections import defaultdict
from collections.abc import Mapping
from random import Random

from campaign.engine.values.ids import PUBLIC, Audience
from tests.secrecy.campaigns import Base
from tests.secrecy.columns import changed, declared, dumped, every_column
from tests.secrecy.digests import blanked
from tests.secrecy.mutators import MUTATORS, mutate
from tests.secrecy.mutators.change import Change
from tests.secrecy.pairs import plan_of
from tests.secrecy.steps import STEPS
from tests.secrecy.worlds import World

GERMAN, ALLIED = Audience("german"), Audience("allied")
PLAYS: tuple[tuple[str, Audience, str], ...] = (
    (
        "02-german_sheet",
        PUBLIC,
        (
            "M12 M20 M22 M24 M17 M6 M6 M6 M7 M8 M7 M14 M16 M1 M2 M4 M5 M3 M10 M19 M23 M11 lock M18 roll M21 M9"
            " M30 publish M21 M31"
        ),
    ),
    ("03-german_battles", PUBLIC, "M8 M17 M28 M31 M32 M32 M33 M33 M33 M37 M37 M37 lock adjudicate publish M24"),
    ("03-german_battles", PUBLIC, "M35 M35 M35 end M36"),
    ("03-german_battles", GERMAN, "M17 M20"),
    ("03-german_battles", ALLIED, "M17 M20"),
)
"""A phase and an observer, with mutators and the steps between them."""


def mutated(base: Base, observer: Audience, acts: str) -> dict[str, set[str]]:
    """The columns that each mutator changes while these acts are played, by column."""
    found: dict[str, set[str]] = defaultdict(set)
    world = World.restored("measured", base.snapshot)
    plan = plan_of(world, observer, 7)
    with blanked(observer):
        for number, act in enumerate(acts.split()):
            if act not in MUTATORS:
                STEPS[act](world, plan, Random(number))
                continue
            with world.present():
                before = dumped()
            mutate(act, Change(world, observer, Random(number), [way for _, way in plan.ways]), number)
            with world.present():
                for column in changed(before, dumped()):
                    found[column].add(act)
    world.close()
    return found


def test_every_column_is_changed_by_a_mutator_or_declared_equal(worlds: Mapping[str, Base]) -> None:
    by_mutators: set[str] = set()
    for base, observer, acts in PLAYS:
        by_mutators |= mutated(worlds[base], observer, acts).keys()
    equal = declared()
    assert len(equal) == len(set(equal))
    assert every_column() - by_mutators - set(equal) == set(), "nobody would notice if these were told"
    assert set(equal) & by_mutators == set(), "declared equal, and changed by a mutator"
    assert set(equal) <= every_column(), "declared, and gone"
