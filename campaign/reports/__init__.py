"""Reports of a stop: what a View tells its audience, to read in a mail, on a page or in a forum post."""

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
    report,
)

__all__ = [
    "Block",
    "Document",
    "Heading",
    "Item",
    "Items",
    "Paragraph",
    "Picture",
    "Rule",
    "Span",
    "Spoiler",
    "Table",
    "report",
]
