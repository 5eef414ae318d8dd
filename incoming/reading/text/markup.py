"""HTML of a mail as lines: what a reader would see, with quotations as quote marks.

It is not made safe and never shown: only its text is read. What the sender hides from readers is not read either.
"""

import re
from html.parser import HTMLParser

from incoming.reading.text.lines import INVISIBLE, Line, Text, limited, split, unquote

LONGEST = 400_000
"""Characters of HTML that are read."""
LONGEST_TAG = 5_000
LONGEST_STYLE = 1_000
DEEPEST = 200
"""Elements within each other that are told apart."""
RULE = "_" * 32
"""What a horizontal rule becomes, as in the text that Outlook writes."""

_TEXT_BLOCKS = frozenset({"address", "blockquote", "center", "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre"})
_LISTS = frozenset({"dd", "dl", "dt", "li", "ol", "ul"})
_TABLES = frozenset({"table", "tbody", "tfoot", "thead", "tr"})
_SECTIONS = frozenset(
    {"article", "aside", "body", "details", "div", "footer", "form", "header", "main", "nav", "section"}
)
_BLOCKS = _TEXT_BLOCKS | _LISTS | _TABLES | _SECTIONS
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_ENDS_ITS_LIKE = frozenset({"dd", "dt", "li", "p", "td", "th", "tr"})
"""Elements whose end is often left out."""
_UNSEEN = frozenset(
    {
        "head",
        "iframe",
        "math",
        "noscript",
        "object",
        "script",
        "select",
        "style",
        "svg",
        "template",
        "textarea",
        "title",
    }
)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0*)?(?![.\d])"
    r"|(?:font-size|max-height|max-width|line-height)\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)",
    re.IGNORECASE,
)
_PRESERVED = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_BAR = re.compile(r"border-left\s*:\s*(?!none|0|medium none)[^;]{0,60}(?:solid|dotted|dashed|#|rgb)", re.IGNORECASE)
_QUOTING = re.compile(r"yahoo_quoted", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f\v]+")


def text_of_html(html: str) -> Text:
    """The lines that a reader of this HTML sees."""
    bare = _without_declarations(html)
    reader = _Reader()
    reader.feed(bare[:LONGEST])
    reader.close()
    reader.end_line()
    text = limited(reader.lines)
    return Text(text.lines, text.whole and len(bare) <= LONGEST)


def _without_declarations(html: str) -> str:
    """HTML without comments and declarations, with every < that opens no tag made harmless.

    The parser would look for their ends again and again. An unclosed comment hides the rest, as in browsers. Tags that
    are too long, like a picture with its bytes, are left out.
    """
    kept: list[str] = []
    start = 0
    close = html.find(">")
    while (at := html.find("<", start)) >= 0:
        kept.append(html[start:at])
        if html.startswith("<!--", at):
            end = html.find("-->", at + 4) + 3
            if end == 2:
                return "".join(kept)
            start = end
            continue
        if 0 <= close < at:
            close = html.find(">", at)
        if html.startswith(("<!", "<?"), at) and close >= 0:
            start = close + 1
            continue
        is_tag = close >= 0 and html[at + 1 : at + 2] in _AFTER_OPENING
        if is_tag and close - at > LONGEST_TAG:
            start = close + 1
            continue
        kept.append("<" if is_tag else "&lt;")
        start = at + 1
    kept.append(html[start:])
    return "".join(kept)


_AFTER_OPENING = frozenset("/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class _Element:
    """An open element, and what holds within it."""

    def __init__(self, tag: str, outer: "_Element | None", attributes: dict[str, str]) -> None:
        style = attributes.get("style", "")[:LONGEST_STYLE]
        self.tag = tag
        self.depth: int = (outer.depth if outer else 0) + _quotes(tag, attributes, style)
        self.hidden: bool = bool(outer and outer.hidden) or (
            tag in _UNSEEN or "hidden" in attributes or _HIDDEN.search(style) is not None
        )
        self.preserved: bool = bool(outer and outer.preserved) or tag == "pre" or _PRESERVED.search(style) is not None


def _quotes(tag: str, attributes: dict[str, str], style: str) -> bool:
    """Whether an element quotes: a blockquote, or what web mail uses in its place."""
    if tag == "blockquote":
        return True
    named = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    return tag == "div" and (
        attributes.get("name") == "quote" or _BAR.search(style) is not None or _QUOTING.search(named) is not None
    )


class _Reader(HTMLParser):
    """Collects lines; elements nested too deeply count as their parent."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[Line] = []
        self._row: list[str] = []
        self._open: list[_Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self._end_block()
        if tag == "br":
            self._break()
        elif tag == "hr":
            self._end_block()
            self._row.append(RULE)
            self.end_line()
        elif tag in {"td", "th"} and self._row:
            self._row.append(" ")
        if tag in _ENDS_ITS_LIKE and self._top is not None and self._top.tag == tag:
            self._open.pop()
        if tag not in _VOID and len(self._open) < DEEPEST:
            attributes = {name: value or "" for name, value in attrs}
            self._open.append(_Element(tag, self._top, attributes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A browser knows no `<div/>`: only elements that never have an end are ended by the stroke."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._end_block()
        for back, element in enumerate(reversed(self._open), 1):
            if element.tag == tag:
                del self._open[-back:]
                return

    def handle_data(self, data: str) -> None:
        if self._top is not None and self._top.hidden:
            return
        if self._top is None or not self._top.preserved:
            text = _SPACE.sub(" ", data)
            self._row.append(text.lstrip(" ") if not self._row else text)
            return
        first, *others = split(data)
        self._row.append(first)
        for row in others:
            self._break()
            self._row.append(row)

    @property
    def _top(self) -> _Element | None:
        return self._open[-1] if self._open else None

    def _break(self) -> None:
        if self._top is None or not self._top.hidden:
            self._row.append("")
            self.end_line()

    def _end_block(self) -> None:
        """Ends a line if there is something in it."""
        if "".join(self._row).strip(" \n"):
            self.end_line()
        else:
            self._row.clear()

    def end_line(self) -> None:
        if self._row:
            text = INVISIBLE.sub("", "".join(self._row)).rstrip()
            self.lines.append(unquote(text, depth=self._top.depth if self._top else 0))
            self._row.clear()
