"""The guard on secrets: only for the game master does a statement that names a secret table run.

It watches every connection of every thread, in production as in tests, and does not trust the page: it looks up the
reader itself. Without a named reader, the reader is the public; commands and workers declare that they are
machinery. The few places that read more on a side's behalf, and disclose less, declare it with `opened`. See
`tables` for which tables are secret, and for rows of an audience.

What needs no statement is guarded where it is made or read: secret parts of rows that were loaded before, the start
of a scenario, and what is written to people outside pages.
"""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NoReturn

from django.apps import apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, OneToOneRel
from django.db.models.fields.related_descriptors import ReverseOneToOneDescriptor

from campaign.engine.values.ids import GM, PUBLIC, Audience

log = logging.getLogger(__name__)


class Breach(Exception):
    """A statement was stopped that would have read something not for its reader."""


def _shut() -> bool:
    return False


@dataclass(frozen=True)
class Reader:
    """The person who receives the answer or the message."""

    audience: Audience = PUBLIC
    """The audience they belong to: a side, the GM or the public."""
    user: int | None = None
    story: Callable[[], bool] = field(default=_shut, compare=False, repr=False)
    """Whether the campaign has ended and its story is open to them. It is looked up only when needed."""


def reading(who: Callable[[], Reader]) -> AbstractContextManager[None]:
    """A block that answers or writes to one reader, who is looked up only when needed."""
    return _set(_reader, who)


def writing(audience: Audience) -> AbstractContextManager[None]:
    """A block that makes something for a whole audience: it reads only data for them."""
    return reading(lambda: Reader(audience))


def machinery() -> AbstractContextManager[None]:
    """A block that answers nobody: it may read everything."""
    return reading(_all_seeing)


def trust_process() -> None:
    """Answer nobody in this thread from now on: it is a command's, or a test's. Other threads are unchanged."""
    _reader.set(_all_seeing)


def opened(*names: str) -> AbstractContextManager[None]:
    """A block that may name these secret tables, by their models' names, for any reader. A test lists all places."""
    return _set(_opened, _opened.get() | frozenset(names))


def require(audience: Audience, user: int | None = None, *, opens: bool = False) -> None:
    """Raise Breach if the reader is not of this audience, or is not this user. The GM is of every audience.

    What `opens` with a campaign's story, each side's, is for every reader to whom that is open.
    """
    if audience == PUBLIC and user is None:
        return
    reader = _reader.get()()
    if reader.audience == GM:
        return
    theirs = audience in (reader.audience, PUBLIC) or (opens and audience != GM and reader.story())
    if not theirs or user not in (reader.user, None):
        _stop(f"rows for {audience}")


def require_open(name: str) -> None:
    """Raise Breach unless the reader is the GM, or a block has `opened` this: what is secret and in no table."""
    if name not in _opened.get() and _reader.get()().audience != GM:
        _stop(name)


def require_written(audience: Audience, user: int | None = None) -> None:
    """Raise Breach unless this block writes to this very audience, or person: the GM and machinery are no other's."""
    if _reader.get()() != Reader(audience, user):
        _stop(f"what is written for {audience} alone")


@contextmanager
def _set(variable: ContextVar[Any], value: object) -> Iterator[None]:
    before = variable.set(value)
    try:
        yield
    finally:
        variable.reset(before)


def _all_seeing() -> Reader:
    return Reader(GM)


_reader: ContextVar[Callable[[], Reader]] = ContextVar("reader", default=Reader)
_opened: ContextVar[frozenset[str]] = ContextVar("opened", default=frozenset())


# --- at each statement -----------------------------------------------------------------------------------------------


def watch(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Check every statement of a new connection."""
    if _guard not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, _guard)


def _guard(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
    shut = _named(str(sql)) - _opened.get()
    if shut and _reader.get()().audience != GM:
        _stop(", ".join(sorted(shut)))
    return execute(sql, params, many, context)


def _stop(what: str) -> NoReturn:
    """Log the alarm, and let no transaction be committed that this belongs to, even if somebody catches the Breach."""
    log.error("truth: a page for %s was stopped that would have read %s", _reader.get()().audience, what)
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            connection.set_rollback(True)
    raise Breach(what)


@lru_cache(maxsize=4096)
def _named(sql: str) -> frozenset[str]:
    """The secret tables that any part of a statement names. Statements repeat, so the result is cached."""
    tables = secret_tables()
    return frozenset(tables[name] for name in re.findall(rf"\b(?:{'|'.join(tables)})\b", sql.lower()))


@cache
def secret_tables() -> dict[str, str]:
    """The names of the secret models, by the names of their tables."""
    return {model._meta.db_table: model.__name__ for model in apps.get_models() if getattr(model, "secret", False)}


# --- at each way to a row's secret part ------------------------------------------------------------------------------


def guard_parts() -> None:
    """Guard the ways from rows to their secret parts, once all models are known."""
    names = secret_tables().values()
    for model in apps.get_models():
        for relation in model._meta.related_objects:
            way = relation.get_accessor_name()
            if way and isinstance(relation, OneToOneRel) and relation.related_model.__name__ in names:
                setattr(model, way, _SecretPart(relation))


class _SecretPart(ReverseOneToOneDescriptor):  # type: ignore[type-arg] # it takes none when it runs
    """The way from a row to its secret part. It asks the guard each time: a part that was loaded needs no statement."""

    def __get__(self, instance: Model | None, cls: type[Model] | None = None) -> Any:
        if instance is not None:
            require_open(self.related.related_model.__name__)
        return super().__get__(instance, cls)
