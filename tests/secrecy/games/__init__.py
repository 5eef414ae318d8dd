"""The rulesets in which leaks are looked for. A new one is a module here, and a line below."""

from collections.abc import Mapping

from tests.secrecy.games.area_activation import AREA_ACTIVATION
from tests.secrecy.games.forum_campaign import FORUM_CAMPAIGN
from tests.secrecy.games.game import Game
from tests.secrecy.games.toy import TOY

GAMES: Mapping[str, Game] = {game.key: game for game in (FORUM_CAMPAIGN, AREA_ACTIVATION, TOY)}
"""By the ruleset's key."""
