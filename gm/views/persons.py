"""The GM's page that shows a past phase as a named person could read it then."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from campaign.models import Membership, Role
from campaign.selectors import PhaseInfo, open_phase, published_phases
from campaign.viewers import Viewer, gm_viewer
from gm import selectors
from gm.desk.view_as import note_view_as, part_then
from gm.forms import ViewAsForm


@login_required
@require_safe
def person(request: HttpRequest, slug: str) -> HttpResponse:
    """The situation, the report, the map and the sheets that somebody could read when a phase was published."""
    viewer = gm_viewer(request.user, slug)
    members = {member.user.username: member for member in _members(viewer)}
    phases = {phase.no: phase for phase in published_phases(viewer)}
    form = ViewAsForm(
        request.GET or None,
        people=[(name, name) for name in members],
        phases=[(no, f"{phase.title}, {phase.moment}") for no, phase in phases.items()],
    )
    context: dict[str, Any] = {"viewer": viewer, "form": form, "person": ""}
    if form.is_bound and not form.is_valid():
        raise Http404
    if form.is_bound:
        who, phase = members[form.cleaned_data["who"]], phases[form.cleaned_data["phase"]]
        context |= {"person": who.user.username, "shown": phase, **_seen(viewer, who, phase, [*phases.values()])}
    return render(request, "gm/person.html", context)


def _members(viewer: Viewer) -> list[Membership]:
    """Everybody who plays or watches, or did: a game master reads everything anyway."""
    members = Membership.objects.filter(campaign=viewer.campaign).exclude(role=Role.GM)
    return list(members.select_related("user", "campaign").order_by("user__username"))


def _seen(viewer: Viewer, who: Membership, phase: PhaseInfo, published: list[PhaseInfo]) -> dict[str, Any]:
    part = part_then(who, phase.published_at) if phase.published_at else None
    if part is None or part.role == Role.GM:
        return {"part": part}
    note_view_as(viewer, phase.no, part.audience, who.user_id)
    html = selectors.received(viewer, phase.no, part.audience, "html").decode()
    later = next((each for each in published if each.no == phase.no + 1), None)
    return {
        "part": part,
        "then_open": later or open_phase(viewer),
        "report": mark_safe(html),  # noqa: S308 # campaign.reports escapes every text in it
        "has_map": selectors.has_received(viewer, phase.no, part.audience, "map"),
        "sheets": selectors.sheets_then(viewer, phase.no, part.side) if part.reads_sheets else None,
    }
