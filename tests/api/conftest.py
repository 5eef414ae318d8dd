"""Campaigns and their cast."""

from tests.battles import field
from tests.web.conftest import cast, time

__all__ = ["cast", "field", "time"]
