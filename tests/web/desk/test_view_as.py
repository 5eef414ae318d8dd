"""The GM looks through a side's eyes, and the audit says so."""

import pytest

from campaign.models import AuditEntry, PhaseState
from gm.machine.sweeper import sweep
from tests.gm.campaigns import live, review_drafts, send
from tests.web.conftest import OUTSIDER, Cast

pytestmark = pytest.mark.django_db


def looks() -> list[tuple[object, object, object]]:
    found = AuditEntry.objects.filter(act="view as").order_by("no")
    return [(each.subject["phase"], each.subject["audience"], each.subject["by"]) for each in found]


def test_the_audit_says_who_looked_through_whose_eyes(cast: Cast) -> None:
    for who, path in (
        ("gm", "desk/stops/0/german/"),
        ("gm", "desk/stops/0/german/"),
        ("gm", "desk/stops/0/german/map.png"),
        ("co-gm", "desk/stops/0/german/report.txt"),
        ("gm", "desk/stops/0/allied/"),
    ):
        assert cast.browser(who).get(cast.address(path)).status_code == 200
    gm, other = cast.user("gm").pk, cast.user("co-gm").pk
    assert looks() == [(0, "german", gm), (0, "german", other), (0, "allied", gm)]


@pytest.mark.parametrize("who", ["german commander", "allied commander", "spectator", OUTSIDER])
def test_nobody_else_looks_and_nothing_is_noted(cast: Cast, who: str) -> None:
    for path in ("desk/stops/0/german/", "desk/stops/0/german/map.png", "desk/stops/99/german/"):
        assert cast.browser(who).get(cast.address(path)).status_code == 404
    assert looks() == []


def test_what_is_not_there_is_not_noted(cast: Cast) -> None:
    for path in ("desk/stops/99/german/", "desk/stops/0/nobody/", "desk/stops/0/german/other.png"):
        assert cast.browser("gm").get(cast.address(path)).status_code == 404
    assert looks() == []


def test_the_review_of_a_draft_is_no_look(cast: Cast) -> None:
    """The draft's page shows the GM all its maps at once."""
    review_drafts()
    draft = live(cast.campaign)
    send(draft, cast.user("german commander"), "READY", ready=True)
    sweep(worker="one")
    draft.refresh_from_db()
    assert draft.state == PhaseState.REVIEW
    assert cast.browser("gm").get(cast.address(f"desk/stops/{draft.no}/german/map.png")).status_code == 200
    assert looks() == []


def test_the_gm_sees_the_unchanged_tables_as_the_side_does(cast: Cast) -> None:
    send(live(cast.campaign), cast.user("german commander"), "READY", ready=True)
    sweep(worker="one")
    no = live(cast.campaign).no - 1
    seen, own = (
        cast.browser(who).get(cast.address(path)).content.decode().partition("Unchanged tables</summary>")[2]
        for who, path in (("gm", f"desk/stops/{no}/german/"), ("german commander", f"stops/{no}/"))
    )
    assert "German reinforcements</summary>" in seen
    assert seen.count("<table>") == own.count("<table>")
