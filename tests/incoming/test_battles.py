"""Battles by mail: reported, confirmed, disputed."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from campaign.models import Battle, Campaign, OutboxMessage
from campaign.selectors import knowledge
from gm.gathered_mails import gather_due
from incoming.handling import handle_due
from incoming.models import ReceivedMail
from orders.battles.reading import result_of, whole_brief_of
from tests.battles import KEY, LINES, REPORT, Field, field
from tests.incoming.conftest import DOMAIN, ME, Mailbox, listening
from tests.mails import plain_text_of

__all__ = ["field"]
pytestmark = pytest.mark.django_db(transaction=True)

ENEMY = "allied commander"


@pytest.fixture
def box(field: Field, settings: Any) -> Iterator[Mailbox]:
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN = "smtp", DOMAIN
    mailbox = Mailbox(field.cast, field.time)
    with listening() as port:
        mailbox.port = port
        yield mailbox


def named(lines: str) -> str:
    return f"# Battle: {KEY}\n{lines}"


def test_a_battle_is_reported_and_confirmed_by_mail(box: Mailbox, field: Field) -> None:
    assert box.sends(named(REPORT)).state == "battle"
    assert (field.battle().state, result_of(field.battle())) == ("reported", LINES)
    assert "your report is stored" in box.said()
    box.time.forward(minutes=16)
    gather_due(box.time.now)
    asked = OutboxMessage.objects.filter(kind="battles", user__username=ENEMY).latest("pk")
    text = plain_text_of(asked.message).replace("\r\n", "\n")
    assert f"\r\nReply-To: {box.address(ENEMY)}".encode() in asked.message
    assert f"BEGIN ORDERS\n# Battle: {KEY}\n# CONFIRM 1\nEND ORDERS" in text
    assert "RESULT" in text
    assert box.sends(named("CONFIRM 1"), who=ENEMY).state == "battle"
    assert field.battle().state == "confirmed"
    assert "The result is final." in box.said(ENEMY)


def test_a_report_that_was_not_read_is_not_confirmed(box: Mailbox, field: Field) -> None:
    field.report()
    field.report(text=f"{REPORT}\n# again", idem="twice")
    assert box.sends(named("CONFIRM 1"), who=ENEMY).state == "refused"
    assert "The battle has changed since" in box.said(ENEMY)
    assert field.battle().state == "reported"


def test_a_report_is_disputed_by_mail(box: Mailbox, field: Field) -> None:
    field.report()
    assert box.sends(named("DISPUTE 1\nThe bridge was down."), who=ENEMY).state == "battle"
    assert field.battle().state == "disputed"
    assert field.battle().all_statements.get().text == "The bridge was down."


def test_lines_above_a_confirmation_count_as_well_as_those_below(box: Mailbox, field: Field) -> None:
    field.report()
    assert box.sends(f"RETREAT 110/28 to K15\n{named('CONFIRM 1')}", who=ENEMY).state == "battle"
    assert field.battle().state == "confirmed"
    assert result_of(field.battle()) == f"{LINES}\nRETREAT 110/28 to K15"


@pytest.mark.parametrize("lines", ["RETREAT 999XX to Q20\nCONFIRM 1", "CONFIRM 1\nRETREAT 999XX to Q20"])
def test_a_faulty_line_around_a_confirmation_confirms_nothing(box: Mailbox, field: Field, lines: str) -> None:
    field.report()
    assert box.sends(named(lines), who=ENEMY).state == "refused"
    assert f"Line {named(lines).split(chr(10)).index('RETREAT 999XX to Q20') + 1}. Ignored: " in box.answer(ENEMY)
    assert field.battle().state == "reported"


def test_a_statement_may_begin_above_the_line_that_disputes(box: Mailbox, field: Field) -> None:
    field.report()
    assert box.sends(named("The bridge was down.\nDISPUTE 1: So\nnobody crossed."), who=ENEMY).state == "battle"
    assert field.battle().all_statements.get().text == "The bridge was down.\nSo\nnobody crossed."


def test_who_confirms_and_disputes_in_one_mail_is_asked_which(box: Mailbox, field: Field) -> None:
    field.report()
    assert box.sends(named("CONFIRM 1\nDISPUTE 1\nThe bridge was down."), who=ENEMY).state == "refused"
    assert "Send your answer again with one such line." in box.said(ENEMY)
    assert field.battle().state == "reported"


def test_a_faulty_report_is_answered_line_by_line(box: Mailbox, field: Field) -> None:
    assert box.sends(named("RESULT K16 attackers\nLOSSES 999XX 8")).state == "refused"
    assert "Line 3. Ignored: " in box.answer()
    assert field.battle().state == "open"


def test_who_fights_several_battles_names_one(box: Mailbox, field: Field) -> None:
    assert Battle.objects.filter(phase=field.phase).count() > 1
    assert box.sends(REPORT).state == "refused"
    assert "Begin the lines of one with its name, like # Battle: " in box.said()


def test_who_does_not_fight_it_reports_nothing(box: Mailbox, field: Field) -> None:
    assert box.sends(named(REPORT), who="german tactical").state == "refused"
    assert field.battle().state == "open"


def test_a_mailed_report_counts_once(box: Mailbox, field: Field) -> None:
    raw = box.mail(named(REPORT)).as_bytes()
    for _ in range(2):
        box.deliver(raw, box.address(ME))
        handle_due(most=9)
    assert ReceivedMail.objects.count() == 1
    assert field.battle().all_reports.count() == 1
    assert field.battle().accepts_at == box.time.now + timedelta(hours=48)


def test_what_our_mail_server_refutes_reports_nothing(box: Mailbox, field: Field, settings: Any) -> None:
    settings.MAIL_IN_JUDGE = "mx.example.org"
    refuted = {"Authentication_Results": "mx.example.org; dmarc=fail"}
    assert box.sends(named(REPORT), **refuted).state == "refused"
    assert field.battle().state == "open"


def test_nothing_of_a_battle_counts_where_mailed_orders_are_confirmed_on_the_site(box: Mailbox, field: Field) -> None:
    Campaign.objects.update(confirms_mail=True)
    assert box.sends(named(REPORT)).state == "refused"
    assert "are confirmed on the site. Write it on the site." in box.said()
    assert field.battle().state == "open"
    field.report()
    for answer in ("CONFIRM 1", "DISPUTE 1\nThe bridge was down."):
        assert box.sends(named(answer), who=ENEMY).state == "refused"
    assert field.battle().state == "reported"


def test_a_quoted_template_is_no_report(box: Mailbox, field: Field) -> None:
    viewer = field.viewer(ME)
    template = whole_brief_of(viewer, knowledge(viewer), KEY).template
    assert box.sends(named(template), text="We play on Sunday.").state == "unreadable"
    assert field.battle().state == "open"
