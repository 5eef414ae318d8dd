"""How people log in: nobody signs up unless he was invited."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """What allauth asks us."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
