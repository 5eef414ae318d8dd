"""Which edition of the rules this is. Two editions may bring something else out of the same orders."""

import hashlib
from pathlib import Path

_HERE = Path(__file__).parent


def _edition() -> str:
    whole = hashlib.sha256()
    for path in sorted(path for part in ("engine", "rulesets") for path in (_HERE / part).rglob("*.py")):
        whole.update(f"{path.relative_to(_HERE).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


EDITION = _edition()
"""SHA-256 over the code of the engine and of all rulesets, its first 16 digits."""
