"""Battles on the GM desk through the API: decided, or left to the rules."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import BattleState
from orders.battles.reading import result_of
from tests.api.asking import read, where, write
from tests.battles import KEY, LINES, REPORT, Field
from tests.web.battles.test_resolver import keys

pytestmark = pytest.mark.django_db


def seen(field: Field, key: str = KEY) -> str:
    (found,) = (each for each in read(field.cast, "gm", "gm/battles/") if each["line"]["battle"] == key)
    return str(found["seen"])


def decide(field: Field, text: str = REPORT, **more: Any) -> Any:
    body = {"phase": f"{field.phase.no}.{field.phase.rev}", "seen": seen(field), "text": text, **more}
    return write(field.cast, "gm", f"gm/battles/{KEY}/decision/", body)


def by_rules(field: Field, *marks: tuple[str, str]) -> Any:
    chosen = [{"battle": key, "seen": mark} for key, mark in marks]
    mark = f"{field.phase.no}.{field.phase.rev}"
    return write(field.cast, "gm", "gm/battles/by-rules/", {"phase": mark, "battles": chosen})


def test_a_dispute_is_decided(field: Field) -> None:
    field.report()
    field.dispute(text="The bridge was down.")
    detail = read(field.cast, "gm", f"battles/{KEY}/")
    assert [each["text"] for each in detail["statements"]] == ["The bridge was down."]
    answer = decide(field)
    assert answer.status_code == 200, answer.content
    assert answer.json()["line"]["state"] == "ruled"
    assert result_of(field.battle()) == LINES


def test_a_decision_is_made_again_from_its_answer_and_from_what_the_battle_says(field: Field) -> None:
    first = decide(field).json()
    assert first["seen"] == seen(field) == read(field.cast, "gm", f"battles/{KEY}/")["seen"]
    again = decide(field, REPORT, seen=first["seen"])
    assert (again.status_code, again.json()["line"]["state"]) == (200, "ruled")
    assert again.json()["seen"] == seen(field)
    assert result_of(field.battle()) == LINES


def test_a_decision_under_an_old_mark_or_phase_is_refused(field: Field) -> None:
    old = seen(field)
    field.report()
    changed = decide(field, seen=old)
    assert (changed.status_code, changed.json()["error"]) == (409, "answered")
    assert decide(field, phase="1.0").status_code == 409
    faulty = decide(field, "RESULT Clervaux nobody")
    assert (faulty.status_code, faulty.json()["error"]) == (422, "faulty")
    assert faulty.json()["problems"]
    assert field.battle().state == BattleState.REPORTED


def test_the_rules_decide_one_battle_and_then_all(choice: Field) -> None:
    assert by_rules(choice, (KEY, seen(choice))).json() == {"decided": ["Battle of Clervaux (K16)"], "unchanged": []}
    assert (choice.battle().state, result_of(choice.battle())) == (BattleState.RULED, "DECIDE K16")
    waiting = [each for each in read(choice.cast, "gm", "gm/battles/") if each["by_rules"]]
    left = by_rules(choice, *((each["line"]["battle"], each["seen"]) for each in waiting)).json()
    assert (len(left["decided"]), left["unchanged"]) == (len(keys(choice)) - 1, [])


def test_battles_that_changed_or_that_the_rules_cannot_decide_stay(choice: Field) -> None:
    old = seen(choice)
    choice.report()
    assert by_rules(choice, (KEY, old), ("A1", "open 0")).json() == {"decided": [], "unchanged": [KEY, "A1"]}
    assert choice.battle().state == BattleState.REPORTED
    assert by_rules(choice).json()["message"] == "You chose no battle, so nothing was changed."


def test_without_the_choice_the_rules_decide_nothing(field: Field) -> None:
    assert not any(each["by_rules"] for each in read(field.cast, "gm", "gm/battles/"))
    assert by_rules(field, (KEY, seen(field))).json()["unchanged"] == [KEY]
    assert field.battle().state == BattleState.OPEN


def test_the_list_costs_the_same_however_many_battles_wait(choice: Field) -> None:
    browser = choice.cast.browser("gm")

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert browser.get(where(choice.cast, "gm/battles/")).status_code == 200
        return len(found)

    queries()
    before = queries()
    choice.phase.battles.exclude(key__in=keys(choice)[:2]).delete()
    assert queries() == before
