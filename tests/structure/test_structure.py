"""The figures that the project promises to keep."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.structure import chain, figures, runs, sources


@pytest.mark.parametrize("figure_of", figures.OF_TEXT)
def test_a_figure_of_the_text_keeps_its_limit(figure_of: Callable[[], figures.Figure]) -> None:
    figure = figure_of()
    assert 0 < figure.value <= figure.most, str(figure)


@pytest.mark.django_db(transaction=True)
def test_a_sheet_that_is_sent_enters_few_files() -> None:
    figure = figures.post_figure()
    assert {"orders/views/sheet.py", "campaign/engine/sheets.py"} <= set(figure.parts)
    assert figure.value <= figure.most, str(figure)


def test_the_chain_of_move_is_the_way_that_the_line_takes() -> None:
    assert chain.not_called(runs.called_by_line()) == []


def test_every_call_of_the_parser_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whatever name it is imported."""
    (tmp_path / "one.py").write_text("from campaign.engine.orders.notation import parse as read\nread(1)\n\nread(2)\n")
    (tmp_path / "two.py").write_text(
        "from campaign.engine.orders import notation\nnotation.parse(1)\nnotation.usage(2)\n"
    )
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    assert sources.parse_calls() == ["one.py:2", "one.py:4", "two.py:2"]


def test_levels_count_the_longest_chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path.joinpath(*sources.RULESET.split("."))
    (folder / "low").mkdir(parents=True)
    (folder / "__init__.py").write_text(f"from {sources.RULESET} import high\n")
    (folder / "low" / "one.py").write_text(f"if TYPE_CHECKING:\n    from {sources.RULESET} import high\n")
    (folder / "middle.py").write_text(f"from {sources.RULESET}.low.one import x\n")
    (folder / "high.py").write_text(f"import {sources.RULESET}.middle\nfrom {sources.RULESET}.low import one\n")
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    assert sources.levels() == {"low": 1, "middle": 2, "high": 3}


def test_lines_are_counted_by_folder_without_tests_and_migrations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("manage.py", "gm/one.py", "gm/two.py", "gm/migrations/0001.py", "tests/test_it.py", ".venv/x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a = 1\n\nb = 2\n")
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    assert sources.lines_by_folder() == {".": 3, "gm": 6}
