"""What an SQL statement reads: of which tables which columns, and which columns it holds to one given value.

Enough SQL for what Django writes and for plain statements by hand. A statement about a table in question that is not
understood to its end is unreadable; nobody guesses what it reads.
"""

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

Tables = Mapping[str, frozenset[str]]
"""The tables in question by their names: the columns of each."""

Piece: TypeAlias = "str | int | list[Piece]"
"""A word, a sign, the number of a parameter, or what stands in brackets."""


class Unreadable(Exception):
    """The statement may read anything."""


@dataclass
class Reading:
    """What a statement does with one table, once for each time that it names the table among its sources."""

    table: str
    selects: bool
    """Rows come out of it, or how many there are. Otherwise they are changed."""
    columns: set[str] = field(default_factory=set)
    """All that are mentioned, be it to be shown, compared or sorted by; not those that are only written."""
    held: dict[str, list[int]] = field(default_factory=dict)
    """Columns that must equal a parameter, with the numbers of such parameters, from 0."""


def readings(sql: str, tables: Tables) -> list[Reading]:
    """What a statement reads of the tables in question. Raises Unreadable."""
    lowered = sql.lower()
    if not any(table in lowered for table in tables):
        return []
    if any(f"'{table}'" in lowered for table in tables):
        raise Unreadable  # SQLite takes a string for a name where it looks for one
    statement = _tree(sql)
    found: list[Reading] = []
    match statement:
        case ["SELECT", *_]:
            _Scope(tables, found).read(statement, selects=True)
        case ["INSERT", *_]:
            _insert(statement, tables, found)
        case ["UPDATE", str(target), *_]:
            body, back = _parted(statement, "RETURNING")
            _Scope(tables, found).read(["FROM", target, *_without_targets(body[2:])], selects=False)
            _given_back(target, back, tables, found)
        case ["DELETE", "FROM", str(target), *_]:
            body, back = _parted(statement, "RETURNING")
            _Scope(tables, found).read(body, selects=False)
            _given_back(target, back, tables, found)
        case _:
            raise Unreadable
    return found


# --- what is written --------------------------------------------------------------------------------------------------


def _insert(statement: list[Piece], tables: Tables, found: list[Reading]) -> None:
    """INSERT INTO table (columns) ... reads what it takes from elsewhere, and what it gives back."""
    _, rest = _parted(statement, "INTO")
    rest, back = _parted(rest, "RETURNING")
    match rest:
        case [str(target), list(), *source]:
            _Scope(tables, found).read(source, selects=True)
            _given_back(target, back, tables, found)
        case _:
            raise Unreadable


def _given_back(target: str, columns: list[Piece], tables: Tables, found: list[Reading]) -> None:
    """What a change returns of the rows that it has written; their key is no news to who wrote them."""
    if columns and target in tables and columns != [target, ".", "id"]:
        _Scope(tables, found).read(["SELECT", *columns, "FROM", target], selects=True)


def _without_targets(pieces: list[Piece]) -> list[Piece]:
    """SET column = value, ... WHERE ... without the columns that are written, which are not read for that."""
    changes, condition = _parted(pieces, "WHERE")
    kept = [
        "NULL" if changes[n - 1] in ("SET", ",") and changes[n + 1 : n + 2] == ["="] else piece
        for n, piece in enumerate(changes)
    ]
    return [*kept, "WHERE", *condition]


# --- what one SELECT reads --------------------------------------------------------------------------------------------

_Sources: TypeAlias = ChainMap[str, Reading | None]
"""What a SELECT reads from, by the names in it; None for tables that are not in question."""


class _Scope:
    """A SELECT, with those around it, whose tables it may speak of."""

    def __init__(self, tables: Tables, found: list[Reading], around: "_Sources | None" = None) -> None:
        self.tables, self.found = tables, found
        self.sources: _Sources = ChainMap() if around is None else around.new_child()

    def read(self, pieces: list[Piece], *, selects: bool) -> None:
        """Note what it reads, and what the SELECTs within it do."""
        _require_one(pieces)
        pieces, _ = _parted(pieces, "FOR")  # which rows are locked
        flat = list(_flat(pieces))
        for column, source in self._mentions(self._declare(flat, selects=selects)):
            source.columns.add(column)
        _, condition = _parted(pieces, "WHERE")
        for alias, column, number in _held(_until(condition, _AFTER_WHERE)):
            own = self.sources.maps[0].get(alias)
            if own:
                own.held.setdefault(column, []).append(number)
        for piece in flat:
            if isinstance(piece, list):
                _Scope(self.tables, self.found, self.sources).read(piece, selects=True)

    def _declare(self, flat: list[Piece], *, selects: bool) -> list[Piece]:
        """Take in the tables that it reads from, with their names in it; returns the pieces without those."""
        rest: list[Piece] = []
        n = 0
        while n < len(flat):
            piece = flat[n]
            if n and flat[n - 1] in ("FROM", "JOIN") and _is_name(piece):
                if flat[n + 1 : n + 2] == ["."]:
                    raise Unreadable  # FROM within a function, or a schema
                n += flat[n + 1 : n + 2] == ["AS"]
                named = n + 1 < len(flat) and _is_name(flat[n + 1])
                self._source(str(piece), str(flat[n + 1] if named else piece), selects=selects)
                n += named
            else:
                rest.append(piece)
            n += 1
        return rest

    def _source(self, table: str, alias: str, *, selects: bool) -> None:
        if alias in self.tables and alias != table:
            raise Unreadable  # FROM ONLY, or names that are meant to mislead
        self.sources[alias] = None
        if table in self.tables:
            reading = Reading(table, selects)
            self.sources[alias] = reading
            self.found.append(reading)

    def _mentions(self, pieces: list[Piece]) -> Iterator[tuple[str, Reading]]:
        """Every column of a table in question that is spoken of, by whatever name the table goes."""
        padded = ["", *pieces, "", ""]
        for n, piece in enumerate(pieces):
            before, _, after, further = padded[n : n + 4]
            if piece == "*" and before in ("SELECT", "DISTINCT", "ALL", ","):
                yield from ((column, source) for source in self._own() for column in self.tables[source.table])
            if not _is_name(piece) or before in (".", "AS", "::"):
                continue
            if after == ".":
                yield from self._qualified(str(piece), further)
            elif piece in self.tables or self.sources.get(str(piece)):
                raise Unreadable  # a whole row as a value, or a table where none was looked for
            elif after != "(":
                yield from ((str(piece), source) for source in self._all() if piece in self.tables[source.table])

    def _qualified(self, alias: str, column: Piece) -> Iterator[tuple[str, Reading]]:
        source = self.sources.get(alias)
        columns = self.tables[source.table] if source else frozenset()
        if source and column == "*":
            yield from ((each, source) for each in columns)
        elif source and column in columns:
            yield str(column), source
        elif source or alias in self.tables:
            raise Unreadable

    def _own(self) -> list[Reading]:
        return [source for source in self.sources.maps[0].values() if source]

    def _all(self) -> list[Reading]:
        return [source for source in self.sources.values() if source]


def _flat(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces of one SELECT with what stands in brackets, but for SELECTs in brackets, which stay together."""
    for piece in pieces:
        if not isinstance(piece, list) or piece[:1] == ["SELECT"]:
            yield piece
        elif piece != ["*"]:  # COUNT(*)
            _require_one(piece)
            yield from ["(", *_flat(piece), ")"]


def _require_one(pieces: list[Piece]) -> None:
    """Raise Unreadable for several SELECTs side by side, or with names for other SELECTs."""
    if pieces[:1] == ["WITH"] or any(piece in _SEVERAL for piece in pieces if isinstance(piece, str)):
        raise Unreadable


def _held(pieces: Sequence[Piece]) -> Iterator[tuple[str, str, int]]:
    """Source, column and parameter of every equality that must hold whatever else does."""
    if any(piece in _UNCERTAIN for piece in pieces if isinstance(piece, str)):
        return
    part: list[Piece] = []
    for piece in [*pieces, "AND"]:
        if piece != "AND":
            part.append(piece)
            continue
        match part:
            case [list() as inner] if inner[:1] != ["SELECT"]:
                yield from _held(inner)
            case [str(alias), ".", str(column), "=", int(number)]:
                yield alias, column, number
        part = []


_SEVERAL = frozenset({"UNION", "INTERSECT", "EXCEPT", "WINDOW"})
_UNCERTAIN = frozenset({"OR", "BETWEEN", "CASE"})
_AFTER_WHERE = frozenset({"GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "FETCH"})


# --- pieces -----------------------------------------------------------------------------------------------------------

_KEYWORDS = frozenset(
    {
        *("ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CONFLICT", "CROSS", "DELETE", "DESC", "DISTINCT", "DO"),
        *("ELSE", "END", "ESCAPE", "EXCEPT", "EXISTS", "FALSE", "FETCH", "FOR", "FROM", "FULL", "GROUP", "HAVING"),
        *("IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "NATURAL", "NOT"),
        *("NOTHING", "NULL", "NULLS", "OFFSET", "ON", "OR", "ORDER", "OUTER", "RETURNING", "RIGHT", "SELECT", "SET"),
        *("THEN", "TRUE", "UNION", "UPDATE", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH"),
    }
)

_PIECE = re.compile(
    r"""\s+
    | "(?P<quoted>[^"]+)"
    | (?P<value> (?<![\w&])'(?:[^']|'')*' | \d[\w.]* )
    | (?P<word> [A-Za-z_]\w* )
    | (?P<parameter> %s )
    | (?P<sign> (?!--|/\*) (?: <=|>=|<>|!=|\|\||::|%%|[-+*/<>=.,()\[\]|&~\#!@:] ) )
    """,
    re.VERBOSE,
)


def _tree(sql: str) -> list[Piece]:
    """The pieces of a statement: what stands in brackets is a list, parameters are numbered from 0."""
    levels: list[list[Piece]] = [[]]
    for piece in _pieces(sql):
        if piece == "(":
            levels.append([])
        elif piece == ")" and len(levels) > 1:
            inner = levels.pop()
            levels[-1].append(inner)
        else:
            levels[-1].append(piece)
    if len(levels) != 1:
        raise Unreadable
    return levels[0]


def _pieces(sql: str) -> Iterator[str | int]:
    """The pieces one after the other. Raises Unreadable at a sign that is not known here; comments are none."""
    parameters, end = count(), 0
    for found in _PIECE.finditer(sql):
        if found.start() != end:
            break
        end = found.end()
        match found.lastgroup:
            case "quoted" | "sign":
                yield found[found.lastgroup].lower()  # for SQLite a name is the same however it is written
            case "word":
                yield _word(found["word"])
            case "parameter":
                yield next(parameters)
            case "value":
                yield "NULL"
    if end != len(sql):
        raise Unreadable


def _word(word: str) -> str:
    """Keywords in capitals; other words as the database takes names that nobody quotes."""
    return word.upper() if word.upper() in _KEYWORDS else word.lower()


def _is_name(piece: Piece) -> bool:
    return isinstance(piece, str) and piece.isidentifier() and piece not in _KEYWORDS


def _parted(pieces: list[Piece], keyword: str) -> tuple[list[Piece], list[Piece]]:
    """What stands before a keyword and what after it; nothing after it if it does not occur."""
    n = pieces.index(keyword) if keyword in pieces else len(pieces)
    return pieces[:n], pieces[n + 1 :]


def _until(pieces: list[Piece], keywords: frozenset[str]) -> list[Piece]:
    ends = (n for n, piece in enumerate(pieces) if isinstance(piece, str) and piece in keywords)
    return pieces[: next(ends, None)]
