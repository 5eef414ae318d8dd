"""Names of units and places as orders write them: without regard to capitals, accents and punctuation."""

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from campaign.engine.values.ids import PlaceId, UnitId

LONGEST_NAME = 6
"""Words in the longest name of a unit or place."""

_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})

_LEFT_OUT = re.compile(r"[^\w/]|_")
"""Characters that are no letters, digits or strokes."""

Id = TypeVar("Id", bound=str)


def plain(name: str) -> str:
    """A name in the form for comparing: no capitals, accents, spaces or punctuation (but `26/1` keeps its stroke)."""
    return _LEFT_OUT.sub("", unicodedata.normalize("NFKD", name).casefold())


@dataclass(frozen=True)
class Lexicon(Generic[Id]):
    """The names of one sort of thing: each plain name with all that it may mean, each id with its usual name."""

    kind: str
    """The sort, for messages about unknown names: "one of your units", "a place on this map"."""
    meanings: Mapping[str, tuple[Id, ...]]
    usual: Mapping[Id, str]
    full: Mapping[str, str]
    """Full names: the form for comparing, and the written form."""
    ids: str = ""
    """The same where only ids are allowed, as in paths: "a hex of this map"; empty: `kind`."""
    path_help: str = ""
    """How a path is written, with an example of this map; empty if its ids are like names."""


def lexicon(
    kind: str,
    names: Mapping[Id, Sequence[str]],
    *,
    unabridged: Container[Id] = (),
    ids: str = "",
    path_help: str = "",
) -> Lexicon[Id]:
    """A lexicon of ids with their names, the usual one first. A full name wins over another's shortened one.

    `unabridged`: those that have full names only, so that others keep their short ones.
    """
    full = _meanings((key, id_) for id_, all_names in names.items() for name in all_names for key in _spellings(name))
    cut = {id_: all_names[0] for id_, all_names in names.items() if id_ not in unabridged}
    short = _meanings((part, id_) for id_, name in cut.items() for part in _shortened(name))
    usual = {id_: all_names[0] for id_, all_names in names.items()}
    written = {plain(name): name for all_names in names.values() for name in all_names}
    return Lexicon(kind, short | full, usual, written, ids, path_help)


def _spellings(name: str) -> tuple[str, ...]:
    """The forms of a name for comparing, without accents or with umlauts spelt out: Bullingen, Buellingen."""
    return plain(name), plain(name.translate(_SPELT_OUT))


def _meanings(pairs: Iterable[tuple[str, Id]]) -> dict[str, tuple[Id, ...]]:
    found: dict[str, list[Id]] = {}
    for key, id_ in pairs:
        if key:
            found.setdefault(key, []).append(id_)
    return {key: tuple(dict.fromkeys(ids)) for key, ids in found.items()}


def _shortened(name: str) -> Iterator[str]:
    """A name of several words may be shortened to its beginning or its end: Peiper, Lehr, St."""
    words = name.split()
    for cut in range(1, len(words)):
        yield plain(" ".join(words[:cut]))
        yield plain(" ".join(words[cut:]))


@dataclass(frozen=True)
class Names:
    """All that orders may name."""

    units: Lexicon[UnitId]
    places: Lexicon[PlaceId]


def certain(names: Names) -> Names:
    """The same names, but with the id of a unit whose label is ambiguous."""
    units = names.units
    usual = {id_: label if units.meanings[plain(label)] == (id_,) else id_ for id_, label in units.usual.items()}
    return Names(Lexicon(units.kind, units.meanings, usual, units.full), names.places)


def grouped(units: Iterable[tuple[str, UnitId]]) -> dict[str, frozenset[UnitId]]:
    """Formations by name, with all their units, from pairs of a formation's name and one of its units."""
    found: dict[str, set[UnitId]] = {}
    for name, unit in units:
        found.setdefault(name, set()).add(unit)
    return {name: frozenset(found[name]) for name in sorted(found)}


def unprintable(text: str) -> int:
    """The column, from 1, of the first character that is not allowed: control, half a pair, unassigned.

    0 if there is none. Tabs are allowed.
    """
    for column, character in enumerate(text, 1):
        if unicodedata.category(character) in ("Cc", "Cs", "Cn") and character != "\t":
            return column
    return 0


def unlettered(text: str) -> str:
    """The first letter or sign that no map can print, with its number; empty if there is none.

    Maps are printed in Latin, Greek and Cyrillic letters, from left to right, each with its accents in one piece.
    """
    for letter in unicodedata.normalize("NFC", text):
        if unicodedata.category(letter) in _UNSEEN or not any(ord(letter) in block for block in _PRINTED):
            return f"{letter!r} (U+{ord(letter):04X})"
    return ""


_PRINTED = (
    range(0x0020, 0x02B0),  # Latin
    range(0x0370, 0x0500),  # Greek, Cyrillic
    range(0x1E00, 0x1EFC),  # Latin with more accents
    range(0x1F00, 0x2070),  # Greek with accents, dashes, quotation marks
    range(0x2116, 0x2117),  # №
    range(0x2190, 0x2300),  # arrows, signs of sums
    range(0x25A0, 0x2600),  # shapes
)
_UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
"""Categories of characters that are invisible or control the line."""
