"""What a scenario of the area game holds that another side may not know: its briefing alone.

Map, units, arrivals and tables are printed in the rules (R1, ruling 1). So no name of a unit is a secret either.
"""

from collections.abc import Mapping, Sequence
from random import Random

from campaign.engine.values.ids import SideId


def set_up(files: Mapping[str, str], sides: Sequence[SideId], chance: Random) -> dict[str, str]:
    """The same files with other briefings of these sides."""
    briefings = {f"briefing-{side}.md": f"# Our plan\n\nWe attack on day {chance.randint(1, 9)}.\n" for side in sides}
    guides = {f"guide-{side}.toml": f"# Day {chance.randint(1, 9)}\nsteps = []\n" for side in sides}
    return {**files, **briefings, **guides}
