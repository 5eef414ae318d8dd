"""Play pairs of worlds and print what was compared: `python -m tests.secrecy [--examples N] [--minutes N]`.

Exit status 1 if anybody could tell two worlds apart, if a mutator was never used or a route reached by nobody, or if
too few stops were played.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator

import django


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy")
    parser.add_argument("--examples", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="the number of the first example")
    parser.add_argument("--verdicts", type=int, default=100_000, help="so many pairs of verdicts at least")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no example after so many minutes")
    parser.add_argument("--everybody", action="store_true", help="all roles read everything, not five by lot")
    parser.add_argument("--stops", type=int, default=0, help="so many stops of the campaign are played")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    return _run(asked)


def _run(asked: argparse.Namespace) -> int:
    from tests.secrecy import mutators, pairs, runs, verdicts  # noqa: PLC0415 - only now are there settings

    begun = time.monotonic()
    until = begun + asked.minutes * 60 if asked.minutes else 0.0
    with runs.service():
        worlds = runs.built(asked.stops or runs.STOPS)
        built = time.monotonic()
        print(f"{len(worlds)} bases in {built - begun:.0f} s")
        if not asked.examples and not asked.verdicts:
            return 0
        judged = verdicts.run_all(worlds, at_least=asked.verdicts, workers=asked.workers)
        print(judged, flush=True)
        if asked.verdicts:
            sampled = verdicts.run_all(runs.large(), at_least=asked.verdicts // 10, workers=asked.workers)
            print(f"of the large campaign, {sampled}", flush=True)
            judged.add(sampled)
        done = runs.run([each for _, each in pairs.kept_examples()], worlds, shrink=False)
        readers = pairs.everybody if asked.everybody else pairs.by_lot
        done.add(
            runs.run_all(asked.examples, worlds, workers=asked.workers, readers=readers, until=until, first=asked.first)
        )
        unreached = sorted(_unreached(done.figures.reached, worlds)) if done.figures.examples else []
    for line in _report(done.figures):
        print(line)
    print(f"{time.monotonic() - begun:.0f} s")
    for example, difference in done.found:
        print(f"TOLD APART: {example.to_json().strip()}\n{difference}")
    runs.keep(done.found, pairs.KEPT)
    unused = [name for name in mutators.MUTATORS if not done.figures.mutators[name]]
    idle = list(_idle(done.figures))
    for wrong, what in ((unused, "never used"), (unreached, "reached by nobody"), (idle, "too seldom")):
        if wrong:
            print(f"{what}: {', '.join(wrong)}")
    return int(bool(done.found or unused or unreached or idle or judged.differing))


def _idle(figures: object) -> Iterator[str]:
    """What the examples were to do often and did not, as their figures tell."""
    from tests.secrecy.truth import EDGE, PATH  # noqa: PLC0415

    placed, done, examples = figures.placements, figures.done, figures.examples  # type: ignore[attr-defined]
    yield from (f"placed {kind}" for kind in (EDGE, PATH) if placed[kind] < _OFTEN * placed.total())
    yield from (f"stops {what}" for what in ("locked", "published") if done[what] < _SELDOM * examples)


_OFTEN = 0.3
"""Of all placements, where an oracle would tell (secrecy.md 3)."""
_SELDOM = 0.1


def _unreached(reached: object, worlds: object) -> Iterator[str]:
    """Routes that led nobody anywhere, neither those who watch nor the game master."""
    from tests.secrecy import crawler  # noqa: PLC0415
    from tests.secrecy.worlds import World  # noqa: PLC0415

    found = dict(reached)  # type: ignore[call-overload]
    for name in sorted(worlds)[-3:]:  # type: ignore[call-overload]
        world = World.restored("all", worlds[name].snapshot)  # type: ignore[index]
        found.update(crawler.crawl(world, "gm").reached)
        world.close()
    yield from (route for route, _ in crawler.routes() if route not in found and route not in crawler.BY_SECRET)


def _report(figures: object) -> Iterator[str]:
    for name, value in vars(figures).items():
        if name == "reached":
            yield f"routes reached: {len(value)}"
        elif isinstance(value, dict):
            yield f"{name}: {', '.join(f'{key} {value[key]}' for key in sorted(value, key=_in_order))}"
        else:
            yield f"{name}: {value:,}"


def _in_order(name: str) -> tuple[str, int]:
    return name[0], int(name[1:]) if name[1:].isdigit() else 0


if __name__ == "__main__":
    sys.exit(main())
