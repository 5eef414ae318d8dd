"""Tags for pages: a campaign's tab, a time, the name of an audience."""

from datetime import UTC, datetime

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.models import Campaign, Phase
from campaign.services import scenario_of, title_of

register = template.Library()


@register.simple_tag(takes_context=True)
def tab(context: Context, title: str, name: str) -> SafeString:
    """A link to a page of the viewer's campaign, marked if it is the present one."""
    url = reverse(name, args=[context["viewer"].campaign.slug])
    request = context.get("request")
    if request is not None and request.path == url:
        return format_html('<a href="{}" aria-current="page">{}</a>', url, title)
    return format_html('<a href="{}">{}</a>', url, title)


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """A time by its reader's clock, with UTC where that differs."""
    if value is None:
        return "–"
    local, universal = timezone.localtime(value), value.astimezone(UTC)
    shown = f"{local:%a %-d %b %Y, %H:%M} {local:%Z}"
    in_utc = "" if local.utcoffset() == universal.utcoffset() else f" ({universal:%H:%M} UTC)"
    return format_html('<time datetime="{}">{}{}</time>', value.isoformat(), shown, in_utc)


@register.filter
def who(audience: str) -> str:
    """An audience in words: German side, GM, public."""
    return {"gm": "GM", "public": "public"}.get(audience, f"{audience.capitalize()} side")


@register.filter
def ink(side: str, campaign: Campaign) -> str:
    """The class that gives a side's name its colour: the first, second ... side of the campaign's rules."""
    sides: tuple[str, ...] = scenario_of(campaign).rules.sides
    return f"side-{sides.index(side) + 1}" if side in sides else ""


@register.filter
def titled(phase: Phase) -> str:
    """The name of a phase in players' words: German sheet, German impulse 3."""
    return title_of(phase)
