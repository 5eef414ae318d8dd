"""What a player does with a sheet: he keeps a draft, sends it, withdraws it."""

from campaign import clock
from campaign.models import User
from campaign.seats import Seat
from campaign.selectors import Stop, knowledge
from orders.answers import answer
from orders.desks import Place
from orders.intake import NotYours, Receipt, Submission, storable, submit
from orders.mail import receipt_letter
from orders.models import Channel, Draft


def keep_draft(author: User, stop: Stop, place: Place, *, text: str, base_version: int) -> Draft:
    """Keep what somebody is writing, in place of what he wrote before."""
    kept, _ = Draft.objects.update_or_create(
        phase_id=stop.phase_id,
        side=place.side,
        desk=place.name,
        author=author,
        defaults={"text": storable(text), "base_version": base_version, "saved_at": clock.now()},
    )
    return kept


def send(
    seat: Seat,
    stop: Stop,
    place: Place,
    *,
    text: str,
    expected_version: int,
    idem_key: str,
    channel: Channel = Channel.WEB,
) -> Receipt:
    """Send a desk's sheet. It is kept as a draft first, so nothing is lost if `orders.intake.submit` refuses it."""
    author = seat.person
    if not place.writes:
        raise NotYours
    keep_draft(author, stop, place, text=text, base_version=expected_version)
    said = answer(knowledge(seat), stop.key, place, text)
    submission = Submission(
        phase_id=stop.phase_id,
        side=place.side,
        desk=place.name,
        author=author,
        text=text,
        channel=channel,
        idem_key=idem_key,
        expected_version=expected_version,
        ready=said.ready,
    )
    receipt = submit(submission, letter=lambda sheet: receipt_letter(sheet=sheet, author=author, answer=said.text))
    Draft.objects.filter(phase=stop.phase_id, side=place.side, desk=place.name, author=author).delete()
    return receipt


def withdraw(seat: Seat, stop: Stop, place: Place, *, expected_version: int, idem_key: str) -> Receipt:
    """Take a sheet back: an empty version follows it, and the stop's default applies unless another is sent."""
    return send(seat, stop, place, text="", expected_version=expected_version, idem_key=idem_key)
