"""Desks: whose lines are whose, and what HQ overrules."""

from campaign.engine.ids import PlaceId, UnitId
from campaign.engine.orders import Hold, Note, Order, Placed, Text
from campaign.rulesets.forum_campaign.orders import Air, Artillery, Cas, Demolish, Interdict, Move, Remove
from campaign.rulesets.forum_campaign.theatre import Box
from orders.desks import merge, own_lines

MINE, OTHERS = UnitId("G-12SS"), UnitId("G-2Pz")
THERE = PlaceId("K16")


def placed(*orders: Order) -> list[Placed]:
    return [Placed(order, line) for line, order in enumerate(orders, 1)]


def test_what_is_about_the_whole_side_is_headquarters_to_write() -> None:
    lines = placed(
        Air(superiority=2), Remove(Box.CAS), Interdict(THERE, 1), Demolish(THERE), Hold(MINE), Note(Text("mud"))
    )
    kept, problems = own_lines(lines, frozenset({MINE}))
    assert [each.line for each in kept] == [5, 6]
    assert [problem.line for problem in problems] == [1, 2, 3, 4]
    assert "it is HQ's; the line does nothing" in problems[0].message
    assert own_lines(lines, None) == (tuple(lines), ())


def test_headquarters_order_for_a_unit_overrules_whatever_a_desk_orders_it() -> None:
    hq = placed(Hold(MINE))
    desk = placed(Move(MINE, to=THERE), Cas(MINE, 1), Artillery(MINE), Hold(OTHERS))
    assert merge(hq, [desk]) == [*hq, desk[3]]


def test_headquarters_support_for_a_unit_overrules_only_its_like() -> None:
    hq = placed(Cas(MINE, 2))
    desk = placed(Move(MINE, to=THERE), Cas(MINE, 1), Artillery(MINE))
    assert merge(hq, [desk]) == [*hq, desk[0], desk[2]]


def test_lines_that_name_no_unit_are_kept_of_every_desk() -> None:
    hq, desks = placed(Note(Text("from HQ"))), [placed(Note(Text("from one"))), placed(Note(Text("from another")))]
    assert merge(hq, desks) == [*hq, *desks[0], *desks[1]]
