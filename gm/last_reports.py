"""What every audience was shown with its last report, so that a new one repeats nothing."""

from campaign.engine.display.views import View
from campaign.engine.phases import Weight
from campaign.engine.values.ids import Audience
from campaign.game.store import decode_view
from campaign.handling import as_heavy
from campaign.models import Artefact, Phase, PhaseState


def views_before(phase: Phase, weight: Weight) -> dict[Audience, View]:
    """The View of each audience's last report before a phase of this weight; empty for the first report.

    That is the last published phase of at least this weight, because a report gathers lighter phases.
    """
    earlier = phase.campaign.phases.filter(
        state=PhaseState.PUBLISHED, no__lt=phase.no, weight__in=[each.value for each in as_heavy(weight)]
    )
    newest = earlier.order_by("-no").values_list("pk", flat=True).first()
    views = Artefact.objects.filter(phase=newest, kind="view").values_list("audience", "content")
    return {Audience(audience): decode_view(bytes(content)) for audience, content in views}
