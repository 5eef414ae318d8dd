"""The base of all engine values, and their one canonical form in bytes."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from campaign.engine.errors import EngineError

K = TypeVar("K")
V = TypeVar("V", bound="Value")
W = TypeVar("W")

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns a value stored as plain JSON in one version into the next version."""

_ENCODER = msgspec.json.Encoder(order="deterministic")


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen value: equal by content, refuses unknown fields when decoded."""


def encode(value: object) -> bytes:
    """Canonical JSON: keys sorted, no spaces, UTF-8. Equal values give equal bytes."""
    return _ENCODER.encode(value)


def decode(data: bytes, kind: Any) -> Any:
    """The inverse of `encode`, validated against `kind`; raises `msgspec.DecodeError`."""
    return msgspec.json.decode(data, type=kind)


def upgraded(raw: Any, upgrades: Mapping[int, Upgrade], *, what: str, version: int, to: int) -> Any:
    """Bring plain JSON forward from one version to another, step by step.

    Raises EngineError if a step is missing, or if the version is newer than the one that is wanted.
    """
    if version > to or not all(step in upgrades for step in range(version, to)):
        raise EngineError(f"there is no upgrade of {what} from version {version} to {to}")
    for step in range(version, to):
        raw = upgrades[step](raw)
    return raw


def changed(values: Mapping[K, V], key: K, **changes: Any) -> dict[K, V]:
    """A copy of a mapping in which some fields of one value are changed; raises KeyError."""
    return {**values, key: replace(values[key], **changes)}


def without(mapping: Mapping[K, W], key: object) -> dict[K, W]:
    """A copy of a mapping without one key, if it has it."""
    return {each: value for each, value in mapping.items() if each != key}


def replace(value: V, **changes: Any) -> V:
    """A copy of a value with some fields changed."""
    return msgspec.structs.replace(value, **changes)
