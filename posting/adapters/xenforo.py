"""XenForo 2.1 or newer, by its REST API as docs.xenforo.com describes it on 6 July 2026."""

from contextlib import suppress
from typing import Any, ClassVar

from posting.adapters.places import Adapter, InDoubt, Outgoing, PostRefused, listed, nothing_posted, number_in
from posting.network import Form, Request

LOOKED_AT = 3
"""The last pages of a thread on which a post is looked up."""


class XenForo(Adapter):
    """A thread of a XenForo forum. Pictures are attachments."""

    key: ClassVar[str] = "xenforo"
    title: ClassVar[str] = "XenForo"
    readable: ClassVar[bool] = True

    def post(self, post: Outgoing) -> str:
        form = [("thread_id", self.place.thread), ("message", post.marked)]
        if post.picture:
            form.append(("attachment_key", self._attached(post)))
        return number_in(self.ask(self._request("POST", "/api/posts/", form)), "post", "post_id")

    def edit(self, remote: str, post: Outgoing) -> None:
        self.ask(self._request("POST", f"/api/posts/{remote}/", [("message", post.marked), ("silent", "1")]))

    def delete(self, remote: str) -> None:
        try:
            self.ask(self._request("DELETE", f"/api/posts/{remote}/"))
        except PostRefused as why:
            if why.code != "requested_post_not_found":
                raise

    def find(self, mark: str) -> str:
        first = self._page(1)
        last = _last_page(first)
        for no in range(last, max(last - LOOKED_AT, 0), -1):
            for each in listed(first if no == 1 else self._page(no), "posts"):
                if mark in str(each.get("message", "")) and str(each.get("user_id")) == self.place.acts_as:
                    return number_in(each, "post_id")
        return ""

    def headers(self) -> dict[str, str]:
        return {"XF-Api-Key": self.place.key, "XF-Api-User": self.place.acts_as}

    def _request(self, method: str, path: str, form: Form = (), query: Form = ()) -> Request:
        return Request(method, f"{self.place.address}{path}", form=form, query=query)

    def _page(self, no: int) -> Any:
        return self.ask(self._request("GET", f"/api/threads/{self.place.thread}/posts", query=[("page", str(no))]))

    def _attached(self, post: Outgoing) -> str:
        """The key of an attachment with the picture."""
        form = (("type", "post"), ("context[thread_id]", self.place.thread))
        files = {"attachment": (post.picture_name, post.picture, "image/png")}
        with nothing_posted():
            url = f"{self.place.address}/api/attachments/new-key"
            found = self.ask(Request("POST", url, form=form, files=files))
            key = found.get("key") if isinstance(found, dict) else None
            if not isinstance(key, str) or not key:
                raise InDoubt("the answer to the picture names no key.")
        return key


def _last_page(found: Any) -> int:
    with suppress(AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return max(int(found["pagination"]["last_page"]), 1)
    raise InDoubt("The answer is not one of this kind of forum.")
