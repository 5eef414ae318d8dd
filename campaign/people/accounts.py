"""How people log in: with a code that is mailed to them. Nobody signs up unless he was invited."""

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
from campaign.mail import outbox
from campaign.models import User
from campaign.people import memberships, throttles

INVITATION = "invitation"
"""Where a stranger's session carries the secret part of his invitation."""

_CODE = "account/email/login_code"
_TO_STRANGERS = "account/email/unknown_account"
"""Which mail allauth wants to send to an address that is nobody's."""


def like_nobody(name: str) -> None:
    """A form's validator: refuses a name that looks like somebody else's."""
    own = look(name)
    for taken in User.objects.values_list("username", flat=True):
        if taken.casefold() != name.casefold() and look(taken) == own:
            raise ValidationError(
                "Someone here already has a name that looks like this one. Choose another one.", code="alike"
            )


FORUM_NAME = [MaxLengthValidator(40), visible_name, one_script, like_nobody]
"""What a forum name must be."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """What allauth asks us."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": "Too many attempts. Wait a few minutes, then try again.",
        "username_taken": "Someone here already has this name. Choose another one.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Only to whoever came by an invitation that still leads somewhere."""
        try:
            memberships.invitation_of(request.session.get(INVITATION, ""), now=clock.now())
        except memberships.Refused:
            return False
        return True

    def clean_email(self, email: str) -> str:
        """An address as somebody gives it for his account; forms take some to which nothing can be sent."""
        if not outbox.is_address(email):
            raise ValidationError("Fieldpost cannot send mail to this address. Enter another one.", code="address")
        return str(super().clean_email(email))

    def send_mail(self, template_prefix: str, email: str, context: Mapping[str, Any]) -> None:
        """Every mail goes through the outbox, which writes to people with an account only."""
        if template_prefix == _TO_STRANGERS:
            self._pretend(email)
            return
        user = context.get("user") or _reader(email)
        if user is None:
            return
        mail = self.render_mail(template_prefix, email, {"email": email, **context})
        outbox.enqueue(
            outbox.MailMessage(
                key=f"account/{secrets.token_hex(16)}",
                kind="account",
                user=user,
                to_addr=email,
                subject=str(mail.subject),
                text=str(mail.body),
                html=_html(mail),
            )
        )

    def _pretend(self, email: str) -> None:
        """Nothing is mailed to a stranger; but it takes as long, so that nobody learns who is known here."""
        code = self.generate_login_code()
        mail = self.render_mail(_CODE, email, {"email": email, "request": self.request, "code": code})
        nobody = User(email=email)
        subject, text = str(mail.subject), str(mail.body)
        letter = outbox.MailMessage(
            key="account/nobody",
            kind="account",
            user=nobody,
            to_addr=email,
            subject=subject,
            text=text,
            html=_html(mail),
        )
        if outbox.is_address(email):
            throttles.stand_in(outbox.compose(letter, at=clock.now()))

    def send_notification_mail(
        self, template_prefix: str, user: User, context: Mapping[str, Any] | None = None, email: str | None = None
    ) -> None:
        """That something about an account was changed; also to an address that is its own no more."""
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)


def new_person(name: str, *, email: str = "") -> User:
    """An account made by whoever runs the site, who answers for the address."""
    with transaction.atomic():
        user = User.objects.create_user(name, email=email)
        if email:
            EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)
    return user


def _reader(email: str) -> User | None:
    readers = filter_users_by_email(email, is_active=True, prefer_verified=True)
    return readers[0] if readers else None


def _html(mail: EmailMessage) -> str:
    parts = mail.alternatives if isinstance(mail, EmailMultiAlternatives) else []
    return next((str(content) for content, kind in parts if kind == "text/html"), "")
