"""JSON in and out: bodies become typed values, and answers are encoded from them."""

from dataclasses import dataclass
from typing import IO, Any, TypeVar

import msgspec
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from campaign.engine.values.value import encode

T = TypeVar("T")
JSON = "application/json"


@dataclass(frozen=True)
class File:
    """A file as an answer."""

    content: bytes
    media_type: str


class Body(bytes):
    """A request's body before it is decoded as what its operation takes."""


class JsonParser(BaseParser):
    media_type = JSON

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Any = None) -> Any:
        """The body as it came: what it should be depends on the operation."""
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise RequestDataTooBig
        return Body(body)


class JsonRenderer(BaseRenderer):
    media_type = JSON
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else encode(data)


class FileRenderer(JsonRenderer):
    """For addresses of files, which are sent as they are. What is refused there is refused in JSON."""

    media_type = "*/*"


def decoded(body: object, kind: type[T]) -> T:
    """A request's body as a value of this type; ParseError says what is wrong and where."""
    if not isinstance(body, Body):  # there was none
        raise ParseError("This request needs a JSON body.")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise ParseError(f"The body does not have the form that is asked for: {error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ParseError(f"The body is not valid JSON: {error}.") from error
