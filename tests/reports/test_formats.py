from collections.abc import Callable
from pathlib import Path

import pytest

from campaign.reports import (
    Block,
    Dialect,
    Document,
    Heading,
    Headlines,
    Item,
    Items,
    Paragraph,
    Picture,
    Rule,
    Spoiler,
    Table,
    report,
    to_bbcode,
    to_html,
    to_markdown,
    to_text,
)
from campaign.reports.writing import WORD_JOINER
from tests.reports.examples import ENDED, GERMAN

EXPECTED = Path(__file__).parent / "expected"


def to_phpbb(document: Document) -> str:
    return to_bbcode(document, Dialect.PHPBB)


def to_xenforo(document: Document) -> str:
    return to_bbcode(document, Dialect.XENFORO)


FORMATS = {
    "german.md": to_markdown,
    "german.phpbb": to_phpbb,
    "german.xenforo": to_xenforo,
    "german.txt": to_text,
    "german.html": to_html,
}


def body(write: Callable[[Document], str], *blocks: Block) -> str:
    """What a format makes of the blocks, without title and audience."""
    head = write(Document(title="T", audience="A", blocks=())).removesuffix("</article>\n").rstrip()
    whole = write(Document(title="T", audience="A", blocks=blocks))
    assert whole.startswith(head)
    return whole.removeprefix(head).removesuffix("</article>\n").strip("\n")


def line(write: Callable[[Document], str], text: str) -> str:
    return body(write, Paragraph((text,)))


def table(*rows: tuple[str, ...], head: tuple[str, ...] = (), title: str = "") -> Table:
    return Table(title=title, head=head, rows=rows)


# --- every format -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_report_reads_as_the_one_that_was_read_and_approved(name: str) -> None:
    """After a change of layout, read the new report as a player would before it replaces the file."""
    assert FORMATS[name](report(GERMAN)) == (EXPECTED / name).read_text(encoding="utf-8")


BLANKS = Document(
    title="", audience="", blocks=(Heading(" "), Items((Item(("",), ("",)),)), table(("",), ("7",), title="\n"))
)


@pytest.mark.parametrize("write", FORMATS.values())
@pytest.mark.parametrize("document", [report(GERMAN), report(ENDED), BLANKS], ids=["german", "ended", "blanks"])
def test_lines_end_cleanly(write: Callable[[Document], str], document: Document) -> None:
    written = write(document)

    assert written.endswith("\n")
    assert not written.endswith("\n\n")
    assert [line for line in written.split("\n") if line != line.rstrip()] == []


@pytest.mark.parametrize("write", FORMATS.values())
def test_an_empty_report_says_for_whom_it_is_and_that_all_is_over(write: Callable[[Document], str]) -> None:
    written = write(report(ENDED))

    for words in (
        "Herbstnebel: 31 December 1944, Allied battles",
        "For: ",
        "Public",
        "The campaign has ended.",
    ):
        assert words in written


# --- Markdown -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("12. Volksgrenadier-Division", r"12\. Volksgrenadier-Division"),
        ("3) the third", r"3\) the third"),
        ("12.5 points, 1944.", "12.5 points, 1944."),
        ("- no list", r"\- no list"),
        ("+ no list", r"\+ no list"),
        ("+1 crossing the Our", "+1 crossing the Our"),
        ("-4 storm", "-4 storm"),
        ("---", r"\---"),
        ("# no heading", r"\# no heading"),
        ("## heading ##", r"\## heading \#\#"),
        ("> no quote", r"\> no quote"),
        ("K14 -> K15", "K14 -> K15"),
        ("*bold* _it_ ~~out~~ `code`", r"\*bold\* \_it\_ \~\~out\~\~ \`code\`"),
        ("[a](b) ![c](d)", r"\[a\](b) !\[c\](d)"),
        ("<b> a | b \\", r"\<b> a \| b \\"),
        ("&lt; & R&R", r"\&lt; & R&R"),
        ("ask @all", f"ask @{WORD_JOINER}all"),
        ("18:00 @ Spa", "18:00 @ Spa"),
        ("line\n\n# two", "line # two"),
    ],
)
def test_markdown_shows_text_as_it_is(text: str, markdown: str) -> None:
    assert line(to_markdown, text) == markdown


@pytest.mark.parametrize(
    ("write", "written"),
    [
        (to_markdown, "- **Auw is taken**\n- **1 \\* 2**"),
        (to_phpbb, "[list]\n[*][b]Auw is taken[/b]\n[*][b]1 * 2[/b]\n[/list]"),
        (to_xenforo, "[list]\n[*][b]Auw is taken[/b]\n[*][b]1 * 2[/b]\n[/list]"),
        (to_text, "- Auw is taken\n- 1 * 2"),
        (to_html, '<ul class="headlines">\n<li>Auw is taken</li>\n<li>1 * 2</li>\n</ul>'),
    ],
)
def test_headlines_stand_out(write: Callable[[Document], str], written: str) -> None:
    assert body(write, Headlines(("Auw is taken", "1 * 2"))) == written


def test_markdown_lists_reasons_below_their_line() -> None:
    items = Items((Item(("1. SS moves.", Rule("R4.2")), ("1. reason", "b")), Item(("Snow.",))))

    assert body(to_markdown, items).split("\n") == [
        r"- 1\. SS moves. [R4.2]",
        r"  - 1\. reason",
        "  - b",
        "- Snow.",
    ]


def test_markdown_tables_have_a_title_and_numbers_to_the_right() -> None:
    fuel = table(("a|b", "23"), head=("Day", "Fuel"), title="1. Fuel")

    assert body(to_markdown, fuel) == "\n".join(
        (r"**1\. Fuel**", "", "| Day | Fuel |", "| --- | ---: |", r"| a\|b | 23 |")
    )


def test_markdown_tables_without_head_get_an_empty_one() -> None:
    assert body(to_markdown, table(("Weather", "Snow"))) == "|  |  |\n| --- | --- |\n| Weather | Snow |"


def test_markdown_folds_spoilers() -> None:
    spoiler = Spoiler(title="<Units>", blocks=(Paragraph(("*none*",)), Paragraph(("yet",))))

    assert body(to_markdown, spoiler) == (
        "<details><summary>&lt;Units&gt;</summary>\n\n\\*none\\*\n\nyet\n\n</details>"
    )


def test_markdown_pictures_keep_their_address_in_its_brackets() -> None:
    picture = Picture(url="https://example.org/m/a b(1).png", alt="Map [German side]")

    assert body(to_markdown, picture) == (r"![Map \[German side\]](https://example.org/m/a%20b%281%29.png)")


# --- BBCode -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [to_phpbb, to_xenforo])
@pytest.mark.parametrize(
    ("text", "bbcode"),
    [
        ("[b]bold[/b]", f"[{WORD_JOINER}b]bold[{WORD_JOINER}/b]"),
        ("[*] [[i]", f"[{WORD_JOINER}*] [{WORD_JOINER}[{WORD_JOINER}i]"),
        ("a [", f"a [{WORD_JOINER}"),
        ("see [R4.2] and [B-12]", "see [R4.2] and [B-12]"),
        ("@all", f"@{WORD_JOINER}all"),
        ("*stars* <angle> a | b & {c}", "*stars* <angle> a | b & {c}"),
    ],
)
def test_bbcode_shows_text_as_it_is(write: Callable[[Document], str], text: str, bbcode: str) -> None:
    assert line(write, text) == bbcode


@pytest.mark.parametrize("write", [to_phpbb, to_xenforo])
def test_bbcode_lists_reasons_below_their_line(write: Callable[[Document], str]) -> None:
    items = Items((Item(("Moves.", Rule("R4.2")), ("a", "b")), Item(("Snow.", Rule("b")))))

    assert body(write, items).split("\n") == [
        "[list]",
        "[*]Moves. [R4.2]",
        "[list]",
        "[*]a",
        "[*]b",
        "[/list]",
        f"[*]Snow. [{WORD_JOINER}b]",
        "[/list]",
    ]


@pytest.mark.parametrize("write", [to_phpbb, to_xenforo])
def test_bbcode_pictures_cannot_leave_their_tag(write: Callable[[Document], str]) -> None:
    assert body(write, Picture(url="https://example.org/[/img].png", alt="Map")) == (
        "[img]https://example.org/%5B/img%5D.png[/img]"
    )


def test_phpbb_headings_are_sizes() -> None:
    assert body(to_phpbb, Heading("Supply")) == "[size=120][b]Supply[/b][/size]"
    assert to_phpbb(report(ENDED)).startswith("[size=150][b]Herbstnebel: 31 December 1944, Allied battles[/b][/size]")


def test_phpbb_tables_in_a_row_share_one_code_box() -> None:
    fuel, weather = table(("[/code]", "7"), head=("A", "B")), table(("Weather", "Snow"), title="Day")

    assert body(to_phpbb, fuel, weather, Paragraph(("x",)), weather).split("\n") == [
        "[code]",
        "  A        B",
        "  -------  -",
        f"  [{WORD_JOINER}/code]  7",
        "",
        "Day",
        "  Weather  Snow",
        "[/code]",
        "",
        "x",
        "",
        "[code]",
        "Day",
        "  Weather  Snow",
        "[/code]",
    ]


def test_phpbb_has_headings_for_spoilers() -> None:
    assert body(to_phpbb, Spoiler(title="Units", blocks=(Paragraph(("none",)),))) == (
        "[size=120][b]Units[/b][/size]\n\nnone"
    )


def test_xenforo_has_headings_and_tables() -> None:
    fuel = table(("[b]", "7"), head=("A", "B"), title="Fuel")

    assert body(to_xenforo, Heading("Supply"), fuel) == "\n".join(
        (
            "[heading=2]Supply[/heading]",
            "",
            "[b]Fuel[/b]",
            "[table]",
            "[tr][th]A[/th][th]B[/th][/tr]",
            f"[tr][td][{WORD_JOINER}b][/td][td]7[/td][/tr]",
            "[/table]",
        )
    )


def test_xenforo_spoilers_carry_their_title() -> None:
    spoiler = Spoiler(title='The "old" [units]', blocks=(Paragraph(("none",)),))

    assert body(to_xenforo, spoiler) == "[spoiler=\"The 'old' (units)\"]\nnone\n[/spoiler]"


def test_bbcode_is_for_phpbb_unless_said_otherwise() -> None:
    assert to_bbcode(report(GERMAN)) == to_phpbb(report(GERMAN))


# --- plain text ---------------------------------------------------------------------------------------------


def test_text_underlines_titles_to_their_length() -> None:
    assert to_text(Document(title="Büllingen", audience="GM", blocks=(Heading("Day 1"),))) == (
        "Büllingen\n=========\n\nFor: GM\n\nDay 1\n-----\n"
    )


def test_text_wraps_long_titles() -> None:
    assert to_text(Document(title="Herbstnebel " * 8, audience="German side " * 8, blocks=())).split("\n") == [
        " ".join(["Herbstnebel"] * 6),
        "Herbstnebel Herbstnebel",
        "=" * 71,
        "",
        "For: " + " ".join(["German side"] * 6),
        "German side German side",
        "",
    ]


def test_text_wraps_and_shows_the_structure_of_lists_by_indents() -> None:
    items = Items((Item(("word " * 20, Rule("R4.2")), ("reason " * 12,)), Item(("Snow.",))))

    assert body(to_text, items).split("\n") == [
        "- " + " ".join(["word"] * 15),
        "  " + " ".join(["word"] * 5) + " [R4.2]",
        "    - " + " ".join(["reason"] * 10),
        "      reason reason",
        "- Snow.",
    ]


def test_text_keeps_the_address_of_a_picture_whole() -> None:
    url = "https://example.org/m/" + "a" * 80 + ".png"

    assert body(to_text, Picture(url=url, alt="Map of the German side")) == f"Map of the German side\n{url}"


def test_text_gives_spoilers_a_heading() -> None:
    spoiler = Spoiler(title="Units", blocks=(table(("12 VG", "82 %")),))

    assert body(to_text, spoiler) == "Units\n-----\n\n  12 VG  82 %"


# --- HTML ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"),
        ('a & b &amp; "c"', "a &amp; b &amp;amp; &quot;c&quot;"),
        ("Büllingen *", "Büllingen *"),
    ],
)
def test_html_shows_text_as_it_is(text: str, written: str) -> None:
    assert line(to_html, text) == f"<p>{written}</p>"


def test_html_marks_rules_and_links_them_where_the_page_knows_how() -> None:
    document = Document(title="T", audience="A", blocks=(Paragraph(("Cut off.", Rule('R7"2'))),))

    assert '<p>Cut off. <span class="rule">[R7&quot;2]</span></p>' in to_html(document)
    assert '<p>Cut off. <a class="rule" href="/rules?a=1&amp;b=2#R7&quot;2">[R7&quot;2]</a></p>' in to_html(
        document, lambda rule: f"/rules?a=1&b=2#{rule}"
    )


def test_html_links_rules_in_lists_and_spoilers() -> None:
    items = Items((Item(("Moves.", Rule("R4.2")), ("a",)),))
    document = Document(title="T", audience="A", blocks=(items, Spoiler(title="S", blocks=(items,))))

    assert to_html(document, lambda rule: f"#{rule}").count('<a class="rule" href="#R4.2">[R4.2]</a>\n<ul>') == 2


def test_html_tables_name_columns_and_mark_numbers() -> None:
    assert body(to_html, table(("A", "7"), head=("Side", "VP"), title="Victory")).split("\n") == [
        "<table>",
        "<caption>Victory</caption>",
        '<thead><tr><th scope="col">Side</th><th scope="col">VP</th></tr></thead>',
        "<tbody>",
        '<tr><td>A</td><td class="number">7</td></tr>',
        "</tbody>",
        "</table>",
    ]


@pytest.mark.parametrize("head", [(), ("", "VP")])
def test_html_rows_are_named_by_their_first_cell_where_the_head_leaves_it_open(head: tuple[str, ...]) -> None:
    written = body(to_html, table(("A", "7"), head=head))

    assert '<tr><th scope="row">A</th><td class="number">7</td></tr>' in written
    assert ('<thead><tr><td></td><th scope="col">VP</th></tr></thead>' in written) == bool(head)


def test_html_pictures_have_words_for_those_who_do_not_see_them() -> None:
    assert body(to_html, Picture(url='/m/"x".png?a&b', alt='Map "A"')) == (
        '<figure><img src="/m/%22x%22.png?a&amp;b" alt="Map &quot;A&quot;"></figure>'
    )


def test_html_folds_spoilers() -> None:
    assert body(to_html, Spoiler(title="<S>", blocks=(Paragraph(("x",)),))) == (
        "<details><summary>&lt;S&gt;</summary>\n<p>x</p>\n</details>"
    )
