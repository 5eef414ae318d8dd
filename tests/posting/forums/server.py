"""What the small forums share: a server on this computer, its posts, and the faults that it is told to have."""

import json
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

Json = Any


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request."""

    status: int = 0
    """The answer; 0: none."""
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=dict)
    accepts: bool = False
    """Whether the request is done all the same."""
    method: str = "POST"
    path: str = ""
    """Part of the paths that it hits."""


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    query: list[tuple[str, str]]
    headers: Mapping[str, str]
    form: dict[str, str]
    files: dict[str, tuple[str, bytes]]
    json: Json


class Refusal(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, body: Json) -> None:
        super().__init__(status)
        self.status, self.body = status, body


class ForumServer(ABC):
    """A forum on a port of this computer. `posts`: the texts that are there, by number, the oldest first."""

    key: ClassVar[str]
    acts_as: ClassVar[str] = ""
    secret: ClassVar[str] = "k" * 32
    thread: ClassVar[str] = "77"
    to_post: ClassVar[str] = ""
    """The path of requests that post; those that send a picture first have another."""

    def __init__(self) -> None:
        self.posts: dict[str, str] = {}
        self.authors: dict[str, str] = {}
        self.files: list[tuple[str, bytes]] = []
        """The pictures that came with posts or before them."""
        self.asked: list[Asked] = []
        self.faults: list[Fault] = []
        self._numbers = iter(range(1001, 9999))
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def address(self) -> str:
        """What the form of a destination holds."""
        return f"http://{self.host}"

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def refuse(self, status: int) -> Fault:
        """The documented answer with this status."""
        return Fault(status, self.error(status))

    def posted(self, text: str, author: str) -> str:
        """A new post."""
        number = str(next(self._numbers))
        self.posts[number], self.authors[number] = text, author
        return number

    @abstractmethod
    def answer(self, asked: Asked) -> tuple[int, Json]:
        """Status and JSON for a request. Raises Refusal."""

    @abstractmethod
    def error(self, status: int) -> Json:
        """The body of an error."""

    # --- how it is served --------------------------------------------------------------------------------------------

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        forum = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Tests read what was asked, and no log."""

            def _any(self) -> None:
                asked = _read(self)
                forum.asked.append(asked)
                fault = forum.next_fault(asked)
                if fault is None or fault.accepts:
                    status, body = forum.done(asked)
                    if fault is None:
                        self._say(status, body, {})
                        return
                if not fault.status:
                    forum.wait()
                    self.close_connection = True
                    return
                self._say(fault.status, fault.body, fault.headers)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _any  # noqa: N815 - the library's names

            def _say(self, status: int, body: Json, headers: Mapping[str, str]) -> None:
                content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        return Handler

    def next_fault(self, asked: Asked) -> Fault | None:
        for fault in self.faults:
            if fault.method == asked.method and fault.path in asked.path:
                self.faults.remove(fault)
                return fault
        return None

    def done(self, asked: Asked) -> tuple[int, Json]:
        try:
            return self.answer(asked)
        except Refusal as why:
            return why.status, why.body

    def wait(self) -> None:
        """Say nothing until the server is closed."""
        self._closing.wait(10)


def _read(handler: BaseHTTPRequestHandler) -> Asked:
    parts = urlsplit(handler.path)
    body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    kind = handler.headers.get("Content-Type", "")
    form: dict[str, str] = {}
    files: dict[str, tuple[str, bytes]] = {}
    said: Json = None
    if kind.startswith("application/json"):
        said = json.loads(body)
    elif kind.startswith("application/x-www-form-urlencoded"):
        form = dict(parse_qsl(body.decode(), keep_blank_values=True))
    elif kind.startswith("multipart/form-data"):
        message = BytesParser().parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
        for part in message.get_payload():
            assert not isinstance(part, str)
            name = str(part.get_param("name", header="content-disposition"))
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            if part.get_filename():
                files[name] = (str(part.get_filename()), content)
            else:
                form[name] = content.decode()
    query = parse_qsl(parts.query, keep_blank_values=True)
    return Asked(handler.command, parts.path, query, dict(handler.headers), form, files, said)


def number_of(pattern: str, path: str) -> str:
    """The number in a path of this shape; empty if it is of another."""
    found = re.fullmatch(pattern, path)
    return found[1] if found else ""
