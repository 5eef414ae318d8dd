"""The sweep: what waits is done, and an absent GM's drafts go out; failpoints where they must be."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError

from campaign.core.failpoints import Provoked, fp
from campaign.models import (
    Battle,
    BattleResult,
    BattleState,
    Campaign,
    Phase,
    PhaseState,
    User,
)
from gm.desk.absence import flags
from gm.machine import sweeper
from gm.machine.sweeper import attend, sweep
from gm.phases.adjudication import resolve
from gm.phases.lifecycle import approve, claim, file, retry
from gm.phases.locking import lock
from orders.models import LockedSheet, Sheet
from tests.gm.campaigns import Clock, live, opened, send, sheet_texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]

ROOT = Path(__file__).parents[3]


# --- one phase at once -----------------------------------------------------------------------------------------------


def test_one_phase_is_attended_to_without_waiting_for_the_sweep(phase: Phase, author: User, campaign: Campaign) -> None:
    assert attend(phase.pk, worker="one") == 0
    send(phase, author, "MOVE 12 SS S22", ready=True)
    assert attend(phase.pk, worker="one") == 2
    assert attend(phase.pk, worker="one") == 0
    assert live(campaign).no == phase.no + 1


def test_trouble_with_the_post_keeps_no_campaign_waiting(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "send_due", lambda _: 1 / 0)
    assert sweep(worker="one") == 2
    assert live(campaign).no == 1


# --- an absent GM ----------------------------------------------------------------------------------------------------


def absent(phase: Phase, hours: int | None) -> None:
    Campaign.objects.filter(pk=phase.campaign_id).update(absent_hours=hours)


def test_a_draft_with_nothing_flagged_publishes_itself_after_the_hours_that_the_gm_named(
    draft: Phase, time: Clock
) -> None:
    absent(draft, 24)
    time.forward(hours=24, seconds=-1)
    assert sweep(worker="one") == 0
    time.forward(seconds=1)
    assert sweep(worker="one") == 1
    draft.refresh_from_db()
    assert draft.state == PhaseState.PUBLISHED


def test_a_draft_waits_for_ever_if_its_gm_has_not_said_otherwise(draft: Phase, time: Clock) -> None:
    time.forward(days=400)
    assert sweep(worker="one") == 0
    absent(draft, 0)
    assert sweep(worker="one") == 1


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("MOVE 12 SS S22\nNOTE look at this", "German HQ, line 2, is a note for you: look at this"),
        ("MOVE 12 SS S22\nnonsense", "German HQ, line 2, was ignored: "),
        ("MOVE 12 SS K1", "German HQ, line 1, was ignored: "),
    ],
)
def test_a_draft_with_a_note_or_a_line_that_does_nothing_waits(draft: Phase, time: Clock, text: str, flag: str) -> None:
    Sheet.objects.filter(phase=draft).update(text=text)
    absent(draft, 24)
    time.forward(hours=48)
    assert [flag in each for each in flags(draft)] == [True]
    assert sweep(worker="one") == 0


@pytest.mark.parametrize("state", [BattleState.OPEN, BattleState.DISPUTED, BattleState.RULED])
def test_a_draft_with_a_battle_that_the_players_did_not_settle_waits(
    draft: Phase, time: Clock, state: BattleState
) -> None:
    Battle.objects.create(phase=draft, key="Q19", attacker="german", defender="allied", state=state)
    absent(draft, 24)
    time.forward(hours=48)
    assert sweep(worker="one") == 0
    Battle.objects.update(state=BattleState.CONFIRMED)
    assert sweep(worker="one") == 1


def test_results_that_all_agree_on_wait_for_nobody(reviewed: Campaign, author: User, time: Clock) -> None:
    orders = opened(reviewed)
    (text,) = sheet_texts("1944-12-16-german-sheet", "german")
    send(orders, author, text, ready=True)
    sweep(worker="one")
    assert approve(orders.pk, fence=1)
    battles = live(reviewed)
    Battle.objects.update(state=BattleState.CONFIRMED)
    BattleResult.objects.bulk_create(
        BattleResult(battle=battle, report="RESULT Q19 attackers") for battle in Battle.objects.all()
    )
    absent(battles, 1)
    assert sweep(worker="one") == 2
    time.forward(hours=1)
    battles.refresh_from_db()
    assert battles.all_locked_sheets.exists()
    assert (battles.state, flags(battles), sweep(worker="one")) == (PhaseState.REVIEW, (), 1)


def test_a_draft_that_is_made_again_waits_again(draft: Phase, time: Clock) -> None:
    absent(draft, 24)
    time.forward(hours=23)
    Phase.objects.filter(pk=draft.pk).update(state=PhaseState.LOCKED)
    sweep(worker="one")
    time.forward(hours=23)
    assert sweep(worker="one") == 0
    time.forward(hours=1)
    assert sweep(worker="one") == 1


# --- failpoints ------------------------------------------------------------------------------------------------------


def transactions() -> Iterator[tuple[str, str]]:
    """Every function with a durable transaction of its own, and its source."""
    for folder in (
        "api",
        "campaign",
        "orders",
        "posting",
        "questions",
        "staff",
        "stories",
        "archive",
        "incoming",
        "gm",
    ):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text if "durable=True" in text else "")):
                if isinstance(node, ast.FunctionDef):
                    source = ast.get_source_segment(text, node) or ""
                    if "durable=True" in source:
                        yield f"{path.relative_to(ROOT)}: {node.name}", source


def test_every_durable_transaction_has_a_failpoint() -> None:
    found = dict(transactions())
    assert len(found) > 12
    assert [name for name, source in found.items() if "fp(" not in source] == []


@pytest.mark.parametrize("action", ["kil9", "stop:2", "stop:s", "", "raise=1"])
def test_a_mistyped_failpoint_is_an_error_wherever_the_next_one_is(
    monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    monkeypatch.setenv("FAILPOINTS", f"publish.mid={action}")
    with pytest.raises(ValueError, match="FAILPOINTS"):
        fp("lock.mid")


@pytest.mark.parametrize("written", ["publish.mid", "publish mid=raise", "publish.mid=raise,,"])
def test_failpoints_that_cannot_be_read_are_an_error(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("FAILPOINTS", written)
    with pytest.raises(ValueError, match="FAILPOINTS"):
        fp("lock.mid")


def test_a_failpoint_provokes_its_own_fault_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILPOINTS", "publish.mid=raise, claim.after=busy,draw.mid=enospc,lock.mid=stop:0.001s")
    fp("lock.mid")
    fp("lock.after")
    for place, fault in (("publish.mid", Provoked), ("claim.after", OperationalError), ("draw.mid", OSError)):
        with pytest.raises(fault):
            fp(place)


@pytest.mark.parametrize("place", ["publish.mid", "publish.before_commit"])
def test_an_approval_that_fails_half_way_changes_nothing(
    draft: Phase, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("FAILPOINTS", f"{place}=raise")
    with pytest.raises(Provoked):
        approve(draft.pk, fence=draft.fence)
    monkeypatch.delenv("FAILPOINTS")
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW
    assert approve(draft.pk, fence=draft.fence)


@pytest.mark.parametrize("place", ["publish.before_cas", "publish.mid", "publish.before_commit"])
def test_a_publication_that_fails_half_way_leaves_nothing_behind(
    locked: Phase, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    mine = claim(locked.pk, worker="one")
    assert mine is not None
    made = resolve(mine)
    monkeypatch.setenv("FAILPOINTS", f"{place}=enospc")
    with pytest.raises(OSError, match="no space"):
        file(made)
    monkeypatch.delenv("FAILPOINTS")
    assert not locked.all_artefacts.exists()
    assert live(locked.campaign).pk == locked.pk
    assert file(made)


def test_a_lock_that_fails_half_way_fixes_nothing(phase: Phase, author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    send(phase, author, "HOLD 1 SS", ready=True)
    monkeypatch.setenv("FAILPOINTS", "lock.mid=busy")
    with pytest.raises(OperationalError):
        lock(phase.pk)
    assert not LockedSheet.objects.exists()
    monkeypatch.delenv("FAILPOINTS")
    assert lock(phase.pk)


def test_a_claim_that_is_not_committed_is_nobodys(locked: Phase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILPOINTS", "claim.before_commit=raise")
    with pytest.raises(Provoked):
        claim(locked.pk, worker="one")
    locked.refresh_from_db()
    assert (locked.state, locked.fence) == (PhaseState.LOCKED, 0)
    assert not retry(locked.pk)
