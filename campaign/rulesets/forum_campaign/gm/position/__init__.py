"""The position of a morning as a table: read for a campaign that was begun elsewhere, and written from a state."""

from campaign.engine.positions import Positions
from campaign.rulesets.forum_campaign.gm.position.reading import days, read
from campaign.rulesets.forum_campaign.gm.position.table import COLUMNS, LEFT_OUT, LINES
from campaign.rulesets.forum_campaign.gm.position.writing import write
from campaign.rulesets.forum_campaign.model.calendar import MORNING
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State

POSITIONS: Positions[GameData, State] = Positions(
    phase=MORNING.key, days=days, read=read, write=write, columns=COLUMNS, lines=LINES, left_out=LEFT_OUT
)
