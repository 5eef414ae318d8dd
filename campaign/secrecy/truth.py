"""The guard on the truth: while somebody of a side, or nobody in particular, is answered, no statement may read it.

Every page is answered under it (`campaign.middleware.guarded_truth`), in production as in tests. It does not believe
the page: who asks is looked up by the guard itself, and what a statement reads is read off its SQL. What is guarded is
declared by the tables (`campaign.secrecy.guarded`):

- columns and tables that no side may read, in whatever part of a statement they are mentioned;
- rows of an audience, which are read by naming the reader's own in a plain equality that every row must meet. Neither
  `exclude` nor `__in` will do, nor an equality that is one of two ways to be found.

The few places that read more on a side's behalf, and tell it less, say so with `opened`. A statement that only writes
reads nothing. Whether rows are of the right campaign and phase is not seen here: that is what seats are for.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

from campaign.engine.ids import PUBLIC, Audience
from campaign.secrecy.guarded import Guarded
from campaign.secrecy.statements import Reading, Unreadable, readings

log = logging.getLogger(__name__)


class Breach(Exception):
    """A statement would have read what is not for its reader. It was not carried out."""


@dataclass(frozen=True)
class Reader:
    """Somebody who is answered."""

    audience: Audience = PUBLIC
    """Whose member he is: a side's, the GM's or nobody's. What the public has everybody may read."""
    user: int | None = None
    all_seeing: bool = False
    """He is game master here, and nothing is kept from him."""

    def owns(self, value: object) -> bool:
        """Whether rows are his that bear this audience or this user."""
        return value in (self.audience, PUBLIC) or (value is not None and value == self.user)


@contextmanager
def guarded(who: Callable[[], Reader]) -> Iterator[None]:
    """Let nothing be read, until the end of the block, but what is for this reader. Who he is is asked when it matters.

    Whatever else is read raises Breach and is logged as an error.
    """
    with connection.execute_wrapper(_Guard(who)):
        yield


@contextmanager
def opened(*names: str) -> Iterator[None]:
    """Let this block read the columns ("Phase.mix") and tables ("DiceLine") named, whoever is answered.

    A test lists the places that use it, each with its reason.
    """
    before = _opened.set(_opened.get() | frozenset(names))
    try:
        yield
    finally:
        _opened.reset(before)


_opened: ContextVar[frozenset[str]] = ContextVar("opened", default=frozenset())


# --- at each statement ------------------------------------------------------------------------------------------------


class _Guard:
    """What Django calls around each statement of a connection."""

    def __init__(self, who: Callable[[], Reader]) -> None:
        self._who = who

    @cached_property
    def _reader(self) -> Reader:
        return self._who()

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        asked = _asked(str(sql))
        if asked:
            self._require(asked, params if many else [params])
        return execute(sql, params, many, context)

    def _require(self, asked: "Collection[_Asked]", every: Sequence[Any]) -> None:
        """Raise Breach unless the reader may have all that is asked for, with each of several sets of parameters."""
        if self._reader.all_seeing:
            return
        open_ = _opened.get()
        shut = [each.name for each in asked if each.name not in open_ and each.table not in open_]
        wrong = [
            each.name
            for each in asked
            if each.name in shut and not (each.own and all(self._is_own(each, params) for params in every))
        ]
        if wrong:
            what = ", ".join(sorted(set(wrong)))
            log.error("truth: a page for %s was stopped that would have read %s", self._reader.audience, what)
            raise Breach(what)

    def _is_own(self, asked: "_Asked", params: Any) -> bool:
        return isinstance(params, Sequence) and any(self._reader.owns(params[number]) for number in asked.own)


@dataclass(frozen=True)
class _Asked:
    """Something guarded that a statement reads."""

    table: str
    name: str
    """The table's, or the column's with it."""
    own: tuple[int, ...] = ()
    """Parameters of which one must be the reader's own; none: he may not have it."""


@lru_cache(maxsize=4096)
def _asked(sql: str) -> tuple[_Asked, ...]:
    """All that is guarded and read by a statement. The same statements come again and again."""
    tables = _tables()
    try:
        found = readings(sql, {name: table.columns for name, table in tables.items()})
    except Unreadable:
        return (_Asked("", "what its statement does not show"),)
    return tuple(asked for reading in found for asked in _asked_of(reading, tables[reading.table]))


def _asked_of(reading: Reading, table: "_Table") -> Iterator[_Asked]:
    guarded_, read = table.guarded, {table.columns_by_name[column] for column in reading.columns}
    if not reading.selects:
        read.discard("id")  # a row that is written was found before
    own = tuple(reading.held.get(table.own_by, ()))
    if guarded_.columns is not None:
        yield from (_Asked(table.name, f"{table.name}.{name}", own) for name in sorted(read & guarded_.columns))
    elif reading.selects or read:
        yield _Asked(table.name, table.name, own)


@dataclass(frozen=True)
class _Table:
    """A table with guarded columns."""

    name: str
    guarded: Guarded
    columns_by_name: dict[str, str]
    """Attributes by the database's names for them."""

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(self.columns_by_name)

    @property
    def own_by(self) -> str:
        """In the database's words."""
        return next((column for column, name in self.columns_by_name.items() if name == self.guarded.own_by), "")


@cache
def _tables() -> dict[str, _Table]:
    return {
        model._meta.db_table: _Table(
            model.__name__, model.guarded, {field.column: field.attname for field in model._meta.concrete_fields}
        )
        for model in guarded_models()
    }


def guarded_models() -> list[Any]:
    """The models that declare something guarded."""
    found: list[type[Model]] = apps.get_models()
    return [model for model in found if getattr(model, "guarded", None)]
