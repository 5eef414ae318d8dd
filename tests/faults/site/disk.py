"""A disk that is really full: a small file system, or a limit on files where none can be mounted."""

import errno
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.site.processes import Machinery, children

SIZE = "160m"
"""The size of the small file system: more than a site needs, with the free space that a healthy one has."""
BLOCKS = (1 << 20, 1 << 12, 1)
"""The sizes of blocks that fill it, down to the last byte."""


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a small file system at this folder, if this process may (Linux, root); else leave the folder as it is."""
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
    """In this context nothing can be written to the data folder, by any process; gives the method used."""
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
