"""Tables of a sheet: all that is in them is printed, and none runs off the paper."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from campaign.engine.display.views import Panel, View
from campaign.engine.values.value import replace
from campaign.maps import draw
from campaign.maps.furniture import Table, arrange
from campaign.maps.insets import MOST, Inset
from campaign.maps.painter import sheet_of
from campaign.maps.scene import scene
from campaign.maps.stacks import SPREAD
from campaign.maps.style import theme
from tests.maps.examples import BASE, EMPTY, counter

WIDE = "The Third Parachute Engineer Regiment of Nowhere"


def furniture(view: View, width: int) -> list[tuple[Table | Inset, float, float]]:
    """All tables and insets of a sheet with their left and right edges."""
    layout = sheet_of(BASE, width).layout
    plan = arrange(view, scene(view, layout), layout.projection)
    placed = [*plan.above, *((table, left) for table, left, _ in plan.below)]
    return [(table, left, left + table.width) for table, left in placed]


def tables(view: View, width: int) -> list[tuple[Table, float, float]]:
    return [(table, left, right) for table, left, right in furniture(view, width) if isinstance(table, Table)]


def cells(view: View, width: int) -> set[str]:
    return {cell for table, _, _ in tables(view, width) for row in table.rows for cell in row}


@pytest.mark.parametrize("width", [1600, 2400])
@pytest.mark.parametrize("label", ["Unit", WIDE, "W" * 48])
def test_a_crowd_of_forty_is_named_whole_and_on_the_paper(label: str, width: int) -> None:
    labels = [f"{n} {label}"[: len(WIDE)] for n in range(40)]
    crowd = replace(EMPTY, counters=tuple(counter("B2", each) for each in labels))

    assert cells(crowd, width) == set(labels)
    assert all(theme.RIM <= left < right <= theme.WIDTH - theme.RIM for _, left, right in tables(crowd, width))


@pytest.mark.parametrize("width", [1600, 2400])
@pytest.mark.parametrize("count", range(SPREAD + 1, MOST + 1))
def test_a_stack_too_high_for_its_place_is_shown_next_to_the_map_with_whole_counters(count: int, width: int) -> None:
    units = tuple(counter("B2", f"Unit {n}", strength=90 - n) for n in range(count))
    shown = furniture(replace(EMPTY, counters=units), width)

    insets = [inset for inset, _, _ in shown if isinstance(inset, Inset)]
    counters = [style for inset in insets for style in inset.styles]
    assert [(style.label, style.left) for style in counters] == [(f"Unit {n}", str(90 - n)) for n in range(count)]
    assert all("In B2" in inset.title for inset in insets)
    assert len(insets) == len(shown)
    assert all(theme.RIM <= left < right <= theme.WIDTH - theme.RIM for _, left, right in shown)


def test_an_inset_is_painted_as_its_counters_are() -> None:
    """A counter's strength is in the picture above the map too."""
    strong, weak = (
        replace(EMPTY, counters=tuple(counter("B2", f"Unit {n}", strength=s if n else 100) for n in range(SPREAD + 1)))
        for s in (90, 20)
    )
    pictures = [Image.open(BytesIO(draw(BASE, view))).convert("RGB") for view in (strong, weak)]
    found = ImageChops.difference(*pictures).getbbox()
    assert found is not None
    assert found[3] < theme.TITLE_HEIGHT


@pytest.mark.parametrize("columns", [1, 2, 3, 7, 12])
def test_a_wide_panel_continues_in_further_tables(columns: int) -> None:
    head = tuple(f"Column {n} {WIDE}"[:48] for n in range(columns))
    rows = tuple(tuple(f"{row}.{n} {WIDE}"[:48] for n in range(columns)) for row in range(15))
    view = replace(EMPTY, panels=(Panel("wide", "Wide", head, rows, on_map=True),))

    assert cells(view, 1600) == {cell for row in rows for cell in row}
    placed = tables(view, 1600)
    assert all(right <= theme.WIDTH - theme.RIM for _, _, right in placed)
    assert all(table.head[0] == head[0] and table.rows[0][0] in {rows[0][0], rows[12][0]} for table, _, _ in placed)
