"""The canonical snapshot of a campaign and its SHA-256, compared with the standard library's JSON of the same data."""

import hashlib
import json
from collections.abc import Iterator

import msgspec

from campaign.game.store import digest, encode_events, encode_state
from tests.bench.measure import NO_LIMIT, Figure, milliseconds, ratio
from tests.bench.scene import UNITS, crowded, game

_LINES = 600
"""The number of events: about that of a log of some days."""


def figures() -> Iterator[Figure]:
    state = crowded(UNITS)
    events = tuple(event for phase in game() for event in phase.resolution.events)[:_LINES]
    plain = msgspec.to_builtins((state, events))

    def ours() -> tuple[str, str]:
        return digest(encode_state(state)), digest(encode_events(events))

    def stdlib() -> list[str]:
        texts = (json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for part in plain)
        return [hashlib.sha256(text.encode()).hexdigest() for text in texts]

    if [json.loads(encode_state(state)), json.loads(encode_events(events))] != json.loads(json.dumps(plain)):
        raise AssertionError("the two write different things")
    yield Figure("snapshot-and-digest", milliseconds(ours), "ms", NO_LIMIT)
    yield Figure("snapshot-and-digest-to-stdlib-json", ratio(ours, stdlib), "x", 0.2)
