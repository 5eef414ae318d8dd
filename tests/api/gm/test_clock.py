"""The clock through the API: what waits, who is READY, deadlines, pauses, with the services of the GM desk."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.core import clock
from campaign.models import Desk, OutboxMessage, Phase, PhaseState
from campaign.people.throttles import MAILINGS, Limit
from gm.machine.sweeper import sweep
from tests.api.asking import ask_with, read, token_of, where, write
from tests.gm.campaigns import Clock, live, review_drafts, send
from tests.web.conftest import Cast
from tests.web.desk.test_desk import clock_mark

pytestmark = pytest.mark.django_db

GERMAN = "german commander"


def change(cast: Cast, what: str, *, who: str = "gm", **body: Any) -> Any:
    return write(cast, who, f"gm/{what}/", {"phase": clock_mark(cast), **body})


def refusal(answer: Any) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["error"], answer.json()["message"]


def test_a_gm_reads_who_is_ready_and_no_text_of_a_sheet(cast: Cast) -> None:
    send(live(cast.campaign), cast.user(GERMAN), "NOTE a secret plan\nREADY", ready=True)
    answer = cast.browser("gm").get(where(cast, "gm/phase/"))
    now = answer.json()["now"]
    assert (now["state"], now["phase"]["open"]) == ("open", True)
    (german,) = now["desks"]
    assert german == {
        "side": "german",
        "desk": "HQ",
        "holder": "german commander, german deputy",
        "version": 1,
        "ready": True,
        "waited_for": True,
    }
    assert "secret plan" not in answer.content.decode()


def test_what_waits_is_what_the_inbox_lists(cast: Cast, draft: Phase) -> None:
    (item,) = read(cast, "gm", "gm/waiting/")
    assert item["button"] in cast.browser("gm").get("/").content.decode()
    assert item["address"] == cast.address("desk/draft/")
    assert read(cast, "gm", "gm/phase/")["now"]["state"] == "draft"
    assert draft.state == PhaseState.REVIEW


def test_a_deadline_moves_once_everybody_is_told(cast: Cast) -> None:
    until = clock.now() + timedelta(days=9)
    answer = change(cast, "deadline", until=until.isoformat(), reason="holidays")
    assert answer.status_code == 200, answer.content
    assert live(cast.campaign).deadline_at == until
    assert answer.json()["now"]["phase"]["deadline"] == until.isoformat().replace("+00:00", "Z")
    assert OutboxMessage.objects.filter(kind="extend").exists()


def test_an_impossible_deadline_is_refused_in_the_words_of_the_page(cast: Cast) -> None:
    before = live(cast.campaign).deadline_at
    past = change(cast, "deadline", until=(clock.now() - timedelta(days=1)).isoformat())
    assert refusal(past)[:2] == (409, "not-possible")
    assert "is in the past. Choose a later time." in past.json()["message"]
    assert change(cast, "deadline", until="2026-01-01T10:00:00").status_code == 400, "without a zone"
    never = change(cast, "deadline", until="9999-12-31T23:59:59-12:00")
    assert refusal(never)[:2] == (422, "unusable")
    long = change(cast, "closing", reason="x" * 201)
    assert refusal(long)[:2] == (422, "unusable")
    assert long.json()["message"].startswith("Reason: ")
    assert refusal(change(cast, "closing", reason=" "))[:2] == (422, "unusable")
    assert live(cast.campaign).deadline_at == before


def test_a_campaign_is_paused_and_resumed(cast: Cast) -> None:
    assert change(cast, "pause", reason="a storm").json()["now"]["phase"]["paused"] is True
    assert refusal(change(cast, "pause", reason="again"))[2] == "The campaign is already paused."
    assert change(cast, "resumption").json()["now"]["phase"]["paused"] is False
    until = clock.now() + timedelta(days=2)
    assert change(cast, "pause", reason="a storm", until=until.isoformat()).status_code == 200
    assert live(cast.campaign).held_until == until


def test_a_phase_closes_now_and_the_log_has_the_reason(cast: Cast) -> None:
    assert change(cast, "closing", reason="all agree").status_code == 200
    newest = read(cast, GERMAN, "log/")[0]
    assert newest["reason"] == "all agree"
    sweep(worker="one")
    sweep(worker="one")
    assert Phase.objects.get(campaign=cast.campaign, no=2).state == PhaseState.PUBLISHED
    assert change(cast, "reopening", reason="a slip").status_code == 200
    assert live(cast.campaign).rev == 1


def test_an_act_on_another_phase_changes_nothing(cast: Cast) -> None:
    before = live(cast.campaign)
    for what, body in (("pause", {"reason": "x"}), ("closing", {"reason": "x"}), ("resumption", {})):
        answer = write(cast, "gm", f"gm/{what}/", {"phase": "1.0", **body})
        assert refusal(answer)[:2] == (409, "closed")
    assert live(cast.campaign).deadline_rev == before.deadline_rev


def test_a_failed_phase_is_tried_again(cast: Cast, draft: Phase) -> None:
    nothing = write(cast, "gm", "gm/retry/", {})
    assert refusal(nothing) == (409, "not-possible", "No phase has failed, so there is nothing to try again.")
    Phase.objects.filter(pk=draft.pk).update(state=PhaseState.FAILED)
    assert read(cast, "gm", "gm/phase/")["now"]["state"] == "failed"
    assert write(cast, "gm", "gm/retry/", {}).json()["now"]["state"] == "resolving"


def test_mails_to_all_are_limited_as_on_the_page(cast: Cast) -> None:
    token, about = token_of(cast, "gm"), where(cast, "gm/resumption/")
    body = {"phase": clock_mark(cast)}
    answers = [ask_with(token, about, body) for _ in range(MAILINGS.number + 1)]
    assert {each.status_code for each in answers[:-1]} == {409}
    assert refusal(answers[-1]) == (429, "too-many-requests", "Too many requests within an hour. Wait up to an hour.")
    assert answers[-1].headers["Retry-After"] == "3600"


def test_only_what_passes_the_checks_of_the_page_counts_as_a_mailing(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.views.gm.clock.MAILINGS", Limit("mailings", MAILINGS.window, 2))
    token, mark = token_of(cast, "gm"), clock_mark(cast)
    for _ in range(3):
        assert ask_with(token, where(cast, "gm/pause/"), {"phase": "1.0", "reason": "x"}).status_code == 409
        assert ask_with(token, where(cast, "gm/pause/"), {"phase": mark, "reason": " "}).status_code == 422
    assert ask_with(token, where(cast, "gm/pause/"), {"phase": mark, "reason": "x"}).status_code == 200
    assert ask_with(token, where(cast, "gm/resumption/"), {"phase": mark}).status_code == 200
    full = ask_with(token, where(cast, "gm/pause/"), {"phase": mark, "reason": "x"})
    assert refusal(full)[:2] == (429, "too-many-requests")


def test_each_member_reads_the_log_as_on_its_page(cast: Cast, time: Clock) -> None:
    review_drafts()
    assert change(cast, "pause", reason="a storm").status_code == 200
    time.now += timedelta(hours=1)
    for who in ("gm", GERMAN, "spectator"):
        page = cast.browser(who).get(cast.address("log/")).content.decode()
        acts = read(cast, who, "log/")
        assert acts
        assert all(act["what"] in page for act in acts)


def test_more_desks_need_no_more_queries(cast: Cast) -> None:
    browser = cast.browser("gm")

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert browser.get(where(cast, "gm/phase/")).status_code == 200
        return len(found)

    holder = cast.member("german staff")
    counts = []
    for number in range(5):
        Desk.objects.create(campaign=cast.campaign, side="german", name=f"Desk {number}", holder=holder, formations=[])
        queries()  # what a side's desks have to decide is remembered
        counts.append(queries())
    assert len(set(counts)) == 1
