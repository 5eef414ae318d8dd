"""The lock files as data: requirements.txt has what the app needs, requirements-dev.txt adds the tools."""

from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
LOCKS = (ROOT / "requirements.txt", ROOT / "requirements-dev.txt")


@dataclass(frozen=True)
class Locked:
    """An entry of a lock: a package, and the digests of the files it may come from."""

    requirement: Requirement
    hashes: tuple[str, ...]


def read_lock(path: Path) -> list[Locked]:
    """Every entry of a lock file. A line that is neither an entry nor a comment raises InvalidRequirement."""
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    entries = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [_read_entry(entry) for entry in entries if entry.strip()]


def _read_entry(entry: str) -> Locked:
    requirement, *hashes = entry.split("--hash=")
    return Locked(Requirement(requirement.strip()), tuple(digest.strip() for digest in hashes))
