"""Mails about sheets."""

from campaign.engine.values.ids import GM, Audience
from campaign.mail.messages import Extras, link, message_for
from campaign.mail.outbox import MailMessage
from campaign.models import User
from orders.models import Channel, Sheet


def receipt_message(*, sheet: Sheet, author: User, answer: str) -> MailMessage:
    """The receipt of a sheet for its author: version, time, digest, how we read it, the text itself."""
    phase = sheet.phase
    desk = f"{sheet.side}/{sheet.desk}/{sheet.version}"
    page = link("sheet", phase.campaign.slug, sheet.desk)
    received = f"Fieldpost received version {sheet.version} of the sheet of {sheet.desk}."
    return message_for(
        author,
        audience=GM if sheet.channel == Channel.GM else Audience(sheet.side),
        kind="receipt",
        key=f"receipt/{phase.campaign.slug}/{phase.no}.{phase.rev}/{desk}",
        context={
            "sheet": sheet,
            "answer": answer,
            "sheet_link": page,
        },
        phase=phase,
        extras=Extras(gist=received, page=page),
    )
