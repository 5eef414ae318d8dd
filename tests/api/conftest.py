"""Campaigns and their cast."""

from tests.battles import field
from tests.web.conftest import cast, draft, time
from tests.web.test_judging import noted
from tests.web.test_resolver import choice

__all__ = ["cast", "choice", "draft", "field", "noted", "time"]
