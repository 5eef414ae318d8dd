"""Mutators M1 to M38 change what an audience cannot know. Each works on the present world and says if it did."""

from collections.abc import Callable, Mapping
from typing import Any

from campaign.models import Phase
from tests.secrecy.campaigns import SLUG
from tests.secrecy.chance import CHANCE
from tests.secrecy.knowledge import all_ready
from tests.secrecy.mutators import (
    crowd,
    doing,
    ending,
    fetching,
    gm_acts,
    gm_rolls,
    hidden,
    machinery,
    naming,
    people,
    posting,
    rows,
    scenario,
    sharing,
    thinking,
    writing,
)
from tests.secrecy.mutators.change import Change

Mutator = Callable[[Change], bool]


MUTATORS: Mapping[str, Mutator] = {
    "M1": hidden.move,
    "M2": hidden.add,
    "M3": hidden.delete,
    "M4": hidden.describe,
    "M5": hidden.swap,
    "M6": writing.sheets,
    "M7": doing.habits,
    "M8": writing.notes,
    "M9": doing.gm_at_work,
    "M10": hidden.hand,
    "M11": hidden.dice,
    "M12": rows.shift,
    "M13": rows.shuffle,
    "M14": doing.bounces,
    "M15": doing.other_campaigns,
    "M16": doing.caches,
    "M17": doing.more_players,
    "M18": doing.rolled_already,
    "M19": scenario.set_up,
    "M20": people.lives,
    "M21": gm_rolls.other_rolls,
    "M22": fetching.fetches,
    "M23": naming.names,
    "M24": machinery.toil,
    "M25": writing.retreats,
    "M26": crowd.ask,
    "M27": crowd.write,
    "M28": writing.comments,
    "M29": gm_acts.for_others,
    "M30": thinking.thought_again,
    "M31": sharing.share,
    "M32": writing.stories,
    "M33": gm_acts.questions,
    "M34": gm_acts.private_questions,
    "M35": ending.offers,
    "M36": ending.consents,
    "M37": posting.elsewhere,
    "M38": writing.notes_with_orders,
}
BEFOREHAND = ("M12", "M13")
"""Mutators for worlds in which nobody has signed in yet, as sessions hold people's numbers."""


def mutate(name: str, change: Change, seed: object) -> bool:
    """Change a world, present or not; whether it changed. If everybody would read of the change, it is undone."""
    read_by_all = _READ_BY_ALL.get(name)
    with change.world.present():
        CHANCE.of("mutator", name, seed)
        if read_by_all is None:
            return MUTATORS[name](change)
        before, go_back = read_by_all(), change.world.way_back()
        done = MUTATORS[name](change)
        if read_by_all() == before:
            return done
    go_back()
    return False


def _ready() -> list[Any]:
    return list(all_ready())


def _published() -> list[Any]:
    return list(Phase.objects.filter(campaign__slug=SLUG, published_at__isnull=False).values_list("no", "rev"))


_READ_BY_ALL = {**dict.fromkeys(("M6", "M8", "M17"), _ready), **dict.fromkeys(("M9", "M18"), _published)}
"""By mutator: what everybody reads and it may change by accident.

Sheets and new players may make everybody READY. A day of the area game that stops for a question is published without
the GM.
"""
