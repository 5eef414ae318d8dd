"""XenForo, from the documentation of its REST API: docs.xenforo.com of 6 July 2026.

Pages: manual/reference/rest-api (keys, errors); api/post-posts, post-posts-id, delete-posts-id, get-threads-id-posts,
post-attachments-new-key. Nobody has tried this with a live server.
"""

from typing import ClassVar

from tests.posting.forums.server import Asked, ForumServer, Json, Refusal, number_of

PER_PAGE = 20


class XenForoServer(ForumServer):
    """One thread, in pages of twenty posts."""

    key: ClassVar[str] = "xenforo"
    acts_as: ClassVar[str] = "12"
    to_post: ClassVar[str] = "/api/posts/"
    longest: ClassVar[int] = 10_000

    def answer(self, asked: Asked) -> tuple[int, Json]:
        if asked.headers.get("XF-Api-Key") != self.secret:
            raise Refusal(401, _errors("api_key_not_found", "API key provided in request was not found."))
        match asked.method, asked.path:
            case "POST", "/api/posts/":
                return self._create(asked.form)
            case "POST", "/api/attachments/new-key":
                return self._attach(asked)
            case "GET", path if path == f"/api/threads/{self.thread}/posts":
                return 200, self._page(int(dict(asked.query)["page"]))
        return self._one(asked)

    def error(self, status: int) -> Json:
        codes = {401: "api_key_not_found", 403: "do_not_have_permission", 404: "requested_thread_not_found"}
        return _errors(codes.get(status, "unexpected_error"), "The request could not be done.")

    def _create(self, form: dict[str, str]) -> tuple[int, Json]:
        if form["thread_id"] != self.thread:
            raise Refusal(404, self.error(404))
        if len(form["message"]) > self.longest:
            raise Refusal(400, _errors("please_enter_message_with_no_more_than_x_characters", "Too long."))
        assert form.get("attachment_key", "abc123") == "abc123"
        number = self.posted(form["message"], self.acts_as)
        return 200, {"success": True, "post": self._shown(number)}

    def _attach(self, asked: Asked) -> tuple[int, Json]:
        assert asked.form == {"type": "post", "context[thread_id]": self.thread}
        self.files.append(asked.files["attachment"])
        return 200, {"key": "abc123", "attachment": {"attachment_id": 9, "filename": asked.files["attachment"][0]}}

    def _page(self, no: int) -> Json:
        numbers = list(self.posts)
        last = max(-(-len(numbers) // PER_PAGE), 1)
        shown = numbers[(no - 1) * PER_PAGE : no * PER_PAGE]
        pagination = {
            "current_page": no,
            "last_page": last,
            "per_page": PER_PAGE,
            "shown": len(shown),
            "total": len(numbers),
        }
        return {"posts": [self._shown(each) for each in shown], "pagination": pagination}

    def _one(self, asked: Asked) -> tuple[int, Json]:
        number = number_of(r"/api/posts/(\d+)/", asked.path)
        if number not in self.posts:
            raise Refusal(404, _errors("requested_post_not_found", "The requested post could not be found."))
        if asked.method == "POST":
            self.posts[number] = asked.form["message"]
            return 200, {"success": True, "post": self._shown(number)}
        assert asked.method == "DELETE"
        del self.posts[number]
        return 200, {"success": True}

    def _shown(self, number: str) -> Json:
        return {
            "post_id": int(number),
            "thread_id": int(self.thread),
            "user_id": int(self.authors[number]),
            "message": self.posts[number],
            "message_state": "visible",
        }


def _errors(code: str, message: str) -> Json:
    return {"errors": [{"code": code, "message": message, "params": []}]}
