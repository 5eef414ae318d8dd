"""Base maps are rendered in advance, one at a time, and no phase waits for them."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from campaign.engine.display.views import BaseMap
from campaign.engine.values.value import replace
from campaign.forms.maps import DrawingForm
from campaign.game.loading import find_scenario
from campaign.maps import painter, vector
from campaign.maps.drawing.disk_cache import DISK_CACHE, DiskCache
from campaign.maps.drawing.sizes import BOARD, REPLAY, WIDTHS
from campaign.maps.painter import SHEETS, draw
from campaign.maps.style.schemes import DARK, DEFAULT, SCHEMES, Scheme
from campaign.models import Campaign, Phase, PhaseState
from campaign.services import base_map_of, create_campaign
from gm.demo import SCENARIO
from gm.machine import rendered_bases
from gm.machine.health_alerts import LATE_LOCK
from gm.machine.rendered_bases import AT_HAND, LOOK_AGAIN, wanted
from gm.machine.sweeper import sweep
from tests.gm.campaigns import Clock, live, new_campaign
from tests.maps.examples import BASE, EMPTY

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]

SMALL = ((300, DEFAULT), (300, DARK))


@pytest.fixture
def disk_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for sheets; two small ones are wanted."""
    monkeypatch.setattr(DISK_CACHE, "folder", tmp_path / "sheets")
    monkeypatch.setattr(rendered_bases, "wanted", lambda _: iter(SMALL))
    _forgotten()
    yield tmp_path / "sheets"
    _forgotten()


@pytest.fixture(autouse=True)
def bases_are_drawn_when_a_map_needs_them() -> None:
    """Not here: these sweeps draw ahead, as those of a site do."""


def _forgotten() -> None:
    """As in a process that has just begun."""
    rendered_bases._LOOKED.clear()
    rendered_bases._FAILED.clear()
    SHEETS.clear()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sheets that are drawn ahead, which takes no time here."""
    names: list[str] = []

    def draw_ahead(_: BaseMap, width: int, colours: Scheme) -> bool:
        name = f"{width} {colours.name}"
        there = name in names
        names.extend([] if there else [name])
        return not there

    monkeypatch.setattr(rendered_bases, "draw_ahead", draw_ahead)
    return names


def sweeps(times: int = 1) -> None:
    for _ in range(times):
        sweep(worker="one")


def far_away(phase: Phase) -> None:
    """Nothing of it is near."""
    Phase.objects.filter(pk=phase.pk).update(deadline_at=phase.deadline_at + timedelta(days=9))


def test_sheets_are_drawn_one_in_each_sweep_in_which_nothing_was_due(
    disk_cache: Path, drawn: list[str], campaign: Campaign
) -> None:
    sweeps()
    assert (drawn, live(campaign).no) == ([], 1), "the campaign began in this one"
    for expected in (["300 default"], ["300 default", "300 dark"], ["300 default", "300 dark"]):
        sweeps()
        assert drawn == expected
    assert (disk_cache / "drawing").is_file()


@pytest.mark.usefixtures("disk_cache")
@pytest.mark.parametrize("state", [PhaseState.LOCKED, PhaseState.RUNNING])
def test_nothing_is_drawn_ahead_while_a_phase_is_being_resolved(
    drawn: list[str], phase: Phase, time: Clock, state: PhaseState
) -> None:
    Phase.objects.filter(pk=phase.pk).update(state=state, lease_until=time.now + timedelta(hours=1))
    assert rendered_bases.draw_one(time.now) == 0
    assert drawn == []


@pytest.mark.usefixtures("disk_cache")
def test_nothing_is_drawn_ahead_just_before_a_deadline(drawn: list[str], phase: Phase, time: Clock) -> None:
    Phase.objects.filter(pk=phase.pk).update(deadline_at=time.now + AT_HAND)
    assert rendered_bases.draw_one(time.now) == 0
    assert drawn == []
    Phase.objects.filter(pk=phase.pk).update(deadline_at=time.now + AT_HAND + timedelta(seconds=1))
    assert rendered_bases.draw_one(time.now) == 1


@pytest.mark.usefixtures("phase")
def test_two_workers_do_not_draw_at_once(disk_cache: Path, drawn: list[str], time: Clock) -> None:
    with DiskCache(disk_cache).alone():
        assert rendered_bases.draw_one(time.now) == 0
    assert drawn == []
    assert rendered_bases.draw_one(time.now) == 1


@pytest.mark.usefixtures("disk_cache")
def test_campaigns_of_one_scenario_share_their_sheets(drawn: list[str], phase: Phase, time: Clock) -> None:
    other = new_campaign("another")
    Phase.objects.filter(campaign=other).update(held=True)
    assert other.scenario_digest == phase.campaign.scenario_digest
    assert [rendered_bases.draw_one(time.now) for _ in range(4)] == [1, 1, 0, 0]
    assert len(drawn) == 2


@pytest.mark.usefixtures("disk_cache")
def test_campaigns_with_and_without_an_entered_position_share_their_sheets(
    drawn: list[str], phase: Phase, time: Clock
) -> None:
    scenario = find_scenario(SCENARIO)
    position = "day,1944-12-18\nunit,hex,strength\n12 VG,Q20,85\n"
    other = create_campaign(slug="another", title="Another", scenario=scenario, position=position)
    Phase.objects.filter(campaign=other).update(held=True)
    assert other.scenario_digest != phase.campaign.scenario_digest
    assert [rendered_bases.draw_one(time.now) for _ in range(4)] == [1, 1, 0, 0]
    assert len(drawn) == 2


@pytest.mark.usefixtures("disk_cache")
def test_for_campaigns_that_are_over_nothing_is_drawn_ahead(drawn: list[str], phase: Phase, time: Clock) -> None:
    Phase.objects.filter(pk=phase.pk).update(state=PhaseState.WITHDRAWN)
    assert rendered_bases.draw_one(time.now) == 0
    assert drawn == []


@pytest.mark.usefixtures("disk_cache", "phase")
def test_what_cannot_be_drawn_is_tried_and_reported_one_at_a_time_and_once_a_day(
    time: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rendered_bases, "draw_ahead", lambda *_: 1 / 0)
    for day in (1, 2):
        for sweep_, tried in enumerate((1, 1, 0, 0), 1):
            assert rendered_bases.draw_one(time.now) == tried
            reported = min(sweep_, len(SMALL)) + (day - 1) * len(SMALL)
            assert caplog.text.count("cannot be drawn ahead") == reported
        time.forward(seconds=LOOK_AGAIN.total_seconds())


@pytest.mark.usefixtures("disk_cache", "phase")
def test_a_sheet_that_cannot_be_drawn_is_in_no_other_s_way_and_hurries_none(
    time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    drawn: list[str] = []

    def some(_: BaseMap, __: int, colours: Scheme) -> bool:
        tried.append(colours.name)
        if colours is DEFAULT:
            raise ValueError("too large")
        there = colours.name in drawn
        drawn.extend([] if there else [colours.name])
        return not there

    monkeypatch.setattr(rendered_bases, "draw_ahead", some)
    assert (rendered_bases.draw_one(time.now), tried, drawn) == (1, ["default"], [])
    assert (rendered_bases.draw_one(time.now), drawn) == (1, ["dark"])
    assert [rendered_bases.draw_one(time.now) for _ in range(3)] == [0, 0, 0]
    assert tried.count("default") == 1


@pytest.mark.usefixtures("disk_cache", "drawn", "phase")
def test_what_cannot_be_drawn_is_not_remembered_for_ever(time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendered_bases, "draw_ahead", lambda *_: 1 / 0)
    while rendered_bases.draw_one(time.now):
        pass
    assert (len(rendered_bases._FAILED), len(rendered_bases._LOOKED)) == (len(SMALL), 1)
    Phase.objects.update(state=PhaseState.WITHDRAWN)
    rendered_bases.draw_one(time.now + LOOK_AGAIN)
    assert (rendered_bases._FAILED, rendered_bases._LOOKED) == ({}, {})


@pytest.mark.usefixtures("disk_cache", "phase")
def test_a_campaign_without_a_map_is_reported_once_a_day(
    time: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rendered_bases, "base_map_of", lambda _: 1 / 0)
    assert [rendered_bases.draw_one(time.now) for _ in range(3)] == [0, 0, 0]
    assert caplog.text.count("has no map") == 1


@pytest.mark.usefixtures("phase")
def test_a_folder_that_cannot_be_written_is_reported_once(
    disk_cache: Path, drawn: list[str], time: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    disk_cache.write_text("somebody's file")
    assert [rendered_bases.draw_one(time.now) for _ in range(3)] == [0, 0, 0]
    assert (drawn, caplog.text.count("nothing is drawn ahead")) == ([], 1)


@pytest.mark.usefixtures("disk_cache")
def test_nothing_is_drawn_ahead_while_an_overdue_phase_is_open_unless_it_never_closes(
    drawn: list[str], phase: Phase, time: Clock
) -> None:
    Phase.objects.filter(pk=phase.pk).update(deadline_at=time.now - LATE_LOCK)
    assert rendered_bases.draw_one(time.now) == 0
    assert drawn == []
    Phase.objects.filter(pk=phase.pk).update(deadline_at=time.now - LATE_LOCK - timedelta(seconds=1))
    assert rendered_bases.draw_one(time.now) == 1


@pytest.mark.usefixtures("disk_cache")
def test_trouble_with_sheets_keeps_no_campaign_waiting(
    campaign: Campaign, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendered_bases, "draw_ahead", lambda *_: 1 / 0)
    sweeps(2)
    first = live(campaign)
    time.forward(seconds=(first.deadline_at - time.now).total_seconds())
    sweeps(2)
    assert live(campaign).no == first.no + 1


@pytest.mark.usefixtures("disk_cache", "phase")
def test_sheets_that_were_deleted_are_drawn_again_the_next_day(drawn: list[str], time: Clock) -> None:
    assert [rendered_bases.draw_one(time.now) for _ in range(3)] == [1, 1, 0]
    drawn.clear()
    assert rendered_bases.draw_one(time.now) == 0, "it does not look again the same day"
    time.forward(seconds=LOOK_AGAIN.total_seconds())
    assert [rendered_bases.draw_one(time.now) for _ in range(3)] == [1, 1, 0]
    assert drawn == ["300 default", "300 dark"]


def test_no_reader_waits_for_a_sheet_that_was_drawn_ahead(
    disk_cache: Path, phase: Phase, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_away(phase)
    while rendered_bases.draw_one(time.now):
        pass
    assert len(list(disk_cache.glob("*/*-300-*"))) == len(SMALL)
    monkeypatch.setattr(painter, "render_base", lambda _: 1 / 0)
    for width, colours in SMALL:
        assert draw(base_map_of(phase.campaign), EMPTY, width=width, colours=colours)


def test_every_sheet_that_a_page_can_ask_for_is_drawn_ahead() -> None:
    asked = {int(value) for value, _ in DrawingForm().fields["width"].choices} | {BOARD, REPLAY}  # type: ignore[attr-defined]
    assert set(wanted(BASE)) == {(width, colours) for width in asked for colours in SCHEMES.values()}
    assert asked == set(WIDTHS)


def test_where_there_is_no_board_its_sheets_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "MOST_PLACES", len(BASE.grounds) - 1)
    assert {width for width, _ in wanted(BASE)} == set(WIDTHS) - {BOARD}
    assert BOARD in {width for width, _ in wanted(replace(BASE, grounds=BASE.grounds[1:]))}


def test_sheets_that_nobody_uses_are_swept_away(
    disk_cache: Path, drawn: list[str], campaign: Campaign, time: Clock
) -> None:
    path = disk_cache / "an older edition" / "sheet"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    for days, there in ((30, True), (31, False)):
        used = time.now - timedelta(days=days) + timedelta(hours=days - 30)
        os.utime(path, (used.timestamp(), used.timestamp()))
        sweeps()
        assert path.exists() is there
        time.forward(hours=2)
    assert (drawn, live(campaign).no) == (["300 default"], 1)
