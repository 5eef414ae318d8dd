"""The calendar of a campaign: a page, and a secret address for calendar programs."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from campaign.core import clock
from campaign.core.ical import Event, calendar_text
from campaign.fighting import meetings_of
from campaign.people import absences, feeds
from campaign.people.throttles import FEEDS, TOKENS, WRONG_TOKENS, allows, may, too_fast
from campaign.templatetags.fieldpost import battle_named, who
from campaign.timetable import Entry, Kind, Timetable, timetable
from campaign.viewers import Viewer, viewer_of

_WORDS = {
    Kind.CLOSES: "Deadline",
    Kind.REMINDS: "Results due",
    Kind.RESUMES: "The campaign resumes",
    Kind.EXPECTED: "Expected deadline",
}


@login_required
@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """What comes next in the campaign, in the reader's time zone."""
    return _page(request, viewer_of(request.user, slug))


@login_required
@require_POST
def address(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the secret address of the viewer's calendar, which is shown this once, or end it."""
    viewer = viewer_of(request.user, slug)
    if request.POST.get("act") == "end":
        feeds.end_feed(viewer)
        messages.success(request, "The address no longer works. Calendar programs that use it get nothing more.")
        return redirect("calendar", slug)
    if not may(request, TOKENS):
        return too_fast(request, TOKENS)
    return _page(request, viewer, address=feeds.make_feed(viewer, now=clock.now()))


@require_safe
def feed(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The deadlines for a calendar program, by secret address, signed in or not.

    Wrong addresses are counted by network. A right one has a limit of its own, as calendar services share servers.
    """
    try:
        viewer = feeds.owner_of(slug, token)
    except Http404:
        if not may(request, WRONG_TOKENS):
            return too_fast(request, WRONG_TOKENS)
        raise
    if _comes_too_often(viewer):
        return too_fast(request, FEEDS)
    events = [*_events(viewer, timetable(viewer.campaign)), *_meetings(viewer)]
    text = calendar_text(viewer.campaign.title, events)
    response = HttpResponse(text.encode(), content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = f'inline; filename="{viewer.campaign.slug}.ics"'
    return response


def _comes_too_often(viewer: Viewer) -> bool:
    return not allows(FEEDS, f"feed {viewer.member.pk}", most=FEEDS.number)


def _page(request: HttpRequest, viewer: Viewer, **more: object) -> HttpResponse:
    table = timetable(viewer.campaign)
    entries = [(_WORDS[each.kind], each) for each in table.entries]
    context = {"viewer": viewer, "timetable": table, "entries": entries, "feed_since": feeds.feed_since(viewer)}
    context |= {"absences": absences.coming(viewer, clock.now()), "meetings": meetings_of(viewer), **more}
    return render(request, "campaign/calendar.html", context)


# --- for calendar programs -------------------------------------------------------------------------------------------


def _events(viewer: Viewer, table: Timetable) -> Iterator[Event]:
    """The times of a timetable as events, of which each keeps its name while it moves."""
    for entry in table.entries:
        kind = "resumes" if entry.kind is Kind.RESUMES else "deadline"
        yield Event(
            uid=f"{kind}-{entry.no}.{viewer.campaign.slug}@{_host()}",
            at=entry.at,
            summary=_summary(viewer, entry),
            description=_description(viewer, entry),
            url=f"{settings.SITE_URL}{reverse('campaign', args=[viewer.campaign.slug])}",
            tentative=entry.kind is Kind.EXPECTED,
            sequence=table.revision,
            stamp=table.phase.opens_at if table.phase else viewer.campaign.created_at,
        )


def _meetings(viewer: Viewer) -> Iterator[Event]:
    """The times at which the viewer has agreed to play a battle. Nobody else has them in their calendar."""
    for battle, meeting in meetings_of(viewer):
        if meeting.agreed is None or meeting.agreed.accepted_at is None:
            continue
        yield Event(
            uid=f"battle-{battle.phase.no}-{battle.key}.{viewer.campaign.slug}@{_host()}",
            at=meeting.agreed.begins_at,
            summary=f"{viewer.campaign.title}: {battle_named(battle.key, viewer.campaign)}",
            description="You have agreed to play the battle at this time.",
            url=f"{settings.SITE_URL}{reverse('battle', args=[viewer.campaign.slug, battle.key])}",
            tentative=False,
            sequence=meeting.changes,
            stamp=meeting.agreed.accepted_at,
        )


def _host() -> str:
    return str(settings.SITE_URL).partition("://")[2]


def _summary(viewer: Viewer, entry: Entry) -> str:
    return f"{viewer.campaign.title}: {_WORDS[entry.kind].lower()}, {entry.title}"


def _description(viewer: Viewer, entry: Entry) -> str:
    own = viewer.audience in entry.acts
    lines = [
        f"{entry.title}, {entry.moment}" if entry.moment else entry.title,
        f"Waits for: {', '.join(who(each) for each in entry.acts)}",
        *(["Your side acts in this phase."] if own and viewer.side else []),
        *(
            ["This time is not set. It assumes that no phase ends early or late."]
            if entry.kind is Kind.EXPECTED
            else []
        ),
    ]
    return "\n".join(lines)
