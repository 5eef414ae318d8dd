"""What became of each line: on a version's page, with the sheets that counted, and in the GM's draft."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.engine.display.outcomes import OUTCOMES_VERSION, Effect, Outcomes
from campaign.engine.values.ids import Audience, PlaceId, UnitId
from campaign.game.artefacts import OUTCOMES
from campaign.game.store import decode_outcomes
from campaign.models import Artefact, Desk, Phase, PhaseState
from campaign.rulesets.forum_campaign.model.facts.movement import UnitPlaced
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.viewers import viewer_of
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases import lifecycle
from gm.verification import faults
from tests.gm.campaigns import live, review_drafts, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

SHEET = "# the first morning\nMOVE 12 SS S22\nMOVE 12 SS S21\nATTACK 12 VG Q19\nHOLD 2 Pz\nREADY"
COUNTED, LOCKED = "orders/HQ/2.0/2/", "locked/2.0/"


def sent(cast: Cast, text: str = SHEET) -> Phase:
    """A first version that is replaced by a second; then the phase is resolved."""
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "HOLD 12 SS")
    send(phase, cast.user("german commander"), text, expected_version=1, ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    return phase


def page(cast: Cast, who: str, rest: str) -> str:
    response = cast.browser(who).get(cast.address(rest))
    assert response.status_code == 200
    return response.content.decode()


def stored(phase: Phase, audience: str) -> Outcomes:
    return decode_outcomes(bytes(phase.all_artefacts.get(audience=audience, kind=OUTCOMES).content))


def test_a_version_that_counted_says_line_by_line_what_became_of_it(cast: Cast) -> None:
    sent(cast)
    text = page(cast, "german commander", COUNTED)
    assert "What became of each line" in text
    assert "12 SS moves T22-S22" in text
    assert "a line above already moves 12 SS" in text.replace("A line", "a line")
    for effect in ("done", "ignored", "accepted"):
        assert f'<li class="{effect}">' in text
    assert '#R4">R4</a>' in text
    assert text.count("Line 1</span>") == 1, "a comment has its line and no outcome"


def test_a_version_that_did_not_count_has_no_outcomes(cast: Cast) -> None:
    sent(cast)
    text = page(cast, "german commander", "orders/HQ/2.0/1/")
    assert "Another version counted" in text
    assert "What became of each line" not in text


def test_the_sheets_that_counted_are_shown_line_by_line_for_every_desk(cast: Cast) -> None:
    holder = cast.member("german staff")
    Desk.objects.create(
        campaign=cast.campaign, side="german", name="Sixth", holder=holder, formations=["6th Panzer Army"]
    )
    send(
        live(cast.campaign),
        cast.user("german staff"),
        "MOVE 12 SS S21\nHOLD 1 SS",
        desk="Sixth",
        idem_key="sixth",
        ready=True,
    )
    sent(cast)
    text = page(cast, "german commander", LOCKED)
    assert "HQ: what became of each line" in text
    assert "Sixth: what became of each line" in text
    assert "replaced by HQ" in text
    assert "replaced by HQ" in page(cast, "german staff", "orders/Sixth/2.0/1/")


def test_a_draft_that_is_not_published_shows_players_nothing(cast: Cast) -> None:
    review_drafts()
    phase = sent(cast)
    assert phase.state == PhaseState.REVIEW
    assert stored(phase, "german").lines
    for rest in (COUNTED, LOCKED):
        assert "What became of each line" not in page(cast, "german commander", rest)
        assert "moves T22-S22" not in page(cast, "german commander", rest)


def test_the_gm_reads_them_in_the_draft(cast: Cast) -> None:
    review_drafts()
    sent(cast)
    text = page(cast, "gm", "desk/draft/")
    assert "12 SS moves T22-S22" in text.partition('id="sheets"')[2]
    assert "1 line not as written" in text


@pytest.mark.parametrize("who", ["allied commander", "spectator", OUTSIDER])
def test_everybody_else_gets_the_same_answer_as_for_a_version_that_never_was(cast: Cast, who: str) -> None:
    sent(cast)
    browser = cast.browser(who)
    foreign, absent = (browser.get(cast.address(rest)) for rest in (COUNTED, "orders/HQ/2.0/9/"))
    assert (foreign.status_code, foreign.content) == (404, absent.content)


def test_nobody_reads_them_without_signing_in(cast: Cast) -> None:
    sent(cast)
    assert cast.browser(ANONYMOUS).get(cast.address(COUNTED)).status_code == 302


def test_no_other_audience_receives_any_line(cast: Cast) -> None:
    phase = sent(cast)
    assert stored(phase, "german").lines
    assert {who: stored(phase, who) for who in ("allied", "gm", "public")} == dict.fromkeys(
        ("allied", "gm", "public"), Outcomes()
    )


def test_a_ruling_has_them_worked_out_again_and_undoing_it_brings_the_old_ones_back(cast: Cast) -> None:
    review_drafts()
    phase, gm = sent(cast), cast.user("gm")
    before = stored(phase, "german")
    fact = UnitPlaced(GERMAN, UnitId("G-12SS"), PlaceId("U22"))
    facts = [("PLACE 12 SS at U22", fact)]
    assert lifecycle.rule(phase.pk, fence=phase.fence, at=phase.key, facts=facts, reason="late", author=gm)
    sweep(worker="one")
    phase.refresh_from_db()
    ruled = stored(phase, "german")
    assert ruled != before
    assert "T22-S22" not in str(ruled)
    assert lifecycle.undo(phase.pk, fence=phase.fence, seq=1)
    sweep(worker="one")
    assert stored(phase, "german") == before


def test_what_was_published_is_on_record(cast: Cast) -> None:
    phase = sent(cast)
    before = set(map(str, faults(cast.campaign)))
    Artefact.objects.filter(phase=phase, audience="german", kind=OUTCOMES).update(content=b'{"version":1}')
    (fault,) = set(map(str, faults(cast.campaign))) - before
    assert "its content does not match its digest" in fault
    assert "outcomes for german" in fault


def test_the_outcomes_of_a_phase_that_was_undone_are_not_those_of_the_new_one(cast: Cast) -> None:
    sent(cast)
    reopen(viewer_of(cast.user("gm"), cast.campaign.slug), reason="a mistake")
    assert "What became of each line" not in page(cast, "german commander", COUNTED)
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "MOVE 12 SS S21\nREADY", ready=True)
    sweep(worker="one")
    assert "What became of each line" not in page(cast, "german commander", COUNTED)
    assert "What became of each line" in page(cast, "german commander", "orders/HQ/2.1/1/")


def test_a_phase_that_an_older_release_published_says_nothing(cast: Cast) -> None:
    review_drafts()
    phase = sent(cast)
    Artefact.objects.filter(kind=OUTCOMES).delete()
    text = page(cast, "gm", "desk/draft/").partition('id="sheets"')[2]
    assert "MOVE 12 SS S22" in text
    assert "12 SS moves" not in text
    assert lifecycle.approve(phase.pk, fence=phase.fence)
    for rest in (COUNTED, LOCKED):
        assert "What became of each line" not in page(cast, "german commander", rest)
    assert "MOVE 12 SS S22" in page(cast, "german commander", COUNTED)


def test_a_longer_sheet_takes_no_more_queries(cast: Cast) -> None:
    sent(cast)

    def queries(rest: str) -> int:
        browser = cast.browser("german commander")
        browser.get(cast.address(rest))
        with CaptureQueriesContext(connection) as asked:
            browser.get(cast.address(rest))
        return len(asked)

    short = {rest: queries(rest) for rest in (COUNTED, LOCKED)}
    reopen(viewer_of(cast.user("gm"), cast.campaign.slug), reason="a mistake")
    phase = live(cast.campaign)
    for version, text in enumerate(("HOLD 2 Pz", "MOVE 12 SS S22\n" * 40 + "READY")):
        send(phase, cast.user("german commander"), text, expected_version=version, ready="READY" in text)
    sweep(worker="one")
    assert {rest: queries(rest.replace("2.0", "2.1")) for rest in short} == short


def test_every_effect_has_words_of_its_own(cast: Cast) -> None:
    """In the page of a sheet to which each of them is put by hand."""
    phase = sent(cast, "\n".join(["HOLD 2 Pz"] * len(Effect)))
    lines: list[dict[str, Any]] = [
        {"desk": "HQ", "line": number, "effect": each.value, "because": []} for number, each in enumerate(Effect, 1)
    ]
    content = str({"lines": lines, "version": OUTCOMES_VERSION}).replace("'", '"').encode()
    phase.all_artefacts.filter(audience=Audience("german"), kind=OUTCOMES).update(content=content)
    text = page(cast, "german commander", COUNTED)
    known = ("carried out", "not as written", "nothing reported", "accepted", "ignored", "replaced by HQ")
    assert [word for word in (*known, "condition not met") if f">{word}</span>" not in text] == []
