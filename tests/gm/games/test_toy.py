"""The machinery plays a game of another kind: sides in turns, and a question to the opponent in the middle of one."""

import dataclasses
import json
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client

from campaign import services
from campaign.core import clock
from campaign.engine.adjudication import asked
from campaign.engine.phases import Weight
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.loading import load_scenario, read_files
from campaign.handling import DEFAULTS, handling_of
from campaign.links import PICTURES
from campaign.models import (
    Artefact,
    Campaign,
    Mailing,
    MailNews,
    Membership,
    OutboxMessage,
    Phase,
    PhaseState,
    Role,
    User,
)
from campaign.selectors import view
from campaign.services import change_settings, create_campaign, title_of
from campaign.viewers import viewer_of
from gm.desk.absence import flags
from gm.gathered_mails import gather_due
from gm.last_reports import views_before
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from gm.verification import faults
from orders.intake import NotYours
from tests import toy
from tests.gm.campaigns import START, UNREVIEWED, Clock, live, review_drafts, send, state_after
from tests.gm.conftest import rundstedt
from tests.kept import kept
from tests.laws.games import RULES
from tests.mails import text_of as text_of_mail
from tests.toy.model.game_data import NORTH, SIDES, SOUTH, Card
from tests.toy.model.orders import Reaction, WhenAttacked
from tests.toy.model.state import Attack
from tests.toy.sequence import ANSWER, DUSK

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]

ATTACKS = {"north": "ATTACK Harbour Watch marsh", "south": "ATTACK Blue Fusiliers mill"}


@pytest.fixture
def estuary(monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """A toy campaign at its first turn, with one player on each side."""
    monkeypatch.setattr(services, "read_files", partial(read_files, rulesets=RULES))
    kept("estuary", _estuary)
    return Campaign.objects.get()


def _estuary() -> None:
    campaign = create_campaign(
        slug="estuary", title="Estuary", scenario=toy.SCENARIO, handling=UNREVIEWED, founder=rundstedt()
    )
    for side in SIDES:
        user = User.objects.create_user(side, f"{side}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side=side, joined_at=START)
    sweep(worker="one")


def attacked(estuary: Campaign, author: User) -> tuple[Phase, str, str]:
    """The phase after an attack in the first turn, who attacked, and who was attacked."""
    turn = live(estuary)
    (first,) = turn.acts
    send(turn, author, ATTACKS[first], side=first, ready=True)
    sweep(worker="one")
    return live(estuary), first, "south" if first == "north" else "north"


def test_an_answer_is_a_phase_in_which_only_the_attacked_side_acts(estuary: Campaign, author: User) -> None:
    answer, attacker, defender = attacked(estuary, author)
    assert (answer.key, answer.acts, answer.state) == ("answer", [defender], PhaseState.OPEN)
    send(answer, author, "STAND", side=attacker)
    with pytest.raises(NotYours):
        send(answer, author, "STAND", side="west")
    assert not state_after(answer.campaign.phases.get(no=answer.no - 1)).open.attack.answer
    send(answer, author, "STAND", side=defender, ready=True)
    sweep(worker="one")
    assert (live(estuary).key, live(estuary).acts) == ("turn", [defender])


def test_a_missed_answer_is_the_default_and_a_missed_turn_a_pass(estuary: Campaign, author: User, time: Clock) -> None:
    answer, _, defender = attacked(estuary, author)
    time.now = answer.deadline_at
    sweep(worker="one")
    turn = live(estuary)
    assert (turn.key, turn.acts) == ("turn", [defender])
    time.now = turn.deadline_at
    sweep(worker="one")
    assert state_after(turn).open.passes == 1


def test_a_campaign_without_sheets_passes_day_by_day_to_its_end(estuary: Campaign, time: Clock) -> None:
    for _ in range(2 * 4):
        time.now = live(estuary).deadline_at + timedelta(minutes=1)
        sweep(worker="one")
    last = estuary.phases.latest("no")
    assert last.state == PhaseState.PUBLISHED
    assert (state_after(last).open.phase, state_after(last).open.ended) == (DUSK, True)
    assert not estuary.phases.exclude(state=PhaseState.PUBLISHED).exists()


def test_nobody_receives_a_card_of_anothers_hand(estuary: Campaign) -> None:
    """Of the first dawn, when cards are drawn and none is played: what is stored for an audience and mailed to it."""
    dawn = state_after(estuary.phases.earliest("no"))
    hands = {side: {card.value for card in own.hand} for side, own in dawn.own.items()}
    readable = {**hands, "gm": hands["north"] | hands["south"], "public": set()}
    received = dict.fromkeys(readable, "")
    for artefact in Artefact.objects.exclude(kind__in=PICTURES):
        received[artefact.audience] += bytes(artefact.content).decode()
    pass_evening()
    mails = list(OutboxMessage.objects.exclude(audience=""))
    for mail in mails:
        received[mail.audience] += text_of_mail(bytes(mail.message))
    assert {mail.audience for mail in mails} >= set(SIDES)
    assert {audience: cards_in(text) for audience, text in received.items()} == readable


def pass_evening() -> None:
    """What waits for a digest is mailed."""
    MailNews.objects.update(leaves_at=clock.now())
    assert gather_due(clock.now())


def test_a_note_is_reported_by_every_ruleset(estuary: Campaign, author: User) -> None:
    """NOTE is the engine's: what looks for it knows no ruleset."""
    review_drafts()
    turn = live(estuary)
    (first,) = turn.acts
    send(turn, author, "PASS\nNOTE the tide is late", side=first, ready=True)
    sweep(worker="one")
    assert flags(turn) == (f"{first.capitalize()} HQ, line 2, is a note for you: the tide is late",)


def cards_in(text: str) -> set[str]:
    """The cards that a text speaks of, but for the help with orders, which lists all there are."""
    without_help = text.replace("|".join(card.value for card in Card), "")
    return {card.value for card in Card if card.value in without_help}


# --- impulses and replies --------------------------------------------------------------------------------------------


def played_day(estuary: Campaign, author: User, time: Clock) -> list[Phase]:
    """The first day: an attack that is answered, then two passes. Its phases, the last of which ends it."""
    answer, _, defender = attacked(estuary, author)
    send(answer, author, "STAND", side=defender, ready=True)
    sweep(worker="one")
    for _ in range(2):
        time.forward(minutes=1)
        send(live(estuary), author, "PASS", side=live(estuary).acts[0], ready=True)
        sweep(worker="one")
    return list(estuary.phases.filter(state=PhaseState.PUBLISHED).order_by("no"))


def text_of(phase: Phase, audience: str, kind: str = "text") -> str:
    return bytes(phase.all_artefacts.get(audience=audience, kind=kind).content).decode()


def headings(phase: Phase, audience: str) -> list[str]:
    """The sections of what happened in a report, in order."""
    log = json.loads(text_of(phase, audience, "view"))["log"]
    return list(dict.fromkeys(line["section"] for line in log))


def test_impulses_and_replies_are_published_as_text_under_names_of_their_own(
    estuary: Campaign, author: User, time: Clock
) -> None:
    start, *day = played_day(estuary, author, time)
    names = [f"{title_of(phase)}, {phase.moment}" for phase in day]
    assert [name.partition(",")[0] for name in names] == ["Turn 1", "Answer 1", "Turn 2", "Turn 3"]
    assert len(set(names)) == len({phase.file_stem for phase in day}) == 4
    assert [phase.weight for phase in (start, *day)] == ["full", "impulse", "reply", "impulse", "full"]
    for phase in day[:-1]:
        assert not phase.all_artefacts.filter(kind__in=PICTURES).exists()
        assert phase.all_artefacts.filter(kind="text").count() == 4
    assert day[-1].all_artefacts.filter(kind="map").count() == 4
    assert title_of(live(estuary)) == "Turn 1", "numbers begin again with the day"


def test_the_report_of_a_day_gathers_its_impulses_in_order(estuary: Campaign, author: User, time: Clock) -> None:
    *earlier, last = played_day(estuary, author, time)
    assert headings(last, "north")[:5] == ["Turn 1", "Answer 1", "Combat 1", "Turn 2", "Turn 3"]
    report = text_of(last, "north")
    assert ": 4 August 1809, Turn 1 to Turn 3 of 3 August 1809\n" in report
    assert "Open now: Turn 1" in report
    assert headings(earlier[2], "south") == ["Answer 1", "Combat 1"]
    assert "Open now: Turn 2" in text_of(earlier[2], "south")


@pytest.mark.parametrize("side", SIDES)
def test_a_report_is_compared_with_all_that_its_audience_has_read_since_the_last_of_its_kind(
    estuary: Campaign, author: User, time: Clock, side: str
) -> None:
    start, first, reply, second, last = played_day(estuary, author, time)
    viewer = viewer_of(User.objects.get(username=side), estuary.slug)
    shown = [view(viewer, phase.no) for phase in (start, first, reply, second)]

    for phase, read in (
        (start, []),
        (first, shown[:1]),
        (reply, shown[1:2]),
        (second, shown[1:3]),
        (last, shown),
    ):
        assert views_before(phase, Weight(phase.weight)).get(viewer.audience, []) == read


def test_headlines_of_a_day_are_about_all_its_impulses(estuary: Campaign, author: User, time: Clock) -> None:
    *_, last = played_day(estuary, author, time)
    fights = text_of(last, "public").partition("Open now")[0]
    assert " wins at " in fights


def test_impulses_mail_questions_and_no_reports(estuary: Campaign, author: User, time: Clock) -> None:
    day = played_day(estuary, author, time)[1:]
    assert not MailNews.objects.filter(phase__in=day[:-1]).exists()
    pass_evening()
    mails = OutboxMessage.objects.filter(phase__in=day).order_by("pk")
    assert {mail.kind for mail in mails.filter(phase__in=day[:-1])} - {"receipt"} == {"opened"}
    question = mails.filter(phase=day[0], kind="opened").get()
    assert question.subject.endswith("Answer 1: your orders")
    assert "attacks" not in text_of_mail(bytes(question.message)), "a question, not a report"
    assert day[1].acts == [question.audience]
    last = {
        mail.audience: text_of_mail(bytes(mail.message)) for mail in mails.filter(phase=day[-1]).exclude(kind="receipt")
    }
    assert set(last) >= set(SIDES)
    for text in last.values():
        assert "Turn 1 to Turn 3 of 3 August 1809" in text
        assert "attacks" in text


def test_a_digest_asks_nobody_by_mail(estuary: Campaign, author: User, time: Clock) -> None:
    light = dataclasses.replace(DEFAULTS[Weight.IMPULSE], mailing=Mailing.DIGEST)
    change_settings(estuary, handling={Weight.IMPULSE: light, Weight.REPLY: light})
    day = played_day(estuary, author, time)[1:]
    kinds = set(OutboxMessage.objects.filter(phase__in=day[:-1]).values_list("kind", flat=True))
    assert kinds <= {"receipt"}
    assert OutboxMessage.objects.filter(phase=day[-1], kind="opened").exists()


def test_only_drafts_of_weights_that_are_reviewed_wait(estuary: Campaign, author: User, time: Clock) -> None:
    change_settings(estuary, handling={Weight.FULL: DEFAULTS[Weight.FULL]})
    played_day(estuary, author, time)
    draft = live(estuary)
    assert (draft.no, draft.state) == (4, PhaseState.REVIEW)
    assert approve(draft.pk, fence=draft.fence)
    draft.refresh_from_db()
    assert (draft.weight, headings(draft, "public")[0]) == ("full", "Turn 1")


def test_phases_are_open_as_long_as_their_weight_says(estuary: Campaign, author: User) -> None:
    quick = dataclasses.replace(DEFAULTS[Weight.REPLY], hours=3)
    change_settings(estuary, handling={Weight.REPLY: quick})
    turn = live(estuary)
    answer, _, _ = attacked(estuary, author)
    assert (turn.deadline_at - turn.opens_at, answer.deadline_at - answer.opens_at) == (
        timedelta(hours=24),
        timedelta(hours=3),
    )


def test_verification_finds_nothing_wrong_with_a_gathered_day(estuary: Campaign, author: User, time: Clock) -> None:
    change_settings(estuary, handling={Weight.REPLY: dataclasses.replace(DEFAULTS[Weight.REPLY], hours=3)})
    played_day(estuary, author, time)
    assert not faults_but_members(estuary)


# --- standing orders -------------------------------------------------------------------------------------------------

EVADE = "WHEN ATTACKED evade"


def with_standing_orders(estuary: Campaign, author: User, *sides: str) -> str:
    """The first turn, in which these sides give standing orders and one attacks; returns who is attacked."""
    turn = live(estuary)
    (first,) = turn.acts
    defender = "south" if first == "north" else "north"
    for side in sides:
        text = f"{EVADE}\n{ATTACKS[first]}" if side == first else EVADE
        send(turn, author, text, side=side, ready=True)
    if first not in sides:
        send(turn, author, ATTACKS[first], side=first, ready=True)
    sweep(worker="one")
    return defender


def test_a_side_that_does_not_act_gives_standing_orders_and_nothing_else(estuary: Campaign, author: User) -> None:
    turn = live(estuary)
    defender = "south" if turn.acts == ["north"] else "north"
    send(turn, author, f"{EVADE}\nMOVE 1st Fencibles dunes", side=defender, ready=True)
    sweep(worker="one")
    assert live(estuary) == turn, "nobody waits for who is not asked, and nobody is hurried"
    send(turn, author, ATTACKS[turn.acts[0]], side=turn.acts[0], ready=True)
    sweep(worker="one")
    own = state_after(turn).own[SideId(defender)]
    assert len(own.standing) == 1
    assert (live(estuary).key, live(estuary).acts) == ("turn", [defender]), "the answer was not asked for"
    assert not list(faults_but_members(estuary))


def test_a_day_of_turns_runs_from_standing_orders(estuary: Campaign, author: User) -> None:
    with_standing_orders(estuary, author, *SIDES)
    for _ in range(2):
        send(live(estuary), author, "PASS", side=live(estuary).acts[0], ready=True)
        sweep(worker="one")
    keys = estuary.phases.filter(state=PhaseState.PUBLISHED, no__gt=0).order_by("no").values_list("key", flat=True)
    assert list(keys) == ["turn", "turn", "turn"]
    report = headings(estuary.phases.get(no=3), "north")
    assert report[:2] == ["Turn 1", "Answer 1"]


def test_standing_orders_that_are_withdrawn_no_longer_answer(estuary: Campaign, author: User) -> None:
    defender = with_standing_orders(estuary, author, *SIDES)
    turn = live(estuary)
    assert turn.acts == [defender]
    send(turn, author, "NO STANDING ORDERS\nPASS", side=defender, ready=True)
    sweep(worker="one")
    assert state_after(turn).own[SideId(defender)].standing == ()


def test_the_dice_do_not_show_that_a_side_wrote_without_being_asked(estuary: Campaign, author: User) -> None:
    """Its entropy in the lock looks like that of a side that sent nothing: a digest that does not show of what."""
    turn = live(estuary)
    defender = "south" if turn.acts == ["north"] else "north"
    send(turn, author, ATTACKS[turn.acts[0]], side=turn.acts[0], ready=True)
    sweep(worker="one")
    assert len(turn.proof.contributions[defender]) == 64


@pytest.mark.parametrize("hand", [(), (Card.AMBUSH,), (Card.AMBUSH, Card.EARTHWORKS)])
def test_being_asked_reveals_whether_standing_orders_answer_and_nothing_of_hands(hand: tuple[Card, ...]) -> None:
    """Two worlds that differ in what the other side holds, or in what its standing orders say, ask the same sides."""
    attack = Attack(NORTH, UnitId("N1"), "1st", PlaceId("dunes"), PlaceId("marsh"), UnitId("S1"), "Blue")
    start = load_scenario(toy.SCENARIO, rulesets=RULES).scenario.start
    open_ = replace(start.open, phase=ANSWER, turn=NORTH, attack=attack)

    def asked_with(*orders: WhenAttacked) -> frozenset[str]:
        own = {**start.own, SOUTH: replace(start.own[SOUTH], hand=hand, standing=orders)}
        return frozenset(asked(toy.RULESET, replace(start, open=open_, own=own)))

    assert asked_with() == {"south"}
    assert asked_with(WhenAttacked(Reaction.STAND, UnitId("S2"))) == {"south"}
    assert {asked_with(WhenAttacked(reaction)) for reaction in Reaction} == {frozenset()}


def test_the_sheets_page_shows_standing_orders_and_writes_their_change(estuary: Campaign, author: User) -> None:
    defender = with_standing_orders(estuary, author, *SIDES)
    browser = Client()
    for side in SIDES:
        user = User.objects.get(username=side)
        browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        page = browser.get("/c/estuary/orders/HQ/").content.decode()
        assert "WHEN ATTACKED evade" in page
        assert ("is not asked in this phase" in page) == (side != defender)
        phase = live(estuary)
        form = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "key": side, "text": "NOTE hello"}
        changed = browser.post("/c/estuary/orders/HQ/", form | {"act": "standing"}).content.decode()
        assert "NOTE hello\nWHEN ATTACKED evade" in changed
        gone = browser.post("/c/estuary/orders/HQ/", form | {"act": "no-standing", "text": EVADE}).content.decode()
        assert ">NO STANDING ORDERS</textarea>" in gone
        assert browser.post("/c/estuary/orders/HQ/", form | {"act": "send", "text": EVADE}).status_code == 302
    assert live(estuary).all_sheets.count() == 2


MISSING = "If no sheet is submitted by then, it counts as one without orders."
IN_FORCE = f"{MISSING} Your side’s standing orders stay in force."


def newest_mail(kind: str, reader: str) -> str:
    mail = OutboxMessage.objects.filter(kind=kind, user__username=reader).latest("pk")
    return text_of_mail(bytes(mail.message)).replace("\r\n", "\n")


def test_a_mail_says_what_a_missing_sheet_means_where_standing_orders_stay_in_force(
    estuary: Campaign, author: User, time: Clock
) -> None:
    (first,) = live(estuary).acts
    without = " ".join(newest_mail("opened", first).split())
    assert MISSING in without
    assert IN_FORCE not in without
    defender = with_standing_orders(estuary, author, *SIDES)
    assert IN_FORCE in " ".join(newest_mail("opened", defender).split())
    time.now = live(estuary).deadline_at - timedelta(hours=6)
    sweep(worker="one")
    assert IN_FORCE in " ".join(newest_mail("reminder", defender).split())


def test_the_template_in_a_mail_lists_standing_orders(estuary: Campaign, author: User) -> None:
    (first,) = live(estuary).acts
    usages = "# WHEN ATTACKED stand|evade [with <unit>]\n# NO STANDING ORDERS\nEND ORDERS"
    new = f"# To give new ones, which replace all that you have, write:\n{usages}"
    assert f"# READY\n# Your side has no standing orders.\n{new}" in newest_mail("opened", first)
    defender = with_standing_orders(estuary, author, *SIDES)
    given = f"# Your side has these standing orders:\n# {EVADE}\n{new}"
    assert given in newest_mail("opened", defender)


def test_the_desk_leads_to_the_standing_orders_of_a_side_that_is_not_asked(estuary: Campaign, author: User) -> None:
    (first,) = live(estuary).acts
    other = "south" if first == "north" else "north"
    browser = Client()
    browser.force_login(author, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = " ".join(browser.get("/c/estuary/desk/").content.decode().split())
    assert "and standing orders still apply" in page
    assert f'href="/c/estuary/desk/enter/{other}/"' in page
    assert f'href="/c/estuary/desk/enter/{first}/"' not in page, "its desks are in the table"
    assert browser.get(f"/c/estuary/desk/enter/{other}/").status_code == 200


def test_settings_have_a_row_for_each_weight(estuary: Campaign, author: User) -> None:
    browser = Client()
    browser.force_login(author, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = browser.get("/c/estuary/desk/settings/").content.decode()
    assert all(f"<legend><strong>{title}</strong></legend>" in page for title in ("Full phases", "Impulses", "Replies"))
    light = {f"{weight}_{name}": value for weight in ("impulse", "reply") for name, value in _LIGHT.items()}
    form = {"full_hours": 48, "full_mailing": "reports", "time_zone": "UTC", "reminder_hours": 6, "battle_hours": 24}
    assert browser.post("/c/estuary/desk/settings/", form | light).status_code == 302
    assert handling_of(estuary, Weight.REPLY).mailing is Mailing.DIGEST
    assert not faults_but_members(estuary)


_LIGHT = {"hours": 6, "mailing": "digest"}


def faults_but_members(estuary: Campaign) -> list[str]:
    """What `verify` finds except for the players, who joined without an act on record."""
    return [str(fault) for fault in faults(estuary) if not str(fault).startswith(("membership", "user"))]
