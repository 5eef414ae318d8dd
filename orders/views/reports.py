"""Forms next to the report of a battle, or next to the answer to one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaign.engine.values.ids import PlaceId
from campaign.fighting import fights
from campaign.models import Battle, PhaseState
from campaign.people.throttles import TYPING, may
from campaign.selectors import Knowledge, knowledge
from campaign.viewers import Viewer, viewer_of
from orders.battles import reading
from orders.forms.filling import Fillable, of_report
from orders.views import filling
from orders.views.background import unchecked
from orders.views.filling import Forms
from orders.views.safeguards import is_filled_in


@dataclass(frozen=True)
class Writing:
    """What a viewer may write about a battle now."""

    battle: Battle
    known: Knowledge
    act: str
    """Of the button that submits it."""
    field: str
    """The field of its text."""

    def fillable(self, viewer: Viewer, text: str) -> Fillable:
        """The text with the forms that fill it in, as far as its side knows."""
        known, key = self.known, self.battle.key
        if self.act == "confirm":
            kinds: Sequence[type] = reading.outside(known).replies
            before = reading.shown_orders(viewer, self.battle, known)
            return of_report(known, key, text, who=viewer.audience, kinds=kinds, before=before)
        kinds = reading.line_kinds(viewer, self.battle)
        template = reading.brief_of(viewer, known, key).template
        return of_report(known, key, text, who=viewer.audience, kinds=kinds, template=template)

    def forms(self, viewer: Viewer, text: str, troubles: Sequence[str] = ()) -> Forms:
        """The forms as the page shows them."""
        key = [viewer.campaign.slug, self.battle.key]
        shown = self.fillable(viewer, text).shown()
        return Forms(
            filling.with_maps(viewer, shown, at=[PlaceId(self.battle.key)]),
            reverse("report_forms", args=key),
            reverse("battle", args=key),
            form=f"write-{self.field}",
            into=self.field,
            button="Put into the report" if self.field == "text" else "Put into your answer",
            troubles=troubles,
        )


def writing(viewer: Viewer, battle: Battle, known: Knowledge) -> Writing | None:
    """What the viewer may write about a battle; None: nothing."""
    if battle.phase.state != PhaseState.OPEN:
        return None
    if viewer.is_gm:
        return Writing(battle, known, "decide", "text")
    if not fights(viewer, battle):
        return None
    if reading.may_confirm(viewer, battle):
        return Writing(battle, known, "confirm", "reply")
    return Writing(battle, known, "report", "text") if reading.may_report(viewer, battle) else None


@login_required
@require_POST
def forms(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The text about a battle with what was filled in, if anything, and the forms that show it. Stores nothing."""
    viewer = viewer_of(request.user, slug)
    battle = reading.battle_of(viewer, key)
    here = writing(viewer, battle, knowledge(viewer))
    if here is None:
        raise Http404
    if not may(request, TYPING):
        return unchecked(request)
    text = request.POST.get(here.field, "").replace("\r\n", "\n")
    done = filling.filled_by_script(request, here.fillable(viewer, text))
    return filling.answer(request, done.text, here.forms(viewer, done.text, done.troubles))


def filled(request: HttpRequest, viewer: Viewer, here: Writing) -> tuple[Mapping[str, str], Sequence[str]]:
    """What was sent about a battle, with what was filled in, as if its button had been pressed; and what is wrong."""
    text = request.POST.get(here.field, "").replace("\r\n", "\n")
    done = filling.filled_by(request, here.fillable(viewer, text))
    return {**request.POST.dict(), here.field: done.text, "act": here.act}, done.troubles


def lacks_what_was_filled_in(request: HttpRequest, viewer: Viewer, key: str) -> bool:
    """Whether a request about a battle has forms with something that is not in its text."""
    battle = reading.battles_of(viewer).filter(key=key).first() if is_filled_in(request) else None
    here = writing(viewer, battle, knowledge(viewer)) if battle else None
    if here is None:
        return False
    sent, troubles = filled(request, viewer, here)
    return bool(troubles) or sent[here.field] != request.POST.get(here.field, "").replace("\r\n", "\n")
