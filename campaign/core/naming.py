"""Names that people choose: of themselves, of campaigns, of desks. They must look like what they are."""

import unicodedata
from collections.abc import Mapping

from django.core.exceptions import ValidationError

from campaign.engine.lexicon import unlettered

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


def printable_name(text: str) -> None:
    """A form's validator: refuses letters that maps do not have."""
    if letter := unlettered(text):
        raise ValidationError(
            f"Maps cannot print {letter}. Use Latin, Greek or Cyrillic letters.",
            code="letters",
        )


def one_script(text: str) -> None:
    """A form's validator: refuses a name whose letters are of several scripts: Latin ones with a Cyrillic o, say."""
    scripts = {_script(character) for character in text if unicodedata.category(character)[0] == "L"}
    if len(scripts - _EAST_ASIAN) + bool(scripts & _EAST_ASIAN) > 1:
        raise ValidationError(
            f"Its letters are of several scripts: {', '.join(sorted(map(str.capitalize, scripts)))}. Use one of them.",
            code="scripts",
        )


def look(text: str) -> str:
    """What a name looks like at a glance: two names with the same look are easily taken for each other."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    letters = (_ALIKE.get(character, character) for character in plain if not unicodedata.combining(character))
    return "".join(character for character in "".join(letters).replace("rn", "m") if character.isalnum())


def _script(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").split()[0].partition("-")[0]


_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
"""Written together in one word."""

_ALIKE: Mapping[str, str] = dict(
    zip(
        "аеорсухіјѕһԁԛԝкмнтвгпбз" + "αορνυικτηρχγω" + "ıł0" + "1l|!" + "5",
        "aeopcyxijshdqwkmhtbrn63" + "aopvuiktnpxyw" + "iio" + "iiii" + "s",
        strict=True,
    )
)
"""Small letters, and what stands for them at a glance: Cyrillic, Greek, odd Latin ones, digits. l and 1 are i's."""
