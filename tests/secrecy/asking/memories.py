"""What the service's modules remember: emptied between worlds, or kept for the world that it is about.

Every cache and container counts that can be reached from a module, so that what somebody forgot to declare is emptied
too. What is declared as made from constants stays: it is the same in all worlds, and slow to make.
"""

import functools
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from types import FunctionType
from typing import Any

from django.urls import get_resolver

from campaign.secrecy import memory
from tests.trust.memory import remembered
from tests.trust.memory.survivors import is_ours, ours, place_of, reached, variables

_DATA = (type(None), bool, int, float, str, bytes, tuple, frozenset)
"""Types of variables that are set back. Others are objects and functions, which tests replace."""


class _Container:
    """A container, with what was in it at first."""

    def __init__(self, things: Any) -> None:
        self.things, self.first = things, things.copy()

    def contents(self) -> Any:
        """What has come into it since; None if nothing has."""
        return None if self.things == self.first else self.things.copy()

    def fill(self, contents: Any) -> None:
        """Put these contents in place of the present ones, or those of the beginning for None."""
        present = self.first if contents is None else contents
        if self.things == present:
            return
        self.things.clear()
        (self.things.update if isinstance(self.things, dict | set) else self.things.extend)(present)


class _Variables:
    """The variables of a module or class that hold data, with their first values."""

    def __init__(self, owner: Any, names: Iterable[str]) -> None:
        self.owner = owner
        self.first = {name: each for name, each in vars(owner).items() if name in names}
        self.read = itemgetter(*self.first)
        self.first_values = self.read(self.first)

    def contents(self) -> Any:
        """The present values; None if they are the first ones."""
        if self.read(vars(self.owner)) == self.first_values:
            return None
        return {name: vars(self.owner).get(name) for name in self.first}

    def fill(self, contents: Any) -> None:
        """Give them these values, or those of the beginning for None."""
        present = self.first if contents is None else contents
        for name, value in present.items():
            if vars(self.owner).get(name) is not value:
                setattr(self.owner, name, value)


_MANY = 100


class _Batch:
    """Some of them, of which most have changed nothing: they are compared with their beginning all at once."""

    def __init__(self, holders: Sequence[_Container | _Variables]) -> None:
        self._containers = [each for each in holders if isinstance(each, _Container)]
        self._variables = [each for each in holders if isinstance(each, _Variables)]
        self._empty = [each.things for each in self._containers if not each.first]
        self._present = [each.things for each in self._containers if each.first]
        self._first = [each.first for each in self._containers if each.first]
        self._reads = [(each.read, vars(each.owner)) for each in self._variables]
        self._first_values = [each.first_values for each in self._variables]

    def forget(self) -> None:
        if any(self._empty) or self._present != self._first:
            for container in self._containers:
                container.fill(None)
        if [read(owned) for read, owned in self._reads] != self._first_values:
            for each in self._variables:
                each.fill(None)


@dataclass
class Memories:
    """All that modules remember, found by one look at the modules that are loaded."""

    _caches: list[Any] = field(default_factory=list)
    """Of functions. Their contents cannot be kept apart, so they are emptied whenever another world is present."""
    _holders: list[_Container | _Variables] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _batched: list[_Batch] = field(default_factory=list)
    """The holders again."""

    def look(self) -> None:
        """Note what is there now, of modules that were loaded since the last look."""
        assert get_resolver().url_patterns  # which load all views
        new = [name for name in ours() if name not in self._seen]
        for path, thing in reached(new):
            self._note(path, thing)
        for name in new:
            data = [path for path, each in variables(name) if isinstance(each, _DATA) and not _is_declared(path)]
            self._note_variables(sys.modules[name], {path.removeprefix(f"{name}.") for path in data})
        self._seen.update(new)
        self._batched.clear()

    def looked_again(self, name: str) -> "Memories":
        """The same after another look at a module that holds something new; what is remembered is emptied."""
        self.forget()
        found = Memories([*self._caches], [*self._holders], self._seen - {name})
        found.look()
        return found

    def forget(self) -> None:
        """Empty everything."""
        for some in self._batches():
            some.forget()
        for each in _keyed():
            each.fill(None)
        remembered.forget_all()
        for cache in self._caches:
            cache.cache_clear()

    def taken(self) -> list[Any]:
        """What is remembered now, for `put_back`."""
        return [each.contents() for each in (*self._holders, *_keyed())]

    def put_back(self, contents: Iterable[Any]) -> None:
        """Remember this again, and nothing else."""
        given = iter(contents)
        for each in (*self._holders, *_keyed()):
            each.fill(next(given, None))

    def _batches(self) -> Sequence[_Batch]:
        if not self._batched:
            every = self._holders
            self._batched = [_Batch(every[at : at + _MANY]) for at in range(0, len(every), _MANY)]
        return self._batched

    def _note(self, path: str, thing: object) -> None:
        if isinstance(thing, type):
            data = [name for name, each in vars(thing).items() if isinstance(each, _DATA) and not name.startswith("__")]
            self._note_variables(thing, {name for name in data if not _is_declared(f"{path}.{name}")})
            return
        found = _that_remember(thing)
        if found and not _is_declared(path):
            self._caches += [each for each in found if hasattr(each, "cache_clear")]
            self._holders += [_Container(each) for each in found if not hasattr(each, "cache_clear")]

    def _note_variables(self, owner: Any, names: set[str]) -> None:
        if names:
            self._holders.append(_Variables(owner, names))


def _that_remember(thing: object) -> list[Any]:
    """The parts of a thing that can be changed by use."""
    if isinstance(thing, functools._lru_cache_wrapper | dict | list | set | deque | bytearray):
        return [thing]
    own = getattr(thing, "__dict__", None) if is_ours(type(thing)) or isinstance(thing, FunctionType) else None
    return [own] if isinstance(own, dict) else []


def _keyed() -> Iterator[_Container]:
    """What `campaign.secrecy.memory` keeps, which is empty at first."""
    for each in memory._MEMORIES:
        held = _Container.__new__(_Container)
        held.things, held.first = each._kept, {}
        yield held


def _is_declared(path: str) -> bool:
    """Whether it is known what this remembers: constants, pieces of pictures, and the machinery's own notes."""
    return remembered.is_declared(place_of(path))


MEMORIES = Memories()
"""Those of this process."""
