"""How a day goes: every line that the page shows is one of the demonstration's second day, as it is on record."""

import re
from collections.abc import Iterator

import pytest

from campaign.game.example_day import example_day, has_example_day
from campaign.game.loading import RULESETS_FOLDER, find_scenario, load_scenario
from campaign.game.rulebook import rulebook
from gm.demo import SCENARIO
from tests.locks import ROOT
from tests.playthroughs.transcript import FILE

DAY = "1944-12-17"
TEXT = (RULESETS_FOLDER / "forum_campaign" / "DAY.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def on_record(kind: str) -> Iterator[list[str]]:
    """The lines of each sheet, answer or report of the day."""
    if kind == "sheet":
        for path in sorted((find_scenario(SCENARIO) / "demo").glob(f"{DAY}-*.txt")):
            yield path.read_text(encoding="utf-8").splitlines()
        return
    phases = re.split(r"^=== ", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for phase in (phase for phase in phases if phase.startswith(DAY)):
        for part in re.split(r"^--- the ", phase, flags=re.MULTILINE):
            if part.startswith(f"{kind} "):
                yield part.splitlines()


def is_part(lines: list[str], whole: list[str]) -> bool:
    """Whether these lines are in a text, in this order, with others between them."""
    rest = iter(whole)
    return all(line in rest for line in lines)


@pytest.mark.parametrize(("kind", "block"), BLOCKS)
def test_every_line_of_the_example_is_on_record(kind: str, block: str) -> None:
    assert kind in ("sheet", "answer", "report")
    assert any(is_part(block.splitlines(), whole) for whole in on_record(kind))


def test_a_line_that_is_not_on_record_is_noticed() -> None:
    """What the test above rests on."""
    assert not any(is_part(["MOVE KG Peiper to Namur"], whole) for whole in on_record("sheet"))
    assert not any(is_part(["READY", "AIR cas 2"], whole) for whole in on_record("sheet"))
    assert {kind for kind, _ in BLOCKS} == {"sheet", "answer", "report"}
    assert len(BLOCKS) > 10


def test_it_leads_to_rules_that_exist_and_shows_a_picture_that_exists() -> None:
    page = example_day("forum_campaign", "/rules/")
    rules = re.findall(r'href="/rules/#(R[\d.]+)"', page)
    assert len(rules) > 3
    assert set(rules) <= rulebook(load_scenario(find_scenario(SCENARIO))).anchors
    (picture,) = re.findall(r'src="/static/([^"]+)"', page)
    assert (ROOT / "static" / picture).is_file()
    assert re.search(r'<img alt="[^"]{20,}"', page)


def test_a_ruleset_without_an_example_has_none() -> None:
    assert has_example_day("forum_campaign")
    assert not has_example_day("toy")
    assert example_day("toy", "/rules/") == ""
