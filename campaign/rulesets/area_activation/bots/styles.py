"""How bots differ: what they want, and what they risk for it."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Style:
    """The weights of a bot's plans. A victory point counts 1."""

    ground: float
    """For Germans, three borders on the way to the Meuse."""
    hold: float
    """A point that is held against the enemies who could come."""
    enemy_loss: float
    """A point of strength that the enemy loses."""
    own_loss: float
    """A point of strength that the side loses itself."""
    boldness: float
    """The worth that a plan must have: less is bolder."""
    cut: float
    """A point of the enemy's strength that is cut off from supply."""
    breaks_through: bool


SPEARHEAD = Style(
    ground=0.65,
    hold=1.3,
    enemy_loss=0.15,
    own_loss=0.10,
    boldness=0.05,
    cut=0.15,
    breaks_through=True,
)
"""Drives for the goal, whatever it costs."""
HAMMER = Style(
    ground=0.5,
    hold=0.8,
    enemy_loss=0.40,
    own_loss=0.35,
    boldness=0.25,
    cut=0.1,
    breaks_through=False,
)
"""Looks for battles that cost the enemy more than itself, and holds what it has."""
ALLROUNDER = Style(
    ground=0.45,
    hold=1,
    enemy_loss=0.30,
    own_loss=0.22,
    boldness=0.1,
    cut=0.15,
    breaks_through=True,
)
"""Weighs both, and gives way in time."""

STYLES = {"allrounder": ALLROUNDER, "spearhead": SPEARHEAD, "hammer": HAMMER}
"""The first one plays where no other is named."""
