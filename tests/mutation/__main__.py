"""`python -m tests.mutation`: how many mutants of the engine and the forum campaign do the tests kill?

mutmut makes the mutants and keeps the outcomes, in the folder mutants/: `mutmut results` lists those that are not
killed, `mutmut show NAME` shows one. It would start pytest again for each of them; here the tests are collected once,
and a mutant meets only those that run its line.
"""

import argparse
import fnmatch
import gc
import multiprocessing
import os
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.data import SourceFileMutationData
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir, walk_mutatable_files

import tests
from tests.mutation.figures import table
from tests.mutation.switch import listen, prepare
from tests.mutation.toml import remember_toml
from tests.mutation.trial import Court, Outcome, Verdict
from tests.mutation.witnesses import hear

FOLDER = Path("mutants")
_PATIENCE = 12.0
"""Seconds of tests, those first that have killed the most in the least time."""

Files = Mapping[str, SourceFileMutationData]
"""mutmut's files with the outcomes, by the path of the source."""


def main() -> int:
    asked = _arguments()
    files = _make_mutants(asked.jobs)
    chosen = _named(files, asked.mutants) if asked.mutants else _sample(files, asked.sample, random.Random(asked.seed))
    trials = _Trials(files, chosen, asked.jobs, asked.patience)
    status = trials.run()
    for line in table({file: _outcomes(data) for file, data in files.items()}):
        print(line)
    return status


def _arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    reader.add_argument("mutants", nargs="*", help="names, * for any letters: tried again; else all not yet tried")
    reader.add_argument("--sample", type=int, metavar="N", help="N mutants drawn by lot, of every file its share")
    reader.add_argument("--seed", type=int, default=1944, help="of the lot")
    reader.add_argument("--jobs", type=int, default=2, help="processes")
    reader.add_argument("--patience", type=float, default=_PATIENCE, help="seconds of tests that a mutant survives")
    return reader.parse_args()


def _make_mutants(jobs: int) -> Files:
    FOLDER.mkdir(exist_ok=True)
    with redirect_stdout(sys.stderr):
        copy_src_dir()
        copy_also_copy_files()
        create_mutants(jobs)
    files = {str(path): SourceFileMutationData(path=path) for path in walk_mutatable_files()}
    for data in files.values():
        data.load()
        data.meta_path = data.meta_path.resolve()
    return files


def _outcomes(data: SourceFileMutationData) -> list[Outcome | None]:
    return [None if code is None else Outcome(code) for code in data.exit_code_by_key.values()]


def _named(files: Files, patterns: Sequence[str]) -> list[str]:
    every = [mutant for data in files.values() for mutant in data.exit_code_by_key]
    return [mutant for mutant in every if any(fnmatch.fnmatchcase(mutant, pattern) for pattern in patterns)]


def _sample(files: Files, size: int | None, lot: random.Random) -> list[str]:
    """Mutants of all files in an order by lot, so that wherever it ends each file has had its share."""
    places: dict[str, float] = {}
    for _, data in sorted(files.items()):
        mutants = sorted(data.exit_code_by_key)
        lot.shuffle(mutants)
        start = lot.random()
        places |= {mutant: (place + start) / len(mutants) for place, mutant in enumerate(mutants)}
    tried = {mutant for data in files.values() for mutant, code in data.exit_code_by_key.items() if code is not None}
    return [mutant for mutant in sorted(places, key=places.__getitem__)[:size] if mutant not in tried]


class _Trials:
    """A run of pytest that collects the tests as ever, and then tries mutants with them."""

    def __init__(self, files: Files, mutants: Sequence[str], jobs: int, patience: float) -> None:
        self.mutants, self.jobs, self.patience = mutants, jobs, patience
        self.file_of = {mutant: data for data in files.values() for mutant in data.exit_code_by_key}

    def run(self) -> int:
        chosen = config().pytest_add_cli_args_test_selection
        _go_to(FOLDER)
        listen()
        remember_toml(Path("campaign"))
        with tempfile.TemporaryDirectory() as data:
            os.environ["FIELDPOST_DATA"] = data
            quiet = ["-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:logging", "--assert=plain", "-sqq"]
            return int(pytest.main([*quiet, "--rootdir=.", *chosen], plugins=[self]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Chance and haste have no place here: examples are always the same, and the first failure is enough."""
        from hypothesis import Phase, settings  # noqa: PLC0415 - pytest wants to be first

        once = [Phase.explicit, Phase.generate]
        settings.register_profile("mutation", deadline=None, derandomize=True, database=None, phases=once)
        settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        witnesses = hear({item.nodeid: item for item in session.items}, Path("minutes.json"))
        court = Court(witnesses, self.patience)
        prepare()
        gc.collect()
        gc.freeze()
        with multiprocessing.get_context("fork").Pool(self.jobs, _take_seat, [court]) as pool:
            for number, verdict in enumerate(pool.imap_unordered(_try_one, self.mutants), 1):
                self._record(verdict)
                print(f"{number} of {len(self.mutants)}: {verdict.outcome.name.lower()} {verdict.mutant}", flush=True)
        return True

    def _record(self, verdict: Verdict) -> None:
        data = self.file_of[verdict.mutant]
        data.exit_code_by_key[verdict.mutant] = verdict.outcome
        data.durations_by_key[verdict.mutant] = verdict.seconds
        data.save()


_viewer: list[Court] = []


def _take_seat(court: Court) -> None:
    _viewer.append(court)


def _try_one(mutant: str) -> Verdict:
    return _viewer[0].try_one(mutant)


def _go_to(folder: Path) -> None:
    """From now on modules and tests are imported from there."""
    here = Path.cwd()
    os.chdir(folder)
    sys.path[:] = [str(Path.cwd()), *(path for path in sys.path if Path(path).resolve() != here)]
    tests.__path__[:] = [str(Path("tests").resolve())]


if __name__ == "__main__":
    sys.exit(main())
