"""The report of one phase for one audience, as a small tree that every format writes in its own way.

`report` arranges what is in a View and adds nothing: it does not count or look at the map. It leaves out the tables
that the audience has already read, by comparing them with the audience's own earlier Views. A report can therefore
tell its audience no more than their Views do.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from campaign.engine.display.views import LogLine, Panel, View
from campaign.engine.values.value import Upgrade, Value, replace

DOCUMENT_VERSION = 1
"""Raised by each change of the tree that older stored documents do not fit."""
DOCUMENT_UPGRADES: Mapping[int, Upgrade] = {}
"""By version: turns a stored document as plain JSON into the next version."""

GLANCE = 5
"""Rows that a reader takes in at a glance. A longer table is for reference and is folded."""


# --- the tree -----------------------------------------------------------------------------------------------


class Rule(Value, frozen=True, tag=True):
    """A reference to a rule, printed in brackets: `[R4.2]`. A format that can link makes it a link."""

    id: str


Span = str | Rule
"""A run of text or a reference within a line. One space separates the spans of a line."""


class Heading(Value, frozen=True, tag=True):
    """The title of a section; the document has its own title."""

    text: str


class Paragraph(Value, frozen=True, tag=True):
    spans: tuple[Span, ...]


class Item(Value, frozen=True):
    """A line of a list, with points that explain it."""

    spans: tuple[Span, ...]
    reasons: tuple[str, ...] = ()


class Items(Value, frozen=True, tag=True):
    items: tuple[Item, ...]


class Table(Value, frozen=True, tag=True):
    """Rows of equal length. The head is as long as a row, or empty if the first column names the rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Headlines(Value, frozen=True, tag=True):
    """The most important news in a few short lines, which a format makes stand out."""

    lines: tuple[str, ...]


class Picture(Value, frozen=True, tag=True):
    """A picture at `url`; `alt` describes it in words."""

    url: str
    alt: str


class Spoiler(Value, frozen=True, tag=True):
    """Blocks for reference, folded under their title if the format can fold."""

    title: str
    blocks: "tuple[Block, ...]"


Block = Headlines | Heading | Paragraph | Items | Table | Picture | Spoiler


class Document(Value, frozen=True):
    """What one audience is sent. A preface or the map of the turn package comes before the other blocks."""

    title: str
    audience: str
    """Title of the audience, which every format writes under the title."""
    blocks: tuple[Block, ...]


# --- from the View ------------------------------------------------------------------------------------------


def report(view: View, before: Sequence[View] = ()) -> Document:
    """The report of the phase that `view` shows, for its audience.

    In order: the headlines, what is open now, what happened section by section, and the tables of the situation that
    are not the same in all of `before`, the Views that the same audience has read since its last report of this kind,
    the last report's first; all tables if there are none. Tables of news are never left out. Long tables come last.
    Empty parts of the View are left out with their headings.
    """
    return Document(
        title=_title(view),
        audience=view.audience_title,
        blocks=(
            *([Headlines(view.headlines)] if view.headlines else []),
            Paragraph((_open_now(view),)),
            *_sections(view.log),
            *_short_first(_with_news(panel, before) for panel in view.panels if not _is_unchanged(panel, before)),
        ),
    )


def tables(view: View) -> tuple[Table | Spoiler, ...]:
    """All tables of the situation, as a first report has them."""
    return tuple(_short_first(view.panels))


def _is_unchanged(panel: Panel, before: Sequence[View]) -> bool:
    return bool(before) and not panel.news and all(panel in view.panels for view in before)


def _with_news(panel: Panel, before: Sequence[View]) -> Panel:
    """A panel of news with a column for what is new or gone since the audience's last report, if anything is.

    Equal rows are counted. A panel of another kind, or that the last report did not have, stays as it is.
    """
    last = next((each for view in before[:1] for each in view.panels if each.key == panel.key), None)
    if last is None or not panel.news or Counter(last.rows) == Counter(panel.rows):
        return panel
    was, gone = Counter(last.rows), Counter(last.rows) - Counter(panel.rows)
    rows = []
    for row in panel.rows:
        rows.append((*row, "" if was[row] > 0 else "new"))
        was[row] -= 1
    rows += [(*row, panel.news) for row in gone.elements()]
    return replace(panel, head=(*panel.head, "Since the last report"), rows=tuple(rows))


def _short_first(panels: Iterable[Panel]) -> Iterator[Table | Spoiler]:
    """The tables that have rows: the short ones, then the long ones, folded."""
    tables = [_table(panel) for panel in panels]
    yield from (table for table in tables if 0 < len(table.rows) <= GLANCE)
    yield from (_folded(table) for table in tables if len(table.rows) > GLANCE)


def chart(view: View) -> Document:
    """The quick-reference chart of the phase that `view` shows, as tables."""
    stop = f"After: {view.stop}. " if view.stop else ""
    return Document(
        title=": ".join(filter(None, (view.campaign, f"chart of {view.date}"))),
        audience=view.audience_title,
        blocks=(
            Paragraph((f"{stop}{_open_now(view)}",)),
            *(_table(panel) for panel in view.chart if any(panel.rows)),
        ),
    )


def with_preface(document: Document, text: str) -> Document:
    """The report with the GM's words first: a paragraph for each part that a blank line separates."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text.replace("\r\n", "\n")))
    return replace(document, blocks=(*(Paragraph((words,)) for words in paragraphs if words), *document.blocks))


def with_notes(document: Document, title: str, notes: Sequence[str]) -> Document:
    """The report with reference notes at its end, folded if the format can fold."""
    listed = Items(tuple(Item((note,)) for note in notes))
    return replace(document, blocks=(*document.blocks, Spoiler(title=title, blocks=(listed,))))


def _title(view: View) -> str:
    stop = ", ".join(filter(None, (view.date, view.stop)))
    return ": ".join(filter(None, (view.campaign, stop)))


def _open_now(view: View) -> str:
    return f"Open now: {view.next_stop}" if view.next_stop else "The campaign has ended."


def _table(panel: Panel) -> Table:
    """The panel with short rows filled up, so that each cell is under its head; without rows if all are empty."""
    width = max(map(len, (panel.head, *panel.rows)))
    head = _filled(panel.head, width) if panel.head else ()
    rows = panel.rows if any(panel.rows) else ()
    return Table(title=panel.title, head=head, rows=tuple(_filled(row, width) for row in rows))


def _filled(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    return cells + ("",) * (width - len(cells))


def _folded(table: Table) -> Spoiler:
    return Spoiler(title=table.title, blocks=(replace(table, title=""),))


def _sections(log: tuple[LogLine, ...]) -> Iterator[Heading | Items]:
    sections: dict[str, list[Item]] = {}
    for line in log:
        sections.setdefault(line.section, []).append(_item(line))
    for title, items in sections.items():
        if title:
            yield Heading(title)
        yield Items(tuple(items))


def _item(line: LogLine) -> Item:
    spans: tuple[Span, ...] = (line.text, Rule(line.rule)) if line.rule else (line.text,)
    return Item(spans=spans, reasons=line.reasons)
