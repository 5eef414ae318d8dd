"""Notation: text to orders and back, and every way a line can be wrong."""

import re
from enum import Enum
from typing import Annotated, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.orders.grammar import usage
from campaign.engine.orders.lexicon import Names, lexicon
from campaign.engine.orders.notation import (
    MOST_CHARACTERS,
    MOST_IN_A_LINE,
    MOST_LINES,
    decode_text,
    format_order,
    parse,
)
from campaign.engine.orders.order import Help, Keyword, Order, Path, Problem, Severity, Sheet, Text
from campaign.engine.values.ids import PlaceId, UnitId


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


class Lend(Order, frozen=True):
    unit: Annotated[UnitId, Help("a unit")]
    points: Annotated[int, Help("so many points")]


class SendAllTrucksTo(Order, frozen=True):
    unit: Annotated[UnitId, Help("a unit")]
    place: Annotated[PlaceId, Help("a place")]


KINDS = (March, DigIn, Remark, Lend, SendAllTrucksTo)
NAMES = Names(
    lexicon(
        "one of your units",
        {
            UnitId("G-1SS"): ("1 SS", "1. SS-Panzer-Division"),
            UnitId("G-12SS"): ("12 SS",),
            UnitId("G-12VG"): ("12 VG",),
            UnitId("G-P"): ("KG Peiper", "G-P"),
            UnitId("U-26"): ("26/1",),
            UnitId("G-FBB"): ("Führer-Begleit-Brigade",),
            UnitId("G-A"): ("Battle group Adler",),
            UnitId("G-F"): ("Battle group Falke",),
        },
    ),
    lexicon(
        "a place on this map",
        {
            PlaceId("Q19"): ("Q19",),
            PlaceId("Q20"): ("Q20", "St. Vith"),
            PlaceId("R21"): ("R21", "Malmédy"),
            PlaceId("R22"): ("Baraque-Fraiture",),
            PlaceId("R23"): ("Basse Bodeux",),
        },
        ids="a hex of this map",
        path_help="A path is written in hex numbers, Q20-R21-R22; for a town write: to Malmédy.",
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
    places = lexicon("a place on this map", {PlaceId(each): (each,) for each in ("Q1", "Q12", "Q2")})
    names = Names(NAMES.units, places)
    for line, order in (
        ("SHELL Q1 2", Shell(PlaceId("Q1"), 2)),
        ("SHELL q1 2", Shell(PlaceId("Q1"), 2)),
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


HOW_TO_MARCH = "Write: MARCH <unit> [<path>] [to <place>] [quietly], keywords in any order."
HOW_TO_DIG = "Write: DIG IN <unit> firm|loose [depth <number>]."
IN_NUMBERS = NAMES.places.path_help
NEAR_BODEUX = "Did you mean Basse Bodeux?"
BATTLE_GROUPS = "Battle group Adler or Battle group Falke"
ALL_ORDERS = "Orders of this phase: DIG IN, LEND, MARCH, REMARK, SEND ALL TRUCKS TO."


@pytest.mark.parametrize(
    ("line", "code", "column", "message", "hint"),
    [
        ("MRACH 1SS Q19", "verb", 1, "'MRACH' is not an order of this phase", "Did you mean MARCH?"),
        ("XYZZY", "verb", 1, "'XYZZY' is not an order of this phase", ALL_ORDERS),
        ("MARCH", "missing", 6, "MARCH needs a unit", HOW_TO_MARCH),
        ("MARCH 1SS", "missing", 10, "MARCH needs a path or a place", HOW_TO_MARCH),
        ("MARCH 1SS # to # Q19", "missing", 10, "MARCH needs a path or a place", HOW_TO_MARCH),
        ("MARCH 1SS to", "missing", 13, "a place is missing", ""),
        ("MARCH 1SS Q19 to Q20", "extra", 1, "MARCH takes a path or a place, not both", HOW_TO_MARCH),
        ("MARCH 12 Q19", "ambiguous", 7, "'12' could mean 12 SS or 12 VG", "Write the full name."),
        (
            "MARCH battle group Q19",
            "ambiguous",
            7,
            f"'battle group' could mean {BATTLE_GROUPS}",
            "Write the full name.",
        ),
        ("MARCH 99 VG Q19", "unknown", 7, "'99 VG' is not one of your units", "Did you mean 12 VG?"),
        ("MARCH 99 VG q19", "unknown", 7, "'99 VG' is not one of your units", "Did you mean 12 VG?"),
        ("MARCH 26 Inf Q19", "unknown", 7, "'26 Inf' is not one of your units", ""),
        (
            "MARCH 1 Panzer Q19",
            "unknown",
            7,
            "'1 Panzer' is not one of your units",
            "Did you mean 1. SS-Panzer-Division?",
        ),
        ("MARCH Pieper Q19", "unknown", 7, "'Pieper' is not one of your units", "Did you mean KG Peiper?"),
        ("MARCH Nobody to Q19", "unknown", 7, "'Nobody' is not one of your units", ""),
        ("MARCH 1SS to Malmody", "unknown", 14, "'Malmody' is not a place on this map", "Did you mean Malmédy?"),
        ("MARCH 1SS to Bodeux nowhere", "unknown", 14, "'Bodeux nowhere' is not a place on this map", NEAR_BODEUX),
        ("MARCH 1SS Q19-Z99", "place", 11, "'Z99' is not a hex of this map", IN_NUMBERS),
        ("MARCH 1SS Q19-Malmedy", "place", 11, "'Malmedy' is not a hex of this map", IN_NUMBERS),
        ("MARCH Peiper Z99", "place", 14, "'Z99' is not a hex of this map", IN_NUMBERS),
        ("MARCH Peiper z99", "place", 14, "'z99' is not a hex of this map", IN_NUMBERS),
        ("REMARK", "missing", 7, "REMARK needs some words", "Write: REMARK <text>."),
        ("REMARK a\x00b", "character", 9, "the character U+0000 cannot be used in a sheet", "Delete it."),
        ("REMARK \ud800", "character", 8, "the character U+D800 cannot be used in a sheet", "Delete it."),
        ("REMARK a\x0bMARCH", "character", 9, "the character U+000B cannot be used in a sheet", "Delete it."),
        ("REMARK " + "x" * MOST_IN_A_LINE, "too-long", 1001, "a line can have at most 1000 characters", "Split it."),
        ("DIG IN 1SS firmly", "word", 12, "'firmly' is not one of firm, loose", "Did you mean firm?"),
        ("DIG IN 1SS fort", "word", 12, "'fort' is not one of firm, loose", "Did you mean firm?"),
        ("DIG IN 1SS xyz", "word", 12, "'xyz' is not one of firm, loose", ""),
        ("DIG IN 1SS firm depth", "missing", 22, "a depth is missing", ""),
        ("DIG IN 1SS firm depth two", "number", 23, "'two' is not a whole number", ""),
        ("DIG IN 1SS firm depth 1234567", "number", 23, "'1234567' is not a whole number", ""),
        ("DIG IN 1SS firm very deep", "extra", 17, "'very deep' does not belong in a DIG IN line", HOW_TO_DIG),
    ],
)
def test_a_problem_of_a_line_says_what_is_wrong_where_and_what_to_do(
    line: str, code: str, column: int, message: str, hint: str
) -> None:
    assert only_problem(line) == Problem(code, Severity.ERROR, 1, column, message, hint, "NOTATION")


AREAS = Names(
    NAMES.units, lexicon("an area", {PlaceId("mill"): ("mill", "Old"), PlaceId("quay"): ("quay", "West Quay")})
)


@pytest.mark.parametrize(
    ("path", "column", "message", "hint"),
    [
        ("mill-West", 11, "'West' is not an area", ""),
        ("mill West-Quay", 16, "'West' is not an area", ""),
        ("mill qay", 16, "'qay' is not an area", "Did you mean quay?"),
        ("nowhere", 11, "'nowhere' is not an area", ""),
    ],
)
def test_where_places_are_no_hexes_a_faulty_path_has_a_hint(path: str, column: int, message: str, hint: str) -> None:
    (problem,) = parse(f"MARCH 1SS {path}", KINDS, AREAS).problems
    assert problem == Problem("place", Severity.ERROR, 1, column, message, hint, "NOTATION")


def test_a_path_with_a_part_of_a_name_is_told_the_id_to_write() -> None:
    ids = lexicon("an area", {PlaceId("mill"): ("Mill",), PlaceId("sv"): ("St. Vith",)})
    (problem,) = parse("MARCH 1SS mill-Vith", KINDS, Names(NAMES.units, ids)).problems
    assert (problem.message, problem.hint) == ("'Vith' is not an area", "In a path write sv.")


def test_a_name_in_a_path_may_end_in_a_letter_before_a_comma() -> None:
    areas = lexicon("an area", {PlaceId("a"): ("Hill A",), PlaceId("mill"): ("Mill",)})
    (placed,) = parse("MARCH 1SS Hill A, Mill", KINDS, Names(NAMES.units, areas)).orders
    assert placed.order == March(UnitId("G-1SS"), path=(PlaceId("a"), PlaceId("mill")))


@pytest.mark.parametrize(
    "path",
    ["MILL-quay", "mill quay", "Old-West Quay", "old west quay", "Mill, West Quay", "mill \N{RIGHTWARDS ARROW} quay"],
)
def test_where_places_are_no_hexes_a_path_is_written_in_ids_or_names(path: str) -> None:
    (placed,) = parse(f"MARCH 1SS {path} quietly", KINDS, AREAS).orders
    assert placed.order == March(UnitId("G-1SS"), path=(PlaceId("mill"), PlaceId("quay")), quietly=True)
    written = format_order(placed.order, AREAS)
    assert [again.order for again in parse(written, KINDS, AREAS).orders] == [placed.order]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("MARCH Peiper to Q19", March(UnitId("G-P"), to=PlaceId("Q19"))),
        ("MARCH Peiper TO Q19", March(UnitId("G-P"), to=PlaceId("Q19"))),
        ("MARCH 1SS to Bodeux", March(UnitId("G-1SS"), to=PlaceId("R23"))),
        ("MARCH 1SS to Bodeux quietly", March(UnitId("G-1SS"), to=PlaceId("R23"), quietly=True)),
        ("LEND Peiper 3", Lend(UnitId("G-P"), 3)),
        ("SEND ALL TRUCKS TO Peiper Malmedy", SendAllTrucksTo(UnitId("G-P"), PlaceId("R21"))),
        ("SEND ALL TRUCKS TO Peiper St. Vith", SendAllTrucksTo(UnitId("G-P"), PlaceId("Q20"))),
        ("SEND ALL TRUCKS TO Peiper Baraque-Fraiture", SendAllTrucksTo(UnitId("G-P"), PlaceId("R22"))),
        ("send all trucks to Peiper Basse Bodeux", SendAllTrucksTo(UnitId("G-P"), PlaceId("R23"))),
    ],
)
def test_a_shortened_name_ends_where_something_of_its_own_begins(line: str, order: Order) -> None:
    assert only_order(line) == order


def test_every_sort_of_field_can_be_left_out_but_the_one_that_is_needed() -> None:
    """The type is made here so that its grammar is."""

    class Report(Order, frozen=True):
        strength: int
        note: Text
        stance: Annotated[Stance | None, "shown on the form", Help("how they stand")] = None
        more: Text | None = None

    class Post(Order, frozen=True):
        unit: Annotated[UnitId, "shown on the form", Help("a unit")]
        at: Annotated[PlaceId | None, Help("a place"), Keyword("at"), "shown on the form"] = None
        quietly: Annotated[bool, Keyword("quietly")] = False

    kinds = (Report, Post)
    assert usage(Report) == "Write: REPORT <number> <text> [firm|loose] [<text>]."
    assert usage(Post) == "Write: POST <unit> [at <place>] [quietly], keywords in any order."
    reported, posted = (placed.order for placed in parse("REPORT 7 all is well\nPOST 1SS at Q19", kinds, NAMES).orders)
    assert reported == Report(7, Text("all is well"))
    assert posted == Post(UnitId("G-1SS"), PlaceId("Q19"))
    messages = [problem.message for problem in parse("REPORT\nREPORT 7\nPOST\nPOST 1SS at", kinds, NAMES).problems]
    assert messages == ["REPORT needs strength", "REPORT needs note", "POST needs a unit", "a place is missing"]


def test_fields_with_a_keyword_come_in_any_order() -> None:
    class Load(Order, frozen=True):
        men: Annotated[int, Keyword("men")]
        guns: Annotated[int, Keyword("guns")] = 0
        via: Annotated[Path, Keyword("via")] = ()

    assert usage(Load) == "Write: LOAD men <number> [guns <number>] [via <path>], in any order."
    lines = "LOAD guns 2 men 3\nLOAD via Q19 Q20 men 3 guns 2\nLOAD guns 2\nLOAD men 3 guns 2 men 4\nLOAD via Q19 guns"
    sheet = parse(lines, (Load,), NAMES)
    assert [placed.order for placed in sheet.orders] == [
        Load(3, 2),
        Load(3, 2, (PlaceId("Q19"), PlaceId("Q20"))),
    ]
    assert [(each.line, each.column, each.message) for each in sheet.problems] == [
        (3, 12, "LOAD needs men"),
        (4, 19, "'men 4' does not belong in a LOAD line"),
        (5, 18, "guns is missing"),
    ]
    assert only_order("MARCH 1SS quietly to Malmedy") == March(UnitId("G-1SS"), to=PlaceId("R21"), quietly=True)


def test_a_faulty_line_leaves_the_others_alone() -> None:
    sheet = read("MARCH 1SS Q19\nnonsense\nMARCH Peiper Q19-Q20")
    assert [placed.line for placed in sheet.orders] == [1, 3]
    assert [problem.line for problem in sheet.problems] == [2]


def test_a_megabyte_is_answered_and_not_read() -> None:
    sheet = read("\n" + "MARCH 1SS Q19\n" * 75_000)
    message = "the sheet has 1,050,001 characters; at most 65,536 are read"
    hint = "Shorten it; nothing of this version was read."
    line = 2 + (MOST_CHARACTERS - 1) // 14
    assert sheet == Sheet((), (Problem("too-long", Severity.ERROR, line, 1, message, hint, "NOTATION"),))


def test_a_sheet_of_the_greatest_length_is_read() -> None:
    remark = "REMARK " + "x" * (MOST_IN_A_LINE - len("REMARK "))
    full = (remark + "\n") * 65
    sheet = read(full + "#" * (MOST_CHARACTERS - len(full)))
    assert (len(sheet.orders), sheet.problems) == (65, ())


def test_lines_have_limits() -> None:
    sheet = read("#\n" * (MOST_LINES - 1) + "MARCH 1SS Q19\nMARCH 1SS Q20\nMARCH Peiper Q19")
    assert [placed.line for placed in sheet.orders] == [MOST_LINES]
    (problem,) = sheet.problems
    line = MOST_LINES + 1
    assert problem == Problem(
        "too-long", Severity.ERROR, line, 1, "only the first 1000 lines are read", "Shorten the sheet.", "NOTATION"
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_usual_encodings_are_read(encoding: str) -> None:
    assert decode_text("MOVE 1SS to Malmédy".encode(encoding)) == "MOVE 1SS to Malmédy"


def test_both_marks_of_utf_16_are_known() -> None:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        assert decode_text(mark + "MOVE 1SS to Malmédy".encode(encoding)) == "MOVE 1SS to Malmédy"


@pytest.mark.parametrize(
    ("data", "line", "column", "name"),
    [
        ("# a\n# sheet\nMOVE 1SS to Malmédy".encode("latin-1"), 3, 17, "UTF-8"),
        ("# é\n# é ".encode() + b"\xe9", 2, 5, "UTF-8"),
        (b"\xef\xbb\xbfMOVE \xe9", 1, 6, "UTF-8"),
        (b"\xff\xfe" + "MOVE\n1 é".encode("utf-16-le") + b"!", 2, 4, "UTF-16"),
    ],
)
def test_another_encoding_is_named_where_it_shows(data: bytes, line: int, column: int, name: str) -> None:
    message = f"the sheet is not valid {name} text"
    hint = "Save the sheet as UTF-8 and submit it again; nothing of this version was read."
    wanted = Problem("encoding", Severity.ERROR, line, column, message, hint, "NOTATION")
    assert decode_text(data) == Sheet((), (wanted,))


def test_usage_is_made_from_the_fields() -> None:
    assert usage(DigIn) == HOW_TO_DIG
    assert usage(March) == HOW_TO_MARCH


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
