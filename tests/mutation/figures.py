"""What the outcomes come to: by file, by package, and how sure a sample can be."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from tests.mutation.trial import Outcome

_Z = 1.96
"""Standard deviations to either side that hold 95 of 100."""


def interval(killed: int, tried: int, *, of: int) -> tuple[float, float]:
    """Between which shares the share of all mutants lies, with 95 % certainty, if this many of a sample were killed.

    Wilson's interval, with the correction for a sample that is a good part of the whole.
    """
    if not tried or tried == of:
        return (killed / tried,) * 2 if tried else (0, 1)
    z = _Z * sqrt((of - tried) / (of - 1))
    share, spread = killed / tried, 1 + z * z / tried
    middle = (share + z * z / (2 * tried)) / spread
    half = z * sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried)) / spread
    return middle - half, middle + half


def table(outcomes: Mapping[str, Sequence[Outcome | None]]) -> Iterator[str]:
    """A line for every file and every package, from what became of each file's mutants; None: not tried."""
    packages: dict[str, Counter[Outcome | None]] = defaultdict(Counter)
    for file, verdicts in sorted(outcomes.items()):
        counts = Counter(verdicts)
        if counts:
            yield _line(file, counts)
            packages[_package(file)] += counts
    for package, counts in packages.items():
        yield _line(package, counts)


def _package(file: str) -> str:
    """campaign/engine, campaign/rulesets/forum_campaign: all below counts as part of it."""
    parts = file.split("/")
    return "/".join(parts[: 3 if parts[1] == "rulesets" else 2])


def _line(name: str, counts: Mapping[Outcome | None, int]) -> str:
    every, tried = sum(counts.values()), sum(count for outcome, count in counts.items() if outcome is not None)
    killed, timeout = counts.get(Outcome.KILLED, 0), counts.get(Outcome.TIMEOUT, 0)
    caught = killed + timeout
    low, high = interval(caught, tried, of=every)
    share = f"{caught / tried:6.1%}" if tried else "     -"
    return (
        f"{name}: {share} ({low:.1%} to {high:.1%}) of {tried} out of {every}: {killed} killed, {timeout} timeout,"
        f" {counts.get(Outcome.SURVIVED, 0)} survived, {counts.get(Outcome.NO_TESTS, 0)} no tests"
    )
