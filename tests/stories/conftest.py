"""Campaigns whose first battles wait, and what their players write of them."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.models import Artefact, Phase, PhaseState
from gm.verification import faults
from stories.models import Story
from tests.battles import KEY, Field, field
from tests.stories.hostile import photo, saved
from tests.web.conftest import ANONYMOUS, cast, draft, pages_are_read_as_they_are_seen, time

__all__ = ["cast", "draft", "field", "pages_are_read_as_they_are_seen", "time"]

TALE = "We crossed the Our at dawn. **Clervaux** held out until noon."
GERMAN, ALLIED = "german commander", "allied commander"


def file(sent: bytes | None = None, name: str = "photo.jpg", kind: str = "image/jpeg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, saved(photo(), "JPEG") if sent is None else sent, kind)


class Tales:
    """The players of the battle of K16, who write its story."""

    def __init__(self, field: Field) -> None:
        self.field, self.cast = field, field.cast
        self._browsers: dict[str, Client] = {}

    def browser(self, who: str) -> Client:
        """Where this person stays signed in."""
        if who not in self._browsers:
            self._browsers[who] = self.cast.browser(who)
        return self._browsers[who]

    @property
    def page(self) -> str:
        return self.cast.address(f"stories/{self.field.phase.no}.{self.field.phase.rev}/{KEY}/")

    @property
    def all(self) -> str:
        return self.cast.address(f"stories/{self.field.phase.no}/")

    def writes(self, who: str = GERMAN, text: str = TALE, **more: Any) -> Any:
        """The answer to a story that is saved by its page."""
        there = self.story(who)
        form = {"act": "save", "text": text, "seen": there.version if there else 0, **more}
        return self.browser(who).post(self.page, form)

    def story(self, who: str = GERMAN) -> Story | None:
        return Story.objects.filter(author__username=who).first()

    def written(self, who: str = GERMAN, **more: Any) -> Story:
        """A story that is saved."""
        assert self.writes(who, **more).status_code == 302
        story = self.story(who)
        assert story is not None
        return story

    def opens(self, readers: str, who: str = GERMAN) -> Any:
        """The GM's answer to who may read a story."""
        story = self.story(who)
        assert story is not None
        form = {"story": story.token, "seen": story.version, "readers": readers}
        return self.browser("gm").post(self.all, form)

    def publish(self) -> None:
        """Let the phase be published, with what an earlier one brought to each audience."""
        for each in Artefact.objects.filter(phase__campaign=self.cast.campaign, phase__no=0):
            each.pk, each.phase = None, self.field.phase
            each.save()
        Phase.objects.filter(pk=self.field.phase.pk).update(
            state=PhaseState.PUBLISHED, published_at=self.field.time.now
        )

    def reads(self, who: str, address: str = "") -> str:
        """A page, or its status if it is none."""
        answer = self.browser(who).get(address or self.all)
        return _TOKEN.sub("", answer.content.decode()) if answer.status_code == 200 else str(answer.status_code)

    def faults(self) -> list[str]:
        """What `verify` says of stories."""
        return [str(fault) for fault in faults(self.cast.campaign) if fault.where.startswith(("story", "telling"))]

    def public(self, rest: str = "") -> Any:
        return self.browser(ANONYMOUS).get(self.cast.address(f"public/stories/{self.field.phase.no}/{rest}"))


_TOKEN = re.compile(r"\b(?:\w{64}|[0-9a-f]{32})\b(?!\S*jpg)")
"""What every page gives its forms newly."""


@pytest.fixture
def tales(field: Field) -> Tales:
    return Tales(field)
