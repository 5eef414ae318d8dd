"""Addresses in sent mails, forum posts and bookmarks go on working: each is here as it was first given out.

An address that has been given out is never removed from this list. A page that moves keeps its old address, which may
redirect.
"""

import re
from collections.abc import Iterable, Iterator

import pytest
from django.test import Client
from django.test.utils import override_settings
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from campaign.core import clock
from campaign.engine.values.ids import PUBLIC
from campaign.links import PICTURES, link_address, make_link
from campaign.mail.mutes import mute_link
from campaign.mail.outbox import enqueue
from campaign.models import Agreed, Closing, MailNews, OutboxMessage, Phase
from campaign.people import entrances, invitations
from campaign.selectors import open_phase
from campaign.viewers import viewer_of
from gm.desk.consents import agree as opens_questions
from gm.gathered_mails import gather_due
from gm.machine.heartbeat import beat
from orders.mail import receipt_message
from orders.models import Sheet
from questions.writing import ask
from staff.opening import agree
from staff.writing import About, write
from tests.battles import Field, field
from tests.gm.campaigns import Clock, live, send
from tests.mails import text_of
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

__all__ = ["field"]
pytestmark = pytest.mark.django_db

SITE = "http://localhost:8000"
LOGIN = "/account/login/"
SENT_LONG_AGO = "4e2844e62ab62fdc1a41835eaef95392"
"""The secret part of a mute link of the German staff officer, made with the key that the test has."""

_TOKEN = "0123456789abcdef" * 2

IN_MAILS = (
    "/c/bulge/",
    "/c/bulge/stops/0/",
    "/c/bulge/orders/",
    "/c/bulge/orders/HQ/",
    "/c/bulge/battles/",
    "/c/bulge/battles/K16/",
    "/c/bulge/desk/",
    "/c/bulge/desk/draft/",
    "/c/bulge/desk/resolver/",
    f"/c/bulge/mails/{_TOKEN}/",
    f"/c/bulge/mailed/{_TOKEN}/",
    "/c/bulge/briefing/",
    "/c/bulge/rules/",
    "/c/bulge/questions/",
    "/c/bulge/questions/german/1/",
    "/c/bulge/dice/",
    "/profile/",
    "/enter/",
    f"/invitation/{_TOKEN}/",
    "/account/login/",
    "/account/login/code/",
    "/account/login/code/confirm/",
    "/account/signup/",
    "/account/email/",
)

IN_CALENDARS = (f"/c/bulge/calendar/{_TOKEN}.ics",)

IN_POSTS = (
    f"/m/{_TOKEN}.png",
    "/c/bulge/public/",
    "/c/bulge/public/stops/",
    "/c/bulge/public/stops/0/",
    "/c/bulge/public/stops/0/post/",
    "/c/bulge/public/stops/0/map.png",
    "/c/bulge/public/stops/0/thumbnail.png",
    "/c/bulge/public/stops/0/chart.png",
    "/c/bulge/public/stops/0/chart.txt",
    "/c/bulge/public/stops/0/chart.md",
    "/c/bulge/public/stops/0/chart.bbcode.txt",
    "/c/bulge/public/stops/0/report.txt",
    "/c/bulge/public/stops/0/report.md",
    "/c/bulge/public/stops/0/report.bbcode.txt",
    "/c/bulge/public/stops/0/replay.webp",
    "/c/bulge/public/stops/0/replay.gif",
    "/c/bulge/public/stops/0/drawn.png",
    "/c/bulge/public/stops/0/board/",
    "/c/bulge/public/replay.webp",
    "/c/bulge/public/replay.gif",
    "/c/bulge/public/board/",
    "/c/bulge/public/board/sheet.png",
    "/c/bulge/public/dice/",
    "/c/bulge/public/dice/both/anchors.txt",
    "/c/bulge/public/dice/both/reveal.jsonl",
    "/c/bulge/public/dice/both/log.jsonl",
)

BOOKMARKS = (
    "/",
    "/new/",
    "/practice/",
    "/scenarios/forum_campaign/st-vith-1944.png",
    "/scenarios/forum_campaign/st-vith-1944.csv",
    "/glossary/",
    "/healthz",
    "/readyz",
    "/incoming/mime",
    "/account/sessions/",
    "/account/logout/",
    "/account/2fa/",
    "/account/password/reset/",
    "/c/bulge/rules/day/",
    "/c/bulge/stops/",
    "/c/bulge/stops/0/post/",
    "/c/bulge/stops/0/post/?forum=xenforo",
    "/c/bulge/stops/0/map.png",
    "/c/bulge/stops/0/thumbnail.png",
    "/c/bulge/stops/0/chart.png",
    "/c/bulge/stops/0/chart.txt",
    "/c/bulge/stops/0/chart.md",
    "/c/bulge/stops/0/chart.bbcode.txt",
    "/c/bulge/stops/0/report.txt",
    "/c/bulge/stops/0/report.md",
    "/c/bulge/stops/0/report.bbcode.txt",
    "/c/bulge/stops/0/replay.webp",
    "/c/bulge/stops/0/replay.gif",
    "/c/bulge/stops/0/drawn.png",
    "/c/bulge/stops/0/drawn.png?colours=dark",
    "/c/bulge/stops/0/board/",
    "/c/bulge/replay.webp",
    "/c/bulge/replay.gif",
    "/c/bulge/board/",
    "/c/bulge/board/?colours=dark",
    "/c/bulge/board/sheet.png",
    "/c/bulge/dice/",
    "/c/bulge/dice/german/anchors.txt",
    "/c/bulge/dice/german/reveal.jsonl",
    "/c/bulge/dice/german/log.jsonl",
    "/c/bulge/links/",
    "/c/bulge/calendar/",
    "/c/bulge/people/",
    "/c/bulge/people/leave/",
    "/c/bulge/locked/1.0/",
    "/profile/tokens/",
    "/api/",
    "/api/v1/schema.json",
    "/c/bulge/staff/",
    "/c/bulge/staff/german/",
    "/api/v1/campaigns/",
    "/api/v1/campaigns/bulge/",
    "/api/v1/campaigns/bulge/map/",
    "/api/v1/campaigns/bulge/map.png",
    "/api/v1/campaigns/bulge/charts/",
    "/api/v1/campaigns/bulge/rules/",
    "/api/v1/campaigns/bulge/state/",
    "/api/v1/campaigns/bulge/dice/",
    "/api/v1/campaigns/bulge/phases/",
    "/api/v1/campaigns/bulge/phases/open/",
    "/api/v1/campaigns/bulge/phases/0/",
    "/api/v1/campaigns/bulge/phases/0/view/",
    "/api/v1/campaigns/bulge/phases/0/events/",
    "/api/v1/campaigns/bulge/phases/0/dice/",
    "/api/v1/campaigns/bulge/phases/0/files/map.png",
    "/api/v1/campaigns/bulge/phases/0/files/report.md",
    "/api/v1/campaigns/bulge/desks/",
    "/api/v1/campaigns/bulge/desks/HQ/",
    "/api/v1/campaigns/bulge/desks/HQ/sheets/2.0/",
    "/api/v1/campaigns/bulge/desks/HQ/sheets/2.0/1/",
    "/api/v1/campaigns/bulge/battles/",
    "/api/v1/campaigns/bulge/battles/K16/",
    "/api/v1/campaigns/bulge/log/",
    "/api/v1/campaigns/bulge/gm/waiting/",
    "/api/v1/campaigns/bulge/gm/phase/",
    "/api/v1/campaigns/bulge/gm/battles/",
    "/api/v1/campaigns/bulge/gm/links/",
    "/api/v1/campaigns/bulge/gm/posts/0/",
    "/api/v1/campaigns/bulge/gm/received/0/allied/",
    "/api/v1/campaigns/bulge/gm/received/0/allied/files/map.png",
    "/api/v1/campaigns/bulge/gm/draft/",
    "/api/v1/campaigns/bulge/gm/draft/rulings/",
    "/c/bulge/orders/HQ/2.0/1/",
    "/c/bulge/orders/HQ/2.0/1/receipt.txt",
    "/c/bulge/desk/settings/",
    "/c/bulge/desk/enter/german/",
    "/c/bulge/desk/enter/german/HQ/",
    "/c/bulge/desk/stops/0/allied/",
    "/c/bulge/desk/stops/0/allied/map.png",
    "/c/bulge/desk/posts/0/",
    "/c/bulge/desk/sight/",
    "/c/bulge/desk/position.csv",
    "/c/bulge/desk/person/",
    "/c/bulge/log/",
    "/c/bulge/desk/closing/",
    "/c/bulge/desk/exposure/",
    "/c/bulge/desk/substitutes/",
    "/c/bulge/desk/destinations/",
    "/profile/discord/",
    "/c/bulge/desk/outbox/",
    "/c/bulge/desk/outbox/00ff/",
)

IN_OPEN_FORMS = (
    "/api/v1/campaigns/bulge/desks/HQ/check/",
    "/api/v1/campaigns/bulge/desks/HQ/choices/",
    "/api/v1/campaigns/bulge/desks/HQ/sheets/",
    "/api/v1/campaigns/bulge/desks/HQ/withdrawals/",
    "/api/v1/campaigns/bulge/desks/HQ/draft/",
    "/api/v1/campaigns/bulge/battles/K16/check/",
    "/api/v1/campaigns/bulge/battles/K16/reports/",
    "/api/v1/campaigns/bulge/battles/K16/confirmations/",
    "/api/v1/campaigns/bulge/battles/K16/disputes/",
    "/api/v1/campaigns/bulge/battles/K16/players/",
    "/api/v1/campaigns/bulge/gm/deadline/",
    "/api/v1/campaigns/bulge/gm/closing/",
    "/api/v1/campaigns/bulge/gm/pause/",
    "/api/v1/campaigns/bulge/gm/resumption/",
    "/api/v1/campaigns/bulge/gm/reopening/",
    "/api/v1/campaigns/bulge/gm/retry/",
    "/api/v1/campaigns/bulge/gm/draft/judgements/",
    "/api/v1/campaigns/bulge/gm/draft/messages/",
    "/api/v1/campaigns/bulge/gm/draft/publication/",
    "/api/v1/campaigns/bulge/gm/draft/publication/cancelled/",
    "/api/v1/campaigns/bulge/gm/draft/tries/",
    "/api/v1/campaigns/bulge/gm/draft/rulings/undone/",
    "/api/v1/campaigns/bulge/gm/draft/rolls/",
    "/api/v1/campaigns/bulge/gm/desks/german/HQ/check/",
    "/api/v1/campaigns/bulge/gm/desks/german/HQ/sheets/",
    "/api/v1/campaigns/bulge/gm/draft/rolls/entered/",
    "/api/v1/campaigns/bulge/gm/draft/rolls/void/",
    "/api/v1/campaigns/bulge/gm/battles/by-rules/",
    "/api/v1/campaigns/bulge/gm/battles/K16/decision/",
    "/api/v1/campaigns/bulge/gm/links/revoked/",
    "/account/confirm-email/",
    "/profile/sessions/end/",
    "/profile/mail/works/",
    "/c/bulge/people/invite/",
    "/c/bulge/people/revoke/",
    "/c/bulge/people/renew/",
    "/c/bulge/people/role/",
    "/c/bulge/people/remove/",
    "/c/bulge/people/away/",
    "/c/bulge/people/back/",
    "/c/bulge/substitute/",
    "/c/bulge/calendar/address/",
    "/c/bulge/people/bot/",
    "/c/bulge/people/bot/remove/",
    "/c/bulge/people/desks/german/",
    "/c/bulge/people/desks/german/close/",
    "/c/bulge/links/make/",
    "/c/bulge/links/revoke/",
    "/c/bulge/orders/HQ/check/",
    "/c/bulge/orders/HQ/forms/",
    "/c/bulge/orders/HQ/draft/",
    "/c/bulge/guide/",
    "/c/bulge/battles/K16/check/",
    "/c/bulge/battles/K16/forms/",
    "/c/bulge/battles/K16/decide/",
    "/c/bulge/desk/clock/",
    "/c/bulge/desk/retry/",
    "/c/bulge/desk/outbox/00ff/retry/",
    "/c/bulge/desk/destinations/1/",
    f"/c/bulge/desk/forum-posts/{'0' * 16}/",
)
"""Where pages submit to that were open in a browser when the site was updated."""

OPENED_BY_THE_END = (
    "/c/bulge/statistics/",
    "/c/bulge/statistics/points.png",
    "/c/bulge/statistics/figures.csv",
    "/c/bulge/public/statistics/",
    "/c/bulge/public/statistics/points.png",
    "/c/bulge/public/statistics/points.png?colours=dark",
    "/c/bulge/public/statistics/figures.csv",
    "/c/bulge/result/",
    "/c/bulge/public/result/",
    "/c/bulge/stops/0/?as=german",
    "/c/bulge/stops/0/sheets/german/",
    "/c/bulge/public/stops/0/sheets/german/",
)
"""In the mail that a campaign is closed, and in posts after that."""

OF_STORIES = (
    "/c/bulge/stories/3/",
    "/c/bulge/stories/3.0/K16/",
    f"/c/bulge/stories/3/{_TOKEN}.jpg",
    "/c/bulge/public/stories/3/",
    f"/c/bulge/public/stories/3/{_TOKEN}.webp",
    "/c/bulge/battles/K16/map/",
    f"/c/bulge/battles/K16/map/{_TOKEN}.jpg",
)
"""Of battles that are fought, and where its author or the GM reads one; see tests/stories."""
AFTER_THE_END = ("/c/bulge/rematch/",)
"""For the GM of a campaign that has ended."""

ARCHIVES = ("/c/bulge/archive/", "/c/bulge/archive/german.zip", "/c/bulge/desk/export.json")
"""Where members keep what they have read."""

OPENED_BY_A_SIDE = ("/c/bulge/public/staff/german/", "/c/bulge/public/questions/german/")
"""In posts about a room, or questions, that a side has opened after the end."""
OPENED_TO_MEMBERS = ("/c/bulge/questions/german/",)
"""The same, for members."""

EVERY_ADDRESS = (
    *(*IN_MAILS, *IN_POSTS, *IN_CALENDARS, *BOOKMARKS, *IN_OPEN_FORMS),
    *(*OPENED_BY_THE_END, *OPENED_BY_A_SIDE, *OPENED_TO_MEMBERS, *OF_STORIES, *AFTER_THE_END, *ARCHIVES),
)


@pytest.mark.parametrize("address", EVERY_ADDRESS)
def test_an_address_that_was_given_out_leads_to_a_view(address: str) -> None:
    assert callable(resolve(address.partition("?")[0]).func)


def test_an_address_that_never_was_leads_nowhere() -> None:
    """What the test above rests on."""
    for address in ("/c/bulge/stops/first/", "/m/abc.png", "/c/bulge/desk/drafts/"):
        with pytest.raises(Resolver404):
            resolve(address)


def test_every_route_has_an_address_in_the_list() -> None:
    listed = {resolve(address.partition("?")[0]).route for address in EVERY_ADDRESS}
    assert set(_routes(get_resolver())) - listed == set()


def _routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Our own routes; those of the accounts are listed where a mail or a page of ours leads to them."""
    for each in resolver.url_patterns:
        here = before + str(each.pattern)
        if isinstance(each, URLResolver) and here != "account/":
            yield from _routes(each, here)
        elif isinstance(each, URLPattern):
            yield here


# --- what was given out is still read --------------------------------------------------------------------------------

BY_SECRET = (*(each for each in EVERY_ADDRESS if _TOKEN in each), "/enter/")
OF_A_BATTLE = ("/c/bulge/battles/K16/", "/api/v1/campaigns/bulge/battles/K16/")
OF_A_SHEET = (
    "/c/bulge/orders/HQ/2.0/1/",
    "/c/bulge/orders/HQ/2.0/1/receipt.txt",
    "/api/v1/campaigns/bulge/desks/HQ/sheets/2.0/1/",
)
OF_A_MAIL = ("/c/bulge/desk/outbox/00ff/",)
OF_A_DRAFT = ("/api/v1/campaigns/bulge/gm/draft/", "/api/v1/campaigns/bulge/gm/draft/rulings/")
OF_A_QUESTION = ("/c/bulge/questions/german/1/",)
OF_NOBODY = ("/account/password/reset/", "/incoming/mime")
"""There are no passwords, and a provider's webhook is only called."""
FOR_THE_GM = sorted(
    {*IN_MAILS, *IN_POSTS, *BOOKMARKS}
    - {*BY_SECRET, *OF_A_BATTLE, *OF_A_SHEET, *OF_A_MAIL, *OF_A_DRAFT, *OF_A_QUESTION, *OF_NOBODY}
)
_DESK, _GERMAN = "/c/bulge/desk/", "/dice/german/"
_OF_PLAYERS = ("orders", "staff", "battles", "locked", "links", "briefing")
_TO_PLAYERS = tuple(map("/api/v1/campaigns/bulge/{}/".format, ("desks", "battles", "gm")))
FOR_A_SPECTATOR = [
    address
    for address in FOR_THE_GM
    if not address.startswith((_DESK, *map("/c/bulge/{}/".format, _OF_PLAYERS), *_TO_PLAYERS))
    and _GERMAN not in address
]
FOR_ANYBODY = ["/c/bulge/rules/", "/c/bulge/rules/day/", *(each for each in IN_POSTS if each not in BY_SECRET)]


def unread(browser: Client, addresses: Iterable[str]) -> dict[str, int]:
    """The addresses that cannot be read in this browser, wherever they have moved to; with the status of the answer."""
    found = {address: browser.get(address, follow=True) for address in addresses}
    return {
        address: answer.status_code
        for address, answer in found.items()
        if answer.status_code != 200 or (answer.request["PATH_INFO"] == LOGIN != address)
    }


def test_members_read_every_page_of_theirs(cast: Cast) -> None:
    assert unread(cast.browser("gm"), FOR_THE_GM) == {}
    assert unread(cast.browser("spectator"), FOR_A_SPECTATOR) == {}


def test_anyone_reads_what_is_posted_about_a_public_campaign(cast: Cast) -> None:
    assert unread(cast.browser(ANONYMOUS), FOR_ANYBODY) == {}


def test_what_the_end_opens_is_read_by_anyone(cast: Cast) -> None:
    gm = cast.user("gm")
    Closing.objects.create(campaign=cast.campaign, author=gm, at=cast.campaign.created_at)
    assert unread(cast.browser("spectator"), OPENED_BY_THE_END) == {}
    assert unread(cast.browser(ANONYMOUS), [each for each in OPENED_BY_THE_END if "/public/" in each]) == {}


def test_what_a_side_opens_is_read_by_anyone(cast: Cast, time: Clock) -> None:
    viewer = viewer_of(cast.user("german commander"), "bulge")
    phase = open_phase(viewer)
    assert phase is not None
    write(viewer, phase, "Hold them.", About(), now=time.now)
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=time.now)
    assert agree(viewer_of(cast.user("german commander"), "bulge"), now=time.now)
    opens_questions(viewer_of(cast.user("german commander"), "bulge"), Agreed.QUESTIONS)
    assert unread(cast.browser(ANONYMOUS), OPENED_BY_A_SIDE) == {}
    assert unread(cast.browser("spectator"), OPENED_TO_MEMBERS) == {}


def test_pages_before_the_sign_in_are_read_by_anyone() -> None:
    assert beat("a worker"), "else the site is not well"
    assert unread(Client(), ["/", "/glossary/", "/healthz", LOGIN, "/account/signup/"]) == {}


def test_a_player_reads_their_sheet_and_its_receipt(cast: Cast) -> None:
    send(live(cast.campaign), cast.user("german commander"), "ALL OTHERS HOLD")
    assert unread(cast.browser("german staff"), [*OF_A_SHEET, "/c/bulge/orders/", "/c/bulge/orders/HQ/"]) == {}


def test_a_player_reads_the_battle_that_a_mail_asks_for(field: Field) -> None:
    assert unread(field.cast.browser("german tactical"), ["/c/bulge/battles/", *OF_A_BATTLE]) == {}


def test_a_program_of_the_gm_reads_the_draft_results(draft: Phase) -> None:
    assert unread(Cast(draft.campaign).browser("gm"), OF_A_DRAFT) == {}


def test_the_gm_reads_the_question_that_a_mail_brings(cast: Cast, time: Clock) -> None:
    ask(viewer_of(cast.user("german commander"), "bulge"), "May they?", rule="", line="", now=time.now)
    assert unread(cast.browser("gm"), OF_A_QUESTION) == {}


def test_the_gm_reads_a_mail_in_the_outbox_by_its_name(field: Field) -> None:
    field.report()
    browser = field.cast.browser("gm")
    page = browser.get("/c/bulge/desk/outbox/").content.decode()
    found = re.findall(r"/c/bulge/desk/outbox/[^/\"]+/", page)
    assert found
    assert unread(browser, found) == {}


@pytest.mark.parametrize("anchor", ["R4", "R12.5", "ruling-3", "house-rules", "dice", "after-the-end"])
def test_a_place_in_the_rules_that_reports_lead_to_is_there(cast: Cast, anchor: str) -> None:
    assert f'id="{anchor}"' in cast.browser(ANONYMOUS).get("/c/bulge/rules/").content.decode()


# --- by a secret -----------------------------------------------------------------------------------------------------


@override_settings(SECRET_KEY="the key of a site that sent mails long ago")  # noqa: S106 # of no site
def test_the_link_of_a_mail_that_was_sent_long_ago_turns_reports_off(cast: Cast) -> None:
    address = f"/c/bulge/mails/{SENT_LONG_AGO}/"
    assert mute_link(cast.campaign, cast.user("german staff")) == SITE + address
    assert unread(Client(), [address]) == {}
    assert Client().post(address, {"List-Unsubscribe": "One-Click"}).status_code == 204
    assert cast.member("german staff").mail_choices == {"reports": "never"}


def test_the_link_of_a_mail_signs_its_reader_in(cast: Cast) -> None:
    address = entrances.entrance_link(cast.user(OUTSIDER))
    assert re.fullmatch(re.escape(f"{SITE}/enter/?sesame=") + r"[\w-]+", address)
    assert unread(Client(), [address.removeprefix(SITE)]) == {}


def test_an_invitation_is_read_by_the_person_who_has_it(cast: Cast, time: Clock) -> None:
    gm = viewer_of(cast.user("gm"), "bulge")
    token = invitations.invite(gm, role="spectator", side="", meant_for="a friend", now=time.now)
    assert invitations.invitation_link(token) == f"{SITE}/invitation/{token}/"
    assert unread(cast.browser(OUTSIDER), [f"/invitation/{token}/"]) == {}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_in_a_post_is_shown_to_anyone(cast: Cast, time: Clock, kind: str) -> None:
    address = link_address(make_link(viewer_of(cast.user("gm"), "bulge"), 0, PUBLIC, kind, now=time.now))
    assert re.fullmatch(re.escape(SITE) + "/m/[0-9a-f]{32}[.]png", address)
    assert unread(cast.browser(ANONYMOUS), [address.removeprefix(SITE)]) == {}


# --- the list has what is sent ---------------------------------------------------------------------------------------


def test_every_address_in_a_mail_is_of_a_listed_kind(field: Field) -> None:
    """Mails of a played phase: questions, digests of reports, receipts, battles, and what waits for the GM."""
    field.assign("german commander", "german tactical")
    field.report("german tactical")
    field.dispute()
    MailNews.objects.update(leaves_at=clock.now())
    assert gather_due(clock.now())
    sheet = Sheet.objects.select_related("phase__campaign", "author").latest("pk")
    assert sheet.author is not None
    sheet.phase.campaign.memberships.filter(user=sheet.author).update(mail_choices={"receipts": "now"})
    assert enqueue(receipt_message(sheet=sheet, author=sheet.author, answer="HOLD"))
    assert {"battles", "digest", "opened", "receipt"} <= {mail.kind for mail in OutboxMessage.objects.all()}
    sent = {address for mail in OutboxMessage.objects.all() for address in addresses_in(bytes(mail.message))}
    kinds = {resolve(address).route for address in sent}
    listed = {resolve(address).route for address in IN_MAILS}
    assert {"c/<slug:slug>/", "c/<slug:slug>/battles/<str:key>/", "c/<slug:slug>/stops/<int:no>/"} <= kinds
    assert kinds <= listed


def addresses_in(mail: bytes) -> set[str]:
    """The addresses of this site in the texts of a mail, without what follows # or ?."""
    return set(re.findall(re.escape(SITE) + r"(/[\w./-]*)", text_of(mail)))
