"""Notation: text to orders and back, and every way a line can be wrong."""

import re
from enum import Enum
from typing import Annotated, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.lexicon import Names, lexicon
from campaign.engine.notation import (
    MOST_CHARACTERS,
    MOST_IN_A_LINE,
    MOST_LINES,
    decode_text,
    format_order,
    parse,
    usage,
)
from campaign.engine.orders import Help, Keyword, Order, Path, Problem, Sheet, Text


class Stance(Enum):
    FIRM = "firm"
    LOOSE = "loose"


class March(Order, frozen=True):
    one_of: ClassVar[tuple[str, ...]] = ("path", "to")

    unit: Annotated[UnitId, Help("a unit")]
    path: Annotated[Path, Help("a path")] = ()
    to: Annotated[PlaceId | None, Keyword("to"), Help("a place")] = None
    quietly: Annotated[bool, Keyword("quietly")] = False


class DigIn(Order, frozen=True):
    unit: Annotated[UnitId, Help("a unit")]
    stance: Annotated[Stance, Help("a stance")]
    depth: Annotated[int | None, Keyword("depth"), Help("a depth")] = None


class Remark(Order, frozen=True):
    text: Annotated[Text, Help("some words")]


KINDS = (March, DigIn, Remark)
NAMES = Names(
    lexicon(
        "unit of yours",
        {
            UnitId("G-1SS"): ("1 SS", "1. SS-Panzer-Division"),
            UnitId("G-12SS"): ("12 SS",),
            UnitId("G-12VG"): ("12 VG",),
            UnitId("G-P"): ("KG Peiper", "G-P"),
            UnitId("U-26"): ("26/1",),
            UnitId("G-FBB"): ("Führer-Begleit-Brigade",),
        },
    ),
    lexicon(
        "place on this map",
        {PlaceId("Q19"): ("Q19",), PlaceId("Q20"): ("Q20", "St. Vith"), PlaceId("R21"): ("R21", "Malmédy")},
    ),
)


def read(text: str) -> Sheet:
    return parse(text, KINDS, NAMES)


def only_order(text: str) -> Order:
    sheet = read(text)
    assert sheet.problems == ()
    (placed,) = sheet.orders
    order: Order = placed.order
    return order


def only_problem(text: str) -> Problem:
    sheet = read(text)
    assert sheet.orders == ()
    (problem,) = sheet.problems
    return problem


PEIPER = March(UnitId("G-P"), path=(PlaceId("Q19"), PlaceId("Q20")))


@pytest.mark.parametrize(
    "line",
    [
        "MARCH KG Peiper Q19-Q20",
        "march peiper q19 q20",
        "  March   kg  peiper,Q19 , Q20  # through the woods",
        "MARCH G-P Q19→Q20",
        "MARCH KGPeiper Q19 \u2013 Q20",
        "MARCH Peiper Q19>Q20",
    ],
)
def test_a_line_may_be_written_in_many_ways(line: str) -> None:
    assert only_order(line) == PEIPER


@pytest.mark.parametrize("name", ["Malmédy", "malmedy", "MALMEDY", "R21"])
def test_places_go_by_town_or_number_without_accents(name: str) -> None:
    assert only_order(f"MARCH 1SS to {name}") == March(UnitId("G-1SS"), to=PlaceId("R21"))


@pytest.mark.parametrize("name", ["St. Vith", "st vith", "StVith"])
def test_a_name_of_several_words_is_matched_whole(name: str) -> None:
    assert only_order(f"MARCH 1 SS to {name} quietly") == March(UnitId("G-1SS"), to=PlaceId("Q20"), quietly=True)


class Shell(Order, frozen=True):
    at: Annotated[PlaceId, Help("a place")]
    rounds: Annotated[int, Help("a number")]


def test_a_number_after_a_hex_is_no_part_of_it() -> None:
    places = lexicon("place on this map", {PlaceId(each): (each,) for each in ("Q1", "Q12", "Q2")})
    names = Names(NAMES.units, places)
    for line, order in (
        ("SHELL Q1 2", Shell(PlaceId("Q1"), 2)),
        ("SHELL Q12 2", Shell(PlaceId("Q12"), 2)),
        ("SHELL Q 12 2", Shell(PlaceId("Q12"), 2)),
    ):
        assert [placed.order for placed in parse(line, (Shell,), names).orders] == [order]


def test_a_name_may_hold_a_stroke_or_an_umlaut() -> None:
    assert only_order("MARCH 26/1 Q19") == March(UnitId("U-26"), path=(PlaceId("Q19"),))
    assert only_order("MARCH fuehrer begleit brigade Q19") == only_order("MARCH fuhrer begleit brigade Q19")
    assert only_order("MARCH fuhrer begleit brigade Q19") == March(UnitId("G-FBB"), path=(PlaceId("Q19"),))


def test_verbs_of_two_words_choices_numbers_and_text() -> None:
    assert only_order("DIG IN 12 VG firm depth 3") == DigIn(UnitId("G-12VG"), Stance.FIRM, 3)
    assert only_order("REMARK 1SS must reach  Q19, whatever it costs") == Remark(
        Text("1SS must reach  Q19, whatever it costs")
    )


def test_free_text_runs_on_through_a_number_sign() -> None:
    assert only_order("REMARK hill #5 is ours") == Remark(Text("hill #5 is ours"))
    assert only_order("REMARK #5 too") == Remark(Text("#5 too"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_where_editors_end_them(end: str) -> None:
    sheet = read(f"MARCH 1SS Q19{end}nonsense\u2028MARCH Peiper Q19{end}MARCH Peiper Q19")
    assert [placed.line for placed in sheet.orders] == [1, 3]
    assert [problem.line for problem in sheet.problems] == [2]


def test_empty_lines_and_comments_are_nothing() -> None:
    assert read("\n   \n# only a comment\n") == Sheet((), ())


@pytest.mark.parametrize(
    ("line", "code", "column", "said"),
    [
        ("MRACH 1SS Q19", "verb", 1, "MARCH"),
        ("MARCH", "missing", 6, "a unit"),
        ("MARCH 1SS", "missing", 10, "a path or a place"),
        ("MARCH 1SS to", "missing", 13, "a place"),
        ("MARCH 1SS Q19 to Q20", "extra", 1, "not both"),
        ("MARCH 12 Q19", "ambiguous", 7, "12 SS or 12 VG"),
        ("MARCH 99 VG Q19", "unknown", 7, "'99 VG' is no unit of yours"),
        ("MARCH 26 Inf Q19", "unknown", 7, "'26 Inf' is no unit of yours"),
        ("MARCH 1 Panzer Q19", "unknown", 7, "'1 Panzer' is no unit of yours"),
        ("MARCH Pieper Q19", "unknown", 7, "KG Peiper"),
        ("MARCH 1SS to Malmody", "unknown", 14, "Malmédy"),
        ("MARCH 1SS Q19-Z99", "place", 11, "'Z99' is no hex of this map"),
        ("MARCH 1SS Q19-Malmedy", "place", 11, "to Malmedy"),
        ("REMARK", "missing", 7, "some words"),
        ("REMARK a\x00b", "character", 9, "U+0000"),
        ("REMARK \ud800", "character", 8, "U+D800"),
        ("REMARK a\x0bMARCH 1SS Q19", "character", 9, "U+000B"),
        ("DIG IN 1SS firmly", "word", 12, "firm"),
        ("DIG IN 1SS firm depth two", "number", 23, "'two' is no whole number"),
        ("DIG IN 1SS firm deep", "extra", 17, "'deep' is not understood"),
    ],
)
def test_a_faulty_line_says_what_where_and_how_to_mend_it(line: str, code: str, column: int, said: str) -> None:
    problem = only_problem(line)
    assert (problem.code, problem.line, problem.column) == (code, 1, column)
    assert said in f"{problem.message} {problem.hint}"


def test_a_faulty_line_leaves_the_others_alone() -> None:
    sheet = read("MARCH 1SS Q19\nnonsense\nMARCH Peiper Q19-Q20")
    assert [placed.line for placed in sheet.orders] == [1, 3]
    assert [problem.line for problem in sheet.problems] == [2]


def test_a_megabyte_is_answered_and_not_read() -> None:
    (problem,) = read("MARCH 1SS Q19\n" * 75_000).problems
    assert problem.code == "too-long"
    assert f"{MOST_CHARACTERS:,}" in problem.message
    assert problem.line == MOST_CHARACTERS // 14 + 1


def test_lines_have_limits() -> None:
    sheet = read("#\n" * MOST_LINES + "MARCH 1SS Q19\nMARCH Peiper Q19")
    assert [(problem.code, problem.line) for problem in sheet.problems] == [("too-long", MOST_LINES + 1)]
    assert only_problem("REMARK " + "x" * MOST_IN_A_LINE).code == "too-long"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_usual_encodings_are_read(encoding: str) -> None:
    assert decode_text("MOVE 1SS to Malmédy".encode(encoding)) == "MOVE 1SS to Malmédy"


def test_both_marks_of_utf_16_are_known() -> None:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        assert decode_text(mark + "MOVE 1SS to Malmédy".encode(encoding)) == "MOVE 1SS to Malmédy"


def test_another_encoding_is_named_where_it_shows() -> None:
    answer = decode_text("# sheet\nMOVE 1SS to Malmédy".encode("latin-1"))
    assert isinstance(answer, Sheet)
    (problem,) = answer.problems
    assert (problem.code, problem.line, problem.column) == ("encoding", 2, 17)
    assert "UTF-8" in problem.hint


def test_usage_is_made_from_the_fields() -> None:
    assert usage(DigIn) == "Write: DIG IN <unit> firm|loose [depth <number>]."
    assert usage(March) == "Write: MARCH <unit> [<path>] [to <place>] [quietly]."


hexes = st.sampled_from([PlaceId("Q19"), PlaceId("Q20"), PlaceId("R21")])
units = st.sampled_from(list(NAMES.units.usual))
orders = st.one_of(
    st.builds(March, units, path=st.lists(hexes, min_size=1).map(tuple), quietly=st.booleans()),
    st.builds(March, units, to=hexes, quietly=st.booleans()),
    st.builds(DigIn, units, st.sampled_from(Stance), st.none() | st.integers(0, 999_999)),
    st.builds(Remark, st.text(st.characters(exclude_categories=["C"]), max_size=60).map(str.strip).filter(bool)),
)


@given(orders)
def test_an_order_survives_being_written_and_read(order: Order) -> None:
    assert only_order(format_order(order, NAMES)) == order


@given(st.text(max_size=200))
def test_any_text_is_answered(text: str) -> None:
    sheet = read(text)
    lines = re.split(r"\r\n|\r|\n", text)
    for problem in sheet.problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.message


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(data: bytes) -> None:
    answer = decode_text(data)
    assert isinstance(answer, str) or answer.problems
