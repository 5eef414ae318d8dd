"""What changed between two Views of the same phase, in words, and where."""

import pytest

from campaign.engine.display.views import Counter, Figure, LogLine, Marker, Panel, Sighting, View
from campaign.engine.values.ids import GM, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.maps.differences import Change, differences
from gm.demo import SCENARIO

BASE = load_scenario(find_scenario(SCENARIO)).base_map

GERMAN, ALLIED = map(SideId, ("german", "allied"))


def counter(at: str = "K16", strength: int = 100, *, states: tuple[str, ...] = ()) -> Counter:
    return Counter(
        unit=UnitId("2Pz"),
        at=PlaceId(at),
        side=GERMAN,
        label="2 Pz",
        name="2. Panzer",
        branch=BASE.signs.arms[0].key,
        echelon="",
        small=False,
        figures=(Figure("strength", strength),),
        states=states,
    )


def line(text: str, *reasons: str, at: tuple[str, ...] = ()) -> LogLine:
    return LogLine("German sheet", text, "R4", reasons, tuple(map(PlaceId, at)))


BEFORE = View(
    audience=GM,
    audience_title="GM",
    campaign="The Bulge",
    date="16 December 1944",
    stop="German sheet",
    next_stop="Battles",
    counters=(counter(),),
    markers=(),
    log=(line("2 Pz moves", at=("K16",)), line("FJ stays")),
    panels=(Panel("fuel", "Fuel", ("", "Germans"), (("Available", "12"), ("Used", "3"))),),
)


def test_a_view_does_not_differ_from_itself() -> None:
    same = differences(BASE, BEFORE, BEFORE)
    assert (same.count, same.at, same.groups) == (0, (), ())


def test_events_that_are_new_gone_or_have_other_reasons_are_named() -> None:
    after = replace(BEFORE, log=(line("2 Pz moves", "road", at=("K16",)), line("FJ goes", at=("L16",))))
    found = differences(BASE, BEFORE, after)
    assert found.events == (
        Change("German sheet: 2 Pz moves", "-", "road"),
        Change("German sheet", before="FJ stays"),
        Change("German sheet", after="FJ goes"),
    )
    assert [change.kind for change in found.events] == ["changed", "gone", "new"]
    assert found.at == ("K16", "L16")


def test_of_a_unit_only_what_changed_is_said() -> None:
    moved = replace(BEFORE, counters=(counter("L16", 80),))
    (change,) = differences(BASE, BEFORE, moved).units
    assert change.subject == "German 2 Pz"
    assert (change.before[:6], change.after[:6]) == ("at K16", "at L16")
    assert "100" in change.before
    assert "80" in change.after
    assert differences(BASE, BEFORE, moved).at == ("K16", "L16")
    weaker = differences(BASE, BEFORE, replace(BEFORE, counters=(counter(strength=80),))).units
    assert "K16" not in weaker[0].before + weaker[0].after


def test_units_that_are_gone_or_new_are_named_with_all_that_is_known() -> None:
    none = replace(BEFORE, counters=())
    (gone,) = differences(BASE, BEFORE, none).units
    assert (gone.kind, gone.before[:6], gone.after) == ("gone", "at K16", "")
    (new,) = differences(BASE, none, BEFORE).units
    assert (new.kind, new.before, new.after[:6]) == ("new", "", "at K16")


def test_sightings_and_holders_are_named_by_their_place() -> None:
    seen = Sighting(PlaceId("L16"), ALLIED, None)
    after = replace(BEFORE, sightings=(seen,), control=((PlaceId("M16"), GERMAN),))
    found = differences(BASE, BEFORE, after)
    assert [(change.subject[:3], change.kind) for change in found.places] == [("L16", "new"), ("M16", "new")]
    assert "unknown" in found.places[0].after
    assert found.at == ("L16", "M16")


def test_of_a_table_only_the_cells_that_changed_are_said() -> None:
    rows = (("Available", "7"), ("Used", "3"), ("Burnt", "5"))
    after = replace(BEFORE, panels=(replace(BEFORE.panels[0], rows=rows),), next_stop="")
    assert differences(BASE, BEFORE, after).tables == (
        Change("Opens next", "Battles", "nothing"),
        Change("Fuel: Available", "Germans: 12", "Germans: 7"),
        Change("Fuel: Burnt", "", "Germans: 5"),
    )
    assert [change.kind for change in differences(BASE, BEFORE, replace(BEFORE, panels=())).tables] == ["gone", "gone"]


def test_cells_that_are_empty_are_left_out() -> None:
    was, is_ = (Panel("units", "Units", ("Unit", "State"), (("2 Pz", state),)) for state in ("", "reduced"))
    found = differences(BASE, replace(BEFORE, panels=(was,)), replace(BEFORE, panels=(is_,)))
    assert found.tables == (Change("Units: 2 Pz", "-", "State: reduced"),)


@pytest.mark.parametrize("count", [1, 3])
def test_equal_rows_and_markers_are_counted(count: int) -> None:
    objective = next(sign.key for sign in BASE.signs.markers)
    marker = Marker(PlaceId("K16"), objective, GERMAN, 2)
    panel = Panel("lost", "Lost", ("Unit", "Where"), (("a tank", "K16"),) * count)
    many = replace(BEFORE, markers=(marker,), panels=(*BEFORE.panels, panel))
    found = differences(BASE, BEFORE, many)
    assert len([change for change in found.tables if change.subject == "Lost: a tank"]) == count
    assert len(found.places) == 1
