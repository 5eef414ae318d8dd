"""The small scenario with an air sheet on its first day, for tests that play all phases from the start; and in fog."""

import atexit
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

from campaign.game.loading import find_scenario


@cache
def with_air() -> Path:
    """Its folder, which is there until the process ends."""
    folder = _copy_of(find_scenario("forum_campaign/st-vith-1944"))
    _change(folder / "scenario.toml", r"^air_on_first_day = false", "air_on_first_day = true")
    return folder


@cache
def in_fog() -> Path:
    """The folder of another in which a side sees less: its units are cut off by enemies that it does not see."""
    folder = _copy_of(with_air())
    _change(folder / "tables.toml", r"^\[reasons\]", '[sight]\ntype = 2\n\n[reasons]\nsight.type = "Fog."')
    return folder


def _copy_of(scenario: Path) -> Path:
    above = Path(tempfile.mkdtemp(prefix="fieldpost-scenario-"))
    atexit.register(shutil.rmtree, above)
    return Path(shutil.copytree(scenario, above / scenario.name))


def _change(file: Path, pattern: str, by: str) -> None:
    text, count = re.subn(pattern, by, file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert count == 1
    file.write_text(text, encoding="utf-8")
