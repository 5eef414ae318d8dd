"""Calendars as text for calendar programs (RFC 5545).

Written here and not by a library: a feed has one kind of event with nine properties, all times are in UTC, and a
program that reads one needs the same bytes again while nothing has changed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

LONGEST_LINE = 75
"""Bytes of a line without its end; longer ones are folded."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """A moment in a calendar."""

    uid: str
    """The same each time, so that a program moves the event and adds no other."""
    at: datetime
    summary: str
    description: str
    url: str
    tentative: bool
    sequence: int
    """Grows with every change."""
    stamp: datetime
    """When what the event says was last revised."""


def calendar_text(title: str, events: Iterable[Event]) -> str:
    """A whole calendar, with the line ends of the standard."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Fieldpost//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_escaped(title)}",
        *(line for event in events for line in _lines(event)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _lines(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_escaped(event.uid)}"
    yield f"DTSTAMP:{_moment(event.stamp)}"
    yield f"DTSTART:{_moment(event.at)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"SUMMARY:{_escaped(event.summary)}"
    yield f"DESCRIPTION:{_escaped(event.description)}"
    yield f"URL:{event.url}"
    yield f"STATUS:{'TENTATIVE' if event.tentative else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """A text as a value. Characters that no line may have are left out."""
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    return "".join(character for character in text if character >= " " and character != "\x7f")


def _folded(line: str) -> Iterator[str]:
    """A line in parts of at most 75 bytes, of which all but the first begin with a space; no character is cut."""
    part, length = "", 0
    for character in line:
        size = len(character.encode())
        if length + size > LONGEST_LINE:
            yield part
            part, length = " ", 1
        part, length = part + character, length + size
    yield part
