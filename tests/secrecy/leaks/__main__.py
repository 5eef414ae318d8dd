"""Make leaks and say what notices each: `python -m tests.secrecy.leaks [--find] [--untried] [NAME ...]`.

Without names all leaks are tried; with names those whose names contain one of these words. Exit status 1 if one goes
unnoticed, if what notices it fails without it as well, or if too many are noticed by tests that are neither of secrecy
nor of the guard.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

from tests.secrecy.leaks import FEW, OTHER, ROOT, leaks, stale, untried
from tests.secrecy.leaks.trial import Attempt, failing_anyway, found, tried


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy.leaks")
    parser.add_argument("words", nargs="*", metavar="NAME")
    parser.add_argument("--find", action="store_true", help="look for what notices a leak, not what is named for it")
    parser.add_argument("--untried", action="store_true", help="look for what notices leaks that nobody has tried")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    begun = time.monotonic()
    every = untried() if asked.untried else leaks()
    look = found if asked.find or asked.untried else tried
    chosen = [leak for leak in every if not asked.words or any(word in leak.name for word in asked.words)]
    void = [f"{leak.name}: {', '.join(files)}" for leak in chosen if (files := stale(leak))]
    if void:
        print("These leaks no longer fit the code; write them again:", *void, sep="\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="bases-") as folder:
        bases = Path(folder) / "bases"
        build = [sys.executable, "-m", "tests.secrecy", "--build"]
        subprocess.run(build, cwd=ROOT, env={**os.environ, "FIELDPOST_SECRECY_BASES": str(bases)}, check=True)
        with ThreadPoolExecutor(asked.workers) as pool:
            failing = pool.map(lambda guarded: failing_anyway(chosen, bases, guarded=guarded), (True, False))
            if anyway := list(chain.from_iterable(failing)):
                print("These fail without any leak, so they notice nothing:", *anyway, sep="\n")
                return 1
            attempts = []
            for attempt in pool.map(lambda leak: look(leak, bases), chosen):
                attempts.append(attempt)
                _tell(attempt)
    return _summary(attempts, time.monotonic() - begun)


def _tell(attempt: Attempt) -> None:
    print(f"{'caught' if attempt.by else 'MISSED'}  {attempt.leak.name}; {attempt.by or 'by nothing'}", flush=True)
    if attempt.said:
        print(attempt.said, flush=True)


def _summary(attempts: list[Attempt], seconds: float) -> int:
    kinds = Counter(attempt.by.partition(":")[0] for attempt in attempts if attempt.by)
    print(*(f"by {kind}: {number}" for kind, number in kinds.most_common()), sep="; ")
    print(f"{kinds.total()} of {len(attempts)} leaks caught in {seconds:.0f} s")
    return int(kinds.total() != len(attempts) or kinds[OTHER] * FEW > len(attempts))


if __name__ == "__main__":
    sys.exit(main())
