"""What a scenario holds that an audience may not know (M19): the others' set-up, arrivals and briefings.

Each game says what of its files is open to everybody. No page shows the digest of the files, so it is computed again,
and the service reads the changed files.
"""

from random import Random

from campaign.engine.values.value import encode
from campaign.game.store import digest
from campaign.models import CampaignScenario
from campaign.services import files_of, whole_scenario_of
from tests.secrecy.campaigns import campaign, game
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.past import earlier_starts
from tests.secrecy.truth import Truth

_VARIANTS = 3
"""The number of different scenarios for each observer: each is read and its map laid out only once."""


def set_up(change: Change) -> bool:
    """Change what others begin with and who comes to them, in the files, in the first states and in the present one."""
    _rewrite_files(change)
    for start in earlier_starts(change.observer):
        for side in start.foreign:
            start.game.arrivals(start, side, change.chance)
        start.store()
    truth = Truth.read(change.observer)
    if truth is not None:
        for side in truth.foreign:
            truth.game.arrivals(truth, side, change.chance)
        truth.write()
    return True


def _rewrite_files(change: Change) -> None:
    here, chance = campaign(), Random(f"scenario {change.observer} {change.chance.randrange(_VARIANTS)}")
    files = game().set_up(files_of(here), game().others(change.observer), chance)
    CampaignScenario.objects.filter(campaign=here).update(scenario_files=files)
    here.scenario_digest = digest(encode(files))
    here.save(update_fields=["scenario_digest"])
    whole_scenario_of(here)  # raises ScenarioError if it could not have been played
