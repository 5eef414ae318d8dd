"""A disk that is full, for real: a small file system of one's own, or where none can be mounted a limit on files."""

import errno
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.processes import Machinery, children

SIZE = "160m"
"""Of the small file system: more than a site needs, and than must be free for it to be well."""
BLOCKS = (1 << 20, 1 << 12, 1)
"""Bytes by which it is filled, to the last one."""


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A small file system at this folder, if this process may mount one (Linux, root); else the folder as it is."""
    folder.mkdir()
    command = ["/bin/mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    mounted = subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0
    try:
        yield
    finally:
        if mounted:
            subprocess.run(["/bin/umount", str(folder)], check=True)


@contextmanager
def full(data: Path, machinery: Machinery) -> Iterator[str]:
    """Nothing more can be written to the data folder, nor by its processes; says how that is done."""
    if os.path.ismount(data.parent):
        ballast = data / "ballast"
        _fill(ballast)
        yield "a small file system"
        ballast.unlink()
    else:
        _limit(machinery, 0)
        yield "no file may grow"
        _limit(machinery, resource.RLIM_INFINITY)


def _fill(ballast: Path) -> None:
    with ballast.open("ab", buffering=0) as file:
        for block in BLOCKS:
            try:
                while True:
                    file.write(bytes(block))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise


def _limit(machinery: Machinery, size: int) -> None:
    parents = [process.pid for process in machinery.running]
    for pid in [*parents, *(child for parent in parents for child in children(parent))]:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
