"""Who fights the battles that are played outside, and when its players meet to play one.

Only the players of a battle and the GM read when they meet. A battle of a reopened phase continues that of the phase
before it was withdrawn: what its players agreed on still holds for its present players.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from campaign.models import Battle, Membership, PhaseState, PlayingTime
from campaign.secrecy import truth
from campaign.viewers import Viewer


@dataclass(frozen=True)
class Meeting:
    """When the players of a battle meet: an agreed time, or times that one of them proposes, or neither."""

    agreed: PlayingTime | None = None
    proposed: tuple[PlayingTime, ...] = ()
    """The earliest first, all of one side."""
    last_ended: PlayingTime | None = None
    """The time that was withdrawn or replaced last."""
    changes: int = 0
    """Grows with everything that its players do about it."""

    @property
    def mark(self) -> str:
        """What a form is about: it is refused if this has changed since."""
        return " ".join([f"{self.changes}", *(each.mark for each in self.open)])

    @property
    def open(self) -> tuple[PlayingTime, ...]:
        """What is proposed or agreed now."""
        return (self.agreed,) if self.agreed else self.proposed

    @property
    def by(self) -> str:
        """The side whose proposal it is; empty if there is none."""
        return self.open[0].side if self.open else ""


def player_of(battle: Battle, side: str) -> Membership | None:
    """The player named for a battle and side, if they are still a member."""
    named = battle.attacking_player if side == battle.attacker else battle.defending_player
    return named if named is not None and named.left_at is None and named.side == side else None


def fights(viewer: Viewer, battle: Battle) -> bool:
    """Whether the viewer reports and answers for their side: as its player, or as its commander if it has none."""
    if viewer.side not in (battle.attacker, battle.defender):
        return False
    player = player_of(battle, viewer.side)
    return viewer.commands if player is None else player.pk == viewer.member.pk


def shares(viewer: Viewer, battle: Battle) -> bool:
    """Whether the viewer reads what the players of a battle share: its file, its map, when they meet."""
    return viewer.is_gm or fights(viewer, battle)


def with_revisions(battle: Battle) -> QuerySet[Battle]:
    """A battle, and the same one in revisions of its phase that were withdrawn."""
    phase = battle.phase
    same = Q(phase__campaign=phase.campaign_id, phase__no=phase.no, phase__key=phase.key, phase__rev__lte=phase.rev)
    return Battle.objects.filter(same, key=battle.key, attacker=battle.attacker, defender=battle.defender)


def meeting_of(viewer: Viewer, battle: Battle) -> Meeting:
    """When the players of a battle meet, for them and the GM; for everybody else nothing."""
    if not shares(viewer, battle):
        return Meeting()
    with truth.opened("PlayingTime"):
        rows = list(
            PlayingTime.objects.filter(battle__in=with_revisions(battle))
            .select_related("author", "accepted_by")
            .order_by("begins_at", "pk")
        )
    open_now = [row for row in rows if row.ended_at is None]
    ended = [row for row in rows if row.ended_at is not None]
    return Meeting(
        agreed=next((row for row in open_now if row.accepted_at is not None), None),
        proposed=tuple(row for row in open_now if row.accepted_at is None),
        last_ended=max(ended, key=_ended_at, default=None),
        changes=len(rows) + len(ended) + sum(row.accepted_at is not None for row in rows),
    )


def _ended_at(row: PlayingTime) -> tuple[datetime, bool]:
    """When a time ended. Of those that ended together, the one that was agreed counts."""
    assert row.ended_at is not None  # noqa: S101 # it has ended
    return row.ended_at, row.accepted_at is not None


def meetings_of(viewer: Viewer) -> list[tuple[Battle, Meeting]]:
    """The battles of the open phase in which the viewer has agreed on a time to play, the earliest first."""
    if not viewer.plays:
        return []
    battles = Battle.objects.filter(phase__campaign=viewer.campaign, phase__state=PhaseState.OPEN)
    fought = battles.select_related("phase", "attacking_player", "defending_player").order_by("key")
    found = [(each, meeting_of(viewer, each)) for each in fought if fights(viewer, each)]
    agreed = [(meeting.agreed.begins_at, battle, meeting) for battle, meeting in found if meeting.agreed]
    return [(battle, meeting) for _, battle, meeting in sorted(agreed, key=lambda each: each[0])]
