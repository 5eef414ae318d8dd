"""Mail to a person comes back: they are told on the site until it works, the GM of their own campaign's mails alone."""

from datetime import timedelta
from typing import Any

import pytest

from campaign.mail.bounces import note_bounce, note_written_from, refusal
from campaign.mail.outbox import enqueue
from campaign.models import Campaign, Membership, OutboxMessage, Role, User
from gm.inbox import inbox
from tests.gm.campaigns import START, Clock, new_campaign
from tests.mail.writing import composed
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

ME = "german commander"
NOTICE = "Mail to you comes back."
PAGES = ("/", "/c/bulge/", "/profile/")
LASTING, PASSING = "5.1.1", "4.4.7"


@pytest.fixture(autouse=True)
def takes_mail(settings: Any) -> None:
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN, settings.MAIL_RETURN_PATHS = "smtp", "orders.example.org", True


def sent(cast: Cast, time: Clock, *, who: str = ME, campaign: Campaign | None = None, **more: Any) -> OutboxMessage:
    """A mail to somebody, of a campaign or about their account, which has just left, an hour after the one before."""
    time.forward(hours=1)
    said = {"key": f"{who} {time.now} {campaign}", "kind": "notice", "subject": "News", "text": "News.", **more}
    assert enqueue(composed(cast.user(who), campaign=campaign, **said))
    mail = OutboxMessage.objects.latest("pk")
    OutboxMessage.objects.filter(pk=mail.pk).update(state="sent", sent_at=time.now)
    return mail


def here(cast: Cast, time: Clock, *, who: str = ME) -> OutboxMessage:
    return sent(cast, time, who=who, campaign=cast.campaign, audience=PARTS[who][1])


def comes_back(mail: OutboxMessage, status: str, time: Clock) -> None:
    time.forward(minutes=1)
    note_bounce(mail, status, now=time.now)


def told(cast: Cast, who: str = ME) -> bool:
    """Whether somebody reads that mail to them comes back; all pages that say it agree."""
    browser = cast.browser(who)
    found = {NOTICE in browser.get(page).content.decode() for page in PAGES}
    assert len(found) == 1
    return found.pop()


# --- when it counts --------------------------------------------------------------------------------------------------


def test_one_lasting_failure_counts(cast: Cast, time: Clock) -> None:
    mail = here(cast, time)
    assert not told(cast)
    comes_back(mail, LASTING, time)
    assert told(cast)
    page = cast.browser(ME).get("/profile/").content.decode()
    for part in ("german.commander@example.org", "There is no such mailbox (5.1.1).", "Sun 1 Mar 2026, 13:01 UTC"):
        assert part in page, part


@pytest.mark.parametrize("status", [PASSING, ""])
def test_of_others_two_in_a_row_count(cast: Cast, time: Clock, status: str) -> None:
    first, second = here(cast, time), here(cast, time)
    comes_back(second, status, time)
    assert not told(cast)
    comes_back(first, status, time)
    assert told(cast)


def test_a_mail_between_them_that_nobody_returned_breaks_the_row(cast: Cast, time: Clock) -> None:
    mails = [here(cast, time) for _ in range(4)]
    for nth in (0, 2):
        comes_back(mails[nth], PASSING, time)
    assert not told(cast)
    comes_back(mails[3], PASSING, time)
    assert told(cast)


def test_mails_that_wait_or_go_to_others_break_no_row(cast: Cast, time: Clock) -> None:
    first, between, second = (here(cast, time) for _ in range(3))
    OutboxMessage.objects.filter(pk=between.pk).update(state="waiting", sent_at=None)
    here(cast, time, who="german deputy")
    for mail in (first, second):
        comes_back(mail, PASSING, time)
    assert told(cast)


def test_a_refusal_for_good_counts_as_one_lasting_failure(cast: Cast, time: Clock) -> None:
    mail = here(cast, time)
    refused = {"state": "waiting", "sent_at": None, **refusal(550, b"no such user", now=time.now)}
    OutboxMessage.objects.filter(pk=mail.pk).update(**refused)
    assert told(cast)
    assert gms_read(cast) == ["Mail to 1 person comes back."]
    page = cast.browser(ME).get("/profile/").content.decode()
    assert "The server takes no mail for this address (550)." in page
    assert "bounced" not in cast.browser("gm").get(cast.address("desk/outbox/")).content.decode(), "it never left"
    cast.browser(ME).post("/profile/mail/works/")
    assert not told(cast)
    OutboxMessage.objects.filter(pk=mail.pk).update(bounced_at=time.now + _HOUR)
    assert told(cast), "it was refused again"


@pytest.mark.parametrize(("state", "shown"), [("sending", True), ("sent", True), ("waiting", False), ("dead", False)])
def test_the_gm_reads_that_a_mail_bounced_also_if_its_sender_was_killed_before_noting_it(
    cast: Cast, time: Clock, state: str, *, shown: bool
) -> None:
    """One that waits or was given up has never left: its server refused it."""
    mail = here(cast, time)
    OutboxMessage.objects.filter(pk=mail.pk).update(state=state, sent_at=None, trouble="4.3.2 later")
    comes_back(mail, LASTING, time)
    page = cast.browser("gm").get(cast.address("desk/outbox/")).content.decode()
    assert ("bounced" in page) is shown


def test_mails_of_all_campaigns_and_about_the_account_count_for_their_owner(cast: Cast, time: Clock) -> None:
    other = new_campaign("other")
    places: tuple[dict[str, Any], ...] = ({"campaign": other, "audience": "german"}, {})
    for where in places:
        OutboxMessage.objects.all().delete()
        comes_back(sent(cast, time, **where), LASTING, time)
        assert told(cast)
        page = cast.browser(ME).get("/").content.decode()
        assert page.count(NOTICE) == 1


# --- what clears it --------------------------------------------------------------------------------------------------


def test_the_owner_says_that_it_works_again(cast: Cast, time: Clock) -> None:
    earlier = here(cast, time)
    comes_back(here(cast, time), LASTING, time)
    browser = cast.browser(ME)
    assert browser.get("/profile/mail/works/").status_code == 405
    page = browser.post("/profile/mail/works/", follow=True).content.decode()
    assert "Fieldpost will tell you if another mail to you comes back." in page
    assert not told(cast)
    comes_back(earlier, LASTING, time)
    assert not told(cast), "it was sent before"
    comes_back(here(cast, time), LASTING, time)
    assert told(cast)


def test_only_the_owner_says_so(cast: Cast, time: Clock) -> None:
    comes_back(here(cast, time), LASTING, time)
    for who in (*sorted(set(PARTS) - {ME}), OUTSIDER, ANONYMOUS):
        cast.browser(who).post("/profile/mail/works/")
    assert told(cast)


def test_another_address_is_not_the_one_that_failed(cast: Cast, time: Clock) -> None:
    comes_back(here(cast, time), LASTING, time)
    User.objects.filter(username=ME).update(email="rommel@example.org")
    assert not told(cast)
    User.objects.filter(username=ME).update(email="german.commander@example.org")
    assert told(cast)


def test_a_mail_from_the_address_shows_that_it_works(cast: Cast, time: Clock) -> None:
    mail = here(cast, time)
    comes_back(mail, LASTING, time)
    before = mail.created_at
    for address, at in (("", time.now), ("other@example.org", time.now), (cast.user(ME).email, before - _HOUR)):
        note_written_from(cast.user(ME), address, at=at)
        assert told(cast), address
    note_written_from(cast.user(ME), "German.Commander@Example.org", at=time.now)
    assert not told(cast)
    note_written_from(cast.user(ME), cast.user(ME).email, at=before)
    assert cast.user(ME).mail_works_since == time.now, "what came in later is later"


_HOUR = timedelta(hours=1)


# --- who is told -----------------------------------------------------------------------------------------------------


def test_nobody_else_is_told_on_their_pages(cast: Cast, time: Clock) -> None:
    before = {who: cast.browser(who).get("/c/bulge/people/").content for who in PARTS if PARTS[who][0] != Role.GM}
    comes_back(here(cast, time), LASTING, time)
    for who in sorted(set(PARTS) - {ME}):
        assert not told(cast, who), who
    after = {who: cast.browser(who).get("/c/bulge/people/").content for who in before}
    for who, page in before.items():
        assert (b"comes back" in after[who], len(after[who])) == (False, len(page)), who
    assert NOTICE not in cast.browser(ANONYMOUS).get("/").content.decode()


# --- the game masters ------------------------------------------------------------------------------------------------


def gms_read(cast: Cast, who: str = "gm") -> list[str]:
    """What the GMs of the campaign read of mail that comes back, on the inbox, the desk and the people page."""
    waiting = [each.text for part in inbox(cast.user(who)) for each in part.waiting if "comes back" in each.text]
    browser = cast.browser(who)
    pages = [browser.get(cast.address(page)).content.decode() for page in ("desk/", "people/", "desk/outbox/")]
    found = {bool(waiting), *("comes back" in page for page in pages)}
    assert len(found) == 1, "all say it or none does"
    assert all(text in pages[0] for text in waiting)
    return waiting


def test_the_gms_are_told_until_it_works(cast: Cast, time: Clock) -> None:
    assert gms_read(cast) == []
    comes_back(here(cast, time), LASTING, time)
    comes_back(here(cast, time), LASTING, time)
    assert gms_read(cast) == gms_read(cast, "co-gm") == ["Mail to 1 person comes back."]
    comes_back(here(cast, time, who="allied commander"), LASTING, time)
    assert gms_read(cast) == ["Mail to 2 people comes back."]
    page = cast.browser("gm").get(cast.address("people/")).content.decode()
    assert page.count("mail comes back") == 2
    cast.browser(ME).post("/profile/mail/works/")
    assert gms_read(cast) == ["Mail to 1 person comes back."]
    User.objects.filter(username="allied commander").update(email="patton@example.org")
    assert gms_read(cast) == []


def test_the_gms_learn_nothing_of_other_campaigns_and_accounts(cast: Cast, time: Clock) -> None:
    other = new_campaign("other")
    Membership.objects.create(campaign=other, user=cast.user(ME), role=Role.STAFF, side="german", joined_at=START)
    comes_back(sent(cast, time, campaign=other, audience="german"), LASTING, time)
    comes_back(sent(cast, time), LASTING, time)
    assert told(cast)
    assert gms_read(cast) == []
    comes_back(here(cast, time), PASSING, time)
    comes_back(sent(cast, time), PASSING, time)
    assert gms_read(cast) == []
    comes_back(here(cast, time), PASSING, time)
    assert gms_read(cast) == ["Mail to 1 person comes back."], "a row of this campaign's own"


def test_who_has_left_is_nobody_to_be_reached(cast: Cast, time: Clock) -> None:
    comes_back(here(cast, time), LASTING, time)
    Membership.objects.filter(user=cast.user(ME)).update(left_at=time.now)
    assert gms_read(cast) == []
    assert NOTICE in cast.browser(ME).get("/").content.decode()
