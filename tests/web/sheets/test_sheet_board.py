"""The units next to the board of a sheet: those on the map, and those that orders may lead there."""

import re
from collections.abc import Mapping

import pytest

from campaign.engine.values.ids import UnitId
from campaign.rulesets.forum_campaign.sheets.checking import CheckedSheet, MovementSheet, checked_sheet
from campaign.secrecy.memory import KeyedMemory
from tests.api.asking import ask
from tests.gm.campaigns import live, miss
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

_UNITS = re.compile(
    r'<li data-unit="([^"]+)" data-label="[^"]+" data-at="([^"]*)"[^>]*?( data-enters="true")?(?: hidden)?>'
)


def units_of(cast: Cast, who: str) -> Mapping[str, tuple[str, str]]:
    """The units on the page of somebody's sheet: the place of each, and the mark of those that may enter the map."""
    page = cast.browser(who).get(cast.address("orders/HQ/")).content.decode()
    return {unit: (at, enters) for unit, at, enters in _UNITS.findall(page)}


@pytest.mark.parametrize(("key", "side"), [("german_sheet", "german"), ("allied_sheet", "allied")])
def test_a_unit_off_the_map_is_shown_if_an_order_leads_it_to_a_place(cast: Cast, key: str, side: str) -> None:
    """On the second day some can enter, others come later."""
    for _ in range(2):
        miss(live(cast.campaign))
        while live(cast.campaign).key != key:
            miss(live(cast.campaign))
    who = f"{side} commander"
    units = units_of(cast, who)
    away = {unit: bool(enters) for unit, (at, enters) in units.items() if not at}
    assert {True, False} == set(away.values())
    assert not any(enters for at, enters in units.values() if at)
    for unit, enters in away.items():
        offered = ask(cast, who, "choices", {"text": "", "unit": unit}).json()
        leads = bool(offered["ways"]) or any(line["place"] for line in offered["lines"])
        assert leads == enters, unit


def test_a_page_plans_its_sheet_once_a_phase_for_all_units_off_the_map(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = list[object]()

    def plan(sheet: MovementSheet) -> CheckedSheet:
        planned.append(sheet)
        return checked_sheet(sheet)

    monkeypatch.setattr("campaign.rulesets.forum_campaign.choices.checked_sheet", plan)
    units_of(cast, "german commander")  # the examples of orders are looked for once a phase
    planned.clear()
    memory: KeyedMemory[frozenset[UnitId]] = KeyedMemory(1_000, len)
    monkeypatch.setattr("orders.selectors._ENTERING", memory)
    for _ in range(2):
        away = [unit for unit, (at, _) in units_of(cast, "german commander").items() if not at]
        assert len(planned) == 1 < len(away)
