"""Tags for pages of an open story: as which audience it is read."""

from django import template
from django.utils.http import urlencode

from campaign.engine.values.ids import Audience
from campaign.story import AS, story_audiences, story_is_open
from campaign.viewers import Viewer

register = template.Library()


@register.filter
def asked(reader: Viewer) -> str:
    """The end of an address that leads to the same audience's part of a story; empty for a reader's own."""
    return f"?{urlencode({AS: reader.viewing_as})}" if reader.viewing_as else ""


@register.filter
def also_asked(reader: Viewer) -> str:
    """The same after another parameter."""
    return f"&{urlencode({AS: reader.viewing_as})}" if reader.viewing_as else ""


@register.simple_tag
def open_story(viewer: Viewer) -> tuple[Audience, ...]:
    """The audiences as which a campaign's story can be read; none while it is not open."""
    return story_audiences(viewer.campaign) if story_is_open(viewer.campaign) else ()
