"""What a player does with a sheet: check it, save a draft, submit it, withdraw it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from campaign.core import clock
from campaign.engine.orders.notation import MOST_CHARACTERS, lines_of, lines_that_say
from campaign.engine.orders.order import Problem, Ready, Severity, verb_of
from campaign.engine.sheets import DeskSheet
from campaign.engine.values.ids import UnitId
from campaign.mail.choices import wants
from campaign.mail.outbox import MailMessage
from campaign.selectors import Knowledge, PhaseInfo, knowledge
from campaign.viewers import Viewer
from orders.answers import Answer, answer
from orders.choices import NO_CHOICES, Choices, choices, movers
from orders.desks import Place, still_writes
from orders.forms.filling import Fillable, of_sheet
from orders.intake import NotYours, Receipt, Submission, TooLate, storable, submit
from orders.mail import receipt_message
from orders.models import HQ, Channel, Draft, Sheet
from orders.selectors import other_desks

_NOT_ITS_PHASE = Problem(
    "not-acting",
    Severity.ERROR,
    0,
    1,
    "your side has no orders to give in the open phase",
    "Copy what you want to keep, and reload the page.",
)


class TooLong(Exception):
    """The sheet is longer than the limit; nothing was stored."""

    def __init__(self, text: str) -> None:
        super().__init__(f"a sheet can have at most {MOST_CHARACTERS:,} characters, and this one has {len(text):,}")


class NothingToWithdraw(Exception):
    """Nothing is submitted for the desk, or it is withdrawn already; nothing was stored."""


class NotReady(Exception):
    """The desk's newest sheet is not READY, so nothing was cancelled or stored."""


class OtherDraft(Exception):
    """The draft is not the one that its writer has seen; that one is kept."""


class Overtaken(Exception):
    """The draft is older than a version that its writer has submitted since; that newer text is kept."""

    def __init__(self, newest: int) -> None:
        super().__init__(f"you submitted version {newest} after you began this text")
        self.newest = newest


def answered(viewer: Viewer, phase: PhaseInfo, place: Place, text: str, *, known: Knowledge | None = None) -> Answer:
    """The answer to a desk's sheet, together with the sheets that the other desks of its side have sent.

    `known`: what the viewer knows, if it has been read already. If the phase closes while somebody writes and the other
    side's opens, none of their lines is an order for that one.
    """
    if place.side not in phase.writers:
        return Answer((), (_NOT_ITS_PHASE,), ready=False, written=bool(text.strip()))
    return answer(known or knowledge(viewer), phase.key, place, text, other_desks(viewer, phase, place))


def offered(
    viewer: Viewer, phase: PhaseInfo, place: Place, text: str, unit: UnitId | None, *, instead: bool = False
) -> Choices:
    """What a desk may add to its sheet, together with the sheets that the other desks of its side have sent.

    `instead`: what may replace all lines about the unit. Nothing, if its side does not act in the phase.
    """
    if place.side not in phase.acts:
        return NO_CHOICES
    sheets = [DeskSheet(text, place.name, place.formations), *other_desks(viewer, phase, place)]
    return choices(knowledge(viewer), phase.key, sheets, side=place.side, unit=unit, instead=instead)


def movable(viewer: Viewer, phase: PhaseInfo, place: Place, text: str) -> list[UnitId]:
    """The units of a desk that can still move with its sheet so far; none if its side does not act in the phase."""
    if place.side not in phase.acts:
        return []
    sheets = [DeskSheet(text, place.name, place.formations), *other_desks(viewer, phase, place)]
    return movers(knowledge(viewer), phase.key, sheets, side=place.side)


def fillable(viewer: Viewer, phase: PhaseInfo, place: Place, text: str, *, known: Knowledge | None = None) -> Fillable:
    """A desk's sheet with the forms that fill it in, as far as its side knows."""
    sheets = [DeskSheet(text, place.name, place.formations), *other_desks(viewer, phase, place)]
    return of_sheet(known or knowledge(viewer), phase.key, sheets, side=place.side)


def begun(viewer: Viewer, phase: PhaseInfo, place: Place, text: str) -> str:
    """A sheet to begin with, from a briefing: without the lines that the campaign would refuse in this phase."""
    found = answered(viewer, phase, place, text)
    refused = {problem.line for problem in found.problems if problem.severity is Severity.ERROR}
    return "\n".join(line for number, line in enumerate(lines_of(text), 1) if number not in refused)


def with_ready(text: str) -> str:
    """The sheet with READY as its last line, unless it has it."""
    if any(says for _, says in lines_that_say(text, _READY)):
        return text
    return f"{text.rstrip()}\nREADY\n".lstrip("\n")


def without_ready(text: str) -> str:
    """The sheet without its lines that say READY."""
    return "".join(line for line, says in lines_that_say(text, _READY) if not says)


_READY = verb_of(Ready)


def save_draft(viewer: Viewer, phase: PhaseInfo, place: Place, *, text: str, base_version: int) -> Draft:
    """Save the viewer's draft in place of their earlier one; raises TooLate, TooLong or Overtaken.

    What they submitted by hand in the meantime is newer than this. What a program submitted, or a withdrawal, is not:
    neither touches the draft.
    """
    _require_current(viewer, phase, place, base_version)
    return _keep(viewer, phase, place, text=text, base_version=base_version)


def replace_draft(
    viewer: Viewer, phase: PhaseInfo, place: Place, *, text: str, base_version: int, seen: datetime | None
) -> Draft:
    """The same, unless the present draft is another than the one that was saved at this time, or than none.

    Raises OtherDraft in that case, so that a program never replaces what a person has written meanwhile.
    """
    _require_current(viewer, phase, place, base_version)
    _require_readable(text)
    where = {"phase_id": phase.phase_id, "side": place.side, "desk": place.name, "author": viewer.person}
    what = {"text": storable(text), "base_version": base_version, "saved_at": clock.now()}
    drafts = Draft.objects.for_viewer(viewer)
    if seen is not None:
        present = drafts.filter(**where).first()
        is_seen = present is not None and present.saved_at == seen
        done = is_seen and bool(drafts.filter(**where, saved_at=seen).update(**what))
    else:
        _, done = drafts.get_or_create(**where, defaults=what)
    if not done:
        raise OtherDraft
    return drafts.get(**where)


def _require_current(viewer: Viewer, phase: PhaseInfo, place: Place, base_version: int) -> None:
    """Raise TooLate if the phase has closed, Overtaken if the writer has submitted a newer version by hand."""
    if not phase.open:
        raise TooLate
    author = viewer.person
    sent = Sheet.objects.for_viewer(viewer).filter(
        phase=phase.phase_id, side=place.side, desk=place.name, author=author
    )
    by_hand = sent.exclude(channel=Channel.API).exclude(text="")
    newest = by_hand.aggregate(newest=Max("version"))["newest"] or 0
    if base_version < newest:
        raise Overtaken(newest)


def send(
    viewer: Viewer,
    phase: PhaseInfo,
    place: Place,
    *,
    text: str,
    expected_version: int,
    idem_key: str,
    channel: Channel = Channel.WEB,
    for_side: bool = False,
) -> Receipt:
    """Submit a desk's sheet. While the phase is open it is saved as a draft first, so that no refusal loses it.

    `for_side`: HQ is READY for all desks of its side; NotYours for other desks.

    A program keeps what it sends: the draft of the person that it works for stays, unless it is the same text.
    """
    if not place.writes or (for_side and place.name != HQ):
        raise NotYours
    _require_readable(text)
    by_hand = channel is not Channel.API
    if phase.open and by_hand:
        _keep(viewer, phase, place, text=text, base_version=expected_version)
    sent = _Sent(text=text, expected_version=expected_version, idem_key=idem_key, channel=channel, for_side=for_side)
    receipt = _submit(viewer, phase, place, sent)
    drafts = Draft.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name)
    (drafts if by_hand else drafts.filter(text=storable(text))).delete()
    return receipt


def withdraw(
    viewer: Viewer,
    phase: PhaseInfo,
    place: Place,
    *,
    expected_version: int,
    idem_key: str,
    channel: Channel = Channel.WEB,
) -> Receipt:
    """Withdraw a sheet: an empty version follows it, and the phase's default applies unless another is submitted.

    The draft is unchanged. Raises NothingToWithdraw, and what `send` raises.
    """
    if not place.writes:
        raise NotYours
    return _submit(
        viewer,
        phase,
        place,
        _Sent(text="", expected_version=expected_version, idem_key=idem_key, channel=channel),
        allowed=lambda: _has_something(viewer, phase, place, expected_version) and still_writes(viewer, place),
    )


def cancel_ready(
    viewer: Viewer,
    phase: PhaseInfo,
    place: Place,
    *,
    expected_version: int,
    idem_key: str,
    channel: Channel = Channel.WEB,
) -> Receipt:
    """Cancel READY, in effect or not: a version with the same orders follows. The draft is unchanged.

    Raises NotReady, and what `send` raises.
    """
    if not place.writes:
        raise NotYours
    sheets = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name)
    seen = sheets.filter(version=expected_version).first()
    if seen is None or not seen.ready:
        raise NotReady
    text = without_ready(seen.text)
    sent = _Sent(text=text, expected_version=expected_version, idem_key=idem_key, channel=channel)
    return _submit(viewer, phase, place, sent)


def _has_something(viewer: Viewer, phase: PhaseInfo, place: Place, expected_version: int) -> bool:
    """True, or raises NothingToWithdraw. A newer version than the writer has seen is refused as outdated elsewhere."""
    sent = Sheet.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name)
    newest = sent.order_by("-version").first()
    if newest is None or (newest.version == expected_version and not newest.text):
        raise NothingToWithdraw
    return True


@dataclass(frozen=True, kw_only=True)
class _Sent:
    """What somebody submits, and the version that they have seen."""

    text: str
    expected_version: int
    idem_key: str
    channel: Channel
    for_side: bool = False


def _submit(
    viewer: Viewer, phase: PhaseInfo, place: Place, sent: _Sent, *, allowed: Callable[[], bool] | None = None
) -> Receipt:
    author, reply = viewer.person, answered(viewer, phase, place, sent.text)
    submission = Submission(
        phase_id=phase.phase_id,
        side=place.side,
        desk=place.name,
        author=author,
        text=sent.text,
        channel=sent.channel,
        idem_key=sent.idem_key,
        expected_version=sent.expected_version,
        ready=reply.ready,
        for_side=sent.for_side and reply.ready,
    )

    def receipt_mail(sheet: Sheet) -> MailMessage:
        return receipt_message(sheet=sheet, author=author, answer=reply.text)

    return submit(
        submission,
        receipt_mail=receipt_mail if wants(viewer.membership, "receipt") else None,
        allowed=allowed or (lambda: still_writes(viewer, place)),
    )


def _keep(viewer: Viewer, phase: PhaseInfo, place: Place, *, text: str, base_version: int) -> Draft:
    _require_readable(text)
    kept, _ = Draft.objects.for_viewer(viewer).update_or_create(
        phase_id=phase.phase_id,
        side=place.side,
        desk=place.name,
        author=viewer.person,
        defaults={"text": storable(text), "base_version": base_version, "saved_at": clock.now()},
    )
    return kept


def _require_readable(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise TooLong(text)
