"""Engine values to stored bytes and back: canonical JSON with versions and upgrades.

Only this module writes and reads stored engine values. It upgrades a state, event, ruling, View, outcomes or report
that an older release wrote step by step, and refuses one from a newer release. States and events have the versions of
their ruleset, in columns of their rows; Views, outcomes and reports name their version.
"""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from campaign.engine.display.outcomes import OUTCOMES_UPGRADES, OUTCOMES_VERSION, Outcomes
from campaign.engine.display.views import VIEW_UPGRADES, VIEW_VERSION, View
from campaign.engine.facts import Event
from campaign.engine.phases import Ruling
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.value import Upgrade, Value, decode, encode, upgraded
from campaign.reports.document import DOCUMENT_UPGRADES, DOCUMENT_VERSION, Document


def encode_state(state: Any) -> bytes:
    """A state, or a player's state, as canonical JSON."""
    return encode(state)


def decode_state(rules: Ruleset[Any, Any], data: bytes, *, version: int) -> Any:
    """A stored state of this ruleset, upgraded from the version it was written in.

    Raises EngineError for a version that has no upgrade, `msgspec.ValidationError` for invalid bytes.
    """
    if version == rules.state_version:
        return decode(data, rules.state_type)
    raw, what = msgspec.json.decode(data), f"a state of {rules.key}"
    newest = upgraded(raw, rules.upgrades, what=what, version=version, to=rules.state_version)
    return msgspec.convert(newest, rules.state_type)


def encode_events(events: Iterable[Event[Any]]) -> bytes:
    """Events with their facts and disclosures as canonical JSON."""
    return encode(tuple(events))


def decode_events(rules: Ruleset[Any, Any], data: bytes, *, version: int) -> tuple[Event[Any], ...]:
    """Stored events of this ruleset, upgraded from the version they were written in.

    Raises EngineError for a version that has no upgrade, `msgspec.ValidationError` for invalid bytes.
    """
    events: tuple[Event[Any], ...]
    if version == rules.event_version:
        events = decode(data, _events_of(rules))
    else:
        newest = [_upgraded_event(rules, raw, version) for raw in msgspec.json.decode(data)]
        events = msgspec.convert(newest, _events_of(rules))
    return events


def _events_of(rules: Ruleset[Any, Any]) -> Any:
    return tuple[Event[rules.fact_type], ...]  # type: ignore[name-defined]


def _upgraded_event(rules: Ruleset[Any, Any], raw: Any, version: int) -> Any:
    what = f"an event of {rules.key}"
    return upgraded(raw, rules.event_upgrades, what=what, version=version, to=rules.event_version)


def decode_ruling(rules: Ruleset[Any, Any], *, at: str, fact: Any, reason: str, version: int) -> Ruling:
    """A stored ruling, its fact as plain JSON, upgraded from the version it was written in.

    Raises what `decode_events` raises.
    """
    raw = {"phase": at, "rule": "GM", "fact": fact, "faces": {}, "ruling": reason}
    event: Event[Any] = msgspec.convert(_upgraded_event(rules, raw, version), Event[rules.fact_type])  # type: ignore[name-defined]
    return Ruling(event.phase, event.fact, event.ruling)


def encode_view(view: View) -> bytes:
    """A View as canonical JSON, with its version."""
    return encode(view)


def decode_view(data: bytes) -> View:
    """A stored View, upgraded from the version that it names; version 1 if it names none.

    Raises EngineError for a version that has no upgrade, `msgspec.ValidationError` for invalid bytes.
    """
    view: View = _decode_naming(data, View, VIEW_UPGRADES, what="a view", to=VIEW_VERSION)
    return view


def encode_outcomes(outcomes: Outcomes) -> bytes:
    """What became of a side's lines as canonical JSON, with its version."""
    return encode(outcomes)


def decode_outcomes(data: bytes) -> Outcomes:
    """Stored outcomes, upgraded from the version that they name; raises what `decode_view` raises."""
    found: Outcomes = _decode_naming(data, Outcomes, OUTCOMES_UPGRADES, what="outcomes", to=OUTCOMES_VERSION)
    return found


def encode_answers(answers: Mapping[str, str]) -> bytes:
    """The GM's answers to an audience, by the keys of the questions, as canonical JSON."""
    return encode(dict(answers))


def decode_answers(data: bytes) -> dict[str, str]:
    """Stored answers by the keys of their questions."""
    return msgspec.json.decode(data, type=dict[str, str])


def encode_document(document: Document) -> bytes:
    """A report as canonical JSON, with its version."""
    return encode(_StoredDocument(document))


def decode_document(data: bytes) -> Document:
    """A stored report, upgraded from the version that it names; raises what `decode_view` raises."""
    found: _StoredDocument = _decode_naming(
        data, _StoredDocument, DOCUMENT_UPGRADES, what="a report", to=DOCUMENT_VERSION
    )
    return found.document


class _StoredDocument(Value, frozen=True):
    document: Document
    version: int = DOCUMENT_VERSION


def _decode_naming(data: bytes, kind: Any, upgrades: Mapping[int, Upgrade], *, what: str, to: int) -> Any:
    """A stored value of this type, which names its version."""
    version = msgspec.json.decode(data, type=_Versioned).version
    if version == to:
        return decode(data, kind)
    newest = upgraded(msgspec.json.decode(data), upgrades, what=what, version=version, to=to)
    return msgspec.convert({**newest, "version": to}, kind)


class _Versioned(msgspec.Struct):
    """The version that a stored value names."""

    version: int = 1


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def pack(data: bytes) -> bytes:
    """Bytes as stored in a row: compressed. Digests are of the bytes before that."""
    return zlib.compress(data, 6)


def unpack(data: bytes | memoryview) -> bytes:
    """The inverse of `pack`."""
    return zlib.decompress(bytes(data))
