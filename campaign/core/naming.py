"""Checks the names that people choose for themselves, campaigns and desks: they must look like what they are."""

import unicodedata
from collections.abc import Mapping

from django.core.exceptions import ValidationError

from campaign.engine.orders.lexicon import unlettered

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of invisible characters: controls, direction marks, line ends."""
_CONTROLS = {"Cc", "Cs", "Zl", "Zp"}
"""Those that no text needs; joiners and marks of direction within words are needed."""
_TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of all that follows."""


def visible_name(text: str) -> None:
    """A form validator: refuses characters that a reader cannot see, or that reverse the text."""
    for column, character in enumerate(text, 1):
        if unicodedata.category(character) in _UNSEEN:
            raise ValidationError(
                f"Character {column} cannot be seen in print. Type the name instead of pasting it.",
                code="unseen",
            )


def unseen(line: str) -> int:
    """The column of the first character of a line that nobody can see, or that reverses it; 0 if there is none."""
    hidden = (
        column
        for column, character in enumerate(line, 1)
        if character in _TURNING or (character != "\t" and unicodedata.category(character) in _CONTROLS)
    )
    return next(hidden, 0)


def printable_name(text: str) -> None:
    """A form validator: refuses letters that maps do not have."""
    if letter := unlettered(text):
        raise ValidationError(
            f"Maps cannot print {letter}. Use Latin, Greek or Cyrillic letters.",
            code="letters",
        )


def one_script(text: str) -> None:
    """A form validator: refuses a name with letters of several scripts, such as a Cyrillic o among Latin letters."""
    scripts = {_script(character) for character in text if unicodedata.category(character)[0] == "L"}
    if len(scripts - _EAST_ASIAN) + bool(scripts & _EAST_ASIAN) > 1:
        raise ValidationError(
            f"Its letters are of several scripts: {', '.join(sorted(map(str.capitalize, scripts)))}. Use one of them.",
            code="scripts",
        )


def look(text: str) -> str:
    """What a name looks like at a glance; two names with the same result are easily confused."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    letters = (_ALIKE.get(character, character) for character in plain if not unicodedata.combining(character))
    return "".join(character for character in "".join(letters).replace("rn", "m") if character.isalnum())


def _script(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").split()[0].partition("-")[0]


_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
"""Scripts that may be mixed in one word."""

_ALIKE: Mapping[str, str] = dict(
    zip(
        "аеорсухіјѕһԁԛԝкмнтвгпбз" + "αορνυικτηρχγω" + "ıł0" + "1l|!" + "5",
        "aeopcyxijshdqwkmhtbrn63" + "aopvuiktnpxyw" + "iio" + "iiii" + "s",
        strict=True,
    )
)
"""Small letters and the ones they look like: Cyrillic, Greek, unusual Latin, digits. l and 1 look like i."""
