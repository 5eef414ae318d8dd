"""What games between bots must show of the scenarios."""

from campaign.engine.bars import Bars
from campaign.rulesets.forum_campaign.bars.judging import judge
from campaign.rulesets.forum_campaign.bars.notes import note
from campaign.rulesets.forum_campaign.bars.trials import PLAYERS, TRIALS
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State

BARS: Bars[GameData, State] = Bars(trials=TRIALS, bots=PLAYERS, note=note, judge=judge)
