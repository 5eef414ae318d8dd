"""The tests as witnesses: which of them run which line of what can be mutated, and how long each takes."""

import difflib
import hashlib
import inspect
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.switch import CODES, FUNCTIONS, function_of

Place = tuple[str, int]
"""A function with mutants and a line of it, its `def` being line 0."""
ANY = -1
"""Represents all lines of a function that a test calls often: to note each of them would take too long."""
_OFTEN = 100
_PAGE = 50
"""Tests after which the minutes are saved, so that a run that is stopped need not hear them again."""


@dataclass(frozen=True)
class Witnesses:
    """What the tests run."""

    items: Mapping[str, pytest.Item]
    seconds: Mapping[str, float]
    """What a test takes while its lines are noted: more than it takes later."""
    by_function: Mapping[str, set[str]]
    by_place: Mapping[Place, set[str]]

    def of(self, mutant: str) -> set[str]:
        """The tests that run a line which the mutant has otherwise; if none does, those that run its function."""
        name = function_of(mutant)
        exact = {test for line in changed_lines(mutant) for test in self.by_place.get((name, line), ())}
        return exact | self.by_place.get((name, ANY), set()) if exact else self.by_function.get(name, set())


def passes(item: pytest.Item) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def hear(items: Mapping[str, pytest.Item], minutes: Path) -> Witnesses:
    """Run the tests, except those whose testimony is in the minutes and about the same code.

    Ends with SystemExit if one fails: there is nothing to be learnt from it.
    """
    code = _digest()
    known = json.loads(minutes.read_text()) if minutes.exists() else {}
    tests: dict[str, _Testimony] = known["tests"] if known.get("code") == code else {}
    names = _names_of_codes()
    for test, item in items.items():
        if test not in tests:
            start = time.process_time()
            with _noting(names) as places:
                ok = passes(item)
            if not ok:
                raise SystemExit(f"{test} fails without any mutant")
            tests[test] = time.process_time() - start, _by_function(places)
            if len(tests) % _PAGE == 0:
                _write(minutes, code, tests)
    _write(minutes, code, tests)
    return _in_order(items, tests)


_Testimony = tuple[float, dict[str, list[int]]]
"""Seconds, and the lines by function."""


def _write(minutes: Path, code: str, tests: Mapping[str, _Testimony]) -> None:
    minutes.write_text(json.dumps({"code": code, "tests": tests}))


def _by_function(places: set[Place]) -> dict[str, list[int]]:
    lines: dict[str, list[int]] = defaultdict(list)
    for name, line in sorted(places):
        lines[name].append(line)
    return lines


def _in_order(items: Mapping[str, pytest.Item], tests: Mapping[str, _Testimony]) -> Witnesses:
    by_function: dict[str, set[str]] = defaultdict(set)
    by_place: dict[Place, set[str]] = defaultdict(set)
    for test in items:
        for name, lines in tests[test][1].items():
            by_function[name].add(test)
            for line in lines:
                by_place[name, line].add(test)
    return Witnesses(items, {test: tests[test][0] for test in items}, by_function, by_place)


@contextmanager
def _noting(names: Mapping[CodeType, tuple[str, int]]) -> Iterator[set[Place]]:
    """The places that come by while this is open."""
    seen: set[Place] = set()
    calls: Counter[CodeType] = Counter()

    def at_call(frame: FrameType, event: str, what: Any) -> Any:  # noqa: ARG001 - as sys.settrace wants it
        if frame.f_code not in names:
            return None
        name, first = names[frame.f_code]
        calls[frame.f_code] += 1
        if calls[frame.f_code] > _OFTEN:
            seen.add((name, ANY))
            return None

        def at_line(frame: FrameType, event: str, what: Any) -> Any:  # noqa: ARG001 - the same
            seen.add((name, frame.f_lineno - first))
            return at_line

        return at_line  # the call itself is in the decorator's line, and that is no line of the function

    sys.settrace(at_call)
    try:
        yield seen
    finally:
        sys.settrace(None)


def _names_of_codes() -> dict[CodeType, tuple[str, int]]:
    """The function of every code that can be mutated, lambdas and comprehensions included, and its first line."""
    found = {}
    for code, name in CODES.items():
        lines, first = inspect.getsourcelines(code)
        codes = [code]
        while codes:
            inner = codes.pop()
            found[inner] = name, first + _decorators(lines)
            codes += [const for const in inner.co_consts if inspect.iscode(const)]
    return found


def changed_lines(mutant: str) -> list[int]:
    """The lines of the function that its mutant has otherwise; empty if it is the `def` itself."""
    mutated = FUNCTIONS[function_of(mutant)]
    old, new = _body(mutated.original), _body(mutated.mutant(mutant))
    changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        line + 1 for tag, start, end, _, _ in changes if tag != "equal" for line in range(start, max(end, start + 1))
    ]


def _body(function: Any) -> list[str]:
    lines, _ = inspect.getsourcelines(function)
    return lines[_decorators(lines) + 1 :]


def _decorators(lines: list[str]) -> int:
    """How many lines there are before the `def`."""
    return next(number for number, line in enumerate(lines) if line.lstrip().startswith(("def ", "async def ")))


def _digest() -> str:
    """Of all code that is mutated."""
    files = sorted({mutated.function.__code__.co_filename for mutated in FUNCTIONS.values()})
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()
