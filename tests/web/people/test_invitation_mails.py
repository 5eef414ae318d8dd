"""Invitations that Fieldpost mails: to whom, what is in them, and what is left of them."""

from datetime import timedelta

import pytest
from django.core import mail as django_mail

from campaign.mail.bounces import note_bounce
from campaign.mail.delivery import send_due
from campaign.models import Invitation, OutboxMessage, OutboxState, Role
from campaign.people import invitations
from campaign.people.invitation_mails import forget_addresses
from campaign.people.throttles import INVITATIONS
from campaign.viewers import gm_viewer
from tests.gm.campaigns import START, Clock
from tests.mails import plain_text_of
from tests.web.conftest import OUTSIDER, Cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("time")]

FORM = {"invite-role": "staff", "invite-side": "allied", "invite-meant_for": ""}


def invite(cast: Cast, addresses: str) -> str:
    answer = cast.browser("gm").post(cast.address("people/invite/"), {**FORM, "invite-addresses": addresses})
    return answer.content.decode()


def mailed(address: str = "wolfgang@example.org") -> str:
    """The link's secret part, as one person with an account mailed it."""
    return token_in(OutboxMessage.objects.get(to_addr=address, state=OutboxState.WAITING))


def token_in(mail: OutboxMessage) -> str:
    return plain_text_of(bytes(mail.message)).partition("/invitation/")[2].partition("/")[0]


def mails() -> dict[str, OutboxMessage]:
    return {mail.to_addr: mail for mail in OutboxMessage.objects.filter(kind="invitation")}


def test_every_address_gets_a_link_of_its_own(cast: Cast) -> None:
    said = invite(cast, "wolfgang@example.org, ada@example.org;\n wolfgang@example.org")
    assert mails().keys() == {"wolfgang@example.org", "ada@example.org"}
    links = {address: token_in(mail) for address, mail in mails().items()}
    assert len(set(links.values())) == 2
    for address, token in links.items():
        invitation = invitations.invitation_of(token, now=START)
        assert (invitation.role, invitation.side, invitation.address) == ("staff", "allied", address)
        assert f"/invitation/{token}/" in said


def test_the_mail_says_who_invites_to_what(cast: Cast) -> None:
    invite(cast, "wolfgang@example.org")
    text = plain_text_of(bytes(mails()["wolfgang@example.org"].message)).replace("\r\n", " ")
    assert "gm is game master of “The Bulge” and invites you to join as Allied staff." in text
    assert "If you do not know gm, ignore this mail." in text
    assert cast.campaign.slug not in text


def test_somebody_with_the_mailed_link_joins_and_their_address_is_forgotten(cast: Cast, time: Clock) -> None:
    invite(cast, "wolfgang@example.org")
    send_due(time.now)
    cast.browser(OUTSIDER).post(f"/invitation/{_sent()}/")
    assert cast.campaign.memberships.filter(user=cast.user(OUTSIDER), role=Role.STAFF, side="allied").exists()
    assert forget_addresses(time.now) == 1
    assert Invitation.objects.get().address == ""
    assert not mails()


def _sent() -> str:
    """The token of a mail that went out: the outbox has it no more, so the mail server is asked."""
    assert not any(bytes(row.message) for row in mails().values())
    (sent,) = [each for each in django_mail.outbox if each.to == ["wolfgang@example.org"]]
    return sent.message().as_string().partition("/invitation/")[2].partition("/")[0]


def test_a_new_link_replaces_the_old_one_and_stops_its_mail(cast: Cast) -> None:
    invite(cast, "wolfgang@example.org")
    old = mailed()
    digest = Invitation.objects.get().token_digest
    browser = cast.browser("gm")
    said = browser.post(cast.address("people/renew/"), {"invitation": digest}).content.decode()
    new = mailed()
    assert f"/invitation/{new}/" in said
    with pytest.raises(invitations.SpentInvitation):
        invitations.invitation_of(old, now=START)
    assert invitations.invitation_of(new, now=START).address == "wolfgang@example.org"
    stopped = OutboxMessage.objects.get(state=OutboxState.DEAD)
    assert (bytes(stopped.message), stopped.trouble) == (b"", "withdrawn")
    assert browser.post(cast.address("people/renew/"), {"invitation": digest}).status_code == 404


def test_a_withdrawn_invitation_is_not_mailed(cast: Cast, time: Clock) -> None:
    invite(cast, "wolfgang@example.org")
    viewer = gm_viewer(cast.user("gm"), cast.campaign.slug)
    invitations.revoke_invitation(viewer, Invitation.objects.get().token_digest, now=START)
    assert send_due(time.now + timedelta(minutes=1)) == 0


def test_a_mail_that_was_under_way_when_its_link_was_withdrawn_is_not_tried_again(cast: Cast, time: Clock) -> None:
    invite(cast, "wolfgang@example.org")
    OutboxMessage.objects.update(state=OutboxState.SENDING)
    viewer = gm_viewer(cast.user("gm"), cast.campaign.slug)
    invitations.revoke_invitation(viewer, Invitation.objects.get().token_digest, now=START)
    OutboxMessage.objects.update(state=OutboxState.WAITING)  # its server said: later
    assert send_due(time.now + timedelta(minutes=1)) == 0
    assert OutboxMessage.objects.get().trouble == "the invitation is void"
    assert forget_addresses(time.now) == 1
    assert not mails()


def test_the_gm_reads_what_became_of_each_mail(cast: Cast, time: Clock) -> None:
    invite(cast, "wolfgang@example.org")
    page = cast.browser("gm").get(cast.address("people/")).content.decode()
    assert "waiting to be" in page
    send_due(time.now)
    page = cast.browser("gm").get(cast.address("people/")).content.decode()
    assert "waiting to be" not in page
    assert ">mailed<" in page
    assert "wolfgang@example.org" not in cast.browser("german commander").get(cast.address("people/")).content.decode()
    note_bounce(mails()["wolfgang@example.org"], "5.1.1", now=time.now)
    page = cast.browser("gm").get(cast.address("people/")).content.decode()
    assert "came back: There is no such mailbox (5.1.1)." in " ".join(page.split())


@pytest.mark.parametrize(
    ("addresses", "why"),
    [
        ("wolfgang", "“wolfgang” is not a mail address"),
        ("ada@example.org, <b>@x", "“&lt;b&gt;@x” is not a mail address"),
        (" ".join(f"a{number}@example.org" for number in range(11)), "These are 11 addresses. Invite 10 at a time."),
    ],
)
def test_wrong_addresses_are_named_and_nobody_is_invited(cast: Cast, addresses: str, why: str) -> None:
    assert why in invite(cast, addresses)
    assert not Invitation.objects.exists()
    assert not mails()


def test_nobody_mails_invitations_without_end(cast: Cast) -> None:
    for form in range(INVITATIONS.number // 10):
        invite(cast, " ".join(f"a{form}{number}@example.org" for number in range(10)))
    assert len(mails()) == INVITATIONS.number
    assert "last@example.org" in invite(cast, "last@example.org"), "the words are there to copy"
    assert len(mails()) == INVITATIONS.number


def test_a_form_with_more_addresses_than_are_left_invites_nobody(cast: Cast) -> None:
    for form in range(INVITATIONS.number // 10 - 1):
        invite(cast, " ".join(f"a{form}{number}@example.org" for number in range(10)))
    invite(cast, "one@example.org")
    before = len(mails())
    invite(cast, " ".join(f"b{number}@example.org" for number in range(10)))
    assert len(mails()) == before
