"""Whole games as older releases played them: scenario, first state, every sheet, and a digest of each result."""

import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.dice import KeyedDice, mix
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, audience_of
from campaign.game.store import decode_state, encode_events, encode_state

FOLDER = Path(__file__).parent / "games"
SINCE: Mapping[str, object] = {"establishment": 100}
"""Fields that states and events have now and had not then, with the value that means what was meant then."""


class KeptPhase(msgspec.Struct, frozen=True):
    """A phase's sheets by audience, and the digests of the state and the events that they led to."""

    sheets: Mapping[Audience, str]
    state: str
    events: str


class KeptGame(msgspec.Struct, frozen=True):
    """A game of bots from its first phase to its last; the resolver decided its battles."""

    ruleset: str
    edition: int
    state_version: int
    files: Mapping[str, str]
    """Its scenario, as a campaign keeps it."""
    start: msgspec.Raw
    """Its first state, as it was stored."""
    phases: tuple[KeptPhase, ...]


def kept_games() -> list[Path]:
    return sorted(FOLDER.glob("*.json.xz"))


def read(path: Path) -> KeptGame:
    """A game as it was kept."""
    return msgspec.json.decode(lzma.decompress(path.read_bytes()), type=KeptGame)


def write(path: Path, game: KeptGame) -> None:
    """Keep a game."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(lzma.compress(msgspec.json.encode(game), preset=9 | lzma.PRESET_EXTREME))


def play_again(rules: Ruleset[Any, Any], game_data: Any, game: KeptGame) -> Iterator[Resolution[Any]]:
    """Its phases, resolved by the rules of today from its first state and its sheets."""
    state = decode_state(rules, bytes(game.start), version=game.state_version)
    for lock, phase in enumerate(game.phases, 1):
        resolution = resolve(rules, game_data, state, phase.sheets, lock)
        yield resolution
        state = resolution.state


def resolve(
    rules: Ruleset[Any, Any], game_data: Any, state: Any, sheets: Mapping[Audience, str], lock: int
) -> Resolution[Any]:
    """A phase, with dice that follow from the number of its lock alone."""
    orders = {
        who: read_side(
            rules, game_data, state_known_to(state, who), who, [DeskSheet(text)], phase=rules.now(state)
        ).lines
        for who, text in sheets.items()
    }
    audiences = (GM, PUBLIC, *map(audience_of, rules.sides))
    dice = KeyedDice(
        campaign="kept", lock=lock, mix=mix({}), seeds={each: f"kept|{each}".encode() for each in audiences}
    )
    return adjudicate(rules, game_data, state, orders, dice=dice)


def digests_then(game: KeptGame, resolution: Resolution[Any]) -> tuple[str, str]:
    """The digests of a state and its events as the older release would have written them.

    It wrote the answers to all its options, which stay the same in a game.
    """
    state = json.loads(encode_state(resolution.state))
    state["open"]["options"] = json.loads(bytes(game.start))["open"]["options"]
    return digest_then(state), digest_then(json.loads(encode_events(resolution.events)))


def digest_then(raw: Any) -> str:
    """SHA-256 of plain JSON in its canonical form, without the fields that there are since."""
    then = json.dumps(_without_since(raw), separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(then.encode()).hexdigest()


def _without_since(raw: Any) -> Any:
    if isinstance(raw, list):
        return [_without_since(each) for each in raw]
    if isinstance(raw, dict):
        return {name: _without_since(part) for name, part in raw.items() if SINCE.get(name, ...) != part}
    return raw
