"""What a player does with a sheet: check it, save a draft, submit it, withdraw it."""

from django.db.models import Max

from campaign.core import clock
from campaign.engine.orders.notation import MOST_CHARACTERS
from campaign.engine.orders.order import Problem, Severity
from campaign.selectors import PhaseInfo, knowledge
from campaign.viewers import Viewer
from orders.answers import Answer, answer
from orders.desks import Place, still_writes
from orders.intake import NotYours, Receipt, Submission, TooLate, storable, submit
from orders.mail import receipt_message
from orders.models import Channel, Draft, Sheet
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


class Overtaken(Exception):
    """The draft is older than a version that its writer has submitted since; that newer text is kept."""

    def __init__(self, newest: int) -> None:
        super().__init__(f"you submitted version {newest} after you began this text")
        self.newest = newest


def answered(viewer: Viewer, phase: PhaseInfo, place: Place, text: str) -> Answer:
    """The answer to a desk's sheet, together with the sheets that the other desks of its side have sent.

    If the phase closes while somebody writes and the other side's opens, none of their lines is an order for that
    one.
    """
    if place.side not in phase.writers:
        return Answer((), (_NOT_ITS_PHASE,), ready=False, written=bool(text.strip()))
    return answer(knowledge(viewer), phase.key, place, text, other_desks(viewer, phase, place))


def begun(viewer: Viewer, phase: PhaseInfo, place: Place, text: str) -> str:
    """A sheet to begin with, from a briefing: without the lines that the campaign would refuse in this phase."""
    found = answered(viewer, phase, place, text)
    refused = {problem.line for problem in found.problems if problem.severity is Severity.ERROR}
    return "\n".join(line for number, line in enumerate(text.splitlines(), 1) if number not in refused)


def save_draft(viewer: Viewer, phase: PhaseInfo, place: Place, *, text: str, base_version: int) -> Draft:
    """Save the viewer's draft in place of their earlier one; raises TooLate, TooLong or Overtaken."""
    if not phase.open:
        raise TooLate
    author = viewer.person
    sent = Sheet.objects.for_viewer(viewer).filter(
        phase=phase.phase_id, side=place.side, desk=place.name, author=author
    )
    newest = sent.aggregate(newest=Max("version"))["newest"] or 0
    if base_version < newest:
        raise Overtaken(newest)
    return _keep(viewer, phase, place, text=text, base_version=base_version)


def send(
    viewer: Viewer,
    phase: PhaseInfo,
    place: Place,
    *,
    text: str,
    expected_version: int,
    idem_key: str,
    channel: Channel = Channel.WEB,
) -> Receipt:
    """Submit a desk's sheet. While the phase is open it is saved as a draft first, so that no refusal loses it."""
    if not place.writes:
        raise NotYours
    _require_readable(text)
    if phase.open:
        _keep(viewer, phase, place, text=text, base_version=expected_version)
    receipt = _submit(
        viewer, phase, place, text=text, expected_version=expected_version, idem_key=idem_key, channel=channel
    )
    Draft.objects.for_viewer(viewer).filter(phase=phase.phase_id, side=place.side, desk=place.name).delete()
    return receipt


def withdraw(viewer: Viewer, phase: PhaseInfo, place: Place, *, expected_version: int, idem_key: str) -> Receipt:
    """Withdraw a sheet: an empty version follows it, and the phase's default applies unless another is submitted.

    The draft is unchanged.
    """
    if not place.writes:
        raise NotYours
    return _submit(
        viewer, phase, place, text="", expected_version=expected_version, idem_key=idem_key, channel=Channel.WEB
    )


def _submit(
    viewer: Viewer, phase: PhaseInfo, place: Place, *, text: str, expected_version: int, idem_key: str, channel: Channel
) -> Receipt:
    author, reply = viewer.person, answered(viewer, phase, place, text)
    submission = Submission(
        phase_id=phase.phase_id,
        side=place.side,
        desk=place.name,
        author=author,
        text=text,
        channel=channel,
        idem_key=idem_key,
        expected_version=expected_version,
        ready=reply.ready,
    )
    return submit(
        submission,
        receipt_mail=lambda sheet: receipt_message(sheet=sheet, author=author, answer=reply.text),
        allowed=lambda: still_writes(viewer, place),
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
