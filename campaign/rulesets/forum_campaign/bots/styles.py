"""The styles of bots: one table of weights for the same assessment and the same plans."""

from campaign.engine.values.ids import SideId
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.model.game_data import GERMAN, SIDES


class Style(Value, frozen=True, kw_only=True):
    """What a bot wants and what it avoids. Weights multiply worths in victory points; 1 is plain arithmetic."""

    name: str
    sides: tuple[SideId, ...] = SIDES
    """The sides for which it has a meaning; the others are played all-round."""
    take: float = 1.2
    """Enemy objectives within reach."""
    onward: float = 2.0
    """The way to those further off."""
    far: float = 1.0
    """Of these, the ones on the great river; all others have the rest of twice this."""
    need: float = 1.0
    """The strength that a goal draws before it draws more of it less."""
    block: float = 1.0
    """Hexes in the enemy's way to what the side holds."""
    hold: float = 0.8
    """The part of an own objective that a unit in it saves where an enemy could walk in."""
    life: float = 0.2
    """A unit as such, besides its strength: even a weak one closes roads."""
    rally: float = 0.5
    """The way to objectives that the enemy is heading for."""
    watch: float = 0.7
    """Own objectives that an enemy in sight can reach tomorrow past all who stand in its way."""
    raid: float = 0.5
    """Own objectives that an enemy out of sight might reach: some are never far behind those in sight."""
    garrison: float = 0.0
    """Own objectives, whoever may come."""
    cut: float = 1.0
    """Enemies cut off."""
    lines: float = 0.5
    """Own units that the enemy may cut off."""
    supply: float = 1.0
    """Hexes without supply, or with little."""
    caution: float = 1.0
    """Losses that an attack by the enemy may bring."""
    rest: float = 1.0
    """Worn units out of danger."""
    odds: float = 1.2
    """The least strength, relative to an enemy, with which to attack."""
    gain: float = 0.1
    """The least worth of an attack."""
    blind: bool = True
    """Whether strong units attack whatever they run into."""


ALL_ROUND = Style(name="all-round", onward=1.0, supply=0.5, odds=1.3, gain=0.2)
"""Weighs everything."""
HOME_GUARD = Style(name="home-guard", onward=0.8, block=1.5, garrison=1.6, odds=1.4, gain=0.3, blind=False)
"""Guards what it holds, as if raiders were everywhere."""
FIST = Style(
    name="fist",
    onward=1.5,
    need=4.0,
    block=0.6,
    watch=0.5,
    raid=0.0,
    rally=0.2,
    lines=0.0,
    cut=0.6,
    supply=0.5,
    odds=1.8,
)
"""Masses for few battles at high odds, with no thought of flanks and garrisons."""
CUTTER = Style(name="cutter", onward=1.0, cut=4.0, rally=0.3, watch=0.4, raid=0.2, supply=0.5, odds=1.4, gain=0.3)
"""Cuts supply before anything else."""
DASH = Style(
    name="dash",
    sides=(GERMAN,),
    onward=3.0,
    far=1.8,
    block=0.2,
    watch=0.2,
    raid=0.0,
    rally=0.1,
    lines=0.0,
    cut=0.3,
    supply=0.4,
    caution=0.5,
)
"""Runs for the great river, and leaves everything else behind."""
SITTER = Style(name="sitter", onward=1.0, garrison=3.0, rally=0.2, cut=0.3, odds=1.5, gain=0.4, blind=False)
"""Takes objectives and sits on them."""

STYLES = (ALL_ROUND, HOME_GUARD, FIST, CUTTER, DASH, SITTER)
