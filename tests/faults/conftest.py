"""Campaigns played by a clock that a test sets."""

from tests.gm.conftest import blank_maps, time

__all__ = ["blank_maps", "time"]
