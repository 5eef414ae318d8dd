"""The GM views a past phase as a person could read it then."""

from html import unescape
from typing import Any

import pytest
from django.test import Client

from campaign.core import clock
from campaign.models import AuditEntry, Membership, Phase, Role
from campaign.people.memberships import change_role, remove
from campaign.record.persons import record_join
from campaign.viewers import viewer_of
from gm.acts import gm_acts
from gm.machine.sweeper import sweep
from tests.gm.campaigns import START, Clock, live, miss, send
from tests.web.conftest import OUTSIDER, PARTS, Cast, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(cast: Cast, time: Clock) -> Phase:
    """The first German sheet, published with orders."""
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "MOVE 12 SS S22\nREADY", ready=True)
    time.forward(hours=1)
    sweep(worker="one")
    phase.refresh_from_db()
    if phase.published_at is None:
        miss(phase)
    return phase


def seen(cast: Cast, who: str, no: int, *, by: str = "gm") -> Any:
    return _asked(cast.browser(by), cast, who, no)


def _asked(browser: Client, cast: Cast, who: str, no: int) -> Any:
    return browser.get(cast.address("desk/person/"), {"who": who, "phase": str(no)})


def _report(page: str) -> str:
    """The beginning of a report."""
    return page.partition('<div class="report">')[2].strip()[:500]


def text(cast: Cast, who: str, no: int) -> str:
    answer = seen(cast, who, no)
    assert answer.status_code == 200
    return unescape(answer.content.decode().partition("<main")[2])


def views_as() -> list[dict[str, Any]]:
    return list(AuditEntry.objects.filter(act="view as").order_by("no").values_list("subject", flat=True))


def test_it_shows_the_report_the_map_and_the_sheets_that_they_could_read(cast: Cast, played: Phase) -> None:
    page = text(cast, "german staff", played.no)
    assert "Only you can see this page." in page
    assert "View as german staff" in page
    assert "German staff" in page
    assert "MOVE 12 SS S22" in page
    assert f'src="{cast.address(f"desk/stops/{played.no}/german/map.png")}"' in page
    as_side = cast.browser("gm").get(cast.address(f"desk/stops/{played.no}/german/")).content.decode()
    assert _report(as_side)
    assert _report(as_side) == _report(seen(cast, "german staff", played.no).content.decode())


@pytest.mark.parametrize("who", ["allied commander", "german tactical", "spectator"])
def test_nobody_is_shown_sheets_that_they_could_not_read(cast: Cast, played: Phase, who: str) -> None:
    page = text(cast, who, played.no)
    assert "MOVE 12 SS S22" not in page
    assert "german/map.png" not in page or who == "german tactical"


def test_a_person_is_what_they_were_then(cast: Cast, played: Phase, time: Clock) -> None:
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    member = cast.member("german tactical")
    _on_record(member, at=START)
    time.forward(hours=1)
    change_role(gm, member, role=Role.STAFF, side="german", now=clock.now())
    page = text(cast, "german tactical", played.no)
    assert "German tactical player" in page
    assert "They could read no sheets." in page
    time.forward(hours=1)
    miss(live(cast.campaign))
    assert "German staff" in text(cast, "german tactical", played.no + 1)


def test_those_who_came_later_or_had_left_took_no_part(cast: Cast, played: Phase, time: Clock) -> None:
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    time.forward(hours=1)
    remove(gm, cast.member("german staff"), now=clock.now())
    time.forward(hours=1)
    Membership.objects.create(
        campaign=cast.campaign, user=cast.user(OUTSIDER), role=Role.SPECTATOR, joined_at=clock.now()
    )
    assert "outsider took no part in the campaign then." in text(cast, OUTSIDER, played.no)
    assert "took no part" not in text(cast, "german staff", played.no)
    miss(live(cast.campaign))
    assert "german staff took no part in the campaign then." in text(cast, "german staff", played.no + 1)


def test_each_use_is_on_record_once_and_in_the_gms_log(cast: Cast, played: Phase) -> None:
    for _ in range(2):
        seen(cast, "german staff", played.no)
    seen(cast, "german staff", played.no, by="co-gm")
    persons = {cast.user(name).pk for name in ("gm", "co-gm")}
    assert [entry["person"] for entry in views_as()] == [cast.user("german staff").pk] * 2
    assert {entry["by"] for entry in views_as()} == persons
    acts = gm_acts(viewer_of(cast.user("gm"), cast.campaign.slug))
    assert acts[0].what.endswith("was viewed as german staff.")
    assert gm_acts(viewer_of(cast.user("german staff"), cast.campaign.slug)) == []


def test_only_members_and_published_phases_can_be_chosen(cast: Cast, played: Phase) -> None:
    browsers = {name: cast.browser(name) for name in PARTS if name != "co-gm"}
    before = rows()
    for who, no in (("nobody", played.no), ("gm", played.no), (OUTSIDER, played.no), ("german staff", played.no + 1)):
        assert _asked(browsers["gm"], cast, who, no).status_code == 404, (who, no)
    for name in browsers.keys() - {"gm"}:
        assert _asked(browsers[name], cast, "german staff", played.no).status_code == 404, name
    assert rows() == before


def _on_record(member: Membership, *, at: Any) -> None:
    """As somebody who joined by an invitation."""
    record_join(member, at=at)
