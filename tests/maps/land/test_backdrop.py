"""A scenario's own picture under the map: it lies where it was pinned, and whatever it shows, print can be read."""

from functools import cache
from io import BytesIO
from itertools import product

import pytest
from PIL import Image

from campaign.engine.display.views import BaseMap, View
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.engine.values.value import replace
from campaign.maps import draw
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.png import indexed
from campaign.maps.land.backdrop import MOST_PIXELS, Unusable, backdrop_ends, look_at, paint_backdrop
from campaign.maps.land.projection import fit
from campaign.maps.painter import SHEETS, bare_sheet, sheet_of
from campaign.maps.replay import Frame, Motion, animate
from campaign.maps.scene import scene
from campaign.maps.style.schemes import DEFAULT, SCHEMES, Colour, Scheme
from tests.maps.examples import BASE, BLUE, EMPTY, RED, RED_VIEW, WIDTH, counter, ground, sighting
from tests.maps.eyes import contrast
from tests.maps.pictures import ODD, filed, noise, pixel_of, spotted, upon

BARE = replace(BASE, lines=(), borders=(), entries=())
"""Nothing runs over the middles of its places; four of them have the sign of a town there."""
OPEN = [each.id for each in BASE.grounds if not each.name]

schemes = pytest.mark.parametrize("colours", SCHEMES.values(), ids=list(SCHEMES))


@cache
def spots() -> tuple[BaseMap, dict[str, Colour]]:
    picture, colours = spotted(upon(BARE, b""))
    return upon(BARE, filed(picture)), {str(name): colour for name, colour in colours.items()}


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def at(picture: Image.Image, x: float, y: float) -> Colour:
    found = picture.getpixel((round(x), round(y)))
    assert isinstance(found, tuple)
    return found[0], found[1], found[2]


def toned(colour: Colour, colours: Scheme, strength: float = 1.0) -> Colour:
    """What a colour of a picture becomes, between the ends of its scheme."""
    black, white = backdrop_ends(colours, strength)
    red, green, blue = (round(b + (w - b) * c / 255) for c, b, w in zip(colour, black, white, strict=True))
    return red, green, blue


def off(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def all_in(picture: Image.Image) -> set[Colour]:
    return set(picture.convert("RGB").get_flattened_data())  # type: ignore[arg-type]


def land(base: BaseMap, colours: Scheme = DEFAULT, width: int = WIDTH) -> Image.Image:
    """The picture of a base map as it is painted, and nothing else."""
    projection = fit(base, width)
    paper = Image.new("RGB", (projection.width, projection.height), colours.border)
    assert base.backdrop is not None
    paint_backdrop(paper, base, base.backdrop, projection, colours)
    return paper


# --- where it lies ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [480, 1600, 2400])
def test_what_is_marked_in_the_picture_lies_in_its_place_at_every_size(width: int) -> None:
    base, colours = spots()
    painted, drawn, projection = land(base, width=width), opened(draw(base, EMPTY, width=width)), fit(base, width)

    for name in OPEN:
        (x, y), unit = projection.at(ground(name).at), projection.unit
        ways = ((0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
        within = [at(painted, x + 0.38 * unit * right, y + 0.38 * unit * down) for right, down in ways]
        beyond = [at(painted, x + 0.52 * unit * right, y + 0.52 * unit * down) for right, down in ways[1:]]
        assert max(off(found, toned(colours[name], DEFAULT)) for found in within) <= 1, name
        assert max(off(found, DEFAULT.border) for found in beyond) <= 3, name
        assert off(at(drawn, x, y), within[0]) <= 8, name


@schemes
def test_it_lies_under_maps_in_every_scheme(colours: Scheme) -> None:
    base, marks = spots()
    picture, projection = opened(draw(base, EMPTY, width=WIDTH, colours=colours)), fit(base, WIDTH)

    for name in OPEN:
        assert off(at(picture, *projection.at(ground(name).at)), toned(marks[name], colours)) <= 8, name


@schemes
def test_it_lies_under_the_board(colours: Scheme) -> None:
    base, marks = spots()
    picture, projection = opened(bare_sheet(base, width=WIDTH, colours=colours)), fit(base, WIDTH)

    for name in OPEN:
        assert off(at(picture, *projection.at(ground(name).at)), toned(marks[name], colours)) <= 8, name


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_picture_that_a_camera_turned_lies_upright(kind: str, orientation: int) -> None:
    base, _ = spots()
    assert base.backdrop is not None
    upright = Image.open(BytesIO(base.backdrop.picture))
    back = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    held = upright.transpose(back[orientation]) if orientation > 1 else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"lossless": True} if kind == "WEBP" else {}
    turned = upon(BARE, filed(held, kind, exif=exif, **options))

    assert land(turned).tobytes() == land(base).tobytes()


@pytest.mark.parametrize(("kind", "mode"), [("PNG", "L"), ("PNG", "P"), ("PNG", "1"), ("JPEG", "CMYK"), ("JPEG", "L")])
def test_every_usual_kind_of_picture_is_drawn(kind: str, mode: str) -> None:
    stripes = Image.new("RGB", ODD, "white")
    stripes.paste("black", (0, 0, ODD[0], ODD[1] // 2))
    base = upon(BARE, filed(stripes.convert(mode), kind))
    look_at(base)
    projection = fit(base, WIDTH)

    black, white = backdrop_ends(DEFAULT, 1.0)
    assert off(at(land(base), *projection.at(ground("D2").at)), black) <= 6
    assert off(at(land(base), *projection.at(ground("A2").at)), white) <= 6


def test_where_a_picture_lets_light_through_the_paper_shows() -> None:
    clear = Image.new("RGBA", ODD, (0, 0, 0, 255))
    clear.paste((0, 0, 0, 0), (0, 0, ODD[0] // 2, ODD[1]))
    base = upon(BARE, filed(clear))
    sheet, projection = opened(bare_sheet(base, width=WIDTH)), fit(base, WIDTH)

    assert at(sheet, *projection.at(ground("B1").at)) == DEFAULT.border
    assert off(at(sheet, *projection.at(ground("B5").at)), DEFAULT.backdrop) <= 6


def test_where_a_picture_ends_the_paper_shows() -> None:
    short = upon(BARE, filed(Image.new("RGB", ODD, "black")))
    assert short.backdrop is not None
    base = replace(short, backdrop=replace(short.backdrop, corner=ground("D1").at))
    sheet, (x, y) = opened(bare_sheet(base, width=WIDTH)), fit(base, WIDTH).at(ground("D1").at)

    assert at(sheet, x - 9, y - 9) == DEFAULT.border
    assert off(at(sheet, x + 9, y + 9), DEFAULT.backdrop) <= 6


def test_it_lies_on_the_land_and_nowhere_else() -> None:
    base = upon(BARE, filed(Image.new("RGB", ODD, "black")))
    sheet, (left, top, right, bottom) = opened(bare_sheet(base, width=WIDTH)), fit(base, WIDTH).frame

    for corner in product((left + 5, right - 6), (top + 5, bottom - 6)):
        assert at(sheet, *corner) == DEFAULT.border


# --- what else is drawn -----------------------------------------------------------------------------------------------


def features_drawn(**shows: bool) -> tuple[int, int, int]:
    """How many roads, bridges and rivers are drawn over a picture."""
    base = upon(BASE, b"")
    assert base.backdrop is not None
    lines = Layout.of(replace(base, backdrop=replace(base.backdrop, **shows)), WIDTH, DEFAULT).lines
    return sum(len(way.paths) for way in lines.ways), len(lines.bridges), len(lines.rivers)


def test_lines_that_the_picture_shows_itself_are_not_drawn_again() -> None:
    roads, bridges, rivers = features_drawn()
    assert min(roads, bridges, rivers) > 0
    assert features_drawn(roads=True) == (0, 0, rivers)
    assert features_drawn(rivers=True) == (roads, bridges, 0)
    layout = Layout.of(upon(BASE, b"", roads=True, rivers=True), WIDTH, DEFAULT)
    assert layout.print_on.rivers == ()
    assert [way.symbol for way in layout.lines.borders if way.paths] == ["frontier", "closed"]
    assert layout.lines.closed


def test_a_map_without_a_picture_has_none_of_its_changes() -> None:
    plain, colours = sheet_of(BASE, WIDTH), DEFAULT

    assert len(plain.printer.palette.colours) <= 160
    assert {tint.fill for tint in colours.lands.values()} <= set(plain.printer.palette.colours)


def test_another_picture_is_another_base_map() -> None:
    one, other = upon(BARE, filed(Image.new("RGB", ODD))), upon(BARE, filed(Image.new("RGB", ODD, "white")))

    assert len({BARE, one, other, upon(BARE, filed(Image.new("RGB", ODD)))}) == 3
    assert bare_sheet(one, width=WIDTH) != bare_sheet(other, width=WIDTH)


def test_the_same_picture_gives_the_same_bytes_and_the_palette_says_nothing_about_the_view() -> None:
    base, _ = spots()
    first = draw(base, RED_VIEW, width=WIDTH)
    SHEETS.clear()
    palettes = {Image.open(BytesIO(draw(base, view, width=WIDTH))).palette.getdata()[1] for view in (EMPTY, RED_VIEW)}  # type: ignore[union-attr]

    assert draw(base, RED_VIEW, width=WIDTH) == first
    assert len(palettes) == 1


# --- print on it ------------------------------------------------------------------------------------------------------

READABLE = 4.5
"""Of print to its ground: WCAG 2.2, success criterion 1.4.3."""


@cache
def wild() -> bytes:
    """Noise of all colours, and stripes of the strongest."""
    picture = noise()
    for n, corner in enumerate(product((0, 255), repeat=3)):
        picture.paste(corner, (n * 200, 0, n * 200 + 200, ODD[1] // 2))
    return filed(picture)


@schemes
@pytest.mark.parametrize("strength", [0.05, 0.5, 1.0])
def test_ids_stand_out_from_every_pixel_of_any_picture(colours: Scheme, strength: float) -> None:
    base = upon(BARE, wild(), strength=strength)
    palette = sheet_of(base, WIDTH, colours).printer.palette
    painted = land(base, colours)

    for picture in (painted, indexed(painted, palette).convert("RGB")):
        assert min(contrast(colours.ink, colour) for colour in all_in(picture)) >= READABLE


@schemes
def test_ids_have_a_rim_as_names_have(colours: Scheme) -> None:
    base = upon(BARE, filed(Image.new("RGB", ODD, "black" if sum(colours.paper) > 300 else "white")))
    sheet = sheet_of(base, 1600, colours)
    picture, scale = opened(bare_sheet(base, width=1600, colours=colours)), sheet.layout.projection.scale

    for number in sheet.layout.print_on.numbers:
        (x, y), high = number.at, 6 * scale
        box = picture.crop((round(x - 9 * scale), round(y - high), round(x + 9 * scale), round(y + 2 * scale)))
        for wanted in (colours.ink, colours.halo):
            assert min(off(colour, wanted) for colour in all_in(box)) <= 12, number.text


@schemes
def test_a_weaker_picture_comes_nearer_to_the_paper(colours: Scheme) -> None:
    def spread(strength: float) -> int:
        black, white = backdrop_ends(colours, strength)
        assert colours.border in (black, white)
        return off(black, white)

    assert 0 < spread(0.05) < spread(0.5) < spread(1.0)


# --- refused ----------------------------------------------------------------------------------------------------------


def refusal(picture: bytes) -> tuple[str, str]:
    with pytest.raises(Unusable) as refused:
        look_at(upon(BARE, picture))
    return str(refused.value), refused.value.cure


def test_what_is_no_picture_is_refused() -> None:
    for data in (b"", b"GIF89a" + bytes(100), b"II*\0" + bytes(100), b"<svg/>", b"%PDF-1.7", bytes(10)):
        assert refusal(data) == ("it is not a PNG, JPEG or WebP file", "Save it as one of these.")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_that_was_cut_off_is_refused(kind: str) -> None:
    whole = filed(noise((300, 200)), kind)
    for part in (13, 60, len(whole) // 2, len(whole) - 200):
        assert refusal(whole[:part])[0] == "it is damaged or was cut off", part


def test_a_picture_of_deep_grey_is_refused() -> None:
    what, cure = refusal(filed(Image.new("I;16", (300, 200), 40_000)))
    assert (what, cure) == ("it has more than 8 bits per channel", "Save it with 8 bits per channel.")


def declared(kind: str, width: int, height: int) -> bytes:
    """A small file whose header claims this size."""
    small = filed(Image.new("RGB", (16, 16)), kind, **({"lossless": True} if kind == "WEBP" else {}))
    if kind == "PNG":
        from zlib import crc32  # noqa: PLC0415

        head = b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + small[24:29]
        return small[:12] + head + crc32(head).to_bytes(4, "big") + small[33:]
    if kind == "JPEG":
        start = small.index(b"\xff\xc0") + 5
        return small[:start] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + small[start + 4 :]
    start = small.index(b"VP8L") + 9
    bits = int.from_bytes(small[start : start + 4], "little") & ~0xFFFFFFF | (width - 1) | (height - 1) << 14
    return small[:start] + bits.to_bytes(4, "little") + small[start + 4 :]


@pytest.mark.parametrize(
    ("kind", "size"),
    [("PNG", (20_000, 20_000)), ("PNG", (500_000, 100)), ("JPEG", (20_000, 14_000)), ("WEBP", (12_000, 9_000))],
)
def test_a_picture_of_20000_pixels_is_refused_before_it_is_decoded(kind: str, size: tuple[int, int]) -> None:
    what, cure = refusal(declared(kind, *size))

    assert what == f"it has {size[0]:,} × {size[1]:,} pixels; the limit is 20,000,000"
    wide, high = (int(word.replace(",", "")) for word in cure.removeprefix("Make it smaller: at most ").split()[:3:2])
    assert wide * high <= MOST_PIXELS


def test_the_largest_webp_there_can_be_is_refused() -> None:
    what, _ = refusal(declared("WEBP", 16_384, 16_384))
    assert "more than 20,000,000 pixels" in what


def test_a_picture_that_does_not_reach_a_place_is_refused() -> None:
    base = upon(BARE, filed(Image.new("RGB", ODD)))
    assert base.backdrop is not None
    x, _ = pixel_of(base, ground("D5").at)
    cut = upon(BARE, filed(Image.new("RGB", (round(x) - 20, ODD[1]))))
    with pytest.raises(Unusable, match=r"does not reach D5, whose middle would lie at \[\d+, \d+\] of 1,\d+ × 1,233"):
        look_at(cut)


# --- moving, crowded --------------------------------------------------------------------------------------------------


def test_it_lies_under_moving_pictures_of_both_kinds() -> None:
    base, _ = spots()
    frames = [Frame(view, 500) for view in (EMPTY, RED_VIEW)]
    shown: dict[Motion, list[bytes]] = {}
    for motion in Motion:
        moving = Image.open(BytesIO(animate(base, frames, motion, width=WIDTH)))
        shown[motion] = []
        for number in range(2):
            moving.seek(number)
            shown[motion].append(moving.convert("RGB").tobytes())

    assert shown[Motion.GIF] == shown[Motion.WEBP]
    assert shown[Motion.GIF][1] == opened(draw(base, RED_VIEW, width=WIDTH)).tobytes()


@pytest.mark.parametrize("audience", [Audience(RED), Audience(BLUE), GM, PUBLIC])
@pytest.mark.parametrize("width", [480, 1600, 2400])
def test_a_stack_of_forty_is_drawn_on_it_and_counted_for_every_audience(audience: Audience, width: int) -> None:
    base, _ = spots()
    own = tuple(counter("B2", f"Unit {n}") for n in range(40))
    seen = tuple(sighting("B2", f"Unit {n}") for n in range(40))
    known = {Audience(RED): (own, ()), Audience(BLUE): ((), seen), GM: (own, seen), PUBLIC: ((), ())}[audience]

    def crowd(most: int) -> View:
        units, others = known
        return replace(
            EMPTY, audience=audience, audience_title=audience, counters=units[:most], sightings=others[:most]
        )

    few, many = (draw(base, crowd(most), width=width) for most in (1, 40))
    (x, y), nothing = fit(base, width).at(ground("B2").at), draw(base, crowd(0), width=width)
    tables = opened(many).height - opened(few).height

    assert (opened(many).crop(around(x, y)).tobytes() != opened(nothing).crop(around(x, y)).tobytes()) is any(known)
    assert (tables > 0) is (any(known) and width > 480)
    assert [len(labels) for _, labels in scene(crowd(40), sheet_of(base, width).layout).crowds] == [
        len(units) for units in [sum(map(tuple, known), ())] if units
    ]


def around(x: float, y: float) -> tuple[int, int, int, int]:
    return round(x) - 9, round(y) - 9, round(x) + 9, round(y) + 9
