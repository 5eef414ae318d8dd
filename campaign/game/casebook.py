"""Cases: rule examples as data, and the one runner that checks them (the format: tests/cases/README.md)."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from campaign.engine.adjudication import Resolution, adjudicate, asked
from campaign.engine.dice import ScriptedDice
from campaign.engine.errors import EngineError, ScenarioError
from campaign.engine.facts import Event, disclose
from campaign.engine.orders.order import Checked, Placed, Severity, merged
from campaign.engine.phases import Ruling
from campaign.engine.ruleset import Ruleset, Scenario
from campaign.engine.sheets import DeskSheet, check_side, read_battle, read_side, report_lines
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, PhaseKey
from campaign.engine.values.value import Value
from campaign.game.loading import find_scenario, scenario_files
from campaign.rulesets import RULESETS


class CaseRuling(Value, frozen=True):
    at: PhaseKey
    fact: Mapping[str, Any]
    reason: str


class CaseReport(Value, frozen=True):
    """A player's report of one battle, checked by what their side knows when the phase begins."""

    battle: str
    text: str


class Expected(Value, frozen=True):
    """What must hold after a phase. Fields that are left out are not checked."""

    phase: str | None = None
    state: Mapping[str, Any] = {}
    """Parts of the state by dotted path: open.fuel, own.german.units.1 SS.at."""
    problems: Mapping[str, tuple[str, ...]] = {}
    """By the writer of a sheet: all errors and warnings as `line code`, in order."""
    notices: Mapping[str, tuple[str, ...]] = {}
    """Notices as `code`, or as `code: message`, in order: all that have one of these codes."""
    reports: Mapping[str, tuple[str, ...]] = {}
    """By the writer of a report: the same."""
    understood: Mapping[str, tuple[str, ...]] = {}
    """How all lines of a report are read, in order."""
    events: tuple[Mapping[str, Any], ...] = ()
    """Facts that happen in this order, with others between them allowed; a table names what must match."""
    absent: tuple[Mapping[str, Any], ...] = ()
    """Facts that must not happen."""
    disclosed: Mapping[str, tuple[Mapping[str, Any], ...]] = {}
    """What an audience is told, in this order, with more between them allowed."""
    undisclosed: Mapping[str, tuple[Mapping[str, Any], ...]] = {}
    """What an audience must not be told."""
    log: Mapping[str, tuple[str, ...]] = {}
    """Texts in an audience's report, in this order."""
    why: Mapping[str, tuple[str, ...]] = {}
    """Texts in the reasons of an audience's report, in this order."""
    briefs: Mapping[str, tuple[str, ...]] = {}
    """Texts in what an audience is told of pending battles; a table's row is its cells with commas."""
    unbriefed: Mapping[str, tuple[str, ...]] = {}
    """Texts that must not occur there."""
    error: str = ""
    """A part of the error with which the adjudication is refused."""


class CasePhase(Value, frozen=True):
    """One adjudication: sheets in, expectations out."""

    orders: Mapping[str, str] = {}
    reports: Mapping[str, CaseReport] = {}
    dice: Mapping[str, tuple[int, ...]] = {}
    rulings: tuple[CaseRuling, ...] = ()
    expect: Expected = Expected()


class Case(Value, frozen=True):
    """A position, and one phase or several in a row."""

    id: str
    title: str
    rule: str
    position: Mapping[str, Any]
    phase: tuple[CasePhase, ...]
    example: int | None = None
    """The number of the acceptance example that it shows."""
    ruling: int | None = None
    """The number of the interpretation in RULINGS.md that it rests on."""


class CaseFile(Value, frozen=True):
    ruleset: str
    charts: str
    """The scenario that gives the charts: forum_campaign/ardennes-1944, or a folder by its path from this file's."""
    case: tuple[Case, ...]
    map: Mapping[str, Mapping[str, Any]] = {}
    """Maps that several cases share, by name."""


@dataclass(frozen=True)
class Found:
    """A case with its place, and its ruleset."""

    file: Path
    case: Case
    rules: Ruleset[Any, Any]
    charts: str

    @property
    def name(self) -> str:
        return f"{self.file.stem}::{self.case.id}"


@dataclass(frozen=True)
class Failure:
    """What a case expected, and what it got."""

    expected: str
    found: str


@dataclass(frozen=True)
class Played:
    """A phase of a case as it was played."""

    sheets: Mapping[str, Checked]
    """By the writer of each sheet: what they were told of it."""
    reports: Mapping[str, Checked]
    """By the writer of each report of a battle: the same."""
    resolution: Resolution[Any] | None
    """None: the adjudication was refused."""
    refusal: str = ""


@dataclass(frozen=True)
class CaseResult:
    """The result of a case: its phases and its failures."""

    game_data: Any
    phases: tuple[Played, ...]
    failures: tuple[Failure, ...]


# --- finding cases ---------------------------------------------------------------------------------------------------


def find_cases(paths: Iterable[Path], *, rulesets: Sequence[Ruleset[Any, Any]] = RULESETS) -> Iterator[Found]:
    """All cases in these files and folders, by file name; raises ScenarioError for a file that holds no cases."""
    for path in paths:
        if not path.exists():
            raise ScenarioError("there is no such file or folder", file=str(path), cure="Name cases.")
        for file in sorted(path.rglob("*.toml")) if path.is_dir() else [path]:
            yield from _cases_in(file, {rules.key: rules for rules in rulesets})


def _cases_in(file: Path, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Iterator[Found]:
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
        book = msgspec.convert(raw, CaseFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ScenarioError(str(error), file=str(file), cure="See tests/cases/README.md.") from error
    if book.ruleset not in rulesets:
        cure = f"Name one of: {', '.join(sorted(rulesets))}."
        raise ScenarioError(f"there is no ruleset {book.ruleset!r}", file=str(file), cure=cure)
    for case in book.case:
        yield Found(file, _with_shared_map(case, book, file), rulesets[book.ruleset], book.charts)


def _with_shared_map(case: Case, book: CaseFile, file: Path) -> Case:
    """The case with its map: a position may name one of the file's maps and draw none."""
    named = case.position.get("map")
    if not isinstance(named, str):
        return case
    if named not in book.map:
        raise ScenarioError(f"{case.id}: there is no map {named!r}", file=str(file), cure="Define it under [map].")
    return msgspec.structs.replace(case, position={**case.position, "map": book.map[named]})


# --- running a case --------------------------------------------------------------------------------------------------


def run_case(found: Found) -> list[Failure]:
    """A case's failures; empty if it holds."""
    return list(check_case(found).failures)


def check_case(found: Found) -> CaseResult:
    """Play a case, and compare each phase with what it expects."""
    charts = find_scenario(found.charts, beside=found.file.parent)
    scenario = found.rules.read_case(found.case.position, scenario_files(charts))
    state = scenario.start
    phases: list[Played] = []
    failures: list[Failure] = []
    for phase in found.case.phase:
        played = _play(found.rules, scenario, state, phase)
        phases.append(played)
        failures += _compare(found.rules, scenario.game_data, phase, played)
        state = played.resolution.state if played.resolution else state
    return CaseResult(scenario.game_data, tuple(phases), tuple(failures))


def _play(rules: Ruleset[Any, Any], scenario: Scenario[Any, Any], state: Any, phase: CasePhase) -> Played:
    orders, sheets = _read_sheets(rules, scenario.game_data, state, phase)
    reports = _read_battles(rules, scenario.game_data, state, phase)
    dice = ScriptedDice(phase.dice)
    rulings = [Ruling(r.at, msgspec.convert(r.fact, rules.fact_type), r.reason) for r in phase.rulings]
    try:
        resolution = adjudicate(rules, scenario.game_data, state, orders, dice=dice, rulings=rulings)
    except EngineError as error:
        return Played(sheets, reports, None, str(error))
    return Played(sheets, reports, resolution)


def _read_sheets(
    rules: Ruleset[Any, Any], game_data: Any, state: Any, phase: CasePhase
) -> tuple[dict[Audience, Sequence[Placed]], dict[str, Checked]]:
    now = rules.now(state)
    orders: dict[Audience, Sequence[Placed]] = {}
    answers: dict[str, Checked] = {}
    for who, text in phase.orders.items():
        audience = Audience(who)
        known = state_known_to(state, audience)
        sheet = read_side(rules, game_data, known, audience, [DeskSheet(text)], phase=now)
        checks = audience in asked(rules, state)
        orders[audience] = sheet.lines
        answers[who] = (
            check_side(rules, game_data, known, sheet) if checks else merged(Checked(problems=sheet.problems))
        )
    return orders, answers


def _read_battles(rules: Ruleset[Any, Any], game_data: Any, state: Any, phase: CasePhase) -> dict[str, Checked]:
    """The answers to reports of battles; empty where battles are not played outside."""
    outside, kinds = rules.outside, report_lines(rules, rules.now(state))
    if outside is None:
        return {}
    answers: dict[str, Checked] = {}
    for who, report in phase.reports.items():
        audience = Audience(who)
        known = state_known_to(state, audience)
        sheet = read_battle(rules, game_data, known, battle=report.battle, text=report.text, kinds=kinds)
        checked = outside.check(game_data, known, audience, report.battle, sheet.orders)
        answers[who] = merged(Checked(problems=sheet.problems), checked)
    return answers


def _compare(rules: Ruleset[Any, Any], game_data: Any, phase: CasePhase, played: Played) -> Iterator[Failure]:
    yield from _compare_problems(phase.expect, played.sheets)
    yield from _compare_reports(phase, played.reports)
    expected, resolution = phase.expect.error, played.resolution
    if resolution is None:
        if not expected or expected not in played.refusal:
            yield Failure(expected or "an adjudication", f"error: {played.refusal}")
        return
    if expected:
        yield Failure(f"error: {expected}", "an adjudication")
    yield from _compare_outcome(rules, game_data, phase.expect, resolution.state, resolution.events)


def _compare_problems(expect: Expected, answers: Mapping[str, Checked]) -> Iterator[Failure]:
    for who, expected in expect.problems.items():
        problems = answers[who].problems if who in answers else ()
        serious = [p for p in problems if p.severity is not Severity.NOTICE]
        found = [f"{p.line} {p.code}" for p in serious]
        if found != list(expected):
            yield Failure(f"problems of {who}: {list(expected)}", f"{found}")
    for who, wanted in expect.notices.items():
        codes = {text.partition(":")[0] for text in wanted}
        problems = answers[who].problems if who in answers else ()
        notices = [p for p in problems if p.severity is Severity.NOTICE]
        given = [(p.code, f"{p.code}: {p.message}") for p in notices if p.code in codes or not codes]
        if len(given) != len(wanted) or any(text not in each for text, each in zip(wanted, given, strict=True)):
            yield Failure(f"notices to {who}: {list(wanted)}", f"{[f'{p.code}: {p.message}' for p in notices]}")


def _compare_reports(phase: CasePhase, answers: Mapping[str, Checked]) -> Iterator[Failure]:
    expect = phase.expect
    for who in phase.reports:
        if who not in answers:
            yield Failure(f"a report of {who}", "no battle of this ruleset is fought outside")
            continue
        problems = [f"{p.line} {p.code}" for p in answers[who].problems if p.severity is not Severity.NOTICE]
        if who in expect.reports and problems != list(expect.reports[who]):
            yield Failure(f"problems of the report of {who}: {list(expect.reports[who])}", f"{problems}")
        understood = [line.text for line in answers[who].understood]
        if who in expect.understood and understood != list(expect.understood[who]):
            yield Failure(f"understood of the report of {who}: {list(expect.understood[who])}", f"{understood}")


def _compare_outcome(
    rules: Ruleset[Any, Any], game_data: Any, expect: Expected, state: Any, events: Sequence[Event[Any]]
) -> Iterator[Failure]:
    if expect.phase is not None and rules.now(state) != expect.phase:
        yield Failure(f"phase {expect.phase}", rules.now(state))
    yield from _compare_state(expect, _plain(state))
    yield from _compare_facts("events", expect.events, expect.absent, [event.fact for event in events])
    for who in sorted({*expect.disclosed, *expect.undisclosed}):
        disclosures = [each.fact for each in disclose(events, Audience(who))]
        yield from _compare_facts(
            f"told to {who}", expect.disclosed.get(who, ()), expect.undisclosed.get(who, ()), disclosures
        )
    for who in sorted({*expect.log, *expect.why}):
        audience = Audience(who)
        view = rules.show(game_data, state_known_to(state, audience), audience, disclose(events, audience))
        reasons = [reason for line in view.log for reason in line.reasons]
        yield from _compare_texts(f"report of {who}", expect.log.get(who, ()), [line.text for line in view.log])
        yield from _compare_texts(f"why in the report of {who}", expect.why.get(who, ()), reasons)

    yield from _compare_briefs(rules, game_data, expect, state)


def _compare_briefs(rules: Ruleset[Any, Any], game_data: Any, expect: Expected, state: Any) -> Iterator[Failure]:
    for who in sorted({*expect.briefs, *expect.unbriefed}):
        lines = list(_briefed(rules, game_data, state, Audience(who)))
        for text in expect.briefs.get(who, ()):
            if not any(text in line for line in lines):
                yield Failure(f"brief of {who}: {text!r}", f"{lines}")
        for text in expect.unbriefed.get(who, ()):
            yield from (Failure(f"brief of {who} without {text!r}", line) for line in lines if text in line)


def _briefed(rules: Ruleset[Any, Any], game_data: Any, state: Any, who: Audience) -> Iterator[str]:
    """All lines of what an audience is told of pending battles, with the report it is asked for."""
    if rules.outside is None:
        return
    for fight in rules.battles(state):
        brief = rules.outside.brief(game_data, state_known_to(state, who), who, fight.key, {})
        yield from (brief.title, brief.text, brief.template)
        for panel in brief.sections:
            yield from (panel.title, *(", ".join(row) for row in panel.rows))


def _compare_texts(what: str, wanted: Sequence[str], found: Sequence[str]) -> Iterator[Failure]:
    left = iter(found)
    for text in wanted:
        if not any(text in line for line in left):
            yield Failure(f"{what}: {text!r}", f"{list(found)}")


def _compare_state(expect: Expected, state: Any) -> Iterator[Failure]:
    for path, value in expect.state.items():
        found = _at_path(state, path)
        if found != _plain(value):
            yield Failure(f"{path} = {value!r}", f"{found!r}")


def _plain(value: Any) -> Any:
    """A value as JSON: tables, lists, numbers and texts."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _at_path(state: Any, path: str) -> Any:
    for step in path.split("."):
        if isinstance(state, list):
            state = state[int(step)] if step.isdigit() and int(step) < len(state) else "nothing there"
        elif isinstance(state, dict):
            state = state.get(step, "nothing there")
        else:
            return "nothing there"
    return state


def _compare_facts(
    what: str, wanted: Sequence[Mapping[str, Any]], unwanted: Sequence[Mapping[str, Any]], facts: Sequence[Any]
) -> Iterator[Failure]:
    plain = [_plain(fact) for fact in facts]
    left = iter(plain)
    for pattern in wanted:
        if not any(_matches(fact, pattern) for fact in left):
            yield Failure(f"{what}: {dict(pattern)}", _listed(plain, pattern))
            return
    for pattern in unwanted:
        for fact in plain:
            if _matches(fact, pattern):
                yield Failure(f"{what}: nothing like {dict(pattern)}", f"{fact}")


def _matches(fact: Any, pattern: Any) -> bool:
    """Whether a fact has all that the pattern names. Tables match in part; all else must be equal."""
    if isinstance(pattern, Mapping):
        return isinstance(fact, Mapping) and all(key in fact and _matches(fact[key], pattern[key]) for key in pattern)
    return bool(fact == _plain(pattern))


def _listed(facts: Sequence[Mapping[str, Any]], pattern: Mapping[str, Any]) -> str:
    same = [fact for fact in facts if fact.get("type") == pattern.get("type")]
    return f"{same}" if same else f"only {[fact.get('type') for fact in facts]}"
