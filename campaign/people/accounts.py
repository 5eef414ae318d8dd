"""How people sign in: with a code by mail. Only invited people can sign up."""

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.utils import filter_users_by_email
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.validators import MaxLengthValidator
from django.db import transaction
from django.http import HttpRequest

from campaign.core import clock
from campaign.core.naming import look, one_script, visible_name
from campaign.engine.values.ids import PUBLIC
from campaign.mail import outbox
from campaign.mail.messages import written_to
from campaign.models import User
from campaign.people import invitations, memberships, throttles

INVITATION = "invitation"
"""The session key of a stranger's invitation secret."""

_CODE = "account/email/login_code"
_TO_STRANGERS = "account/email/unknown_account"
"""The mail that allauth sends to an address without an account."""


def like_nobody(name: str) -> None:
    """A form's validator: refuses a name that looks like somebody else's."""
    own = look(name)
    for taken in User.objects.values_list("username", flat=True):
        if taken.casefold() != name.casefold() and look(taken) == own:
            raise ValidationError(
                "Someone here already has a name that looks like this one. Choose another one.", code="alike"
            )


FORUM_NAME = [MaxLengthValidator(40), visible_name, one_script, like_nobody]
"""The validators of forum names."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Our answers to allauth's questions."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": "Too many attempts. Wait a few minutes, then try again.",
        "too_many_codes": "Too many codes were requested for this address today. Try again tomorrow, or ask the person"
        " who runs this site for a link that signs you in.",
        "username_taken": "Someone here already has this name. Choose another one.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether an invitation that still works brought this person."""
        try:
            invitations.invitation_of(request.session.get(INVITATION, ""), now=clock.now())
        except memberships.Refused:
            return False
        return True

    def clean_email(self, email: str) -> str:
        """The address for an account, checked: allauth's forms accept some to which nothing can be sent."""
        if not outbox.is_address(email):
            raise ValidationError("Fieldpost cannot send mail to this address. Enter another one.", code="address")
        return str(super().clean_email(email))

    def send_mail(self, template_prefix: str, email: str, context: Mapping[str, Any]) -> None:
        """Send every mail by the outbox, to people with an account only."""
        if template_prefix == _TO_STRANGERS:
            self._pretend(email)
            return
        user = context.get("user") or _reader(email)
        if user is None:
            return
        with written_to(user, PUBLIC):
            mail = self.render_mail(template_prefix, email, {"email": email, **context})
            message = _message(f"account/{secrets.token_hex(16)}", user, email, mail)
        outbox.enqueue(message)

    def _pretend(self, email: str) -> None:
        """Take as long as mailing would, so that nobody learns who has an account."""
        code = self.generate_login_code()
        nobody = User(email=email)
        with written_to(nobody, PUBLIC):
            mail = self.render_mail(_CODE, email, {"email": email, "request": self.request, "code": code})
            message = _message("account/nobody", nobody, email, mail)
        if outbox.is_address(email):
            throttles.stand_in(outbox.compose(message, at=clock.now()))

    def send_notification_mail(
        self, template_prefix: str, user: User, context: Mapping[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Notify of a change of an account; also at its former address."""
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)


def new_person(name: str, *, email: str = "") -> User:
    """A new account from the site's operator, who answers for the address."""
    with transaction.atomic():
        user = User.objects.create_user(name, email=email)
        if email:
            EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)
    return user


def _reader(email: str) -> User | None:
    readers = filter_users_by_email(email, is_active=True, prefer_verified=True)
    return readers[0] if readers else None


def _message(key: str, user: User, email: str, mail: EmailMessage) -> outbox.MailMessage:
    """A mail about an account, as allauth rendered it."""
    return outbox.MailMessage(
        key=key,
        kind="account",
        user=user,
        to_addr=email,
        subject=str(mail.subject),
        text=str(mail.body),
        html=_html(mail),
    )


def _html(mail: EmailMessage) -> str:
    parts = mail.alternatives if isinstance(mail, EmailMultiAlternatives) else []
    return next((str(content) for content, kind in parts if kind == "text/html"), "")
