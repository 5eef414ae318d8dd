"""The functions that have mutants, and how a mutant takes the place of the code it was made from."""

import functools
import gc
import inspect
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from mutmut.mutation import trampoline

_ORIGINAL = "_mutmut_orig"


@dataclass(frozen=True)
class Mutated:
    """A function, and what can take its place by mutmut's names: itself without a decorator, and its mutants."""

    function: FunctionType
    others: Mapping[str, FunctionType]

    @property
    def original(self) -> FunctionType:
        return self.others[_ORIGINAL]

    def mutant(self, name: str) -> FunctionType:
        return self.others[name.rpartition(".")[2]]


FUNCTIONS: dict[str, Mutated] = {}
"""By the name that its mutants share: campaign.engine.dice.x_face."""
CODES: dict[CodeType, str] = {}
"""The same names by the code that runs as long as nothing is mutated."""


def function_of(mutant: str) -> str:
    """The name that a mutant shares with the others of its function: mutmut appends __mutmut_3."""
    return mutant.partition("__mutmut_")[0]


def listen() -> None:
    """Have the modules that mutmut has written register their functions; to be called before they are imported.

    mutmut itself wraps them, and the wrapper asks at every call which mutant is on trial. Here a function's code is
    exchanged instead, once for a mutant: the rest of the rules runs at its own speed.
    """
    vars(trampoline)["wrap_in_trampoline"] = _registering


def _registering(others: Mapping[str, FunctionType], **_: bool) -> Callable[[FunctionType], FunctionType]:
    def register(function: FunctionType) -> FunctionType:
        *_, owner, name = f".{function.__qualname__}".split(".")
        shared = f"{function.__module__}.xǁ{owner}ǁ{name}" if owner else f"{function.__module__}.x_{name}"
        FUNCTIONS[shared] = Mutated(function, others)
        CODES[function.__code__] = shared
        return function

    return register


def switch(mutant: str) -> None:
    """Put a mutant in its function's place, and forget what the project's functions remember of their answers."""
    mutated = FUNCTIONS[function_of(mutant)]
    function, other = mutated.function, mutated.mutant(mutant)
    _switch_inner(function.__code__, other.__code__)
    function.__code__ = other.__code__
    function.__defaults__ = other.__defaults__
    function.__kwdefaults__ = other.__kwdefaults__
    for memory in memories():
        memory.cache_clear()


def _switch_inner(old: CodeType, new: CodeType) -> None:
    """The same with the functions that it has made already, as the table of phases did when it was imported."""
    inner = (filter(inspect.iscode, code.co_consts) for code in (old, new))
    for before, after in zip(*inner, strict=False):  # a mutant may have lost one
        if before.co_name == after.co_name:
            _switch_inner(before, after)
            for function in _made().get(before, ()):
                if len(function.__code__.co_freevars) == len(after.co_freevars):
                    function.__code__ = after


@functools.cache
def _made() -> Mapping[CodeType, Sequence[FunctionType]]:
    """All functions that there are by their code; found once, as it takes a while."""
    made: dict[CodeType, list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and (thing.__module__ or "").startswith("campaign."):
            made[thing.__code__].append(thing)
    return made


def prepare() -> None:
    """Look around once, before there are many processes that would each have to."""
    memories()
    _made()


@functools.cache
def memories() -> Sequence[Any]:
    """The functions under @cache and @lru_cache in the project."""
    found = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]
    return [memory for memory in found if memory.__module__.startswith("campaign.")]
