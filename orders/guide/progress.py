"""Where somebody is in the guide through their first phase, and what it says on the page that they read.

What it says is true for its reader: each step is held against the campaign as their side knows it, and those that the
campaign or their sheet has gone past are left out.
"""

from dataclasses import dataclass

from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.safestring import SafeString, mark_safe

from campaign.engine.values.ids import SideId
from campaign.game.briefing import words_as_html
from campaign.game.guide import PARTS, Page, Step, When
from campaign.models import Membership
from campaign.services import scenario_of
from campaign.viewers import Viewer
from orders.guide.course import ROUTES, Course, Fit

FINISHED = "finished"
"""In place of a step's name: all of them are behind its reader."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a page shows of the guide."""

    step: str
    """The name of the step."""
    number: int
    of: int
    text: SafeString
    """Empty while the guide waits, and on other pages."""
    order: str
    """The line that it proposes."""
    verb: str
    unit: str
    """Of that line, as the sheet's answer names them."""
    tap: bool
    target: str
    """How scripts find what it points at; empty: nothing."""
    place: str
    """The place of the map that it points at."""
    there: str
    """The address of its page, if that is another one."""
    page: str
    """What its reader calls that page."""
    waits: str
    """What the guide waits for, in words."""
    stays: bool
    """The next step is on the same page."""
    last: bool


_PAGES = {
    Page.BRIEFING: "your briefing",
    Page.SITUATION: "the situation",
    Page.ORDERS: "your orders",
    Page.RECEIPT: "your receipt",
    Page.REPORT: "the report",
}
_WAITS = {
    When.OPEN: "your side is asked for orders",
    When.SENT: "you have submitted your orders as READY",
    When.PUBLISHED: "the result of your orders is published",
    When.AGAIN: "your side is asked for orders again",
}


def may_be_guided(viewer: Viewer) -> bool:
    """Whether there is a guide for them: for everybody who plays on a side."""
    return viewer.plays and bool(viewer.side)


def page_at(address: str) -> ResolverMatch | None:
    """The page of this site at an address; None if there is none."""
    try:
        return resolve(address.partition("?")[0])
    except Resolver404:
        return None


def shown(viewer: Viewer, address: str, *, text: str | None = None) -> Shown | None:
    """What the page at an address shows of the guide; None if the guide has ended.

    `text`: the sheet on that page, if it is another one than what was saved.
    """
    course = Course(viewer, page_at(address), text)
    found = course.find(course.at)
    if found is None:
        return None
    number, fit = found
    step, after = course.guide.steps[number], course.find(number + 1)
    here, there = fit is Fit.SHOW and course.is_at(step.page), _there(step, fit)
    order = course.proposed(step) if here else None
    part = PARTS.get(step.points_at)
    return Shown(
        step=step.name,
        number=number + 1,
        of=len(course.guide.steps),
        text=_words(viewer, step) if here else SafeString(""),
        order=step.order if here else "",
        verb=order.verb if order else "",
        unit=order.units[0] if order and order.units else "",
        tap=step.tap,
        target=part[1] if part and here else "",
        place=step.points_at if here and not part else "",
        there="" if here or course.is_at(there) else course.address(there),
        page=_PAGES[there],
        waits=_WAITS.get(step.when, "") if fit is Fit.WAIT else "",
        stays=after is not None and course.is_at(course.guide.steps[after[0]].page),
        last=after is None,
    )


def _words(viewer: Viewer, step: Step) -> SafeString:
    loaded = scenario_of(viewer.campaign)
    html = words_as_html(step.text, loaded.rules, loaded.scenario.game_data, SideId(viewer.side))
    return mark_safe(html)  # noqa: S308 - made harmless


def go_on(viewer: Viewer, step: str) -> Step | None:
    """Go to the step after one, and store that; the step that is then to be read, None at the end."""
    reader = Course(viewer, None, None)
    names = [each.name for each in reader.guide.steps]
    if step not in names:  # of a guide that is over: this form is old
        return reader.step
    found = reader.find(names.index(step) + 1)
    after = reader.guide.steps[found[0]] if found else None
    _store(viewer, guided=after is not None, step=after.name if after else FINISHED)
    return after


def begin(viewer: Viewer) -> None:
    """Show the guide, from where its reader left it; from its beginning if it has ended."""
    step = viewer.member.guide_step
    _store(viewer, guided=True, step="" if step == FINISHED else step)


def leave(viewer: Viewer) -> None:
    """Show the guide no longer; where its reader is stays stored."""
    reader = Course(viewer, None, None)
    _store(viewer, guided=False, step=reader.step.name if reader.step else FINISHED)


def address_of(viewer: Viewer, step: Step | None) -> str:
    """The page of a step; the situation if there is none now."""
    found = Course(viewer, None, None).address(step.page) if step else ""
    return found or reverse("campaign", args=[viewer.campaign.slug])


def _store(viewer: Viewer, *, guided: bool, step: str) -> None:
    Membership.objects.filter(pk=viewer.member.pk).update(guided=guided, guide_step=step)
    viewer.member.guided, viewer.member.guide_step = guided, step


def _there(step: Step, fit: Fit) -> Page:
    """Where to go: to the page of the step, or while the guide waits to where one sees how far it is."""
    if fit is not Fit.WAIT:
        return step.page
    return Page.ORDERS if step.when is When.SENT else Page.SITUATION


def context_of(viewer: Viewer, here: str, *, has_sheet: bool, text: str | None = None) -> dict[str, object]:
    """What the guide's template needs on a page: the step, or else what its button offers.

    `has_sheet`: the page has a form with a sheet, which no button of the guide may lose.
    """
    step = shown(viewer, here, text=text) if viewer.member.guided else None
    form = "sheet" if has_sheet else "guide-form"
    return {"viewer": viewer, "here": here, "form": form, "guide": step, "offer": "" if step else _offer(viewer, here)}


def _offer(viewer: Viewer, here: str) -> str:
    """The words of the button that shows the guide; empty on pages that have none."""
    match = page_at(here)
    if match is None or match.url_name not in {name for names in ROUTES.values() for name in names} - {"phase"}:
        return ""
    step = viewer.member.guide_step
    if step == FINISHED or viewer.member.guided:
        return "Show me around again" if match.url_name == "briefing" else ""
    if step:
        return "Continue the guide"
    return "Show me around" if match.url_name in ("briefing", "campaign") else ""
