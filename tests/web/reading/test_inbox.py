"""The inbox: what waits for a person in all their campaigns, each read as their member of it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.engine.values.ids import GM, Audience
from campaign.models import Campaign, Membership, OutboxMessage, OutboxState, Phase, PhaseState, Role, User
from campaign.people.memberships import campaigns_of
from campaign.secrecy import truth
from campaign.secrecy.truth import Breach
from gm import inbox as module
from gm.inbox import Waiting, inbox
from gm.machine.sweeper import sweep
from tests.battles import Field, field
from tests.gm.campaigns import START, Clock, live, new_campaign, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

__all__ = ["field"]

pytestmark = pytest.mark.django_db

TITLE = "“German movement and attacks” of 16 December 1944"


def waiting(user: User, slug: str = "bulge") -> list[str]:
    """What waits for somebody in a campaign, as sentences."""
    return [each.text for part in inbox(user) if part.own.viewer.campaign.slug == slug for each in part.waiting]


def due(user: User) -> list[Waiting]:
    return [each for part in inbox(user) for each in part.waiting]


def second_campaign(cast: Cast, name: str, role: str, side: str = "") -> Campaign:
    """Another campaign at its first sheets, in which somebody of the cast has a part."""
    other = new_campaign("another")
    sweep(worker="one")
    Membership.objects.create(campaign=other, user=cast.user(name), role=role, side=side, joined_at=START)
    return other


# --- players ---------------------------------------------------------------------------------------------------------


def test_a_sheet_waits_for_its_writers_until_it_is_ready(cast: Cast) -> None:
    commander, phase = cast.user("german commander"), live(cast.campaign)
    title = TITLE
    assert waiting(commander) == [f"{title}: your sheet for HQ is not written yet."]
    send(phase, commander, "ALL OTHERS HOLD")
    assert waiting(commander) == [f"{title}: your sheet for HQ is submitted, but not READY."]
    send(phase, commander, "ALL OTHERS HOLD\nREADY", ready=True)
    assert waiting(commander) == []


def test_only_those_who_must_act_have_something_waiting(cast: Cast) -> None:
    have = {name for name in (*PARTS, OUTSIDER) if waiting(cast.user(name))}
    assert have == {"german commander", "german deputy"}


def test_a_desk_waits_for_its_holder(cast: Cast) -> None:
    cast.browser("german commander").post(
        cast.address("people/desks/german/"),
        {"name": "South", "holder": "german staff", "formations": ["7th Army"]},
    )
    found = waiting(cast.user("german staff"))
    assert found == [f"{TITLE}: your sheet for South is not written yet."]


def test_a_deadline_is_shown_with_what_is_left_unless_the_clock_is_paused(cast: Cast) -> None:
    browser = cast.browser("german commander")
    page = browser.get("/").content.decode()
    left = page[page.index("What waits for you") : page.index("All campaigns")]
    assert "Tue 3 Mar 2026, 12:00 UTC (in 2 days)" in left
    assert f'href="{cast.address("orders/HQ/")}"' in left
    Phase.objects.filter(pk=live(cast.campaign).pk).update(held=True, held_at=START)
    page = browser.get("/").content.decode()
    assert "in 2 days" not in page[page.index("What waits for you") : page.index("All campaigns")]


def test_battles_wait_for_their_players_and_then_for_the_other_side(field: Field) -> None:
    german, allied = field.cast.user("german commander"), field.cast.user("allied commander")
    assert "Battle of Clervaux (K16): report the result." in waiting(german)
    assert "Battle of Clervaux (K16): report the result." in waiting(allied)
    field.report()
    assert "K16" not in " ".join(waiting(german))
    answer = next(each for each in due(allied) if "K16" in each.text)
    assert answer.text.startswith("Battle of Clervaux (K16): the other side has reported the result. If nobody")
    assert (answer.due, answer.address) == (field.battle().accepts_at, field.cast.address("battles/K16/"))
    field.confirm()
    assert "K16" not in " ".join([*waiting(allied), *waiting(german)])


def test_a_battle_waits_for_its_named_player_alone(field: Field) -> None:
    field.assign("german commander", "german tactical")
    assert "Battle of Clervaux (K16): report the result." in waiting(field.cast.user("german tactical"))
    assert "K16" not in " ".join(waiting(field.cast.user("german commander")))
    assert waiting(field.cast.user("allied tactical")) == []


# --- game masters ----------------------------------------------------------------------------------------------------


def test_a_draft_waits_for_the_gm_and_for_nobody_else(cast: Cast, draft: Phase) -> None:
    draft.campaign.phases.filter(pk=draft.pk).update(drafted_at=START)
    found = due(cast.user("gm"))
    assert [(each.text, each.due) for each in found] == [(f"The draft results of {TITLE} wait for your review.", None)]
    Campaign.objects.update(absent_hours=6)
    (found,) = [due(cast.user("co-gm"))]
    assert found[0].text.endswith("If nothing is flagged, they are published without you.")
    assert found[0].due == START + timedelta(hours=6)
    assert [name for name in (*PARTS, OUTSIDER) if waiting(cast.user(name))] == ["gm", "co-gm"]


def test_disputes_wait_for_the_gm_first(field: Field) -> None:
    gm = field.cast.user("gm")
    assert "The battle of Clervaux (K16) has no report." in waiting(gm)
    field.report()
    assert any(
        text.startswith("The battle of Clervaux (K16) has a report that nobody has answered.") for text in waiting(gm)
    )
    field.dispute()
    assert waiting(gm)[0] == "The battle of Clervaux (K16) is disputed, and waits for your decision."


def test_results_that_are_overdue_say_for_how_long(field: Field, time: Clock) -> None:
    time.now = field.phase.deadline_at + timedelta(hours=3)
    assert "3 h ago" in field.cast.browser("gm").get("/").content.decode()


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"state": PhaseState.FAILED}, f"Fieldpost could not resolve {TITLE}."),
        (
            {"held": True, "held_at": START},
            f"The campaign is paused in {TITLE} until you resume it.",
        ),
    ],
)
def test_what_stands_still_waits_for_the_gm(cast: Cast, columns: dict[str, object], text: str) -> None:
    Phase.objects.filter(pk=live(cast.campaign).pk).update(**columns)
    assert waiting(cast.user("gm")) == [text]


def test_a_pause_that_ends_without_the_gm_does_not_wait_for_them(cast: Cast) -> None:
    until = START + timedelta(days=9)
    Phase.objects.filter(pk=live(cast.campaign).pk).update(held=True, held_at=START, held_until=until)
    assert waiting(cast.user("gm")) == []


def test_a_new_campaign_waits_for_its_commanders(cast: Cast) -> None:
    other = new_campaign("new")
    Phase.objects.filter(campaign=other).update(held=True)
    Membership.objects.create(campaign=other, user=cast.user("gm"), role=Role.GM, joined_at=START)
    assert waiting(cast.user("gm"), "new") == ["The campaign starts when every side has a commander or a bot."]


def test_mails_that_were_given_up_wait_for_their_gm(field: Field) -> None:
    assert "1 mail could not be sent." not in waiting(field.cast.user("gm"))
    mail = OutboxMessage.objects.filter(campaign=field.cast.campaign).first()
    assert mail is not None
    OutboxMessage.objects.filter(pk=mail.pk).update(state=OutboxState.DEAD)
    assert "1 mail could not be sent." in waiting(field.cast.user("gm"))
    assert not any("mail" in text for text in waiting(field.cast.user("german commander")))


# --- several campaigns -----------------------------------------------------------------------------------------------


def test_each_campaign_is_read_as_the_part_that_one_has_there(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    second_campaign(cast, "german commander", Role.GM)
    read: dict[str, object] = {}
    real = module.waiting_for

    def watched(viewer, phase):  # type: ignore[no-untyped-def]
        read[viewer.campaign.slug] = truth._reader.get()()
        return real(viewer, phase)

    monkeypatch.setattr(module, "waiting_for", watched)
    user = cast.user("german commander")
    with truth.reading(lambda: truth.Reader(user=user.pk)):
        inbox(user)
    assert read == {"bulge": truth.Reader(Audience("german"), user.pk), "another": truth.Reader(GM, user.pk)}


def test_outside_a_campaigns_block_nothing_of_it_is_read(cast: Cast) -> None:
    user = cast.user("german commander")
    (own,) = campaigns_of(user)
    with truth.reading(lambda: truth.Reader(user=user.pk)), pytest.raises(Breach):
        list(module.waiting_for(own.viewer, own.phase))  # type: ignore[arg-type] # a phase is open


def test_a_gm_elsewhere_learns_nothing_of_the_campaign_in_which_they_play(cast: Cast, draft: Phase) -> None:
    second_campaign(cast, "allied commander", Role.GM)
    page = cast.browser("allied commander").get("/").content.decode()
    assert "draft" not in page.lower()
    assert waiting(cast.user("allied commander")) == []
    assert draft.state == PhaseState.REVIEW


def test_campaigns_in_which_something_waits_come_first_by_deadline(cast: Cast) -> None:
    user = cast.user("allied commander")
    other = second_campaign(cast, "allied commander", Role.COMMANDER, "allied")
    assert [part.own.viewer.campaign.slug for part in inbox(user)] == ["another", "bulge"]
    phase = live(other)
    for side in phase.acts:
        send(phase, user, "READY", side=side, ready=True)
    assert [bool(part.waiting) for part in inbox(user)] == [False, False]


def test_each_campaign_costs_the_same_few_statements(field: Field) -> None:
    def statements(name: str) -> int:
        browser = field.cast.browser(name)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get("/").status_code == 200
        return len(queries)

    def join(slug: str) -> None:
        other = new_campaign(slug)
        sweep(worker="one")
        for name, role, side in (("german commander", Role.COMMANDER, "german"), ("gm", Role.GM, "")):
            Membership.objects.create(campaign=other, user=field.cast.user(name), role=role, side=side, joined_at=START)

    found: dict[str, list[int]] = {"german commander": [], "gm": []}
    for number in range(3):
        for name, counts in found.items():
            counts.append(statements(name))
        join(f"more-{number}")
    for few, more, most in found.values():
        assert most - more == more - few <= 4


def test_what_others_write_changes_nothing_on_the_first_page(cast: Cast) -> None:
    user = cast.user("allied commander")
    other = second_campaign(cast, "allied commander", Role.COMMANDER, "allied")
    assert "german" in live(other).acts
    before = inbox(user)
    send(live(other), cast.user("german commander"), "READY", side="german", ready=True)
    assert inbox(user) == before


def test_nobody_signed_in_has_an_inbox(cast: Cast) -> None:
    assert "What waits for you" not in cast.browser(ANONYMOUS).get("/").content.decode()
    assert "Nothing waits for you now." in cast.browser("spectator").get("/").content.decode()
