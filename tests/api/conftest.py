"""Campaigns and their cast."""

from tests.battles import field
from tests.web.battles.test_resolver import choice
from tests.web.conftest import cast, draft, time
from tests.web.desk.test_judging import noted

__all__ = ["cast", "choice", "draft", "field", "noted", "time"]
