"""Pages that leak, made here on purpose: the guard on the truth blocks them, in production as in tests."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress

import pytest
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

from campaign.engine.values.value import encode
from campaign.game.store import unpack
from campaign.models import Campaign, Membership, OutboxMessage, Role, Ruling
from campaign.secrecy.truth import Breach
from campaign.selectors import open_phase
from campaign.services import whole_scenario_of
from campaign.viewers import Viewer
from deploy import urls
from orders.desks import Place
from orders.models import HQ, Sheet
from orders.selectors import versions
from tests.gm.campaigns import Clock, live, new_campaign, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.urls("tests.web.addresses.test_guarded_pages")]

WRITTEN = "a word to nobody but the Germans"
MASTERS = ("gm", "co-gm")
FORMER = "german deputy"


def _state(viewer: Viewer) -> str:
    return unpack(live(viewer.campaign).start.state_before).decode()


def _seed(viewer: Viewer) -> str:
    return bytes(viewer.campaign.dice.sealed_dice).hex()


def _mails(_: Viewer) -> str:
    return " ".join(OutboxMessage.objects.values_list("subject", flat=True))


def _record(viewer: Viewer) -> str:
    return str(list(viewer.campaign.audit.values_list("subject", flat=True)))


def _sheets(viewer: Viewer) -> str:
    return " ".join(Sheet.objects.for_viewer(viewer).values_list("text", flat=True))


def _of_the_german_desk(viewer: Viewer) -> str:
    phase = open_phase(viewer)
    assert phase is not None
    return " ".join(sheet.text for sheet in versions(viewer, phase, Place("german", HQ, writes=False, formations=None)))


def _start(viewer: Viewer) -> str:
    return encode(whole_scenario_of(viewer.campaign).scenario.start).decode()


def _files(viewer: Viewer) -> str:
    return str(viewer.campaign.scenario.scenario_files["units.csv"])


LEAKS: Mapping[str, Callable[[Viewer], str]] = {
    "state": _state,
    "start": _start,
    "files": _files,
    "seed": _seed,
    "mails": _mails,
    "record": _record,
    "sheets": _sheets,
    "german-desk": _of_the_german_desk,
}


def leak(_: HttpRequest, what: str, slug: str = "bulge") -> HttpResponse:
    """A page that takes everybody for the game master."""
    member = Membership.objects.select_related("campaign", "user").get(campaign__slug=slug, user__username="gm")
    return HttpResponse(LEAKS[what](Viewer(member.campaign, member.user, member)))


def half(_: HttpRequest, slug: str, how: str) -> HttpResponse:
    """A page that writes, then leaks in the same transaction; how it goes on differs."""
    with transaction.atomic():
        Campaign.objects.filter(slug=slug).update(title="half written")
        with suppress(Breach) if how == "caught" else nullcontext():
            Ruling.objects.count()
    return HttpResponse("done")


handler500 = urls.handler500
urlpatterns = [
    path("c/<slug:slug>/leak/<str:what>/", leak),
    path("c/<slug:slug>/half/<str:how>/", half),
    path("leak/<str:what>/", leak),
    *urls.urlpatterns,
]


@pytest.fixture
def secret(cast: Cast, time: Clock) -> Cast:
    """The cast with a German sheet, somebody who was a German, and somebody who is game master elsewhere."""
    send(live(cast.campaign), cast.user("german commander"), WRITTEN)
    time.forward(hours=1)
    Membership.objects.filter(user__username=FORMER).update(left_at=time.now)
    elsewhere = new_campaign("elsewhere")
    Membership.objects.create(campaign=elsewhere, user=cast.user(OUTSIDER), role=Role.GM, joined_at=time.now)
    return cast


def shown(cast: Cast, who: str, address: str) -> tuple[int, str]:
    browser = cast.browser(who)
    browser.raise_request_exception = False
    answer = browser.get(address)
    return answer.status_code, answer.content.decode()


def test_a_page_that_leaks_is_broken_for_everybody_but_the_gm(secret: Cast) -> None:
    for who in (*PARTS, OUTSIDER, ANONYMOUS):
        for what in LEAKS:
            status, page = shown(secret, who, secret.address(f"leak/{what}/"))
            own = who in MASTERS
            assert status == (200 if own else 500), (who, what)
            assert (WRITTEN in page) == (own and what in ("sheets", "german-desk")), (who, what)
            assert "panzer" not in page.casefold() or own


def test_on_a_page_of_no_campaign_nobody_is_game_master(secret: Cast) -> None:
    for who in ("gm", OUTSIDER, ANONYMOUS):
        status, page = shown(secret, who, "/leak/sheets/")
        assert status == 500
        assert WRITTEN not in page


def test_the_page_says_nothing_and_the_log_what_would_have_been_read(
    secret: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    _, page = shown(secret, "allied commander", secret.address("leak/state/"))
    assert "PhaseStart" not in page
    assert "truth: a page for allied was stopped that would have read PhaseStart" in caplog.messages
    shown(secret, "allied commander", secret.address("leak/sheets/"))
    assert "truth: a page for allied was stopped that would have read rows for gm" in caplog.messages
    assert WRITTEN not in caplog.text


@pytest.mark.parametrize(("how", "answer"), [("raised", 500), ("caught", 200)])
def test_a_page_that_leaks_keeps_nothing_half_written(secret: Cast, how: str, answer: int) -> None:
    for who in ("allied commander", OUTSIDER, ANONYMOUS):
        status, _ = shown(secret, who, secret.address(f"half/{how}/"))
        secret.campaign.refresh_from_db()
        assert (status, secret.campaign.title == "half written") == (answer, False)
    shown(secret, "gm", secret.address(f"half/{how}/"))
    secret.campaign.refresh_from_db()
    assert secret.campaign.title == "half written"


def test_neither_page_nor_log_hold_anything_of_the_statement(secret: Cast, caplog: pytest.LogCaptureFixture) -> None:
    for what in LEAKS:
        _, page = shown(secret, "allied commander", secret.address(f"leak/{what}/"))
        assert not [word for word in ("SELECT", "campaign_", "Traceback", "truth", "Breach") if word in page], what
    assert not [word for word in ("SELECT", "WHERE", WRITTEN, "panzer") if word in caplog.text]
