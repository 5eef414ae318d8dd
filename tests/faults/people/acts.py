"""Acts that the campaigns under faults do not contain, by the failpoint that each passes.

For each there is a function that prepares it and returns the function that does it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from tempfile import TemporaryFile
from typing import IO

from django.test import override_settings
from PIL import Image

from campaign.links import make_link, revoke_link
from campaign.mail.outbox import enqueue
from campaign.mail.secret_addresses import address_with
from campaign.models import Agreed, Campaign, Membership, OutboxMessage, Phase, PhaseState
from campaign.services import change_settings
from campaign.viewers import Viewer
from gm.desk.closing import abandon
from gm.desk.consents import agree
from gm.desk.corrections import write_rulings
from gm.desk.draws import offer_draw, withdraw_offer
from gm.desk.exposure import Notify, expose
from gm.desk.reminders import remind_due
from gm.desk.reopening import reopen
from gm.desk.view_as import note_view_as
from gm.machine.sweeper import sweep
from gm.newcomers import ask_newcomers
from gm.phases import approval
from gm.phases.battles import accept_overdue
from gm.phases.lifecycle import MOST_ERRORS, claim, fail, fail_unclaimed, retry, undo
from gm.phases.locking import lock
from gm.phases.opening import start_complete
from gm.phases.rolls import announce, void
from incoming.addresses import reply_header
from incoming.confirming import confirm, unconfirmed
from incoming.handling import drop_unconfirmed, handle, summarise_due
from incoming.models import Answering, MailState, ReceivedMail, ReturnedMail, ReturnState
from incoming.reading import Fate, Report
from incoming.receiving import take
from incoming.returned import conclude_report, handle_returned
from questions.models import Question, RuleAnswer
from questions.writing import Written, answer, ask, state_of, withdraw
from stories import maps as map_pictures
from stories import writing as stories
from stories.models import Story
from stories.telling import choose
from tests.battles import KEY, Field
from tests.faults.people import posts
from tests.gm.campaigns import live, new_campaign, review_drafts, send
from tests.mail.writing import composed

Act = Callable[[], object]
Ready = Callable[[Field], Act]


def gm_of(field: Field) -> Viewer:
    return field.viewer("gm")


def reporting(field: Field) -> Act:
    return field.report


def deciding(field: Field) -> Act:
    field.report()
    field.confirm()
    return lambda: field.decide(f"RESULT {KEY} defenders")


def accepting(field: Field) -> Act:
    field.report()
    field.time.forward(hours=field.cast.campaign.battle_hours)
    return lambda: accept_overdue(field.time.now)


def closing(field: Field) -> Act:
    return lambda: abandon(gm_of(field), reason="No time left.")


def agreeing(field: Field) -> Act:
    abandon(gm_of(field), reason="No time left.")
    return lambda: agree(field.viewer("german commander"), Agreed.NOTES)


def exposing(field: Field) -> Act:
    make_link(gm_of(field), 1, "german", now=field.time.now)
    return lambda: expose(gm_of(field), no=1, rev=0, side="german", what="in the wrong thread", tells=Notify.ALL)


def creating(_field: Field) -> Act:
    return lambda: new_campaign("another")


def linking(field: Field) -> Act:
    return lambda: make_link(gm_of(field), 1, "german", now=field.time.now)


def unlinking(field: Field) -> Act:
    link = make_link(gm_of(field), 1, "german", now=field.time.now)
    return lambda: revoke_link(gm_of(field), link.token, now=field.time.now)


def looking(field: Field) -> Act:
    return lambda: note_view_as(gm_of(field), 1, "german")


def reminding(field: Field) -> Act:
    field.time.now = field.phase.deadline_at - timedelta(hours=1)
    return lambda: remind_due(field.time.now)


def asking_newcomers(field: Field) -> Act:
    field.time.forward(hours=1)
    Membership.objects.filter(user__username="german deputy").update(joined_at=field.time.now)
    return _newcomers_are_asked


def _newcomers_are_asked() -> None:
    with _TAKES:
        ask_newcomers()


def reopening(field: Field) -> Act:
    return lambda: reopen(gm_of(field), reason="the wrong map")


def changing_settings(field: Field) -> Act:
    return lambda: change_settings(field.cast.campaign, absent_hours=3)


def starting(field: Field) -> Act:
    Phase.objects.exclude(no=0).update(state=PhaseState.WITHDRAWN)
    Phase.objects.filter(no=0).update(state=PhaseState.OPEN, held=True)
    return lambda: start_complete(field.time.now)


# --- on a locked phase ------------------------------------------------------------------------------------------------


def locked(field: Field) -> Phase:
    send(field.phase, field.cast.user("gm"), f"RESULT {KEY} attackers", side="gm", ready=True)
    assert lock(field.phase.pk)
    return live(field.cast.campaign)


def failing(field: Field) -> Act:
    mine = claim(locked(field).pk, worker="one")
    assert mine is not None
    return lambda: fail(mine)


def failing_unclaimed(field: Field) -> Act:
    phase = locked(field)
    return lambda: fail_unclaimed(phase.pk)


def retrying(field: Field) -> Act:
    phase = locked(field)
    for _ in range(MOST_ERRORS):
        fail_unclaimed(phase.pk)
    return lambda: retry(phase.pk)


# --- on a draft ------------------------------------------------------------------------------------------------------


def drafted(field: Field) -> Phase:
    review_drafts()
    phase = locked(field)
    return swept(phase)


def swept(phase: Phase) -> Phase:
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW
    return phase


def ruling(field: Field) -> Act:
    phase = drafted(field)
    return lambda: ruled(field, phase)


def ruled(field: Field, phase: Phase) -> bool:
    return write_rulings(
        phase,
        fence=phase.fence,
        stage=phase.key,
        text="FUEL 7",
        reason="a dump burnt",
        author=field.cast.user("gm"),
    )


def taking_back(field: Field) -> Act:
    phase = drafted(field)
    assert ruled(field, phase)
    fence = swept(phase).fence
    return lambda: undo(phase.pk, fence=fence, seq=1)


def rolling(field: Field) -> Act:
    phase = drafted(field)
    return lambda: rolled(field, phase)


def rolled(field: Field, phase: Phase) -> bool:
    author = field.cast.user("gm")
    return announce(phase.pk, fence=phase.fence, audience="german", count=2, sides=6, purpose="a bridge", author=author)


def voiding(field: Field) -> Act:
    phase, author = drafted(field), field.cast.user("gm")
    assert rolled(field, phase)
    said = {"audience": "german", "label": "manual/1", "reason": "the wrong one"}
    return lambda: void(phase.pk, fence=phase.fence, author=author, **said)


def approving(field: Field) -> Act:
    phase = thought_over(field)
    return lambda: approval.give(phase.pk, fence=phase.fence, author=field.cast.user("gm"))


def cancelling(field: Field) -> Act:
    phase, author = thought_over(field), field.cast.user("gm")
    assert approval.give(phase.pk, fence=phase.fence, author=author)
    return lambda: approval.cancel(phase.pk, fence=phase.fence, author=author)


def publishing_as_approved(field: Field) -> Act:
    phase = thought_over(field)
    assert approval.give(phase.pk, fence=phase.fence, author=field.cast.user("gm"))
    field.time.forward(seconds=60)
    return lambda: approval.publish_approved(field.time.now)


def thought_over(field: Field) -> Phase:
    """A draft in a campaign in which the GM can think again."""
    phase = drafted(field)
    Campaign.objects.update(think_seconds=60)
    return phase


def asking(field: Field) -> Act:
    return lambda: _asked(field)


def answering(field: Field) -> Act:
    question = _asked(field)
    return lambda: _answered(field, question, "It may.")


def correcting(field: Field) -> Act:
    question = _asked(field)
    _answered(field, question, "It may.")
    return lambda: _answered(field, question, "It may not.")


def withdrawing(field: Field) -> Act:
    question = _asked(field)
    mark = _answered(field, question, "It may.").mark
    return lambda: withdraw(gm_of(field), question, mark, now=field.time.now)


def _asked(field: Field) -> Question:
    return ask(field.viewer("german commander"), "May 12 SS cross?", rule="R1", line="", now=field.time.now)


def _answered(field: Field, question: Question, text: str) -> RuleAnswer:
    gm, said = gm_of(field), Written(reach="all", rule="R1", asked="May a unit cross?", text=text)
    return answer(gm, question, said, seen=state_of(gm, question), shown=said.mark, now=field.time.now)


# --- stories, pictures of battle maps, offers of a draw --------------------------------------------------------------


def writing_story(field: Field) -> Act:
    return lambda: _written(field)


def removing_story(field: Field) -> Act:
    _written(field)
    return lambda: stories.remove(field.viewer("german commander"), _story_of(field))


def opening_story(field: Field) -> Act:
    story = _written(field)
    return lambda: choose(gm_of(field), story.token, "sides", seen=story.version)


def shutting_story(field: Field) -> Act:
    story = _written(field)
    choose(gm_of(field), story.token, "sides", seen=story.version)
    return lambda: choose(gm_of(field), story.token, "nobody", seen=story.version)


def _written(field: Field) -> Story:
    with _photo() as file:
        draft = stories.Draft(text="We crossed the Our.", captions={}, removed=(), picture=file)
        return stories.save(field.viewer("german commander"), _story_of(field), draft)


def _story_of(field: Field) -> stories.Which:
    return stories.Which(no=field.phase.no, rev=field.phase.rev, key=KEY)


def adding_picture(field: Field) -> Act:
    return lambda: _added(field)


def removing_picture(field: Field) -> Act:
    _added(field)
    (picture,) = map_pictures.pictures_of(gm_of(field), field.battle())
    return lambda: map_pictures.remove_picture(gm_of(field), field.which(), picture.token)


def _added(field: Field) -> None:
    with _photo() as file:
        map_pictures.add_picture(field.viewer("german commander"), field.which(), file, "The north edge")


@contextmanager
def _photo() -> Iterator[IO[bytes]]:
    with TemporaryFile() as file:
        Image.new("RGB", (40, 30), "red").save(file, "PNG")
        yield file


def offering_draw(field: Field) -> Act:
    return lambda: offer_draw(field.viewer("german commander"))


def withdrawing_offer(field: Field) -> Act:
    offer_draw(field.viewer("german commander"))
    return lambda: withdraw_offer(field.viewer("german commander"))


# --- by mail ---------------------------------------------------------------------------------------------------------

_MAIL = b"From: a@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nBEGIN ORDERS\r\nREADY\r\nEND ORDERS\r\n"
_TAKES = override_settings(MAIL_IN="smtp", MAIL_IN_DOMAIN="example.org")


def taking(field: Field, who: str = "german commander") -> Act:
    with _TAKES:
        address = reply_header(field.phase, field.cast.member(who))["Reply-To"]
    return lambda: _taken(address)


def _taken(address: str) -> None:
    with _TAKES:
        assert take(_MAIL, [address], from_nobody=False)


def handling_mail(field: Field) -> Act:
    taking(field)()
    return lambda: handle(ReceivedMail.objects.get().pk)


def confirming(field: Field) -> Act:
    taking(field, "gm")()
    ReceivedMail.objects.update(state=MailState.WAITS)
    name = ReceivedMail.objects.get().name
    return lambda: confirm(unconfirmed(gm_of(field), name), expected_version=0)


def dropping(field: Field) -> Act:
    confirming(field)
    Phase.objects.update(state=PhaseState.WITHDRAWN)
    return drop_unconfirmed


def summarising(field: Field) -> Act:
    handling_mail(field)()
    field.time.forward(hours=2)
    ReceivedMail.objects.update(answering=Answering.GATHERED)
    return lambda: summarise_due(field.time.now)


_REPORT = (
    b"From: mailer-daemon@example.org\r\nMessage-ID: <2@example.org>\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/report; report-type=delivery-status; boundary="r"\r\n\r\n--r\r\n'
    b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; example.org\r\n\r\n"
    b"Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--r--\r\n"
)


def reading_report(field: Field) -> Act:
    said = {"key": "news", "kind": "notice", "subject": "News", "text": "News.", "to_addr": "a@example.org"}
    assert enqueue(composed(field.cast.user("german commander"), **said))
    row = OutboxMessage.objects.latest("pk")
    with _TAKES:
        assert take(_REPORT, [address_with(row.return_token)], from_nobody=True)
    return lambda: handle_returned(most=1)


def noting_report(field: Field) -> Act:
    reading_report(field)
    report = Report(Fate.LOST, "5.1.1")
    return lambda: conclude_report(ReturnedMail.objects.get(), ReturnState.LOST, report)


ACTS: Mapping[str, tuple[Ready, ...]] = {
    **posts.ACTS,
    "agree.before_commit": (agreeing,),
    "approve.after_commit": (approving,),
    "approve.before_commit": (approving, cancelling),
    "approve.due": (publishing_as_approved,),
    "battle.after_commit": (reporting, deciding, adding_picture, removing_picture),
    "battle.before_commit": (reporting, deciding, accepting, adding_picture, removing_picture),
    "close.before_commit": (closing,),
    "exposure.before_commit": (exposing,),
    "fail.before_commit": (failing, failing_unclaimed),
    "found.before_commit": (creating,),
    "incoming.after_commit": (taking,),
    "incoming.before_commit": (taking,),
    "incoming.before_confirmation": (confirming,),
    "incoming.before_note": (dropping,),
    "incoming.before_reading": (handling_mail,),
    "incoming.before_summary": (summarising,),
    "link.before_commit": (linking, unlinking),
    "look.before_commit": (looking,),
    "newcomers.before_commit": (asking_newcomers,),
    "offer.before_commit": (offering_draw, withdrawing_offer),
    "question.before_commit": (asking, answering, correcting, withdrawing),
    "reminder.before_commit": (reminding,),
    "reopen.before_commit": (reopening,),
    "reopen.mid": (reopening,),
    "retry.before_commit": (retrying,),
    "returned.before_note": (noting_report,),
    "returned.before_reading": (reading_report,),
    "roll.before_commit": (rolling, voiding),
    "ruling.before_commit": (ruling, taking_back),
    "settings.before_commit": (changing_settings,),
    "start.before_commit": (starting,),
    "story.after_commit": (writing_story,),
    "story.before_commit": (writing_story, removing_story),
    "telling.before_commit": (opening_story, shutting_story),
}
