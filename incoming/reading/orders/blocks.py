"""The orders in a mail: which lines between BEGIN ORDERS and END ORDERS its writer wrote.

Three rules decide. What is still quoted and equal to a line that we sent is ours. A block that says nothing else than
our template is no sheet, so that a quotation never replaces orders. A block of their own wins over one in a quotation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from incoming.reading.orders.characters import simple, without_bold
from incoming.reading.orders.template import COMMENT, Template
from incoming.reading.orders.wrapping import unwrapped
from incoming.reading.quotation import Quotation, is_disclaimer, is_sent_from, is_signature
from incoming.reading.text.lines import Line
from incoming.reading.text.marks import Mark, is_nearly_mark, mark_in

UNCHANGED = (
    "We found only the template that we sent, without a change, so we took no orders from this mail. Write your orders"
    " as lines of their own between BEGIN ORDERS and END ORDERS, and reply again. If the template already says what"
    " you want, add the line # these are my orders."
)
EMPTY = (
    "There is nothing between BEGIN ORDERS and END ORDERS, so we took no orders from this mail. Write your orders"
    " there, one per line, and reply again."
)
NO_END = (
    "The line END ORDERS is missing, so we read your orders up to the end of what you wrote. Check our answer: if it"
    " lacks a line, send the whole sheet again with END ORDERS below it."
)
CUT_OFF = (
    "Your mail quotes our template without its line END ORDERS, so we cannot tell where orders would end, and took"
    " none. Write BEGIN ORDERS, your orders and END ORDERS above the quotation, and reply again."
)
NO_BEGIN = (
    "Your mail has the line END ORDERS but no line BEGIN ORDERS, so we cannot tell where your orders begin, and took"
    " none. Write BEGIN ORDERS above them, and reply again."
)
NEARLY = (
    "A line of your mail looks like BEGIN ORDERS or END ORDERS but is not. Each must be a line of its own with exactly"
    " these two words in plain letters; copy them from here and reply again."
)
SECOND = "Your mail has more than one block of orders. We read only the first; put all orders into one block."
NESTED = (
    "The only orders in your mail are in a quotation within a quotation, so we did not take them as yours. Copy them"
    " above the quotation, without quote marks, between BEGIN ORDERS and END ORDERS."
)


@dataclass(frozen=True)
class Orders:
    """The orders of a mail, the lines that were for them, and what the writer must know."""

    text: str | None
    lines: frozenset[int] = frozenset()
    """Where blocks of orders are, with their marks."""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Block:
    start: int
    """Its line BEGIN ORDERS."""
    stop: int
    """The line after its last."""
    rows: tuple[Line, ...]
    depth: int
    closed: bool
    below: bool
    """It is in a quotation that has no quote marks."""

    @property
    def own(self) -> bool:
        return not self.depth and not self.below


def orders_of(quotation: Quotation, template: Template) -> Orders:
    """The orders in a mail, None if it has none that its writer wrote."""
    blocks = list(_blocks(quotation))
    lines = frozenset(index for block in blocks for index in range(block.start, block.stop))
    quoted = any(not block.own for block in blocks)
    written = [(block, rows) for block in blocks if (rows := _written(block, template, quoted=quoted))]
    if not written:
        return Orders(None, lines, tuple(_why_none(quotation, blocks, lines)))
    block, rows = next(((block, rows) for block, rows in written if block.own), written[0])
    problems = [] if block.closed else [NO_END]
    if sum(one.own for one, _ in written) > 1:
        problems.append(SECOND)
    return Orders(_text(rows, block.depth), lines, tuple(problems))


# --- where blocks are -------------------------------------------------------------------------------------------------


def _blocks(quotation: Quotation) -> Iterator[_Block]:
    """The blocks of a mail from top to bottom."""
    lines = quotation.lines
    marks = [mark_in(line.text) for line in lines]
    index = 0
    while index < len(lines):
        if marks[index] is not Mark.BEGIN:
            index += 1
            continue
        stop = next((at for at in range(index + 1, len(lines)) if marks[at] is not None), len(lines))
        closed = stop < len(lines) and marks[stop] is Mark.END and not _ends_before(quotation, index, stop)
        last = stop if closed else _end_of_unclosed(quotation, index, stop)
        end = last + 1 if closed else last
        rows = tuple(lines[index + 1 : last])
        yield _Block(index, end, rows, lines[index].depth, closed, below=index >= quotation.boundary)
        index = end


def _ends_before(quotation: Quotation, start: int, stop: int) -> bool:
    """Whether a quotation is announced between two marks, so that the second is not of the first's writer."""
    return start < quotation.boundary < stop or any(at in quotation.announced for at in range(start, stop))


def _end_of_unclosed(quotation: Quotation, start: int, stop: int) -> int:
    """Where a block without END ORDERS ends: where a signature or a quotation begins, or a line is quoted otherwise."""
    depth = quotation.lines[start].depth
    for index in range(start + 1, stop):
        line = quotation.lines[index]
        foreign = index in quotation.announced or line.depth != depth or index == quotation.boundary
        if foreign or is_signature(line) or is_sent_from(line) or is_disclaimer(line):
            return index
    return stop


# --- what its writer wrote --------------------------------------------------------------------------------------------


def _written(block: _Block, template: Template, *, quoted: bool) -> list[Line]:
    """The lines of a block that its writer wrote; empty if it says nothing but the template, or cannot count.

    `quoted`: there is a block in a quotation too, so that one of their own is a copy that they made.
    """
    if not block.closed and not block.own:
        return []
    if block.depth:
        rows = [row for row in block.rows if not row.depth] if block.depth > 1 else template.without(block.rows)
        rows = [] if all(_is_foreign_comment(row) for row in rows) else rows
    else:
        unchanged = template.is_unchanged(block.rows, below=block.below, cut_off=not block.closed)
        rows = [] if unchanged and not (block.own and quoted) else template.without(block.rows)
    return rows if any(row.text.strip() for row in rows) else []


def _is_foreign_comment(row: Line) -> bool:
    """Whether a line of a quotation may be a comment of ours that was changed on the way: it makes no sheet alone."""
    return not row.text.strip() or (row.depth > 0 and row.text.strip().startswith(COMMENT))


def _text(rows: Sequence[Line], depth: int) -> str:
    """Lines as a sheet: one quote mark less each, in simple letters."""
    less = max(depth, 1)
    marked = [Line("> " * max(row.depth - less, 0) + row.text, row.depth, row.width) for row in rows]
    texts = [without_bold(simple(text)).strip() for text in unwrapped(marked)]
    return "\n".join(text for text, before in zip(texts, ["", *texts], strict=False) if text or before).strip("\n")


def _why_none(quotation: Quotation, blocks: Sequence[_Block], lines: frozenset[int]) -> Iterator[str]:
    """Why a mail has no orders, as far as it seems to be meant to have some."""
    own = [
        line.text
        for index, line in enumerate(quotation.lines)
        if not quotation.is_foreign(index) and index not in lines
    ]
    if any(map(is_nearly_mark, own)):
        yield NEARLY
    elif any(mark_in(text) is Mark.END for text in own):
        yield NO_BEGIN
    elif any(block.own and not any(row.text.strip() for row in block.rows) for block in blocks):
        yield EMPTY
    elif blocks and all(block.depth > 1 for block in blocks):
        yield NESTED
    elif any(not block.closed and not block.own for block in blocks):
        yield CUT_OFF
    elif blocks:
        yield UNCHANGED
