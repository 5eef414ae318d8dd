"""Draft results through the API: read, judged, ruled on, published, with the services of the GM desk."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign, Phase, PhaseState, Ruling, VoidedRoll
from gm.machine.sweeper import sweep
from gm.models import TriedRuling
from gm.phases.rolls import announce
from tests.api.asking import read, where, write
from tests.gm.campaigns import Clock
from tests.web.conftest import Cast, rows
from tests.web.test_desk import mark
from tests.web.test_judging import key_of, text_for, unsound
from tests.web.test_rulings import RULING

pytestmark = pytest.mark.django_db


def act(cast: Cast, draft: Phase, what: str, *, who: str = "gm", method: str = "post", **body: Any) -> Any:
    return write(cast, who, f"gm/draft/{what}/", {"seen": mark(draft), **body}, method=method)


def again(draft: Phase) -> None:
    sweep(worker="one")
    draft.refresh_from_db()


def error(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


# --- what it shows ---------------------------------------------------------------------------------------------------


def test_the_draft_has_events_sheets_and_what_needs_the_gm(cast: Cast, noted: Phase) -> None:
    found = read(cast, "gm", "gm/draft/")
    assert found["seen"] == mark(noted)
    assert found["events"]
    assert found["changes"] is None
    assert found["flags"] == ["German HQ, line 1, is a note for you: may 12 SS rest here?"]
    (asked,) = found["to_judge"]
    assert (asked["question"], asked["audiences"], asked["answer"]) == (
        "The note “may 12 SS rest here?”.",
        ["german"],
        "",
    )
    sheet = next(each for each in found["sheets"] if each["side"] == "german")
    assert sheet["text"] == "NOTE may 12 SS rest here?\nREADY"


def test_there_is_none_while_the_phase_is_open(cast: Cast) -> None:
    for rest in ("gm/draft/", "gm/draft/rulings/"):
        assert cast.browser("gm").get(where(cast, rest)).status_code == 404
    answer = write(cast, "gm", "gm/draft/publication/", {"seen": "2.0.1"})
    assert error(answer) == (409, "outdated")


def test_an_answer_is_published_with_the_phase(cast: Cast, noted: Phase) -> None:
    answer = act(cast, noted, "judgements", key=key_of(noted), text="They may.")
    assert answer.json()["to_judge"][0]["answer"] == "They may."
    assert answer.json()["flags"] == []
    assert error(act(cast, noted, "judgements", key="note/nobody", text="x")) == (409, "outdated")
    assert act(cast, noted, "publication").status_code == 200
    assert "The GM: They may." in text_for(noted, "german")
    assert "They may." not in text_for(noted, "allied")
    assert not unsound(cast)


# --- rulings ---------------------------------------------------------------------------------------------------------


def test_a_ruling_is_applied_and_undone(cast: Cast, draft: Phase) -> None:
    listed = read(cast, "gm", "gm/draft/rulings/")
    assert RULING["stage"] in [each["stage"] for each in listed["stages"]]
    assert any(usage.startswith("FUEL") for usage in listed["usages"])
    assert (listed["applied"], listed["tries"]) == ([], 0)
    seen = mark(draft)
    assert act(cast, draft, "rulings", **RULING).json()["now"]["state"] == "resolving"
    again(draft)
    assert error(write(cast, "gm", "gm/draft/rulings/", {"seen": seen, **RULING})) == (409, "outdated")
    applied = read(cast, "gm", "gm/draft/rulings/")["applied"]
    assert [each["text"] for each in applied] == ["FUEL 7", "STRENGTH 12 SS 50"]
    first, *others = read(cast, "gm", "gm/draft/")["changes"]
    assert first["audience"] == "gm"
    assert any("12 SS" in each["subject"] for each in first["units"])
    assert {each["audience"] for each in others} == {"german", "allied", "public"}
    assert act(cast, draft, "rulings/undone", number=1).status_code == 200
    again(draft)
    assert [each["number"] for each in read(cast, "gm", "gm/draft/rulings/")["applied"]] == [2]
    assert not unsound(cast)


def test_a_try_is_counted_and_changes_nothing_else(cast: Cast, draft: Phase) -> None:
    browser = cast.browser("gm")
    before = rows()
    answer = browser.post(
        where(cast, "gm/draft/tries/"), {"seen": mark(draft), **RULING, "reason": ""}, content_type="application/json"
    )
    assert answer.status_code == 200, answer.content
    assert (answer.json()["tries"], answer.json()["dice"]) == (1, 0)
    assert any("fuel reserve is 7" in each["after"] for each in answer.json()["changes"][0]["events"])
    changed = {table for table, found in rows().items() if found != before[table]}
    assert changed == {"gm_triedruling", "campaign_auditentry"}
    assert TriedRuling.objects.get().author == cast.user("gm")


def test_what_is_no_ruling_is_refused_line_by_line(cast: Cast, draft: Phase) -> None:
    for what in ("rulings", "tries"):
        faulty = act(cast, draft, what, **{**RULING, "text": "FUEL 7\nFUEL much"})
        assert error(faulty) == (422, "faulty")
        assert [each["line"] for each in faulty.json()["problems"]] == [2]
        assert error(act(cast, draft, what, **{**RULING, "stage": "nowhere"})) == (422, "unusable")
        assert error(act(cast, draft, what, **{**RULING, "text": ""})) == (422, "faulty")
    silent = act(cast, draft, "rulings", **{**RULING, "reason": " "})
    assert error(silent) == (422, "refused")
    assert silent.json()["message"].startswith("No ruling was applied: a ruling needs a reason")
    assert not Ruling.objects.exists()
    assert not TriedRuling.objects.exists()


def test_a_roll_is_made_void_once(cast: Cast, draft: Phase) -> None:
    gm = cast.user("gm")
    announce(draft.pk, fence=draft.fence, audience="gm", count=1, sides=6, purpose="a bridge", author=gm)
    (roll,) = read(cast, "gm", "gm/draft/rulings/")["rolls"]
    assert (roll["purpose"], roll["extra"], roll["void"]) == ("a bridge", True, "")
    body = {"audience": "gm", "label": roll["label"], "reason": "the wrong bridge"}
    assert act(cast, draft, "rolls/void", **body).json()["rolls"][0]["void"] == "the wrong bridge"
    assert error(act(cast, draft, "rolls/void", **body)) == (422, "refused")
    assert VoidedRoll.objects.get().author == gm
    entered = act(cast, draft, "rolls/entered", label=roll["label"], dice=[3], reason="x")
    assert entered.status_code == 404, "no roll of the rules"


# --- publication -----------------------------------------------------------------------------------------------------


def test_what_was_seen_is_published_with_its_messages(cast: Cast, draft: Phase) -> None:
    to_german, to_public = {"audience": "german", "text": "Well done."}, {"audience": "public", "text": "News."}
    saved = act(cast, draft, "messages", method="put", messages=[to_german])
    assert to_german in saved.json()["messages"]
    nobody = act(cast, draft, "messages", method="put", messages=[to_public, {"audience": "gm", "text": "x"}])
    assert nobody.status_code == 404
    assert to_public not in read(cast, "gm", "gm/draft/")["messages"], "all or none"
    other = write(cast, "gm", "gm/draft/publication/", {"seen": "2.0.99", "messages": [to_public]})
    assert error(other) == (409, "outdated")
    assert act(cast, draft, "publication", messages=[to_public]).json()["now"]["state"] in ("open", "resolving")
    draft.refresh_from_db()
    assert draft.state == PhaseState.PUBLISHED
    assert "Well done." in text_for(draft, "german")
    assert "News." in text_for(draft, "public")
    assert error(act(cast, draft, "publication")) == (409, "outdated")
    assert not unsound(cast)


def test_an_approved_draft_does_not_change_until_it_is_cancelled(cast: Cast, draft: Phase, time: Clock) -> None:
    Campaign.objects.filter(pk=draft.campaign_id).update(think_seconds=60)
    assert act(cast, draft, "publication").json()["now"]["state"] == "draft"
    found = read(cast, "gm", "gm/draft/")
    assert datetime.fromisoformat(found["publishes_at"]) == time.now + timedelta(seconds=60)
    for rest, more in (
        ("publication", {}),
        ("judgements", {"key": "note/1", "text": "x"}),
        ("rulings", RULING),
        ("tries", RULING),
    ):
        assert error(act(cast, draft, rest, **more)) == (409, "approved")
    to_public = {"audience": "public", "text": "News."}
    assert error(act(cast, draft, "messages", method="put", messages=[to_public])) == (409, "approved")
    assert act(cast, draft, "publication/cancelled").json()["publishes_at"] is None
    assert error(act(cast, draft, "publication/cancelled")) == (409, "outdated")
    time.forward(minutes=2)
    again(draft)
    assert draft.state == PhaseState.REVIEW
    act(cast, draft, "publication")
    time.forward(seconds=61)
    again(draft)
    assert draft.state == PhaseState.PUBLISHED
    assert not unsound(cast)


def test_more_rulings_need_no_more_queries(cast: Cast, draft: Phase) -> None:
    browser = cast.browser("gm")

    def queries(rest: str) -> int:
        browser.get(where(cast, rest))
        with CaptureQueriesContext(connection) as found:
            assert browser.get(where(cast, rest)).status_code == 200
        return len(found)

    act(cast, draft, "rulings", **{**RULING, "text": "FUEL 7"})
    again(draft)
    before = [queries("gm/draft/"), queries("gm/draft/rulings/")]
    act(cast, draft, "rulings", **{**RULING, "text": "FUEL 8\nFUEL 9\nSTRENGTH 12 SS 50"})
    again(draft)
    assert [queries("gm/draft/"), queries("gm/draft/rulings/")] == before
