"""Discord's webhooks, from the documentation: discord.com/developers/docs of 6 August 2026.

Pages: resources/webhook (execute webhook; edit and delete webhook message), topics/rate-limits,
topics/opcodes-and-status-codes, reference (uploading files). Nobody has tried this with a live server.
"""

import json
from typing import ClassVar

from tests.posting.forums.server import Asked, ForumServer, Json, Refusal, number_of


class DiscordServer(ForumServer):
    """One channel, written to by one webhook."""

    key: ClassVar[str] = "discord"
    secret: ClassVar[str] = "W_" + "t" * 60
    thread: ClassVar[str] = ""
    longest: ClassVar[int] = 2_000
    webhook: ClassVar[str] = "/api/webhooks/1234567890123456789"

    @property
    def address(self) -> str:
        return f"http://{self.host}{self.webhook}"

    def answer(self, asked: Asked) -> tuple[int, Json]:
        start = f"{self.webhook}/{self.secret}"
        if not asked.path.startswith(start):
            raise Refusal(401, {"message": "Invalid Webhook Token", "code": 50027})
        if asked.path == start:
            return self._execute(asked)
        number = number_of(r"/messages/(\d+)", asked.path.removeprefix(start))
        if number not in self.posts:
            raise Refusal(404, {"message": "Unknown Message", "code": 10008})
        if asked.method == "PATCH":
            self.posts[number] = _content(asked)
            return 200, {"id": number, "content": self.posts[number]}
        assert asked.method == "DELETE"
        del self.posts[number]
        return 204, None

    def error(self, status: int) -> Json:
        if status == 429:
            return {"message": "You are being rate limited.", "retry_after": 16.2, "global": False}
        codes = {401: 50027, 403: 50013, 404: 10015}
        return {"message": "The request could not be done.", "code": codes.get(status, 0)}

    def _execute(self, asked: Asked) -> tuple[int, Json]:
        assert ("wait", "true") in asked.query
        content = _content(asked)
        if len(content) > self.longest:
            said = [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."}]
            raise Refusal(
                400, {"message": "Invalid Form Body", "code": 50035, "errors": {"content": {"_errors": said}}}
            )
        self.files.extend(asked.files.values())
        number = self.posted(content, "webhook")
        return 200, {"id": number, "content": content, "channel_id": "1", "webhook_id": "1234567890123456789"}


def _content(asked: Asked) -> str:
    said = asked.json if asked.json is not None else json.loads(asked.form["payload_json"])
    assert said["allowed_mentions"] == {"parse": []}
    return str(said["content"])
