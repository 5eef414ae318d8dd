"""Sheets that the game master enters for a desk that cannot submit them; each is marked as entered by the GM."""

from dataclasses import replace

from django.http import Http404

from api.answers.sheets import EnteredSheet, Receipt, SheetReading, SheetText
from api.models import Scope
from api.operations import Call, operation
from api.views.desks import addressed
from api.views.sheets import reading_of, receipt_for
from campaign.engine.values.ids import GM, Audience
from campaign.people.throttles import SHEETS
from campaign.selectors import PhaseInfo, open_phase
from campaign.viewers import Viewer
from orders import services
from orders.desks import Place, place_for
from orders.models import Channel


@operation(scope=Scope.GM)
def check_entered_sheet(call: Call, side: str, desk: str, body: SheetText) -> SheetReading:
    """How a sheet would be read for a desk of a side, as far as that side knows. Stores nothing."""
    phase = open_phase(call.game_master)
    if phase is None:
        raise Http404
    eyes, here = _desk(call, phase, side, desk)
    return reading_of(services.answered(eyes, phase, here, body.text))


@operation(scope=Scope.GM, limit=SHEETS, status=201, refuses=(409, 422))
def enter_sheet(call: Call, side: str, desk: str, body: EnteredSheet, idempotency_key: str) -> Receipt:
    """Enter a sheet for a desk. Its side sees that you entered it. Faulty lines are ignored.

    Refused if the side has submitted a newer version than you have seen.
    """
    phase = addressed(call, body.phase)
    eyes, here = _desk(call, phase, side, desk)
    receipt = services.send(
        eyes,
        phase,
        here,
        text=body.text,
        expected_version=body.version,
        idem_key=idempotency_key,
        channel=Channel.GM,
    )
    return receipt_for(phase, here, receipt)


def _desk(call: Call, phase: PhaseInfo, side: str, name: str) -> tuple[Viewer, Place]:
    """The game master with the eyes of a side that writes in a phase, and its desk; Http404 if there is none."""
    viewer = call.game_master
    if side not in phase.writers or side == GM:
        raise Http404
    return replace(viewer, viewing_as=Audience(side)), place_for(viewer, side, name)
