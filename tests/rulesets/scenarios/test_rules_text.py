"""The rules as players read them: every rule that anything names is written down, every chart shown exists."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from campaign.engine.errors import EngineError
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import parse
from campaign.engine.state import known_state, with_open
from campaign.engine.values import value as values
from campaign.engine.values.ids import SideId, UnitId
from campaign.game import rulebook as books
from campaign.game.casebook import find_cases
from campaign.game.loading import (
    RULESETS_FOLDER,
    Loaded,
    WithStart,
    find_scenario,
    load_scenario,
    rule_texts,
    supplied_scenarios,
)
from campaign.game.rulebook import Rulebook, rulebook
from campaign.rulesets import RULESETS
from campaign.rulesets.forum_campaign.model.state import Own, State, Unit
from campaign.rulesets.forum_campaign.model.task_forces import creatable_task_forces
from tests.demonstration import play

SCENARIOS = [load_scenario(folder) for folder in supplied_scenarios()]
ARDENNES = load_scenario(find_scenario("forum_campaign/ardennes-1944"))
NUMBER = r"R\d+(?:\.\d+)*"
RULE = re.compile(NUMBER)
RULES_IN_FRONT = re.compile(rf"{NUMBER}\b(?:(?:, | and | to |-){NUMBER}\b)*(?!-)")
NAMED_IN_CODE = {"forum_campaign": {"R4.4", "R12.5", "R5.6"}, "area_activation": {"R9", "R32", "R49"}}
FULL_GAMES = [load_scenario(find_scenario(f"{rules.key}/ardennes-1944")) for rules in RULESETS]
"""Their names are those of the examples."""
each_scenario = pytest.mark.parametrize("loaded", SCENARIOS, ids=lambda loaded: loaded.scenario.title)


def test_every_ruleset_has_a_scenario_to_show_its_rules_with() -> None:
    assert {loaded.rules.key for loaded in SCENARIOS} == {rules.key for rules in RULESETS}


@each_scenario
def test_every_rule_that_the_code_names_is_written_down(loaded: Loaded) -> None:
    """Events, phases and problems name their rules as strings."""
    named = set(rules_in_code(RULESETS_FOLDER / loaded.rules.key)) | {phase.rule for phase in loaded.rules.phases}
    assert NAMED_IN_CODE[loaded.rules.key] <= named, "the search for them finds them"
    assert named - rulebook(loaded).anchors == set()


@each_scenario
def test_every_rule_that_a_case_rests_on_is_written_down(loaded: Loaded) -> None:
    cases = [found.case for found in find_cases([Path("tests/cases")]) if found.rules.key == loaded.rules.key]
    named = {case.rule.split()[0] for case in cases if RULE.match(case.rule) or case.rule.isupper()}
    assert NAMED_IN_CODE[loaded.rules.key] & named, "the search for them finds them"
    assert named - rulebook(loaded).anchors == set()


def test_every_rule_that_the_demonstration_names_is_written_down() -> None:
    phase = next(play())
    named = {line.rule for package in phase.packages for line in package.view.log if line.rule}
    assert named
    assert named - rulebook(ARDENNES).anchors == set()


@each_scenario
def test_a_ruling_of_the_gm_leads_to_what_they_may_rule(loaded: Loaded) -> None:
    assert {"GM", "NOTATION"} <= rulebook(loaded).anchors


@each_scenario
def test_no_reference_leads_nowhere_and_no_anchor_is_there_twice(loaded: Loaded) -> None:
    page = Page(rulebook(loaded))
    assert len(page.ids) == len(set(page.ids))
    assert {href.removeprefix("#") for href in page.links} - set(page.ids) == set()
    asked_for = re.findall(rf"\[({NUMBER})\]", "\n".join(rule_texts(loaded.rules)))
    assert set(asked_for) - set(page.ids) == set()


@each_scenario
def test_rulings_are_numbered_without_gaps_and_each_is_led_to(loaded: Loaded) -> None:
    rules, rulings = rule_texts(loaded.rules)
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", rulings, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {int(number) for number in re.findall(r"\[ruling (\d+)\]", rules)} == set(numbers)


@each_scenario
def test_every_chart_is_shown_once(loaded: Loaded) -> None:
    text, _ = rule_texts(loaded.rules)
    keys = [panel.key for panel in loaded.rules.charts(loaded.scenario.game_data)]
    assert sorted(re.findall(r"\[\[chart: ([\w-]+)\]\]", text)) == sorted([*keys, "release"])


@each_scenario
def test_every_row_of_a_chart_has_all_its_columns(loaded: Loaded) -> None:
    for panel in loaded.rules.charts(loaded.scenario.game_data):
        widths = {len(row) for row in (*panel.rows, *([panel.head] if panel.head else []))}
        assert len(widths) == 1, panel.key


@each_scenario
def test_everything_that_can_happen_is_in_the_release_table(loaded: Loaded) -> None:
    page = Page(rulebook(loaded))
    for fact, line in loaded.rules.release.items():
        assert line.words in page.cells, fact.__name__
    assert all(cell.strip() and not RULE.match(cell) for cell in page.row_names), "words, not numbers"


@each_scenario
def test_the_rules_stand_in_the_order_of_their_numbers_without_gaps(loaded: Loaded) -> None:
    """A rule that a report names is found by its number."""
    found = [id_ for id_ in Page(rulebook(loaded)).ids if RULE.fullmatch(id_)]
    numbers = [tuple(map(int, id_[1:].split("."))) for id_ in found]
    assert numbers == sorted(numbers)
    for number in numbers:
        assert number[-1] == 1 or (*number[:-1], number[-1] - 1) in numbers, number


@each_scenario
def test_the_rules_begin_with_a_summary_of_one_page(loaded: Loaded) -> None:
    assert rulebook(loaded).chapters[0].id == "SUMMARY"
    words = re.sub(rf"\[{NUMBER}\]", "", summary(loaded).split("## ")[1]).split()
    assert 300 < len(words) <= ONE_PAGE


def test_only_a_summary_comes_before_the_house_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a ruleset without one they come right after the title."""
    first = "## R1 Sequence\n\nR1.1 A turn is a day.\n"
    for above in ("", "## SUMMARY In short\n\nWin.\n\n"):
        monkeypatch.setattr(books, "rule_texts", lambda _rules, above=above: (f"# Rules\n\n{above}{first}", ""))
        book = rulebook(SCENARIOS[0])
        assert ("Win." in book.opening) is bool(above)
        assert "A turn is a day." in book.others
        assert "A turn is a day." not in book.opening
        assert book.opening + book.others == book.html


@each_scenario
def test_terms_are_explained_before_they_are_used(loaded: Loaded) -> None:
    """In the summary, in bold."""
    text, _ = rule_texts(loaded.rules)
    terms = [singular(term) for term in re.findall(r"\*\*([^*]+)\*\*", summary(loaded))]
    assert sorted(terms) == sorted(TERMS[loaded.rules.key]), "each once"
    words = " ".join(text.lower().split())
    for term in terms:
        first = re.search(rf"\b{'s? '.join(term.split())}(?:e?s)?\b", words)
        assert first is not None
        assert words[first.start() - 2 : first.start()] == "**", f"{term} is used before it is explained"


def singular(term: str) -> str:
    return re.sub(r"(?<=x)es$|s$", "", term.lower())


def summary(loaded: Loaded) -> str:
    """The first chapter, with what stands above it."""
    text, _ = rule_texts(loaded.rules)
    above, first, _ = re.split(r"^## ", text, maxsplit=2, flags=re.MULTILINE)
    return f"{above}## {first}"


ONE_PAGE = 550
"""Words."""
TERMS = {
    "forum_campaign": {
        *("side", "unit", "hex", "sheet", "phase", "turn", "portion", "objective", "infantry", "mechanized"),
        *("full-size", "small", "printed point", "zone of control", "contact", "resolver", "retreat", "advance"),
        *("strength", "establishment", "supplied", "unsupplied", "fuel", "depot", "task force", "commando"),
        "reinforcement",
    },
    "area_activation": {
        *("side", "space", "point", "unit", "strength", "hit chance", "infantry", "mechanized", "armor", "elite"),
        *("sheet", "turn", "activate", "initiative", "contested", "strategic move", "retreat", "breakthrough"),
        *("supply", "fuel", "surprise turn"),
    },
}


def test_a_chart_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "rule_texts", lambda _rules: ("[[chart: tides]]", ""))
    with pytest.raises(EngineError, match="'tides'"):
        rulebook(SCENARIOS[0])


def test_names_out_of_a_scenario_are_shown_and_never_obeyed() -> None:
    loaded = SCENARIOS[0]
    rogue = "<img src=x onerror=alert(1)> **R4** [x](javascript:y)"
    charts = loaded.rules.charts(loaded.scenario.game_data)
    hostile = replace_names(charts, rogue)
    rules = replace(loaded.rules, charts=lambda _game_data: hostile)
    page = rulebook(Loaded(rules, loaded.scenario)).html
    assert "&lt;img src=x onerror=alert(1)&gt; **R4** [x](javascript:y)" in page
    assert "<img" not in page


def test_the_worked_numbers_are_those_of_the_charts() -> None:
    charts = {panel.key: panel for panel in ARDENNES.rules.charts(ARDENNES.scenario.game_data)}
    assert [row[2::2] for row in charts["allowances"].rows] == [("3", "4"), ("4", "8"), ("6", "12")]
    terrain = {row[0]: row[1:] for row in charts["terrain"].rows}
    assert terrain["Clear"] == ("1", "1", "1", "2", "2")
    assert terrain["Main road"] == ("1", "1", "1", "1", "–")
    assert charts["depots"].title == "Depots: 18 fuel points in all"
    assert charts["victory"].title == "Objectives: 88 victory points in all"
    assert charts["weather"].rows[4] == (
        "20 December",
        "1 (-10/-10)",
        "4–7 (-4/-6)",
        "2–3 (-7/-9)",
        "8–9 (-3/-5)",
        "10 (+0/-3)",
    )


def with_every_task_force(state: State) -> State:
    parts = {side: values.replace(own, units=_with_forces(side, own)) for side, own in state.own.items()}
    return values.replace(state, own=parts)


def _with_forces(side: SideId, own: Own) -> dict[UnitId, Unit]:
    return {**own.units, **creatable_task_forces(side, own.units, own.lost)}


@pytest.mark.parametrize("loaded", FULL_GAMES, ids=lambda loaded: loaded.rules.key)
def test_every_line_of_the_examples_can_be_submitted_unchanged(loaded: WithStart) -> None:
    text, _ = rule_texts(loaded.rules)
    examples = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 3
    kinds = {order for phase in loaded.rules.phases for order in phase.orders} | set(loaded.rules.corrections)
    writers = list(everybodys_names(loaded))
    for line in "".join(examples).splitlines():
        assert any(parse(line, kinds, names).problems == () for names in writers), line


def everybodys_names(loaded: WithStart) -> Iterator[Names]:
    """What each side may name on its sheets, task forces that it may create included, and the GM in rulings."""
    rules, game_data, start = loaded.rules, loaded.scenario.game_data, loaded.scenario.start
    for phase in rules.phases:
        for side in rules.sides:
            yield rules.names(game_data, known_state(with_open(start, phase=phase.key), (side,)))
    yield rules.correction_names(game_data, start)


def test_rulings_are_numbered_as_their_page_counts_them() -> None:
    """Links go by the count, cases by the number."""
    _, rulings = rule_texts(ARDENNES.rules)
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", rulings, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


# --- helpers ---------------------------------------------------------------------------------------------------------


def rules_in_code(folder: Path) -> Iterator[str]:
    """The rules that strings in a ruleset's modules begin with, one or several: in facts, problems, and docstrings."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = RULES_IN_FRONT.match(node.value)
                yield from re.findall(NUMBER, found[0]) if found else ()


def replace_names(charts: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    return tuple(
        type(panel)(panel.key, panel.title, panel.head, ((name, *panel.rows[0][1:]), *panel.rows[1:]))
        for panel in charts
    )


class Page(HTMLParser):
    """Ids, links and table cells of a page."""

    def __init__(self, book: Rulebook) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.cells: set[str] = set()
        self.row_names: list[str] = []
        self._in = ""
        self.feed(book.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values else []
        self._in = "row" if values.get("scope") == "row" else tag

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in == "td":
            self.cells.add(data)
        if self._in == "row":
            self.row_names.append(data)
