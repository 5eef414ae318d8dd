"""No text can break out: whatever the words are, a format writes the marks that harmless words would get.

The harmless twin of a document has an `x` wherever there is something to read. Each format must give both the
same marks, read by other rules than ours: those of the forum, the browser, CommonMark, the reader of a mail.
"""

import html
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.display.views import LogLine, Panel, View
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import decode, encode
from campaign.reports import Dialect, Document, Item, Items, report, to_bbcode, to_html, to_markdown, to_text
from campaign.reports.layout import clean, display_width
from campaign.reports.writing import WIDTH, WORD_JOINER

WEAPONS = (
    *(
        "[b]",
        "[/b]",
        "[/code]",
        "[code]",
        "[url=",
        "[*]",
        "[/list]",
        "[",
        "]",
        '"',
        "[/td]",
        "[spoiler]",
        "[R4.2]",
    ),
    *("<b>", "</li>", "<!--", "<script>", "</article>", "&lt;", "&#91;", "<details>", "'", ">"),
    *(
        "*",
        "**",
        "_",
        "`",
        "```",
        "~~",
        "|",
        "\\",
        "# ",
        "## ",
        "#",
        "> ",
        "- ",
        "+ ",
        "1. ",
        "2) ",
        "---",
        "===",
    ),
    *(
        "](x)",
        "![",
        "\n",
        "\n\n",
        "\r",
        "\t",
        "\u2028",
        "\u202e",
        "\0",
        " ",
        "@all",
        "12 ",
        "x" * 90,
        "硫黄島",
    ),
)
TEXTS = st.lists(st.sampled_from(WEAPONS) | st.text(max_size=8), max_size=6).map("".join)
ROWS = st.lists(TEXTS, max_size=5).map(tuple)
LINES = st.builds(
    LogLine,
    section=TEXTS,
    text=TEXTS,
    rule=TEXTS,
    reasons=st.lists(TEXTS, max_size=3).map(tuple),
    at=st.just(()),
)
PANELS = st.builds(Panel, key=st.just("key"), title=TEXTS, head=ROWS, rows=st.lists(ROWS, max_size=12).map(tuple))
VIEWS = st.builds(
    View,
    audience=st.just(Audience("german")),
    audience_title=TEXTS,
    campaign=TEXTS,
    date=TEXTS,
    stop=TEXTS,
    next_stop=TEXTS,
    panels=st.lists(PANELS, max_size=3).map(tuple),
    log=st.lists(LINES, max_size=4).map(tuple),
    headlines=st.lists(TEXTS, max_size=3).map(tuple),
)
DOCUMENTS = VIEWS.map(report)


def harmless(document: Document) -> Document:
    """The same document with `x` for every text in which there is something to read."""
    return decode(encode(_harmless(decode(encode(document), Any))), Document)  # type: ignore[no-any-return]


def _harmless(value: Any) -> Any:
    match value:
        case str():
            return "x" if clean(value) else ""
        case list():
            return [_harmless(each) for each in value]
        case dict():
            return {name: each if name == "type" else _harmless(each) for name, each in value.items()}


def _texts(value: Any) -> list[str]:
    match value:
        case str():
            return [clean(value)]
        case {"id": str(rule)}:
            return [f"[{clean(rule)}]"]
        case list():
            return [text for each in value for text in _texts(each)]
        case dict():
            order = ("title", "audience", "lines", "text", "head", "rows", "spans", "reasons", "items", "blocks")
            return [text for name in order if name in value for text in _texts(value[name])]
        case _:
            raise AssertionError(value)


def letters(text: str) -> str:
    """What is left when white space and the invisible joiner are taken away: wrapping leaves it as it was."""
    return "".join(text.replace(WORD_JOINER, "").split())


# --- BBCode: a tag is what the parsers of phpBB and XenForo look at -----------------------------------------

BBCODE_TAG = re.compile(r"\[/?(?:\*|[A-Za-z_][\w-]*)(?=[\]\s=:/])", re.ASCII)
BBCODE_WHOLE_TAG = re.compile(r'\[spoiler="([^"\[\]]*)"\]|\[/?(?:\*|[a-z]+)(?:=\d+)?\]')
AS_OPTION = str.maketrans('[]"\\', "()'/")


@pytest.mark.parametrize("dialect", Dialect)
@given(document=DOCUMENTS)
def test_bbcode_contains_no_tag_but_ours(dialect: Dialect, document: Document) -> None:
    written, twin = to_bbcode(document, dialect), to_bbcode(harmless(document), dialect)

    assert BBCODE_TAG.findall(written) == BBCODE_TAG.findall(twin)
    assert not re.search(r"@\w", written)


@given(document=DOCUMENTS)
def test_xenforo_shows_every_text(document: Document) -> None:
    shown = BBCODE_WHOLE_TAG.sub(lambda tag: tag[1] or "", to_bbcode(document, Dialect.XENFORO))

    assert letters(shown).translate(AS_OPTION) == letters(expected(document)).translate(AS_OPTION)


@given(document=DOCUMENTS)
def test_phpbb_shows_every_text(document: Document) -> None:
    shown = BBCODE_WHOLE_TAG.sub("", to_bbcode(document, Dialect.PHPBB))

    assert out_of_columns(shown) == out_of_columns(expected(document))


# --- HTML: marks and words are what a parser sees -----------------------------------------------------------


class Page(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.marks: list[str] = []
        self.words: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs if tag != "td"]
        self.marks.append(" ".join((tag, *names)))

    def handle_endtag(self, tag: str) -> None:
        self.marks.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


@given(document=DOCUMENTS)
def test_html_parses_to_our_elements_and_to_every_text(document: Document) -> None:
    page = Page(to_html(document, lambda rule: f"/rules#{rule}"))
    twin = Page(to_html(harmless(document), lambda rule: f"/rules#{rule}"))

    assert page.marks == twin.marks
    assert letters("".join(page.words)) == letters(expected(document))


# --- Markdown: what CommonMark gives a meaning is either ours or behind a backslash -------------------------

MARKDOWN_LEAD = re.compile(r"(?:#{1,2}|(?:  )?-)(?: |$)|\| |")
MARKDOWN_OPENING = re.compile(r"[>#]|[-+](?:[-+\s]|$)|\d{1,9}[.)](?:\s|$)|(?:[=-]+|[*_]{3,})$")
MARKDOWN_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
MARKDOWN_RULE_ROW = re.compile(r"\|(?: ---:? \|)+")
SUMMARY = re.compile(r"<details><summary>([^<>]*)</summary>")


def markdown_marks(markdown: str) -> list[tuple[str, str]]:
    """For each line how it begins, and the characters in it that mean something."""
    return [_marks_of_line(line) for line in markdown.split("\n")]


def _marks_of_line(line: str) -> tuple[str, str]:
    if SUMMARY.fullmatch(line) or line == "</details>":
        return (line[:9], "")
    if MARKDOWN_RULE_ROW.fullmatch(line):
        return ("| ---", "|" * line.count("|"))
    lead = MARKDOWN_LEAD.match(line)
    assert lead
    rest = line[lead.end() :]
    assert not MARKDOWN_OPENING.match(rest)
    assert not re.search(r"&#?\w+;|(?<!\\)#$", MARKDOWN_ESCAPE.sub(r"\\", rest))
    return (lead[0], re.sub(r"[^\\`*_~|<\[\]]", "", MARKDOWN_ESCAPE.sub("", rest)))


def markdown_text(markdown: str) -> str:
    """The text as it will be shown: without our marks and without backslashes."""
    return "\n".join(map(_text_of_line, markdown.split("\n")))


def _text_of_line(line: str) -> str:
    if summary := SUMMARY.fullmatch(line):
        return html.unescape(summary[1])
    if line == "</details>" or MARKDOWN_RULE_ROW.fullmatch(line):
        return ""
    rest = MARKDOWN_LEAD.sub("", line, count=1)
    return re.sub(MARKDOWN_ESCAPE.pattern + r"|\*\*|\|", lambda mark: mark[1] or "", rest)


@given(document=DOCUMENTS)
def test_markdown_contains_no_mark_but_ours(document: Document) -> None:
    assert markdown_marks(to_markdown(document)) == markdown_marks(to_markdown(harmless(document)))
    assert not re.search(r"@\w", to_markdown(document))


@given(document=DOCUMENTS)
def test_markdown_shows_every_text(document: Document) -> None:
    assert letters(markdown_text(to_markdown(document))) == letters(expected(document))


# --- plain text: width, and lists that can be read back by their indents ------------------------------------

MARKS = {0: "- ", 2: "  ", 4: "    - ", 6: "      "}


@given(document=DOCUMENTS)
def test_text_is_narrow_and_shows_every_text(document: Document) -> None:
    written = to_text(document)

    assert max(map(display_width, written.split("\n"))) <= WIDTH
    assert out_of_columns(written) == out_of_columns(expected(document))


@given(lines=st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=3).map(tuple)), min_size=1, max_size=4))
def test_text_lists_can_be_read_back(lines: list[tuple[str, tuple[str, ...]]]) -> None:
    items = Items(tuple(Item((text,), reasons) for text, reasons in lines))
    written = to_text(Document(title="T", audience="A", blocks=(items,))).split("\n")[5:-1]

    assert read_back(written) == [
        (letters(clean(text)), [letters(clean(reason)) for reason in reasons]) for text, reasons in lines
    ]


def read_back(written: list[str]) -> list[tuple[str, list[str]]]:
    items: list[tuple[str, list[str]]] = []
    for line in written:
        indent = len(line) - len(line.lstrip(" "))
        words = letters(line.removeprefix(MARKS[indent].rstrip() if indent in {0, 4} else ""))
        match indent:
            case 0:
                items.append((words, []))
            case 2:
                items[-1] = (items[-1][0] + words, items[-1][1])
            case 4:
                items[-1][1].append(words)
            case 6:
                items[-1][1][-1] += words
    return items


# --- what every format must show ----------------------------------------------------------------------------


def expected(document: Document) -> str:
    title, *rest = _texts(decode(encode(document), Any))
    return "".join((title, "For: ", *rest))


def out_of_columns(text: str) -> list[str]:
    """The letters in no order, as wrapped cells are side by side; without dashes, which also underline."""
    return sorted(letter for letter in letters(text) if letter not in "-=")
