"""Logs hold no secret, for all requests and all errors."""

import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest
from django.test import Client
from pytest_django import Settings

from campaign.core.logs import STRUCK, Discreet, without_secrets
from campaign.links import make_link
from campaign.mail import mutes
from campaign.models import Role
from campaign.people import entrances, invitations
from campaign.viewers import viewer_of
from tests.gm.campaigns import START
from tests.web.conftest import OUTSIDER, Cast, cast, time

__all__ = ["cast", "time"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All log lines from now on, as the site writes them."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(Discreet("{asctime} {levelname} {name}: {message}", style="{"))
    loggers = [logging.getLogger(name) for name in ("", "django", "django.request")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    loggers[0].addHandler(handler)
    yield written
    loggers[0].removeHandler(handler)
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


def test_every_handler_of_the_site_writes_discreetly() -> None:
    log: Any = settings.LOGGING
    assert [handler["formatter"] for handler in log["handlers"].values()] == ["discreet"]
    assert log["formatters"]["discreet"]["()"] == "campaign.core.logs.Discreet"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Not Found: /m/0123456789abcdef0123456789abcdef.png", f"Not Found: /m/{STRUCK}"),
        ("POST /api/webhooks/12345/W_t-7?wait=true HTTP/1.1", f"POST /api/webhooks/12345/{STRUCK} HTTP/1.1"),
        ("url: /api/v10/webhooks/12345/W_t/messages/9 (", f"url: /api/v10/webhooks/12345/{STRUCK}/messages/9 ("),
        ("next=%2Fapi%2Fwebhooks%2F12345%2FW_t-7", f"next=%2Fapi%2Fwebhooks%2F12345%2F{STRUCK}"),
        ("GET /enter/?sesame=AAQx-y_z HTTP/1.1", f"GET /enter/?sesame={STRUCK} HTTP/1.1"),
        ("/invitation/abc-def_123/ is gone", f"/invitation/{STRUCK}/ is gone"),
        ("/c/bulge/mails/00ff/", f"/c/bulge/mails/{STRUCK}/"),
        ("{'sessionid': 'abc123'}", f"{{'sessionid': '{STRUCK}'}}"),
        ("postgres://gm:pass@db/fieldpost", f"postgres://gm:{STRUCK}@db/fieldpost"),
        ("to orders+0a1b2c@example.org", f"to orders+{STRUCK}@example.org"),
        (f"to <{'ab2' * 10}cd@example.org>, twice", f"to <{STRUCK}@example.org>, twice"),
        (f"to else+{'ab2' * 10}CD@example.org", f"to else+{STRUCK}@example.org"),
        (f"to {'ab2' * 11}@example.org", f"to {'ab2' * 11}@example.org"),
        ("redis://:pass@db:6379/0", f"redis://:{STRUCK}@db:6379/0"),
        ("smtp+tls://gm:a/b:c@mail", f"smtp+tls://gm:{STRUCK}@mail"),
        ("listening at http://localhost:8000/", "listening at http://localhost:8000/"),
        (
            "<QueryDict: {'sesame': ['AAQx-y_z'], 'act': ['x']}>",
            f"<QueryDict: {{'sesame': ['{STRUCK}'], 'act': ['x']}}>",
        ),
        ("{'csrfmiddlewaretoken': ['AAQx'], 'a': ['b']}", f"{{'csrfmiddlewaretoken': ['{STRUCK}'], 'a': ['b']}}"),
        ('{"csrftoken": "AAQx"}', f'{{"csrftoken": "{STRUCK}"}}'),
        ("{'sesame': b'AAQx'}", f"{{'sesame': b'{STRUCK}'}}"),
        ("GET /enter/%3Fsesame%3DAAQx HTTP/1.1", f"GET /enter/%3Fsesame%3D{STRUCK} HTTP/1.1"),
        ("GET /enter/%3fa%3d1%26sesame%3dAAQx", f"GET /enter/%3fa%3d1%26sesame%3d{STRUCK}"),
        ("/account/login/?next=%2Finvitation%2Fabc", f"/account/login/?next=%2Finvitation%2F{STRUCK}"),
        ("Not Found: /c/bulge/stops/7/map.png", "Not Found: /c/bulge/stops/7/map.png"),
    ],
)
def test_what_opens_a_door_is_struck_out_and_nothing_else(line: str, kept: str) -> None:
    assert without_secrets(line) == kept


def test_the_servers_own_secrets_are_struck_out_everywhere(settings: Settings) -> None:
    settings.SECRET_KEY_FALLBACKS = ["the key before it"]
    settings.BROKER_URL = "redis://:p%40ssword1@db"
    settings.EMAIL_HOST_PASSWORD = "of the mails"  # noqa: S105
    settings.MAIL_IN_URL = "imaps://orders%40example.org:of%20the%20mailbox@imap.example.org/"
    settings.MAIL_IN_SECRET = "postmark:of-the-webhook"  # noqa: S105
    own = [settings.SECRET_KEY, "the key before it", "p%40ssword1", "p@ssword1", "of the mails"]
    own += ["of%20the%20mailbox", "of the mailbox", "postmark:of-the-webhook", "of-the-webhook"]
    assert [without_secrets(f"settings say {secret}!") for secret in own] == [f"settings say {STRUCK}!"] * len(own)


def test_no_secret_of_a_visit_is_in_the_log(
    cast: Cast,
    log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    invitation = invitations.invite(gm, role=Role.STAFF, side="german", meant_for="", now=START)
    entrance = entrances.entrance_link(cast.user(OUTSIDER)).rpartition("=")[2]
    picture = make_link(gm, 0, "german", now=START).token
    mute = mutes.mute_link(cast.campaign, cast.user("german staff")).rstrip("/").rpartition("/")[2]

    def broken(request: HttpRequest, **_: object) -> None:
        raise RuntimeError(f"{request.get_full_path()} {request.COOKIES} {settings.SECRET_KEY}")

    browser = Client(raise_request_exception=False)
    for path in (f"/m/{picture}.png", f"/invitation/{invitation}x/", f"/c/bulge/mails/{mute}x/", "/nowhere/"):
        browser.get(path)
    browser.post("/enter/", {"sesame": entrance})
    session = browser.cookies["sessionid"].value
    monkeypatch.setattr("campaign.views.people.entrance.invitations.invitation_of", broken)
    monkeypatch.setattr("campaign.views.people.entrance.get_user", broken)
    monkeypatch.setattr("gm.views.home.inbox", lambda _: broken(browser.get("/enter/").wsgi_request))
    browser.get("/")
    assert browser.get(f"/enter/?sesame={entrance}").status_code == 500
    text = log.getvalue()
    assert "RuntimeError" in text
    assert "incident" in text
    assert STRUCK in text
    secrets = (invitation, entrance, picture, mute, session, settings.SECRET_KEY)
    assert [secret for secret in secrets if secret in text] == []


def test_an_incident_is_found_in_the_log_by_what_its_page_says(
    cast: Cast,
    log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr("gm.views.home.inbox", broken)
    browser = cast.browser(OUTSIDER)
    browser.raise_request_exception = False
    page = browser.get("/").content.decode()
    incident = page.partition("this number: ")[2][:8]
    assert f"incident {incident}: GET /" in log.getvalue()
    assert "a secret of ours" in log.getvalue()
    assert "a secret of ours" not in page


def test_a_request_that_is_too_large_leaves_one_line(log: io.StringIO) -> None:
    logging.getLogger("django.request").setLevel(logging.ERROR)  # as in production
    answer = Client().post("/account/login/", {"login": "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)})
    assert answer.status_code == 400
    (line,) = [line for line in log.getvalue().splitlines() if "TooBig" in line or "Traceback" in line]
    assert "ERROR django.security.RequestDataTooBig: Request body exceeded" in line
    assert log.getvalue().count("\n") == 1 + log.getvalue().count(" DEBUG ")
