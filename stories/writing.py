"""Writing a story: its author changes text, captions and pictures, and removes them, until the campaign is closed.

A change shuts a story that others could read, until the GM says again who may.
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import IO

from django.db import transaction
from django.http import Http404

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.values.ids import GM
from campaign.engine.values.value import replace
from campaign.models import Battle, Closing
from campaign.people.memberships import locked_member
from campaign.record import audit
from campaign.viewers import Viewer
from orders.intake import storable
from stories import words
from stories.models import Picture, Story, Telling
from stories.reading import battle_to_write, own_story
from stories.receiving import Refused, received

MOST_PICTURES = 10
"""Of a story."""
WRITE, REMOVE = "story", "story removed"
"""The acts of authors on the record."""


class Changed(Refused):
    """The story was changed from another page meanwhile."""

    status = 409


class Closed(Refused):
    """The campaign is closed."""

    status = 409


@dataclass(frozen=True, kw_only=True)
class Which:
    """A battle, by its phase and key."""

    no: int
    rev: int
    key: str


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What an author has typed and chosen."""

    text: str
    captions: Mapping[str, str]
    """Of pictures that are there, by token."""
    removed: Collection[str]
    """The tokens of pictures that go."""
    caption: str = ""
    """Of the new picture."""
    picture: IO[bytes] | None = None
    seen: int = 0
    """The version that the author saw; 0: none."""


def save(viewer: Viewer, which: Which, draft: Draft) -> Story:
    """The story as its author wants it; raises Refused, and Http404 if they fight no such battle."""
    battle_to_write(viewer, which.no, which.rev, which.key)
    draft = _checked(draft)
    if draft.picture is None:
        return _save(viewer, which, draft, None)
    with received(draft.picture, caption=draft.caption) as picture:
        return _save(viewer, which, draft, picture)


def remove(viewer: Viewer, which: Which) -> None:
    """Remove the viewer's story with its pictures; Http404 if they have none."""
    with transaction.atomic(durable=True):
        author, battle, now = _present(viewer, which)
        story = own_story(author, battle)
        if story is None:
            raise Http404
        _require_open(author)
        subject = _subject(author, story)
        gone = [story, *tellings_of(story)]
        audit.record(author.campaign, REMOVE, subject, at=now, gone=gone)
        Story.objects.for_viewer(author).filter(pk=story.pk).delete()
        fp("story.before_commit")


def _checked(draft: Draft) -> Draft:
    try:
        return Draft(
            text=words.checked(storable(draft.text)),
            captions={token: words.checked_caption(storable(said)) for token, said in draft.captions.items()},
            removed=frozenset(draft.removed),
            caption=words.checked_caption(storable(draft.caption)),
            picture=draft.picture,
            seen=draft.seen,
        )
    except words.Unreadable as fault:
        raise Refused(f"Not saved. {fault}") from fault


def _save(viewer: Viewer, which: Which, draft: Draft, new: Picture | None) -> Story:
    with transaction.atomic(durable=True):
        author, battle, now = _present(viewer, which)
        _require_open(author)
        known = own_story(author, battle)
        story = known or Story(battle=battle, side=author.side, author=author.person, token=secrets.token_hex(16))
        wanted = _with(story.pictures, draft, new)
        if known is not None and (known.text, known.pictures) == (draft.text, wanted):
            return known
        if draft.seen != (known.version if known else 0):
            raise Changed(
                "Not saved: you changed or removed this story on another page after you opened this one. What is saved"
                " now is shown below your text. Put together what you want, then save again."
            )
        _require_content(draft, wanted)
        gone = _store(story, draft.text, wanted, now=now)
        rows = [story, *tellings_of(story)]
        audit.record(author.campaign, WRITE, _subject(author, story), at=now, rows=rows, gone=gone)
        fp("story.before_commit")
    fp("story.after_commit")
    return story


def _present(viewer: Viewer, which: Which) -> tuple[Viewer, Battle, datetime]:
    """The author as they are now, and the battle; Http404 if they have left. Acts of the campaign wait meanwhile."""
    now = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
    return now, battle_to_write(now, which.no, which.rev, which.key), clock.now()


def _require_open(viewer: Viewer) -> None:
    if Closing.objects.filter(campaign=viewer.campaign).exists():
        raise Closed("Not saved: the campaign is closed, and its stories stay as they are.")


def _require_content(draft: Draft, wanted: tuple[Picture, ...]) -> None:
    if not draft.text and not wanted:
        raise Refused("Not saved: the story has no words and no picture. Write some, or add a picture.")
    if len(wanted) > MOST_PICTURES:
        raise Refused(
            f"The picture was not added, and nothing else was saved. A story has at most {MOST_PICTURES} pictures."
            " Remove one first."
        )


def _with(there: tuple[Picture, ...], draft: Draft, new: Picture | None) -> tuple[Picture, ...]:
    """The pictures as the author wants them. The same picture is added only once."""
    kept = [
        replace(picture, caption=draft.captions.get(picture.token, picture.caption))
        for picture in there
        if picture.token not in draft.removed
    ]
    is_new = new is not None and new.digest not in [picture.digest for picture in kept]
    return (*kept, new) if new is not None and is_new else tuple(kept)


def _store(story: Story, text: str, wanted: tuple[Picture, ...], *, now: datetime) -> list[Telling]:
    """Write the rows; returns those that are gone, as nobody but the author and the GM reads what the GM has not."""
    if story.pk is not None:
        story.version += 1
    story.text, story.pictures, story.written_at = text, wanted, now
    story.readers, story.told_at = "", None
    story.save()
    return tell(story, [])


def tell(story: Story, audiences: Collection[str]) -> list[Telling]:
    """Let the GM and these audiences read a story, and nobody else; returns the rows that are gone."""
    with_gm, there = {GM, *audiences}, tellings_of(story)
    gone = [telling for telling in there if telling.audience not in with_gm]
    for telling in gone:
        telling.delete()
    for audience in sorted(with_gm - {telling.audience for telling in there}):
        Telling.objects.create(story=story, audience=audience)
    return gone


def tellings_of(story: Story) -> list[Telling]:
    """Who may read a story: for acts on it by anyone."""
    return list(Telling.objects.filter(story=story).order_by("audience"))


def _subject(author: Viewer, story: Story) -> dict[str, str | int]:
    phase = story.battle.phase
    return {"phase": phase.no, "rev": phase.rev, "battle": story.battle.key, "story": story.token,
            "by": author.person.pk}  # fmt: skip
