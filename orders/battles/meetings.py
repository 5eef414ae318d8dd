"""Meeting times: the players of a battle propose when to play it, accept a time, and withdraw."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from campaign.fighting import Meeting, meeting_of
from campaign.mail.news import keep as keep_news
from campaign.models import Battle, PlayingTime
from campaign.record import audit
from campaign.secrecy import truth
from campaign.viewers import Viewer
from orders.battles import mail as battle_mail
from orders.battles.reading import battle_of
from orders.battles.reporting import Answered, Unusable, Which, held, require_fighter, require_open, subject_of

MOST_TIMES = 3
LONGEST_AHEAD = timedelta(days=366)


def propose(viewer: Viewer, which: Which, times: Sequence[datetime], *, seen: str) -> None:
    """Propose up to three times to play, in place of what was proposed before; the other player is told.

    Raises Unusable, NotYours, TooLate; Answered if anything has changed since the viewer had `seen` it.
    """
    with held(viewer, which) as (battle, now):
        require_fighter(viewer, battle)
        require_open(battle)
        times, meeting = _checked(times, now), meeting_of(viewer, battle)
        if meeting.by == viewer.side and times == [each.begins_at for each in meeting.proposed]:
            return
        _require_seen(meeting, seen)
        if meeting.agreed is not None and meeting.agreed.begins_at > now:
            raise Unusable("You have agreed on a time. Withdraw it first, then propose others.")
        rows = _ended(viewer, meeting.open, now)
        with truth.opened("PlayingTime"):
            rows += [
                PlayingTime.objects.create(
                    battle=battle, side=viewer.side, author=viewer.person, begins_at=at, proposed_at=now
                )
                for at in times
            ]
        _record(viewer, battle, "propose", rows, now)


def accept(viewer: Viewer, which: Which, mark: str) -> None:
    """Accept a time that the other player proposes, by its mark; they are told.

    Raises Unusable, NotYours, TooLate; Answered if it is not proposed any more.
    """
    with held(viewer, which) as (battle, now):
        require_fighter(viewer, battle)
        require_open(battle)
        meeting = meeting_of(viewer, battle)
        if meeting.agreed is not None and meeting.agreed.mark == mark and meeting.by != viewer.side:
            return
        chosen = next((each for each in meeting.proposed if each.mark == mark), None)
        if chosen is None or meeting.by == viewer.side:
            raise Answered
        if chosen.begins_at <= now:
            raise Unusable("This time has passed. Accept a later one, or propose others.")
        others = [each for each in meeting.proposed if each.pk != chosen.pk]
        with truth.opened("PlayingTime"):
            PlayingTime.objects.filter(pk=chosen.pk).update(accepted_by=viewer.person, accepted_at=now)
        _record(viewer, battle, "accept", [chosen, *_ended(viewer, others, now)], now)


def withdraw(viewer: Viewer, which: Which, *, seen: str) -> None:
    """Withdraw the times that the viewer's side proposes, or the time that both have agreed on; the other is told.

    Raises NotYours, TooLate; Answered if anything has changed since the viewer had `seen` it.
    """
    with held(viewer, which) as (battle, now):
        require_fighter(viewer, battle)
        require_open(battle)
        meeting = meeting_of(viewer, battle)
        if not meeting.open:
            return
        _require_seen(meeting, seen)
        if meeting.agreed is None and meeting.by != viewer.side:
            raise Answered
        _record(viewer, battle, "withdraw", _ended(viewer, meeting.open, now), now)


def _ended(viewer: Viewer, rows: Sequence[PlayingTime], now: datetime) -> list[PlayingTime]:
    """End these times, and return them."""
    with truth.opened("PlayingTime"):
        PlayingTime.objects.filter(pk__in=[each.pk for each in rows]).update(ended_by=viewer.side, ended_at=now)
    return list(rows)


def _record(viewer: Viewer, battle: Battle, act: str, rows: Sequence[PlayingTime], now: datetime) -> None:
    """Record what a player did about the meeting, and tell the other."""
    subject = {**subject_of(battle), "side": viewer.side}
    audit.record(viewer.campaign, f"battle times {act}", subject, at=now, rows=rows)
    for item in battle_mail.met(battle_of(viewer, battle.key), viewer.side, now):
        keep_news(item)


def _require_seen(meeting: Meeting, seen: str) -> None:
    if meeting.mark != seen:
        raise Answered


def _checked(times: Sequence[datetime], now: datetime) -> list[datetime]:
    """Times to the minute, the earliest first, each once; Unusable if there is none, or one that cannot be met."""
    each_once = sorted({at.replace(second=0, microsecond=0) for at in times})
    if not each_once:
        raise Unusable("Give at least one time.")
    if len(each_once) > MOST_TIMES:
        raise Unusable(f"Give at most {MOST_TIMES} times.")
    if each_once[0] <= now:
        raise Unusable("A time to play must be in the future. Choose a later one.")
    if each_once[-1] > now + LONGEST_AHEAD:
        raise Unusable("A time to play can be at most a year ahead. Choose an earlier one.")
    return each_once
