"""The tag for the guide, which every page of a campaign has at its top."""

from django import template
from django.template import Context

from orders.guide.progress import context_of, may_be_guided

register = template.Library()


@register.inclusion_tag("orders/_guide.html", takes_context=True)
def guide(context: Context) -> dict[str, object]:
    """The step that the reader of a page is at, or the button that shows the guide; nothing for those without one."""
    viewer, request = context.get("viewer"), context.get("request")
    if viewer is None or request is None or viewer.membership is None or not may_be_guided(viewer):
        return {}
    place = context.get("place")
    has_sheet = bool(context.get("writes") and context.get("phase") and place and place.writes)
    text = context["text"] if has_sheet else None
    return context_of(viewer, request.path, has_sheet=has_sheet, text=text)
