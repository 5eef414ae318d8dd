"""Which mails a member gets: each mail leads there, and they stop reports with one click."""

import re
from email import message_from_bytes
from email.policy import SMTP

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from campaign.mail.choices import When
from campaign.mail.mutes import choose, mute, mute_link, mute_path
from campaign.models import Campaign, Membership, OutboxMessage, Role, User
from gm.machine.sweeper import sweep
from tests.gm.campaigns import START

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bradley(campaign: Campaign) -> Membership:
    user = User.objects.create_user("Bradley", "bradley@example.org")
    return Membership.objects.create(campaign=campaign, user=user, role=Role.TACTICAL, side="allied", joined_at=START)


def page_of(member: Membership) -> str:
    return mute_path(member.campaign, member.user)


def test_every_mail_leads_to_the_choice_and_a_report_has_a_button_in_mail_programs(
    bradley: Membership, reader: User
) -> None:
    choose(bradley, {"reports": When.NOW}, quiet_from=None, quiet_to=None)
    sweep(worker="one")
    report, opened = (
        message_from_bytes(bytes(OutboxMessage.objects.get(user=user).message), policy=SMTP)
        for user in (bradley.user, reader)
    )
    assert report["List-Unsubscribe"] == f"<{mute_link(bradley.campaign, bradley.user)}>"
    assert report["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    body = report.get_body(("plain",))
    assert body is not None
    assert f"Choose your mails:\n{mute_link(bradley.campaign, bradley.user)}" in body.get_content().replace("\r", "")
    said = opened.get_body(("plain",))
    assert said is not None
    assert "Choose your mails:" in said.get_content()
    assert opened["List-Unsubscribe"] is None


@pytest.mark.usefixtures("bradley")
def test_a_member_who_muted_reports_is_still_asked(campaign: Campaign, reader: User) -> None:
    for member in campaign.memberships.all():
        mute(member)
    sweep(worker="one")
    assert list(OutboxMessage.objects.values_list("user", "kind")) == [(reader.pk, "opened")]


USUAL = {
    "orders": "now",
    "battles": "now",
    "reports": "digest",
    "reminders": "now",
    "clock": "now",
    "answers": "now",
    "precedents": "digest",
    "receipts": "never",
}


def signed_in(member: Membership) -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(member.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


@pytest.mark.parametrize("reads", ["nobody", "the enemy"])
def test_who_only_has_a_link_from_a_mail_chooses_about_reports_and_sees_nothing_else(
    bradley: Membership, reader: User, reads: str
) -> None:
    User.objects.filter(pk=bradley.user_id).update(time_zone="America/Chicago")
    choose(bradley, {"orders": When.DIGEST}, quiet_from=22, quiet_to=7)
    browser = Client() if reads == "nobody" else signed_in(Membership.objects.get(user=reader))
    page = browser.get(page_of(bradley)).content.decode()
    assert re.findall(r'<select name="(\w+)"', page) == ["reports"]
    assert "America/Chicago" not in page
    assert f"{reverse('account_login')}?next={page_of(bradley)}" in page
    sent = {**dict.fromkeys(USUAL, "never"), "quiet_from": "1", "quiet_to": "23"}
    assert browser.post(page_of(bradley), sent).status_code == 302
    bradley.refresh_from_db()
    assert bradley.mail_choices == {"orders": "digest", "reports": "never"}
    assert (bradley.mails_quiet_from, bradley.mails_quiet_to) == (22, 7)


def test_opening_the_page_changes_nothing_and_saving_does(bradley: Membership) -> None:
    visitor = signed_in(bradley)
    page = visitor.get(page_of(bradley)).content.decode()
    bradley.refresh_from_db()
    assert bradley.mail_choices == {}
    for name, when in USUAL.items():
        chosen = re.search(f'<select name="{name}".*?</select>', page, re.DOTALL)
        assert chosen is not None
        assert re.search(f'value="{when}" selected', chosen[0]), name
    wanted = {**USUAL, "battles": "digest", "reports": "never"}
    assert visitor.post(page_of(bradley), {**wanted, "quiet_from": "22", "quiet_to": "7"}).status_code == 302
    bradley.refresh_from_db()
    assert bradley.mail_choices == wanted
    assert (bradley.mails_quiet_from, bradley.mails_quiet_to) == (22, 7)


@pytest.mark.parametrize(
    "wrong",
    [
        {"quiet_from": "22"},
        {"quiet_to": "7"},
        {"reports": "sometimes"},
        {"quiet_from": "24", "quiet_to": "1"},
        {"quiet_from": "8", "quiet_to": "8"},
    ],
)
def test_what_cannot_be_chosen_changes_nothing_and_is_explained(bradley: Membership, wrong: dict[str, str]) -> None:
    answer = signed_in(bradley).post(page_of(bradley), {**USUAL, **wrong})
    assert answer.status_code == 200
    assert b"errorlist" in answer.content or b'class="error"' in answer.content
    bradley.refresh_from_db()
    assert (bradley.mail_choices, bradley.mails_quiet_from, bradley.mails_quiet_to) == ({}, None, None)


def test_the_page_people_leads_to_the_readers_own_choice(bradley: Membership, reader: User) -> None:
    page = signed_in(bradley).get(f"/c/{bradley.campaign.slug}/people/").content.decode()
    assert f'href="{page_of(bradley)}"' in page
    assert mute_path(bradley.campaign, reader) not in page


def test_the_page_says_that_mails_about_battles_are_gathered(bradley: Membership) -> None:
    page = signed_in(bradley).get(page_of(bradley)).content.decode()
    assert "Your battles (“at once” is within 15 minutes)" in page


def test_only_a_game_master_chooses_about_drafts(campaign: Campaign, bradley: Membership) -> None:
    umpire = User.objects.create_user("Umpire", "umpire@example.org")
    gm = Membership.objects.create(campaign=campaign, user=umpire, role=Role.GM, joined_at=START)
    assert [b'name="drafts"' in signed_in(each).get(page_of(each)).content for each in (bradley, gm)] == [False, True]


def test_a_mail_program_mutes_with_one_post(bradley: Membership) -> None:
    answer = Client(enforce_csrf_checks=True).post(page_of(bradley), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 204
    bradley.refresh_from_db()
    assert bradley.mail_choices == {"reports": "never"}


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
