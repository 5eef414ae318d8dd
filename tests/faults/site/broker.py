"""A private Redis server, for emptying and killing."""

import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import redis


class Broker:
    """A server that is started again at the same port whenever it was killed, and keeps nothing on disk."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder, self._port = folder, urlsplit(url).port or 6379
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    def start(self) -> None:
        options = ("--save", "", "--maxmemory-policy", "noeviction", "--dir", str(self._folder))
        self._process = subprocess.Popen(
            [str(shutil.which("redis-server")), "--port", str(self._port), "--bind", "127.0.0.1", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def flush(self) -> None:
        """Delete everything in it: hints, and tasks that workers had taken and not finished."""
        with redis.Redis(port=self._port, socket_timeout=2) as client:
            client.flushall()

    def kill(self) -> None:
        """Kill it for a moment, with everything in it."""
        self.end(signal.SIGKILL)
        time.sleep(0.2)
        self.start()

    def end(self, sign: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(sign)
            self._process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
