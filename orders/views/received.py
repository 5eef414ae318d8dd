"""What the page of a version shows: what changed, and while its phase is open how we read it and what comes next."""

import secrets
from typing import Any

from django.http import Http404, HttpRequest

from campaign.selectors import PhaseInfo
from campaign.viewers import Viewer
from orders import services
from orders.desks import Place
from orders.models import Sheet
from orders.selectors import newest_version, unready_desks
from orders.writing.annotated import annotated
from orders.writing.differences import differences


def while_open(viewer: Viewer, phase: PhaseInfo, here: Place, sheet: Sheet) -> dict[str, Any]:
    """How a version is read now, and for whom the phase still waits, as far as the viewer may know."""
    context: dict[str, Any] = {
        "phase": phase,
        "newest": newest_version(viewer, phase, here),
        "unready": unready_desks(viewer, phase),
        "other_sides": [side for side in phase.acts if side != here.side],
        "acts": here.side in phase.acts,
        "place": here,
        "key": secrets.token_hex(16),
    }
    if sheet.text:
        answer = services.answered(viewer, phase, here, sheet.text)
        context |= {"answer": answer, "annotated": annotated(sheet.text, answer)}
    return context


def compared(request: HttpRequest, viewer: Viewer, sheet: Sheet) -> dict[str, Any]:
    """What changed since another version of the sheet: the one before it, or the one that `?against` names.

    Empty if it is the only one; Http404 for a version that does not exist.
    """
    same = Sheet.objects.for_viewer(viewer).filter(phase=sheet.phase, side=sheet.side, desk=sheet.desk)
    others = same.exclude(version=sheet.version).order_by("version")
    numbers = list(others.values_list("version", flat=True))
    if not numbers:
        return {}
    asked = request.GET.get("against")
    before = max((number for number in numbers if number < sheet.version), default=numbers[0])
    against = before if asked is None else next((number for number in numbers if str(number) == asked), None)
    if against is None:
        raise Http404
    text = others.get(version=against).text
    return {"against": against, "other_versions": numbers, "changes": differences(text, sheet.text), "compares": asked}
