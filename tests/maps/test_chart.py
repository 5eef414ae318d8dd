from io import BytesIO

import pytest
from PIL import Image

from campaign.engine.display.views import Panel, View
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.engine.values.value import replace
from campaign.maps import draw_chart
from campaign.maps.chart import WIDTH
from tests.maps.examples import BASE, EMPTY, RED, RED_VIEW, table

AIR = Panel("air", "Air units [R3.5]", ("Box", "Red", "Blue"), (("Close air support", "2", "–"),))
CHART = (table("weather", ("Today", "Snow")), AIR, table("fuel", ("Reserve", "12 points")))
VIEW = replace(RED_VIEW, chart=CHART)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def pixels(view: View) -> bytes:
    return opened(draw_chart(BASE, view)).convert("RGB").tobytes()


def chunks(png: bytes) -> list[bytes]:
    kinds, at = [], 8
    while at < len(png):
        kinds.append(png[at + 4 : at + 8])
        at += 12 + int.from_bytes(png[at : at + 4], "big")
    return kinds


def rows_of(count: int, key: str = "long") -> Panel:
    return Panel(key, "Objectives", (), tuple((f"Place {n}", str(n)) for n in range(count)))


def test_equal_views_give_equal_bytes() -> None:
    assert draw_chart(BASE, VIEW) == draw_chart(BASE, replace(VIEW))


def test_it_is_an_indexed_picture_that_says_nothing_of_its_making() -> None:
    png = draw_chart(BASE, VIEW)
    picture = opened(png)
    assert (picture.mode, picture.width, picture.info) == ("P", WIDTH, {})
    assert chunks(png) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


def test_nothing_but_the_chart_of_a_view_and_its_title_is_drawn() -> None:
    bare = replace(EMPTY, **{name: getattr(VIEW, name) for name in ("audience", "audience_title", "campaign")})
    bare = replace(bare, **{name: getattr(VIEW, name) for name in ("date", "stop", "next_stop", "chart")})
    assert draw_chart(BASE, bare) == draw_chart(BASE, VIEW)


@pytest.mark.parametrize(
    "other",
    [
        {"chart": (*CHART[:2], table("fuel", ("Reserve", "13 points")))},
        {"chart": CHART[:2]},
        {"campaign": "Another"},
        {"date": "17 December 1944"},
        {"stop": "Dawn"},
        {"next_stop": ""},
        {"audience_title": "Rot"},
    ],
)
def test_every_change_is_seen(other: dict[str, object]) -> None:
    assert pixels(replace(VIEW, **other)) != pixels(VIEW)


def test_each_audience_has_a_colour_as_well_as_a_name() -> None:
    seen = {pixels(replace(VIEW, audience=Audience(who))) for who in (RED, "blue", GM, PUBLIC)}
    assert len(seen) == 4


def test_names_of_sides_are_printed_in_their_colours() -> None:
    def colours(word: str) -> set[tuple[int, ...]]:
        picture = opened(draw_chart(BASE, replace(EMPTY, chart=(table("vp", (word, "1")),)))).convert("RGB")
        return {colour for _, colour in picture.getcolors(100_000) or [] if isinstance(colour, tuple)}

    assert len({frozenset(colours(word)) for word in ("Red", "Blue", "Grey")}) == 3


def test_it_is_as_high_as_its_tables_need_and_long_ones_share_columns() -> None:
    one = opened(draw_chart(BASE, replace(EMPTY, chart=(rows_of(30),))))
    three = opened(draw_chart(BASE, replace(EMPTY, chart=tuple(rows_of(30, str(n)) for n in range(3)))))
    four = opened(draw_chart(BASE, replace(EMPTY, chart=tuple(rows_of(30, str(n)) for n in range(4)))))
    assert one.height == three.height < four.height


def test_tables_without_rows_are_left_out() -> None:
    assert draw_chart(BASE, replace(VIEW, chart=(*CHART, rows_of(0)))) == draw_chart(BASE, VIEW)


@pytest.mark.parametrize("text", ["", "W" * 200, "ÄÖÜ ß – ’", "a\nb\u202e", "漢字"])
def test_any_text_can_be_printed(text: str) -> None:
    odd = (Panel("odd", text, (text, text), ((text, text, text), (text,))), Panel("odder", text, (), ((text,),)))
    view = View(PUBLIC, text, text, text, text, text, chart=odd)
    assert opened(draw_chart(BASE, view)).size[0] == WIDTH
