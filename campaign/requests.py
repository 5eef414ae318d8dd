"""What forms bring along."""

from django.http import HttpRequest

MOST_DIGITS = 9
"""Every database keeps numbers of so many digits."""


def number(request: HttpRequest, name: str) -> int:
    """A number that a form carries; 0 for what is none, or far too large."""
    written = request.POST.get(name, "")
    return int(written) if written.isascii() and written.isdigit() and len(written) <= MOST_DIGITS else 0
