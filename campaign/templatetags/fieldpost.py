"""Tags for pages: a campaign's tab, a time, the name of an audience."""

from datetime import UTC, datetime, timedelta
from math import ceil

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign import briefings, services, statistics
from campaign.core import clock
from campaign.engine.values.ids import SideId
from campaign.models import Campaign, Phase
from campaign.services import base_map_of, battle_title, scenario_of, title_of
from campaign.viewers import Viewer

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
    return _time(value, _in_utc(value))


@register.filter
def deadline(value: datetime) -> SafeString:
    """A deadline by its reader's clock, with what is left: Tue 3 Mar 2026, 13:00 CET (12:00 UTC, in 1 day 4 h)."""
    away = value - clock.now()
    left = f"in {duration(away)}" if away > timedelta() else f"{duration(-away)} ago"
    return _time(value, [*_in_utc(value), left])


@register.filter
def effect(value: datetime) -> SafeString:
    """When something that can be cancelled takes effect, or took it: at 13:01:05 CET (in 45 s)."""
    local, left = timezone.localtime(value), ceil((value - clock.now()).total_seconds())
    when = "takes effect at" if left > 0 else "in effect since"
    shown = f"{local:%H:%M:%S} {local:%Z}{f' (in {left} s)' if left > 0 else ''}"
    return format_html('{} <time datetime="{}">{}</time>', when, value.isoformat(), shown)


@register.filter
def left_until(value: datetime) -> str:
    """What is left until a deadline: 1 day 4 h; of one that has passed, less than a minute."""
    return duration(max(value - clock.now(), timedelta()))


@register.filter
def duration(length: timedelta) -> str:
    """A length of time to the minute, in days and hours or in hours and minutes: 1 day 4 h, 3 h 20 min."""
    minutes = int(length.total_seconds()) // 60
    days, hours = minutes // (24 * 60), minutes // 60 % 24
    units = [(days, "day" if days == 1 else "days"), (hours, "h"), (0 if days else minutes % 60, "min")]
    return " ".join(f"{count} {unit}" for count, unit in units if count > 0) or "less than a minute"


def _time(value: datetime, notes: list[str]) -> SafeString:
    local = timezone.localtime(value)
    in_brackets = f" ({', '.join(notes)})" if notes else ""
    shown = f"{local:%a %-d %b %Y, %H:%M} {local:%Z}{in_brackets}"
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), shown)


def _in_utc(value: datetime) -> list[str]:
    """The same time in UTC, if the reader's clock differs."""
    local, universal = timezone.localtime(value), value.astimezone(UTC)
    return [] if local.utcoffset() == universal.utcoffset() else [f"{universal:%H:%M} UTC"]


@register.filter
def who(audience: str) -> str:
    """An audience in words: German side, GM, public."""
    return {"gm": "GM", "public": "public"}.get(audience, f"{audience.capitalize()} side")


@register.filter
def battle_named(key: str, campaign: Campaign) -> str:
    """A battle in running text: battle of Clervaux (K16), battle near St. Vith (O18)."""
    title = battle_title(campaign, key)
    return title[:1].lower() + title[1:]


@register.filter
def people(audience: str, campaign: Campaign) -> str:
    """An audience in running text: the Germans, the GM, the public."""
    return dict(base_map_of(campaign).signs.people).get(SideId(audience)) or f"the {who(audience)}"


@register.filter
def ink(side: str, campaign: Campaign) -> str:
    """The class that gives a side's name its colour: the first, second ... side of the campaign's rules."""
    sides: tuple[str, ...] = scenario_of(campaign).rules.sides
    return f"side-{sides.index(side) + 1}" if side in sides else ""


@register.filter
def is_briefed(viewer: Viewer) -> bool:
    """Whether a page with briefings waits for them."""
    return briefings.is_briefed(viewer)


@register.filter
def fights_outside(campaign: Campaign) -> bool:
    """Whether the campaign has battles that are fought outside."""
    return services.fights_outside(campaign)


@register.filter
def reads_statistics(viewer: Viewer) -> bool:
    """Whether they may read the campaign's statistics."""
    return statistics.may_read(viewer)


@register.filter
def titled(phase: Phase) -> str:
    """The name of a phase in players' words: German sheet, German impulse 3."""
    return title_of(phase)
