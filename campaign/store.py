"""Engine values to stored bytes and back: canonical JSON, with the state's version and its upgrades.

The only writer and reader of stored engine values. A state written by an older release is brought forward step by
step; one written by a newer release is refused.
"""

import hashlib
import zlib
from collections.abc import Iterable
from typing import Any

import msgspec

from campaign.engine.errors import EngineError
from campaign.engine.facts import Event
from campaign.engine.ruleset import Ruleset
from campaign.engine.values import decode, encode


def encode_state(state: Any) -> bytes:
    """A state, or a slice, as canonical JSON."""
    return encode(state)


def decode_state(rules: Ruleset[Any, Any], data: bytes, *, version: int) -> Any:
    """A stored state of this ruleset, upgraded from the version it was written in.

    Raises EngineError for a version without a way to the present one, `msgspec.ValidationError` for other bytes.
    """
    if version == rules.state_version:
        return decode(data, rules.state_type)
    raw = msgspec.json.decode(data)
    while version != rules.state_version:
        if version not in rules.upgrades:
            raise EngineError(f"no upgrade of {rules.key} leads from state version {version} to {rules.state_version}")
        raw, version = rules.upgrades[version](raw), version + 1
    return msgspec.convert(raw, rules.state_type)


def encode_events(events: Iterable[Event[Any]]) -> bytes:
    """Events with their facts and faces as canonical JSON."""
    return encode(tuple(events))


def decode_events(rules: Ruleset[Any, Any], data: bytes) -> tuple[Event[Any], ...]:
    """The inverse of `encode_events`."""
    events: tuple[Event[Any], ...] = decode(data, tuple[Event[rules.fact_type], ...])  # type: ignore[name-defined]
    return events


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def pack(data: bytes) -> bytes:
    """Bytes as they are kept in a row: compressed. Digests are taken of the bytes themselves."""
    return zlib.compress(data, 6)


def unpack(data: bytes | memoryview) -> bytes:
    """The inverse of `pack`."""
    return zlib.decompress(bytes(data))
