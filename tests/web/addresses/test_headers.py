"""What comes along with every page: headers for browsers, cookies, nothing for caches; what pages refuse."""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from pytest_django import Settings

from tests.test_project import settings_under
from tests.web.addresses.test_outcomes import READ, address
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast, rows
from tests.web.routes import every_address

pytestmark = pytest.mark.django_db

EXEMPT = ("/c/<slug:slug>/mails/<str:token>/", "/incoming/mime")
"""A secret address is the authority, as mail programs send no token of ours (RFC 8058), or a provider's secret is."""
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
}
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
}


@pytest.mark.parametrize("who", [ANONYMOUS, "german commander", "gm"])
def test_every_address_sends_the_headers_that_protect_its_reader(cast: Cast, who: str) -> None:
    browser, missing = cast.browser(who), {}
    for pattern, path in every_address(cast).items():
        answer = browser.get(path)
        assert answer.status_code < 500, path
        sent = {name: answer.headers.get(name) for name in EVERYWHERE}
        if "no-store" in (sent["Cache-Control"] or ""):  # allauth says more than we do
            sent["Cache-Control"] = EVERYWHERE["Cache-Control"]
        policy = set(answer.headers.get("Content-Security-Policy", "").split("; "))
        wrong = {name for name in EVERYWHERE if sent[name] != EVERYWHERE[name]} | (POLICY - policy)
        wrong |= {name for name in ("ETag", "Last-Modified", "Expires") if name in answer.headers and name != "Expires"}
        if answer.streaming is False and "Cookie" not in answer.headers.get("Vary", ""):
            wrong.add("Vary: Cookie")
        if wrong:
            missing[pattern] = wrong
    assert missing == {}


def test_nothing_is_taken_from_another_site(cast: Cast) -> None:
    browser = cast.browser("gm")
    browser.handler.enforce_csrf_checks = True
    before, found = rows(), {}
    for pattern, path in every_address(cast).items():
        answer = browser.post(path, {"act": "send", "text": "x", "session": "x"})
        found[pattern] = answer.status_code
    taken = {pattern: code for pattern, code in found.items() if code not in (403, 405)}
    assert taken == dict.fromkeys(EXEMPT, 404)
    assert rows() == before


@pytest.mark.parametrize("who", [ANONYMOUS, OUTSIDER, "german commander", "gm"])
def test_reading_changes_nothing(cast: Cast, who: str) -> None:
    browser = cast.browser(who)
    for looked in ("desk/stops/0/german/", "desk/posts/0/"):  # the audit keeps that a GM looked, once
        browser.get(cast.address(looked))
    before = rows()
    for path in every_address(cast).values():
        browser.get(path)
        browser.head(path)
    assert rows() == before


def test_no_page_that_mixes_a_secret_with_sent_text_is_compressed() -> None:
    assert not [name for name in configured.MIDDLEWARE if "gzip" in name.lower()]


def test_what_htmx_does_is_kept_within_the_page_and_this_site(cast: Cast) -> None:
    page = cast.browser("german commander").get(cast.address("orders/")).content.decode()
    assert '"allowEval":false,"selfRequestsOnly":true,"historyCacheSize":0' in page
    assert re.search(r"<body [^>]*hx-history=\"false\"", page)
    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=|hx-on", page)


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "\\\\evil.example", "javascript:alert(1)"]
)
def test_after_signing_in_nobody_is_led_to_another_site(cast: Cast, target: str) -> None:
    for path in ("/account/login/", "/account/logout/", "/enter/"):
        browser = cast.browser(OUTSIDER)
        answer = browser.post(f"{path}?next={target}", {"next": target})
        assert not answer.headers.get("Location", "").startswith(("https://evil", "//evil", "\\", "javascript"))
        assert "evil.example" not in answer.headers.get("Location", "").partition("?")[0]


def test_over_https_cookies_belong_to_this_host_alone(tmp_path: Any) -> None:
    names = (
        "SESSION_COOKIE_NAME",
        "CSRF_COOKIE_NAME",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SESSION_COOKIE_HTTPONLY",
        "CSRF_COOKIE_HTTPONLY",
        "SESSION_COOKIE_SAMESITE",
        "CSRF_COOKIE_SAMESITE",
    )
    environment = {"FIELDPOST_DATA": str(tmp_path), "FIELDPOST_ALLOWED_HOSTS": "fieldpost.example"}
    assert settings_under(environment, *names) == ["__Host-session", "__Host-csrf", *["True"] * 4, "Lax", "Lax"]


def test_a_cookie_named_for_its_host_is_what_such_a_cookie_must_be(settings: Settings) -> None:
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-session", "__Host-csrf"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    browser = Client()
    browser.get("/account/login/", secure=True)
    browser.post("/account/login/", {"login": "outsider@example.org"}, secure=True)
    for name in ("__Host-session", "__Host-csrf"):
        cookie = browser.cookies[name]
        assert (cookie["path"], cookie["domain"]) == ("/", "")
        assert cookie["secure"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"


# --- a cache in between ----------------------------------------------------------------------------------------------


@dataclass
class CachingProxy:
    """A shared cache between several browsers and the site. It keeps whatever RFC 9111 lets it keep, and no less."""

    kept: dict[str, Any] = field(default_factory=dict)

    def get(self, browser: Client, path: str) -> Any:
        if path in self.kept:
            return self.kept[path]
        answer = browser.get(path)
        control = answer.headers.get("Cache-Control", "")
        if not re.search("private|no-store", control) and "Cookie" not in answer.headers.get("Vary", ""):
            self.kept[path] = answer
        return answer


def test_two_users_behind_one_cache_each_get_their_own_page(cast: Cast) -> None:
    proxy = CachingProxy()
    browsers = {who: cast.browser(who) for who in ("german commander", "allied commander", "gm", ANONYMOUS)}
    titles = {"german commander": "German side", "allied commander": "Allied side", "gm": "GM"}
    for path in [address(cast, name) for name in READ] * 2:
        for browser in browsers.values():
            proxy.get(browser, path)
    assert proxy.kept == {}
    for who, title in titles.items():
        assert f"For: <strong>{title}</strong>" in proxy.get(browsers[who], cast.address()).content.decode()
    for browser in browsers.values():
        proxy.get(browser, "/static/css/fieldpost.css").close()
    assert list(proxy.kept) == ["/static/css/fieldpost.css"], "what is the same for all may be kept"
