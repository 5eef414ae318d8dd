"""The base of all engine values, and their one canonical form in bytes."""

from typing import Any, TypeVar

import msgspec

V = TypeVar("V", bound="Value")

_ENCODER = msgspec.json.Encoder(order="deterministic")


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen value: equal by content, refuses unknown fields when decoded."""


def encode(value: object) -> bytes:
    """Canonical JSON: keys sorted, no spaces, UTF-8. Equal values give equal bytes."""
    return _ENCODER.encode(value)


def decode(data: bytes, kind: Any) -> Any:
    """The inverse of `encode`, validated against `kind`; raises `msgspec.DecodeError`."""
    return msgspec.json.decode(data, type=kind)


def replace(value: V, **changes: Any) -> V:
    """A copy of a value with some fields changed."""
    return msgspec.structs.replace(value, **changes)
