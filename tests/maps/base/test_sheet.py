"""The paper under the views: land, names, palette."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from campaign.engine.display.views import BaseMap, Exit
from campaign.engine.orders.lexicon import unlettered
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.game.loading import load_scenario, supplied_scenarios
from campaign.maps.base.layout import Layout
from campaign.maps.base.samples import exact_colours
from campaign.maps.drawing.geometry import holds, knot, overlap
from campaign.maps.drawing.ink import font
from campaign.maps.drawing.png import indexed
from campaign.maps.land.features import Places, features
from campaign.maps.land.labels import Labels, labels
from campaign.maps.land.projection import fit
from campaign.maps.land.terrain import paint_terrain
from campaign.maps.painter import sheet_of
from campaign.maps.place_descriptions import describe_places
from campaign.maps.style import theme
from campaign.maps.style.schemes import DEFAULT
from tests.maps.examples import BASE, EMPTY, WIDTH, border, ground, place


def print_of(base: BaseMap) -> Labels:
    projection = fit(base, WIDTH)
    return labels(base, features(base, projection), projection)


@pytest.mark.parametrize("word", ["A1", "B2", "C3", "D5", "B4", "D1", "A4"])
def test_the_middle_of_a_place_shows_its_own_terrain(word: str) -> None:
    projection = fit(BASE, WIDTH)
    paper = Image.new("RGB", (projection.width, projection.height))
    paint_terrain(paper, BASE, projection, DEFAULT)

    x, y = projection.at(ground(word).at)
    reach = projection.unit * 0.35
    around = paper.crop((round(x - reach), round(y - reach), round(x + reach), round(y + reach)))
    ((colour, _),) = Counter(around.get_flattened_data()).most_common(1)
    assert colour == DEFAULT.lands[ground(word).terrain].fill


def test_names_do_not_run_into_each_other() -> None:
    names = print_of(BASE).names

    assert {name.text for name in names} == {"Großstadt", "Saint-Élie", "Weiler", "Marktplatz"}
    assert [(a.text, b.text) for a, b in combinations(names, 2) if overlap(a.box, b.box)] == []


def test_more_important_names_are_printed_larger() -> None:
    size = {name.text: name.style.size for name in print_of(BASE).names}

    assert size["Großstadt"] > size["Saint-Élie"] > size["Marktplatz"] > size["Weiler"]


@pytest.mark.parametrize("width", [1600, 2400])
@pytest.mark.parametrize("folder", list(supplied_scenarios()), ids=lambda folder: folder.name)
def test_every_name_of_a_supplied_map_is_printed_in_its_own_place(folder: Path, width: int) -> None:
    layout = Layout.of(load_scenario(folder).base_map, width, DEFAULT)

    assert len(layout.print_on.names) > 30
    assert [layout.print_on.names[number].text for number in layout.far_names] == []


def test_room_for_a_flag_is_left_where_there_are_victory_points() -> None:
    flags = {name.text: name.flag is not None for name in print_of(BASE).names}

    assert flags == {"Großstadt": True, "Saint-Élie": True, "Weiler": False, "Marktplatz": False}


def test_every_place_bears_its_id_unless_ids_are_words() -> None:
    worded = replace(BASE.grounds[0], id="somewhere")
    bare = replace(BASE, grounds=(worded, *BASE.grounds[1:]), lines=(), borders=(), entries=())

    assert [number.text for number in print_of(BASE).numbers] == [g.id for g in BASE.grounds]
    assert print_of(bare).numbers == ()


@pytest.mark.parametrize("width", [WIDTH, 1600, 2400])
def test_ids_are_at_the_same_spot_of_every_place_and_within_it(width: int) -> None:
    projection = fit(BASE, width)
    places = Places(BASE, projection)
    numbers = labels(BASE, features(BASE, projection), projection).numbers
    spots = {
        (round(number.at[0] - x, 6), round(number.at[1] - y, 6))
        for number in numbers
        for x, y in [places.at(PlaceId(number.text))]
    }

    assert len(spots) == 1
    for number in numbers:
        left, top, right, bottom = number.box
        outline = places.outline(PlaceId(number.text))
        assert all(holds(outline, (x, y)) for x in (left, right) for y in (top, bottom)), number.text


def test_no_name_covers_an_id_on_the_bare_sheet() -> None:
    found = print_of(BASE)

    assert [(n.text, i.text) for n in found.names for i in found.numbers if overlap(n.box, i.box)] == []


def test_rivers_bear_their_names_from_left_to_right() -> None:
    rivers = print_of(BASE).rivers

    assert {river.text for river in rivers} >= {"Strom"}
    assert all(river.path[0][0] <= river.path[-1][0] for river in rivers)


def test_a_tributary_ends_on_the_line_of_the_river_it_joins() -> None:
    kind = BASE.borders[0].kind
    joined = replace(
        BASE,
        borders=(
            border("C2", "B2", kind, "Strom"),
            border("C2", "B3", kind, "Strom"),
            border("B2", "B3", kind, "Bach"),
        ),
    )
    projection = fit(joined, WIDTH)
    main, brook = features(joined, projection).rivers

    ends = (brook.path[0], brook.path[-1])
    nearest = min(abs(x - px) + abs(y - py) for x, y in ends for px, py in main.path)
    assert nearest < 0.06 * projection.unit


def test_roads_run_exactly_through_named_places_and_junctions() -> None:
    projection = fit(BASE, WIDTH)
    main, _ = (way.paths for way in features(BASE, projection).ways)

    met = {knot(point) for path in main for point in path}
    assert all(knot(projection.at(ground(word).at)) in met for word in ("C2", "B2"))


def test_a_road_that_leaves_the_map_runs_to_its_edge_and_ends_there() -> None:
    """From the middle of D5 to the middle of its eastern side, and so in words."""
    x, y = ground("D5").at
    cut = replace(BASE, exits=(Exit(place("D5"), (x + 3**0.5, y), BASE.lines[0].kind),))
    projection = fit(cut, WIDTH)
    ways = {way.symbol: way.paths for way in features(cut, projection).ways}
    bare = {way.symbol: way.paths for way in features(BASE, projection).ways}

    ((path,),) = (set(ways[symbol]) - set(bare[symbol]) for symbol in ways if ways[symbol] != bare[symbol])
    assert path[0] == pytest.approx(projection.at((x, y)))
    assert path[-1] == pytest.approx(projection.at((x + 3**0.5 / 2, y)))
    (described,) = describe_places(cut, EMPTY, only=[place("D5")])
    assert "Main road off the map" in described.ground


@pytest.mark.parametrize("folder", list(supplied_scenarios()), ids=lambda folder: folder.name)
def test_no_road_of_a_supplied_map_ends_in_the_middle_of_nowhere(folder: Path) -> None:
    """But in a town, in another road, or at the edge of the map."""
    base = load_scenario(folder).base_map
    projection = fit(base, 1600)
    places, paths = Places(base, projection), [path for way in features(base, projection).ways for path in way.paths]
    met = Counter(knot(point) for path in paths for point in dict.fromkeys(path))
    middles = {knot(places.at(ground.id)): ground for ground in base.grounds}

    ends = [knot(end) for path in paths for end in (path[0], path[-1])]
    assert [middles[end].id for end in ends if end in middles and met[end] == 1 and not middles[end].name] == []


def test_colours_of_large_areas_come_out_exactly() -> None:
    palette = sheet_of(BASE, WIDTH).printer.palette

    for colour in exact_colours(BASE, DEFAULT):
        found = indexed(Image.new("RGB", (1, 1), colour), palette).convert("RGB").getpixel((0, 0))
        assert isinstance(found, tuple)
        assert max(abs(a - b) for a, b in zip(found, colour, strict=True)) <= 4, colour


@pytest.mark.parametrize("face", theme.Face)
def test_the_fonts_have_every_letter_that_names_may_have(face: theme.Face) -> None:
    letters = [chr(n) for n in range(0x20, 0x3000) if not unlettered(chr(n)) and not chr(n).isspace()]
    style = theme.Print(face, 20)
    missing = bytes(font(style.face, style.size).getmask("\U0010ffff"))

    assert len(letters) > 2000
    assert [letter for letter in letters if bytes(font(style.face, style.size).getmask(letter)) == missing] == []


def test_fonts_come_with_their_licence() -> None:
    assert {face.value for face in theme.Face} <= {path.name for path in theme.FONTS.iterdir()}
    assert "Bitstream Vera" in (theme.FONTS / "LICENSE-DejaVu.txt").read_text(encoding="utf-8")
