"""What the rules of an edition bring about: a digest for every case, and for every phase of the stored games.

A ruleset has a file. Its head names the edition and the versions that its results are stored in; each line names an
input by its digest and the result by its own. A line is written once for an edition: while its number and the versions
stay, the same input must lead to the same result. The last lines of the head say how earlier editions ended.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from campaign.engine.adjudication import Resolution
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.value import encode
from campaign.game.casebook import Found, Played, check_case, find_cases
from campaign.game.loading import find_scenario, scenario_files
from campaign.game.store import encode_events, encode_state
from tests.laws.games import RULES
from tests.playthroughs.games import GAMES, Playthrough

FOLDER = Path(__file__).parent / "editions"
CASES = (Path(__file__).parents[1] / "cases", Path(__file__).parents[1] / "toy" / "cases")
_EARLIER = "before: "


class ResultChanged(Exception):
    """An input leads to another result than the edition has for it."""


@dataclass(frozen=True)
class Results:
    """What an edition brings about."""

    head: str
    lines: Mapping[str, str]
    """By the name of an input: its digest and that of the result."""
    earlier: tuple[str, ...] = ()
    """Of each earlier edition its head, and a digest of all its lines."""

    def text(self) -> str:
        lines = (f"{digests} {name}" for name, digests in self.lines.items())
        return "\n".join([self.head, *(_EARLIER + each for each in self.earlier), *lines]) + "\n"

    @property
    def ending(self) -> str:
        """How the edition is remembered."""
        return f"{self.head} {_short(self.text().encode())}"


def results(rules: Ruleset[Any, Any]) -> Results:
    """What the rules bring about today."""
    head = f"edition {rules.edition}, states {rules.state_version}, events {rules.event_version}"
    cases = [found for found in find_cases(CASES, rulesets=RULES) if found.rules.key == rules.key]
    lines = {found.name: " ".join([_case_input(found), *_case_result(found)]) for found in cases}
    for game in GAMES:
        if game.loaded.rules.key == rules.key:
            lines |= dict(_phases(game))
    return Results(head, lines)


def kept(rules: Ruleset[Any, Any]) -> Results | None:
    """What was kept of the newest edition; None if nothing was."""
    path = FOLDER / f"{rules.key}.txt"
    if not path.exists():
        return None
    head, *rest = path.read_text(encoding="utf-8").splitlines()
    earlier = [line.removeprefix(_EARLIER) for line in rest if line.startswith(_EARLIER)]
    lines = (line.split(" ", 2) for line in rest if not line.startswith(_EARLIER))
    return Results(head, {name: f"{given} {result}" for given, result, name in lines}, tuple(earlier))


def changed(before: Results, today: Results) -> list[str]:
    """The names of inputs that are the same and lead to another result, although edition and versions are the same."""
    if before.head != today.head:
        return []
    known = dict(digests.split(" ") for digests in before.lines.values())
    found = ((name, *digests.split(" ")) for name, digests in today.lines.items())
    return [name for name, given, result in found if known.get(given, result) != result]


def keep(rules: Ruleset[Any, Any]) -> None:
    """Write down what the rules bring about; raises ResultChanged if that takes another edition."""
    before, today = kept(rules), results(rules)
    earlier: tuple[str, ...] = ()
    if before is not None:
        if names := changed(before, today):
            raise ResultChanged(f"raise the edition of {rules.key}: {', '.join(names[:20])}")
        same = before.head == today.head
        earlier = before.earlier if same else (*before.earlier, before.ending)
    FOLDER.mkdir(exist_ok=True)
    newest = Results(today.head, today.lines, earlier)
    (FOLDER / f"{rules.key}.txt").write_text(newest.text(), encoding="utf-8")


def _case_input(found: Found) -> str:
    """All that a case puts in, without its title and what it expects."""
    phases = [(phase.orders, phase.reports, phase.dice, phase.rulings) for phase in found.case.phase]
    charts = _charts(find_scenario(found.charts, beside=found.file.parent))
    return _short(encode([found.case.position, phases, charts]))


@cache
def _charts(folder: Path) -> str:
    """A digest of all that a scenario's folder says but for what is only read by people."""
    return _short(encode({name: text for name, text in scenario_files(folder).items() if not name.endswith(".md")}))


def _case_result(found: Found) -> Iterator[str]:
    yield _short(b"".join(_played(played) for played in check_case(found).phases))


def _played(played: Played) -> bytes:
    return _bytes(played.resolution) if played.resolution else b"refused"


def _phases(game: Playthrough) -> Iterator[tuple[str, str]]:
    """The phases of a game; each depends on its scenario, the state before it and its sheets."""
    charts = _charts(game.at)
    for number, phase in enumerate(game.plays(game.loaded), 1):
        given = _short(encode([charts, number, phase.sheets]) + encode_state(phase.before))
        yield f"{game.scenario} {number}", f"{given} {_short(_bytes(phase.resolution))}"


def _bytes(resolution: Resolution[Any]) -> bytes:
    return encode_state(resolution.state) + encode_events(resolution.events)


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
