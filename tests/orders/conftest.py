"""Campaigns and their cast."""

from tests.battles import field, known_dice
from tests.web.conftest import cast, time

__all__ = ["cast", "field", "known_dice", "time"]
