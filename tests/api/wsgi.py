"""The whole HTTP stack in this process: a request goes through the WSGI handler and all middleware."""

from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from wsgiref.util import setup_testing_defaults

from django.core.handlers.wsgi import WSGIHandler

from campaign.game.through import Reply


def through_wsgi(method: str, address: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
    """The answer of this project to a request, as a server gives it."""
    url, sent = urlsplit(address), body or b""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": url.path,
        "QUERY_STRING": url.query,
        "HTTP_HOST": url.netloc,
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(sent)),
        "wsgi.input": BytesIO(sent),
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
    if "Content-Type" in headers:
        environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE")
    setup_testing_defaults(environ)
    begun: list[tuple[str, list[tuple[str, str]]]] = []
    start: Callable[..., None] = lambda status, given, *_: begun.append((status, given))  # noqa: E731
    answer = _handler()(environ, start)  # type: ignore[arg-type]
    content = b"".join(answer)
    ((status, given),) = begun
    return Reply(int(status.split()[0]), {name.lower(): value for name, value in given}, content)


@cache
def _handler() -> WSGIHandler:
    return WSGIHandler()
