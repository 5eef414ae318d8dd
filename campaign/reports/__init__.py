"""Reports of a phase: what a View tells its audience, for a mail, a page or a forum post."""

from campaign.reports.document import (
    Block,
    Document,
    Heading,
    Item,
    Items,
    Paragraph,
    Picture,
    Rule,
    Span,
    Spoiler,
    Table,
    chart,
    report,
    with_notes,
    with_preface,
)
from campaign.reports.formats import Dialect, RuleUrl, to_bbcode, to_html, to_markdown, to_text

__all__ = [
    "Block",
    "Dialect",
    "Document",
    "Heading",
    "Item",
    "Items",
    "Paragraph",
    "Picture",
    "Rule",
    "RuleUrl",
    "Span",
    "Spoiler",
    "Table",
    "chart",
    "report",
    "to_bbcode",
    "to_html",
    "to_markdown",
    "to_text",
    "with_notes",
    "with_preface",
]
