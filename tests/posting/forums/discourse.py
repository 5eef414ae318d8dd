"""Discourse, from the documentation of its API: docs.discourse.org (openapi.yml) of 20 August 2026.

Operations: createPostTopicPM, updatePost, deletePost, getTopic, getSpecificPostsFromTopic, createUpload. It has no
errors; their bodies, and the answer to a post that must be approved, are as the software is known to give them. Nobody
has tried this with a live server.
"""

import html
from typing import ClassVar

from tests.posting.forums.server import Asked, ForumServer, Json, Refusal, number_of


class DiscourseServer(ForumServer):
    """One topic. It shows posts as HTML, and only the first twenty without being asked for more."""

    key: ClassVar[str] = "discourse"
    acts_as: ClassVar[str] = "umpire"
    to_post: ClassVar[str] = "/posts.json"
    longest: ClassVar[int] = 32_000

    def answer(self, asked: Asked) -> tuple[int, Json]:
        if asked.headers.get("Api-Key") != self.secret or asked.headers.get("Api-Username") != self.acts_as:
            raise Refusal(
                403,
                {"errors": ["You are not permitted to view the requested resource."], "error_type": "invalid_access"},
            )
        match asked.method, asked.path:
            case "POST", "/posts.json":
                return self._create(asked.json)
            case "POST", "/uploads.json":
                return self._upload(asked)
            case "GET", path if path == f"/t/{self.thread}.json":
                stream = [int(each) for each in self.posts]
                first = [self._shown(str(each)) for each in stream[:20]]
                return 200, {"id": int(self.thread), "post_stream": {"posts": first, "stream": stream}}
            case "GET", path if path == f"/t/{self.thread}/posts.json":
                wanted = [value for name, value in asked.query if name == "post_ids[]"]
                return 200, {"post_stream": {"posts": [self._shown(each) for each in wanted if each in self.posts]}}
        return self._one(asked)

    def error(self, status: int) -> Json:
        if status == 429:
            said = "You’ve performed this action too many times, please try again later."
            return {"errors": [said], "error_type": "rate_limit", "extras": {"wait_seconds": 17}}
        types = {403: "invalid_access", 404: "not_found"}
        return {"errors": ["The requested URL or resource could not be found."], "error_type": types.get(status, "")}

    def _create(self, said: Json) -> tuple[int, Json]:
        if str(said["topic_id"]) != self.thread:
            raise Refusal(404, self.error(404))
        if len(said["raw"]) > self.longest:
            raise Refusal(422, {"action": "create_post", "errors": [f"Body is limited to {self.longest} characters"]})
        number = self.posted(said["raw"], self.acts_as)
        return 200, {**self._shown(number), "raw": said["raw"], "post_type": 1}

    def _upload(self, asked: Asked) -> tuple[int, Json]:
        assert asked.form == {"upload_type": "composer", "type": "composer", "synchronous": "true"}
        name, content = asked.files["file"]
        self.files.append((name, content))
        return 200, {
            "id": 5,
            "url": "/uploads/default/original/1X/abc.png",
            "original_filename": name,
            "filesize": len(content),
            "width": 1380,
            "height": 1034,
            "thumbnail_width": 690,
            "thumbnail_height": 517,
            "extension": "png",
            "short_url": "upload://9bqXk1.png",
            "short_path": "/uploads/short-url/9bqXk1.png",
        }

    def _one(self, asked: Asked) -> tuple[int, Json]:
        number = number_of(r"/posts/(\d+)\.json", asked.path)
        if number not in self.posts:
            raise Refusal(404, self.error(404))
        if asked.method == "PUT":
            self.posts[number] = asked.json["post"]["raw"]
            return 200, {"post": self._shown(number)}
        assert asked.method == "DELETE"
        del self.posts[number]
        return 200, None

    def _shown(self, number: str) -> Json:
        cooked = "".join(f"<p>{html.escape(line)}</p>" for line in self.posts[number].split("\n\n"))
        return {
            "id": int(number),
            "username": self.authors[number],
            "cooked": cooked,
            "topic_id": int(self.thread),
            "post_number": list(self.posts).index(number) + 1,
        }
