"""A Document in BBCode, for phpBB, XenForo and SMF."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import groupby
from typing import assert_never

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
)
from campaign.reports.layout import clean, table_lines
from campaign.reports.writing import (
    WIDTH,
    WORD_JOINER,
    address,
    audience_line,
    finished,
    span_line,
    without_faces,
    without_mentions,
)


class Dialect(Enum):
    """The forum software that the BBCode is for."""

    PHPBB = "phpbb"
    """Without extensions it has no headings, tables or spoilers: sizes and [code] stand in."""
    XENFORO = "xenforo"
    SMF = "smf"
    """It has tables, but no headings or spoilers: sizes stand in."""


_TITLE = {
    Dialect.PHPBB: "[size=150][b]{}[/b][/size]",
    Dialect.XENFORO: "[heading=1]{}[/heading]",
    Dialect.SMF: "[size=18pt][b]{}[/b][/size]",
}
_HEADING = {
    Dialect.PHPBB: "[size=120][b]{}[/b][/size]",
    Dialect.XENFORO: "[heading=2]{}[/heading]",
    Dialect.SMF: "[size=14pt][b]{}[/b][/size]",
}
_ITEM = {Dialect.PHPBB: "[*]{}", Dialect.XENFORO: "[*]{}", Dialect.SMF: "[li]{}[/li]"}
_NAME = {Dialect.XENFORO: "[th]{}[/th]", Dialect.SMF: "[td][b]{}[/b][/td]"}
"""The head of a column."""
_TAG = re.compile(r"\[(?![A-Za-z]+(?:\d+\.|-)\d)")
"""A bracket that may start a tag; no tag has a name like R4.2 or B-12, so rules keep their plain brackets."""
_OPTION = str.maketrans('[]"\\', "()'/")
"""What would end the quoted option of a tag, and its replacement."""


def to_bbcode(document: Document, dialect: Dialect = Dialect.PHPBB) -> str:
    """BBCode to paste into a post of a forum of this kind."""
    title = _TITLE[dialect].format(_text(document.title))
    audience = f"[b]{_text(audience_line(document))}[/b]"
    return finished("\n\n".join((title, audience, *_blocks(document.blocks, dialect))))


def _blocks(blocks: tuple[Block, ...], dialect: Dialect) -> Iterator[str]:
    """Each block in BBCode; in phpBB, consecutive tables share one [code] box, because each box has a bar."""
    for kind, run in groupby(blocks, key=type):
        written = [_block(block, dialect) for block in run]
        if kind is Table and dialect is Dialect.PHPBB:
            yield "[code]\n{}\n[/code]".format("\n\n".join(written))
        else:
            yield from written


def _block(block: Block, dialect: Dialect) -> str:
    match block:
        case Headlines():
            return _list((f"[b]{_text(line)}[/b]" for line in block.lines), dialect)
        case Heading():
            return _HEADING[dialect].format(_text(block.text))
        case Paragraph():
            return _spans(block.spans)
        case Items():
            return _list((_item(item, dialect) for item in block.items), dialect)
        case Table():
            return _table(block, dialect)
        case Picture():
            return f"[img]{address(block.url)}[/img]"
        case Spoiler():
            return _spoiler(block, dialect)
    assert_never(block)


def _item(item: Item, dialect: Dialect) -> str:
    line = _spans(item.spans)
    return f"{line}\n{_list(map(_text, item.reasons), dialect)}" if item.reasons else line


def _list(items: Iterable[str], dialect: Dialect) -> str:
    return "\n".join(("[list]", *(_ITEM[dialect].format(item) for item in items), "[/list]"))


def _table(table: Table, dialect: Dialect) -> str:
    if dialect is Dialect.PHPBB:
        return "\n".join(map(_escaped, table_lines(table, WIDTH)))
    head = [_row(table.head, cell=_NAME[dialect])] if table.head else []
    rows = (_row(row, cell="[td]{}[/td]") for row in table.rows)
    title = _text(table.title)
    return "\n".join((*([f"[b]{title}[/b]"] if title else ()), "[table]", *head, *rows, "[/table]"))


def _row(cells: tuple[str, ...], *, cell: str) -> str:
    return "[tr]{}[/tr]".format("".join(cell.format(_text(text)) for text in cells))


def _spoiler(spoiler: Spoiler, dialect: Dialect) -> str:
    blocks = "\n\n".join(_blocks(spoiler.blocks, dialect))
    if dialect is not Dialect.XENFORO:
        return f"{_block(Heading(spoiler.title), dialect)}\n\n{blocks}"
    title = without_faces(without_mentions(clean(spoiler.title).translate(_OPTION)))
    return f'[spoiler="{title}"]\n{blocks}\n[/spoiler]'


def _spans(spans: tuple[Span, ...]) -> str:
    return _escaped(span_line(spans, text=clean))


def _text(text: str) -> str:
    return _spans((text,))


def _escaped(text: str) -> str:
    return without_faces(without_mentions(_TAG.sub(rf"\g<0>{WORD_JOINER}", text)))
