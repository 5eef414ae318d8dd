"""One run: campaigns are played on one site while its processes die; then the faults end, and everything is checked.

`python -m tests.faults` starts it for each database, in a process of its own with Django set up for a new site.
"""

import argparse
import json
import os
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.models import F, Q

from campaign.core import clock
from campaign.core.workers import Job, wake_workers
from campaign.game.turn_package import audiences
from campaign.mail import delivery
from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.models import Campaign, DeadlineKind, MailNews, OutboxMessage, OutboxState, Phase, PhaseState
from campaign.models import Resolution as Resolved
from campaign.services import scenario_of
from gm.machine.sweeper import sweep
from tests.faults.checks.invariants import UNFINISHED, Evidence, breaches
from tests.faults.checks.records import SHEETS, WAITING, Record
from tests.faults.checks.tally import figures, killed, windows
from tests.faults.checks.watch import watch
from tests.faults.people import campaigns
from tests.faults.people.players import Browser, Player
from tests.faults.plan import BROKER_FLUSHED, BROKER_KILLED, EMBEDDED, FLEET, LOOP, TICK, Fault, Plan
from tests.faults.site import sink, unfenced
from tests.faults.site.broker import Broker
from tests.faults.site.disk import full
from tests.faults.site.processes import Machinery, start, works

PACE = 0.6
"""Average seconds between two faults of random processes."""
SWEEP = 0.3
"""Seconds between sweeps of a loop under faults."""
PRODUCTION_SWEEP = 3.0
DRAIN = 60.0
"""Seconds beyond a lease within which all that is due must be done once the faults end: I10; more where it is slow."""
LOOK_EVERY = 0.03
"""Seconds between checks of the processes."""
BEFORE_FULL, WHILE_FULL = 6.0, 8.0
"""Seconds of play before and after the disk is full, and while it is."""
SAMPLES = 4
"""Workers killed to measure how soon their phases are claimed again."""
UNTIL_READY = 6.0
"""Seconds until everything that was started sweeps."""


@dataclass
class Run:
    """A new site, and all that happens on it."""

    folder: Path
    seed: int
    kills: int
    most_seconds: float
    campaigns: int
    mutant: bool
    full_disk: bool
    slowness: float
    """How many times as slow the machine is as that for which limits were chosen."""
    around: dict[str, int] = field(default_factory=dict)
    """Processes around the service, by name: players, mail server, watcher."""
    names: dict[int, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    """The faults of random processes and of the broker."""
    times: dict[str, float] = field(default_factory=dict)
    """Seconds of each part."""
    overdue: list[str] = field(default_factory=list)
    """What was not done in time after the faults, as breaches of I10."""

    def __post_init__(self) -> None:
        self.listener, self.mails = (socket.create_server(("127.0.0.1", 0), backlog=512) for _ in range(2))
        self.port = self.listener.getsockname()[1]
        self.broker = Broker(self.folder, settings.BROKER_URL) if settings.BROKER_URL else None
        self.roles = FLEET if self.broker else EMBEDDED
        self.chance = Random(f"chaos {self.seed}")
        self.plan = Plan(self.seed, self.roles, settings.LEASE_SECONDS, born_slow=self.mutant)
        self.machinery = Machinery(works(self.listener, every=SWEEP, folder=self.folder), self.roles, self.folder)
        if self.broker:
            self.machinery.others.add(self.broker.pid)

    def go(self) -> tuple[dict[str, object], list[str]]:
        """Play, kill, calm down, check; returns the figures, and each breach of an invariant."""
        for part in self._parts():
            began, name = time.monotonic(), part.__name__.strip("_").replace("_", " ")
            part()
            self.times[name] = round(self.times.get(name, 0) + time.monotonic() - began, 1)
        self._end()
        found = [*self._troubles(), *breaches(Evidence(self.folder))]
        return figures(self.folder, self.faults, self.machinery, self.times, found), found

    # --- its parts ---

    def _parts(self) -> tuple[Callable[[], None], ...]:
        if self.full_disk:
            return self._prepare, self._play_while_the_disk_is_full, self._calm_down
        if self.mutant:
            return self._prepare, self._play_while_everything_dies, self._calm_down
        return (
            self._prepare,
            self._play_while_everything_dies,
            self._calm_down,
            self._wait_for_the_others,
            self._replace_killed_workers,
            self._wait_for_the_others,
        )

    def _prepare(self) -> None:
        self._settle_in()
        self._beside("sink", lambda: sink.serve(self.mails, self.folder, self.seed))
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        if self.mutant:
            unfenced.take_hold()
        campaigns.gather()
        campaigns.warm_up()
        (readers,) = {len(audiences(scenario_of(campaign).rules)) for campaign in Campaign.objects.all()}
        connections.close_all()
        self._beside("watcher", lambda: watch(self.folder, readers))
        for name, (_, side) in campaigns.CAST.items():
            chance = Random(f"{name} {self.seed}")
            link = partial(campaigns.link_of, name)
            player = Player(self.port, link, name=name, side=side, folder=self.folder, chance=chance)
            self._beside(name, player.play)
        link = partial(campaigns.link_of, campaigns.GM)
        umpire = campaigns.Umpire(self.port, link, self.campaigns, Random(f"umpire {self.seed}"))
        self._beside(campaigns.GM, umpire.lead)
        if self.broker:
            self._beside("ringer", self._ring)

    def _settle_in(self) -> None:
        """Shorten the pauses between tries of a mail, which suit real servers. Leases come from the environment.

        Base maps are kept off the disk that fills up: there, no process could store one for the others.
        """
        DISK_CACHE.folder = Path(os.environ[SHEETS])
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = self.mails.getsockname()
        settings.EMAIL_TIMEOUT = 5
        settings.SITE_URL = f"http://127.0.0.1:{self.port}"
        delivery.LEASE = timedelta(seconds=6)
        delivery.FIRST_PAUSE, delivery.LONGEST_PAUSE = timedelta(seconds=0.2), timedelta(seconds=2)

    def _play_while_everything_dies(self) -> None:
        self.machinery.plan, faults = self.plan, self.plan.faults()
        end, due, counted = time.monotonic() + self.most_seconds, time.monotonic() + 2, time.monotonic()
        while time.monotonic() < end and not self.machinery.lost:
            self._look_after()
            if time.monotonic() >= due:
                self._meet(next(faults))
                due = time.monotonic() + self.chance.expovariate(1 / (3 * PACE if self.mutant else PACE))
            if time.monotonic() > counted + 1:
                counted = time.monotonic()
                if len(killed(self.folder)) >= self.kills or (self.mutant and _found_out()):
                    return

    def _play_while_the_disk_is_full(self) -> None:
        """Kill nothing; for some seconds nothing can be written."""
        self._play(BEFORE_FULL)
        with full(Path(settings.DATA_DIR), self.machinery) as how:
            self._play(WHILE_FULL)
            answer = Browser(self.port).once("GET", "/healthz")
        self.faults[f"disk full, {how}; healthz {answer.status} {answer.text.strip()}"] += 1
        self._play(BEFORE_FULL)

    def _play(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._look_after()

    def _calm_down(self) -> None:
        """End the faults and the players, and wait until all that is due is done."""
        self.machinery.calm()
        for name in ("sink", campaigns.GM):
            if self.around[name] not in self.machinery.lost:
                os.kill(self.around[name], signal.SIGUSR1)
        self._dismiss(signal.SIGKILL, *{"ringer"} & self.around.keys())
        self._dismiss(signal.SIGTERM, *campaigns.CAST)
        self._wait_until_nothing_is_due()
        self._dismiss(signal.SIGKILL, campaigns.GM)
        Record(self.folder, "faults").write(faults=windows(self.folder, self.faults))

    def _wait_for_the_others(self) -> None:
        """Wait until the other runs are ready too, so that nothing else runs during measurements without faults."""
        self.machinery.end()
        sys.stdout.write(WAITING)
        sys.stdout.flush()
        sys.stdin.readline()

    def _replace_killed_workers(self) -> None:
        """Kill workers in the middle of a phase, with others sweeping as in production, which resolve it again."""
        self.machinery.works = works(self.listener, every=PRODUCTION_SWEEP, folder=self.folder)
        self.machinery.roles = {role: count for role, count in self.roles.items() if role != TICK}
        self._play(UNTIL_READY)
        open_ = Phase.objects.filter(state=PhaseState.OPEN, no__gt=0, deadline_kind=DeadlineKind.CLOSES)
        chosen = list(open_.order_by("pk").values_list("pk", flat=True)[:SAMPLES])
        connections.close_all()
        for phase in chosen:
            work = partial(_close_and_sweep, phase)
            pid = start(LOOP, work, self.folder / "replaced.log", FAILPOINTS="adjudicate.mid=kill9").pid
            os.waitpid(pid, 0)
        self._wait_until_nothing_is_due()

    def _end(self) -> None:
        self.machinery.others.clear()
        if self.broker:
            self.broker.end()
        self.machinery.end()

    # --- steps of the parts -----

    def _look_after(self) -> None:
        self.machinery.look_after()
        time.sleep(LOOK_EVERY)

    def _meet(self, fault: Fault) -> None:
        self.faults[fault.kind] += 1
        if self.broker and fault.kind == BROKER_FLUSHED:
            self.broker.flush()
        elif self.broker and fault.kind == BROKER_KILLED:
            self.machinery.others.discard(self.broker.pid)
            self.broker.kill()
            self.machinery.others.add(self.broker.pid)
        else:
            self.machinery.meet(fault, self.chance)

    def _beside(self, name: str, work: Callable[[], object]) -> None:
        self.around[name] = start(name, work, self.folder / f"{name}.log").pid
        self.machinery.others.add(self.around[name])
        self.names[self.around[name]] = name

    def _dismiss(self, sign: signal.Signals, *names: str) -> None:
        """End processes around the service, and wait for them while it runs on."""
        pids = {self.around.pop(name) for name in names}
        self.machinery.others -= pids
        for pid in pids - self.machinery.lost.keys():
            os.kill(pid, sign)
        seconds = DRAIN * self.slowness
        end = time.monotonic() + seconds
        while (left := pids - self.machinery.buried - self.machinery.lost.keys()) and time.monotonic() < end:
            self._look_after()
        self.overdue += [f"I10 gone: {self.names[pid]} has not ended after {seconds:.0f} s" for pid in sorted(left)]

    def _wait_until_nothing_is_due(self) -> None:
        seconds = 5 if self.mutant else settings.LEASE_SECONDS + DRAIN * self.slowness
        end = time.monotonic() + seconds
        while due := self._due():
            if time.monotonic() > end:
                if not self.mutant:
                    self.overdue.append(f"I10 undone: after {seconds:.0f} s there are still {due}")
                return
            for _ in range(5):
                self._look_after()

    def _due(self) -> str:
        """The number of phases and mails in states that must not last, and of news that should be in a mail."""
        passed = Q(state=PhaseState.OPEN, deadline_kind=DeadlineKind.CLOSES, deadline_at__lte=clock.now())
        phases = Phase.objects.filter(passed | Q(state__in=UNFINISHED))
        mails = OutboxMessage.objects.filter(state__in=[OutboxState.WAITING, OutboxState.SENDING])
        news = MailNews.objects.filter(gathered_at=None, leaves_at__lte=clock.now()).count()
        due = Counter(f"stops {state}" for state in phases.values_list("state", flat=True))
        due += Counter(f"mails {state}" for state in mails.values_list("state", flat=True))
        due += Counter({"news": news})
        connections.close_all()  # processes are forked off this one
        return ", ".join(f"{count} {what}" for what, count in sorted(due.items()))

    def _ring(self) -> None:
        """Send every hint ten times, also for phases that do not exist, as a broker may repeat anything."""
        while True:
            with campaigns.undisturbed():
                waiting = Phase.objects.filter(state__in=UNFINISHED).values_list("pk", flat=True)
                for pk in [*waiting, 10**6] * 10:
                    wake_workers(Job.PHASE, pk)
            time.sleep(1)

    def _troubles(self) -> Iterator[str]:
        yield from self.overdue
        for pid, how in self.machinery.lost.items():
            yield f"I10 gone: {self.names[pid]} gave up with {how}: see the logs in {self.folder}"


def _found_out() -> bool:
    """Whether the broken machinery has published the result of a claim that was not the last one.

    Nothing repairs that later: the checks at the end find it too.
    """
    found = Resolved.objects.filter(phase__state=PhaseState.PUBLISHED).exclude(fence=F("phase__fence")).exists()
    connections.close_all()  # processes are forked off this one
    return found


def _close_and_sweep(phase: int) -> None:
    """Set an open phase's deadline to now and sweep, usually before anybody else does."""
    Phase.objects.filter(pk=phase).update(deadline_at=clock.now())
    sweep(worker=f"runloop-{os.getpid()}")


def main() -> None:
    """Run as the command line says; figures and breaches go to figures.json. Returns 1 if anything was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--most-seconds", type=float, required=True)
    parser.add_argument("--campaigns", type=int, required=True)
    parser.add_argument("--slowness", type=float, required=True)
    parser.add_argument("--mutant", action="store_true")
    parser.add_argument("--full-disk", action="store_true")
    results, found = Run(**vars(parser.parse_args())).go()
    path = Path(sys.argv[1]) / "figures.json"
    path.write_text(json.dumps({**results, "breaches": found}, indent=1))
    sys.exit(bool(found))
