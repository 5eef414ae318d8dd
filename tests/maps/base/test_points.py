"""Maps of points: places without an outline, drawn as circles, with lines between them."""

from io import BytesIO
from math import sin
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from campaign.engine.display.views import BaseMap, Ground, Line, Marker, View
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.maps import draw, vector
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.geometry import bounds, gap, grown, heading, holds, overlap
from campaign.maps.place_descriptions import describe_places, neighbours
from campaign.maps.scene import scene
from campaign.maps.style.schemes import DEFAULT, SCHEMES, Scheme
from campaign.rulesets.forum_campaign.model import signs
from tests.maps.examples import BASE, BLUE, EMPTY, RED, counter, sighting

WIDTH = 900
SPOTS = {"Liège": (0.0, 0.0), "Huy": (3.0, 1.5), "Namur": (0.5, 4.0), "Dinant": (4.0, 5.0), "Spa": (6.5, 2.5)}
WAYS = (("Liège", "Huy"), ("Huy", "Namur"), ("Namur", "Dinant"), ("Dinant", "Spa"), ("Spa", "Huy"))
POINTS = BaseMap(
    title="Five points",
    credit="",
    scale="",
    grounds=tuple(
        Ground(PlaceId(name), at, (), "forest" if name == "Spa" else "clear", name=name, importance=1)
        for name, at in SPOTS.items()
    ),
    lines=tuple(Line(PlaceId(a), PlaceId(b), signs.MAIN_ROAD.key) for a, b in WAYS),
    borders=(),
    sides=(RED, BLUE),
    signs=BASE.signs,
)
HUY, SPA = PlaceId("Huy"), PlaceId("Spa")
VIEW = replace(
    EMPTY,
    counters=tuple(replace(counter("A1", f"{n} Pz"), at=HUY) for n in range(2)),
    sightings=(replace(sighting("A1"), at=SPA),),
    markers=(Marker(SPA, signs.OBJECTIVE.key, BLUE, 2),),
    control=((HUY, RED), (SPA, BLUE)),
    front=((HUY, SPA),),
)


def layout() -> Layout:
    return Layout.of(POINTS, WIDTH, DEFAULT)


@pytest.mark.parametrize("colours", SCHEMES.values(), ids=SCHEMES)
def test_a_map_of_points_is_drawn(colours: Scheme) -> None:
    bare, full = (draw(POINTS, view, width=WIDTH, colours=colours) for view in (EMPTY, VIEW))
    assert Image.open(BytesIO(bare)).width == WIDTH
    assert bare != full


def test_a_point_is_a_circle_round_its_middle() -> None:
    places = layout().places
    for name in SPOTS:
        middle, around = places.at(PlaceId(name)), places.outline(PlaceId(name))
        apart = [gap(middle, corner) for corner in around]
        assert max(apart) - min(apart) < 1.0
        assert holds(around, middle)


def test_its_circle_is_filled_as_its_land_and_nothing_is_between_points() -> None:
    paper = Image.open(BytesIO(draw(POINTS, EMPTY, width=WIDTH))).convert("RGB")
    (x, y), unit = layout().places.at(HUY), layout().projection.unit
    assert paper.getpixel((round(x + 0.5 * unit), round(y - 0.4 * unit))) == DEFAULT.lands["clear"].fill
    assert paper.getpixel((round(x + 1.2 * unit), round(y - 1.2 * unit))) == DEFAULT.border


def test_a_counter_on_a_point_is_within_its_circle() -> None:
    places = layout().places
    for piece in scene(VIEW, layout()).pieces:
        (x, y), box = places.at(piece.place), bounds(places.outline(piece.place))
        assert box[0] < x < box[2]
        assert piece.box[0] < x < piece.box[2]
        assert abs((piece.box[1] + piece.box[3]) / 2 - y) < box[3] - box[1]


def test_neighbours_of_a_point_are_where_lines_lead() -> None:
    assert set(neighbours(POINTS)[HUY]) == {"Liège", "Namur", "Spa"}


def test_the_board_has_a_circle_and_a_link_for_each_point() -> None:
    accounts = describe_places(POINTS, VIEW)
    root = ElementTree.fromstring(vector.board(VIEW, layout(), accounts, sheet=""))  # noqa: S314
    svg = "{http://www.w3.org/2000/svg}"
    links = list(root.iter(f"{svg}a"))
    assert len(links) == len(SPOTS)
    assert links[1].get("data-next", "").split() == ["Li%C3%A8ge", "Namur", "Spa"]
    assert len(root.findall(f".//{svg}g[@class='held']")) == 2
    assert [account.front for account in accounts if account.place == HUY] == [
        ("Front towards Spa", "Held by the Red side")
    ]


def test_the_front_between_points_has_each_side_on_its_own_side() -> None:
    (bend,) = (bend for bend in scene(VIEW, layout()).front if bend.go is not None)
    start, phase = bend.path[0], bend.path[-1]
    (x, y), way = layout().places.at(HUY), heading(start, phase)
    right = heading(start, (x, y)) - way
    assert sin(right) > 0, "the first side's line is on the right, and so is its place"


# --- control, on every kind of place ----------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [BASE, POINTS], ids=["areas", "points"])
def test_a_place_is_coloured_as_its_holders(base: BaseMap) -> None:
    place = base.grounds[2].id

    def held(view: View) -> Image.Image:
        return Image.open(BytesIO(draw(base, view, width=WIDTH))).convert("RGB")

    bare, red, blue = (held(replace(EMPTY, control=control)) for control in ((), ((place, RED),), ((place, BLUE),)))
    box, found = (
        bounds(Layout.of(base, WIDTH, DEFAULT).places.outline(place)),
        ImageChops.difference(bare, red).getbbox(),
    )
    assert found is not None
    assert overlap(found, grown(box, 1.5)) == overlap(found, found)
    for picture, side_colours in ((red, DEFAULT.colours_of_sides[0]), (blue, DEFAULT.colours_of_sides[1])):
        assert side_colours.strong in {colour for _, colour in picture.crop(found).getcolors(1 << 16) or ()}
