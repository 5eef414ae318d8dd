"""Order sheets of the open phase: check, choose, submit, withdraw."""

from dataclasses import asdict

from django.http import Http404

from api.answers.sheets import (
    ChoicesRequest,
    LineReading,
    NewSheet,
    OfferedLine,
    OfferedWay,
    Receipt,
    SheetChoices,
    SheetReading,
    SheetText,
    Withdrawal,
    line_problem,
)
from api.models import Scope
from api.operations import Call, operation
from api.views.desks import addressed, own_desk
from campaign.engine.orders.grammar import places_named
from campaign.engine.orders.notation import format_order
from campaign.engine.orders.order import Order, verb_of
from campaign.people.throttles import SHEETS
from campaign.selectors import PhaseInfo, mark_of, open_phase
from orders import intake, services
from orders.answers import Answer
from orders.choices import Choices
from orders.desks import Place, place
from orders.models import Channel


@operation()
def check_sheet(call: Call, desk: str, body: SheetText) -> SheetReading:
    """How a sheet is read and what is wrong with it, as far as its side knows. Stores nothing."""
    here, phase = _open(call, desk)
    return reading_of(services.answered(call.viewer, phase, here, body.text))


@operation()
def choices(call: Call, desk: str, body: ChoicesRequest) -> SheetChoices:
    """What may be added to a sheet, for a unit or for none: each place where the unit can go, and all other lines.

    Free text and empty choices are not listed, and of shares of air units only those between two boxes. Stores nothing.
    """
    here, phase = _open(call, desk)
    return _offered(services.offered(call.viewer, phase, here, body.text, body.unit, instead=body.instead))


@operation(scope=Scope.ORDERS, limit=SHEETS, status=201, refuses=(409, 422))
def submit_sheet(call: Call, desk: str, body: NewSheet, idempotency_key: str) -> Receipt:
    """Submit a sheet. It is stored even if lines of it are faulty; those are ignored.

    Refused if somebody has submitted a newer version than the caller has seen.
    """
    here, phase = own_desk(call, desk), addressed(call, body.phase)
    text = services.with_ready(body.text) if body.ready or body.for_side else body.text
    receipt = services.send(
        call.viewer,
        phase,
        here,
        text=text,
        expected_version=body.version,
        idem_key=idempotency_key,
        channel=Channel.API,
        for_side=body.for_side,
    )
    return receipt_for(phase, here, receipt)


@operation(scope=Scope.ORDERS, limit=SHEETS, refuses=(409,))
def withdraw_sheet(call: Call, desk: str, body: Withdrawal, idempotency_key: str) -> Receipt:
    """Withdraw a sheet: an empty version follows it. The draft is unchanged."""
    here, phase = own_desk(call, desk), addressed(call, body.phase)
    receipt = services.withdraw(
        call.viewer, phase, here, expected_version=body.version, idem_key=idempotency_key, channel=Channel.API
    )
    return receipt_for(phase, here, receipt)


def _open(call: Call, desk: str) -> tuple[Place, PhaseInfo]:
    """A desk whose sheet the caller may read, and the open phase."""
    here, phase = place(call.viewer, desk), open_phase(call.viewer)
    if phase is None:
        raise Http404
    return here, phase


def receipt_for(phase: PhaseInfo, here: Place, receipt: intake.Receipt) -> Receipt:
    """The proof of what was submitted, as answer."""
    return Receipt(mark_of(phase), here.name, **asdict(receipt))


# --- how a sheet is read ---------------------------------------------------------------------------------------------


def reading_of(answer: Answer) -> SheetReading:
    """How a sheet is read, as answer."""
    return SheetReading(
        tuple(LineReading(**asdict(line)) for line in answer.lines),
        tuple(each.text for each in answer.understood if not each.line),
        tuple(map(line_problem, answer.problems)),
        answer.ready,
        answer.gauges,
    )


# --- what may be added -----------------------------------------------------------------------------------------------


def _offered(found: Choices) -> SheetChoices:
    ways = (OfferedWay(format_order(way.order, found.names), way.path, way.cost, way.allowance) for way in found.ways)
    return SheetChoices(tuple(ways), tuple(_line(order, found) for order in found.orders))


def _line(order: Order, found: Choices) -> OfferedLine:
    places = places_named(order)
    place = places[-1] if places else None
    return OfferedLine(format_order(order, found.names), verb_of(type(order)), place, by_tap=order.by_tap)
