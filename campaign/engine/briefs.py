"""Battles that are fought outside, as the rest of the project knows them."""

from campaign.engine.display.views import Panel
from campaign.engine.values.ids import SideId
from campaign.engine.values.value import Value


class Fight(Value, frozen=True):
    """A battle that waits for its result."""

    key: str
    """Its name in addresses and rows: the place fought for."""
    attacker: SideId
    defender: SideId


class Brief(Value, frozen=True):
    """What one audience may know of a battle before it is fought, ready to print."""

    title: str
    """Battle of Clervaux (K16)"""
    text: str
    """Who attacks whom."""
    sections: tuple[Panel, ...]
    """What is known of both sides, in tables."""
    template: str
    """What a report of it begins with, in the players' notation."""
