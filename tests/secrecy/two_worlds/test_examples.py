"""Examples are plain data, are shrunk when they fail, and what tests have compared counts in the run that follows."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from campaign.engine.values.ids import Audience
from tests.secrecy import runs
from tests.secrecy.asking.crawler import Lot
from tests.secrecy.campaigns import SLUG, Base
from tests.secrecy.examples import Act, Example, example, shrunk
from tests.secrecy.figures import Figures
from tests.secrecy.mutators import MUTATORS
from tests.secrecy.pairs import Difference, everybody
from tests.secrecy.runs import count_for_the_run, counted_before, play_one
from tests.secrecy.steps import STEPS
from tests.secrecy.two_worlds.playing import ALL
from tests.secrecy.worlds import Answer

GERMAN = Audience("german")


def test_what_tests_have_compared_is_read_only_when_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDPOST_SECRECY_BASES", str(tmp_path))

    def begun(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:5])
            file.flush()
            found.append(counted_before().examples)
            return file.write(content[5:])

    found = list[int]()
    monkeypatch.setattr(Path, "write_bytes", begun)
    for examples in (2, 3):
        count_for_the_run(Figures(examples=examples))
    assert [*found, counted_before().examples] == [0, 2, 5]


def test_an_example_is_plain_data_and_the_same_every_time(worlds: Mapping[str, Base]) -> None:
    made = [example(number, worlds) for number in range(50)]
    assert [example(number, worlds) for number in range(50)] == made
    assert [Example.from_json(each.to_json()) for each in made] == made


def test_every_step_and_mutator_is_played_by_lot(worlds: Mapping[str, Base]) -> None:
    acts = {act.name for number in range(300) for act in example(number, worlds).acts}
    assert acts == {*STEPS, *MUTATORS}


def test_all_pages_are_all_but_pictures_on_request() -> None:
    lot = Lot("nothing else", 0.0, ALL)
    pages = (
        "board/",
        "board/sheet/",
        "replay/",
        "stops/1/",
        "stops/1/board/",
        "orders/HQ/",
        "links/",
        "drawn/",
        "replay.webp",
    )
    pictures = ("drawn.png", "stops/1/drawn.png", "public/stops/1/drawn.png", "board/sheet.png")
    assert all(lot.is_sure(f"/c/{SLUG}/{page}") for page in pages)
    assert not any(lot.is_sure(f"/c/{SLUG}/{picture}") for picture in pictures)


def test_what_fails_is_made_as_small_as_still_fails() -> None:
    acts = tuple(Act(f"M{number}", number) for number in range(20))
    small = shrunk(Example("a", GERMAN, 0, acts), lambda each: {acts[3], acts[11]} <= set(each.acts))
    assert small.acts == (acts[3], acts[11])


def test_what_fails_keeps_a_change_of_the_second_world() -> None:
    acts = tuple(Act("M7" if number == 3 else "read", number) for number in range(20))
    small = shrunk(Example("a", GERMAN, 0, acts), lambda each: acts[11] in each.acts)
    assert small.acts == (acts[3], acts[11])


def test_an_example_that_breaks_off_is_named_and_counts_for_nothing(
    worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> list[Answer]:
        raise ValueError("this step is broken")

    monkeypatch.setitem(STEPS, "read", broken)
    each = Example("01-air", GERMAN, 7, (Act("M12", 0), Act("read", 1)))
    done = play_one(each, worlds)
    [(named, trouble)] = done.broken
    assert named == each
    assert "this step is broken" in trouble
    assert done.found == []
    assert done.figures == Figures()


def test_a_difference_is_found_even_if_it_breaks_off_while_it_is_made_smaller(
    worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runs, "KEPT", tmp_path)
    acts = (Act("M12", 0), Act("read", 1), Act("tick", 2))

    def compared(each: Example, *_: object, **_more: object) -> None:
        if each.acts != acts:
            raise ValueError("a step that needs what another did")
        raise Difference("step 1, read", b"one", b"two")

    monkeypatch.setattr(runs, "compare", compared)
    each = Example("01-air", GERMAN, 7, acts)
    [done] = runs.play([each], worlds, workers=1, readers=everybody)
    assert [small for small, _ in done.found] == [each]
    assert done.broken == []
