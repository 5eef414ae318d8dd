"""Scenario folders from disk. Every error names the file, the line and what to do."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from campaign.engine.display.views import BaseMap
from campaign.engine.errors import ScenarioError
from campaign.engine.files import Source, line_in_toml, source
from campaign.engine.orders.lexicon import unprintable
from campaign.engine.ruleset import OpenScenario, Ruleset, Scenario
from campaign.engine.values.ids import SideId
from campaign.engine.values.value import replace
from campaign.game.briefing import briefed_sides, require_briefings
from campaign.game.guide import require_guides
from campaign.maps.drawing.sizes import WIDTHS
from campaign.maps.land.backdrop import Unusable, look_at
from campaign.maps.land.projection import fit
from campaign.rulesets import RULESETS
from campaign.secrecy import truth

SCENARIOS = Path(__file__).parents[1] / "scenarios"
"""The supplied scenarios, by ruleset and slug: forum_campaign/ardennes-1944."""

RULESETS_FOLDER = Path(__file__).parents[1] / "rulesets"

MOST_BYTES = 4 * 1024 * 1024
"""The largest scenario file, in bytes."""

MOST_PICTURE_BYTES = 8 * 1024 * 1024
"""The largest picture under a map, in bytes."""

_TEXTS = {".toml", ".json", ".csv", ".md"}
_SHARED = _TEXTS - {".md"}
_PICTURES = {".png", ".jpg", ".jpeg", ".webp"}
_LONGEST_FILE_NAME = 100


@dataclass(frozen=True)
class Loaded:
    """What everybody knows of a scenario, with its ruleset."""

    rules: Ruleset[Any, Any]
    scenario: OpenScenario[Any]
    picture: bytes = b""
    """The picture under its map; empty: it has none."""
    briefed: frozenset[SideId] = frozenset()
    """The sides that have a briefing. What it says is that side's alone."""

    @cached_property
    def base_map(self) -> BaseMap:
        """The map under all maps of the scenario, the same for every audience."""
        base: BaseMap = self.rules.base_map(self.scenario.game_data)
        return replace(base, backdrop=base.backdrop and replace(base.backdrop, picture=self.picture))


@dataclass(frozen=True)
class WithStart(Loaded):
    """A whole scenario with its ruleset: what both sides begin with is in it."""

    scenario: Scenario[Any, Any]
    position: str = ""
    """The position with which a campaign begins, if its GM entered one; empty: the scenario's start."""

    @property
    def open(self) -> Loaded:
        """What everybody knows of it."""
        return Loaded(self.rules, self.scenario.open, self.picture, self.briefed)


ENTERED = "entered/position.csv"
"""The name, among the files of a campaign's scenario, of a position that its GM entered. No folder has such a file."""

START = "the start of a scenario"
"""The guard's name for what both sides begin with."""


def load_scenario(folder: Path, *, rulesets: Iterable[Ruleset[Any, Any]] = RULESETS) -> WithStart:
    """The scenario in a folder; raises ScenarioError if anything is wrong with it, and Breach as `read_files` does."""
    files = scenario_files(folder)
    loaded = read_files(files, scenario_picture(folder, files), rulesets=rulesets)
    require_new(loaded, files)
    return loaded


def require_new(loaded: WithStart, files: Mapping[str, str]) -> None:
    """Raise ScenarioError for what a new campaign may not have, or lacks to show its players all that they need.

    Only a campaign that an older release created may have such a start.
    """
    if loaded.scenario.outdated is not None:
        raise loaded.scenario.outdated
    require_maps(loaded, files)
    require_briefings(files, loaded.rules, loaded.scenario.game_data)
    require_guides(files, loaded.rules, loaded.scenario.game_data, loaded.scenario.start)


def require_maps(loaded: Loaded, files: Mapping[str, str]) -> None:
    """Raise ScenarioError unless the scenario's map can be drawn at every width that a reader may ask for.

    This depends only on the map's shape, so no page of a campaign that was created can fail for it. A campaign that
    an older release created plays on, with the maps that can be drawn.
    """
    for width in WIDTHS:
        try:
            fit(loaded.base_map, width)
        except ValueError as error:
            file = "map.json" if "map.json" in files else "scenario.toml"
            cure = "Make the map wider, or less high."
            raise ScenarioError(f"its map cannot be drawn: {error}", file=file, cure=cure) from error


def read_files(
    files: Mapping[str, str], picture: bytes = b"", *, rulesets: Iterable[Ruleset[Any, Any]] = RULESETS
) -> WithStart:
    """The scenario in these files, which name one of the rulesets, with the picture under its map if they name one.

    Raises ScenarioError; and Breach while somebody other than the GM is answered or written to, as its start is in it.
    """
    truth.require_open(START)
    head = source(files, "scenario.toml")
    rules = _ruleset_of(head, {rules.key: rules for rules in rulesets})
    briefed = briefed_sides(files, rules)
    loaded = WithStart(rules, rules.read_scenario(files), picture, briefed, position=files.get(ENTERED, ""))
    if name := background_name(files):
        try:
            look_at(loaded.base_map)
        except Unusable as error:
            _refuse_picture(head, name, str(error), error.cure)
    return loaded


def scenario_files(folder: Path) -> dict[str, str]:
    """The text files of a scenario's folder by name, and the charts that it shares with other scenarios."""
    if not folder.is_dir():
        raise ScenarioError("there is no such folder", file=str(folder), cure="Name a scenario's folder.")
    files = {path.name: _text(path) for path in sorted(folder.iterdir()) if path.suffix in _TEXTS}
    head = _head_in(files)
    return _shared_tables(head) | files | _shared_charts(head)


def _shared_tables(head: Mapping[str, Any]) -> dict[str, str]:
    """The map, units and tables of the supplied scenario that scenario.toml is based on, if it names one.

    Files of its own of the same names replace them. What sides read of the other scenario is not shared.
    """
    folders = (path.parent for path in _heads() if path.parts[-3] == head.get("ruleset"))
    base = next((folder for folder in folders if folder.name == head.get("based_on")), None)
    if base is None:
        return {}
    names = (path for path in sorted(base.iterdir()) if path.suffix in _SHARED and path.name != "scenario.toml")
    return {path.name: _text(path) for path in names}


def _shared_charts(head: Mapping[str, Any]) -> dict[str, str]:
    """The charts of its ruleset that scenario.toml names, as charts/<name>.toml; none if there are no such charts."""
    supplied = (path for path in SCENARIOS.glob("*/charts/*.toml") if path.parts[-3] == head.get("ruleset"))
    return {f"charts/{path.name}": _text(path) for path in supplied if path.stem == head.get("charts")}


def _head_in(files: Mapping[str, str]) -> Mapping[str, Any]:
    """What scenario.toml says; nothing if it cannot be read, which its ruleset reports."""
    try:
        return tomllib.loads(files.get("scenario.toml", ""))
    except (ValueError, RecursionError):
        return {}


def background_name(files: Mapping[str, str]) -> str:
    """The name of the picture under a scenario's map, from scenario.toml; empty if there is none."""
    raw = _head_in(files).get("background")
    name = raw.get("file") if isinstance(raw, dict) else None
    return name if isinstance(name, str) else ""


def scenario_picture(folder: Path, files: Mapping[str, str]) -> bytes:
    """The picture under a scenario's map, from its folder; empty if the scenario names none.

    Raises ScenarioError if the name is not that of a picture in this folder, or if the file is missing.
    """
    name = background_name(files)
    if not name:
        return b""
    head, path = source(files, "scenario.toml"), folder / name
    if Path(name).name != name or "\\" in name or unprintable(name) or len(name) > _LONGEST_FILE_NAME:
        cure = "Put the picture next to scenario.toml, and write only its name."
        _refuse_picture(head, name, "this is no name of a file in the scenario's folder", cure)
    if path.suffix.lower() not in _PICTURES:
        _refuse_picture(head, name, "by its name this is no picture", "Save it as .png, .jpg or .webp.")
    if path.is_symlink():
        _refuse_picture(head, name, "this is a link", "Put the picture itself into the scenario's folder.")
    if not path.is_file():
        cure = "Put it there, or correct the name: capitals count."
        _refuse_picture(head, name, "there is no such picture in the scenario's folder", cure)
    if path.stat().st_size > MOST_PICTURE_BYTES:
        limit = f"{MOST_PICTURE_BYTES // 1024 // 1024} MB are the most"
        _refuse_picture(head, name, f"the file is too large; {limit}", "Make it smaller, or save it as JPEG.")
    return path.read_bytes()


def _refuse_picture(head: Source, name: str, what: str, cure: str) -> NoReturn:
    head.refuse(f"background {name!r}: {what}", line=line_in_toml(head.text, ["background", "file"]), cure=cure)


def find_scenario(name: str, *, beside: Path = Path()) -> Path:
    """The folder of a supplied scenario by name, or of any scenario by its path from a folder."""
    supplied = SCENARIOS / name
    return supplied if supplied.is_dir() else beside / name


def supplied_scenarios() -> Iterator[Path]:
    """The folders of all supplied scenarios: those of the rulesets in the list."""
    known = {rules.key for rules in RULESETS}
    yield from (path.parent for path in _heads() if path.parts[-3] in known)


def _heads() -> list[Path]:
    """The scenario.toml of each scenario that is here."""
    return sorted(SCENARIOS.glob("*/*/scenario.toml"))


def rule_texts(rules: Ruleset[Any, Any]) -> tuple[str, str]:
    """What players read of a ruleset: its rules, and the rulings on them."""
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
    """The ruleset that scenario.toml names, read before that ruleset's own rules read the file."""
    found = re.search(r'^\s*ruleset\s*=\s*["\']([^"\']*)["\']', head.text, re.MULTILINE)
    if found is None:
        head.refuse("no ruleset is named", cure=f'Add: ruleset = "{next(iter(known))}"')
    if found[1] not in known:
        line = head.text.count("\n", 0, found.start(1)) + 1
        head.refuse(f"there is no ruleset {found[1]!r}", line=line, cure=f"Name one of: {', '.join(sorted(known))}.")
    return known[found[1]]
