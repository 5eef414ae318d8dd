import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from itertools import product
from math import log10
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from campaign.engine.board.hexes import corners
from campaign.engine.display.views import Arrow, BaseMap, Border, Entry, Ground, Marker, View
from campaign.engine.values.ids import GM, PUBLIC, SideId
from campaign.engine.values.value import replace
from campaign.game.loading import load_scenario, supplied_scenarios
from campaign.maps import draw
from campaign.maps.drawing.geometry import grown, touching
from campaign.maps.drawing.png import encode
from campaign.maps.painter import SHEETS, proof, sheet_of
from campaign.maps.scene import scene, words_on
from campaign.maps.stacks import TALLEST
from campaign.maps.style.schemes import DEFAULT
from campaign.rulesets.forum_campaign.model import signs
from tests.maps.examples import (
    BASE,
    EMPTY,
    RED,
    RED_VIEW,
    WIDTH,
    arrow,
    counter,
    flight,
    ground,
    place,
    sighting,
    table,
    trace,
)

ROOT = Path(__file__).resolve().parents[2]


def picture(view: View, base: BaseMap = BASE) -> Image.Image:
    return opened(draw(base, view, width=WIDTH))


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def framed(whole: Image.Image) -> Image.Image:
    """The part of a picture within the neatline."""
    left, top, right, bottom = sheet_of(BASE, WIDTH).layout.projection.frame
    return whole.crop((round(left), round(top), round(right), round(bottom)))


def changed(one: View, other: View) -> tuple[int, int, int, int] | None:
    """The box of the pixels in which the pictures of two views differ."""
    return ImageChops.difference(picture(one), picture(other)).getbbox()


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


# --- the file ---------------------------------------------------------------------------------------------------------


def test_the_same_view_gives_the_same_bytes() -> None:
    first = draw(BASE, RED_VIEW, width=WIDTH)
    SHEETS.clear()

    assert draw(BASE, RED_VIEW, width=WIDTH) == first


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_gives_the_same_bytes(seed: str) -> None:
    code = (
        "import hashlib; from campaign.maps import draw; from tests.maps.examples import BASE, RED_VIEW, WIDTH;"
        "print(hashlib.sha256(draw(BASE, RED_VIEW, width=WIDTH)).hexdigest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout.strip() == sha256(draw(BASE, RED_VIEW, width=WIDTH)).hexdigest()


def test_the_file_holds_a_palette_and_pixels_and_nothing_else() -> None:
    found = dict(chunks(draw(BASE, RED_VIEW, width=WIDTH)))

    assert list(found) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert found[b"IHDR"][8:] == bytes([8, 3, 0, 0, 0])
    assert int.from_bytes(found[b"IHDR"][:4], "big") == WIDTH


def test_the_palette_says_nothing_about_the_view() -> None:
    assert (
        dict(chunks(draw(BASE, RED_VIEW, width=WIDTH)))[b"PLTE"]
        == dict(chunks(draw(BASE, EMPTY, width=WIDTH)))[b"PLTE"]
    )


def test_a_map_is_1600_pixels_wide_unless_asked_otherwise() -> None:
    assert Image.open(BytesIO(draw(BASE, EMPTY))).width == 1600


def test_a_map_too_narrow_to_read_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 200 pixels wide, not 50"):
        draw(BASE, EMPTY, width=50)


def test_a_map_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(ValueError, match=r"9,000 pixels wide it would be .* pixels high, and at most 40,000,000"):
        draw(BASE, EMPTY, width=9000)


@pytest.mark.parametrize(("width", "decibels"), [(480, 38), (1600, 42), (2400, 42)])
def test_a_map_comes_near_to_true_colour_at_every_size(width: int, decibels: float) -> None:
    drawn, true = opened(draw(BASE, RED_VIEW, width=width)), proof(BASE, RED_VIEW, width=width)

    squares = ImageStat.Stat(ImageChops.difference(drawn, true)).sum2
    assert 10 * log10(255**2 * 3 * width * true.height / sum(squares)) > decibels


def test_a_thumbnail_shows_counters_and_the_audience_and_leaves_out_what_could_not_be_read() -> None:
    def small(view: View) -> Image.Image:
        return opened(draw(BASE, view, width=300))

    assert small(replace(RED_VIEW, panels=())).tobytes() == small(RED_VIEW).tobytes()
    assert small(replace(RED_VIEW, audience_title="Blue side")).tobytes() != small(RED_VIEW).tobytes()
    for n in range(len(RED_VIEW.counters)):
        fewer = RED_VIEW.counters[:n] + RED_VIEW.counters[n + 1 :]
        assert small(replace(RED_VIEW, counters=fewer)).tobytes() != small(RED_VIEW).tobytes()


def test_a_map_of_two_hundred_by_two_hundred_hexes_is_drawn() -> None:
    places = [(row, column) for row in range(200) for column in range(200)]
    grounds = tuple(_far(row, column) for row, column in places)
    wide = replace(BASE, grounds=grounds, lines=(), borders=(), entries=(), margin=())
    units = tuple(counter(grounds[n].id, f"{n} VG") for n in range(0, 40_000, 400))

    full = replace(EMPTY, counters=units)
    drawn, bare = (draw(wide, view, width=1600) for view in (full, EMPTY))
    assert len(drawn) < 1_000_000
    assert ImageChops.difference(opened(drawn), opened(bare)).getbbox() is not None


def _far(row: int, column: int) -> Ground:
    at = (3**0.5 * (column + row % 2 / 2), 1.5 * row)
    return Ground(place(f"{row:03}{column:03}"), at, corners(at), "forest" if row % 7 == column % 5 else "clear")


@pytest.mark.parametrize("folder", list(supplied_scenarios()), ids=lambda folder: folder.name)
def test_a_supplied_map_suits_a_forum(folder: Path) -> None:
    loaded = load_scenario(folder)
    base = loaded.rules.base_map(loaded.scenario.game_data)

    lone = counter(base.grounds[0].id, side=base.sides[0], figures=(), echelon="")
    png = draw(base, replace(EMPTY, counters=(lone,)))

    assert len(png) < 700_000
    assert Image.open(BytesIO(png)).size[0] == 1600


# --- what is on it ----------------------------------------------------------------------------------------------------


def test_a_sighting_changes_the_picture_at_its_place_only() -> None:
    box = changed(RED_VIEW, replace(RED_VIEW, sightings=RED_VIEW.sightings[1:]))

    projection = sheet_of(BASE, WIDTH).layout.projection
    x, y = projection.at(ground("C3").at)
    assert box is not None
    assert box[0] > x - projection.unit
    assert box[1] > y - projection.unit
    assert box[2] < x + projection.unit
    assert box[3] < y + projection.unit


@pytest.mark.parametrize(
    "field", ["counters", "sightings", "markers", "arrows", "traces", "flights", "front", "panels"]
)
def test_everything_in_a_view_is_seen(field: str) -> None:
    full = getattr(RED_VIEW, field)

    for n in range(len(full)):
        fewer = replace(RED_VIEW, **{field: full[:n] + full[n + 1 :]})
        assert changed(RED_VIEW, fewer) is not None, full[n]


def test_an_unknown_branch_a_known_one_and_a_known_name_look_different() -> None:
    grades = [
        picture(replace(EMPTY, sightings=(seen,)))
        for seen in (sighting("B2", branch=None), sighting("B2"), sighting("B2", "4 Inf"))
    ]

    assert len({sha256(grade.tobytes()).digest() for grade in grades}) == 3


@pytest.mark.parametrize("branch", [arm.key for arm in signs.SIGNS.arms])
def test_a_sighted_unit_looks_different_from_an_own_one(branch: str) -> None:
    known = replace(EMPTY, counters=(counter("B2", "4 Inf", SideId("blue"), branch=branch),))

    assert changed(known, replace(EMPTY, sightings=(sighting("B2", "4 Inf", branch),))) is not None


def test_the_audience_is_burnt_in_above_and_below() -> None:
    projection = sheet_of(BASE, WIDTH).layout.projection
    ours, theirs = (picture(replace(EMPTY, audience=who, audience_title=str(who))) for who in (GM, PUBLIC))

    difference = ImageChops.difference(ours, theirs)

    assert difference.crop((0, 0, WIDTH, round(projection.frame[1]))).getbbox() is not None
    assert difference.crop((0, round(projection.legend[1]), WIDTH, difference.height)).getbbox() is not None
    assert framed(difference).getbbox() is None


def test_a_side_s_plate_has_its_colour() -> None:
    def plate(view: View) -> tuple[int, ...]:
        colour = picture(view).getpixel((WIDTH - 8, 6))
        assert isinstance(colour, tuple)
        return colour

    red, gm = plate(RED_VIEW), plate(replace(RED_VIEW, audience=GM))

    assert red[0] > 2 * red[2]
    assert max(gm) - min(gm) < 20


def test_only_panels_of_the_moment_are_printed() -> None:
    forces = replace(table("forces-red", ("1 Pz", "C4")), on_map=False)
    chatter = replace(RED_VIEW, panels=(*RED_VIEW.panels, forces))
    status = replace(RED_VIEW, panels=(*RED_VIEW.panels, table("status-air", ("Lift", "0"))))

    assert draw(BASE, chatter, width=WIDTH) == draw(BASE, RED_VIEW, width=WIDTH)
    assert changed(RED_VIEW, status) is not None


def test_large_panels_make_the_sheet_longer_and_leave_the_map_as_it_is() -> None:
    rows = tuple((f"Row {n}", "x" * 200) for n in range(30))
    long = picture(replace(RED_VIEW, panels=(table("vp", *rows),)))
    short = picture(replace(RED_VIEW, panels=()))

    assert long.height > short.height
    assert ImageChops.difference(framed(long), framed(short)).getbbox() is None


# --- odd views --------------------------------------------------------------------------------------------------------


def test_an_empty_view_is_the_bare_map_with_its_names() -> None:
    sheet = sheet_of(BASE, WIDTH)
    bare = encode(sheet.rows, WIDTH, sheet.printer.palette)

    assert ImageChops.difference(framed(picture(EMPTY)), framed(opened(bare))).getbbox() is None


@pytest.mark.parametrize(
    "label", ["1re Armée", "Полк 5", "第三軍", "a\nb\tc", "", "M" * 300, "🂡", "\u202eabc", "e\u0301"]
)
def test_any_text_is_drawn(label: str) -> None:
    odd = replace(
        RED_VIEW,
        campaign=label,
        date=label,
        stop=label,
        audience_title=label,
        counters=(counter("A1", label), counter("B2", label), counter("B2", label)),
        sightings=(sighting("D1", label),),
        markers=(Marker(place("A2"), signs.BATTLE.key, RED, text=label),),
        panels=(table("weather", (label, label)),),
    )

    assert draw(BASE, odd, width=WIDTH).startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", [sign.key for sign in BASE.signs.arrows])
def test_an_arrow_may_have_a_single_place_or_turn_back(kind: str) -> None:
    for path in (("C1",), ("C3",), ("C3", "C4", "C3"), ("C3", "C3")):
        view = replace(EMPTY, arrows=(arrow(kind, *path),))
        assert changed(EMPTY, view) is not None


@pytest.mark.parametrize("count", range(1, TALLEST + 1))
def test_the_bar_of_a_stopped_move_shows_in_full_however_high_the_stack(count: int) -> None:
    units = tuple(counter("B3", f"Unit {n}") for n in range(count))
    phase = replace(EMPTY, counters=units, arrows=(arrow(signs.STOPPED.key, "A1", "A2", "B3"),))
    layout = sheet_of(BASE, 1600).layout
    shown, strong = scene(phase, layout), DEFAULT.colours_of_sides[0].strong
    stamp, (x, y) = shown.tracks[0].head_stamp(DEFAULT.halo)
    left, top = x - stamp.anchor[0], y - stamp.anchor[1]
    spots = product(range(stamp.picture.width), range(stamp.picture.height))
    bar = [(left + x, top + y) for x, y in spots if stamp.picture.getpixel((x, y)) == strong]
    words = [grown(box, 4 * layout.projection.scale) for piece in shown.pieces for box in words_on(piece, layout)]
    free = [at for at in bar if not touching(words, (*at, at[0] + 1, at[1] + 1))]

    drawn = opened(draw(BASE, phase))
    assert len(free) > 0.6 * len(bar) > 20
    assert {drawn.getpixel(at) for at in free} == {drawn.getpixel(free[0])}


def test_a_map_without_roads_sides_or_margin_is_drawn() -> None:
    bare = replace(BASE, lines=(), borders=(), entries=(), margin=(), sides=())

    assert draw(bare, EMPTY, width=WIDTH).startswith(b"\x89PNG")


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"counters": (counter("Q19"),)}, "counter 1 Pz: .* 'Q19'"),
        ({"counters": (counter("A1", side=SideId("green")),)}, "'green' is no side"),
        ({"sightings": (sighting("Q19"),)}, r"sighting \?: .* 'Q19'"),
        ({"markers": (Marker(place("Q19"), signs.DEPOT.key),)}, "marker depot: .* 'Q19'"),
        ({"arrows": (arrow(signs.MOVE.key, "A1", "Q19"),)}, "move arrow: .* 'Q19'"),
        ({"arrows": (Arrow(signs.MOVE.key, RED, ()),)}, "move arrow: it has no places"),
        ({"traces": (trace("A1", "Q19"),)}, "supply trace: .* 'Q19'"),
        ({"traces": (trace("A1"),)}, "supply trace: it leads from no place to another"),
        ({"flights": (flight("Q19"),)}, "interdiction flight: .* 'Q19'"),
        ({"flights": (flight("A1", side=SideId("green")),)}, "'green' is no side"),
        ({"front": ((place("A1"), place("Q19")),)}, "front: .* 'Q19'"),
    ],
)
def test_a_view_of_another_map_is_refused_with_the_name_of_what_is_wrong(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        draw(BASE, replace(EMPTY, **changes), width=WIDTH)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"borders": (Border(place("A1"), place("Q19"), signs.RIVER.key),)}, "a border: .* 'Q19'"),
        ({"entries": (Entry(place("Q19"), "Nowhere", RED),)}, "entry Nowhere: .* 'Q19'"),
        (
            {"grounds": (replace(ground("A1"), terrain="lava"),), "lines": (), "borders": (), "entries": ()},
            "A1.*'lava'",
        ),
        ({"grounds": ()}, "has no places"),
    ],
)
def test_a_faulty_base_map_is_refused_with_the_name_of_what_is_wrong(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw(replace(BASE, **changes), EMPTY, width=WIDTH)
