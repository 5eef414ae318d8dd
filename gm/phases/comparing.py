"""How a draft differs from the one before, for the GM: kept for as long as the draft waits."""

from collections.abc import Iterable, Mapping, Sequence

from campaign.engine.display.views import View
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import decode, encode
from campaign.game.store import decode_view
from campaign.maps.differences import VERSION, Differences, differences
from campaign.models import Phase
from campaign.services import base_map_of
from gm.models import DraftDifferences


def views_of_draft(phase: Phase) -> dict[Audience, View]:
    """What each audience would receive of a phase's newest draft; empty before the first."""
    found = phase.all_artefacts.filter(kind="view").order_by("pk").values_list("audience", "content")
    return {Audience(audience): decode_view(bytes(content)) for audience, content in found}


def compared(phase: Phase, before: Mapping[Audience, View], after: Iterable[View]) -> tuple[Differences, ...]:
    """What changed for each audience between a draft and another result of the same phase."""
    base = base_map_of(phase.campaign)
    return tuple(differences(base, before[view.audience], view) for view in after if view.audience in before)


def keep_differences(phase: Phase, found: Sequence[Differences]) -> None:
    """Store how a draft differs from the one before, within the transaction that files it."""
    defaults = {"version": VERSION, "content": encode(found)}
    DraftDifferences.objects.update_or_create(phase=phase, defaults=defaults)


def drop_differences(phase: Phase) -> None:
    """Delete them, within the transaction that publishes the draft."""
    DraftDifferences.objects.filter(phase=phase).delete()


def kept_differences(phase: Phase) -> tuple[Differences, ...] | None:
    """How a draft differs from the one before; None if there was none, or if another release compared them."""
    kept = DraftDifferences.objects.filter(phase=phase, version=VERSION).values_list("content", flat=True).first()
    found: tuple[Differences, ...] | None = None if kept is None else decode(bytes(kept), tuple[Differences, ...])
    return found
