"""`make bench`: measure every figure and print a line for each. Ends with status 1 if one falls short."""

import os
import sys
import tempfile

import django

from campaign.core.frames import with_room
from campaign.secrecy import truth

_DATA = tempfile.TemporaryDirectory()
os.environ |= {"DJANGO_SETTINGS_MODULE": "deploy.settings", "FIELDPOST_DATA": _DATA.name}
for name in ("DATABASE_URL", "EMAIL_URL", "FIELDPOST_BROKER_URL"):
    os.environ.pop(name, None)  # the embedded mode is measured
django.setup()
truth.trust_process()

from tests.bench import archives, areas, day, maps, phase, searches, service, snapshot, writing  # noqa: E402 - needs Django set up
from tests.bench.measure import Benchmark  # noqa: E402

BENCHMARKS: tuple[Benchmark, ...] = (
    phase.figures,
    day.figures,
    areas.figures,
    maps.figures,
    searches.figures,
    snapshot.figures,
    service.figures,
    writing.figures,
    archives.figures,
)


def main() -> int:
    short = 0
    for benchmark in BENCHMARKS:
        for figure in benchmark():
            print(figure, flush=True)
            short += not figure.ok
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(with_room(main))
