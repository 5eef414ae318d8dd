"""A mutant on trial: one test after the other, in a process of its own, until one fails."""

import os
import resource
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from tests.mutation.switch import function_of, switch
from tests.mutation.witnesses import Witnesses, passes

_ROOM = 1 << 30
"""Bytes that a mutant may take beyond what the tests take."""


class Outcome(IntEnum):
    """What becomes of a mutant, in the numbers that mutmut keeps."""

    SURVIVED = 0
    KILLED = 1
    NO_TESTS = 33
    TIMEOUT = 36


@dataclass(frozen=True)
class Verdict:
    mutant: str
    outcome: Outcome
    seconds: float = 0
    killer: str = ""
    """The test that failed, or that came to no end."""


@dataclass(frozen=True)
class Court:
    """Where mutants are tried; it remembers which tests have killed others of their function and file."""

    witnesses: Witnesses
    patience: float
    """Seconds of tests after which a mutant counts as one that survives them all."""
    killers: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def try_one(self, mutant: str) -> Verdict:
        tests = self._in_order(mutant)
        if not tests:
            return Verdict(mutant, Outcome.NO_TESTS)
        verdict = _verdict(mutant, tests, self.witnesses)
        if verdict.killer:
            self.killers[function_of(mutant)][verdict.killer] += 1
            self.killers[_module_of(mutant)][verdict.killer] += 1
        return verdict

    def _in_order(self, mutant: str) -> list[str]:
        """Its tests, by what a kill by each has cost so far, as far as patience goes."""
        in_function, in_file = self.killers[function_of(mutant)], self.killers[_module_of(mutant)]
        seconds, left = self.witnesses.seconds, self.patience

        def price(test: str) -> tuple[float, str]:
            return seconds[test] / (0.02 + in_file[test] + 5 * in_function[test]), test

        tests = []
        for test in sorted(self.witnesses.of(mutant), key=price):
            if left > 0:
                tests.append(test)
                left -= seconds[test]
        return tests


def _module_of(mutant: str) -> str:
    return mutant.rpartition(".")[0]


def _verdict(mutant: str, tests: Sequence[str], witnesses: Witnesses) -> Verdict:
    start = time.monotonic()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        _be(mutant, tests, witnesses, write)
    os.close(write)
    with os.fdopen(read) as progress:
        asked = sum(1 for _ in progress)
    _, status = os.waitpid(child, 0)
    outcome = Outcome.TIMEOUT if os.WIFSIGNALED(status) else Outcome(os.waitstatus_to_exitcode(status))
    killer = "" if outcome is Outcome.SURVIVED or not asked else tests[asked - 1]
    return Verdict(mutant, outcome, round(time.monotonic() - start, 3), killer)


def _be(mutant: str, tests: Sequence[str], witnesses: Witnesses, progress: int) -> None:
    """What the child process does, which never returns; it writes a line for each test that it begins."""
    outcome = Outcome.KILLED  # whatever else goes wrong is the mutant's doing
    try:
        _keep_within_bounds()
        switch(mutant)
        for test in tests:
            os.write(progress, b"\n")
            signal.setitimer(signal.ITIMER_PROF, 3 + 10 * witnesses.seconds[test])
            if not passes(witnesses.items[test]):
                break
        else:
            outcome = Outcome.SURVIVED
    finally:
        os._exit(outcome)


def _keep_within_bounds() -> None:
    """No output, and neither memory nor time without end: the timer's signal ends the process."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + _ROOM
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
