"""Columns that no side may read, or only of its own rows, as the tables declare them.

A row comes without the columns that no side may read; each is fetched when somebody asks for it, which
`campaign.secrecy.truth` watches. So a phase that is loaded for its dates brings no truth along, by whatever way it was
come to.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, overload

from django.db import models


@dataclass(frozen=True, kw_only=True)
class Guarded:
    """Declared by a model as `guarded`. Of a model without it everything may be read by everybody."""

    columns: frozenset[str] | None = None
    """By their attributes' names; None: all of them, and how many rows there are."""
    own_by: str = ""
    """The column that says whose a row is, an audience's or a user's, who may read it; empty: nobody's on any side."""


_M = TypeVar("_M", bound=models.Model)


class Rows(models.QuerySet[_M]):
    """Rows without the columns that no side may read, their own and those of the rows that come along."""

    @overload
    def select_related(self, clear: None, /) -> "Rows[_M]": ...
    @overload
    def select_related(self, *fields: str) -> "Rows[_M]": ...
    def select_related(self, *fields: Any) -> "Rows[_M]":
        found: Rows[_M] = super().select_related(*fields)
        behind = [name for path in fields if path for name in _behind(self.model, path)]
        return found.defer(*behind) if behind else found

    def only(self, *fields: str) -> "Rows[_M]":
        """These columns, guarded or not: whoever names one means it."""
        return super(Rows, self.defer(None)).only(*fields)


class _Manager(models.Manager[_M]):
    def get_queryset(self) -> Rows[_M]:
        hints = self._hints  # type: ignore[attr-defined] # a related manager's
        return Rows(self.model, using=self._db, hints=hints).defer(*kept_back(self.model))


class Row(models.Model):
    """A row of the game."""

    guarded: ClassVar[Guarded | None] = None
    objects = _Manager()

    class Meta:
        abstract = True

    def refresh_from_db(
        self, using: str | None = None, fields: Iterable[str] | None = None, from_queryset: Any = None
    ) -> None:
        """Guarded columns that were fetched are forgotten as well."""
        if fields is None:
            for name in kept_back(type(self)):
                self.__dict__.pop(name, None)
        super().refresh_from_db(using, fields, from_queryset)


Row._meta.base_manager_name = "objects"  # in Meta every migration would speak of it


def kept_back(model: type[models.Model]) -> tuple[str, ...]:
    """The columns that its rows come without."""
    guarded: Guarded | None = getattr(model, "guarded", None)
    return tuple(sorted(guarded.columns)) if guarded and guarded.columns and not guarded.own_by else ()


def _behind(model: type[models.Model], path: str) -> Iterator[str]:
    """The same for all the rows that a path of relations brings along, as seen from its beginning."""
    gone = ""
    for name in path.split("__"):
        related = model._meta.get_field(name).related_model
        assert isinstance(related, type)  # noqa: S101 # the path is one of relations, or Django refuses it
        model, gone = related, f"{gone}{name}__"
        yield from (f"{gone}{column}" for column in kept_back(model))
