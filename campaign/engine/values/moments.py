"""When something is in the game: the name of a turn or day, and its date where it has one."""

import datetime
import re

from campaign.engine.values.value import Value


class Moment(Value, frozen=True):
    """A moment of the game, as players call it."""

    label: str
    """16 December 1944; or, where turns are no days, 16-18 December, Turn Red."""
    date: datetime.date | None = None

    @property
    def in_files(self) -> str:
        """The moment in names of files: 1944-12-16, or its label in small letters with hyphens."""
        return self.date.isoformat() if self.date else re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")


def day_moment(date: datetime.date) -> Moment:
    """The moment that is a day."""
    return Moment(f"{date.day} {_MONTHS[date.month - 1]} {date.year}", date)


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""Written here, as names of months must not depend on the machine's language."""
