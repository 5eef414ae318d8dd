"""Reports of a phase: what a View tells its audience, for a mail, a page or a forum post."""

from campaign.reports.bbcode import Dialect, to_bbcode
from campaign.reports.document import (
    Block,
    Document,
    Heading,
    Headlines,
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
    tables,
    with_notes,
    with_preface,
)
from campaign.reports.formats import tables_left_out, to_html, to_text
from campaign.reports.forums import FORUMS, Forum
from campaign.reports.markdown import Flavour, markdown_line, to_markdown
from campaign.reports.posts import parts, with_pictures
from campaign.reports.writing import RuleUrl

__all__ = [
    "FORUMS",
    "Block",
    "Dialect",
    "Document",
    "Flavour",
    "Forum",
    "Heading",
    "Headlines",
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
    "markdown_line",
    "parts",
    "report",
    "tables",
    "tables_left_out",
    "to_bbcode",
    "to_html",
    "to_markdown",
    "to_text",
    "with_notes",
    "with_pictures",
    "with_preface",
]
