"""Worlds of the toy: sides in turns, cards, an answer in the middle of a turn, and standing orders of both sides."""

from collections.abc import Mapping

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import Phase
from gm.phases import lifecycle
from orders.models import LockedSheet
from tests.secrecy.answers import compare_answers, compare_names
from tests.secrecy.campaigns import Base
from tests.secrecy.pairs import OTHER_ORDERS, Difference
from tests.secrecy.two_worlds.playing import ALL, long, played

NORTH, SOUTH = Audience("north"), Audience("south")
SIDES = (NORTH, SOUTH)


@pytest.mark.parametrize("observer", [NORTH, long(SOUTH), long(PUBLIC)])
def test_while_phases_are_open_nothing_reveals_forces_cards_or_standing_orders(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    who = "spectator" if observer == PUBLIC else f"{observer} commander"
    acts = "M12, M1, M10, M4, read, M6, check, send, M19, M23, check, M7, M8"
    figures = played(worlds, "toy-03-turn", observer, acts, [who], sure=ALL)
    assert figures.parted == 0
    assert all(figures.mutators[name] for name in ("M1", "M10", "M4", "M6", "M19", "M23"))


TURNS = ("toy-01-turn", "toy-03-turn")


@pytest.mark.parametrize("base", [long(TURNS[0]), TURNS[1]])
def test_standing_orders_of_one_side_are_disclosed_to_nobody_else(worlds: Mapping[str, Base], base: str) -> None:
    """The side that acts publishes nothing of those that the other gives at the same time."""
    (acting,) = map(Audience, worlds[base].acts)
    acts = "M12, the others order, M6, M6, M6, lock, adjudicate, read, M24, read"
    sure = ("/stops/", "/orders/", "/locked/", "/desks/")
    of_earlier_sheets = (r"/orders/[^?]*\?",) if base == TURNS[-1] else ()
    figures = played(worlds, base, acting, acts, [f"{acting} commander"], sure=(*sure, *of_earlier_sheets))
    assert figures.parted == 0
    assert figures.done[OTHER_ORDERS]


@pytest.mark.parametrize("base", [long(TURNS[0]), TURNS[1]])
def test_what_becomes_of_own_lines_says_nothing_that_the_enemy_is_told(worlds: Mapping[str, Base], base: str) -> None:
    (acting,) = map(Audience, worlds[base].acts)
    acts = "M12, the others order, send, M6, M6, M6, lock, adjudicate, publish, read"
    figures = played(worlds, base, acting, acts, [f"{acting} commander"], sure=("/orders/", "/locked/", "/desks/"))
    assert figures.parted == 0
    assert figures.done[OTHER_ORDERS]


@pytest.mark.parametrize("base", TURNS)
def test_answers_to_orders_and_names_say_nothing_of_what_the_enemy_has(worlds: Mapping[str, Base], base: str) -> None:
    (acting,) = map(Audience, worlds[base].acts)
    compared = compare_answers(worlds[base], acting, 1)
    assert compared.pairs.total() > 100
    compared.add(compare_names(worlds[base], acting, 1))
    assert compared.names.total() > 50
    assert compared.differing == 0, compared.first


def test_other_moves_are_no_reason_why_only_one_world_publishes(
    worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft that waits on hidden grounds would tell of them, whatever else it discloses in the end."""
    asked_of = list[str]()

    def waits(phase: Phase) -> bool:
        sheets = "".join(LockedSheet.objects.filter(phase=phase).order_by("side").values_list("sheet__text", flat=True))
        asked_of.append(sheets)
        return asked_of[0] != sheets

    monkeypatch.setattr(lifecycle, "_has_failed_bot", waits)
    with pytest.raises(Difference, match="worlds that must not part"):
        played(worlds, "toy-03-turn", PUBLIC, "the others order, M6, lock, adjudicate", ["spectator"])
    assert len(set(asked_of)) == 2
