"""The demonstration plays today as it did when its transcript was approved: events, answers, reports, views."""

from difflib import unified_diff

from tests.locks import ROOT
from tests.playthroughs.transcript import FILE, base_map, transcript


def test_the_demonstration_plays_as_approved() -> None:
    approved = FILE.read_text(encoding="utf-8").splitlines()
    difference = list(unified_diff(approved, list(transcript()), "approved", "today", n=1, lineterm=""))
    assert difference[:60] == [], "if it is meant: python -m tests.playthroughs"


def test_the_base_map_is_drawn_as_approved() -> None:
    lines = list(base_map())
    assert lines == FILE.read_text(encoding="utf-8").splitlines()[: len(lines)], "if it is meant: as above"


def test_the_readme_shows_the_beginning_of_a_report_as_the_public_reads_it() -> None:
    samples = (ROOT / "README.md").read_text(encoding="utf-8").split("```")[1::2]
    (sample,) = (sample.strip() for sample in samples if "For: Public" in sample)
    assert f"--- the report for public\n{sample}\n" in FILE.read_text(encoding="utf-8")
