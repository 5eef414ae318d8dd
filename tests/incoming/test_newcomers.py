"""Members who join while a phase is open are mailed what it asks, with a reply address of their own."""

import re
from typing import Any

import pytest

from campaign.core.failpoints import Provoked
from campaign.models import Mailing, OutboxMessage, PhaseSettings, Role, User
from campaign.people import desks, invitations, memberships
from campaign.viewers import gm_viewer
from gm import newcomers
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.newcomers import ask_newcomers
from incoming.models import ReplyAddress
from tests.incoming.conftest import Mailbox
from tests.mails import plain_text_of
from tests.web.conftest import OUTSIDER

pytestmark = pytest.mark.django_db(transaction=True)


def join(box: Mailbox, who: str = OUTSIDER, *, role: str = Role.DEPUTY, side: str = "german") -> User:
    """Somebody joins by an invitation, some hours after the phase opened."""
    box.time.forward(hours=1)
    gm = gm_viewer(box.cast.user("gm"), box.cast.campaign.slug)
    token = invitations.invite(gm, role=role, side=side, meant_for="", now=box.time.now)
    user = box.cast.user(who)
    invitations.accept_invitation(token, user, now=box.time.now)
    return user


def asked(who: str = OUTSIDER) -> list[OutboxMessage]:
    """The mails that ask somebody for orders, the oldest first."""
    return list(OutboxMessage.objects.filter(kind="opened", user__username=who).order_by("pk"))


def text(mail: OutboxMessage) -> str:
    return plain_text_of(mail.message).replace("\r\n", "\n")


def reply_to(mail: OutboxMessage) -> str:
    return next(line for line in mail.message.decode().split("\r\n") if line.startswith("Reply-To: "))[10:]


def test_a_deputy_who_joins_is_mailed_a_template_and_their_reply_counts(box: Mailbox) -> None:
    join(box)
    sweep(worker="one")
    (mail,) = asked()
    assert "Please write your\nside’s orders." in text(mail)
    assert re.search(r"^BEGIN ORDERS\n# \w.*: .*(?:\n# .*)*\nALL OTHERS HOLD\nEND ORDERS$", text(mail), re.MULTILINE)
    assert "reply to this mail" in text(mail)
    assert reply_to(mail) == box.address(OUTSIDER)
    assert box.deliver(box.mail("HOLD 12VG"), reply_to(mail)) == {}
    sweep(worker="one")
    assert "is version 1 of the sheet" in box.said(OUTSIDER)
    assert box.phase.all_sheets.get().author == box.cast.user(OUTSIDER)


def test_the_template_is_kept_with_the_address(box: Mailbox) -> None:
    join(box)
    ask_newcomers()
    template = ReplyAddress.objects.get(member__user__username=OUTSIDER).template
    assert template
    assert f"BEGIN ORDERS\n{template}\nEND ORDERS" in text(asked()[0])


def test_they_are_mailed_once_and_nobody_else_is(box: Mailbox) -> None:
    join(box)
    assert ask_newcomers() == 1
    assert ask_newcomers() == 0
    assert set(OutboxMessage.objects.filter(kind="opened").values_list("user__username", flat=True)) == {OUTSIDER}


def test_staff_is_mailed_once_they_have_a_desk(box: Mailbox) -> None:
    join(box, role=Role.STAFF)
    assert ask_newcomers() == 0
    box.time.forward(minutes=10)
    gm, holder = gm_viewer(box.cast.user("gm"), box.cast.campaign.slug), box.cast.member(OUTSIDER)
    desks.set_desk(gm, name="7 Army", formations=["7th Army"], holder=holder, now=box.time.now)
    assert ask_newcomers() == 1
    (mail,) = asked()
    assert "the\norders of your desk, 7 Army." in text(mail)


def test_who_was_there_and_gets_a_desk_is_mailed_too(box: Mailbox) -> None:
    box.time.forward(hours=1)
    gm, holder = gm_viewer(box.cast.user("gm"), box.cast.campaign.slug), box.cast.member("german staff")
    desks.set_desk(gm, name="7 Army", formations=["7th Army"], holder=holder, now=box.time.now)
    assert ask_newcomers() == 1
    assert len(asked("german staff")) == 1


def test_a_promoted_member_gets_an_address_for_their_new_part(box: Mailbox) -> None:
    before = box.address("german staff")
    box.time.forward(hours=1)
    gm, member = gm_viewer(box.cast.user("gm"), box.cast.campaign.slug), box.cast.member("german staff")
    memberships.change_role(gm, member, role=Role.DEPUTY, side="german", now=box.time.now)
    assert ask_newcomers() == 1
    (mail,) = asked("german staff")
    assert reply_to(mail) == box.address("german staff") != before


def test_a_side_that_has_nothing_to_do_is_not_mailed_before_its_own_phase(box: Mailbox) -> None:
    join(box, side="allied")
    assert ask_newcomers() == 0
    assert ReplyAddress.objects.filter(member__user__username=OUTSIDER).exists(), "they are not looked at again"
    box.sends("READY")
    sweep(worker="one")
    assert len(asked()) == 1


@pytest.mark.parametrize(("role", "side"), [(Role.SPECTATOR, ""), (Role.GM, ""), (Role.TACTICAL, "german")])
def test_those_who_order_nothing_are_not_mailed(box: Mailbox, role: str, side: str) -> None:
    join(box, role=role, side=side)
    assert ask_newcomers() == 0


def test_a_phase_that_was_reopened_asks_them_again(box: Mailbox) -> None:
    box.sends("READY")
    sweep(worker="one")
    box.time.forward(hours=1)
    reopen(gm_viewer(box.cast.user("gm"), box.cast.campaign.slug), reason="the wrong map")
    join(box)
    assert ask_newcomers() == 1


def test_a_campaign_that_mails_digests_alone_writes_none(box: Mailbox) -> None:
    PhaseSettings.objects.update(mailing=Mailing.DIGEST)
    join(box)
    assert ask_newcomers() == 0
    assert not asked()


def test_a_site_that_takes_no_mail_writes_none(box: Mailbox, settings: Any) -> None:
    settings.MAIL_IN = ""
    join(box)
    assert ask_newcomers() == 0
    assert not asked()


def test_a_killed_worker_loses_no_newcomer(box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(_: str) -> None:
        raise Provoked

    join(box)
    with monkeypatch.context() as patch:
        patch.setattr(newcomers, "fp", killed)
        ask_newcomers()
    assert not asked()
    assert ask_newcomers() == 1
