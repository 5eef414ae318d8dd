"""The GM says who may read a story, and may say otherwise later. It is read from its phase's publication on."""

from collections.abc import Collection

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.values.ids import PUBLIC
from campaign.people.memberships import locked_member
from campaign.record import audit
from campaign.services import scenario_of
from campaign.viewers import Viewer
from orders.battles.reporting import subject_of
from stories.models import Readers, Story
from stories.reading import story_named
from stories.receiving import Refused
from stories.writing import Changed, tell, tellings_of

CHOOSE = "story readers"
"""The act on the record."""


def choose(viewer: Viewer, token: str, readers: str, *, seen: int) -> Story:
    """Let these read a story, in the version that the GM has seen. Raises Refused; Http404 if there is no story."""
    if readers not in Readers.values:
        raise Refused("Choose who may read the story.")
    with transaction.atomic(durable=True):
        gm = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
        story = story_named(gm, token)
        if story.version != seen:
            raise Changed("Not changed: its author has changed the story since you read it. Read it again below.")
        if story.readers == readers:
            return story
        story.readers, story.told_at = readers, clock.now()
        story.save(update_fields=["readers", "told_at"])
        gone = tell(story, _audiences(gm, story))
        subject = {**subject_of(story.battle), "side": story.side, "story": token, "readers": readers}
        subject["by"] = gm.person.pk
        audit.record(gm.campaign, CHOOSE, subject, at=story.told_at, rows=[story, *tellings_of(story)], gone=gone)
        fp("telling.before_commit")
    return story


def _audiences(viewer: Viewer, story: Story) -> Collection[str]:
    return {
        Readers.NOBODY: (),
        Readers.SIDE: (story.side,),
        Readers.SIDES: tuple(scenario_of(viewer.campaign).rules.sides),
        Readers.EVERYONE: (PUBLIC,),
    }[Readers(story.readers)]
