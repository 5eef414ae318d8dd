"""Beginning a sheet from the orders that a desk gave when such a phase was open before."""

from dataclasses import dataclass

from campaign.engine.orders.order import Ready
from campaign.engine.values.ids import GM
from campaign.selectors import Knowledge, PhaseInfo
from campaign.viewers import Viewer
from orders import services
from orders.desks import Place
from orders.models import Channel, LockedSheet, Sheet
from orders.writing.annotated import AnnotatedLine, annotated


@dataclass(frozen=True)
class Copied:
    """An earlier sheet as it may be given again."""

    text: str
    left_out: tuple[AnnotatedLine, ...]
    """Its lines that would be ignored in the present phase."""


def earlier_sheet(viewer: Viewer, phase: PhaseInfo, place: Place) -> Sheet | None:
    """The last sheet of a desk that counted in a phase of the same kind; None if it has given no orders in one."""
    if place.side == GM:
        return None
    locked = LockedSheet.objects.for_viewer(viewer).filter(
        phase__campaign=viewer.campaign, phase__key=phase.key, phase__no__lte=phase.no, side=place.side, desk=place.name
    )
    written = locked.exclude(sheet__text="").exclude(sheet__channel=Channel.BATTLES).exclude(phase=phase.phase_id)
    found = written.select_related("sheet__phase__campaign").order_by("-phase__no", "-phase__rev").first()
    return found.sheet if found else None


def copied(viewer: Viewer, phase: PhaseInfo, place: Place, text: str, *, known: Knowledge) -> Copied:
    """A sheet's text without READY and without the lines that would be ignored now."""
    answer = services.answered(viewer, phase, place, text, known=known)
    ready = {placed.line for placed in answer.orders if isinstance(placed.order, Ready)}
    lines = [line for line in annotated(text, answer).lines if line.number not in ready]
    kept = "".join(f"{line.text}\n" for line in lines if not line.ignored)
    return Copied(kept, tuple(line for line in lines if line.ignored))
