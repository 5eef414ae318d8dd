"""A bot's style: the numbers in which a bold and a cautious bot differ."""

from campaign.engine.values.value import Value


class Style(Value, frozen=True):
    """What a bot wants and what it avoids. Worths are roughly in victory points."""

    name: str
    odds: float
    """The strength it wants, relative to an enemy, before it attacks."""
    attacks_blindly: bool
    """Whether a unit attacks any enemy that it runs into."""
    onward: float
    """Worth of ground towards an objective."""
    hold: float
    """Worth of a unit on an objective that may be lost."""
    exposure: float
    """Cost of each enemy next to a unit that no friend next to it makes up for."""
    cut_off: float
    """Cost of a hex without supply."""
    fuel_kept: int
    """German fuel points to keep in reserve."""


BOLD = Style(
    name="bold",
    odds=1.0,
    attacks_blindly=True,
    onward=1.0,
    hold=1.5,
    exposure=0.6,
    cut_off=8.0,
    fuel_kept=0,
)
CAUTIOUS = Style(
    name="cautious",
    odds=1.1,
    attacks_blindly=False,
    onward=0.9,
    hold=1.2,
    exposure=0.7,
    cut_off=8.0,
    fuel_kept=2,
)
