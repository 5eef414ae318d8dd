"""What other pages show of staff rooms."""

from dataclasses import dataclass

from django import template
from django.template import Context

from campaign.engine.values.ids import PlaceId
from campaign.maps.place_descriptions import key_of
from campaign.selectors import open_phase
from campaign.viewers import Viewer
from staff import rooms
from staff.models import Comment
from staff.rooms import PageComments

register = template.Library()


@register.filter
def has_staff_room(viewer: Viewer) -> bool:
    """Whether they read and write comments of their side."""
    return rooms.is_staff(viewer)


@register.filter
def on_board(comment: Comment) -> str:
    """The part of a board's address that leads to a comment's place."""
    return f"at-{key_of(PlaceId(comment.place))}"


@dataclass(frozen=True)
class News:
    """What the situation says of staff rooms."""

    unread: int
    """Comments in the viewer's own room."""
    opened: tuple[str, ...]
    """Other sides whose rooms everybody may read."""


@register.simple_tag
def news_of_staff(viewer: Viewer) -> News:
    """What is new for a viewer, or open to them."""
    own = viewer.side if rooms.is_staff(viewer) else ""
    unread = rooms.unread(viewer).count() if own else 0
    opened = () if viewer.is_gm else tuple(side for side in rooms.opened_sides(viewer) if side != own)
    return News(unread, opened)


@register.simple_tag(takes_context=True)
def comments_on_sheet(context: Context) -> PageComments | None:
    """The comments next to the sheet of a page."""
    return rooms.sheet_comments(context["viewer"], context["phase"], context["place"].name, context.get("newest"))


@register.simple_tag(takes_context=True)
def comments_on_board(context: Context) -> PageComments | None:
    """The comments next to the board of a page."""
    viewer: Viewer = context["viewer"]
    live = open_phase(viewer) if rooms.is_staff(viewer) else None
    return rooms.board_comments(viewer, context["newest"], live)
