"""The words of stories: checked when they are sent, shown as harmless HTML."""

from django.utils.safestring import SafeString, mark_safe
from markdown import Markdown
from nh3 import clean

from campaign.core.naming import unseen

LONGEST = 20_000
LONGEST_CAPTION = 200


class Unreadable(Exception):
    """Words that cannot be stored: the message says why, and what to do."""


def checked(text: str) -> str:
    """A text as it is stored; raises Unreadable."""
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST:
        raise Unreadable(f"The text has {len(text):,} characters; {LONGEST:,} are the most. Shorten it.")
    for no, line in enumerate(text.split("\n"), 1):
        if column := unseen(line):
            raise Unreadable(
                f"Character {column} of line {no} of the text cannot be seen in print. Type the line instead of"
                " pasting it."
            )
    return text


def checked_caption(caption: str) -> str:
    """A caption as it is stored; raises Unreadable."""
    caption = caption.strip()
    if len(caption) > LONGEST_CAPTION:
        raise Unreadable(f"A caption has {len(caption):,} characters; {LONGEST_CAPTION:,} are the most. Shorten it.")
    if column := unseen(caption):
        raise Unreadable(f"Character {column} of a caption cannot be seen in print. Type it instead of pasting it.")
    return caption


def shown(text: str) -> SafeString:
    """A text as HTML: paragraphs, lists, quotes, bold and italics of Markdown, and nothing else."""
    html = _without_the_rest().convert(text)
    tags = {"p", "br", "hr", "ul", "ol", "li", "blockquote", "strong", "em"}
    return mark_safe(clean(html, tags=tags, attributes={}))  # noqa: S308


def _without_the_rest() -> Markdown:
    """Markdown without links, pictures, HTML, code and headings.

    Links and HTML take minutes to look for in a text that is made for it.
    """
    markdown = Markdown(extensions=["nl2br", "sane_lists"], output_format="html")
    for name in ("backtick", "reference", "link", "image_link", "image_reference", "short_reference"):
        markdown.inlinePatterns.deregister(name)
    for name in ("short_image_ref", "autolink", "automail", "html", "entity"):
        markdown.inlinePatterns.deregister(name)
    markdown.preprocessors.deregister("html_block")
    for name in ("reference", "code", "hashheader", "setextheader"):
        markdown.parser.blockprocessors.deregister(name)
    return markdown
