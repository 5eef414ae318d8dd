"""Campaigns with their cast, whose players ask and whose game master answers."""

import re
from typing import Any

import pytest
from django.test import Client

from campaign.viewers import viewer_of
from questions.models import Question
from questions.writing import Written, answer, ask, state_of
from tests.gm.campaigns import Clock
from tests.web.conftest import Cast, cast, draft, pages_are_read_as_they_are_seen, time

__all__ = ["cast", "draft", "pages_are_read_as_they_are_seen", "time"]

_TOKEN = re.compile(r'\b\w{64}\b|name="key" value="\w+"')
"""What every page gives its forms newly."""
QUESTION = "May 12 SS cross the river at Q19 tonight?"
NEUTRAL = "May a unit cross a river without a bridge?"
RULING = "It may, and it stops there."


class Round:
    """Questions and answers of a campaign."""

    def __init__(self, cast: Cast, time: Clock) -> None:
        self.cast, self.time = cast, time
        self._browsers: dict[str, Client] = {}

    def browser(self, who: str) -> Client:
        """Where this person stays signed in."""
        if who not in self._browsers:
            self._browsers[who] = self.cast.browser(who)
        return self._browsers[who]

    def asks(self, who: str = "german staff", text: str = QUESTION, rule: str = "R4.2", line: str = "") -> Question:
        viewer = viewer_of(self.cast.user(who), self.cast.campaign.slug)
        return ask(viewer, text, rule=rule, line=line, now=self.time.now)

    def answers(self, question: Question, reach: str = "asker", text: str = RULING, **more: str) -> None:
        """An answer of the game master, who has seen what everybody would read."""
        gm = viewer_of(self.cast.user("gm"), self.cast.campaign.slug)
        written = Written(**{"reach": reach, "rule": question.rule, "asked": NEUTRAL, "text": text, **more})
        answer(gm, question, written, seen=state_of(gm, question), shown=written.mark, now=self.time.now)

    def posts(self, who: str, text: str = QUESTION, **more: str) -> Any:
        """The answer to the form for a question."""
        return self.browser(who).post(self.cast.address("questions/"), {"act": "ask", "text": text, **more})

    def presses(self, question: Question, act: str, who: str = "gm", **form: str) -> Any:
        """The answer to a button on the game master's page of a question."""
        gm = viewer_of(self.cast.user("gm"), self.cast.campaign.slug)
        whole = {"act": act, "seen": state_of(gm, question), "rule": question.rule, "asked": "", "text": RULING, **form}
        return self.browser(who).post(self.page(question), whole)

    def page(self, question: Question) -> str:
        return self.cast.address(f"questions/{question.side}/{question.no}/")

    def reads(self, who: str, rest: str = "questions/") -> str:
        """A page, or its status if it is none."""
        answer = self.browser(who).get(self.cast.address(rest))
        return _TOKEN.sub("", answer.content.decode()) if answer.status_code == 200 else str(answer.status_code)


@pytest.fixture
def round_(cast: Cast, time: Clock) -> Round:
    return Round(cast, time)
