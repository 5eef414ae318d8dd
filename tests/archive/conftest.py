"""Campaigns with their cast."""

from tests.web.conftest import cast, pages_are_read_as_they_are_seen, time

__all__ = ["cast", "pages_are_read_as_they_are_seen", "time"]
