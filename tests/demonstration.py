"""The demonstration's sheets resolved by the rules only: no database, no people, its own dice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaign.engine.adjudication import Resolution, adjudicate, asked
from campaign.engine.dice import KeyedDice, mix, seed
from campaign.engine.display.views import View
from campaign.engine.orders.notation import decode_text
from campaign.engine.orders.order import Checked, Placed, Sheet, merged
from campaign.engine.phases import Orders
from campaign.engine.sheets import DeskSheet, check_side, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, PhaseKey, audience_of
from campaign.game.beginning import first_state
from campaign.game.loading import Loaded, find_scenario, load_scenario
from campaign.game.store import digest
from campaign.game.turn_package import TurnPackage, audiences, turn_packages
from gm.demo import CAMPAIGN, SCENARIO, stand
from orders.answers import Answer

_MASTER_SEED = b"fieldpost: the demonstration"


@dataclass(frozen=True)
class Answered:
    """One version of a sheet and its answer."""

    audience: Audience
    version: int
    text: str
    answer: str


@dataclass(frozen=True)
class PlayedPhase:
    """A resolved phase of the demonstration."""

    date: str
    key: PhaseKey
    title: str
    answers: tuple[Answered, ...]
    resolution: Resolution[Any]
    packages: tuple[TurnPackage, ...]


def play(*, pictures: bool = True) -> Iterator[PlayedPhase]:
    """The phases of the demonstration from the opening on, while there are sheets for them."""
    folder = find_scenario(SCENARIO)
    loaded = load_scenario(folder)
    base = loaded.rules.base_map(loaded.scenario.game_data)
    state, lock = first_state(loaded, {}), 1
    before: dict[Audience, list[View]] = {}
    while True:
        phase = _resolve(loaded, base, state, before, lock=lock, sheets=folder / "demo", pictures=pictures)
        if phase is None:
            return
        yield phase
        state, lock = phase.resolution.state, lock + 1
        before = {package.audience: [package.view] for package in phase.packages}


def _resolve(
    loaded: Loaded,
    base: Any,
    state: Any,
    before: Mapping[Audience, Sequence[View]],
    *,
    lock: int,
    sheets: Path,
    pictures: bool,
) -> PlayedPhase | None:
    """The phase of a state; None if its sheets are missing. `before` has the Views of the last phase."""
    rules, game_data = loaded.rules, loaded.scenario.game_data
    phase, date = rules.phase(rules.now(state)), rules.moment(state).in_files
    if not all(_versions(sheets, date, phase.key, who) for who in asked(rules, state)):
        return None
    orders, answers = read_sheets(loaded, state, sheets)
    contributions = {answer.audience: digest(answer.text.encode()) for answer in answers}
    resolution = adjudicate(rules, game_data, state, orders, dice=dice_for(loaded, lock, contributions))
    packages = turn_packages(rules, game_data, base, resolution, before=before, pictures=pictures)
    return PlayedPhase(date, phase.key, phase.title, answers, resolution, packages)


def read_sheets(loaded: Loaded, state: Any, sheets: Path) -> tuple[Orders, tuple[Answered, ...]]:
    """The orders for the phase of a state, from a folder of sheets, and the answer to every version."""
    phase = loaded.rules.phase(loaded.rules.now(state))
    orders: dict[Audience, Sequence[Placed]] = {}
    answers: list[Answered] = []
    for who in sorted(asked(loaded.rules, state)):
        for number, data in enumerate(_versions(sheets, loaded.rules.moment(state).in_files, phase.key, who), 1):
            lines, answer = _check(loaded, state, who, data)
            answers.append(Answered(who, number, data.decode("utf-8", "replace"), answer))
            orders[who] = lines
    return orders, tuple(answers)


def dice_for(loaded: Loaded, lock: int, contributions: Mapping[Audience, str]) -> KeyedDice:
    """The dice of a lock, mixed from the digests of the sides' sheets."""
    seeds = {who: seed(_MASTER_SEED, campaign=CAMPAIGN, audience=who, lock=lock) for who in audiences(loaded.rules)}
    given: dict[str, str] = {side: contributions.get(audience_of(side), "none") for side in loaded.rules.sides}
    return KeyedDice(campaign=CAMPAIGN, lock=lock, mix=mix(given), seeds=seeds)


def _versions(sheets: Path, date: str, phase: PhaseKey, who: Audience) -> list[bytes]:
    """All versions of a sheet in order; the last one counts."""
    return [path.read_bytes() for path in sorted(sheets.glob(f"{date}-{phase.replace('_', '-')}-{who}.*.txt"))]


def _check(loaded: Loaded, state: Any, who: Audience, data: bytes) -> tuple[Sequence[Placed], str]:
    """A sheet's orders, and the answer to it."""
    rules, game_data = loaded.rules, loaded.scenario.game_data
    known = state_known_to(state, who)
    text = decode_text(data)
    sheet = read_side(
        rules, game_data, known, who, [DeskSheet("" if isinstance(text, Sheet) else text)], phase=rules.now(state)
    )
    unread = Checked(problems=text.problems if isinstance(text, Sheet) else ())
    checked = merged(unread, check_side(rules, game_data, known, sheet))
    return sheet.lines, Answer(checked.understood, checked.problems, ready=False).text + "\n"


def stand_unheard() -> None:
    """The demonstration as the command leaves it in the database, with nobody to hear how far it is."""
    stand(lambda _line: None)
