"""Who may read and write stories.

A story is its author's and the GM's. Once the GM has said who else may read it, these do while its phase is published.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404

from campaign.engine.values.ids import GM
from campaign.fighting import fights
from campaign.models import Battle, PhaseState, User
from campaign.selectors import PhaseInfo
from campaign.viewers import Viewer
from stories.models import Picture, Story, Telling


def can_write(viewer: Viewer, battle: Battle) -> bool:
    """Whether the viewer writes a story of this battle: they fight it, or have written one."""
    if viewer.campaign.practice or viewer.membership is None or viewer.is_gm:
        return False
    return fights(viewer, battle) or own_stories(viewer).filter(battle=battle).exists()


def battle_to_write(viewer: Viewer, no: int, rev: int, key: str) -> Battle:
    """A battle of which the viewer writes a story; Http404 alike if it is not theirs and if there is none."""
    found = _battles(viewer).filter(phase__no=no, phase__rev=rev, key=key).first()
    if found is None or not can_write(viewer, found):
        raise Http404
    return found


def own_story(viewer: Viewer, battle: Battle) -> Story | None:
    """What the viewer has written of a battle."""
    return own_stories(viewer).filter(battle=battle).first()


def own_stories(viewer: Viewer) -> QuerySet[Story]:
    """All stories that the viewer has written in the campaign."""
    return Story.objects.for_viewer(viewer).select_related("battle__phase")


def battles_fought(viewer: Viewer, phase: PhaseInfo) -> list[Battle]:
    """The battles of a phase of which the viewer writes stories."""
    if viewer.campaign.practice or not viewer.plays:
        return []
    return [battle for battle in _battles(viewer).filter(phase=phase.phase_id) if can_write(viewer, battle)]


def _battles(viewer: Viewer) -> QuerySet[Battle]:
    found = Battle.objects.filter(phase__campaign=viewer.campaign)
    return found.select_related("phase", "attacking_player", "defending_player").order_by("key")


# --- what others have written ----------------------------------------------------------------------------------------


def stories_to_read(viewer: Viewer, no: int) -> list[Story]:
    """The stories of the phases with this number that the viewer may read, by battle; the GM all."""
    tellings = Telling.objects.for_viewer(viewer).filter(story__battle__phase__no=no)
    if viewer.audience == GM:
        tellings = tellings.filter(audience=GM)
    else:
        tellings = tellings.filter(story__battle__phase__state=PhaseState.PUBLISHED)
    tellings = tellings.select_related("story__author", "story__battle__phase")
    stories = {telling.story.pk: telling.story for telling in tellings}
    return sorted(stories.values(), key=_place)


def _place(story: Story) -> tuple[int, str, str, str]:
    """Where a story stands among those of its phase."""
    author = story.author.username if story.author else ""
    return -story.battle.phase.rev, story.battle.key, story.side, author


def story_named(viewer: Viewer, token: str) -> Story:
    """A story for the GM, by its token; Http404 if there is none."""
    tellings = Telling.objects.for_viewer(viewer).filter(audience=GM, story__token=token)
    telling = tellings.select_related("story__battle__phase").first()
    if telling is None:
        raise Http404
    return telling.story


def picture_to_read(viewer: Viewer, no: int, token: str) -> Picture:
    """A picture of a story that the viewer may read; Http404 alike if it is for others and if there is none."""
    found = (picture for story in _with_pictures(viewer, no) for picture in story.pictures if picture.token == token)
    picture = next(found, None)
    if picture is None:
        raise Http404
    return picture


def _with_pictures(viewer: Viewer, no: int) -> Iterator[Story]:
    if isinstance(viewer.user, User) and viewer.membership is not None:
        yield from own_stories(viewer).filter(battle__phase__no=no)
    yield from stories_to_read(viewer, no)


@dataclass(frozen=True)
class OfPhase:
    """What the page of a phase says of its stories."""

    readable: int
    """How many its reader may read."""
    fought: tuple[Battle, ...]
    """The battles of which its reader writes stories."""


def of_phase(viewer: Viewer, phase: PhaseInfo) -> OfPhase:
    """The stories of a published phase, for the reader of its page."""
    return OfPhase(len(stories_to_read(viewer, phase.no)), tuple(battles_fought(viewer, phase)))
