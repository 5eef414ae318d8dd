"""The small scenario with an air sheet on its first day, for tests that play all phases from the start."""

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
    above = Path(tempfile.mkdtemp(prefix="fieldpost-scenario-"))
    atexit.register(shutil.rmtree, above)
    folder = above / "st-vith-1944"
    shutil.copytree(find_scenario("forum_campaign/st-vith-1944"), folder)
    head = folder / "scenario.toml"
    text, count = re.subn(r"^air_on_first_day = false", "air_on_first_day = true", head.read_text(), flags=re.MULTILINE)
    assert count == 1
    head.write_text(text)
    return folder
