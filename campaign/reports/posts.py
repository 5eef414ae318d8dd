"""A document as posts of a forum: in as many parts as its limit of characters asks for.

The tree is split, never the text: between lines, items, rows of tables and blocks, so that no tag, table or fold is
left open. A list, table or fold that goes on in the next part begins again there, under its title. Only words that
would fill a whole post are cut; a title or an audience that would leave the parts too little room ends in an ellipsis.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap

from campaign.engine.values.value import Value, replace
from campaign.reports.document import (
    Block,
    Document,
    Heading,
    Headlines,
    Item,
    Items,
    Paragraph,
    Rule,
    Span,
    Spoiler,
    Table,
)
from campaign.reports.forums import Forum, length

MOST = 99
"""More parts than a report ever has; room for their numbers is kept."""


def with_pictures(document: Document, blocks: Sequence[Block]) -> Document:
    """The report with its map and chart after the headlines, or first if it has none."""
    after = next((no for no, each in enumerate(document.blocks, start=1) if isinstance(each, Headlines)), 0)
    return replace(document, blocks=(*document.blocks[:after], *blocks, *document.blocks[after:]))


def parts(document: Document, forum: Forum) -> tuple[str, ...]:
    """The document as posts, each no longer than the forum allows, numbered in their titles if there are several."""
    if forum.fits(document):
        return (forum.write(document),)
    short = _with_short_titles(document, forum)
    if forum.fits(short):
        return (forum.write(short),)
    groups = list(_groups(short, forum))
    numbered = (_part(short, group, no, len(groups)) for no, group in enumerate(groups, start=1))
    return tuple(map(forum.write, numbered))


class _Piece(Value, frozen=True):
    """The smallest part of a document that is written whole."""

    path: tuple[int, ...]
    """Places of the folds around its block, of the block, and its own in the block."""
    folds: tuple[str, ...]
    """Titles of the folds around it."""
    block: Block


def _part(document: Document, blocks: Sequence[Block], no: int, of: int) -> Document:
    return replace(document, title=f"{document.title} (part {no} of {of})", blocks=tuple(blocks))


def _groups(document: Document, forum: Forum) -> Iterator[tuple[Block, ...]]:
    """The blocks of each part."""

    def is_too_long(pieces: Sequence[_Piece]) -> bool:
        return not forum.fits(_part(document, _joined(pieces), MOST, MOST))

    whole = [piece for no, block in enumerate(document.blocks) for piece in _pieces(block, (no,), ())]
    room = forum.limit // 8
    rest = [small for piece in whole for small in (_cut(piece, room) if is_too_long([piece]) else (piece,))]
    while rest:
        count = _without_last_headings(rest, _most(rest, is_too_long))
        yield _joined(rest[:count])
        rest = rest[count:]


def _most(pieces: Sequence[_Piece], is_too_long: Callable[[Sequence[_Piece]], bool]) -> int:
    """How many of the pieces fit together; at least one."""
    more = range(2, len(pieces) + 1)
    return bisect_left(more, 1, key=lambda many: int(is_too_long(pieces[:many]))) + 1


def _without_last_headings(pieces: Sequence[_Piece], count: int) -> int:
    """How many pieces come before the headings at the end of the first `count`, which belong to what follows."""
    before = count
    while before > 0 and count < len(pieces) and isinstance(pieces[before - 1].block, Heading):
        before -= 1
    return before or count


# --- taking apart, and putting together ---------------------------------------------------------------------


def _pieces(block: Block, path: tuple[int, ...], folds: tuple[str, ...]) -> Iterator[_Piece]:
    if isinstance(block, Spoiler):
        for no, inner in enumerate(block.blocks):
            yield from _pieces(inner, (*path, no), (*folds, block.title))
        return
    for no, small in enumerate(_lines(block)):
        yield _Piece((*path, no), folds, small)


def _lines(block: Block) -> Sequence[Block]:
    match block:
        case Headlines():
            return [Headlines((line,)) for line in block.lines]
        case Items():
            return [Items((item,)) for item in block.items]
        case Table():
            return [replace(block, rows=(row,)) for row in block.rows]
    return [block]


def _joined(pieces: Sequence[_Piece], depth: int = 0) -> tuple[Block, ...]:
    """The blocks that the pieces were taken from, as far as they are here."""
    runs = groupby(pieces, key=lambda piece: (piece.path[depth], len(piece.folds) > depth or type(piece.block)))
    return tuple(block for _, run in runs for block in _block_of(list(run), depth))


def _block_of(run: list[_Piece], depth: int) -> Sequence[Block]:
    first, blocks = run[0], [piece.block for piece in run]
    if len(first.folds) > depth:
        title = _continued(first.folds[depth], is_first=not any(first.path[depth + 1 :]))
        return [Spoiler(title=title, blocks=_joined(run, depth + 1))]
    match blocks[0]:
        case Headlines():
            return [Headlines(tuple(line for each in blocks if isinstance(each, Headlines) for line in each.lines))]
        case Items():
            return [Items(tuple(item for each in blocks if isinstance(each, Items) for item in each.items))]
        case Table(title=title, head=head):
            rows = tuple(row for each in blocks if isinstance(each, Table) for row in each.rows)
            return [Table(title=_continued(title, is_first=first.path[-1] == 0), head=head, rows=rows)]
    return blocks


def _continued(title: str, *, is_first: bool) -> str:
    return title if is_first or not title else f"{title} (continued)"


# --- titles that each part repeats ---------------------------------------------------------------------------


def _with_short_titles(document: Document, forum: Forum) -> Document:
    """The document whose titles, which every part repeats, leave at least half of a post to what is under them."""

    def title(text: str) -> Document:
        return Document(title=text, audience="", blocks=())

    def audience(text: str) -> Document:
        return Document(title="", audience=text, blocks=())

    def fold(text: str) -> Document:
        return Document(title="", audience="", blocks=(Spoiler(text, ()),))

    def folded(block: Block) -> Block:
        if not isinstance(block, Spoiler):
            return block
        return Spoiler(_shortened(block.title, fold, forum, forum.limit // 8), tuple(map(folded, block.blocks)))

    return replace(
        document,
        title=_shortened(document.title, title, forum, forum.limit // 4),
        audience=_shortened(document.audience, audience, forum, forum.limit // 12),
        blocks=tuple(map(folded, document.blocks)),
    )


def _shortened(words: str, alone: Callable[[str], Document], forum: Forum, room: int) -> str:
    """The words, ending in an ellipsis if a document with nothing else would need more than `room` for all of them."""

    def is_too_long(text: str) -> bool:
        return length(forum.write(alone(text))) > room

    if not is_too_long(words):
        return words
    most = bisect_left(range(len(words)), 1, key=lambda count: int(is_too_long(f"{words[:count]}…")))
    return f"{words[: max(most - 1, 0)].rstrip()}…"


# --- what fills a post alone --------------------------------------------------------------------------------


def _cut(piece: _Piece, room: int) -> Iterator[_Piece]:
    """The words of a piece that is longer than a post, in pieces of at most `room` characters."""
    for block in _cut_block(piece.block, room):
        yield replace(piece, block=block)


def _cut_block(block: Block, room: int) -> Iterator[Block]:
    match block:
        case Headlines():
            yield from (Headlines((words,)) for line in block.lines for words in wrap(line, room))
        case Heading():
            yield from (Paragraph((words,)) for words in wrap(block.text, room))
        case Paragraph():
            yield from (Paragraph((words,)) for words in wrap(_words(block.spans), room))
        case Items():
            texts = (text for item in block.items for text in (_words(item.spans), *item.reasons))
            yield from (Items((Item((words,)),)) for text in texts for words in wrap(text, room))
        case Table():
            cells = (": ".join(filter(None, pair)) for row in block.rows for pair in _named(block, row))
            yield from (Items((Item((words,)),)) for cell in cells for words in wrap(cell, room))
        case _:
            yield block


def _named(table: Table, row: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The cells of a row with their heads."""
    return zip(table.head or ("",) * len(row), row, strict=True)


def _words(spans: tuple[Span, ...]) -> str:
    return " ".join(f"[{span.id}]" if isinstance(span, Rule) else span for span in spans)
