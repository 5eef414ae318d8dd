"""Draft results through the API: read, judged, ruled on, published, with the services of the GM desk."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Campaign, ManualRoll, Phase, PhaseState, Ruling, VoidedRoll
from gm.machine.sweeper import sweep
from gm.models import TriedRuling
from gm.phases import approval
from gm.phases.judging import LONGEST as LONGEST_ANSWER
from gm.phases.judging import answer
from gm.phases.prefaces import LONGEST as LONGEST_MESSAGE
from gm.phases.prefaces import save_prefaces
from gm.phases.rolls import announce
from gm.phases.rows import words_of
from tests.api.asking import read, where, write
from tests.gm.campaigns import Clock
from tests.web.conftest import Cast, rows
from tests.web.desk.test_desk import mark
from tests.web.desk.test_judging import key_of, text_for, unsound
from tests.web.desk.test_rulings import RULING

pytestmark = pytest.mark.django_db


def act(cast: Cast, what: str, *, who: str = "gm", method: str = "post", once: str = "a key", **body: Any) -> Any:
    """An act on what there is now, unless a mark is given."""
    seen = body.pop("seen", None) or read(cast, who, "gm/draft/")["seen"]
    return write(cast, who, f"gm/draft/{what}/", {"seen": seen, **body}, method=method, key=once)


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
    answer = act(cast, "judgements", key=key_of(noted), text="They may.")
    assert answer.json()["to_judge"][0]["answer"] == "They may."
    assert answer.json()["flags"] == []
    unknown = act(cast, "judgements", key="note/nobody", text="x")
    assert error(unknown) == (422, "unusable")
    assert "have no question “note/nobody”" in unknown.json()["message"]
    assert act(cast, "publication").status_code == 200
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
    assert act(cast, "rulings", **RULING).json()["now"]["state"] == "resolving"
    again(draft)
    assert error(write(cast, "gm", "gm/draft/rulings/", {"seen": seen, **RULING})) == (409, "outdated")
    applied = read(cast, "gm", "gm/draft/rulings/")["applied"]
    assert [each["text"] for each in applied] == ["FUEL 7", "STRENGTH 12 SS 50"]
    first, *others = read(cast, "gm", "gm/draft/")["changes"]
    assert first["audience"] == "gm"
    assert any("12 SS" in each["subject"] for each in first["units"])
    assert {each["audience"] for each in others} == {"german", "allied", "public"}
    assert act(cast, "rulings/undone", number=1).status_code == 200
    again(draft)
    for unknown in (1, 9):
        refused = act(cast, "rulings/undone", number=unknown)
        assert error(refused) == (422, "unusable")
        assert f"have no ruling number {unknown}." in refused.json()["message"]
    assert [each["number"] for each in read(cast, "gm", "gm/draft/rulings/")["applied"]] == [2]
    assert not unsound(cast)


def test_a_try_is_counted_and_changes_nothing_else(cast: Cast, draft: Phase) -> None:
    browser = cast.browser("gm")
    before = rows()
    answer = browser.post(
        where(cast, "gm/draft/tries/"),
        {"seen": mark(draft), **RULING, "reason": ""},
        content_type="application/json",
        headers={"Idempotency-Key": "k"},
    )
    assert answer.status_code == 200, answer.content
    assert (answer.json()["tries"], answer.json()["dice"]) == (1, 0)
    assert any("fuel reserve is 7" in each["after"] for each in answer.json()["changes"][0]["events"])
    changed = {table for table, found in rows().items() if found != before[table]}
    assert changed == {"gm_triedruling", "campaign_auditentry"}
    assert TriedRuling.objects.get().author == cast.user("gm")


def test_a_try_that_is_sent_again_with_its_key_counts_once(cast: Cast, draft: Phase) -> None:
    first = act(cast, "tries", **RULING)
    assert first.json()["tries"] == 1
    assert act(cast, "tries", **RULING).json() == first.json()
    other = act(cast, "tries", **{**RULING, "text": "FUEL 8"})
    assert error(other) == (409, "key-reused")
    assert TriedRuling.objects.count() == 1
    assert act(cast, "tries", once="another", **RULING).json()["tries"] == 2
    assert act(cast, "tries", who="co-gm", **RULING).json()["tries"] == 3, "a key is its author's own"
    without = cast.browser("gm").post(
        where(cast, "gm/draft/tries/"), {"seen": mark(draft), **RULING}, content_type="application/json"
    )
    assert error(without) == (400, "malformed")
    assert not unsound(cast)


@pytest.mark.usefixtures("draft")
def test_what_is_no_ruling_is_refused_line_by_line(cast: Cast) -> None:
    for what in ("rulings", "tries"):
        faulty = act(cast, what, **{**RULING, "text": "FUEL 7\nFUEL much"})
        assert error(faulty) == (422, "faulty")
        assert [each["line"] for each in faulty.json()["problems"]] == [2]
        assert error(act(cast, what, **{**RULING, "stage": "nowhere"})) == (422, "unusable")
        assert error(act(cast, what, **{**RULING, "text": ""})) == (422, "faulty")
    silent = act(cast, "rulings", **{**RULING, "reason": " "})
    assert error(silent) == (422, "refused")
    assert silent.json()["message"].startswith("Nothing was changed: a ruling needs a reason")
    assert not Ruling.objects.exists()
    assert not TriedRuling.objects.exists()


def test_a_roll_is_made_void_once(cast: Cast, draft: Phase) -> None:
    gm = cast.user("gm")
    announce(draft.pk, fence=draft.fence, audience="gm", count=1, sides=6, purpose="a bridge", author=gm)
    (roll,) = read(cast, "gm", "gm/draft/rulings/")["rolls"]
    assert (roll["purpose"], roll["extra"], roll["void"]) == ("a bridge", True, "")
    body = {"audience": "gm", "label": roll["label"], "reason": "the wrong bridge"}
    assert act(cast, "rolls/void", **body).json()["rolls"][0]["void"] == "the wrong bridge"
    assert error(act(cast, "rolls/void", **body)) == (422, "refused")
    assert VoidedRoll.objects.get().author == gm
    entered = act(cast, "rolls/entered", label=roll["label"], dice=[3], reason="x")
    assert entered.status_code == 404, "no roll of the rules"


def test_an_extra_roll_falls_once_for_each_mark(cast: Cast, draft: Phase) -> None:
    """A request that is sent again has an old mark, so it rolls nothing."""
    body: dict[str, Any] = {"seen": mark(draft), "audience": "german", "count": 2, "sides": 6, "purpose": "a bridge"}
    asked = act(cast, "rolls", **body)
    (roll,) = [each for each in asked.json()["rolls"] if each["extra"]]
    assert (roll["audience"], roll["purpose"], roll["sides"], len(roll["dice"])) == ("german", "a bridge", 6, 2)
    assert error(act(cast, "rolls", **body)) == (409, "outdated")
    new = asked.json()["seen"]
    for wrong in ({"audience": "nobody"}, {"count": 0}, {"sides": 1}, {"purpose": " "}):
        assert error(act(cast, "rolls", **{**body, "seen": new, **wrong})) == (422, "refused"), wrong
    assert ManualRoll.objects.get().author == cast.user("gm")


# --- publication -----------------------------------------------------------------------------------------------------


def test_what_was_seen_is_published_with_its_messages(cast: Cast, draft: Phase) -> None:
    to_german, to_public = {"audience": "german", "text": "Well done."}, {"audience": "public", "text": "News."}
    saved = act(cast, "messages", method="put", messages=[to_german])
    assert to_german in saved.json()["messages"]
    nobody = act(cast, "messages", method="put", messages=[to_public, {"audience": "gm", "text": "x"}])
    assert nobody.status_code == 404
    assert to_public not in read(cast, "gm", "gm/draft/")["messages"], "all or none"
    other = write(cast, "gm", "gm/draft/publication/", {"seen": "2.0.99", "messages": [to_public]})
    assert error(other) == (409, "outdated")
    assert act(cast, "publication", messages=[to_public]).json()["now"]["state"] in ("open", "resolving")
    draft.refresh_from_db()
    assert draft.state == PhaseState.PUBLISHED
    assert "Well done." in text_for(draft, "german")
    assert "News." in text_for(draft, "public")
    assert error(act(cast, "publication", seen=mark(draft))) == (409, "outdated")
    assert not unsound(cast)


def test_what_another_game_master_wrote_meanwhile_is_not_lost(cast: Cast, noted: Phase) -> None:
    """A message, an answer, a roll that is void: each changes the mark, and nothing under the old one is stored."""
    key = key_of(noted)
    announce(noted.pk, fence=noted.fence, audience="gm", count=1, sides=6, purpose="a bridge", author=cast.user("gm"))
    label = read(cast, "gm", "gm/draft/rulings/")["rolls"][-1]["label"]
    firsts: list[tuple[str, dict[str, Any]]] = [
        ("messages", {"method": "put", "messages": [{"audience": "german", "text": "The first."}]}),
        ("judgements", {"key": key, "text": "The first."}),
        ("rolls/void", {"audience": "gm", "label": label, "reason": "The first."}),
    ]
    mine = [{"audience": "german", "text": "Mine."}]
    for what, body in firsts:
        old = read(cast, "co-gm", "gm/draft/")["seen"]
        done = act(cast, what, **body)
        assert done.json()["seen"] == read(cast, "co-gm", "gm/draft/")["seen"] != old
        for refused in (
            act(cast, "messages", who="co-gm", seen=old, method="put", messages=mine),
            act(cast, "judgements", who="co-gm", seen=old, key=key, text="Mine."),
            act(cast, "publication", who="co-gm", seen=old, messages=mine),
        ):
            assert error(refused) == (409, "outdated")
    assert list(noted.prefaces.values_list("text", flat=True)) == ["The first."]
    assert list(noted.answers.values_list("text", flat=True)) == ["The first."]
    noted.refresh_from_db()
    assert noted.state == PhaseState.REVIEW


def test_what_was_written_after_the_mark_was_checked_is_not_lost_either(cast: Cast, noted: Phase) -> None:
    """The services check it again when nobody else can write."""
    words, author = words_of(noted), cast.user("co-gm")
    fence, mine = noted.fence, {"german": "Mine."}
    assert save_prefaces(noted.pk, {"german": "The first."}, fence=fence, words=words)
    before = rows()
    assert not save_prefaces(noted.pk, mine, fence=fence, words=words)
    assert not answer(noted.pk, fence=fence, words=words, key=key_of(noted), text="Mine.", author=author)
    assert not approval.give(noted.pk, fence=fence, words=words, author=author, messages=mine)
    assert rows() == before


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_publication_that_is_refused_stores_no_message(cast: Cast, draft: Phase, seconds: int) -> None:
    Campaign.objects.filter(pk=draft.campaign_id).update(think_seconds=seconds)
    written, author = {"german": "Well done.", "public": "News."}, cast.user("gm")
    before = rows()
    assert not approval.give(draft.pk, fence=draft.fence + 1, author=author, messages=written)
    assert not save_prefaces(draft.pk, written, fence=draft.fence + 1)
    assert rows() == before
    assert approval.give(draft.pk, fence=draft.fence, author=author, messages=written)
    assert dict(draft.prefaces.values_list("audience", "text")) == written
    before = rows()
    assert not approval.give(draft.pk, fence=draft.fence, author=author, messages={"german": "Again."})
    assert rows() == before


def test_a_text_that_is_too_long_is_refused_and_not_cut(cast: Cast, noted: Phase) -> None:
    longest = {"audience": "german", "text": "x" * 20_000}
    assert act(cast, "messages", method="put", messages=[longest]).status_code == 200
    assert act(cast, "judgements", key=key_of(noted), text="x" * 2_000).status_code == 200
    too_long = [{**longest, "text": "y" * 20_001}]
    for refused, most, where_ in (
        (act(cast, "messages", method="put", messages=too_long), 20000, "$.messages[0].text"),
        (act(cast, "publication", messages=too_long), 20000, "$.messages[0].text"),
        (act(cast, "judgements", key=key_of(noted), text="y" * 2_001), 2000, "$.text"),
    ):
        assert error(refused) == (400, "malformed")
        assert f"length <= {most} - at `{where_}`" in refused.json()["message"]
    assert list(noted.prefaces.values_list("text", flat=True)) == ["x" * 20_000]
    assert list(noted.answers.values_list("text", flat=True)) == ["x" * 2_000]
    assert (LONGEST_MESSAGE, LONGEST_ANSWER) == (20_000, 2_000)


def test_an_approved_draft_does_not_change_until_it_is_cancelled(cast: Cast, draft: Phase, time: Clock) -> None:
    Campaign.objects.filter(pk=draft.campaign_id).update(think_seconds=60)
    assert act(cast, "publication").json()["now"]["state"] == "draft"
    found = read(cast, "gm", "gm/draft/")
    assert datetime.fromisoformat(found["publishes_at"]) == time.now + timedelta(seconds=60)
    for rest, more in (
        ("publication", {}),
        ("judgements", {"key": "note/1", "text": "x"}),
        ("rulings", RULING),
        ("tries", RULING),
    ):
        assert error(act(cast, rest, **more)) == (409, "approved")
    to_public = {"audience": "public", "text": "News."}
    assert error(act(cast, "messages", method="put", messages=[to_public])) == (409, "approved")
    assert act(cast, "publication/cancelled", seen=found["seen"]).json()["publishes_at"] is None
    assert error(act(cast, "publication/cancelled")) == (409, "outdated")
    time.forward(minutes=2)
    again(draft)
    assert draft.state == PhaseState.REVIEW
    seen = found["seen"]
    assert act(cast, "publication", seen=seen, messages=[to_public]).status_code == 200
    assert error(act(cast, "publication", seen=seen)) == (409, "approved")
    assert act(cast, "publication/cancelled", seen=seen).status_code == 200, "its own message is no change"
    act(cast, "publication")
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

    act(cast, "rulings", **{**RULING, "text": "FUEL 7"})
    again(draft)
    before = [queries("gm/draft/"), queries("gm/draft/rulings/")]
    act(cast, "rulings", **{**RULING, "text": "FUEL 8\nFUEL 9\nSTRENGTH 12 SS 50"})
    again(draft)
    assert [queries("gm/draft/"), queries("gm/draft/rulings/")] == before
