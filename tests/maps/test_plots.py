"""Plots: axes, lines, bars and their names, as SVG and as pictures."""

import datetime
import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from campaign.engine.display.plots import Curve, Plot, Shape
from campaign.engine.values.ids import SideId
from campaign.engine.values.moments import Moment, day_moment
from campaign.engine.values.value import replace
from campaign.maps.drawing.ink import Disc, Fill, Stroke, width_of
from campaign.maps.plots import draw_plot, svg_plot
from campaign.maps.plots.axes import short_names, ticks
from campaign.maps.plots.layout import HIGH, WIDE, lay_out
from campaign.maps.plots.parts import Anchor, Drawn, Lettered, colours_of_tones
from campaign.maps.plots.picture import WIDTH
from campaign.maps.style.schemes import COLOUR_BLIND, DARK, SCHEMES
from tests.locks import ROOT
from tests.maps.test_chart import chunks

RED, BLUE = SideId("red"), SideId("blue")
DAYS = tuple(day_moment(datetime.date(1944, 12, 16) + datetime.timedelta(days=n)) for n in range(16))
LINES = Plot(
    key="points",
    title="Victory points",
    unit="points",
    text="What the objectives are worth.",
    rule="R1",
    shape=Shape.LINES,
    moments=(Moment("Start"), *DAYS),
    curves=(Curve("Reds", RED, tuple(range(0, 34, 2))), Curve("Blues", BLUE, tuple(range(33, -1, -2)))),
    sides=(RED, BLUE),
    so_far=False,
)
BARS = replace(
    LINES,
    shape=Shape.BARS,
    moments=DAYS,
    curves=tuple(replace(curve, figures=curve.figures[1:]) for curve in LINES.curves),
)
FLAT = replace(LINES, curves=(Curve("Reds", RED, (0,) * 17), Curve("Blues", BLUE, (0,) * 17)))
SHORT = replace(LINES, moments=LINES.moments[:2], curves=(Curve("Nobody’s", None, (1_250_000, 7)),))
BELOW = replace(BARS, curves=(Curve("Reds", RED, tuple(range(-5, 11))),))
MANY = replace(
    BARS,
    moments=tuple(Moment(f"Turn {n} of a very long game that nobody ends") for n in range(90)),
    curves=tuple(Curve(f"Arm {n}", side, (n, *range(89))) for n, side in enumerate((RED, BLUE, None, RED))),
)
EXAMPLES = {"lines": LINES, "bars": BARS, "flat": FLAT, "short": SHORT, "below": BELOW, "many": MANY}


def corners(part: Drawn | Lettered) -> list[tuple[float, float]]:
    """Points that the part reaches."""
    if isinstance(part, Lettered):
        wide = width_of(part.text, part.style)
        left = part.at[0] - {Anchor.START: 0, Anchor.MIDDLE: wide / 2, Anchor.END: wide}[part.anchor]
        return [(left, part.at[1]), (left + wide, part.at[1])]
    found: list[tuple[float, float]] = []
    for shape in part.shapes:
        match shape:
            case Stroke(path=path) | Fill(outline=path):
                found.extend(path)
            case Disc(at=at):
                found.append(at)
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_everything_is_on_the_paper(name: str) -> None:
    points = [point for part in lay_out(EXAMPLES[name]) for point in corners(part)]
    assert all(0 <= x <= WIDE and 0 <= y <= HIGH for x, y in points)


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_two_texts_of_a_line_touch(name: str) -> None:
    texts = [part for part in lay_out(EXAMPLES[name]) if isinstance(part, Lettered)]
    for part in texts:
        for other in texts:
            if part is not other and abs(part.at[1] - other.at[1]) < 10:
                (left, _), (right, _) = corners(part)
                (start, _), (stop, _) = corners(other)
                assert right <= start or stop <= left, (part.text, other.text)


@pytest.mark.parametrize("name", ["lines", "bars", "below"])
def test_equal_plots_give_equal_bytes(name: str) -> None:
    plot = EXAMPLES[name]
    same = replace(plot, moments=tuple(plot.moments))
    assert svg_plot(plot) == svg_plot(same)
    assert draw_plot(plot, campaign="The Bulge", audience="GM only") == draw_plot(
        same, campaign="The Bulge", audience="GM only"
    )


def test_a_picture_holds_pixels_and_nothing_else() -> None:
    png = draw_plot(LINES, campaign="The Bulge", audience="Public")
    assert chunks(png) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert Image.open(BytesIO(png)).width == WIDTH == 960


def test_a_picture_says_for_whom_it_is() -> None:
    assert draw_plot(LINES, campaign="The Bulge", audience="Public") != draw_plot(
        LINES, campaign="The Bulge", audience="GM only"
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_lines_are_drawn_in_the_colours_of_their_sides(scheme: str) -> None:
    colours = SCHEMES[scheme]
    picture = Image.open(BytesIO(draw_plot(LINES, campaign="", audience="", colours=colours))).convert("RGB")
    seen = {colour for _, colour in picture.getcolors(1 << 16) or []}
    assert {colours.side_colours(LINES.sides, side).strong for side in LINES.sides} <= seen


def test_sides_differ_without_colour() -> None:
    """The first line is whole with filled marks, the second broken with rings; every second kind of bar is hollow."""
    of_sides = [part for part in lay_out(LINES) if isinstance(part, Drawn) and part.tone.startswith("side-")]
    strokes = {part.tone: len(part.shapes) for part in of_sides if isinstance(part.shapes[0], Stroke)}
    assert strokes["side-1"] == 1 < strokes["side-2"]
    assert {type(part.shapes[0]) for part in of_sides if part.tone == "side-2"} == {Stroke, Disc}
    hollow = [part for part in lay_out(BARS) if isinstance(part, Drawn) and part.tone == "paper"]
    assert hollow


def test_the_style_sheet_gives_tones_the_colours_of_the_schemes() -> None:
    style = (Path(ROOT) / "static/css/fieldpost.css").read_text(encoding="utf-8")
    blocks = re.findall(r"\.plot \{([^}]*--plot-1[^}]*)\}", style)
    sides = tuple(SideId(str(n)) for n in range(1, 5))
    for block, scheme in zip(blocks, (COLOUR_BLIND, DARK), strict=True):
        written = dict(re.findall(r"--plot-(\w+): #(\w{6})", block))
        tones = colours_of_tones(scheme, sides)
        for n in range(1, 5):
            assert bytes.fromhex(written[str(n)]) == bytes(tones[f"side-{n}"])


def test_text_from_people_is_text_in_the_svg() -> None:
    hostile = replace(LINES, title='<script>"', unit="a & b\n<c>", curves=(Curve("</text><b>", RED, (1,) * 17),))
    svg = svg_plot(hostile)
    assert "<script" not in svg
    assert "<b>" not in svg
    assert "a &amp; b &lt;c&gt;" in svg


@pytest.mark.parametrize(
    ("figures", "named"),
    [
        ([0, 0], [0, 1]),
        ([1], [0, 1]),
        ([3, 7], [0, 2, 4, 6, 8]),
        ([3, 5], [0, 1, 2, 3, 4, 5]),
        ([76], [0, 20, 40, 60, 80]),
        ([4_350], [0, 1_000, 2_000, 3_000, 4_000, 5_000]),
        ([-3, 9], [-5, 0, 5, 10]),
        ([-1], [-1, 0, 1]),
    ],
)
def test_figures_that_are_named_are_round(figures: list[int], named: list[int]) -> None:
    assert ticks(figures) == named


def test_days_are_named_by_number_and_the_first_of_a_month_with_it() -> None:
    new_year = [day_moment(datetime.date(1944, 12, 30)), day_moment(datetime.date(1945, 1, 1))]
    assert short_names([Moment("Start"), *new_year]) == ["Start", "30 Dec", "1 Jan"]
    assert short_names(DAYS[:3]) == ["16 Dec", "17", "18"]


def test_the_table_of_a_plot_has_its_figures_in_words() -> None:
    assert replace(SHORT, so_far=True).rows == [("Start", "1,250,000"), ("16 December 1944, so far", "7")]
    assert BELOW.rows[0] == ("16 December 1944", "\N{MINUS SIGN}5")
