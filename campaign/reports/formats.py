"""One Document with the same words in each format: Markdown, BBCode, plain text and HTML.

Texts of a document are data in every format: whatever a player called their battle group is shown and never
interpreted. Every function returns lines without trailing spaces and one newline at the end.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import groupby
from typing import assert_never
from urllib.parse import quote

from campaign.engine.display.views import View
from campaign.reports.document import (
    Block,
    Document,
    Heading,
    Headlines,
    Item,
    Items,
    Paragraph,
    Picture,
    Rule,
    Span,
    Spoiler,
    Table,
    tables,
)
from campaign.reports.layout import Align, alignments, clean, display_width, hanging, table_lines, wrap

WIDTH = 78
"""Columns of plain text: a mail still fits a window of 80 columns when it is quoted."""

WORD_JOINER = "\u2060"
"""Invisible. After a character that would start a tag or a mention, it makes that an ordinary character."""

RuleUrl = Callable[[str], str]
"""The address of a rule's text, by the rule's id."""


class Dialect(Enum):
    """The forum software that the BBCode is for."""

    PHPBB = "phpbb"
    """Without extensions it has no headings, tables or spoilers: sizes and [code] stand in."""
    XENFORO = "xenforo"


# --- Markdown -----------------------------------------------------------------------------------------------

_MARKDOWN_SPECIAL = re.compile(r"[\\`*_~|<\[\]]|&(?=#?\w+;)|#(?=#*$)")
_MARKDOWN_OPENING = re.compile(r"^(?:(?=[>#=])|(?=[-+](?:[-+#\s]|$))|(\d{1,9})(?=[.)](?:\s|$)))")
"""Put before what would start a quote, a heading or a list: `12. Volksgrenadier-Division`."""


def to_markdown(document: Document) -> str:
    """CommonMark with tables; spoilers as `<details>`, which Discourse folds."""
    head = (f"# {_markdown_line(document.title)}", f"**{_markdown_line(_audience(document))}**")
    return _finished("\n\n".join((*head, *map(_markdown_block, document.blocks))))


def _markdown_block(block: Block) -> str:
    match block:
        case Headlines():
            return "\n".join(f"- {_markdown_bold(line)}" for line in block.lines)
        case Heading():
            return f"## {_markdown_line(block.text)}"
        case Paragraph():
            return _markdown_spans(block.spans)
        case Items():
            return "\n".join(line for item in block.items for line in _markdown_item(item))
        case Table():
            return _markdown_table(block)
        case Picture():
            return f"![{_markdown_line(block.alt)}]({_url(block.url)})"
        case Spoiler():
            title = _without_mentions(_html_text(block.title))
            blocks = map(_markdown_block, block.blocks)
            return "\n\n".join((f"<details><summary>{title}</summary>", *blocks, "</details>"))
    assert_never(block)


def _markdown_bold(text: str) -> str:
    written = _markdown_text(text)
    return f"**{written}**" if written else ""


def _markdown_item(item: Item) -> Iterator[str]:
    yield f"- {_markdown_spans(item.spans)}"
    for reason in item.reasons:
        yield f"  - {_markdown_line(reason)}"


def _markdown_table(table: Table) -> str:
    aligns = alignments(table)
    rules = ["---:" if align is Align.RIGHT else "---" for align in aligns]
    head = _markdown_row(table.head or ("",) * len(aligns))
    rows = "\n".join((head, f"| {' | '.join(rules)} |", *map(_markdown_row, table.rows)))
    title = _markdown_line(table.title)
    return f"**{title}**\n\n{rows}" if title else rows


def _markdown_row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(_markdown_line, cells))} |"


def _markdown_spans(spans: tuple[Span, ...]) -> str:
    return _MARKDOWN_OPENING.sub(r"\1\\", _line(spans, text=_markdown_text))


def _markdown_line(text: str) -> str:
    return _markdown_spans((text,))


def _markdown_text(text: str) -> str:
    return _without_mentions(_MARKDOWN_SPECIAL.sub(r"\\\g<0>", clean(text)))


# --- BBCode -------------------------------------------------------------------------------------------------

_BBCODE_TITLE = {Dialect.PHPBB: "[size=150][b]{}[/b][/size]", Dialect.XENFORO: "[heading=1]{}[/heading]"}
_BBCODE_HEADING = {Dialect.PHPBB: "[size=120][b]{}[/b][/size]", Dialect.XENFORO: "[heading=2]{}[/heading]"}
_BBCODE_TAG = re.compile(r"\[(?![A-Za-z]+(?:\d+\.|-)\d)")
"""A bracket that may start a tag; no tag has a name like R4.2 or B-12, so rules keep their plain brackets."""
_BBCODE_OPTION = str.maketrans('[]"\\', "()'/")
"""What would end the quoted option of a tag, and its replacement."""


def to_bbcode(document: Document, dialect: Dialect = Dialect.PHPBB) -> str:
    """BBCode to paste into a post of a phpBB or XenForo forum."""
    title = _BBCODE_TITLE[dialect].format(_bbcode_text(document.title))
    audience = f"[b]{_bbcode_text(_audience(document))}[/b]"
    return _finished("\n\n".join((title, audience, *_bbcode_blocks(document.blocks, dialect))))


def _bbcode_blocks(blocks: tuple[Block, ...], dialect: Dialect) -> Iterator[str]:
    """Each block in BBCode; in phpBB, consecutive tables share one [code] box, because each box has a bar."""
    for kind, run in groupby(blocks, key=type):
        written = [_bbcode_block(block, dialect) for block in run]
        if kind is Table and dialect is Dialect.PHPBB:
            yield "[code]\n{}\n[/code]".format("\n\n".join(written))
        else:
            yield from written


def _bbcode_block(block: Block, dialect: Dialect) -> str:
    match block:
        case Headlines():
            return _bbcode_list(f"[b]{_bbcode_text(line)}[/b]" for line in block.lines)
        case Heading():
            return _BBCODE_HEADING[dialect].format(_bbcode_text(block.text))
        case Paragraph():
            return _bbcode_spans(block.spans)
        case Items():
            return _bbcode_list(map(_bbcode_item, block.items))
        case Table():
            return _bbcode_table(block, dialect)
        case Picture():
            return f"[img]{_url(block.url)}[/img]"
        case Spoiler():
            return _bbcode_spoiler(block, dialect)
    assert_never(block)


def _bbcode_item(item: Item) -> str:
    line = _bbcode_spans(item.spans)
    return f"{line}\n{_bbcode_list(map(_bbcode_text, item.reasons))}" if item.reasons else line


def _bbcode_list(items: Iterable[str]) -> str:
    return "\n".join(("[list]", *(f"[*]{item}" for item in items), "[/list]"))


def _bbcode_table(table: Table, dialect: Dialect) -> str:
    if dialect is Dialect.PHPBB:
        return "\n".join(map(_bbcode_escaped, table_lines(table, WIDTH)))
    head = [_bbcode_row(table.head, cell="th")] if table.head else []
    rows = (_bbcode_row(row, cell="td") for row in table.rows)
    title = _bbcode_text(table.title)
    return "\n".join((*([f"[b]{title}[/b]"] if title else ()), "[table]", *head, *rows, "[/table]"))


def _bbcode_row(cells: tuple[str, ...], *, cell: str) -> str:
    return "[tr]{}[/tr]".format("".join(f"[{cell}]{_bbcode_text(text)}[/{cell}]" for text in cells))


def _bbcode_spoiler(spoiler: Spoiler, dialect: Dialect) -> str:
    blocks = "\n\n".join(_bbcode_blocks(spoiler.blocks, dialect))
    if dialect is Dialect.PHPBB:
        return f"{_bbcode_block(Heading(spoiler.title), dialect)}\n\n{blocks}"
    title = _without_mentions(clean(spoiler.title).translate(_BBCODE_OPTION))
    return f'[spoiler="{title}"]\n{blocks}\n[/spoiler]'


def _bbcode_spans(spans: tuple[Span, ...]) -> str:
    return _bbcode_escaped(_line(spans, text=clean))


def _bbcode_text(text: str) -> str:
    return _bbcode_spans((text,))


def _bbcode_escaped(text: str) -> str:
    return _without_mentions(_BBCODE_TAG.sub(rf"\g<0>{WORD_JOINER}", text))


# --- plain text ---------------------------------------------------------------------------------------------


def to_text(document: Document) -> str:
    """Plain text for mails, at most `WIDTH` columns wide; only a picture's address may be longer."""
    blocks = (Paragraph((_audience(document),)), *document.blocks)
    return _finished("\n\n".join((_underlined(document.title, "="), *map(_text_block, blocks))))


def _text_block(block: Block) -> str:
    match block:
        case Headlines():
            return "\n".join(line for news in block.lines for line in hanging(clean(news), mark="- ", width=WIDTH))
        case Heading():
            return _underlined(block.text, "-")
        case Paragraph():
            return "\n".join(wrap(_line(block.spans, text=clean), WIDTH))
        case Items():
            return "\n".join(line for item in block.items for line in _text_item(item))
        case Table():
            return "\n".join(table_lines(block, WIDTH))
        case Picture():
            return "\n".join((*wrap(clean(block.alt), WIDTH), _url(block.url)))
        case Spoiler():
            return "\n\n".join((_underlined(block.title, "-"), *map(_text_block, block.blocks)))
    assert_never(block)


def _underlined(text: str, stroke: str) -> str:
    lines = wrap(clean(text), WIDTH)
    return "\n".join((*lines, stroke * max(map(display_width, lines))))


def _text_item(item: Item) -> Iterator[str]:
    yield from hanging(_line(item.spans, text=clean), mark="- ", width=WIDTH)
    for reason in item.reasons:
        yield from hanging(clean(reason), mark="    - ", width=WIDTH)


# --- HTML ---------------------------------------------------------------------------------------------------


def to_html(document: Document, rule_url: RuleUrl | None = None) -> str:
    """An `<article class="report">` with its own `<h1>`, for a page or a mail. `rule_url` links the rules."""
    head = (
        f"<h1>{_html_text(document.title)}</h1>",
        f'<p class="audience">For: <strong>{_html_text(document.audience)}</strong></p>',
    )
    blocks = (_html_block(block, rule_url) for block in document.blocks)
    return _finished("\n".join(('<article class="report">', *head, *blocks, "</article>")))


def tables_left_out(view: View, html: str) -> str:
    """The tables of a View that its report in HTML does not have, as HTML; empty if it has all."""
    written = (_finished(_html_block(table, None)) for table in tables(view))
    return "".join(table for table in written if table.strip() not in html)


def _html_block(block: Block, rule_url: RuleUrl | None) -> str:
    match block:
        case Headlines():
            return _html_list((_html_text(line) for line in block.lines), kind="headlines")
        case Heading():
            return f"<h2>{_html_text(block.text)}</h2>"
        case Paragraph():
            return f"<p>{_html_spans(block.spans, rule_url)}</p>"
        case Items():
            return _html_list(_html_item(item, rule_url) for item in block.items)
        case Table():
            return _html_table(block)
        case Picture():
            return f'<figure><img src="{_html_text(_url(block.url))}" alt="{_html_text(block.alt)}"></figure>'
        case Spoiler():
            blocks = (_html_block(inner, rule_url) for inner in block.blocks)
            return "\n".join((f"<details><summary>{_html_text(block.title)}</summary>", *blocks, "</details>"))
    assert_never(block)


def _html_item(item: Item, rule_url: RuleUrl | None) -> str:
    line = _html_spans(item.spans, rule_url)
    return f"{line}\n{_html_list(map(_html_text, item.reasons))}\n" if item.reasons else line


def _html_list(items: Iterable[str], *, kind: str = "") -> str:
    return "\n".join((f'<ul class="{kind}">' if kind else "<ul>", *(f"<li>{item}</li>" for item in items), "</ul>"))


def _html_table(table: Table) -> str:
    title = _html_text(table.title)
    caption = f"<caption>{title}</caption>" if title else ""
    names = "".join(map(_html_name, table.head))
    head = f"<thead><tr>{names}</tr></thead>" if names else ""
    write_row = _html_row if any(map(clean, table.head[:1])) else _html_named_row
    aligns = alignments(table)
    rows = (write_row(row, aligns) for row in table.rows)
    return "\n".join(filter(None, ("<table>", caption, head, "<tbody>", *rows, "</tbody>", "</table>")))


def _html_name(name: str) -> str:
    """The head of a column; an empty one is not a header, which a screen reader would announce."""
    text = _html_text(name)
    return f'<th scope="col">{text}</th>' if text else "<td></td>"


def _html_row(row: tuple[str, ...], aligns: tuple[Align, ...]) -> str:
    return f"<tr>{''.join(map(_html_cell, row, aligns))}</tr>"


def _html_named_row(row: tuple[str, ...], aligns: tuple[Align, ...]) -> str:
    """A row whose first cell names it, in a table without a head."""
    cells = "".join(map(_html_cell, row[1:], aligns[1:]))
    return f'<tr><th scope="row">{_html_text(row[0])}</th>{cells}</tr>'


def _html_cell(text: str, align: Align) -> str:
    kind = ' class="number"' if align is Align.RIGHT else ""
    return f"<td{kind}>{_html_text(text)}</td>"


def _html_spans(spans: tuple[Span, ...], rule_url: RuleUrl | None) -> str:
    return _line(spans, text=_html_text, rule=lambda reference: _html_rule(reference, rule_url))


def _html_rule(rule: str, rule_url: RuleUrl | None) -> str:
    if rule_url is None:
        return f'<span class="rule">[{_html_text(rule)}]</span>'
    return f'<a class="rule" href="{_html_text(rule_url(rule))}">[{_html_text(rule)}]</a>'


def _html_text(text: str) -> str:
    return html.escape(clean(text))


# --- all formats --------------------------------------------------------------------------------------------


def _audience(document: Document) -> str:
    return f"For: {document.audience}"


def _line(spans: tuple[Span, ...], *, text: Callable[[str], str], rule: Callable[[str], str] | None = None) -> str:
    """The spans, each written by its function, one space apart; a rule without a function is text in brackets."""
    bracketed = rule or (lambda reference: f"[{text(reference)}]")
    written = (bracketed(span.id) if isinstance(span, Rule) else text(span) for span in spans)
    return " ".join(filter(None, written))


def _without_mentions(text: str) -> str:
    return re.sub(r"@(?=\w)", rf"\g<0>{WORD_JOINER}", text) if "@" in text else text


def _url(url: str) -> str:
    """The address with everything percent-encoded that could end it in any format."""
    return quote(url, safe="%/:?#@&=+$,;~!*")


def _finished(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n") + "\n"
