"""The GM leaves battles to the rules, where the campaign offers that choice."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from campaign.engine.orders.notation import format_order
from campaign.models import Battle, BattleState
from campaign.selectors import Knowledge, knowledge
from campaign.viewers import Viewer
from gm.phases.battles import STANDING, decide, seen_as
from orders.battles.reading import battles_of, brief_of, by_rules, marks_of, names_in
from orders.battles.reporting import Answered, OtherPhase, Which
from orders.intake import TooLate


@dataclass(frozen=True)
class Undecided:
    """A battle without a result, which the GM may leave to the rules."""

    which: Which
    title: str
    text: str
    """Who attacks whom."""
    state: str
    """How far its result is, in words."""
    open: bool
    """Whether nobody has reported it yet."""
    line: str
    """What the GM would write to leave it to the rules."""
    seen: str

    @property
    def key(self) -> str:
        """The ruleset's key of the battle."""
        return self.which.key


def undecided(viewer: Viewer) -> list[Undecided]:
    """The battles of the open phase that the GM may leave to the rules."""
    waiting = list(battles_of(viewer).exclude(state__in=STANDING))
    return list(_left(viewer, knowledge(viewer), waiting)) if viewer.is_gm and waiting else []


def _left(viewer: Viewer, known: Knowledge, waiting: Collection[Battle]) -> Iterator[Undecided]:
    reports = marks_of(viewer, waiting)
    for battle in waiting:
        order = by_rules(viewer, battle, known)
        if order is None:
            continue
        brief = brief_of(viewer, known, battle.key)
        yield Undecided(
            which=Which(battle.phase.no, battle.phase.rev, battle.key),
            title=brief.title,
            text=brief.text,
            state=battle.get_state_display(),
            open=battle.state == BattleState.OPEN,
            line=format_order(order, names_in(known, battle)),
            seen=seen_as(battle, reports[battle.pk]),
        )


@dataclass(frozen=True)
class Left:
    """What became of battles that the GM would leave to the rules."""

    decided: tuple[str, ...]
    """Their titles."""
    changed: tuple[str, ...]
    """Keys of battles that stay as they are, because somebody changed them after the GM had seen them."""


def let_rules_decide(viewer: Viewer, chosen: Mapping[str, str]) -> Left:
    """Leave battles to the rules: by key, each under the mark that the GM has seen."""
    found = {battle.key: battle for battle in undecided(viewer)}
    done = [key for key, seen in chosen.items() if key in found and _decided(viewer, found[key], seen)]
    return Left(tuple(found[key].title for key in done), tuple(key for key in chosen if key not in done))


def _decided(viewer: Viewer, battle: Undecided, seen: str) -> bool:
    try:
        decide(viewer, battle.which, battle.line, seen=seen)
    except (Answered, OtherPhase, TooLate):
        return False
    return True
