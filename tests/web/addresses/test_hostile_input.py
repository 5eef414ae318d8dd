"""What people type is shown as they typed it and does nothing; what is too much, or no text, is refused."""

import re
from email import message_from_bytes
from email.policy import SMTP
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.models import AuditEntry, Campaign, OutboxMessage, PhaseState, Role, User
from campaign.people import desks, invitations
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from tests.gm.campaigns import START, live, review_drafts
from tests.locks import ROOT
from tests.web.addresses.test_outcomes import FILES, READ, address
from tests.web.conftest import ANONYMOUS, Cast
from tests.web.desk.test_desk import act
from tests.web.routes import every_address
from tests.web.sheets.test_sheet import fields, post

pytestmark = pytest.mark.django_db

MARK = "x91x"
PAYLOADS = [
    f"<script>{MARK}</script>",
    f'"><img src=x onerror={MARK}>',
    f"'><svg/onload={MARK}>",
    f"</textarea><script>{MARK}//",
    f"</title><iframe srcdoc={MARK}>",
    f"javascript:{MARK}",
    f"[url=javascript:{MARK}]x[/url]",
    f"[a](javascript:{MARK})",
    f"[img]javascript:{MARK}[/img]",
    f"<a href=javascript:{MARK}>a</a>",
    f"<math><mtext><style>{MARK}",
    f"{{{{ {MARK} }}}}{{% debug %}}",
    f"<!--{MARK}--><base href=//evil.example>",
    f"&lt;b&gt;{MARK}&#60;b&#62;",
    f"<form action=//evil.example><input name={MARK}>",
    f'<p style="background:url(//evil.example/{MARK})" hx-get="/{MARK}">',
]
TOGETHER = [" ".join(PAYLOADS[first::4]) for first in range(4)]
"""Several at a time, as many as a name can hold."""
ACTIVE = {"script", "iframe", "object", "embed", "svg", "math", "base", "style", "frame", "applet", "video", "audio"}


_OF_A_MAIL = re.compile(r"<style |<\w+ style=")
"""The styles that a mail brings along."""


class Reader(HTMLParser):
    """Notes every element that what somebody typed could have made."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.shown: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        own_script = tag == "script" and str(given.get("src", "")).startswith("/static/")
        own_map = tag == "svg" and given.get("class") in ("board", "legend", "plot")
        if tag in ACTIVE and not (own_script or own_map):
            self.found.append(f"<{tag} {given}>")
        for name, value in attrs:
            address = name in ("href", "src", "action", "formaction", "srcdoc", "hx-get", "hx-post")
            leads_away = address and re.match(r"\s*(javascript:|data:|//|https?://(?!localhost:8000))", value or "")
            marked = MARK in (value or "") and name not in (
                "value",
                "aria-label",
                "content",
                "title",
                "alt",
                "for",
                "id",
            )
            if name.startswith("on") or name == "style" or leads_away or (marked and not address) or MARK in name:
                self.found.append(f"<{tag} {name}={value}>")
            if MARK in (value or ""):
                self.shown.append(value or "")

    def handle_data(self, data: str) -> None:
        if MARK in data:
            self.shown.append(data)

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.found.append(f"<!--{data}-->")


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def test_the_reader_notices_what_gets_through() -> None:
    assert [payload for payload in PAYLOADS[:5] if not read(f"<p>{payload}").found] == []
    assert read(f'<a href="javascript:{MARK}">').found
    assert not read("<p>&lt;script&gt;x91x&lt;/script&gt;").found


@pytest.mark.parametrize("payload", TOGETHER)
def test_everything_that_is_typed_is_shown_as_text(cast: Cast, payload: str) -> None:
    everywhere(cast, payload)
    addresses = [address(cast, name) for name in READ if name not in FILES] + [
        "/",
        "/profile/",
        cast.address("stops/2/"),
    ]
    found, shown = {}, 0
    for who in ("gm", "german commander", "allied commander", "spectator"):
        browser = cast.browser(who)
        for path in addresses:
            reader = read(browser.get(path).content.decode())
            found[who, path] = reader.found
            shown += len(reader.shown)
    for mail in OutboxMessage.objects.exclude(stored=b""):
        message = message_from_bytes(bytes(mail.message), policy=SMTP)
        body = message.get_body(("html",))
        reader = read(str(body.get_content()) if body else "")
        found["mail", mail.key] = [what for what in reader.found if MARK in what or not _OF_A_MAIL.match(what)]
        assert MARK not in str(message["To"])
        assert "evil.example" not in str(message.keys())
    assert {where: what for where, what in found.items() if what} == {}
    assert shown > 20


def everywhere(cast: Cast, payload: str) -> None:
    """Write it into every text that somebody can write: names, titles, sheets, drafts, prefaces, reasons, rulings."""
    User.objects.filter(username="german staff").update(username=payload[:150])
    Campaign.objects.filter(pk=cast.campaign.pk).update(title=payload)
    review_drafts()
    gm, german = (viewer_of(cast.user(who), cast.campaign.slug) for who in ("gm", "german commander"))
    invitations.invite(gm, role=Role.STAFF, side="german", meant_for=payload, now=START)
    holder = cast.campaign.memberships.get(user__username=payload[:150])
    with_plain_name = re.sub(r"[^\w ]", "", payload)[:30]
    desks.set_desk(german, name=with_plain_name, formations=["7th Army"], holder=holder, now=START)
    browser = cast.browser("gm")
    phase = live(cast.campaign)
    browser.post(cast.address("desk/clock/"), {"seen": f"{phase.no}.{phase.rev}", "act": "hold", "reason": payload})
    browser.post(cast.address("desk/clock/"), {"seen": f"{phase.no}.{phase.rev}", "act": "resume"})
    browser.post(cast.address("desk/exposure/"), {"stop": "0.0", "side": "german", "what": payload, "tell_all": "on"})
    cast.browser("german deputy").post(cast.address("orders/HQ/draft/"), fields(cast, text=payload))
    post(cast, "german commander", text=f"NOTE {payload}\n{payload}\nMOVE {payload} to {payload}\nREADY", act="anyway")
    desk = {
        "stop": phase.no,
        "rev": phase.rev,
        "version": 0,
        "key": "desk",
        "act": "anyway",
        "text": f"{payload}\nREADY",
    }
    writer = Client()
    writer.force_login(holder.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    writer.post(cast.address(f"orders/{with_plain_name}/"), desk)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW
    act(cast, phase, "rule", stage=phase.key, text="FUEL 7", reason=payload)
    sweep(worker="one")
    phase.refresh_from_db()
    act(cast, phase, "approve", **{f"preface-{who}": payload for who in ("german", "allied", "public")})
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED
    assert AuditEntry.objects.filter(act="exposure").exists()


# --- too much --------------------------------------------------------------------------------------------------------


def test_more_than_a_page_can_send_is_refused_before_it_is_read(cast: Cast) -> None:
    browser = cast.browser("german commander")
    path = cast.address("orders/HQ/check/")
    assert browser.post(path, {"text": "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)}).status_code == 400
    many = {f"field{number}": "x" for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}
    assert browser.post(path, many).status_code == 400
    assert browser.post(path, {"text": SimpleUploadedFile("orders.txt", b"HOLD 1 SS")}).status_code == 400


def test_the_longest_sheet_of_the_widest_letters_still_fits(cast: Cast) -> None:
    text = "\U0001f600" * 65_536
    answer = cast.browser("german commander").post(
        cast.address("orders/HQ/"),
        data="&".join(["act=send", "key=k", "version=0", f"text={'%F0%9F%98%80' * 65_536}", *_phase(cast)]),
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 302
    assert live(cast.campaign).all_sheets.get().text == text


def _phase(cast: Cast) -> list[str]:
    phase = live(cast.campaign)
    return [f"stop={phase.no}", f"rev={phase.rev}"]


def test_what_no_page_can_send_is_answered_and_breaks_nothing(cast: Cast) -> None:
    names = {name for path in (ROOT / "templates").rglob("*.html") for name in _fields(path.read_text())}
    assert len(names) > 15
    for who in ("german commander", "gm"):
        browser = cast.browser(who)
        for value in ("a\0b", "9" * 400):
            for path in every_address(cast).values():
                assert browser.post(path, dict.fromkeys(names, value)).status_code < 500, (who, path, value)
                assert browser.get(path, {"next": value, "page": value}).status_code < 500, (who, path, value)
        for path in every_address(cast).values():
            strange = re.sub(r"HQ|german|K16|map\.png|x", "a%00b", path)
            assert browser.get(strange).status_code < 500, (who, strange)


def _fields(template: str) -> list[str]:
    return re.findall(r'name="([\w-]+)"', template)


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Mod\u0435l", "of several scripts"),  # a Cyrillic e
        ("\u041c\u043ed\u0435l", "of several scripts"),
        ("outs1der", "looks like this one"),
        ("0utsider", "looks like this one"),
        ("out sider", "looks like this one"),
        ("o\u00fctsider", "looks like this one"),
    ],
)
def test_a_forum_name_that_looks_like_anothers_is_refused(cast: Cast, name: str, why: str) -> None:
    browser = cast.browser(ANONYMOUS)
    token = invitations.invite(
        viewer_of(cast.user("gm"), cast.campaign.slug), role=Role.STAFF, side="german", meant_for="", now=START
    )
    browser.get(f"/invitation/{token}/")
    before = User.objects.count()
    page = browser.post("/account/signup/", {"username": name, "email": "kurt@example.org"}).content.decode()
    assert why in page
    assert User.objects.count() == before


@pytest.mark.parametrize("name", ["Жуков", "Παπάγος", "山本五十六", "Kurt von B.", "Łódź 1944"])
def test_names_in_any_one_script_are_welcome(cast: Cast, name: str) -> None:
    browser = cast.browser(ANONYMOUS)
    token = invitations.invite(
        viewer_of(cast.user("gm"), cast.campaign.slug), role=Role.STAFF, side="german", meant_for="", now=START
    )
    browser.get(f"/invitation/{token}/")
    answer = browser.post("/account/signup/", {"username": name, "email": "kurt@example.org"})
    assert answer.status_code == 302
    assert User.objects.filter(username=name).exists()
