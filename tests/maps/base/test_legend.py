"""What the legend explains: the signs as maps show them, of all sides."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from campaign.engine.display.views import BaseMap
from campaign.engine.values.ids import SideId
from campaign.engine.values.value import replace
from campaign.maps import draw
from campaign.maps.base import legend
from campaign.maps.drawing.geometry import Box
from campaign.maps.signs.markers import Badge
from campaign.maps.style import theme
from campaign.maps.style.schemes import DEFAULT
from campaign.maps.style.terms import letter_of
from campaign.rulesets.forum_campaign.model import signs
from tests.maps.examples import BASE, EMPTY

SIDES = tuple(map(SideId, ("red", "blue", "gold", "violet", "black")))


@pytest.fixture
def badges(monkeypatch: pytest.MonkeyPatch) -> dict[str, Badge]:
    """The markers that the legend of twenty hexes shows, by what it calls them."""
    shown: list[Badge] = []
    monkeypatch.setattr(legend, "_badge", shown.append)
    (places,) = (group for group in legend._groups(BASE, DEFAULT) if group.title == "Places")
    return {entry.text: badge for entry, badge in zip(places.entries, shown, strict=False)}


def texts(base: BaseMap) -> list[str]:
    return [entry.text for group in legend._groups(base, DEFAULT) for entry in group.entries]


def test_signs_that_have_no_side_on_maps_have_none_in_the_legend(badges: dict[str, Badge]) -> None:
    neutral = DEFAULT.neutral
    assert badges["Fuel depot"] == Badge(signs.DEPOT.symbol, neutral, "3")
    assert badges["Captured depot"] == Badge(signs.CAPTURED_DEPOT.symbol, neutral)
    assert badges["Dug-in, sighted"].side_colours == badges["Entrenched, sighted"].side_colours == neutral


def test_a_battle_is_explained_with_and_without_its_result(badges: dict[str, Badge]) -> None:
    assert not badges["Battle, undecided"].decided
    red, blue = badges["Red victory"], badges["Blue victory"]
    assert (red.text, red.side_colours, red.decided) == ("R", DEFAULT.colours_of_sides[0], True)
    assert (blue.text, blue.side_colours, blue.decided) == ("B", DEFAULT.colours_of_sides[1], True)


def test_the_gauge_of_strength_is_explained() -> None:
    assert "Strength, in stacks" in texts(BASE)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_side_is_explained(count: int) -> None:
    found = texts(replace(BASE, sides=SIDES[:count]))

    assert [text for text in found if text.endswith(" objective")] == [
        f"{side.capitalize()} objective" for side in SIDES[:count]
    ]


@pytest.mark.parametrize("terrain", [1, len(BASE.signs.lands)])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_nothing_in_it_runs_over_anything_else_or_off_the_paper(
    count: int, terrain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [sign.key for sign in BASE.signs.lands][:terrain]
    grounds = tuple(replace(ground, terrain=names[n % terrain]) for n, ground in enumerate(BASE.grounds))
    boxes: list[Box] = []

    def note(_: object, group: legend.Group, x: float, widths: Sequence[float]) -> None:
        for column, width in zip(legend._columns(group), widths, strict=True):
            boxes.append((x, 0, x + legend._width(group, column) - legend._GUTTER, 1))
            x += width

    monkeypatch.setattr(legend, "_paint_group", note)
    draw(replace(BASE, sides=SIDES[:count], grounds=grounds), EMPTY, width=1600)
    assert max(box[2] for box in boxes) <= theme.WIDTH - theme.RIM
    assert all(left[2] + 4 <= right[0] for left, right in pairwise(boxes)), "columns have a gap between them"


@pytest.mark.parametrize("sides", [SIDES[:1], ()])
def test_a_map_of_fewer_sides_than_two_has_a_legend(sides: tuple[SideId, ...]) -> None:
    assert "Just taken" in texts(replace(BASE, sides=sides))


def test_more_sides_than_a_map_can_show_apart_are_refused() -> None:
    five = replace(BASE, sides=SIDES, entries=())

    with pytest.raises(ValueError, match="at most 4 sides apart, and this one has 5: red, blue, gold, violet, black"):
        draw(five, EMPTY)


def test_letters_of_sides_differ() -> None:
    german, greek, allied = map(SideId, ("german", "greek", "allied"))

    assert letter_of((german, allied), german) == "G"
    assert letter_of((german, greek, allied), greek) == "Gr"
