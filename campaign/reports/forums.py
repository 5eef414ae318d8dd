"""The kinds of forums that posts are written for, with the longest post that each takes.

The limits are the defaults of each software; a forum's staff can raise them. They are counted as the strictest of
them counts: a line break is two characters, and so is one outside Unicode's first plane, like an emoji.
"""

from collections.abc import Callable, Mapping
from functools import partial

from campaign.engine.values.value import Value
from campaign.reports.bbcode import Dialect, to_bbcode
from campaign.reports.document import Document
from campaign.reports.markdown import Flavour, to_markdown


class Forum(Value, frozen=True):
    """A kind of forum."""

    key: str
    title: str
    limit: int
    """The longest post, in characters."""
    write: Callable[[Document], str]

    def fits(self, document: Document) -> bool:
        """Whether the document is one post."""
        return length(self.write(document)) <= self.limit


def length(text: str) -> int:
    """Characters of a post, as the strictest forum counts them."""
    return len(text.encode("utf-16-le")) // 2 + text.count("\n")


_ALL = (
    Forum("phpbb", "phpBB", 60_000, partial(to_bbcode, dialect=Dialect.PHPBB)),
    Forum("xenforo", "XenForo", 10_000, partial(to_bbcode, dialect=Dialect.XENFORO)),
    Forum("smf", "SMF (Simple Machines)", 20_000, partial(to_bbcode, dialect=Dialect.SMF)),
    Forum("discourse", "Discourse", 32_000, partial(to_markdown, flavour=Flavour.DISCOURSE)),
    Forum("discord", "Discord", 2_000, partial(to_markdown, flavour=Flavour.DISCORD)),
    Forum("markdown", "Markdown", 60_000, to_markdown),
)
FORUMS: Mapping[str, Forum] = {forum.key: forum for forum in _ALL}
"""By key, in the order of menus. The limit of Markdown, which is no software, is that of phpBB."""
DEFAULT = "phpbb"
