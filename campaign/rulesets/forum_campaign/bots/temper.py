"""How a bot is minded: the numbers in which a bold and a cautious one differ."""

from campaign.engine.values import Value


class Temper(Value, frozen=True):
    """What a bot wants and what it shuns. Worths are in victory points, near enough."""

    name: str
    odds: float
    """Strength it wants against an enemy before it attacks him."""
    attacks_blindly: bool
    """Whether a unit that runs into somebody attacks without knowing whom."""
    onward: float
    """How much ground towards an objective is worth."""
    hold: float
    """How much standing on an objective that may be lost is worth."""
    exposure: float
    """What each enemy next to a unit costs it that no friend beside it makes up for."""
    cut_off: float
    """What a hex without supply costs."""
    fuel_kept: int
    """German fuel points it does not spend."""


BOLD = Temper(
    name="bold",
    odds=1.0,
    attacks_blindly=True,
    onward=1.0,
    hold=1.5,
    exposure=0.6,
    cut_off=8.0,
    fuel_kept=0,
)
CAUTIOUS = Temper(
    name="cautious",
    odds=1.1,
    attacks_blindly=False,
    onward=0.9,
    hold=1.2,
    exposure=0.7,
    cut_off=8.0,
    fuel_kept=2,
)
