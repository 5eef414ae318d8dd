"""Forms about people and how they sign in."""

import zoneinfo
from functools import cache
from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from django import forms

from campaign.people.throttles import MINUTE, refused_code


class LoginForm(allauth.LoginForm):  # type: ignore[misc]
    """The address to which a code is mailed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "E-mail address"
        self.fields["login"].widget.attrs.pop("placeholder", None)

    def clean_login(self) -> str:
        """The address. Everybody who asks too often reads the same, whether it has an account or not."""
        address = str(super().clean_login())
        limit = refused_code(self.request, address)
        if limit is not None:
            raise get_adapter().validation_error(
                "too_many_login_attempts" if limit.window == MINUTE else "too_many_codes"
            )
        return address


class SignupForm(allauth.SignupForm):  # type: ignore[misc]
    """What a guest says about themselves."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.label, email.label = "Forum name", "E-mail address"
        name.help_text = "Everyone in your campaigns sees it."
        email.help_text = "For sign-in codes and mails of your campaigns. Nobody else sees it."
        for field in (name, email):
            field.widget.attrs.pop("placeholder", None)


@cache
def time_zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """All time zones as choices, by continent, with UTC first."""
    by_area: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(zoneinfo.available_timezones()):
        area, stroke, place = name.partition("/")
        if stroke and area != "Etc":
            by_area.setdefault(area, []).append((name, place.replace("_", " ")))
    return [("Everywhere", [("UTC", "UTC")]), *by_area.items()]


class ProfileForm(forms.Form):
    """What a person may set about themselves."""

    time_zone = forms.ChoiceField(
        label="Time zone", choices=time_zones, help_text="Pages show times in this time zone and in UTC."
    )
