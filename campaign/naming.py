"""Names that people choose: of themselves, of campaigns, of desks. They must look like what they are."""

import unicodedata

from django.core.exceptions import ValidationError

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of characters that steer the line or show nothing: controls, marks of direction, ends of line."""


def visible_name(text: str) -> None:
    """A form's validator: refuses characters that a reader cannot see, or that turn round what he reads."""
    for column, character in enumerate(text, 1):
        if unicodedata.category(character) in _UNSEEN:
            raise ValidationError(
                f"Character {column} cannot be seen in print. Type the name anew instead of pasting it.",
                code="unseen",
            )
