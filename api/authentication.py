"""Who asks: somebody who is signed in, with the page's CSRF token, or a program with a token."""

from typing import Any

from knox.auth import TokenAuthentication
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.request import Request

from api.models import ApiToken
from api.tokens import note_use, valid_tokens
from campaign.core import clock
from campaign.models import User
from campaign.people.throttles import WRONG_TOKENS, may


class ByToken(TokenAuthentication):
    """`Authorization: Bearer <token>`. Addresses and forms cannot hold one.

    Wrong ones are counted by address. Right ones are accepted whatever others send from the same address.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        try:
            found: tuple[User, ApiToken] | None = super().authenticate(request)  # type: ignore[no-untyped-call]
        except AuthenticationFailed as error:
            if not may(request._request, WRONG_TOKENS):
                raise Throttled(wait=60) from error
            raise
        return found

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        if not token.isascii():
            raise AuthenticationFailed("Invalid token.")
        user, found = super().authenticate_credentials(token)  # type: ignore[no-untyped-call]
        note_use(found, clock.now())
        return user, found

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Whether a token has ended. The library would delete it here, but a refused request changes nothing."""
        return not valid_tokens(clock.now()).filter(pk=auth_token.pk).exists()


class BySession(SessionAuthentication):
    """A browser in which somebody is signed in."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            message = "Send the page's CSRF token in the header X-CSRFToken, or use a token of your own."
            raise PermissionDenied(message) from error
