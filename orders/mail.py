"""Mails about sheets."""

from django.template.loader import render_to_string

from campaign.models import User
from campaign.outbox import Letter
from orders.models import Sheet


def receipt_letter(*, sheet: Sheet, author: User, answer: str) -> Letter:
    """The receipt of a sheet for its author: version, time, digest, what was understood, the text itself."""
    phase = sheet.phase
    context = {"sheet": sheet, "answer": answer, "campaign": phase.campaign}
    return Letter(
        key=f"receipt/{phase.campaign.slug}/{phase.no}.{phase.rev}/{sheet.side}/{sheet.desk}/{sheet.version}",
        kind="receipt",
        user=author,
        to_addr=author.email,
        subject=f"[{phase.campaign.title}] {phase.day:%-d %B}: sheet received, version {sheet.version}",
        text=render_to_string("emails/receipt.txt", context),
        campaign=phase.campaign,
        phase=phase,
        audience=sheet.side,
    )
