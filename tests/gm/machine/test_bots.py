"""Bots that play a side: they write their sheets as soon as a phase opens, and what happens if they fail."""

import logging
import threading
from collections.abc import Callable, Collection
from typing import Any

import pytest

from campaign.engine.values.ids import Audience
from campaign.game.simulation import bot_sheet
from campaign.game.store import decode_state, unpack
from campaign.models import Bot, Campaign, Desk, Membership, Phase, PhaseState, Role, Ruling, User
from campaign.selectors import Knowledge
from campaign.services import scenario_of
from gm.desk.absence import flags
from gm.machine.sweeper import attend, sweep
from gm.phases import bots
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import Clock, live, new_campaign, review_drafts, send

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("blank_maps")]

ALL_ROUND = "all-round"


def seat(campaign: Campaign, *sides: str, time: Clock) -> None:
    Bot.objects.bulk_create(Bot(campaign=campaign, side=side, name=ALL_ROUND, since=time.now) for side in sides)


@pytest.fixture
def german(phase: Phase, time: Clock) -> Phase:
    """The first German sheet, open, with a bot on the German side."""
    seat(phase.campaign, "german", time=time)
    return phase


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., str]], None]:
    """Put another bot in the place of all."""
    return lambda bot: monkeypatch.setattr(bots, "_written", lambda known, _name, who: bot(known, who))


def test_a_bot_submits_its_sheet_and_the_phase_goes_on(german: Phase) -> None:
    loaded = scenario_of(german.campaign)
    state = decode_state(loaded.rules, unpack(german.start.state_before), version=german.state_version)
    expected = bot_sheet(loaded, state, Audience("german"), ALL_ROUND).text
    assert attend(german.pk, worker="one")
    sheet = Sheet.objects.get(phase=german)
    assert (sheet.side, sheet.channel, sheet.author, sheet.ready) == ("german", "bot", None, True)
    assert sheet.text == expected
    assert LockedSheet.objects.get(phase=german).sheet == sheet
    assert live(german.campaign).key == "german_battles"
    assert german.campaign.audit.filter(act="submit", subject__digest=sheet.digest).exists()


def test_a_sheet_that_is_there_is_left_alone(german: Phase, author: User) -> None:
    send(german, author, "ALL OTHERS HOLD")
    assert bots.write_for(german.pk) == 0
    assert Sheet.objects.get().text == "ALL OTHERS HOLD"


def test_a_bot_whose_side_is_not_asked_writes_nothing(phase: Phase, time: Clock) -> None:
    seat(phase.campaign, "allied", time=time)
    assert bots.write_due() == 0
    assert not Sheet.objects.exists()


def test_the_one_that_was_first_counts(german: Phase, author: User, says: Callable[..., None]) -> None:
    def slow(_known: object, _who: Audience) -> str:
        return "ALL OTHERS HOLD"

    def entered_meanwhile(phase: Phase) -> list[Bot]:
        found = list(phase.campaign.bots.all())
        send(phase, author, "HOLD 12 VG")
        return found

    says(slow)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "asked", entered_meanwhile)
        assert bots.write_for(german.pk) == 0
    assert Sheet.objects.get().text == "HOLD 12 VG"


def test_a_bot_that_is_relieved_while_it_writes_submits_nothing(german: Phase, says: Callable[..., None]) -> None:
    def relieved(_known: object, _who: Audience) -> str:
        return "READY\n"

    says(relieved)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "_known", lambda _phase, bot: bot.delete())
        assert bots.write_for(german.pk) == 0
    assert not Sheet.objects.exists()


@pytest.mark.parametrize("limit", [{"most": 1}, {"goes_on": lambda: False}])
def test_no_sweep_waits_for_the_bots_of_all_campaigns(phase: Phase, time: Clock, limit: dict[str, Any]) -> None:
    other = new_campaign("other")
    sweep(worker="one")
    for campaign in (phase.campaign, other):
        seat(campaign, *live(campaign).acts, time=time)
    assert bots.write_due(**limit) == 1
    assert bots.write_due(**limit) >= 1
    assert set(Sheet.objects.values_list("phase__campaign__slug", flat=True)) == {phase.campaign.slug, "other"}


# --- what it knows ---------------------------------------------------------------------------------------------------


def test_a_bot_is_given_its_sides_state_alone(german: Phase, says: Callable[..., None]) -> None:
    given = []

    def looks(known: Knowledge, who: Audience) -> str:
        given.append((set(known.state.own), who))
        return "READY\n"

    says(looks)
    assert bots.write_for(german.pk) == 1
    assert given == [({"german"}, "german")]


def test_a_bot_that_asks_the_database_is_stopped(
    german: Phase, says: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    """It runs in a thread in which nobody is named as the reader."""
    says(lambda *_: str(Ruling.objects.count()))
    with caplog.at_level(logging.ERROR):
        assert bots.write_for(german.pk) == 1
    assert "would have read Ruling" in caplog.text
    assert Sheet.objects.get().text == ""


# --- a bot that fails ------------------------------------------------------------------------------------------------


def _raises(*_: object) -> str:
    raise ZeroDivisionError


def _never_ends(*_: object) -> str:
    while True:
        pass


def _talks_too_much(*_: object) -> str:
    return "NOTE too much\n" * 100_000


@pytest.mark.parametrize("bot", [_raises, _never_ends, _talks_too_much])
def test_a_bot_that_fails_counts_as_no_sheet_and_the_draft_is_flagged(
    german: Phase,
    says: Callable[..., None],
    bot: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    time: Clock,
) -> None:
    """Like a person without a sheet it keeps the phase open, so that the GM can enter one."""
    before = threading.enumerate()
    monkeypatch.setattr(bots, "MOST_SECONDS", 0.2)
    says(bot)
    with caplog.at_level(logging.ERROR):
        sweep(worker="one")
    german.refresh_from_db()
    assert german.state == PhaseState.OPEN
    assert (Sheet.objects.get().text, Sheet.objects.get().ready) == ("", False)
    time.now = german.deadline_at
    sweep(worker="one")
    german.refresh_from_db()
    assert german.state == PhaseState.REVIEW, "it waits for the GM even where drafts are not reviewed"
    assert Sheet.objects.count() == 1
    assert flags(german) == ("The bot of the Germans failed. It counts as no sheet.",)
    assert f"the bot {ALL_ROUND} of german wrote no sheet" in caplog.text
    assert not _threads_since(before)


def _threads_since(before: Collection[threading.Thread]) -> list[threading.Thread]:
    """Those that were begun since, and still run a moment later."""
    begun = [thread for thread in threading.enumerate() if thread not in before]
    for thread in begun:
        thread.join(2)
    return [thread for thread in begun if thread.is_alive()]


def test_a_flagged_draft_does_not_publish_itself(german: Phase, says: Callable[..., None], time: Clock) -> None:
    review_drafts()
    Campaign.objects.update(absent_hours=1)
    says(_raises)
    sweep(worker="one")
    time.now = german.deadline_at
    sweep(worker="one")
    time.forward(hours=2)
    sweep(worker="one")
    german.refresh_from_db()
    assert german.state == PhaseState.REVIEW


# --- people of its side, and both sides ------------------------------------------------------------------------------


def test_a_bot_leaves_the_units_of_peoples_desks_alone(german: Phase, author: User, time: Clock) -> None:
    holder = Membership.objects.create(
        campaign=german.campaign, user=author, role=Role.STAFF, side="german", joined_at=time.now
    )
    Desk.objects.create(
        campaign=german.campaign, side="german", name="Sixth", holder=holder, formations=["6th Panzer Army"]
    )
    bots.write_for(german.pk)
    text = Sheet.objects.get().text
    assert "1 SS" not in text
    assert "MOVE" in text
    assert text.endswith("READY\n")


def test_bots_on_both_sides_rehearse_a_campaign(time: Clock) -> None:
    campaign = new_campaign("rehearsal", scenario="forum_campaign/st-vith-1944")
    seat(campaign, "german", "allied", time=time)
    for _ in range(4):
        sweep(worker="one")
    played = Sheet.objects.filter(phase__campaign=campaign)
    assert set(played.values_list("side", "channel")) >= {("german", "bot")}
    assert campaign.phases.filter(state=PhaseState.PUBLISHED).count() >= 2


def test_a_campaign_that_waits_starts_with_bots_for_commanders(time: Clock) -> None:
    campaign = new_campaign("rehearsal", scenario="forum_campaign/st-vith-1944")
    Phase.objects.update(held=True)
    seat(campaign, "german", time=time)
    sweep(worker="one")
    assert Phase.objects.get().held
    seat(campaign, "allied", time=time)
    sweep(worker="one")
    assert campaign.phases.get(no=0).state == PhaseState.PUBLISHED
