"""What other pages show of stories."""

from django import template
from django.template import Context

from campaign.models import Battle
from campaign.selectors import PhaseInfo
from campaign.viewers import Viewer
from stories import maps, reading
from stories.decoding import MOST_BYTES, MOST_PIXELS
from stories.models import Picture, Story
from stories.reading import OfPhase
from stories.words import LONGEST_CAPTION

register = template.Library()


@register.simple_tag(takes_context=True)
def may_write_story(context: Context) -> bool:
    """Whether the reader of a battle's page writes a story of it."""
    return reading.can_write(context["viewer"], context["battle"])


@register.simple_tag
def stories_of(viewer: Viewer, phase: PhaseInfo) -> OfPhase:
    """The stories of the battles of a published phase, for the reader of its page."""
    return reading.of_phase(viewer, phase)


@register.simple_tag
def stories_at(viewer: Viewer, no: int) -> list[Story]:
    """The stories of the phases with this number that the viewer may read."""
    return reading.stories_to_read(viewer, no)


@register.simple_tag
def map_pictures(viewer: Viewer, battle: Battle) -> tuple[Picture, ...]:
    """The pictures of the map of a battle's place, for its players and the GM."""
    return maps.pictures_of(viewer, battle)


@register.simple_tag
def map_limits() -> dict[str, int]:
    """How many pictures a battle map may have, and how large."""
    return {"pictures": maps.MOST, "bytes": MOST_BYTES // 1024 // 1024, "pixels": MOST_PIXELS // 1_000_000,
            "caption": LONGEST_CAPTION}  # fmt: skip
