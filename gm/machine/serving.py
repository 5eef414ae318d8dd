"""Serving on one computer: web process, loop and the taker of mail are child processes, restarted when they die.

The parent owns the listening socket: while the web process restarts, visitors wait and none is refused. The parent
is a process of its own, `python -m gm.machine.serving`, without Django: it waits for months, and would otherwise
keep in memory what `serve` needed for the first start.
"""

import argparse
import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

PORTS_TRIED = 20
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds before a dead child is restarted; doubled each time it dies young."""
OF_AGE = 60.0
"""Seconds after which a death is no longer young."""
LAST_WORDS = 30.0
"""Seconds that a child has to finish its work."""
_LOOK_EVERY = 0.2
THRIFTY = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""What glibc needs to release the memory of large maps once they are drawn; it saves 40 MB."""

Say = Callable[[str], None]


class NoPort(Exception):
    """There is no port to listen on. The message says what to do."""


def listen(host: str, port: int, say: Say) -> socket.socket:
    """A socket to serve on: at this port, or the next free one. Raises NoPort."""
    for number in range(port, min(port + PORTS_TRIED, 65536)):
        try:
            return _bound(host, number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise NoPort(f"Nothing can listen at {host}, port {number}: {error.strerror}.") from error
            say(f"Port {number} is taken.")
    raise NoPort(f"No port from {port} on is free on {host}. Choose another with --port.")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


@dataclass
class Child:
    """A process that is kept running."""

    name: str
    command: Sequence[str]
    keep_open: tuple[int, ...] = ()
    """Files of the parent that it keeps open."""
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    pause: float = FIRST_PAUSE
    due: float = 0.0


@dataclass
class Supervisor:
    """Keeps children running until it is told to stop, then ends them one after the other."""

    children: Sequence[Child]
    say: Say
    stopped: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Serve until SIGINT, SIGTERM or SIGHUP."""
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sign, lambda *_: self.stopped.set())
        try:
            while not self.stopped.is_set():
                for child in self.children:
                    self._look_after(child)
                self.stopped.wait(_LOOK_EVERY)
        finally:
            for child in self.children:
                _end(child)

    def _look_after(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is not None and child.process.poll() is not None:
            self._mourn(child, child.process.returncode, now)
        if child.process is None and now >= child.due:
            self._start(child, now)

    def _start(self, child: Child, now: float) -> None:
        # A process group of its own: Ctrl-C reaches the parent alone, which ends its children in order.
        child.process = subprocess.Popen(  # noqa: S603 - our own commands
            child.command,
            pass_fds=child.keep_open,
            stdin=subprocess.DEVNULL,
            process_group=0,
        )
        child.started = now

    def _mourn(self, child: Child, code: int, now: float) -> None:
        if now - child.started >= OF_AGE:
            child.pause = FIRST_PAUSE
        self.say(f"The {child.name} process ended ({_how(code)}); it starts again in {child.pause:g} s.")
        child.process, child.due = None, now + child.pause
        child.pause = min(child.pause * 2, LONGEST_PAUSE)


def web(listener: socket.socket, application: str, *, proxies: int) -> Child:
    """The web process, which answers at a socket. One process with a few threads is enough for a club.

    Behind proxies it trusts what they say of the visitor's connection, wherever they run.
    """
    command = (sys.executable, "-m", "gunicorn", application, "--bind", f"fd://{listener.fileno()}")
    options = ("--workers", "1", "--worker-class", "gthread", "--threads", "4")
    quiet = ("--log-level", "warning", "--no-control-socket")
    trust = ("--forwarded-allow-ips", "*") if proxies else ()
    return Child("web", (*command, *options, *quiet, *trust), keep_open=(listener.fileno(),))


def loop() -> Child:
    """The process that does due work."""
    return Child("loop", (sys.executable, "manage.py", "runloop"))


def mail() -> Child:
    """The process that takes mail from players, by its listener or from a mailbox."""
    return Child("mail", (sys.executable, "manage.py", "takemail"))


def become_supervisor(
    listener: socket.socket,
    application: str,
    *,
    proxies: int,
    takes_mail: bool,
    address: str,
    folder: Path,
    last_words: str,
) -> NoReturn:
    """Become the process that keeps web pages, loop and the taker of mail running, in the project's folder.

    Its children learn the public address, unless the owner has set it.
    """
    os.set_inheritable(listener.fileno(), True)  # noqa: FBT003
    os.chdir(folder)
    os.environ["FIELDPOST_URL"] = os.environ.get("FIELDPOST_URL") or address
    os.environ |= {name: os.environ.get(name, value) for name, value in THRIFTY.items()}
    arguments = ("--listener", listener.fileno(), "--proxies", proxies, "--last-words", last_words, application)
    mails = ("--mail",) if takes_mail else ()
    command = (sys.executable, "-m", "gm.machine.serving", *mails, *map(str, arguments))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, command)  # noqa: S606 - our own command


def main() -> None:
    """The entry point of the process that `become_supervisor` starts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("application")
    parser.add_argument("--listener", type=int)
    parser.add_argument("--proxies", type=int)
    parser.add_argument("--last-words")
    parser.add_argument("--mail", action="store_true")
    arguments = parser.parse_args()
    with socket.socket(fileno=arguments.listener) as listener:
        pages = web(listener, arguments.application, proxies=arguments.proxies)
        Supervisor((pages, loop(), *([mail()] if arguments.mail else [])), _say).run()
    _say(arguments.last_words)


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - there is no Django here, and people read it


def _end(child: Child) -> None:
    if child.process is None:
        return
    child.process.terminate()
    try:
        child.process.wait(LAST_WORDS)
    except subprocess.TimeoutExpired:
        child.process.kill()
        child.process.wait()


def _how(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"code {code}"


if __name__ == "__main__":
    main()
