"""Messages that tests make."""

from typing import Any

from campaign.engine.values.ids import PUBLIC, Audience
from campaign.mail.messages import written_to
from campaign.mail.outbox import MailMessage
from campaign.models import User


def composed(user: User, /, **said: Any) -> MailMessage:
    """A message to somebody, made while they are written to."""
    with written_to(user, Audience(said.get("audience") or PUBLIC)):
        return MailMessage(**{"to_addr": user.email, **said, "user": user})
