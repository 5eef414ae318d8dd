"""Calendars as text: folded, escaped, and the same each time (RFC 5545)."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from campaign.core.ical import LONGEST_LINE, Event, calendar_text


def event(**more: object) -> Event:
    usual: dict[str, object] = {
        "uid": "deadline-1.bulge@example.org",
        "at": datetime(2026, 3, 3, 13, tzinfo=timezone(timedelta(hours=1))),
        "summary": "A deadline",
        "description": "A phase",
        "url": "https://example.org/c/bulge/",
        "tentative": False,
        "sequence": 3,
        "stamp": datetime(2026, 3, 1, 12, tzinfo=UTC),
    }
    return Event(**(usual | more))  # type: ignore[arg-type]


def test_times_are_in_utc_and_lines_end_as_the_standard_says() -> None:
    text = calendar_text("The Bulge", [event()])
    assert text.splitlines() == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Fieldpost//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        "X-WR-CALNAME:The Bulge",
        "BEGIN:VEVENT",
        "UID:deadline-1.bulge@example.org",
        "DTSTAMP:20260301T120000Z",
        "DTSTART:20260303T120000Z",
        "SEQUENCE:3",
        "SUMMARY:A deadline",
        "DESCRIPTION:A phase",
        "URL:https://example.org/c/bulge/",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    assert text.count("\r\n") == text.count("\n") == len(text.splitlines())
    assert "STATUS:TENTATIVE" in calendar_text("x", [event(tentative=True)])


@pytest.mark.parametrize(
    ("plain", "escaped"),
    [
        ("a, b; c", "a\\, b\\; c"),
        ("back\\slash", "back\\\\slash"),
        ("two\nlines", "two\\nlines"),
        ("two\r\nlines", "two\\nlines"),
        ("a bell\a and\x7f a return\r", "a bell and a return"),
        ("END:VEVENT\r\nBEGIN:VEVENT", "END:VEVENT\\nBEGIN:VEVENT"),
    ],
)
def test_no_text_ends_its_line(plain: str, escaped: str) -> None:
    lines = calendar_text("x", [event(summary=plain)]).split("\r\n")
    assert f"SUMMARY:{escaped}" in lines
    assert lines.count("BEGIN:VEVENT") == 1


@pytest.mark.parametrize("character", ["x", "é", "日", "🗺"])
def test_long_lines_are_folded_between_characters(character: str) -> None:
    text = calendar_text(character * 200, [])
    parts = [line for line in text.split("\r\n") if character in line]
    assert len(parts) > 2
    assert all(len(part.encode()) <= LONGEST_LINE for part in parts)
    assert all(part.startswith(" ") for part in parts[1:])
    assert text.replace("\r\n ", "").split("\r\n")[4] == f"X-WR-CALNAME:{character * 200}"
