"""Games that older releases played are played to their end with the results that they had."""

from pathlib import Path

import pytest

from campaign.engine.values.options import options_in
from campaign.game.loading import read_files
from campaign.game.simulation import options_with
from campaign.game.store import decode_state
from tests.stored.kept_games import digests_then, kept_games, play_again, read


@pytest.mark.parametrize("path", kept_games(), ids=lambda path: path.name.partition(".")[0])
def test_a_kept_game_is_played_to_its_end_with_the_digests_that_it_had(path: Path) -> None:
    """Its scenario gives the first state that it gave, and the rules the results that they gave, phase by phase.

    The editions since then have changed only results of options that no kept game has chosen.
    """
    game = read(path)
    loaded = read_files(game.files)
    rules, game_data = loaded.rules, loaded.scenario.game_data
    assert rules.key == game.ruleset
    assert game.edition <= rules.edition
    unasked = {option.name: option.before for option in options_in(rules.options) if option.name != "battles"}
    start = rules.with_options(loaded.scenario.start, options_with(loaded, unasked))
    assert start == decode_state(rules, bytes(game.start), version=game.state_version)
    resolutions = list(play_again(rules, game_data, game))
    for phase, resolution in zip(game.phases, resolutions, strict=True):
        assert digests_then(game, resolution) == (phase.state, phase.events)
    assert rules.over(resolutions[-1].state)


def test_a_game_is_kept_whose_percentages_were_of_full_formations() -> None:
    """In the large scenario of edition 3 every Allied unit began with less than 100 percent of a full formation."""
    (game,) = map(read, kept_games())
    units = (
        decode_state(read_files(game.files).rules, bytes(game.start), version=game.state_version).own["allied"].units
    )
    assert {unit.strength for unit in units.values()} == {58, 63}
    assert {unit.establishment for unit in units.values()} == {100}
