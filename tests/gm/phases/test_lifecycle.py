"""The life of a phase on a real database: each act in its state, in a wrong one, twice, and with a worker gone."""

import base64
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.db.models import F

from campaign.engine.dice import mix, seed
from campaign.engine.errors import EngineError, ScenarioError
from campaign.engine.facts import Rolled
from campaign.engine.values.ids import GM
from campaign.engine.values.value import encode, replace
from campaign.game.loading import find_scenario
from campaign.game.store import decode_state, digest, encode_state, unpack
from campaign.models import (
    Artefact,
    AuditEntry,
    Campaign,
    CampaignScenario,
    OutboxMessage,
    Outcome,
    Phase,
    PhaseStart,
    PhaseState,
    User,
)
from campaign.record.dice_keys import master_seed
from campaign.rulesets.forum_campaign.model.facts.day import FuelSet
from campaign.services import create_campaign, scenario_of
from campaign.viewers import Viewer
from gm.demo import SCENARIO
from gm.machine import sweeper
from gm.machine.sweeper import sweep
from gm.phases import lifecycle
from gm.phases.adjudication import Claim, Draft, resolve
from gm.phases.locking import lock
from gm.phases.rolls import dice_of
from gm.phases.rows import events_of
from gm.verification import edits_of, faults
from orders.intake import KeyReused, NotYours, Outdated, TooLate, sheet_digest
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import START, Clock, live, new_campaign, opened, send, sheet_texts, state_after

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]


# --- submit ----------------------------------------------------------------------------------------------------------


def test_a_sheet_is_kept_as_it_came_and_its_receipt_proves_it(phase: Phase, author: User) -> None:
    receipt = send(phase, author, "nonsense\nMOVE 1 SS Q21")
    (sheet,) = Sheet.objects.all()
    assert sheet.text == "nonsense\nMOVE 1 SS Q21"
    assert (receipt.version, receipt.received_at) == (1, START)
    assert receipt.digest == sheet.digest == sheet_digest(sheet.text, sheet.nonce)
    assert AuditEntry.objects.filter(act="submit", subject__digest=receipt.digest).count() == 1


def test_the_same_submission_twice_is_stored_once_and_answered_alike(phase: Phase, author: User) -> None:
    first = send(phase, author, "HOLD 1 SS", idem_key="k", expected_version=0)
    again = send(phase, author, "HOLD 1 SS", idem_key="k", expected_version=0)
    assert first == again
    assert Sheet.objects.count() == 1


def test_an_outdated_version_is_refused_and_nothing_is_lost(phase: Phase, author: User) -> None:
    send(phase, author, "HOLD 1 SS")
    with pytest.raises(Outdated) as refused:
        send(phase, author, "HOLD 2 Pz", expected_version=0, idem_key="other")
    assert refused.value.newest == 1
    assert [sheet.text for sheet in Sheet.objects.all()] == ["HOLD 1 SS"]


def test_after_the_deadline_nothing_is_taken(phase: Phase, author: User, time: Clock) -> None:
    time.now = phase.deadline_at
    with pytest.raises(TooLate):
        send(phase, author, "HOLD 1 SS")
    assert not Sheet.objects.exists()


def test_a_known_submission_is_answered_even_after_the_deadline(phase: Phase, author: User, time: Clock) -> None:
    receipt = send(phase, author, "HOLD 1 SS", idem_key="k", expected_version=0)
    time.now = phase.deadline_at
    assert send(phase, author, "HOLD 1 SS", idem_key="k", expected_version=0) == receipt


def test_a_key_that_comes_again_with_something_else_is_refused(phase: Phase, author: User) -> None:
    send(phase, author, "HOLD 1 SS", idem_key="k", expected_version=0)
    with pytest.raises(KeyReused):
        send(phase, author, "HOLD 2 Pz", idem_key="k", expected_version=0)
    assert [sheet.text for sheet in Sheet.objects.all()] == ["HOLD 1 SS"]


@pytest.mark.parametrize("side", ["allied", GM, "public"])
def test_a_side_that_does_not_act_sends_no_sheet(phase: Phase, author: User, side: str) -> None:
    with pytest.raises(NotYours):
        send(phase, author, "HOLD 1 SS", side=side)
    assert not Sheet.objects.exists()


@pytest.mark.parametrize("text", ["NOTE a\0b", "NOTE \ud800"])
def test_a_sheet_that_no_database_can_keep_is_kept_with_replacements(phase: Phase, author: User, text: str) -> None:
    receipt = send(phase, author, text, ready=True)
    (sheet,) = Sheet.objects.all()
    assert sheet.digest == receipt.digest == sheet_digest(sheet.text, sheet.nonce)
    assert sweep(worker="one") == 2


def test_nonces_differ_by_side_and_version(phase: Phase, author: User) -> None:
    send(phase, author, "HOLD 1 SS")
    send(phase, author, "HOLD 1 SS")
    send(phase, author, "HOLD 1 SS", desk="a desk", idem_key="desk")
    nonces = [sheet.nonce for sheet in Sheet.objects.all()]
    assert len({*nonces}) == 3
    assert all(len(nonce) == 32 for nonce in nonces)


# --- lock ------------------------------------------------------------------------------------------------------------


def test_a_phase_is_locked_at_its_deadline_with_the_newest_sheets(phase: Phase, author: User, time: Clock) -> None:
    send(phase, author, "HOLD 1 SS")
    send(phase, author, "HOLD 2 Pz")
    assert not lock(phase.pk)
    time.now = phase.deadline_at
    assert lock(phase.pk)
    assert not lock(phase.pk)
    assert [(row.sheet.version, row.sheet.text) for row in LockedSheet.objects.all()] == [(2, "HOLD 2 Pz")]


def test_a_phase_is_locked_early_when_all_who_act_are_ready(phase: Phase, author: User) -> None:
    send(phase, author, "HOLD 1 SS", ready=True)
    assert lock(phase.pk)


def test_a_new_version_takes_ready_back(phase: Phase, author: User) -> None:
    send(phase, author, "HOLD 1 SS", ready=True)
    send(phase, author, "HOLD 2 Pz")
    assert not lock(phase.pk)


def test_battles_wait_for_their_results(phase: Phase, author: User, time: Clock, campaign: Campaign) -> None:
    (text,) = sheet_texts("1944-12-16-german-sheet", "german")
    send(phase, author, text, ready=True)
    sweep(worker="one")
    battles = live(campaign)
    assert battles.key == "german_battles"
    time.now = battles.deadline_at + timedelta(days=30)
    assert sweep(worker="one") == 0
    send(battles, author, "RESULT Q19 attackers", side=GM)
    assert sweep(worker="one") == 0
    send(battles, author, "RESULT Q19 attackers", side=GM, ready=True)
    assert sweep(worker="one") == 2
    assert live(campaign).key == "allied_sheet"


def test_the_lock_covers_every_sheet_and_feeds_the_dice(phase: Phase, author: User) -> None:
    send(phase, author, "HOLD 1 SS", ready=True)
    assert lock(phase.pk)
    phase.refresh_from_db()
    (sheet,) = Sheet.objects.all()
    assert phase.proof.sheets_digest == digest(encode([(sheet.side, sheet.desk, sheet.digest)]))
    before = phase.campaign.phases.get(lock_no=2).proof.mix
    assert phase.proof.mix == mix({"german": sheet.digest, "allied": "none", "previous lock": before})


# --- claim -----------------------------------------------------------------------------------------------------------


def test_one_worker_claims_and_the_others_go_away(locked: Phase) -> None:
    assert lifecycle.claim(locked.pk, worker="one") is not None
    assert lifecycle.claim(locked.pk, worker="two") is None


def test_what_a_newer_release_has_written_is_left_to_its_workers(locked: Phase) -> None:
    Phase.objects.filter(pk=locked.pk).update(state_version=F("state_version") + 1)
    for _ in range(lifecycle.MOST_ERRORS + 1):
        sweep(worker="old")
    locked.refresh_from_db()
    assert (locked.state, locked.fence, locked.errors) == (PhaseState.LOCKED, 0, 0)
    Phase.objects.filter(pk=locked.pk).update(state_version=F("state_version") - 1)
    sweep(worker="new")
    locked.refresh_from_db()
    assert (locked.state, locked.fence) == (PhaseState.PUBLISHED, 1)


def test_a_scenario_that_only_a_newer_release_can_read_is_left_to_its_workers(locked: Phase) -> None:
    files = locked.campaign.scenario.scenario_files
    newer = files | {"scenario.toml": files["scenario.toml"].replace('"forum_campaign"', '"a_ruleset_to_come"')}
    Campaign.objects.update(scenario_digest="of the newer one")
    CampaignScenario.objects.update(scenario_files=newer)
    for _ in range(lifecycle.MOST_ERRORS + 1):
        sweep(worker="old")
    locked.refresh_from_db()
    assert (locked.state, locked.fence, locked.errors) == (PhaseState.LOCKED, 0, 0)


def test_a_worker_whose_lease_ran_out_cannot_publish(locked: Phase, time: Clock) -> None:
    slow = lifecycle.claim(locked.pk, worker="slow")
    assert slow is not None
    draft = resolve(slow)
    time.forward(seconds=lifecycle.LEASE.total_seconds() + 1)
    fast = lifecycle.claim(locked.pk, worker="fast")
    assert fast == Claim(locked.pk, slow.fence + 1)
    assert not lifecycle.file(draft)
    assert not Artefact.objects.filter(phase=locked).exists()
    assert lifecycle.file(resolve(fast))
    assert not lifecycle.file(draft)
    locked.refresh_from_db()
    assert (locked.state, locked.leases_lost) == (PhaseState.PUBLISHED, 1)
    assert locked.resolution.fence == fast.fence


def test_three_errors_stop_a_phase_and_no_other(locked: Phase, monkeypatch: pytest.MonkeyPatch) -> None:
    other = new_campaign("other", reviewed=True)
    sound = resolve

    def broken(claim: Claim) -> Draft:
        if claim.phase_id == locked.pk:
            raise EngineError("broken")
        return sound(claim)

    monkeypatch.setattr(sweeper, "resolve", broken)
    for _ in range(4):
        sweep(worker="one")
    locked.refresh_from_db()
    assert (locked.state, locked.errors, locked.fence) == (PhaseState.FAILED, 3, 3)
    assert live(other).no == 1


def test_a_phase_that_cannot_even_be_claimed_fails_and_is_reported(
    locked: Phase, gm: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_campaign("other", reviewed=True)
    sound = scenario_of

    def broken(campaign: Campaign) -> Any:
        if campaign == locked.campaign:
            raise EngineError("broken")
        return sound(campaign)

    def swept() -> tuple[str, int]:
        for _ in range(4):
            sweep(worker="one")
        locked.refresh_from_db()
        return locked.state, OutboxMessage.objects.filter(kind="failed", user=gm.person).count()

    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "scenario_of", broken)
        assert swept() == (PhaseState.FAILED, 1)
        assert lifecycle.retry(locked.pk)
        assert swept() == (PhaseState.FAILED, 2), "each failure is reported"
    assert live(other).no == 1
    assert [fault for fault in edits_of(locked.campaign) if fault.where.startswith("phase")] == []
    assert lifecycle.retry(locked.pk)
    assert swept()[0] == PhaseState.PUBLISHED


def test_a_database_that_takes_nothing_just_now_is_no_error_of_a_phase(
    locked: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("FAILPOINTS", "claim.before_commit=busy")
        for _ in range(4):
            sweep(worker="one")
    locked.refresh_from_db()
    assert (locked.state, locked.errors) == (PhaseState.LOCKED, 0)
    assert sweep(worker="one") == 1


def test_a_phase_that_failed_may_be_tried_again(locked: Phase, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(sweeper, "file", lambda _: 1 / 0)
        for _ in range(3):
            sweep(worker="one")
    locked.refresh_from_db()
    assert locked.state == PhaseState.FAILED
    assert AuditEntry.objects.filter(act="fail").count() == 1
    assert lifecycle.retry(locked.pk)
    assert not lifecycle.retry(locked.pk)
    sweep(worker="one")
    locked.refresh_from_db()
    assert (locked.state, locked.errors) == (PhaseState.PUBLISHED, 0)


def test_a_phase_that_loses_its_workers_ten_times_fails(locked: Phase, time: Clock) -> None:
    for _ in range(lifecycle.MOST_LEASES_LOST + 1):
        assert lifecycle.claim(locked.pk, worker="one") is not None
        time.forward(seconds=lifecycle.LEASE.total_seconds() + 1)
    assert lifecycle.claim(locked.pk, worker="one") is None
    locked.refresh_from_db()
    assert locked.state == PhaseState.FAILED


def test_a_phase_that_cannot_be_read_keeps_no_other_waiting(locked: Phase) -> None:
    other = new_campaign("other", reviewed=True)
    PhaseStart.objects.filter(phase=locked).update(state_before=b"rubbish")
    sweep(worker="one")
    assert live(other).no == 1


def test_the_dice_of_a_lock_are_those_of_its_number(locked: Phase) -> None:
    locked.refresh_from_db()
    dice = dice_of(locked)
    master = master_seed(locked.campaign)
    assert (dice.lock, dice.mix, locked.lock_no) == (3, locked.proof.mix, 3)
    assert dice.seeds[GM] == seed(master, campaign="bulge", audience=GM, lock=3)


def test_a_tick_does_what_is_due(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("tick")
    call_command("tick")
    assert capsys.readouterr().out.splitlines() == ["2 steps", "0 steps"]
    assert live(campaign).no == 1


# --- review ----------------------------------------------------------------------------------------------------------


def allied_sheet_in_review(reviewed: Campaign, author: User) -> Phase:
    """The phase at whose end, if no battle waits, the night and the next morning are resolved with its weather."""
    german = opened(reviewed)
    send(german, author, "READY", ready=True)
    sweep(worker="one")
    german.refresh_from_db()
    assert lifecycle.approve(german.pk, fence=german.fence)
    allied = live(reviewed)
    send(allied, author, "READY", side="allied", ready=True)
    sweep(worker="one")
    allied.refresh_from_db()
    return allied


def test_a_draft_waits_for_approval_and_is_published_once(draft: Phase, reviewed: Campaign) -> None:
    assert not lifecycle.approve(draft.pk, fence=draft.fence + 1)
    assert lifecycle.approve(draft.pk, fence=draft.fence)
    assert not lifecycle.approve(draft.pk, fence=draft.fence)
    assert live(reviewed).no == draft.no + 1


def test_a_ruling_sends_the_draft_back_and_keeps_its_lock(draft: Phase, author: User) -> None:
    before, draft_lock = draft.resolution.outcome.digest, draft.lock_no
    ruled: dict[str, Any] = {
        "at": "german_end",
        "facts": [("FUEL 7", FuelSet(7))],
        "reason": "a dump burnt",
        "author": author,
    }
    assert not lifecycle.rule(draft.pk, fence=draft.fence - 1, **ruled)
    assert lifecycle.rule(draft.pk, fence=draft.fence, **ruled)
    assert not lifecycle.approve(draft.pk, fence=draft.fence)
    sweep(worker="one")
    draft.refresh_from_db()
    assert (draft.state, draft.lock_no) == (PhaseState.REVIEW, draft_lock)
    assert state_after(draft).open.fuel == 6
    assert Outcome.objects.get(resolution__phase=draft).digest != before
    assert lifecycle.approve(draft.pk, fence=draft.fence)


def test_a_roll_entered_by_the_gm_has_its_reason_and_leaves_every_other_roll(reviewed: Campaign, author: User) -> None:
    draft = allied_sheet_in_review(reviewed, author)
    roll, *rest = (event.fact for event in events_of(draft) if isinstance(event.fact, Rolled))
    other = replace(roll, dice=(roll.dice[0] % 10 + 1,), by_hand=True)
    assert lifecycle.rule(
        draft.pk,
        fence=draft.fence,
        at=draft.key,
        facts=[("by hand", other)],
        reason="rolled at the table",
        author=author,
    )
    sweep(worker="one")
    draft.refresh_from_db()
    entered, *others = (event for event in events_of(draft) if isinstance(event.fact, Rolled))
    assert [(event.fact.label, event.fact.dice) for event in others] == [(roll.label, roll.dice) for roll in rest]
    assert (entered.fact.dice, entered.fact.by_hand, entered.ruling) == (other.dice, True, "rolled at the table")


def test_a_roll_that_nothing_asks_for_is_refused(draft: Phase, author: User) -> None:
    roll = Rolled("weather/1950-01-01", GM, 10, (3,), "nothing", by_hand=True)
    with pytest.raises(lifecycle.RulingRefused, match="weather/1950-01-01"):
        lifecycle.rule(draft.pk, fence=draft.fence, at=draft.key, facts=[("", roll)], reason="why", author=author)


def test_results_that_a_ruling_outdates_are_no_fault_while_they_wait_to_be_resolved_again(
    draft: Phase, author: User
) -> None:
    assert list(faults(draft.campaign)) == []
    facts = [("FUEL 7", FuelSet(7))]
    ruled = lifecycle.rule(draft.pk, fence=draft.fence, at="german_end", facts=facts, reason="a fire", author=author)
    assert ruled
    assert list(faults(draft.campaign)) == []
    sweep(worker="one")
    assert list(faults(draft.campaign)) == []


def test_a_ruling_that_was_undone_is_as_if_it_had_never_been_made(draft: Phase, author: User) -> None:
    before = draft.proof.result_digest
    assert lifecycle.rule(
        draft.pk,
        fence=draft.fence,
        at="german_end",
        facts=[("FUEL 7", FuelSet(7))],
        reason="a dump burnt",
        author=author,
    )
    sweep(worker="one")
    draft.refresh_from_db()
    assert draft.proof.result_digest != before
    assert not lifecycle.undo(draft.pk, fence=draft.fence - 1, seq=1)
    assert lifecycle.undo(draft.pk, fence=draft.fence, seq=1)
    sweep(worker="one")
    draft.refresh_from_db()
    assert draft.proof.result_digest == before
    assert not lifecycle.undo(draft.pk, fence=draft.fence, seq=1)
    assert draft.state == PhaseState.REVIEW


@pytest.mark.parametrize(("at", "fact"), [("german_end", FuelSet(-1)), ("nowhere", FuelSet(3))])
def test_a_ruling_that_cannot_be_is_refused_and_nothing_is_stored(
    draft: Phase, author: User, at: str, fact: FuelSet
) -> None:
    with pytest.raises(lifecycle.RulingRefused):
        lifecycle.rule(draft.pk, fence=draft.fence, at=at, facts=[("a ruling", fact)], reason="why", author=author)
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW
    assert not draft.rulings.exists()


# --- what rows refuse ------------------------------------------------------------------------------------------------


def test_a_campaign_has_one_live_phase(phase: Phase) -> None:
    phase = Phase.objects.defer(None).get(pk=phase.pk)
    phase.pk, phase.no = None, 99
    with pytest.raises(IntegrityError), transaction.atomic():
        phase.save(force_insert=True)


def test_master_seeds_are_kept_sealed(campaign: Campaign) -> None:
    other = create_campaign(slug="other", title="Other", scenario=find_scenario(SCENARIO))
    seeds = {master_seed(one) for one in (campaign, other)}
    assert [len(seed_) for seed_ in seeds] == [32, 32]
    stored = bytes(campaign.dice.sealed_dice)
    assert not any(seed_ in stored or seed_ in base64.urlsafe_b64decode(stored) for seed_ in seeds)


def test_a_state_is_stored_compressed_and_read_back(phase: Phase) -> None:
    rules = scenario_of(phase.campaign).rules
    data = unpack(phase.start.state_before)
    assert len(bytes(phase.start.state_before)) < len(data) / 2
    assert encode_state(decode_state(rules, data, version=phase.state_version)) == data


def test_an_unsound_scenario_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="the file is missing"):
        create_campaign(slug="x", title="X", scenario=tmp_path)
    assert not Campaign.objects.exists()
