"""A Document in plain text for mails, and in HTML for pages and mails.

Texts of a document are data in every format: whatever a player called their battle group is shown and never
interpreted. Every function returns lines without trailing spaces and one newline at the end.
"""

import html
from collections.abc import Iterable, Iterator
from typing import assert_never

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
    Span,
    Spoiler,
    Table,
    tables,
)
from campaign.reports.layout import Align, alignments, clean, display_width, hanging, table_lines, wrap
from campaign.reports.writing import WIDTH, RuleUrl, address, audience_line, finished, span_line

# --- plain text ---------------------------------------------------------------------------------------------


def to_text(document: Document) -> str:
    """Plain text for mails, at most `WIDTH` columns wide; only a picture's address may be longer."""
    blocks = (Paragraph((audience_line(document),)), *document.blocks)
    return finished("\n\n".join((_underlined(document.title, "="), *map(_text_block, blocks))))


def _text_block(block: Block) -> str:
    match block:
        case Headlines():
            return "\n".join(line for news in block.lines for line in hanging(clean(news), mark="- ", width=WIDTH))
        case Heading():
            return _underlined(block.text, "-")
        case Paragraph():
            return "\n".join(wrap(span_line(block.spans, text=clean), WIDTH))
        case Items():
            return "\n".join(line for item in block.items for line in _text_item(item))
        case Table():
            return "\n".join(table_lines(block, WIDTH))
        case Picture():
            return "\n".join((*wrap(clean(block.alt), WIDTH), address(block.url)))
        case Spoiler():
            return "\n\n".join((_underlined(block.title, "-"), *map(_text_block, block.blocks)))
    assert_never(block)


def _underlined(text: str, stroke: str) -> str:
    lines = wrap(clean(text), WIDTH)
    return "\n".join((*lines, stroke * max(map(display_width, lines))))


def _text_item(item: Item) -> Iterator[str]:
    yield from hanging(span_line(item.spans, text=clean), mark="- ", width=WIDTH)
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
    return finished("\n".join(('<article class="report">', *head, *blocks, "</article>")))


def tables_left_out(view: View, html: str) -> str:
    """The tables of a View that its report in HTML does not have, as HTML; empty if it has all."""
    written = (finished(_html_block(table, None)) for table in tables(view))
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
            return f'<figure><img src="{_html_text(address(block.url))}" alt="{_html_text(block.alt)}"></figure>'
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
    return span_line(spans, text=_html_text, rule=lambda reference: _html_rule(reference, rule_url))


def _html_rule(rule: str, rule_url: RuleUrl | None) -> str:
    if rule_url is None:
        return f'<span class="rule">[{_html_text(rule)}]</span>'
    return f'<a class="rule" href="{_html_text(rule_url(rule))}">[{_html_text(rule)}]</a>'


def _html_text(text: str) -> str:
    return html.escape(clean(text))
