"""Discord, by a webhook of a channel, as discord.com/developers/docs/resources/webhook describes it on 6 August 2026.

A webhook can fetch a message of its own only by its number, so a post in doubt cannot be looked up.
"""

import json
import re
from typing import Any, ClassVar
from urllib.parse import urlsplit

from posting.adapters.places import Adapter, Outgoing, PostRefused, number_in
from posting.network import Form, Request, normal_address

HOSTS = ("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com")
WEBHOOK = re.compile(
    r"(?P<address>https?://[^/?#\s]+/api/(?:v[0-9]+/)?webhooks/[1-9][0-9]{4,24})/(?P<key>[A-Za-z0-9_-]{20,200})/?"
)
"""The address that Discord shows for a webhook. Its last part is the key."""
UNKNOWN_MESSAGE = "10008"
"""The code of a message that is gone. That of a webhook that is gone is another."""


class Discord(Adapter):
    """A channel of Discord, or a thread in it. Nobody is notified by a name in a text."""

    key: ClassVar[str] = "discord"
    title: ClassVar[str] = "Discord"
    readable: ClassVar[bool] = False
    threads_are_apart: ClassVar[bool] = False

    @classmethod
    def normal(cls, address: str) -> str:
        """A webhook has its number at each of Discord's hosts, and in each version of the API."""
        found = urlsplit(normal_address(address))
        place = "https://discord.com" if found.hostname in HOSTS else f"{found.scheme}://{found.netloc}"
        return f"{place}/api/webhooks/{found.path.rpartition('/')[2]}"

    def post(self, post: Outgoing) -> str:
        url, query = self._url(), [("wait", "true"), *self._thread()]
        if not post.picture:
            return number_in(self.ask(Request("POST", url, query=query, json=_said(post))), "id")
        form = (("payload_json", json.dumps(_said(post))),)
        files = {"files[0]": (post.picture_name, post.picture, "image/png")}
        return number_in(self.ask(Request("POST", url, query=query, form=form, files=files)), "id")

    def edit(self, remote: str, post: Outgoing) -> None:
        self.ask(Request("PATCH", self._url(f"/messages/{remote}"), query=self._thread(), json=_said(post)))

    def delete(self, remote: str) -> None:
        try:
            self.ask(Request("DELETE", self._url(f"/messages/{remote}"), query=self._thread()))
        except PostRefused as why:
            if why.code != UNKNOWN_MESSAGE:
                raise

    def find(self, mark: str) -> str:
        raise PostRefused("A webhook of Discord cannot read its channel. Look there yourself.")

    def headers(self) -> dict[str, str]:
        return {}

    def _url(self, path: str = "") -> str:
        return f"{self.place.address}/{self.place.key}{path}"

    def _thread(self) -> Form:
        return [("thread_id", self.place.thread)] if self.place.thread else []


def _said(post: Outgoing) -> dict[str, Any]:
    return {"content": post.text, "allowed_mentions": {"parse": []}}
