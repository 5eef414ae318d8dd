"""The faults of a run, drawn from a seed: the same seed gives the same faults in the same order."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]

KILL, STOP, BROKER_FLUSHED, BROKER_KILLED = "kill", "stop", "broker flushed", "broker killed"
LOOP, WEB, PHASE_WORKER, MAIL_WORKER, BEAT, TICK = "loop", "web", "phase worker", "mail worker", "beat", "tick"

EMBEDDED = {WEB: 1, LOOP: 2, TICK: 2}
"""The number of processes of each role on SQLite: web and loop as in `serve`, another loop, cron."""
FLEET = {WEB: 1, PHASE_WORKER: 2, MAIL_WORKER: 1, BEAT: 2, TICK: 2}
"""The same for a fleet: two beats, so that every hint comes twice."""


@dataclass(frozen=True)
class Fault:
    """A fault of a process of a role, or of the broker."""

    kind: str
    role: str = ""
    seconds: float = 0.0
    """Seconds for which a process is stopped: shorter and longer than a lease."""
    child: bool = False
    """Whether it hits the child that does a role's work, not the parent that keeps it running."""


@cache
def places() -> tuple[str, ...]:
    """All failpoints of the code."""
    found = set[str]()
    for folder in (
        "api",
        "archive",
        "campaign",
        "incoming",
        "orders",
        "posting",
        "questions",
        "staff",
        "stories",
        "gm",
    ):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "fp":
                    found.update(ast.literal_eval(each) for each in node.args if isinstance(each, ast.Constant))
    return tuple(sorted(found))


@dataclass
class Plan:
    """Two streams of faults: one hits processes at random, one is built into each process at its start."""

    seed: int
    roles: dict[str, int]
    lease: float
    born_slow: bool = False
    """Processes start with pauses only, not deaths: a machinery that takes slow for dead does their work twice."""

    def __post_init__(self) -> None:
        self._met = Random(f"met {self.seed}")
        self._born = {role: Random(f"born {self.seed} {role}") for role in self.roles}
        self._places = {role: places_of(role, self.roles) for role in self.roles}

    def faults(self) -> Iterator[Fault]:
        """Random faults, without end."""
        busy = [role for role, count in self.roles.items() if role not in (TICK, WEB) for _ in range(4 * count)]
        busy += [WEB]  # it starts slowly, and all work begins with it
        brokers = [BROKER_FLUSHED, BROKER_KILLED] if BEAT in self.roles else []
        while True:
            kind = self._met.choices([KILL, STOP, *brokers], [60, 25, 4, 4][: 2 + len(brokers)])[0]
            role, child = self._met.choice(busy), self._met.random() < 0.5
            seconds = round(self._met.uniform(0.1, 1.6 * self.lease), 1)
            yield Fault(kind) if kind in brokers else Fault(kind, role, seconds if kind == STOP else 0.0, child=child)

    def failpoints(self, role: str) -> str:
        """The faults built into a process of this role, in the words of FAILPOINTS; some have none."""
        chance, places = self._born[role], self._places[role]
        if not places or chance.random() < (0.6 if role == WEB else 0.2):
            return ""
        count = 1 if role == WEB else min(4, len(places))
        return ",".join(self._failpoint(place, chance) for place in chance.sample(places, k=count))

    def _failpoint(self, place: str, chance: Random) -> str:
        seconds = round(chance.uniform(0.1, 1.6 * self.lease), 1)
        pause, others = f"stop:{seconds}s", ["kill9", "raise", "enospc", "busy"]
        action = pause if self.born_slow else chance.choices([pause, *others], [10, 70, 7, 6, 7])[0]
        return f"{place}={action}@{chance.choice([1, 1, 2, 5])}"


_SWEPT = ("lock.", "claim.", "adjudicate.", "draw.", "publish.", "tick.", "beat.", "gather.", "outbox.")
_WAKING = ("ring.",)


def places_of(role: str, roles: dict[str, int]) -> list[str]:
    """The failpoints that a role passes while campaigns are played. Without a broker nobody wakes workers."""
    prefixes: tuple[str, ...] = {
        WEB: ("submit.", "publish.", "deadline."),
        LOOP: _SWEPT,
        TICK: _SWEPT,
        PHASE_WORKER: _SWEPT,
        MAIL_WORKER: ("outbox.",),
        BEAT: (),
    }[role]
    waking = _WAKING if BEAT in roles and role in (WEB, PHASE_WORKER) else ()
    return [place for place in places() if place.startswith((*prefixes, *waking))]
