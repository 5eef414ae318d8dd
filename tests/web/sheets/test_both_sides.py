"""A phase in which both sides act: when it closes, and that neither learns what the other has done so far."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from campaign.game import turn_package
from campaign.models import Campaign, Desk, Membership, OutboxMessage, PhaseState
from campaign.viewers import viewer_of
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from orders.intake import KeyReused
from orders.models import Draft, LockedSheet, Sheet
from tests.gm.campaigns import AIRBORNE, Clock, blank_map, live, miss, new_campaign, review_drafts, send
from tests.kept import kept
from tests.mails import text_of
from tests.web.conftest import ANONYMOUS, Cast, gathered

pytestmark = pytest.mark.django_db

WORDS = "NOTE the ridge of Elsenborn first"
MASKED = r'(name="csrfmiddlewaretoken" value=|X-CSRFToken": |name="key" value=)"[^"]*"'
READ = ("", "stops/", "stops/0/", "orders/", "orders/HQ/", "battles/", "people/", "rules/", "public/", "public/stops/")
GERMANS = ("german commander", "german deputy", "german staff")
OTHERS = (*GERMANS, "spectator", ANONYMOUS)


@pytest.fixture
def both(time: Clock, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """Everyone at the air phase of a first morning on which both sides have air units."""
    monkeypatch.setattr(turn_package, "draw", blank_map)
    kept("both", lambda: gathered(_on_a_first_morning(), time.now))
    cast = Cast(Campaign.objects.get())
    assert live(cast.campaign).acts == ["allied", "german"]
    return cast


def _on_a_first_morning() -> Campaign:
    campaign = new_campaign(master=AIRBORNE)
    sweep(worker="one")
    return campaign


def post(cast: Cast, who: str, **more: Any) -> Any:
    """The form of the open phase's sheet, as someone submits it."""
    phase = live(cast.campaign)
    fields = {"stop": phase.no, "rev": phase.rev, "version": 0, "key": f"a key of {who}", "act": "send", "text": WORDS}
    return cast.browser(who).post(cast.address("orders/HQ/"), fields | more)


def seen(cast: Cast, who: str) -> dict[str, tuple[int, str]]:
    """What someone is shown at every address that they read, without what is drawn again for each page."""
    browser = cast.browser(who)
    pages = {path: browser.get(path) for path in ("/", *map(cast.address, READ))}
    return {path: (page.status_code, re.sub(MASKED, r"\1", page.content.decode())) for path, page in pages.items()}


def mails(who: str) -> list[str]:
    return list(OutboxMessage.objects.filter(user__username=who).order_by("pk").values_list("kind", flat=True))


# --- when it closes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["german", "allied"])
def test_it_closes_early_when_both_are_ready_and_not_before(both: Cast, first: str) -> None:
    open_phase, author = live(both.campaign), both.user("gm")
    second = {"german": "allied", "allied": "german"}[first]
    send(open_phase, author, "READY", side=first, ready=True)
    sweep(worker="one")
    assert live(both.campaign) == open_phase
    send(open_phase, author, "READY", side=second, ready=True)
    sweep(worker="one")
    assert live(both.campaign).key == "german_sheet"
    assert set(LockedSheet.objects.filter(phase=open_phase).values_list("side", flat=True)) == {"german", "allied"}


def test_a_new_version_takes_a_sides_ready_back(both: Cast) -> None:
    phase, author = live(both.campaign), both.user("gm")
    send(phase, author, "READY", side="german", ready=True)
    send(phase, author, "NOTE wait", side="german")
    send(phase, author, "READY", side="allied", ready=True)
    sweep(worker="one")
    assert live(both.campaign) == phase


def test_at_the_deadline_it_closes_with_the_sheets_that_came(both: Cast, time: Clock) -> None:
    open_phase = live(both.campaign)
    send(open_phase, both.user("gm"), "NOTE not ready", side="allied")
    time.now = open_phase.deadline_at
    sweep(worker="one")
    open_phase.refresh_from_db()
    assert open_phase.state == PhaseState.PUBLISHED
    assert list(LockedSheet.objects.filter(phase=open_phase).values_list("side", flat=True)) == ["allied"]


def test_a_desk_of_either_side_is_waited_for(both: Cast) -> None:
    for side, name, formation in (("allied", "First", "First Army"), ("german", "Sixth", "6th Panzer Army")):
        holder = Membership.objects.get(user__username=f"{side} staff")
        Desk.objects.create(campaign=both.campaign, side=side, name=name, holder=holder, formations=[formation])
    miss(live(both.campaign))
    for side, desk in (("german", "Sixth"), ("allied", "First")):
        phase, author = live(both.campaign), both.user("gm")
        assert phase.acts == [side]
        send(phase, author, "READY", side=side, ready=True)
        sweep(worker="one")
        assert live(both.campaign) == phase
        send(phase, author, "READY", side=side, desk=desk, ready=True, idem_key="desk")
        sweep(worker="one")
        assert live(both.campaign) != phase


# --- what neither learns ---------------------------------------------------------------------------------------------

ACTS: list[tuple[str, Callable[[Cast], object]]] = [
    ("sends", lambda cast: post(cast, "allied commander")),
    ("is ready", lambda cast: post(cast, "allied commander", act="ready")),
    ("sends twice", lambda cast: [post(cast, "allied commander", version=n, key=str(n)) for n in range(2)]),
    ("keeps a draft", lambda cast: post(cast, "allied commander", act="draft")),
    (
        "withdraws",
        lambda cast: [post(cast, "allied commander"), post(cast, "allied commander", act="withdraw", newest=1)],
    ),
    (
        "is entered by the GM",
        lambda cast: send(live(cast.campaign), cast.user("gm"), WORDS, side="allied", ready=True),
    ),
]


def test_nothing_that_one_side_does_changes_a_page_or_a_mail_of_anybody_else(both: Cast) -> None:
    before = {who: seen(both, who) for who in OTHERS}
    written = {who: mails(who) for who in OTHERS if who != ANONYMOUS}
    for what, act in ACTS:
        undone = transaction.savepoint()
        act(both)
        assert Sheet.objects.filter(side="allied").exists() or Draft.objects.exists(), what
        sweep(worker="one")
        assert {who: seen(both, who) for who in OTHERS} == before, what
        assert {who: mails(who) for who in written} == written, what
        transaction.savepoint_rollback(undone)


def test_ones_own_answer_and_receipt_are_the_same_whatever_the_enemy_has_sent(both: Cast) -> None:
    browser = both.browser("german commander")
    check = both.address("orders/HQ/check/")
    before = browser.post(check, {"text": "AIR superiority 2"}).content
    post(both, "allied commander", act="ready")
    assert browser.post(check, {"text": "AIR superiority 2"}).content == before
    assert post(both, "german commander").headers["Location"].endswith("/orders/HQ/1.0/1/")


def test_the_same_key_of_a_form_is_no_clash_between_the_sides(both: Cast) -> None:
    phase, author = live(both.campaign), both.user("gm")
    send(phase, author, "READY", side="allied", idem_key="1")
    assert send(phase, author, "HOLD 1 SS", side="german", idem_key="1").version == 1
    with pytest.raises(KeyReused):
        send(phase, author, "HOLD 2 Pz", side="german", idem_key="1")


def test_a_side_that_has_sent_nothing_is_reminded_of_itself_alone(both: Cast, time: Clock) -> None:
    post(both, "allied commander", act="ready")
    phase = live(both.campaign)
    time.now = phase.deadline_at - timedelta(hours=1)
    sweep(worker="one")
    reminders = OutboxMessage.objects.filter(kind="reminder")
    assert set(reminders.values_list("user__username", flat=True)) == {"german commander", "german deputy"}
    for reminder in reminders:
        text = text_of(bytes(reminder.message))
        assert "your side’s" in text
        assert "llied" not in text


def test_a_reopened_phase_gives_each_side_its_own_sheet_again(both: Cast) -> None:
    for who in ("german commander", "allied commander"):
        post(both, who, text=f"NOTE for {who}", act="ready")
    sweep(worker="one")
    assert live(both.campaign).key == "german_sheet"
    reopen(viewer_of(both.user("gm"), both.campaign.slug), reason="The forecast was wrong.")
    for who, other in (("german commander", "allied commander"), ("allied commander", "german commander")):
        page = both.browser(who).get(both.address("orders/")).content.decode()
        assert f"NOTE for {who}" in page
        assert f"NOTE for {other}" not in page


# --- the GM's desk ---------------------------------------------------------------------------------------------------


def test_the_gm_sees_who_is_late_and_no_word_of_a_sheet_before_the_lock(both: Cast) -> None:
    post(both, "allied commander", act="ready")
    browser = both.browser("gm")
    page = browser.get(both.address("desk/")).content.decode()
    assert page.count("READY</span>") == 1
    assert page.count("no sheet yet") == 1
    for path in ("desk/", "desk/enter/german/", "desk/enter/allied/", "orders/", "stops/", ""):
        assert WORDS not in browser.get(both.address(path)).content.decode(), path


def test_the_gm_enters_a_sheet_for_either_side(both: Cast) -> None:
    for side in ("german", "allied"):
        open_phase = live(both.campaign)
        page = both.browser("gm").get(both.address(f"desk/enter/{side}/")).content.decode()
        fields = dict(re.findall(r'name="(seen|version|key)" value="([^"]*)"', page))
        sent = both.browser("gm").post(
            both.address(f"desk/enter/{side}/"), {**fields, "text": "AIR superiority 1\nREADY", "act": "send"}
        )
        assert sent.status_code == 302
        assert Sheet.objects.get(phase=open_phase, side=side).channel == "gm"
    sweep(worker="one")
    assert live(both.campaign).key == "german_sheet"


def test_air_missions_of_both_sides_are_public_only_when_the_phase_is_published(both: Cast) -> None:
    review_drafts()
    before = seen(both, "spectator")
    post(both, "allied commander", text="AIR cas 3", act="ready")
    post(both, "german commander", text="AIR cas 2", act="ready")
    sweep(worker="one")
    assert live(both.campaign).state == PhaseState.REVIEW
    drafted = seen(both, "spectator")
    changed = {path for path in before if drafted[path] != before[path]}
    assert changed <= {"/", both.address(), both.address("public/")}
    for path in changed:
        assert "closed, being resolved" in drafted[path][1]
