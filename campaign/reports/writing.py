"""What all formats share: the line of the audience, spans, addresses, and the invisible joiner."""

import re
from collections.abc import Callable
from urllib.parse import quote

from campaign.reports.document import Document, Rule, Span

WIDTH = 78
"""Columns of plain text: a mail still fits a window of 80 columns when it is quoted."""

WORD_JOINER = "\u2060"
"""Invisible. After a character that would start a tag or a mention, it makes that an ordinary character."""

_FACE = re.compile(
    r"[:;](?!//)(?=[-^]?[)(\]\[DPpOoXxSsb|?!\\/'*@$#]|[A-Za-z+_-][\w+-]*:)|(?<![^\W_])(?:8(?=-?\))|\?(?=\?\?))"
)
"""The first character of a smiley, or of the name of an emoji; never the colon of `https://`."""

RuleUrl = Callable[[str], str]
"""The address of a rule's text, by the rule's id."""


def audience_line(document: Document) -> str:
    """For whom the document is."""
    return f"For: {document.audience}"


def span_line(spans: tuple[Span, ...], *, text: Callable[[str], str], rule: Callable[[str], str] | None = None) -> str:
    """The spans, each written by its function, one space apart; a rule without a function is text in brackets."""
    bracketed = rule or (lambda reference: f"[{text(reference)}]")
    written = (bracketed(span.id) if isinstance(span, Rule) else text(span) for span in spans)
    return " ".join(filter(None, written))


def without_mentions(text: str) -> str:
    """The text without anything that would notify a member of the forum."""
    return re.sub(r"@(?=\w)", rf"\g<0>{WORD_JOINER}", text) if "@" in text else text


def without_faces(text: str) -> str:
    """The text without anything that a forum would show as a small picture: `:)`, `(7 of 8)`, `:name:`."""
    return _FACE.sub(rf"\g<0>{WORD_JOINER}", text)


def address(url: str) -> str:
    """The address with everything percent-encoded that could end it in any format."""
    return quote(url, safe="%/:?#@&=+$,;~!*")


def finished(text: str) -> str:
    """The text without spaces at the ends of lines, and with one newline at its end."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n") + "\n"
