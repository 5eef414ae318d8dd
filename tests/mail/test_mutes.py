"""Muting: a member can do without mails that only report, with one click and without logging in."""

import re
from email import message_from_bytes
from email.policy import SMTP

import pytest
from django.test import Client
from pytest_django import Settings

from campaign.mail.mutes import mute, mute_link
from campaign.models import Campaign, Membership, OutboxMessage, Role, User
from gm.machine.sweeper import sweep
from tests.gm.campaigns import START

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bradley(campaign: Campaign) -> Membership:
    user = User.objects.create_user("Bradley", "bradley@example.org")
    return Membership.objects.create(campaign=campaign, user=user, role=Role.TACTICAL, side="allied", joined_at=START)


def page_of(member: Membership) -> str:
    return mute_link(member).removeprefix("http://localhost:8000")


def test_a_report_says_how_to_be_rid_of_it_and_an_order_mail_does_not(bradley: Membership, reader: User) -> None:
    sweep(worker="one")
    report, opened = (
        message_from_bytes(bytes(OutboxMessage.objects.get(user=user).message), policy=SMTP)
        for user in (bradley.user, reader)
    )
    assert report["List-Unsubscribe"] == f"<{mute_link(bradley)}>"
    assert report["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    body = report.get_body(("plain",))
    assert body is not None
    assert mute_link(bradley) in body.get_content()
    assert opened["List-Unsubscribe"] is None


@pytest.mark.usefixtures("bradley")
def test_a_member_who_muted_reports_is_still_asked(campaign: Campaign, reader: User) -> None:
    for member in campaign.memberships.all():
        mute(member)
    sweep(worker="one")
    assert list(OutboxMessage.objects.values_list("user", "kind")) == [(reader.pk, "opened")]


def test_opening_the_page_changes_nothing_and_its_button_does(bradley: Membership) -> None:
    visitor = Client(enforce_csrf_checks=True)
    for wanted, muted in (("off", True), ("on", False)):
        page = visitor.get(page_of(bradley)).content.decode()
        bradley.refresh_from_db()
        assert bradley.mutes_reports is not muted
        assert re.search(f'<form method="post"><button name="reports" value="{wanted}">', page)
        assert visitor.post(page_of(bradley), {"reports": wanted}).status_code == 302
        bradley.refresh_from_db()
        assert bradley.mutes_reports is muted


def test_a_mail_program_mutes_with_one_post(bradley: Membership) -> None:
    answer = Client(enforce_csrf_checks=True).post(page_of(bradley), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 204
    bradley.refresh_from_db()
    assert bradley.mutes_reports


def test_the_address_in_older_mails_outlives_a_key_that_is_changed_on_purpose(
    bradley: Membership, settings: Settings
) -> None:
    older, before = page_of(bradley), settings.SECRET_KEY
    settings.SECRET_KEY = "another key than the one before"  # noqa: S105
    assert Client().get(older).status_code == 404
    settings.SECRET_KEY_FALLBACKS = [before]
    assert page_of(bradley) != older
    for path in (older, page_of(bradley)):
        assert Client().get(path).status_code == 200


def test_an_address_is_one_members_and_nobody_guesses_it(campaign: Campaign, bradley: Membership) -> None:
    others = [page_of(member) for member in campaign.memberships.exclude(pk=bradley.pk)]
    assert page_of(bradley) not in others
    Membership.objects.filter(pk=bradley.pk).update(left_at=START)
    for path in (page_of(bradley), "/c/bulge/mails/guess/", "/c/nowhere/mails/guess/"):
        assert Client().get(path).status_code == 404
        assert Client().post(path).status_code == 404
