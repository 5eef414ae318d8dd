"""Campaigns with their cast, and what its staff says."""

import re
from typing import Any

import pytest
from django.test import Client

from campaign.models import Phase
from campaign.selectors import open_phase
from campaign.viewers import viewer_of
from staff.models import Comment
from staff.writing import About, write
from tests.gm.campaigns import Clock
from tests.web.conftest import Cast, cast, draft, pages_are_read_as_they_are_seen, time

__all__ = ["cast", "draft", "pages_are_read_as_they_are_seen", "time"]

_TOKEN = re.compile(r"\b\w{64}\b")
"""What every page gives its forms newly."""
PLAN = "Draw them south, then go for Clervaux."


class Talk:
    """The staffs of a campaign, who comment on their plans."""

    def __init__(self, cast: Cast, time: Clock) -> None:
        self.cast, self.time = cast, time
        self._browsers: dict[str, Client] = {}

    def browser(self, who: str) -> Client:
        """Where this person stays signed in."""
        return self._browsers[who] if who in self._browsers else self._signed_in(who)

    def _signed_in(self, who: str) -> Client:
        self._browsers[who] = self.cast.browser(who)
        return self._browsers[who]

    def says(self, who: str = "german commander", text: str = PLAN, **about: Any) -> Comment:
        """A comment on the live phase."""
        viewer = viewer_of(self.cast.user(who), self.cast.campaign.slug)
        phase = open_phase(viewer)
        assert phase is not None
        return write(viewer, phase, text, About(**about), now=self.time.now)

    def posts(self, who: str, text: str = PLAN, **more: object) -> Any:
        """The answer to a comment on the live phase, sent by its form."""
        phase = Phase.objects.filter(campaign=self.cast.campaign).latest("no", "rev")
        form = {"act": "write", "phase": f"{phase.no}.{phase.rev}", "text": text, **more}
        return self.browser(who).post(self.cast.address("staff/"), form)

    def presses(self, who: str, act: str, comment: Comment | None = None) -> Any:
        form = {"act": act, "comment": comment.mark if comment else ""}
        return self.browser(who).post(self.cast.address("staff/"), form)

    def reads(self, who: str, rest: str = "staff/") -> str:
        """A page, or its status if it is none."""
        answer = self.browser(who).get(self.cast.address(rest))
        return _TOKEN.sub("", answer.content.decode()) if answer.status_code == 200 else str(answer.status_code)


@pytest.fixture
def talk(cast: Cast, time: Clock) -> Talk:
    return Talk(cast, time)
