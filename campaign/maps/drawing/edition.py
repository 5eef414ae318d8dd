"""The edition of the maps: two editions may draw one base map differently, or place its names differently."""

import hashlib
import platform
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from PIL import features

from campaign.engine.display.views import BaseMap
from campaign.engine.values.value import encode
from campaign.maps.style.theme import FONTS, Face

_CAMPAIGN = Path(__file__).parents[2]


@cache
def edition() -> str:
    """SHA-256, the first 16 digits, over everything that affects a sheet's look except its base map.

    That is the code of maps and engine, the fonts, and what draws: Python, Pillow, and the libraries below.
    """
    return _short("\n".join(_parts()).encode())


@lru_cache(maxsize=16)
def digest_of(base: BaseMap) -> str:
    """SHA-256 over a base map, the first 32 digits."""
    return hashlib.sha256(encode(base)).hexdigest()[:32]


def version_of(base: BaseMap) -> str:
    """The edition and base map of a sheet, in 16 digits."""
    return _short(f"{edition()} {digest_of(base)}".encode())


def _parts() -> Iterator[str]:
    code = (path for part in ("engine", "maps") for path in (_CAMPAIGN / part).rglob("*.py"))
    fonts = (FONTS / face.value for face in Face)
    for path in sorted((*code, *fonts)):
        yield f"{path.relative_to(_CAMPAIGN.parent).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    for library in ("pil", "freetype2", "jpg", "webp"):
        yield f"{library} {features.version(library)}"
    yield f"python {platform.python_version()}"


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
