"""Forms for destinations, and for a person's own webhook."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from posting.adapters import ADAPTERS
from posting.adapters.discord import HOSTS, WEBHOOK, Discord
from posting.destinations import Wanted
from posting.network import AddressRefused, check_address, is_allowed, normal_address, port_of

_NUMBER = re.compile(r"[1-9][0-9]{0,19}")
_THREAD = re.compile(r"[1-9][0-9]{0,19}|")
_KEY = re.compile(r"[!-~]{8,200}")


class DestinationForm(forms.Form):
    """A destination, with its key."""

    audience = forms.ChoiceField(
        label="For",
        help_text="The destination receives what they receive. You cannot change this later.",
    )
    kind = forms.ChoiceField(label="Kind of forum", choices=[(key, adapter.title) for key, adapter in ADAPTERS.items()])
    address = forms.CharField(
        label="Address",
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
        help_text="The forum’s front page, like https://forum.example. For Discord: the whole address of the webhook.",
    )
    thread = forms.CharField(
        label="Number of the thread",
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
        help_text="It is part of the thread’s address. For Discord: empty, or the number of a thread in the channel.",
    )
    acts_as = forms.CharField(
        label="Posts as",
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="Discourse: the name of the user. XenForo: the number of the user. Discord: empty.",
    )
    key = forms.CharField(
        label="API key",
        max_length=200,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Fieldpost keeps it encrypted and never shows it again. Discord: empty, the address holds it.",
    )

    def __init__(self, *args: Any, audiences: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["audience"].choices = [("", "Choose an audience"), *audiences]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        said = dict(super().clean() or {})
        if self.errors:
            return said
        if said["kind"] == "discord":
            self._clean_webhook(said)
        else:
            self._clean_forum(said)
        return said

    def wanted(self) -> Wanted:
        """What was entered, once it is valid."""
        return Wanted(
            **{name: self.cleaned_data[name] for name in ("audience", "kind", "address", "thread", "acts_as", "key")}
        )

    def _clean_webhook(self, said: dict[str, Any]) -> None:
        try:
            said["address"], said["key"] = webhook(said["address"])
        except forms.ValidationError as error:
            self.add_error("address", error)
        said["acts_as"] = ""
        self._require("thread", _THREAD, said, "This is no number of a thread. Leave it empty to post in the channel.")

    def _clean_forum(self, said: dict[str, Any]) -> None:
        if re.search(r"[?#\s\\]", said["address"]):
            self.add_error("address", "Enter the address of the forum’s front page, without ? and #.")
        try:
            check_address(said["address"])
            said["address"] = normal_address(said["address"])
        except AddressRefused as why:
            self.add_error("address", str(why))
        self._require("thread", _NUMBER, said, "Enter the number of the thread: digits only.")
        self._require("key", _KEY, said, "Enter the API key of the forum, 8 characters or more without spaces.")
        if said["kind"] == "xenforo":
            self._require("acts_as", _NUMBER, said, "Enter the number of the user who posts: digits only.")
        else:
            name = re.compile(r"[\w.-]{1,60}", re.ASCII)
            self._require(
                "acts_as", name, said, "Enter the name of the user who posts, as the forum’s addresses have it."
            )

    def _require(self, field: str, pattern: re.Pattern[str], said: Mapping[str, Any], otherwise: str) -> None:
        if not pattern.fullmatch(said.get(field, "")):
            self.add_error(field, otherwise)


class WebhookForm(forms.Form):
    """The address of a person's webhook."""

    address = forms.CharField(
        label="Address of the webhook",
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
        help_text="In Discord: the settings of a channel of yours, Integrations, Webhooks, Copy Webhook URL.",
    )

    def clean_address(self) -> str:
        """The address without its key, which is in `key`."""
        address, self.key = webhook(self.cleaned_data["address"])
        return address


def webhook(written: str) -> tuple[str, str]:
    """A webhook's address and its key. Raises ValidationError."""
    found = WEBHOOK.fullmatch(written.strip())
    if found is None:
        raise forms.ValidationError(
            "This is no webhook of Discord. Its address begins https://discord.com/api/webhooks/"
        )
    try:
        check_address(found["address"])
        address = Discord.normal(found["address"])
    except AddressRefused as why:
        raise forms.ValidationError(str(why)) from why
    host, port = port_of(address)
    if host not in HOSTS and not is_allowed(host, port):
        raise forms.ValidationError(
            "This is no webhook of Discord. Its address begins https://discord.com/api/webhooks/"
        )
    return address, found["key"]
