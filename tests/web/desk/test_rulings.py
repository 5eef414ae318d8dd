"""Rulings on a draft: what the last one changed, and what one would change that is only tried."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.engine.facts import Event, Rolled
from campaign.engine.values.ids import GM, PUBLIC, PhaseKey
from campaign.models import Artefact, AuditEntry, Phase, PhaseState
from gm.machine.sweeper import sweep
from gm.models import DraftDifferences, TriedRuling
from gm.phases import trying
from gm.phases.adjudication import Outlook, outlook
from gm.phases.rolls import interventions, tried
from tests.web.conftest import Cast, rows
from tests.web.desk.test_desk import act, page
from tests.web.desk.test_judging import unsound

pytestmark = pytest.mark.django_db

RULING = {"stage": "german_end", "text": "FUEL 7\nSTRENGTH 12 SS 50", "reason": "a dump burnt"}


def changed(cast: Cast) -> str:
    """What the draft's page says of differences."""
    shown = page(cast, "desk/draft/")
    return shown[shown.index('id="changed"') :].split("</section>")[0] if 'id="changed"' in shown else ""


def rule(cast: Cast, draft: Phase, **more: str) -> None:
    assert act(cast, draft, "rule", **{**RULING, **more}).status_code == 302
    sweep(worker="one")
    draft.refresh_from_db()


def try_out(cast: Cast, draft: Phase, **more: str) -> Any:
    return act(cast, draft, "try", **{**RULING, **more})


# --- differences -----------------------------------------------------------------------------------------------------


def test_after_a_ruling_the_draft_shows_what_it_changed_for_each_audience(cast: Cast, draft: Phase) -> None:
    assert changed(cast) == ""
    rule(cast, draft)
    shown = changed(cast)
    assert "What changed since the last draft" in shown
    assert "GM ruling: the German fuel reserve is 7 points" in shown
    assert "German 12 SS" in shown
    assert 'class="marked"' in shown, "on the map"
    assert "For the Germans: " in shown
    assert "For the Allies" in shown


def test_a_ruling_that_a_side_does_not_learn_of_changes_nothing_for_it(cast: Cast, draft: Phase) -> None:
    rule(cast, draft, text="STRENGTH 12 SS 50")
    assert "For the Allies nothing changed." in changed(cast)


def test_an_undone_ruling_shows_the_way_back(cast: Cast, draft: Phase) -> None:
    rule(cast, draft)
    act(cast, draft, "take-back", seq=1)
    sweep(worker="one")
    assert re.search(r'"tag">gone</span>[^<]*<del>GM ruling: the German fuel reserve is 7 points', changed(cast))


def test_differences_go_with_the_draft_and_nobody_else_has_them(cast: Cast, draft: Phase) -> None:
    rule(cast, draft)
    assert DraftDifferences.objects.get().phase == draft
    for who in ("german commander", "allied commander", "spectator"):
        assert cast.browser(who).get(cast.address("desk/draft/")).status_code == 404
    act(cast, draft, "approve")
    assert not DraftDifferences.objects.exists()


def test_differences_that_another_release_stored_are_left_out(cast: Cast, draft: Phase) -> None:
    rule(cast, draft)
    DraftDifferences.objects.update(version=0, content=b"of an older form")
    assert changed(cast) == ""


# --- tries -----------------------------------------------------------------------------------------------------------


def test_a_try_shows_the_same_differences_and_changes_nothing(cast: Cast, draft: Phase) -> None:
    before, kept = rows(whole=True), draft.proof.result_digest
    answer = try_out(cast, draft)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "What these rulings would change" in text
    assert "This is only a try" in text
    assert "GM ruling: the German fuel reserve is 7 points" in text
    assert "STRENGTH 12 SS 50" in text, "the text is kept, to be applied"
    after = rows(whole=True)
    written = {table for table in after if after[table] != before[table]} - {"campaign_user"}  # when they signed in
    assert written == {"gm_triedruling", "campaign_auditentry"}
    assert changed(cast) == "", "the page of the draft is as it was"
    draft.refresh_from_db()
    assert (draft.state, draft.proof.result_digest) == (PhaseState.REVIEW, kept)


def test_a_try_that_is_applied_comes_out_identically(cast: Cast, draft: Phase) -> None:
    would = try_out(cast, draft).content.decode().split('id="changed"')[1].split("<ul")[1].split("</section>")[0]
    rule(cast, draft)
    assert TriedRuling.objects.get().digest == draft.proof.result_digest
    is_ = changed(cast).split("<ul")[1]
    assert is_.replace("changed.", "would change.") == would


def test_a_try_that_shows_new_dice_is_on_record_with_their_number(
    cast: Cast, draft: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact = Rolled("bridge/1", PUBLIC, sides=6, dice=(3, 4), purpose="a bridge")

    def with_dice(phase_id: int, *, more: Any) -> Outlook:
        result = outlook(phase_id, more=more)
        return replace(result, events=(*result.events, Event(PhaseKey("german_end"), "R9", fact, {GM: fact})))

    assert "because you saw" not in try_out(cast, draft).content.decode()
    monkeypatch.setattr(trying, "outlook", with_dice)
    assert "because you saw 2 dice that the draft does not have" in try_out(cast, draft).content.decode()
    assert [entry.subject["dice"] for entry in AuditEntry.objects.filter(act="try").order_by("no")] == [0, 2]
    assert list(TriedRuling.objects.order_by("seq").values_list("seq", "dice")) == [(1, 0), (2, 2)]
    assert not unsound(cast)


def test_tries_are_counted_in_every_report(cast: Cast, draft: Phase) -> None:
    try_out(cast, draft)
    try_out(cast, draft, text="FUEL 9")
    rule(cast, draft)
    assert (interventions([draft]), tried([draft])) == (2, 2)
    assert "in this phase so far: 2" in page(cast, "desk/draft/")
    act(cast, draft, "approve")
    for audience in ("german", "allied", "public", "gm"):
        text = bytes(Artefact.objects.get(phase=draft, audience=audience, kind="text").content).decode()
        assert "Rulings tried on drafts: 2 in this phase, 2 so far." in " ".join(text.split())
    assert not unsound(cast)


def test_reports_of_campaigns_without_tries_say_nothing_of_them(cast: Cast, draft: Phase) -> None:
    rule(cast, draft)
    act(cast, draft, "approve")
    texts = Artefact.objects.filter(phase=draft, kind="text").values_list("content", flat=True)
    assert not any("Rulings tried" in bytes(text).decode() for text in texts)


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"text": "FUEL lots"}, 422, "Line 1"),
        ({"text": "STRENGTH 12 SS 200"}, 422, "No ruling was applied"),
        ({"text": ""}, 422, "No ruling was written"),
        ({"stage": "nonsense"}, 404, ""),
        ({"seen": "1.0.99"}, 409, "FUEL 7"),
    ],
)
def test_an_impossible_try_is_refused_and_is_on_no_record(
    cast: Cast, draft: Phase, more: dict[str, str], status: int, said: str
) -> None:
    answer = try_out(cast, draft, **more)
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert not TriedRuling.objects.exists()


def test_a_try_needs_no_reason(cast: Cast, draft: Phase) -> None:
    assert try_out(cast, draft, reason="").status_code == 200
    assert TriedRuling.objects.count() == 1


def test_the_page_of_the_draft_asks_as_much_whatever_changed(cast: Cast, draft: Phase) -> None:
    def queries() -> int:
        browser = cast.browser("gm")
        with CaptureQueriesContext(connection) as found:
            assert browser.get(cast.address("desk/draft/")).status_code == 200
        return len(found)

    rule(cast, draft, text="FUEL 7")
    one = queries()
    rule(cast, draft, text="STRENGTH 12 SS 50\nSTRENGTH 1 SS 40\nSTRENGTH 2 Pz 40")
    assert queries() == one
