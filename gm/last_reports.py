"""What every audience has read since its last report, so that a new one repeats nothing."""

from collections import defaultdict

from campaign.engine.display.views import View
from campaign.engine.phases import Weight
from campaign.engine.values.ids import Audience
from campaign.game.store import decode_view
from campaign.handling import as_heavy
from campaign.models import Artefact, Phase, PhaseState


def views_before(phase: Phase, weight: Weight) -> dict[Audience, list[View]]:
    """The View of each audience's last report before a phase of this weight, then those of lighter phases since.

    The last report is that of the last published phase of at least this weight. Without one, an audience has no entry.
    """
    published = phase.campaign.phases.filter(state=PhaseState.PUBLISHED, no__lt=phase.no)
    heavy = published.filter(weight__in=[each.value for each in as_heavy(weight)]).order_by("-no")
    last = heavy.values_list("no", flat=True).first()
    views: dict[Audience, list[View]] = defaultdict(list)
    if last is not None:
        found = Artefact.objects.filter(phase__in=published.filter(no__gte=last), kind="view").order_by("phase__no")
        for audience, content in found.values_list("audience", "content"):
            views[Audience(audience)].append(decode_view(bytes(content)))
    return dict(views)
