"""Scenario folders from disk: every error names file, line and cure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaign.engine.errors import ScenarioError
from campaign.engine.files import Source, source
from campaign.engine.ruleset import Ruleset, Scenario
from campaign.rulesets import RULESETS

SCENARIOS = Path(__file__).parent / "scenarios"
"""The scenarios that come with the project, by ruleset and slug: forum_campaign/ardennes-1944."""

RULESETS_FOLDER = Path(__file__).parent / "rulesets"

MOST_BYTES = 4 * 1024 * 1024
"""A larger file is no scenario's."""

_TEXTS = {".toml", ".json", ".csv", ".md"}


@dataclass(frozen=True)
class Loaded:
    """A scenario with the ruleset it is played by."""

    rules: Ruleset[Any, Any]
    scenario: Scenario[Any, Any]


def load_scenario(folder: Path, *, rulesets: Iterable[Ruleset[Any, Any]] = RULESETS) -> Loaded:
    """The scenario in a folder; raises ScenarioError if there is anything wrong with it."""
    return read_files(scenario_files(folder), rulesets=rulesets)


def read_files(files: Mapping[str, str], *, rulesets: Iterable[Ruleset[Any, Any]] = RULESETS) -> Loaded:
    """The scenario in these files, which names one of the rulesets; raises ScenarioError."""
    rules = _ruleset_of(source(files, "scenario.toml"), {rules.key: rules for rules in rulesets})
    return Loaded(rules, rules.read_scenario(files))


def scenario_files(folder: Path) -> dict[str, str]:
    """The text files of a scenario's folder by name."""
    if not folder.is_dir():
        raise ScenarioError("there is no such folder", file=str(folder), cure="Name a scenario's folder.")
    return {path.name: _text(path) for path in sorted(folder.iterdir()) if path.suffix in _TEXTS}


def find_scenario(name: str, *, beside: Path = Path()) -> Path:
    """The folder of a scenario by its name among those that come along, or by its path from a folder."""
    supplied = SCENARIOS / name
    return supplied if supplied.is_dir() else beside / name


def supplied_scenarios() -> Iterator[Path]:
    """The folders of all scenarios that come with the project."""
    yield from sorted(path.parent for path in SCENARIOS.glob("*/*/scenario.toml"))


def rule_texts(rules: Ruleset[Any, Any]) -> tuple[str, str]:
    """What players read of a ruleset: its rules, and the rulings on how they are read."""
    folder = RULESETS_FOLDER / rules.key
    return _text(folder / "RULES.md"), _text(folder / "RULINGS.md")


def _text(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        limit = f"{MOST_BYTES // 1024 // 1024} MB are the most"
        raise ScenarioError(f"the file is too large; {limit}", file=path.name, cure="Make it smaller.")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ScenarioError("this is no UTF-8 text", file=path.name, line=line, cure="Save it as UTF-8.") from error


def _ruleset_of(head: Source, known: Mapping[str, Ruleset[Any, Any]]) -> Ruleset[Any, Any]:
    """The ruleset that scenario.toml names, found before the file is read by that ruleset's own rules."""
    found = re.search(r'^\s*ruleset\s*=\s*["\']([^"\']*)["\']', head.text, re.MULTILINE)
    if found is None:
        head.refuse("no ruleset is named", cure=f'Add: ruleset = "{next(iter(known))}"')
    if found[1] not in known:
        line = head.text.count("\n", 0, found.start(1)) + 1
        head.refuse(f"there is no ruleset {found[1]!r}", line=line, cure=f"Name one of: {', '.join(sorted(known))}.")
    return known[found[1]]
