"""A Document in Markdown: as CommonMark with tables, and as Discourse and Discord read it."""

import html
import re
from collections.abc import Iterator
from enum import Enum
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
from campaign.reports.layout import Align, alignments, clean, table_lines
from campaign.reports.writing import (
    WORD_JOINER,
    address,
    audience_line,
    finished,
    span_line,
    without_faces,
    without_mentions,
)

NARROW = 60
"""Columns of a table on Discord, whose boxes are narrow."""


class Flavour(Enum):
    """Whose Markdown it is."""

    COMMON = "common"
    DISCOURSE = "discourse"
    """It folds with [details], and knows BBCode, hashtags and emoji."""
    DISCORD = "discord"
    """It has no tables and does not fold: boxes and headings stand in. An address alone shows its picture."""


_SPECIAL = re.compile(r"[\\`*_~|<\[\]]|&(?=#?\w+;)|#(?=#*$)")
_OPENING = re.compile(r"^(?:(?=[>#=])|(?=[-+](?:[-+#\s]|$))|(\d{1,9})(?=[.)](?:\s|$)))")
"""Put before what would start a quote, a heading or a list: `12. Volksgrenadier-Division`."""
_HASHTAG = re.compile(r"#(?=\w)")
_OPTION = str.maketrans('[]"\\<>', "()'/‹›")
"""What would end the quoted title of a fold, and its replacement."""


def to_markdown(document: Document, flavour: Flavour = Flavour.COMMON) -> str:
    """CommonMark with tables, whose folds are `<details>`, or the Markdown of another flavour."""
    return _Writer(flavour).whole(document)


def markdown_line(text: str, flavour: Flavour = Flavour.COMMON) -> str:
    """Words of people as one line that means nothing but itself."""
    return finished(_Writer(flavour).line(text)).strip()


class _Writer:
    """Writes blocks in one flavour."""

    def __init__(self, flavour: Flavour) -> None:
        self._flavour = flavour

    def whole(self, document: Document) -> str:
        head = (f"# {self._words(document.title)}", f"**{self._words(audience_line(document))}**")
        return finished("\n\n".join((*head, *map(self._block, document.blocks))))

    def line(self, text: str) -> str:
        return self._words(text)

    def _block(self, block: Block) -> str:
        match block:
            case Headlines():
                return "\n".join(f"- {self._bold(line)}" for line in block.lines)
            case Heading():
                return f"## {self._words(block.text)}"
            case Paragraph():
                return self._spans(block.spans)
            case Items():
                return "\n".join(line for item in block.items for line in self._item(item))
            case Table():
                return self._table(block)
            case Picture():
                return self._picture(block)
            case Spoiler():
                return self._spoiler(block)
        assert_never(block)

    def _bold(self, text: str) -> str:
        written = self._text(text)
        return f"**{written}**" if written else ""

    def _item(self, item: Item) -> Iterator[str]:
        yield f"- {self._spans(item.spans)}"
        for reason in item.reasons:
            yield f"  - {self._words(reason)}"

    def _picture(self, picture: Picture) -> str:
        if self._flavour is Flavour.DISCORD:
            return address(picture.url)
        return f"![{self._words(picture.alt)}]({address(picture.url)})"

    def _table(self, table: Table) -> str:
        if self._flavour is Flavour.DISCORD:
            lines = (line.replace("`", f"`{WORD_JOINER}") for line in table_lines(table, NARROW))
            return "\n".join(("```", *map(without_mentions, lines), "```"))
        aligns = alignments(table)
        rules = ["---:" if align is Align.RIGHT else "---" for align in aligns]
        head = self._row(table.head or ("",) * len(aligns))
        rows = "\n".join((head, f"| {' | '.join(rules)} |", *map(self._row, table.rows)))
        title = self._words(table.title)
        return f"**{title}**\n\n{rows}" if title else rows

    def _row(self, cells: tuple[str, ...]) -> str:
        return f"| {' | '.join(map(self._words, cells))} |"

    def _spoiler(self, spoiler: Spoiler) -> str:
        blocks = map(self._block, spoiler.blocks)
        match self._flavour:
            case Flavour.COMMON:
                title = without_mentions(html.escape(clean(spoiler.title)))
                return "\n\n".join((f"<details><summary>{title}</summary>", *blocks, "</details>"))
            case Flavour.DISCOURSE:
                title = self._harmless(clean(spoiler.title).translate(_OPTION))
                return "\n\n".join((f'[details="{title}"]', *blocks, "[/details]"))
            case Flavour.DISCORD:
                return "\n\n".join((f"## {self._words(spoiler.title)}", *blocks))
        assert_never(self._flavour)

    def _spans(self, spans: tuple[Span, ...]) -> str:
        return _OPENING.sub(r"\1\\", span_line(spans, text=self._text, rule=self._rule))

    def _rule(self, reference: str) -> str:
        """A rule in brackets; Discourse and Discord would read some names between brackets as tags or links."""
        inner = self._text(reference)
        return f"[{inner}]" if self._flavour is Flavour.COMMON else rf"\[{inner}\]"

    def _words(self, text: str) -> str:
        return self._spans((text,))

    def _text(self, text: str) -> str:
        return self._harmless(_SPECIAL.sub(r"\\\g<0>", clean(text)))

    def _harmless(self, text: str) -> str:
        """The text without mentions; on forums also without hashtags and emoji."""
        if self._flavour is Flavour.COMMON:
            return without_mentions(text)
        return without_faces(_HASHTAG.sub(rf"\g<0>{WORD_JOINER}", without_mentions(text)))
