"""What outlives a request, found by use: containers that grew, and objects made from state that are still there.

Containers are those that can be reached from the project's modules: by their variables, classes, functions with their
closures and defaults, and objects of the project's classes.
"""

import functools
import gc
import re
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from django.db.models import Model

from campaign.engine.display.views import View
from campaign.engine.facts import Event, Fact
from campaign.engine.state import State
from tests.locks import ROOT

PACKAGES = (
    "api",
    "archive",
    "campaign",
    "gm",
    "incoming",
    "orders",
    "posting",
    "questions",
    "staff",
    "stories",
    "deploy",
)
OF_STATE = (State, View, Event, Fact, Model)
_LAZY = (
    "__annotations__",
    "__msgspec_cache__",
    "__slotnames__",
    "_abc_impl",
    "__abstractmethods__",
    "__match_args__",
    "__parameters__",
)
"""What Python and Django fill in of a class when it is first used."""

Sizes = Mapping[str, tuple[int, frozenset[int]]]
"""For each path to a container, its size and the identities of what is in it."""


def sizes() -> Sizes:
    """All that can remember, by its path, like `campaign.services._READ`."""
    found = {name: _size([each for _, each in variables(name)]) for name in ours()}
    for path, thing in reached(ours()):
        if (size := _measured(thing)) is not None:
            found[path] = size
    return found


def ours() -> list[str]:
    """The names of the project's modules that are loaded."""
    return sorted(name for name in sys.modules if _ours(name))


def variables(module: str) -> list[tuple[str, Any]]:
    """The variables of a module by their paths, but for other modules."""
    named = [(key, each) for key, each in vars(sys.modules[module]).items() if not isinstance(each, types.ModuleType)]
    return [(f"{module}.{key}", each) for key, each in named if not key.startswith("__")]


def reached(modules: Iterable[str]) -> Iterator[tuple[str, object]]:
    """All that can be reached from these modules, each thing once, by its path."""
    seen: set[int] = set()
    waiting: deque[tuple[str, object]] = deque()
    for name in modules:
        waiting += [(path, each) for path, each in variables(name) if _home(each, name) == name]
    while waiting:
        path, thing = waiting.popleft()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        held = list(_held(thing))
        yield path, thing
        waiting += [(f"{path}{step}", each) for step, each in held]


def grown(before: Sizes, after: Sizes) -> list[str]:
    """What holds other things than before."""
    return sorted(path for path, size in after.items() if path in before and before[path] != size)


def place_of(path: str) -> str:
    """A path as `remembering` names it: `campaign/services.py _READ`."""
    names = re.split(r"[.\[(]", path)
    module = next(".".join(names[:n]) for n in range(len(names), 0, -1) if ".".join(names[:n]) in sys.modules)
    rest = re.split(r"[\[(]", path[len(module) + 1 :])[0]
    file = Path(str(sys.modules[module].__file__)).relative_to(ROOT).as_posix()
    return f"{file} {rest}"


def made_from_state(more: tuple[type, ...] = ()) -> dict[int, object]:
    """All states, Views, facts and rows, and objects of other classes, by identity, that nothing has freed.

    What is lazy is not looked into: what it stands for is an object of its own once it is made.
    """
    gc.collect()
    return {id(each): each for each in gc.get_objects() if issubclass(type(each), (*OF_STATE, *more))}


def is_ours(kind: type) -> bool:
    """Whether a class is the project's."""
    return _ours(kind.__module__)


def _ours(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] in PACKAGES


def _home(thing: object, importer: str) -> str:
    """The module that a class or function comes from: where others import it, it is the same."""
    home = getattr(thing, "__module__", None) if isinstance(thing, type) or callable(thing) else None
    return home if isinstance(home, str) and _ours(home) else importer


def _measured(thing: object) -> tuple[int, frozenset[int]] | None:
    """The size of what can remember; None for what cannot."""
    if isinstance(thing, functools._lru_cache_wrapper):
        return (thing.cache_info().currsize, frozenset()) if _ours(thing.__module__) else None
    if isinstance(thing, WeakKeyDictionary | WeakValueDictionary):
        return len(thing), frozenset()
    if isinstance(thing, list | set | deque | bytearray):
        return _size(thing)
    if isinstance(thing, types.FunctionType):
        return _size([*vars(thing).values(), *_cells(thing)])
    if isinstance(thing, type):
        return _size(each for key, each in vars(thing).items() if key not in _LAZY)
    own = thing if isinstance(thing, dict) else getattr(thing, "__dict__", {})
    return _size(own.values()) if own is thing or _ours(type(thing).__module__) else None


def _size(things: Iterable[Any]) -> tuple[int, frozenset[int]]:
    held = list(things)
    return len(held), frozenset(map(id, held))


def _held(thing: object) -> Iterator[tuple[str, object]]:
    """What a thing holds, with the step to it; not what belongs to other projects."""
    if isinstance(thing, dict | types.MappingProxyType):
        yield from ((f"[{str(key)[:40]} {id(each)}]", each) for key, each in list(thing.items()))
    elif isinstance(thing, list | tuple | set | frozenset | deque):
        yield from ((f"[{id(each)}]", each) for each in list(thing))
    elif isinstance(thing, type):
        own = vars(thing) if _ours(thing.__module__) else {}
        yield from ((f".{key}", each) for key, each in own.items() if key not in _LAZY)
    elif (inner := _behind(thing)) is not None:
        yield from ((f"({id(each)})", each) for each in inner)
    elif not isinstance(thing, Model) and _ours(type(thing).__module__):
        yield from _attributes(thing)


def _behind(thing: object) -> list[object] | None:
    """What a function, or what is made of one, holds; None for other things."""
    match thing:
        case functools._lru_cache_wrapper():
            return [thing.__wrapped__]
        case functools.partial():
            return [thing.func, *thing.args, *thing.keywords.values()]
        case staticmethod() | classmethod():
            return [thing.__func__]
        case property():
            return [each for each in (thing.fget, thing.fset) if each]
        case types.FunctionType():
            defaults = (*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values())
            return [*vars(thing).values(), *_cells(thing), *defaults] if _ours(thing.__module__ or "") else []
    return None


def _attributes(thing: object) -> Iterator[tuple[str, object]]:
    names = [*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ()), *_fields(thing)]
    yield from ((f".{name}", getattr(thing, name)) for name in names if hasattr(thing, name))


def _fields(thing: object) -> tuple[str, ...]:
    return getattr(type(thing), "__struct_fields__", ())


def _cells(function: types.FunctionType) -> Iterator[object]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is still empty
            continue
