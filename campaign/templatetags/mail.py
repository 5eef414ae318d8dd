"""Filters for mails as plain text: lines that fit a window, words without markup."""

import re
from datetime import UTC, datetime

from django import template
from django.utils import timezone

from campaign.mail.bounces import in_words
from campaign.reports.layout import display_width, wrap
from campaign.reports.writing import WIDTH

register = template.Library()


@register.filter
def fit(text: str) -> str:
    """Wrap long lines, except around a word that fits no line (an address); keep at most one blank line in a row."""
    lines = (piece for line in text.strip().splitlines() for piece in _fitted(line.rstrip()))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


@register.filter
def to_the_second(value: datetime) -> str:
    """A time by its reader's clock, with UTC where that differs."""
    local, universal = timezone.localtime(value), value.astimezone(UTC)
    in_utc = "" if local.utcoffset() == universal.utcoffset() else f" ({universal:%H:%M:%S} UTC)"
    return f"{local:%a %-d %b %Y, %H:%M:%S %Z}{in_utc}"


@register.filter
def bounce_in_words(status: str, onward: bool) -> str:  # noqa: FBT001 - filters take no names
    """Why a mail came back, by the status that its server gave; and whether from where it was passed on to."""
    return in_words(status, onward=onward)


def _fitted(line: str) -> list[str]:
    if display_width(line) <= WIDTH or any(display_width(word) > WIDTH for word in line.split()):
        return [line]
    return wrap(line, WIDTH)
