"""The messages of the game: who gets one and who does not, what is in it, and that it is never another's."""

import json
import re
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from html.parser import HTMLParser
from typing import Any
from unittest.mock import Mock

import pytest
from django.core import mail as sent_mails
from django.utils import timezone

from campaign.core import clock
from campaign.engine.display.views import LogLine, View
from campaign.engine.orders.notation import parse
from campaign.engine.state import known_state, state_known_to
from campaign.engine.values.ids import GM, Audience, PhaseKey, SideId
from campaign.engine.values.value import replace
from campaign.game import turn_package
from campaign.game.store import decode_view, encode_view
from campaign.mail.messages import message_to
from campaign.mail.outbox import MailMessage
from campaign.models import (
    Battle,
    BattleState,
    Campaign,
    Desk,
    MailNews,
    Membership,
    OutboxMessage,
    OutboxState,
    Phase,
    PhaseState,
    Preface,
    Role,
    User,
)
from campaign.reports.writing import WIDTH
from campaign.rulesets.forum_campaign.model import signs
from campaign.selectors import knowledge
from campaign.services import whole_scenario_of
from campaign.viewers import Viewer
from gm import mail
from gm.desk import reminders
from gm.machine.sweeper import sweep
from gm.phases import lifecycle
from orders.intake import Submission, submit
from orders.mail import receipt_message
from orders.models import Channel, Sheet
from tests.gm import campaigns
from tests.gm.campaigns import START, Clock, live, review_drafts, send
from tests.mail.writing import composed
from tests.maps.examples import EMPTY, arrow, counter, sighting, table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("cast")]

CAST = {
    "Model": (Role.DEPUTY, "german"),
    "Manteuffel": (Role.STAFF, "german"),
    "Peiper": (Role.TACTICAL, "german"),
    "Bradley": (Role.COMMANDER, "allied"),
    "Umpire": (Role.GM, ""),
    "Onlooker": (Role.SPECTATOR, ""),
}


@pytest.fixture(autouse=True)
def maps_that_say_whose_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", lambda _, view, **_width: f"the map of {view.audience}".encode())


@pytest.fixture
def cast(campaign: Campaign) -> dict[str, Membership]:
    """Rundstedt commands the Germans already; Manteuffel holds a desk. All want reports and receipts at once."""
    people = {membership.user.username: membership for membership in campaign.memberships.select_related("user")}
    for name, (role, side) in CAST.items():
        people[name] = join(campaign, name, role, side)
    first = sorted(formations(campaign, "german"))[0]
    Desk.objects.create(
        campaign=campaign, side="german", name="5th Army", holder=people["Manteuffel"], formations=[first]
    )
    for person in people.values():
        wants(person, reports="now", receipts="now")
    return people


def wants(member: Membership, **when: str) -> None:
    """Somebody chooses when they get kinds of mail."""
    member.mail_choices = when
    member.save()


def join(campaign: Campaign, name: str, role: str, side: str, **more: Any) -> Membership:
    user = User.objects.create_user(name, f"{name.lower()}@example.org", **more)
    return Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=START)


def formations(campaign: Campaign, side: str) -> dict[str, Any]:
    loaded = whole_scenario_of(campaign)
    known = known_state(loaded.scenario.start, [SideId(side)])
    return dict(loaded.rules.formations(loaded.scenario.game_data, known))


def written(kind: str = "") -> dict[str, OutboxMessage]:
    """The rows of the outbox by reader."""
    rows = OutboxMessage.objects.select_related("user").order_by("pk")
    return {row.user.username: row for row in rows if row.user and kind in ("", row.kind)}


def kinds() -> dict[str, str]:
    return {name: row.kind for name, row in written().items()}


def parsed(row: OutboxMessage) -> EmailMessage:
    read = message_from_bytes(bytes(row.message), policy=SMTP)
    assert isinstance(read, EmailMessage)
    return read


def body(row: OutboxMessage, kind: str = "plain") -> str:
    part = parsed(row).get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def forget() -> None:
    MailNews.objects.all().delete()
    OutboxMessage.objects.all().delete()


def ready(phase: Phase, cast: dict[str, Membership], side: str = "german") -> None:
    """Everyone who acts says that they are done."""
    author = cast["Rundstedt" if side == "german" else "Bradley"].user
    send(phase, author, "ALL OTHERS HOLD", side=side, ready=True)
    for desk in Desk.objects.filter(side=side):
        send(phase, author, "", side=side, desk=desk.name, idem_key=desk.name, ready=True)


def begin(campaign: Campaign) -> Phase:
    """The first German sheet is open; what was written before is forgotten."""
    phase = campaigns.opened(campaign)
    forget()
    return phase


# --- who gets one ----------------------------------------------------------------------------------------------------


def test_those_who_must_act_are_asked_and_the_others_informed(campaign: Campaign) -> None:
    sweep(worker="one")
    assert live(campaign).acts == ["allied", "german"]
    assert kinds() == {
        "Rundstedt": "opened",
        "Model": "opened",
        "Manteuffel": "report",
        "Peiper": "report",
        "Bradley": "opened",
        "Umpire": "report",
    }, "in the air phase a desk of the staff has nothing to decide"
    assert OutboxMessage.objects.count() == 6


def test_a_member_who_sees_nothing_new_gets_no_mail(campaign: Campaign, cast: dict[str, Membership]) -> None:
    ready(begin(campaign), cast)
    sweep(worker="one")
    published = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no")
    for name, row in written("report").items():
        before, now = (
            decode_view(bytes(phase.all_artefacts.get(audience=row.audience, kind="view").content))
            for phase in list(published)[-2:]
        )
        assert mail.is_news(before, now), name
    assert written()["Bradley"].kind == "opened"
    assert "Onlooker" not in written()


_COUNTED = replace(EMPTY, counters=(counter("B2"),))
_LOGGED = replace(EMPTY, log=(LogLine("Battles", "A bridge is blown.", "R4.2"),))
_MOVED = replace(EMPTY, arrows=(arrow(signs.MOVE.key, "B2", "B3"),))


@pytest.mark.parametrize(
    ("before", "now", "news"),
    [
        (None, EMPTY, "news"),
        (replace(_COUNTED, log=_LOGGED.log), replace(_COUNTED, log=_LOGGED.log), "nothing new"),
        (_COUNTED, replace(EMPTY, counters=(counter("B3"),)), "news"),
        (replace(EMPTY, sightings=(sighting("B2"),)), EMPTY, "news"),
        (_LOGGED, replace(EMPTY, log=(LogLine("Battles", "Another is blown.", "R4.2"),)), "news"),
        (replace(_MOVED, log=_LOGGED.log), EMPTY, "nothing new"),
        (replace(EMPTY, panels=(table("fuel", ("Reserve", "1")),)), EMPTY, "nothing new"),
    ],
)
def test_news_is_what_changed_on_the_map_or_has_happened(before: View | None, now: View, news: str) -> None:
    assert mail.is_news(before, now) == (news == "news")


def test_another_form_of_the_same_view_is_no_news() -> None:
    """The View of the phase before was written by an older release."""
    before = json.loads(encode_view(_COUNTED))
    del before["version"]
    before["counters"] = [
        {**{figure["key"]: figure["value"] for figure in each.pop("figures")}, **each} for each in before["counters"]
    ]
    assert not mail.is_news(decode_view(json.dumps(before).encode()), _COUNTED)


def test_a_member_who_left_has_no_address_or_is_locked_out_gets_nothing(cast: dict[str, Membership]) -> None:
    Membership.objects.filter(pk=cast["Model"].pk).update(left_at=START)
    User.objects.filter(username="Bradley").update(email="")
    User.objects.filter(username="Peiper").update(is_active=False)
    sweep(worker="one")
    assert set(written()) == {"Rundstedt", "Manteuffel", "Umpire"}


def test_nothing_is_written_while_a_draft_waits_but_to_the_gm(campaign: Campaign, cast: dict[str, Membership]) -> None:
    review_drafts()
    phase = begin(campaign)
    ready(phase, cast)
    sweep(worker="one")
    assert kinds() == {"Umpire": "review"}
    phase.refresh_from_db()
    assert lifecycle.approve(phase.pk, fence=phase.fence)
    assert written()["Bradley"].kind == "opened"
    assert not lifecycle.approve(phase.pk, fence=phase.fence)


def test_a_publication_that_fails_leaves_no_mail(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILPOINTS", "publish.before_commit=raise")
    sweep(worker="one")
    assert live(campaign).no == 0
    assert not OutboxMessage.objects.exists()


def test_the_gm_is_asked_to_fix_a_phase_that_fails_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.machine.sweeper.file", lambda _: 1 / 0)
    for _ in range(3):
        sweep(worker="one")
    assert kinds() == {"Umpire": "failed"}
    assert "log" in body(written()["Umpire"])


# --- never another's -------------------------------------------------------------------------------------------------


def assert_everyone_gets_their_own(campaign: Campaign) -> None:
    rows = OutboxMessage.objects.filter(campaign=campaign).select_related("user", "phase")
    assert rows
    for row in rows:
        assert row.user is not None
        member = campaign.memberships.get(user=row.user)
        assert Viewer(campaign, row.user, member).audience == row.audience
        mail_ = parsed(row)
        assert mail_.get_all("To") == [row.user.email] == [row.to_addr]
        assert row.phase is not None
        assert row.phase.state == PhaseState.PUBLISHED
        received = {a.kind: bytes(a.content) for a in row.phase.all_artefacts.filter(audience=row.audience)}
        pictures = [part.get_payload(decode=True) for part in mail_.walk() if part.get_content_maintype() == "image"]
        assert pictures == [received["map"]]
        report, _, notes = received["text"].decode().rpartition("Dice logs")
        assert report.strip()
        assert report.strip() in body(row)
        assert notes
        plain_html = re.sub(' style="[^"]*"', "", body(row, "html")).replace("http://localhost:8000/", "/")
        assert all(line in plain_html for line in received["html"].decode().splitlines()[1:3])


def play(campaign: Campaign, cast: dict[str, Membership]) -> None:
    """A day on which nobody does anything."""
    sweep(worker="one")
    first = live(campaign).day
    while (phase := live(campaign)).day == first:
        for side in phase.acts:
            ready(phase, cast, side)
        sweep(worker="one")


def test_everyone_is_sent_what_their_own_side_received(campaign: Campaign, cast: dict[str, Membership]) -> None:
    play(campaign, cast)
    assert_everyone_gets_their_own(campaign)
    assert set(OutboxMessage.objects.values_list("audience", flat=True)) == {"german", "allied", "gm"}
    assert set(OutboxMessage.objects.values_list("state", flat=True)) == {OutboxState.SENT}


def test_messages_to_the_wrong_people_are_noticed_and_not_sent(
    campaign: Campaign, cast: dict[str, Membership], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, other = message_to, {"german": "Bradley", "allied": "Rundstedt", "": "Umpire"}

    def swapped(member: Membership, **more: Any) -> MailMessage:
        message = sound(member, **more)
        user = cast[other[member.side]].user
        return composed(user, **{**vars(message), "to_addr": user.email})

    monkeypatch.setattr(mail, "message_to", swapped)
    sweep(worker="one")
    with pytest.raises(AssertionError):
        assert_everyone_gets_their_own(campaign)
    assert {message.to[0] for message in sent_mails.outbox} == {"umpire@example.org"}


# --- what is in them -------------------------------------------------------------------------------------------------


OPENED = """\
From the GM:

Mind the mud.

“Allied movement and attacks” of 16 December 1944 is open. Please write your
side’s orders.

The deadline is Tue 3 Mar 2026, 13:00 CET (12:00 UTC). If no sheet is
submitted by then, it counts as one without orders.

Write your orders: http://localhost:8000/c/bulge/orders/HQ/

"""


@pytest.fixture
def opened(campaign: Campaign, cast: dict[str, Membership]) -> OutboxMessage:
    """The mail that asks Bradley for a sheet, with a few words from the GM."""
    User.objects.filter(username="Bradley").update(time_zone="Europe/Berlin")
    review_drafts()
    phase = begin(campaign)
    ready(phase, cast)
    sweep(worker="one")
    for audience, text in (("allied", "Mind the mud."), ("german", "On to Antwerp.")):
        Preface.objects.create(phase=phase, audience=audience, text=text)
    phase.refresh_from_db()
    assert lifecycle.approve(phase.pk, fence=phase.fence)
    return written("opened")["Bradley"]


def test_a_member_who_is_asked_reads_what_until_when_and_where(opened: OutboxMessage) -> None:
    text = body(opened)
    assert parsed(opened)["Subject"] == "[The Bulge] 16 December 1944, Allied movement and attacks: your orders"
    assert text.startswith(OPENED)
    report, _, template = text.removeprefix(OPENED).partition("Template for your sheet")
    assert report.startswith("Ardennes, December 1944: 16 December 1944, ")
    assert re.fullmatch(
        r"\. Copy the lines between BEGIN ORDERS and END ORDERS:\n\n"
        r"BEGIN ORDERS\n((?:# .+: [A-Z]\d+, \d+ %, moves \d+\n)+)ALL OTHERS HOLD\nEND ORDERS\n+"
        r"-- \nThe Bulge, for Bradley: http://localhost:8000/c/bulge/\n"
        r"Choose your mails:\nhttp://localhost:8000/c/bulge/mails/[0-9a-f]{32}/\n+",
        template,
    )
    assert max(map(len, text.splitlines())) <= WIDTH


def test_a_message_of_the_gm_comes_first_once_and_is_for_its_audience(opened: OutboxMessage) -> None:
    for kind in ("plain", "html"):
        said = body(opened, kind)
        assert said.count("Mind the mud.") == 1
        assert "Antwerp" not in said


def test_links_of_mails_are_whole_addresses() -> None:
    sweep(worker="one")
    links = {link for row in OutboxMessage.objects.all() for link in re.findall(r'href="([^"]*)"', body(row, "html"))}
    assert any("/rules/#" in link for link in links)
    assert all(link.startswith("http://localhost:8000/c/bulge/") for link in links)


def test_a_desk_is_offered_its_own_units_only(campaign: Campaign) -> None:
    campaigns.opened(campaign)
    text, whole = body(written()["Manteuffel"]), body(written()["Rundstedt"])
    assert "Please write the orders of your desk, 5th Army" in " ".join(text.split())
    assert "http://localhost:8000/c/bulge/orders/5th%20Army/" in text
    mine, all_ = (set(re.findall(r"^# .*$", each, re.MULTILINE)) for each in (text, whole))
    assert mine < all_
    assert mine


def template(row: OutboxMessage) -> str:
    between = re.search(r"BEGIN ORDERS\n(.*)\nEND ORDERS", body(row), re.DOTALL)
    assert between is not None
    return between[1]


def test_where_nothing_is_held_the_template_says_how_orders_are_written() -> None:
    sweep(worker="one")
    for name in ("Rundstedt", "Bradley"):
        lines = template(written()[name]).splitlines()
        assert "# BUY <unit> men|at|heavy-at|aa|heavy-aa|tanks" in lines
        assert all(line.startswith("# ") for line in lines)


def test_the_template_is_understood_unchanged(campaign: Campaign) -> None:
    campaigns.opened(campaign)
    loaded = whole_scenario_of(campaign)
    names = loaded.rules.names(loaded.scenario.game_data, state_known_to(loaded.scenario.start, Audience("german")))
    sheet = parse(template(written()["Rundstedt"]), loaded.rules.phase(PhaseKey(live(campaign).key)).orders, names)
    assert not sheet.problems
    assert len(sheet.orders) == 1


def test_a_member_who_is_only_informed_is_asked_for_nothing() -> None:
    sweep(worker="one")
    row = written()["Peiper"]
    assert parsed(row)["Subject"] == "[The Bulge] 16 December 1944, Morning: report"
    assert "does not wait for you" in body(row)
    assert "BEGIN ORDERS" not in body(row)


class Outside(HTMLParser):
    """What a page would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.fetched: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.fetched |= {value or "" for name, value in attrs if name in ("src", "srcset", "background", "poster")}
        assert not any(name.startswith("on") for name, _ in attrs)
        assert not any("url(" in (value or "") for name, value in attrs if name == "style")


def test_the_html_fetches_nothing_and_runs_nothing() -> None:
    Campaign.objects.update(title='<script>alert(1)</script><img src="http://spy.example/x">')
    User.objects.filter(username="Rundstedt").update(username='<img src="http://spy.example/y">')
    sweep(worker="one")
    for row in written().values():
        page = Outside()
        page.feed(body(row, "html"))
        assert not page.tags & {"script", "iframe", "link", "form", "object", "embed", "input"}
        assert page.fetched == {"cid:map"}


def test_a_title_with_line_breaks_adds_no_header() -> None:
    Campaign.objects.update(title="The\r\nBcc: spy@example.org\r\n\r\nBulge")
    User.objects.filter(username="Rundstedt").update(username="Rund\r\nBcc: spy@example.org")
    sweep(worker="one")
    for row in OutboxMessage.objects.all():
        assert parsed(row)["Bcc"] is None
        assert parsed(row)["Subject"].startswith("[The Bcc: spy@example.org Bulge] 16 December 1944, ")


# --- reminders -------------------------------------------------------------------------------------------------------


def test_a_side_that_has_sent_nothing_is_reminded_once_before_the_deadline(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    phase = begin(campaign)
    time.now = phase.deadline_at - timedelta(hours=12, seconds=1)
    sweep(worker="one")
    assert not written()
    send(phase, cast["Rundstedt"].user, "")
    time.forward(seconds=1)
    for _ in range(2):
        sweep(worker="one")
    assert kinds() == {"Manteuffel": "reminder"}
    assert OutboxMessage.objects.count() == 1
    assert "No sheet has been submitted for: 5th Army." in body(written()["Manteuffel"])
    subject = parsed(written()["Manteuffel"])["Subject"]
    assert subject == "[The Bulge] 16 December 1944, German movement and attacks: reminder"


def test_a_deadline_that_moved_is_reminded_of_again(
    campaign: Campaign, cast: dict[str, Membership], time: Clock
) -> None:
    sweep(worker="one")
    forget()
    time.now = live(campaign).deadline_at - timedelta(hours=1)
    sweep(worker="one")
    Phase.objects.filter(pk=live(campaign).pk).update(deadline_rev=1)
    sweep(worker="one")
    assert OutboxMessage.objects.filter(user=cast["Rundstedt"].user).count() == 2


def test_reminders_read_what_a_side_knows_once(
    campaign: Campaign, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(campaign)
    read = Mock(wraps=knowledge)
    monkeypatch.setattr(reminders, "knowledge", read)
    time.now = live(campaign).deadline_at - timedelta(hours=1)
    sweep(worker="one")
    assert set(kinds()) == {"Rundstedt", "Model", "Manteuffel"}
    assert [call.args[0].audience for call in read.call_args_list] == ["german"]


@pytest.mark.parametrize("change", [{"held": True}, {"opens_at": START + timedelta(hours=40)}])
def test_nobody_is_reminded_of_a_phase_that_is_paused_or_was_opened_late(
    campaign: Campaign, time: Clock, change: dict[str, Any]
) -> None:
    sweep(worker="one")
    forget()
    Phase.objects.filter(pk=live(campaign).pk).update(**change)
    time.now = live(campaign).deadline_at - timedelta(hours=1)
    sweep(worker="one")
    assert not written()


def battle(campaign: Campaign, cast: dict[str, Membership], **more: Any) -> Battle:
    fight = {"key": "Q19", "attacker": "german", "defender": "allied"}
    players = {"attacking_player": cast["Peiper"], "defending_player": cast["Bradley"]}
    return Battle.objects.create(phase=live(campaign), **{**fight, **players, **more})


@pytest.mark.parametrize(
    ("state", "reminded"),
    [
        ({"state": BattleState.OPEN}, {"Peiper", "Bradley"}),
        ({"state": BattleState.REPORTED, "reported_by": "german"}, {"Bradley"}),
        ({"state": BattleState.CONFIRMED, "reported_by": "german"}, set()),
    ],
)
def test_players_are_reminded_of_the_battles_that_wait_for_them(
    campaign: Campaign, cast: dict[str, Membership], time: Clock, state: dict[str, Any], reminded: set[str]
) -> None:
    sweep(worker="one")
    forget()
    Phase.objects.filter(pk=live(campaign).pk).update(acts=[GM], deadline_kind="nags")
    battle(campaign, cast, **state)
    time.now = live(campaign).deadline_at - timedelta(hours=1)
    sweep(worker="one")
    assert {name for name, kind in kinds().items() if kind == "reminder"} == reminded


# --- notices, disputes, receipts -------------------------------------------------------------------------------------


def test_a_notice_goes_to_all_players_and_to_the_gm(campaign: Campaign, cast: dict[str, Membership]) -> None:
    begin(campaign)
    for _ in range(2):
        what = "The deadline has moved."
        mail.enqueue_all(mail.notice_messages(live(campaign), kind="deadline", key="1", what=what, now=clock.now()))
    assert set(kinds()) == cast.keys() - {"Onlooker"}
    assert OutboxMessage.objects.count() == len(cast) - 1
    assert "The deadline has moved." in body(written()["Model"])


def test_a_receipt_says_what_came_and_what_was_understood(campaign: Campaign, cast: dict[str, Membership]) -> None:
    sweep(worker="one")
    forget()
    text = "MOVE 12 SS S22\n" + "# " + "a long comment " * 20 + "\n\n\n<b>Höfen</b>"
    submit(
        Submission(
            phase_id=live(campaign).pk,
            side="german",
            author=cast["Rundstedt"].user,
            text=text,
            channel=Channel.WEB,
            idem_key="a",
            expected_version=0,
        ),
        receipt_mail=lambda sheet: receipt_message(
            sheet=sheet, author=cast["Rundstedt"].user, answer="line 1: 12 SS moves to S22"
        ),
    )
    row, sheet = written()["Rundstedt"], Sheet.objects.get()
    said = body(row)
    assert parsed(row)["Subject"] == "[The Bulge] 16 December 1944, Purchases and air: sheet received, version 1"
    assert (row.kind, row.audience) == ("receipt", "german")
    for part in (text, sheet.digest, sheet.nonce, "line 1: 12 SS moves to S22", "12:00:00 UTC"):
        assert part in said
    assert "&lt;b&gt;Höfen&lt;/b&gt;" in body(row, "html")


def test_a_view_has_the_parts_that_news_is_made_of() -> None:
    assert {*mail._STANDING, *mail._PASSING} <= set(View.__struct_fields__)
    assert timezone.get_current_timezone_name() == "UTC"
