"""Discourse, by its API as docs.discourse.org describes it on 20 August 2026: posts, topics, uploads."""

from contextlib import suppress
from typing import Any, ClassVar

from posting.adapters.places import Adapter, InDoubt, Outgoing, PostRefused, listed, nothing_posted, number_in
from posting.network import Request

LOOKED_AT = 60
"""The newest posts of a topic among which one is looked up."""
_AT_ONCE = 20


class Discourse(Adapter):
    """A topic of a Discourse forum. Pictures are uploaded first, and named in the text."""

    key: ClassVar[str] = "discourse"
    title: ClassVar[str] = "Discourse"
    readable: ClassVar[bool] = True

    def post(self, post: Outgoing) -> str:
        picture = self._uploaded(post)
        raw = post.marked if not picture else f"{post.text}\n\n{picture}\n\n{_mark_of(post)}"
        found = self.ask(self._request("POST", "/posts.json", {"topic_id": int(self.place.thread), "raw": raw}))
        if isinstance(found, dict) and found.get("action") == "enqueued":
            return ""  # a moderator must approve it first
        return number_in(found, "id")

    def edit(self, remote: str, post: Outgoing) -> None:
        self.ask(self._request("PUT", f"/posts/{remote}.json", {"post": {"raw": post.marked}}))

    def delete(self, remote: str) -> None:
        try:
            self.ask(self._request("DELETE", f"/posts/{remote}.json"))
        except PostRefused as why:
            if why.code != "not_found":
                raise

    def find(self, mark: str) -> str:
        topic = self.ask(self._request("GET", f"/t/{self.place.thread}.json"))
        stream = _stream(topic)[-LOOKED_AT:]
        for start in range(0, len(stream), _AT_ONCE):
            numbers = tuple(("post_ids[]", str(each)) for each in stream[start : start + _AT_ONCE])
            found = self.ask(Request("GET", f"{self.place.address}/t/{self.place.thread}/posts.json", query=numbers))
            for each in listed(found, "post_stream", "posts"):
                if mark in str(each.get("cooked", "")) and self._is_ours(each):
                    return number_in(each, "id")
        return ""

    def headers(self) -> dict[str, str]:
        return {"Api-Key": self.place.key, "Api-Username": self.place.acts_as}

    def _request(self, method: str, path: str, said: object = None) -> Request:
        return Request(method, f"{self.place.address}{path}", json=said)

    def _is_ours(self, found: dict[str, Any]) -> bool:
        """Whether we wrote a post: others may quote ours, with its mark."""
        return str(found.get("username", "")).lower() == self.place.acts_as.lower()

    def _uploaded(self, post: Outgoing) -> str:
        """The picture as the text names it; empty if there is none."""
        if not post.picture:
            return ""
        files = {"file": (post.picture_name, post.picture, "image/png")}
        form = (("upload_type", "composer"), ("type", "composer"), ("synchronous", "true"))  # older releases: type
        with nothing_posted():
            found = self.ask(Request("POST", f"{self.place.address}/uploads.json", form=form, files=files))
            address = found.get("short_url") if isinstance(found, dict) else None
            if (
                not isinstance(address, str)
                or not address.startswith("upload://")
                or not address[9:].replace(".", "").isalnum()
            ):
                raise InDoubt("the answer to the picture names no upload.")
        return f"![Map|{_size(found)}]({address})"


def _size(found: dict[str, Any]) -> str:
    """Width and height at which a picture is shown, as the forum answered."""
    sizes = [found.get(name) for name in ("thumbnail_width", "thumbnail_height")]
    if not all(isinstance(each, int) for each in sizes):
        sizes = [found.get(name) for name in ("width", "height")]
    with suppress(TypeError, ValueError):
        return "x".join(str(int(str(each))) for each in sizes)
    return "690x690"


def _mark_of(post: Outgoing) -> str:
    return post.marked.rpartition("\n\n")[2]


def _stream(topic: Any) -> list[int]:
    """The numbers of a topic's posts, the oldest first. Raises InDoubt."""
    stream = topic.get("post_stream") if isinstance(topic, dict) else None
    numbers = stream.get("stream") if isinstance(stream, dict) else None
    if not isinstance(numbers, list):
        raise InDoubt("The answer is not one of this kind of forum.")
    return [each for each in numbers if isinstance(each, int)]
