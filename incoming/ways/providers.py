"""The providers whose webhooks we understand, by django-anymail, and how each proves that a call is theirs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

_BY_PASSWORD = "the NAME:PASSWORD of the address https://NAME:PASSWORD@SITE/incoming/mime"  # noqa: S105 - a hint


@dataclass(frozen=True, kw_only=True)
class Provider:
    """A provider's webhook."""

    view: str
    """The class of the library that reads it."""
    setting: str = "webhook_secret"
    """What the library calls its secret."""
    secret_is: str = _BY_PASSWORD
    mail_in: str = ""
    """The field of its calls that holds the mail as it came; empty: the library puts mails together again."""
    turned_on_by: str = ""
    """What to do where that field is missing."""

    @property
    def by_password(self) -> bool:
        return self.setting == "webhook_secret"

    @property
    def signs_forms(self) -> bool:
        return self.setting == "webhook_signing_key"

    def reader(self) -> Any:
        """The library's view, with our secret. It checks and reads calls, and answers none."""
        return import_string(f"anymail.webhooks.{self.view}")(**{self.setting: settings.MAIL_IN_SECRET})


PROVIDERS: Mapping[str, Provider] = {
    "mailgun": Provider(
        view="mailgun.MailgunInboundWebhookView",
        setting="webhook_signing_key",
        secret_is="the HTTP webhook signing key of your Mailgun account",  # noqa: S106 - a hint
        mail_in="body-mime",
        turned_on_by="let the route forward to an address that ends with /incoming/mime",
    ),
    "postmark": Provider(
        view="postmark.PostmarkInboundWebhookView",
        mail_in="RawEmail",
        turned_on_by="turn on “Include raw email content in JSON payload” for the inbound stream",
    ),
    "mailersend": Provider(
        view="mailersend.MailerSendInboundWebhookView",
        setting="inbound_secret",
        secret_is="the secret of your MailerSend inbound route",  # noqa: S106 - a hint
    ),
    "mailjet": Provider(view="mailjet.MailjetInboundWebhookView"),
    "sparkpost": Provider(view="sparkpost.SparkPostInboundWebhookView"),
}
UNTRIED = ("mailersend", "mailjet", "sparkpost")
"""Those of which no call was ever seen here, not even a documented one."""
