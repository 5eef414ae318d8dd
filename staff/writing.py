"""Writing and removing comments, and marking them as read."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, QuerySet
from django.http import Http404

from campaign.core.naming import unseen
from campaign.models import PhaseState
from campaign.people.memberships import locked_member
from campaign.selectors import PhaseInfo, addressed_phase
from campaign.services import base_map_of
from campaign.viewers import Viewer
from orders.desks import places
from orders.models import Sheet
from staff.models import Comment, Visit
from staff.rooms import Room, comments, is_staff

LONGEST = 2000
MOST_IN_A_PHASE = 300
"""The most comments of a side in a phase."""
LONGEST_QUOTE = 200
_SAME = timedelta(minutes=1)
"""How long the same words are one comment: a form may be sent twice."""


class Refused(Exception):
    """The comment was not written. The message says why, and what its author can do."""

    status = 422


class Over(Refused):
    """The phase of the comment is over."""

    status = 409


@dataclass(frozen=True, kw_only=True)
class About:
    """What a comment is about: a desk's sheet, a line of one of its versions, a place, or nothing of these."""

    desk: str = ""
    version: int = 0
    line: int = 0
    place: str = ""


def write(viewer: Viewer, phase: PhaseInfo, text: str, about: About, *, now: datetime) -> Comment:
    """A new comment in the viewer's room; raises Refused, and Http404 if they have none."""
    text = _checked(text)
    place = _place(viewer, about.place)
    with transaction.atomic():
        author = _present(viewer)
        if addressed_phase(author, phase.no, phase.rev).state in (PhaseState.PUBLISHED, PhaseState.WITHDRAWN):
            raise Over("Not written: the phase that it was for is over. You can write it in the present phase.")
        earlier = Comment.objects.for_viewer(author).filter(phase=phase.phase_id, side=author.side)
        columns = {"text": text, "desk": about.desk, "place": place, **_quoted(author, phase, about)}
        again = earlier.filter(author=author.person, removed_at=None, written_at__gt=now - _SAME, **columns).first()
        if again is not None:
            return again
        return Comment.objects.create(
            phase_id=phase.phase_id,
            side=author.side,
            audience=author.side,
            no=_next_number(earlier),
            author=author.person,
            written_at=now,
            **columns,
        )


def remove(viewer: Viewer, no: int, rev: int, nth: int, *, now: datetime) -> None:
    """Remove a comment of the viewer's own: its words go, its place stays. Http404 if it is not theirs."""
    with transaction.atomic():
        author = _present(viewer)
        own = _of_mark(author, no, rev, nth).filter(author=author.person, removed_at=None)
        if not own.exists():
            raise Http404
        Comment.objects.for_viewer(author).filter(pk__in=list(own.values_list("pk", flat=True))).update(
            text="", quote="", removed_at=now
        )


def mark_read(viewer: Viewer, no: int, rev: int, nth: int) -> None:
    """Mark all comments up to this one as read by the viewer; Http404 if they may not read it."""
    with transaction.atomic():
        reader = _present(viewer)
        written_at = _of_mark(reader, no, rev, nth).values_list("written_at", flat=True).first()
        if written_at is None:
            raise Http404
        visits = Visit.objects.for_viewer(reader).filter(member=reader.member)
        if visits.filter(seen_at__gt=written_at).exists():
            return
        visits.update_or_create(member=reader.member, defaults={"side": reader.side, "seen_at": written_at})


def _present(viewer: Viewer) -> Viewer:
    """The viewer as they are now, in the room; Http404 if they have left it. Acts of the campaign wait meanwhile."""
    now = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
    if not is_staff(now):
        raise Http404
    return now


def _of_mark(viewer: Viewer, no: int, rev: int, nth: int) -> QuerySet[Comment]:
    return comments(Room(viewer, viewer.side)).filter(phase__no=no, phase__rev=rev, no=nth)


def _next_number(earlier: QuerySet[Comment]) -> int:
    number: int = (earlier.aggregate(last=Max("no"))["last"] or 0) + 1
    if number > MOST_IN_A_PHASE:
        raise Refused(
            f"Not written: your side has written {MOST_IN_A_PHASE} comments in this phase, the most that it can."
            " Use a NOTE line in a sheet, or your forum."
        )
    return number


def _checked(text: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Refused("Not written: the comment has no words. Write some.")
    if len(text) > LONGEST:
        raise Refused(f"Not written: the comment has {len(text):,} characters; {LONGEST:,} are the most. Shorten it.")
    for no, line in enumerate(text.split("\n"), 1):
        if column := unseen(line):
            raise Refused(
                f"Not written: character {column} of line {no} cannot be seen in print. Type the line instead of"
                " pasting it."
            )
    return text


def _place(viewer: Viewer, written: str) -> str:
    """The id of a place, in whatever case it was written; empty for none."""
    written, base = written.strip(), base_map_of(viewer.campaign)
    if not written:
        return ""
    ids = {ground.id.casefold(): ground.id for ground in base.grounds}
    found = ids.get(written.casefold())
    if found is None:
        word, example = base.signs.place[0], base.grounds[0].id
        raise Refused(
            f"Not written: there is no {word} {written[:50]!r} on this map. Write its id, for example {example}."
        )
    return found


def _quoted(author: Viewer, phase: PhaseInfo, about: About) -> dict[str, object]:
    """The columns of the line of a sheet that a comment is about."""
    if not about.desk:
        return {"version": None, "line": None, "quote": ""}
    if about.desk not in [place.name for place in places(author)]:
        raise Refused(f"Not written: your side has no desk {about.desk[:50]} any more. Write it in the staff room.")
    if not about.line:
        return {"version": None, "line": None, "quote": ""}
    sheet = Sheet.objects.for_viewer(author).filter(
        phase=phase.phase_id, side=author.side, desk=about.desk, version=about.version
    )
    lines = (sheet.values_list("text", flat=True).first() or "").split("\n")
    if about.line > len(lines):
        raise Refused(f"Not written: version {about.version} of this sheet has no line {about.line}. Choose another.")
    quote = lines[about.line - 1].strip()[:LONGEST_QUOTE]
    return {"version": about.version, "line": about.line, "quote": quote}
