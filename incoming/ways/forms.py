"""The fields of a form that a provider sends, as bytes: a mail in one of them has any charset, or several.

Nothing within a field is taken apart, so that a form costs in proportion to its size.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial

MOST_FIELDS = 1000
LARGEST_HEAD = 4096
"""Bytes of the headers of a field that are read."""
_STEP = 3 * 4096
_BOUNDARY = re.compile(r";\s*boundary=\"?([^\";,\s]{1,200})", re.IGNORECASE)
_NAME = re.compile(rb";[ \t]*name=\"?([^\";\r\n]{1,100})", re.IGNORECASE)
_CUT = re.compile(rb"%[0-9A-Fa-f]?\Z")
"""An escape that goes on behind a step."""
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")

Field = Callable[[], bytes]
"""What gives the value of a field. Values are decoded only when somebody asks for them."""


class TooManyFields(Exception):
    """A form has more fields than any provider sends."""


def fields_of(body: bytes, content_type: str) -> Mapping[str, Field]:
    """The fields of a form, the last of each name; none of what is no form. Raises TooManyFields."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        return _in_a_row(body)
    boundary = _BOUNDARY.search(content_type)
    return _in_parts(body, boundary[1].encode("utf-8", "replace")) if kind == "multipart/form-data" and boundary else {}


def value_of(fields: Mapping[str, Field], name: str) -> bytes:
    """The value of a field; empty if it is missing."""
    return fields[name]() if name in fields else b""


def _in_a_row(body: bytes) -> Mapping[str, Field]:
    pairs = [each.partition(b"=") for each in _limited(body.split(b"&", MOST_FIELDS))]
    return {_as_text(_decoded(name[:LARGEST_HEAD])): partial(_decoded, value) for name, _, value in pairs}


def _in_parts(body: bytes, boundary: bytes) -> Mapping[str, Field]:
    delimiter = re.compile(rb"(?:\A|\r\n)--" + re.escape(boundary) + rb"(?:--|[ \t]*\r\n)")
    fields: dict[str, Field] = {}
    for part in _limited(delimiter.split(body, MOST_FIELDS))[1:]:
        head, gap, value = part.partition(b"\r\n\r\n")
        name = _NAME.search(head[:LARGEST_HEAD])
        if gap and name:
            fields[_as_text(name[1])] = partial(bytes, value)
    return fields


def _limited(found: list[bytes]) -> list[bytes]:
    if len(found) > MOST_FIELDS:
        raise TooManyFields
    return found


def _as_text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _decoded(value: bytes) -> bytes:
    """A value without its escapes, step by step: the library's function needs fifty times the memory."""
    done, at = bytearray(), 0
    while at < len(value):
        step = value[at : at + _STEP]
        cut = _CUT.search(step) if at + _STEP < len(value) else None
        step = step[: cut.start()] if cut else step
        done += _ESCAPED.sub(lambda found: bytes((int(found[1], 16),)), step.replace(b"+", b" "))
        at += len(step)
    return bytes(done)
