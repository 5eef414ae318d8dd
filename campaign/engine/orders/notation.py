"""Order text to orders and back: the one parser for sheets, reports and rulings.

A line is a verb and its fields, separated by spaces or commas; those with a keyword come last and in any order. `#`
begins a comment, except within free text. Units and places are matched longest name first, without regard to capitals,
accents and punctuation. A faulty line becomes a problem and no order; the other lines count.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import Any, NamedTuple, NoReturn

from campaign.engine.orders.checking import Refused, refusal
from campaign.engine.orders.grammar import Part, grammar_of, is_enum, usage
from campaign.engine.orders.lexicon import LONGEST_NAME, Id, Lexicon, Names, plain, unprintable
from campaign.engine.orders.order import HQ, Line, Order, Path, Placed, Problem, Sheet, Text, verb_of
from campaign.engine.values.ids import PlaceId, UnitId

MOST_CHARACTERS = 64 * 1024
MOST_LINES = 1_000
MOST_IN_A_LINE = 1_000

_LINE_END = re.compile(r"\r\n|\r|\n")
_WHOLE_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line with its end, if it has one."""
_TOKEN = re.compile(r"[^\s,]+")
_BETWEEN_PLACES = re.compile(r"[-=>\u2010-\u2015\u2212\u2190-\u21ff\u27f0-\u27ff]+")
"""Strokes, dashes, minus signs and arrows of any length."""


def lines_that_say(text: str, verb: str) -> Iterator[tuple[str, bool]]:
    """Each line of a sheet with its end, and whether it is just this verb, which has no fields, as `parse` reads it."""
    for line in _WHOLE_LINE.findall(text):
        words = _TOKEN.findall(line.split("#", maxsplit=1)[0])
        yield line, " ".join(words).upper() == verb


# --- text to orders --------------------------------------------------------------------------------------------------


def decode_text(data: bytes) -> Sheet | str:
    """A sheet's bytes as text: UTF-8 with or without a BOM, or UTF-16 with one. Else a sheet with the problem."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(encoding)
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"the sheet is not valid {encoding.removesuffix('-sig').upper()} text"
        hint = "Save the sheet as UTF-8 and submit it again; nothing of this version was read."
        return Sheet((), (refusal(Line(line), _unread("encoding", column, message, hint)),))


@dataclass(frozen=True)
class Phases:
    """The other phases that an order belongs to."""

    titles: Sequence[str]
    acts: bool
    """The writer acts in them."""


Elsewhere = Callable[[str], Phases | None]
"""The phases that a verb belongs to, if it is none of this phase's."""


def nowhere_else(_verb: str) -> None:
    """For lines that belong to one place only: no other phases."""


def parse(
    text: str,
    kinds: Iterable[type[Order]],
    names: Names,
    *,
    desk: str = HQ,
    elsewhere: Elsewhere = nowhere_else,
    of: str = "this phase",
) -> Sheet:
    """Read a desk's sheet: every line that is an order of one of these kinds, and a problem for every other line.

    `of` names what is read, for messages about orders of something else.
    """
    if len(text) > MOST_CHARACTERS:
        return Sheet((), (_too_long(text, desk),))
    verbs = _Verbs({verb_of(kind): kind for kind in kinds}, elsewhere, of)
    orders: list[Placed] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines_of(text), 1):
        if number > MOST_LINES:
            too_many = _unread("too-long", 1, f"only the first {MOST_LINES} lines are read", "Shorten the sheet.")
            problems.append(refusal(Line(number, desk), too_many))
            break
        try:
            order = _parse_line(line, verbs, names)
        except Refused as why:
            problems.append(refusal(Line(number, desk), why))
        else:
            if order is not None:
                orders.append(Placed(order, number, desk))
    return Sheet(tuple(orders), tuple(problems))


def lines_of(text: str) -> list[str]:
    """The lines of a sheet; the first is line 1."""
    return _LINE_END.split(text)


def _too_long(text: str, desk: str) -> Problem:
    line = text[:MOST_CHARACTERS].count("\n") + 1
    message = f"the sheet has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read"
    why = _unread("too-long", 1, message, "Shorten it; nothing of this version was read.")
    return refusal(Line(line, desk), why)


def _unread(code: str, column: int, message: str, hint: str = "") -> Refused:
    """Why a line cannot be read, and the column where it goes wrong."""
    return Refused(code, message, "NOTATION", hint=hint, column=column)


@dataclass
class _Words:
    """The words of a line, taken from the front. A comment has no words, but may be part of free text."""

    line: str
    words: list[tuple[str, int]]
    """Each word and its column, counted from 1."""
    taken: int = 0
    """The number of characters of the line that are used."""

    @property
    def column(self) -> int:
        return self.words[0][1] if self.words else len(self.line.partition("#")[0].rstrip()) + 1

    @property
    def first(self) -> str:
        return self.words[0][0] if self.words else ""

    def take(self, count: int = 1) -> str:
        taken = " ".join(word for word, _ in self.words[:count])
        last, column = self.words[count - 1]
        self.taken = column - 1 + len(last)
        del self.words[:count]
        return taken

    @property
    def rest(self) -> str:
        return self.line[self.taken :].strip()

    def take_rest(self) -> str:
        rest = self.rest
        self.words.clear()
        self.taken = len(self.line)
        return rest


@dataclass(frozen=True)
class _Verbs:
    """The orders that a line may be."""

    kinds: Mapping[str, type[Order]]
    elsewhere: Elsewhere
    of: str


def _parse_line(line: str, verbs: _Verbs, names: Names) -> Order | None:
    _require_printable(line)
    code = line.partition("#")[0]
    words = _Words(line, [(match.group(), match.start() + 1) for match in _TOKEN.finditer(code)])
    if not words.words:
        return None
    kind = _take_verb(words, verbs)
    values = _take_fields(kind, words, names)
    if words.words:
        column, stranger = words.column, " ".join(word for word, _ in words.words)
        raise _unread("extra", column, f"{stranger!r} does not belong in a {verb_of(kind)} line", usage(kind))
    _require_one_of(kind, values, words)
    return kind(**values)


def _require_printable(line: str) -> None:
    """Raise Refused for a line that is too long or has a character that cannot be stored or shown."""
    if len(line) > MOST_IN_A_LINE:
        raise _unread(
            "too-long", MOST_IN_A_LINE + 1, f"a line can have at most {MOST_IN_A_LINE} characters", "Split it."
        )
    column = unprintable(line)
    if column:
        name = f"U+{ord(line[column - 1]):04X}"
        raise _unread("character", column, f"the character {name} cannot be used in a sheet", "Delete it.")


def _take_verb(words: _Words, verbs: _Verbs) -> type[Order]:
    begun = [" ".join(word for word, _ in words.words[:count]).upper() for count in range(4, 0, -1)]
    for verb in begun:
        if verb in verbs.kinds:
            words.take(len(verb.split()))
            return verbs.kinds[verb]
    for verb in begun:
        if phases := verbs.elsewhere(verb):
            raise _of_another_phase(verb, words.column, phases, verbs.of)
    hint = nearest(words.first.upper(), verbs.kinds) or f"Orders of {verbs.of}: {', '.join(sorted(verbs.kinds))}."
    raise _unread("verb", words.column, f"{words.first!r} is not an order of {verbs.of}", hint)


def _of_another_phase(verb: str, column: int, phases: Phases, of: str) -> Refused:
    *others, last = (f"“{title}”" for title in phases.titles)
    listed = f"{', '.join(others)} and {last}" if others else last
    hint = "Write it when that phase is open." if phases.acts else ""
    return _unread("verb", column, f"{verb} is an order of {listed}, not of {of}", hint)


def _take_fields(kind: type[Order], words: _Words, names: Names) -> dict[str, Any]:
    """The fields without a keyword in the order of their type, then those with one in any order."""
    plain = [part for part in grammar_of(kind) if not part.keyword]
    keyed = {part.keyword: part for part in grammar_of(kind) if part.keyword}
    values: dict[str, Any] = {}
    for index, part in enumerate(plain):
        later = {*keyed, *(word for following in plain[index + 1 :] for word in following.words)}
        if _is_given(part, words, later):
            values[part.name] = _take_value(part, words, names, later)
        elif not part.optional:
            raise _missing(kind, part, words)
    while (keyword := words.first.lower()) in keyed:
        words.take()
        part = keyed.pop(keyword)
        values[part.name] = _take_value(part, words, names, set(keyed))
    for part in keyed.values():
        if not part.optional:
            raise _missing(kind, part, words)
    return values


def _missing(kind: type[Order], part: Part, words: _Words) -> Refused:
    return _unread("missing", words.column, f"{verb_of(kind)} needs {part.help}", usage(kind))


def _require_one_of(kind: type[Order], values: Mapping[str, Any], words: _Words) -> None:
    given = [name for name in kind.one_of if name in values]
    if kind.one_of and not given:
        wanted = " or ".join(part.help for part in grammar_of(kind) if part.name in kind.one_of)
        raise _unread("missing", words.column, f"{verb_of(kind)} needs {wanted}", usage(kind))
    if len(given) > 1:
        both = " or ".join(part.help for part in grammar_of(kind) if part.name in given)
        raise _unread("extra", 1, f"{verb_of(kind)} takes {both}, not both", usage(kind))


# --- fields ----------------------------------------------------------------------------------------------------------


def _is_given(part: Part, words: _Words, later: set[str]) -> bool:
    """Whether the next words are this field, which has no keyword: no keyword of a later field comes first."""
    return bool(words.rest) if part.type is Text else bool(words.words) and words.first.lower() not in later


def _take_value(part: Part, words: _Words, names: Names, later: set[str]) -> Any:
    kind = part.type
    if kind is bool:
        return True
    if not words.words and kind is not Text:
        raise _unread("missing", words.column, f"{part.help} is missing")
    if kind is int:
        return _take_number(words)
    if kind is Text:
        return words.take_rest()
    if kind == Path:
        return _take_path(words, names.places, later)
    if kind is UnitId:
        return _take_name(words, names.units, names, later)
    return _take_choice(kind, words) if is_enum(kind) else _take_name(words, names.places, names, later)


def _take_number(words: _Words) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", words.first):
        raise _unread("number", words.column, f"{words.first!r} is not a whole number")
    return int(words.take())


def _take_choice(kind: type[Enum], words: _Words) -> Enum:
    choices = {str(choice.value).lower(): choice for choice in kind}
    word = words.first.lower()
    if word not in choices:
        offered = ", ".join(str(choice.value) for choice in kind)
        raise _unread("word", words.column, f"{words.first!r} is not one of {offered}", nearest(word, choices))
    words.take()
    return choices[word]


def _take_path(words: _Words, places: Lexicon[PlaceId], later: set[str]) -> Path:
    """Places joined by strokes, arrows, commas or spaces, up to the end or the next keyword.

    They are written by their ids. Where ids are like names, full names will do too, also those of several words.
    """
    pieces = list(_pieces_of_path(words, later))
    path: list[PlaceId] = []
    while pieces:
        count, place = _named_in_path(pieces, places)
        path.append(place)
        del pieces[:count]
    return tuple(path)


class _Piece(NamedTuple):
    """A word of a path, or a part of one between strokes."""

    text: str
    column: int
    apart: bool
    """Whether a stroke or a comma parts it from the word before."""


def _pieces_of_path(words: _Words, later: set[str]) -> Iterator[_Piece]:
    apart = True
    while words.words and words.first.lower() not in later:
        word, column = words.words[0]
        between = words.line[words.taken : column - 1]
        words.take()
        apart = apart or "," in between
        at = 0
        for stroke in (*_BETWEEN_PLACES.finditer(word), None):
            end = stroke.start() if stroke else len(word)
            if word[at:end]:
                yield _Piece(word[at:end], column, apart)
                apart = False
            apart = apart or stroke is not None
            at = stroke.end() if stroke else end


def _named_in_path(pieces: Sequence[_Piece], places: Lexicon[PlaceId]) -> tuple[int, PlaceId]:
    """The longest name at the front, as its number of words and its place; raises Refused if there is none."""
    joined = 1
    while joined < min(len(pieces), LONGEST_NAME) and not pieces[joined].apart:
        joined += 1
    for count in range(0 if places.path_help else joined, 0, -1):
        key = plain(" ".join(piece.text for piece in pieces[:count]))
        if key in places.full and len(places.meanings[key]) == 1:
            return count, places.meanings[key][0]
    return 1, _place_in_path(pieces[0].text, pieces[0].column, places)


def _place_in_path(piece: str, column: int, places: Lexicon[PlaceId]) -> PlaceId:
    for place in places.meanings.get(plain(piece), ()):
        if plain(place) == plain(piece):
            return place
    hint = places.path_help or _id_for_path(piece, places)
    raise _unread("place", column, f"{piece!r} is not {places.ids or places.kind}", hint)


def _id_for_path(piece: str, places: Lexicon[PlaceId]) -> str:
    """A hint for maps whose ids are names: the id of the place named, or a similar one."""
    named = places.meanings.get(plain(piece))
    return f"In a path write {named[0]}." if named else nearest(plain(piece), {plain(id_): id_ for id_ in places.usual})


def _take_name(words: _Words, known: Lexicon[Id], names: Names, later: set[str]) -> Id:
    """The longest run of words that names something. A shortened name must not be the beginning of another one."""
    longest = 1 if known is names.places and _is_numbered(words.first, names) else min(LONGEST_NAME, len(words.words))
    for count in range(longest, 0, -1):
        key = plain(" ".join(word for word, _ in words.words[:count]))
        if key in known.meanings and (key in known.full or _ends_here(words, count, names, later)):
            meanings = known.meanings[key]
            if len(meanings) > 1:
                _refuse_ambiguous(words, count, [known.usual[id_] for id_ in meanings])
            words.take(count)
            return meanings[0]
    _refuse_unknown(words, known, later)


def _is_numbered(word: str, names: Names) -> bool:
    """Whether a word is a complete id of a place, so that a number after it is separate: A1 2 is not A12."""
    return word[-1:].isdigit() and any(plain(id_) == plain(word) for id_ in names.places.meanings.get(plain(word), ()))


def _ends_here(words: _Words, count: int, names: Names, later: set[str]) -> bool:
    """Whether a name may end after `count` words: nothing follows, or a keyword, number, place or path."""
    following = [word for word, _ in words.words[count : count + LONGEST_NAME]]
    if not following or following[0].lower() in later or re.match(r"[A-Za-z]?[0-9]", following[0]):
        return True
    begun = (part for name in accumulate(following) for part in (name, _BETWEEN_PLACES.split(name)[0]))
    return any(plain(part) in names.places.full for part in begun)


def _refuse_ambiguous(words: _Words, count: int, candidates: Sequence[str]) -> NoReturn:
    column, name = words.column, words.take(count)
    raise _unread("ambiguous", column, f"{name!r} could mean {' or '.join(sorted(candidates))}", "Write the full name.")


def _refuse_unknown(words: _Words, known: Lexicon[Id], later: set[str]) -> NoReturn:
    column, name = words.column, words.take()
    while words.words and not re.match(r"[A-Za-z][0-9]", words.first) and words.first.lower() not in later:
        name += " " + words.take()
    near = nearest(plain(name), known.full)
    raise _unread("unknown", column, f"{name!r} is not {known.kind}", near)


def nearest(word: str, known: Mapping[str, Any]) -> str:
    """A suggestion; empty if no name is similar."""
    close = difflib.get_close_matches(word, sorted(known), cutoff=0.5)
    if not close:
        return ""
    name = known[close[0]]
    return f"Did you mean {name if isinstance(name, str) else close[0]}?"


# --- orders to text --------------------------------------------------------------------------------------------------


def format_order(order: Order, names: Names, *, briefly: bool = False) -> str:
    """The line that parses to this order; `briefly`: without numbers that are 0 if left out."""
    parts = [verb_of(type(order))]
    for part in grammar_of(type(order)):
        value = getattr(order, part.name)
        if value is None or value is False or value == () or (briefly and part.optional and value == 0):
            continue
        parts += [part.keyword, _format_value(part, value, names)]
    return " ".join(filter(None, parts))


def _format_value(part: Part, value: Any, names: Names) -> str:
    if part.type is bool:
        return ""
    if part.type == Path:
        return "-".join(_place_written(place, names.places) for place in value)
    if part.type is UnitId:
        return names.units.usual[value]
    if part.type is PlaceId:
        return _place_written(value, names.places)
    return str(value.value) if isinstance(value, Enum) else str(value)


def _place_written(place: PlaceId, places: Lexicon[PlaceId]) -> str:
    """A place by its id, or by its usual name where ids are like names."""
    return place if places.path_help else places.usual.get(place, place)
