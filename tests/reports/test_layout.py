import pytest

from campaign.reports import Table
from campaign.reports.layout import Align, alignments, clean, display_width, hanging, table_lines, wrap


def table(*rows: tuple[str, ...], head: tuple[str, ...] = (), title: str = "") -> Table:
    return Table(title=title, head=head, rows=rows)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  two \t lines\r\nof\u2028text\u00a0 ", "two lines of text"),
        ("bell\a, null\0, delete\x7f", "bell, null, delete"),
        ("KG \u202eretep\u202c \u2066x\u2069", "KG retep x"),
        ("Büllingen – „Führer“", "Büllingen – „Führer“"),
    ],
)
def test_clean_keeps_printable_characters_of_one_line(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "width"), [("Büllingen", 9), ("Bu\u0308llingen", 9), ("硫黄島", 6), ("a\u2060b", 2), ("", 0)]
)
def test_display_width_counts_columns(text: str, width: int) -> None:
    assert display_width(text) == width


def test_wrap_breaks_at_spaces_and_never_at_hyphens() -> None:
    assert wrap("the Führer-Begleit-Brigade arrives", 23) == ["the", "Führer-Begleit-Brigade", "arrives"]


def test_wrap_uses_the_whole_width() -> None:
    assert wrap("12 34 56", 5) == ["12 34", "56"]


def test_wrap_cuts_a_word_that_fits_no_line() -> None:
    assert wrap("to Losheimergraben now", 6) == ["to", "Loshei", "mergra", "ben", "now"]


def test_wrap_counts_columns_not_characters() -> None:
    assert wrap("硫黄島 硫黄島", 6) == ["硫黄島", "硫黄島"]


def test_wrap_gives_one_line_for_no_words() -> None:
    assert wrap("", 10) == [""]


def test_hanging_puts_further_lines_under_the_first() -> None:
    assert hanging("one two three", mark="- ", width=9) == ["- one two", "  three"]


@pytest.mark.parametrize(
    "cells",
    [("1", "23"), ("+1", "-2"), ("−3", "4,5"), ("82 %", "100%"), ("7", ""), ("7", "—"), ("1.5", "-")],
)
def test_columns_of_numbers_are_aligned_to_the_right(cells: tuple[str, ...]) -> None:
    assert alignments(table(*((cell,) for cell in cells))) == (Align.RIGHT,)


@pytest.mark.parametrize("cells", [("Q19", "7"), ("", ""), ("12. VGD", "3"), ("2 of 5", "1"), ("—", "")])
def test_columns_of_words_are_aligned_to_the_left(cells: tuple[str, ...]) -> None:
    assert alignments(table(*((cell,) for cell in cells))) == (Align.LEFT,)


def test_a_table_is_aligned_under_its_title_and_head() -> None:
    lines = table_lines(
        table(("Büllingen", "3", "x"), ("Bu\u0308tgenbach", "12", ""), head=("Town", "VP", "By"), title="Towns"),
        78,
    )

    assert lines == [
        "Towns",
        "  Town        VP  By",
        "  ----------  --  --",
        "  Büllingen    3  x",
        "  Bu\u0308tgenbach  12",
    ]


def test_a_table_without_head_has_no_rule() -> None:
    assert table_lines(table(("Weather", "Snow"), ("Wind", "")), 78) == ["  Weather  Snow", "  Wind"]


def test_a_table_that_is_too_wide_wraps_in_its_widest_cells_between_words() -> None:
    lines = table_lines(table(("FBB", "near Losheimergraben station"), ("1 SS", "here")), 24)

    assert lines == ["  FBB   near", "        Losheimergraben", "        station", "  1 SS  here"]


def test_words_are_cut_only_when_columns_of_single_words_are_too_wide() -> None:
    assert table_lines(table(("Losheimergraben", "Lanzerath")), 16) == [
        "  Loshei  Lanzer",
        "  mergra  ath",
        "  ben",
    ]


def test_a_long_title_of_a_table_is_wrapped() -> None:
    assert table_lines(table(("1", "2"), title="Order of battle"), 9) == ["Order of", "battle", "  1  2"]
