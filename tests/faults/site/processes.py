"""The service as processes, forked off one that has loaded everything, so that many can start at once.

They share only memory pages with the parent: each opens its own connections, and each is killed alone.
"""

import ctypes
import os
import signal
import socket
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from django.core.management import call_command
from gunicorn.app.wsgiapp import run as gunicorn

from deploy.celery import app
from gm.machine import serving
from tests.faults.checks.records import Record
from tests.faults.plan import BEAT, KILL, LOOP, MAIL_WORKER, PHASE_WORKER, STOP, TICK, WEB, Fault, Plan

Work = Callable[[], object]


@dataclass
class Process:
    """A process started here."""

    role: str
    pid: int
    born: float


def start(role: str, work: Work, log: Path, **environment: str) -> Process:
    """Fork a process that does this and ends; its output goes to the log. It has its own process group."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return Process(role, pid, time.monotonic())
    code = 1
    try:
        os.setpgid(0, 0)
        _prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP):
            signal.signal(sign, signal.SIG_DFL)
        os.environ.update(environment)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(said, 1)
        os.dup2(said, 2)
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def adopt_orphans() -> None:
    """Make this process the parent of children whose parents die, so that none is left behind."""
    _prctl(_ADOPT_ORPHANS, 1)


_DIE_WITH_PARENT, _ADOPT_ORPHANS = 1, 36
"""Linux: PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER."""


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def children(pid: int) -> list[int]:
    """The children of a process."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


# --- roles -----------------------------------------------------------------------------------------------------------

_WORKER = ("--concurrency", "1", "--loglevel", "WARNING", "--without-gossip", "--without-mingle")


def works(listener: socket.socket, *, every: float, folder: Path) -> Mapping[str, Work]:
    """The work of each role's processes, as in production; `every`: seconds between sweeps of a loop."""
    return {
        WEB: partial(_gunicorn, listener),
        LOOP: partial(call_command, "runloop", every=every),
        TICK: partial(call_command, "tick"),
        PHASE_WORKER: partial(_celery, "worker", "-Q", "phase,mail", *_WORKER),
        MAIL_WORKER: partial(_celery, "worker", "-Q", "mail", *_WORKER),
        BEAT: partial(_beat, folder),
    }


def _gunicorn(listener: socket.socket) -> None:
    """Run the web server with exactly the options of `serve`."""
    os.set_inheritable(listener.fileno(), True)  # noqa: FBT003
    _, _, _, *options = serving.web(listener, "deploy.wsgi:application", proxies=0).command
    sys.argv = ["gunicorn", *options]
    gunicorn()


def _celery(command: str, *options: str) -> None:
    app.worker_main([command, "--hostname", f"{os.getpid()}@localhost", *options])


def _beat(folder: Path) -> None:
    app.start(["beat", "--loglevel", "WARNING", "--pidfile=", "--schedule", str(folder / f"beat-{os.getpid()}")])


# --- keeping them running --------------------------------------------------------------------------------------------


@dataclass
class Machinery:
    """Processes that are restarted when they die, each with a fault of the plan while there is a plan."""

    works: Mapping[str, Work]
    roles: Mapping[str, int]
    folder: Path
    plan: Plan | None = None
    others: set[int] = field(default_factory=set)
    """Processes of the same parent that are not part of the service, and must not end."""
    running: list[Process] = field(default_factory=list)
    stopped: list[tuple[float, int]] = field(default_factory=list)
    """Paused processes, with the times at which they continue."""
    ends: Counter[str] = field(default_factory=Counter)
    """How processes of each role ended."""
    lost: dict[int, int] = field(default_factory=dict)
    """How other processes ended that should not have."""
    buried: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._deaths = Record(self.folder, "deaths")
        self._due: dict[str, float] = {}
        adopt_orphans()

    def look_after(self) -> None:
        """Collect dead processes, start missing ones, and continue those that were paused for long enough."""
        self._bury()
        now = time.monotonic()
        for role, wanted in self.roles.items():
            missing = wanted - sum(each.role == role for each in self.running)
            if missing and now >= self._due.get(role, 0):
                self._due[role] = now + _PAUSES.get(role, 0)
                for _ in range(missing):
                    self._start(role)
        self._go_on(before=now)

    def meet(self, fault: Fault, chance: Random) -> None:
        """Apply a fault to a process of its role, or to its child."""
        of_role = [each.pid for each in self.running if each.role == fault.role]
        pid = chance.choice(of_role) if of_role else 0
        below = children(pid) if pid and fault.child else []
        target = chance.choice(below) if below else pid
        if not target:
            return
        if fault.kind == STOP and _signal(target, signal.SIGSTOP):
            self.stopped.append((time.monotonic() + fault.seconds, target))
        elif fault.kind == KILL and _signal(target, signal.SIGKILL) and target != pid:
            self._deaths.write(pid=target, role=fault.role, killed=True)  # its parent collects it

    def calm(self) -> None:
        """End built-in faults: replace processes if some have one, and continue paused ones."""
        self._go_on(before=float("inf"))
        if self.plan is not None:
            self._kill_all()
        self.plan = None

    def end(self) -> None:
        """End everything started here, also orphaned children, except `others`."""
        self.calm()
        self._kill_all()
        while orphans := set(children(os.getpid())) - self.others:
            for pid in orphans:
                _signal(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    def _kill_all(self) -> None:
        """Kill every process where it stands, which may be between a mail and the note of it."""
        self._bury()
        for process in self.running:
            _signal(-process.pid, signal.SIGKILL)
            os.waitpid(process.pid, 0)
            self._deaths.write(pid=process.pid, role=process.role, killed=True, last=True)
        self.running.clear()

    def _start(self, role: str) -> None:
        points = self.plan.failpoints(role) if self.plan else ""
        log = self.folder / f"{role.replace(' ', '-')}.log"
        self.running.append(start(role, self.works[role], log, FAILPOINTS=points))

    def _go_on(self, *, before: float) -> None:
        for until, pid in [each for each in self.stopped if each[0] <= before]:
            self.stopped.remove((until, pid))
            _signal(pid, signal.SIGCONT)

    def _bury(self) -> None:
        while children(os.getpid()):
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            how = os.waitstatus_to_exitcode(status)
            self.buried.add(pid)
            if pid in self.others:
                self.others.discard(pid)
                self.lost[pid] = how
            for process in [each for each in self.running if each.pid == pid]:
                self.running.remove(process)
                self._deaths.write(pid=pid, role=process.role, killed=how == -signal.SIGKILL)
                self.ends[f"{process.role}: {_how(how)}"] += 1


_PAUSES = {TICK: 0.5}
"""Seconds between starts of a role that ends on its own."""


def _how(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"code {code}"


def _signal(pid: int, sign: signal.Signals) -> bool:
    try:
        os.kill(pid, sign)
    except ProcessLookupError:
        return False
    return True
