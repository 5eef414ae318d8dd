"""Worlds of the area game: sealed mornings and days, questions in the middle of a day, and units that may be hidden."""

from collections.abc import Mapping

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from tests.secrecy.answers import compare_answers
from tests.secrecy.campaigns import Base
from tests.secrecy.pairs import OTHER_ORDERS
from tests.secrecy.two_worlds.playing import ALL, long, played

GERMAN, ALLIED = Audience("german"), Audience("allied")
DAILY = ("/orders/", "/desks/", "/board/", "/stops/", "/log/", "/map")
"""What a player reads every day."""


@pytest.mark.parametrize("observer", [ALLIED, long(PUBLIC)])
def test_while_a_day_is_planned_nothing_reveals_hidden_units_or_sealed_lines(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    who = "spectator" if observer == PUBLIC else f"{observer} commander"
    acts = "M12, M1, M2, M5, M4, M10, M6, check, M19, M7, M8"
    figures = played(worlds, "area-02-day", observer, acts, [who], sure=ALL)
    assert figures.parted == 0
    assert all(figures.mutators[name] for name in ("M1", "M2", "M4", "M5", "M10", "M6", "M19"))


def test_sealed_marks_and_removals_show_nowhere_before_the_morning_is_over(worlds: Mapping[str, Base]) -> None:
    figures = played(
        worlds, "area-late-01-morning", GERMAN, "M6, check, M6, send, M6", ["german commander"], sure=DAILY
    )
    assert figures.parted == 0
    assert figures.mutators["M6"] == 3


def test_what_the_asked_side_has_sealed_shows_nowhere_while_it_is_asked(worlds: Mapping[str, Base]) -> None:
    figures = played(
        worlds, "area-03-reply", GERMAN, "M12, M10, M6, read, M6, M7, tick", ["german commander"], sure=DAILY
    )
    assert figures.parted == 0
    assert figures.mutators["M10"]
    assert figures.mutators["M6"] == 2


def test_moves_that_nobody_sees_change_no_report_deadline_or_mail_of_others(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M6, the others order, M6, send, lock, adjudicate, publish, read"
    figures = played(worlds, "area-02-day", ALLIED, acts, ["allied commander"], sure=("/stops/", r"^/c/[^/]+/replay\."))
    assert figures.done[OTHER_ORDERS]


def test_worlds_part_where_only_one_day_stops_for_a_question(worlds: Mapping[str, Base]) -> None:
    """In one world the day is published at once, and in the other its draft waits for the GM."""
    acts = "the others order, M6, M6, M6, M6, lock, adjudicate"
    figures = played(worlds, "area-late-02-day", PUBLIC, acts, ["spectator"])
    assert figures.parted == 1
    assert figures.explained["Asked.(told)"] == 1


def test_a_day_that_is_resolved_early_is_not_published_in_one_world_alone(worlds: Mapping[str, Base]) -> None:
    """It stops for a question and is published without a review, so the mutator is undone."""
    acts = "the others order, M6, M6, M6, M6, lock, M18, adjudicate"
    figures = played(worlds, "area-late-02-day", PUBLIC, acts, ["spectator"])
    assert figures.mutators["M18"] == 0
    assert figures.explained["Asked.(told)"] == 1


def test_answers_to_orders_say_nothing_of_what_the_enemy_has(worlds: Mapping[str, Base]) -> None:
    compared = compare_answers(worlds["area-02-day"], GERMAN, 1)
    assert compared.pairs.total() > 100
    assert compared.differing == 0, compared.first
