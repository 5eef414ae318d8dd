"""Pages as a reader sees them: how a template is laid out makes no difference to a test."""

import re

_VERBATIM = re.compile(r"(<(pre|textarea)\b.*?</\2>)", re.DOTALL)
_BLOCKS = (
    "article|body|br|button|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|html|"
    "input|label|legend|li|link|main|meta|nav|ol|option|p|script|section|select|summary|table|tbody|td|th|thead|title|tr|ul"
)
_BEFORE_AN_END = re.compile(r"(<[a-z][^<>]*) >")
_AFTER_A_BLOCK = re.compile(rf"(</?(?:{_BLOCKS})\b[^<>]*>) ")
_BEFORE_A_BLOCK = re.compile(rf" (</?(?:{_BLOCKS})\b[^<>]*>)")


def laid_out(page: str) -> str:
    """A page with one space where it has several, and none next to a block or before the end of a tag."""
    parts = _VERBATIM.split(page)
    return "".join(part if number % 3 else _squeezed(part) for number, part in enumerate(parts) if number % 3 != 2)


def _squeezed(part: str) -> str:
    tags = " ".join(f"|{part}|".split())[1:-1]
    if " >" in tags:
        tags = _BEFORE_AN_END.sub(r"\1>", tags)
    return _BEFORE_A_BLOCK.sub(r"\1", _AFTER_A_BLOCK.sub(r"\1", tags))
