"""Forms next to a text: as pages show them, and the answer to what a script sends of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaign.engine.values.ids import PlaceId
from campaign.maps.vector import Target, has_board
from campaign.people.throttles import TYPING, may
from campaign.selectors import Knowledge, PhaseInfo, knowledge, newest_phase, open_phase, view
from campaign.services import base_map_of
from campaign.viewers import Viewer, viewer_of
from campaign.views.maps.board import drawn_cutout
from orders import services
from orders.desks import Place, place
from orders.forms.filling import Fillable, FilledIn, ShownBlank, ShownForm, ShownRow, fill_in
from orders.views.background import unchecked
from orders.views.safeguards import WAS, sheet_text


@dataclass(frozen=True)
class Forms:
    """The forms of a text on its page."""

    forms: Sequence[ShownForm]
    address: str
    """Where a script sends them."""
    page: str
    """Where a button sends them."""
    form: str
    """The id of the form that they are part of."""
    into: str
    """The id of the field with the text."""
    button: str
    troubles: Iterable[str] = ()


def filled_by(request: HttpRequest, fillable: Fillable) -> FilledIn:
    """The text with all forms that were sent, so that no button loses what was filled in."""
    keys = [name.removeprefix(WAS) for name in request.POST if name.startswith(WAS)]
    return fill_in(fillable, keys, request.POST.dict())


def filled_by_script(request: HttpRequest, fillable: Fillable) -> FilledIn:
    """The text with the one form that a script sends, if it sends one."""
    key = request.POST.get("fill")
    return fill_in(fillable, [] if key is None else [key], request.POST.dict())


def answer(request: HttpRequest, text: str, forms: Forms) -> HttpResponse:
    """What a script gets: the text, and the forms anew."""
    return JsonResponse(
        {"text": text, "forms": render_to_string("orders/forms/_forms.html", {"fillable": forms}, request)}
    )


def with_maps(viewer: Viewer, forms: Sequence[ShownForm], *, at: Sequence[PlaceId] = ()) -> list[ShownForm]:
    """The same with the part of the viewer's newest map on which places are chosen, around these and their choices."""
    if not any(_is_on_map(blank) for form in forms for row in form.rows for blank in row.blanks):
        return list(forms)
    newest = newest_phase(viewer)
    if newest is None or not has_board(base_map_of(viewer.campaign)):
        return list(forms)
    seen = view(viewer, newest.no)

    def drawn(blank: ShownBlank) -> ShownBlank:
        if not _is_on_map(blank):
            return blank
        targets = [Target(each.place, each.id, chosen=each.chosen) for each in blank.options if each.place]
        places = [*at, *(target.place for target in targets)]
        return replace(blank, map=drawn_cutout(viewer, newest, seen, places, targets))

    def row_of(row: ShownRow) -> ShownRow:
        return replace(row, blanks=tuple(map(drawn, row.blanks)))

    return [replace(form, rows=tuple(map(row_of, form.rows))) for form in forms]


def _is_on_map(blank: ShownBlank) -> bool:
    return blank.blank.on_map and blank.blank.spread


# --- sheets -----------------------------------------------------------------------------------------------------------


@login_required
@require_POST
def forms(request: HttpRequest, slug: str, desk: str) -> HttpResponse:
    """A desk's sheet with what was filled in, if anything, and the forms that show it. Stores nothing."""
    viewer = viewer_of(request.user, slug)
    here = place(viewer, desk)
    phase = open_phase(viewer)
    if phase is None or not here.writes:
        raise Http404
    if not may(request, TYPING):
        return unchecked(request)
    known, text = knowledge(viewer), sheet_text(request)
    done = filled_by_script(request, services.fillable(viewer, phase, here, text, known=known))
    return answer(request, done.text, sheet_forms(viewer, phase, here, done.text, known=known, troubles=done.troubles))


def sheet_forms(
    viewer: Viewer, phase: PhaseInfo, here: Place, text: str, *, known: Knowledge, troubles: Sequence[str] = ()
) -> Forms:
    """The forms of a desk's sheet."""
    shown = services.fillable(viewer, phase, here, text, known=known).shown()
    desk = [viewer.campaign.slug, here.name]
    return Forms(
        with_maps(viewer, shown),
        reverse("sheet_forms", args=desk),
        reverse("sheet", args=desk),
        form="sheet",
        into="text",
        button="Put into the sheet",
        troubles=troubles,
    )
