"""What is written for people outside their own pages is guarded as pages are: turn packages, reports and every mail."""

import ast
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from campaign.core import clock
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.game import artefacts, turn_package
from campaign.game.artefacts import Content
from campaign.mail import messages
from campaign.mail.messages import to_member, written_to
from campaign.mail.news import NewsItem, keep
from campaign.mail.outbox import MailMessage
from campaign.models import (
    Artefact,
    Battle,
    Campaign,
    Gathering,
    MailNews,
    Membership,
    OutboxMessage,
    Phase,
    PhaseState,
    Preface,
    Role,
    Ruling,
    User,
)
from campaign.people import accounts, hand_over_mails
from campaign.secrecy.truth import Breach, Reader, machinery, reading, writing
from gm import gathered_mails, mail, todo
from gm.desk import reminders
from gm.machine.sweeper import sweep
from gm.phases import prefaces
from orders.battles import mail as battle_mail
from orders.mail import receipt_message
from orders.models import Channel, Sheet
from tests.gm.campaigns import START, Clock, blank_map, live, new_campaign
from tests.kept import kept
from tests.trust.guard.test_guard import everything

pytestmark = pytest.mark.django_db(transaction=True)


# --- the places ------------------------------------------------------------------------------------------------------

WRITERS = {
    "campaign/mail/news.py release": "that a mail did not bring it",
    "campaign/mail/news.py keep": "news that a mail will gather",
    "campaign/mail/outbox.py _note_gathered": "which mail brings that news",
    "campaign/mail/outbox.py _write": "every mail",
    "gm/phases/rows.py write_artefacts": "every artefact",
    "posting/calling.py _write": "every call to a person's own webhook",
    "posting/writing.py _write": "every post of an audience to a forum",
}
"""The places that write rows of the outbox, and artefacts. Both take what was made under the guard alone."""

MAKERS = {
    "campaign/game/artefacts.py contents": "turn packages: states, maps, reports, charts",
    "campaign/mail/messages.py message_for": "every mail of a campaign",
    "campaign/mail/outbox.py _as_news": "a mail that its reader wants in their digest",
    "gm/mail.py _report": "that there is a report to read in the digest",
    "orders/battles/mail.py _news": "what is new about somebody's battle",
    "campaign/people/accounts.py _message": "mails about accounts",
    "campaign/people/hand_over_mails.py _farewell": "the mail to a former game master",
    "campaign/people/invitation_mails.py mail_invitation": "mails that invite people",
    "gm/machine/health_alerts.py _mail_admins": "mails to the site's operators, which name no campaign",
    "gm/phases/prefaces.py _finished": "final reports",
    "gm/phases/rolls.py write_rolls": "the heads of the dice logs",
}
"""The places that make what is written. It cannot be made elsewhere than in a block that writes to its reader."""

ROWS = {"OutboxMessage", "Artefact", "MailNews", "ThreadPost", "TurnCall"}
BACK = {"outbox", "all_artefacts", "all_forum_posts", "calls"}
"""The relations that lead from campaigns and phases to them."""
WRITE = {"create", "bulk_create", "bulk_update", "update_or_create", "get_or_create", "acreate", "abulk_create", "add"}
MADE = {"MailMessage", "Content", "NewsItem"}
"""What they are made of."""
CONTENT = {"message", "stored", "mail", "subject", "content", "text"}


def test_every_place_that_writes_mails_or_artefacts_is_known() -> None:
    assert {place for place, node in everything(*ROWS, *BACK) if _writes(node)} == set(WRITERS)


def test_every_place_that_makes_what_is_written_is_known() -> None:
    assert {place for place, node in everything(*MADE) if _makes(node)} == set(MAKERS)


def _writes(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in ROWS
        case ast.Call(func=ast.Attribute(value=rows, attr=attr), keywords=words):
            named = _names(rows)
            changed = attr == "update" and any(word.arg in CONTENT for word in words)
            return bool(named & (ROWS | BACK)) and (attr in WRITE or changed)
    return False


def _makes(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in MADE
        case ast.alias(name=name, asname=str()):
            return name in MADE
    return False


def _names(node: ast.AST) -> set[str]:
    inner = list(ast.walk(node))
    return {each.id for each in inner if isinstance(each, ast.Name)} | {
        each.attr for each in inner if isinstance(each, ast.Attribute)
    }


@pytest.mark.parametrize(
    "code",
    [
        "OutboxMessage(key='x')",
        "OutboxMessage.objects.create(key='x')",
        "OutboxMessage.objects.filter(pk=1).update(message=b'x')",
        "campaign.outbox.create(key='x')",
        "Artefact(phase=phase)",
        "phase.all_artefacts.update_or_create(kind='map')",
        "phase.all_artefacts.filter(kind='map').update(content=b'x')",
        "Artefact.objects.bulk_create(rows)",
    ],
)
def test_a_new_writer_is_seen(code: str) -> None:
    assert any(_writes(node) for node in ast.walk(ast.parse(code)))


# --- made for its reader alone ---------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    monkeypatch.setattr(turn_package, "draw", blank_map)
    return set_clock


PEOPLE = {"Model": (Role.COMMANDER, "german"), "Hodges": (Role.COMMANDER, "allied"), "Umpire": (Role.GM, "")}


@pytest.fixture
def cast() -> dict[str, Membership]:
    kept("commanders and a GM", _cast)
    return {member.user.username: member for member in Membership.objects.select_related("campaign", "user")}


def _cast() -> None:
    campaign = new_campaign()
    for name, (role, side) in PEOPLE.items():
        user = User.objects.create_user(name, f"{name}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=START)


def test_a_mail_is_made_while_its_reader_is_written_to() -> None:
    user, other = (User.objects.create_user(name, f"{name}@example.org") for name in ("one", "two"))
    said: dict[str, Any] = {"key": "x", "kind": "x", "to_addr": user.email, "subject": "x", "text": "x"}
    for audience in (Audience("german"), GM):
        of_game = {**said, "campaign": Campaign(slug="x"), "audience": audience}
        with written_to(user, audience):
            MailMessage(user=user, **of_game)
        others = [written_to(other, audience), written_to(user, PUBLIC), written_to(user, Audience("allied"))]
        for wrong in (*others, machinery(), reading(Reader), reading(lambda audience=audience: Reader(audience))):  # type: ignore[misc]
            with wrong, pytest.raises(Breach):
                MailMessage(user=user, **of_game)
    with written_to(user, PUBLIC):
        MailMessage(user=user, **said)
    with machinery(), pytest.raises(Breach):
        MailMessage(user=user, **said)


def test_an_artefact_is_made_while_its_audience_is_written_for() -> None:
    for audience in (Audience("german"), PUBLIC):
        with writing(audience):
            Content(audience, "map", b"x")
        for wrong in (writing(Audience("allied")), machinery(), writing(GM), reading(lambda: Reader(PUBLIC, 7))):
            with wrong, pytest.raises(Breach):
                Content(audience, "map", b"x")


def test_what_others_received_is_no_part_of_a_mail(cast: dict[str, Membership]) -> None:
    made = []
    for audience in ("german", "allied", "gm", "public"):
        with writing(Audience(audience)):
            made.append(Content(Audience(audience), "text", audience.encode()))
    received = mail.Received(made)
    for name, own in (("Model", "german"), ("Hodges", "allied")):
        with to_member(cast[name]):
            assert (received[own, "text"], received.get(("public", "text"))) == (own.encode(), b"public")
            for other in {"german", "allied", "gm"} - {own}:
                with pytest.raises(Breach):
                    received.get((other, "text"))
                with pytest.raises(Breach):
                    received[other, "text"]
    with to_member(cast["Umpire"]):
        assert received["german", "text"] == b"german"


# --- a leak in each place --------------------------------------------------------------------------------------------


def leaking(*_: object, **__: object) -> Any:
    """In the place of what would be written: a look at a secret table."""
    return str(Ruling.objects.count())


def _begin(campaign: Campaign, **_: Any) -> None:
    sweep(worker="one")
    assert campaign.phases.filter(no=0, state=PhaseState.PUBLISHED).exists()


def _published(_: Campaign, __: Clock) -> None:
    sweep(worker="one")


def _reminded(campaign: Campaign, time: Clock) -> None:
    time.now = live(campaign).deadline_at - timedelta(hours=1)
    reminders._remind(live(campaign).pk)


def _missed(campaign: Campaign, time: Clock) -> None:
    time.now = live(campaign).deadline_at
    sweep(worker="one")


def _received(campaign: Campaign, _: Clock) -> None:
    sheet = Sheet(
        phase=live(campaign), side="german", version=1, channel=Channel.WEB, received_at=START, text="", digest="x"
    )
    receipt_message(sheet=sheet, author=User.objects.get(username="Model"), answer="x")


def _briefed(campaign: Campaign, _: Clock) -> None:
    _gathered(campaign, battle_mail.assigned)


def _disputed(campaign: Campaign, _: Clock) -> None:
    _gathered(campaign, lambda battle, _member: battle_mail.reported(battle)[0])


def _gathered(campaign: Campaign, news_of: Callable[[Battle, Membership], NewsItem]) -> None:
    """The mail that gathers news of a battle, for the commander of the Germans or the Allies, after its window."""
    model = campaign.memberships.select_related("user", "campaign").get(user__username="Model")
    with transaction.atomic():
        battle = Battle.objects.create(
            phase=live(campaign),
            key="Q19",
            attacker="german",
            defender="allied",
            attacking_player=model,
            reported_by="german",
            state="reported",
        )
        item = news_of(battle, model)
        keep(item)
        rows = list(MailNews.objects.filter(key=item.key).select_related("phase__campaign"))
        gathered_mails._message(item.member, Gathering.BATTLES, rows)


def _digested(campaign: Campaign, _: Clock) -> None:
    member = campaign.memberships.select_related("user", "campaign").get(user__username="Model")
    news = MailNews(
        member=member,
        audience="german",
        phase=campaign.phases.get(no=0),
        kind="report",
        key="report",
        page="http://localhost/",
    )
    gathered_mails._message(member, Gathering.DIGEST, [news])


def _extended(campaign: Campaign, time: Clock) -> None:
    mail.notice_messages(live(campaign), kind="extend", key="1", what="x", now=time.now)


@transaction.atomic
def _handed_over(campaign: Campaign, time: Clock) -> None:
    before, after = User.objects.get(username="Umpire"), User.objects.create_user("Heir", "heir@example.org")
    hand_over_mails.mail_hand_over(campaign, before=before, after=after, now=time.now)


def _signed_in(_: Campaign, __: Clock) -> None:
    user = User.objects.get(username="Model")
    accounts.AccountAdapter().send_mail("account/email/login_code", user.email, {"code": "x", "user": user})


PLACES: Mapping[str, tuple[Any, str, Callable[[Campaign, Clock], None]]] = {
    "the view of a turn package": (turn_package, "disclose", _published),
    "the report of a turn package": (turn_package, "report", _published),
    "the chart of a turn package": (turn_package, "chart", _published),
    "the map of a turn package": (turn_package, "draw", _published),
    "the texts of a turn package": (artefacts, "encode_view", _published),
    "a final report": (prefaces, "sealed_report", _published),
    "the mail of a publication": (mail, "without_sheet", _published),
    "the template in that mail": (mail, "order_template", _published),
    "what that mail asks": (todo, "desks_of", _published),
    "the news of a publication": (mail, "is_news", _missed),
    "a reminder": (reminders, "missing_of", _reminded),
    "what a reminder warns of": (reminders, "without_sheet", _reminded),
    "a receipt": (messages, "render_to_string", _received),
    "a brief": (gathered_mails, "whole_brief_of", _briefed),
    "a digest": (messages, "render_to_string", _digested),
    "the reports in a digest": (mail, "sealed_report", _digested),
    "the map in a digest": (gathered_mails, "dice_headers", _digested),
    "a mail about a battle": (messages, "render_to_string", _disputed),
    "a notice": (messages, "render_to_string", _extended),
    "the mail to a former game master": (hand_over_mails, "render_to_string", _handed_over),
    "a code to sign in": (accounts.AccountAdapter, "render_mail", _signed_in),
}
"""Where something is written: what is replaced by a leak, and what writes it."""


@pytest.mark.parametrize("place", PLACES)
def test_a_leak_is_stopped_and_nothing_of_it_kept(
    cast: dict[str, Membership],
    time: Clock,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    where, name, write = PLACES[place]
    campaign = cast["Model"].campaign
    if write is not _published:
        _begin(campaign)
    before = _kept()
    monkeypatch.setattr(where, name, leaking)
    if write in (_published, _missed):  # a worker's: the fault is logged, and the phase waits
        write(campaign, time)
    else:
        with pytest.raises(Breach):
            write(campaign, time)
    alarms = [each for each in caplog.messages if each.startswith("truth: ")]
    assert alarms
    assert all(each.endswith(" was stopped that would have read Ruling") for each in alarms)
    assert _kept() == before


def _kept() -> tuple[int, ...]:
    published = Phase.objects.filter(state__in=(PhaseState.PUBLISHED, PhaseState.REVIEW)).count()
    return (
        Artefact.objects.count(),
        OutboxMessage.objects.exclude(kind="digest").count(),
        MailNews.objects.count(),
        Preface.objects.count(),
        published,
    )
