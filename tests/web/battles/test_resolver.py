"""The GM lets the rules decide battles, where the campaign offers that choice: one, or all that are open."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.engine.facts import Rolled
from campaign.engine.state import state_known_to, with_open
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import encode, replace
from campaign.game.store import decode_state, pack, unpack
from campaign.models import Artefact, Battle, BattleState, PhaseStart
from campaign.rulesets.forum_campaign.model.options import BattleMode
from campaign.services import scenario_of
from gm.machine.sweeper import sweep
from gm.phases.rolls import interventions
from gm.phases.rows import events_of
from orders.battles.reading import result_of
from tests.battles import KEY, Field, field
from tests.web.battles.test_battles import get

__all__ = ["field"]
pytestmark = pytest.mark.django_db

RESOLVER = "desk/resolver/"


@pytest.fixture
def choice(field: Field) -> Field:
    """The same battles in a campaign in which the GM may leave some of them to the rules."""
    phase = field.phase
    state = decode_state(scenario_of(field.cast.campaign).rules, unpack(phase.start.state_before), version=5)
    state = with_open(state, options=replace(state.open.options, battles=BattleMode.BY_CHOICE))
    PhaseStart.objects.filter(phase=phase).update(state_before=pack(encode(state)))
    for audience in ("german", "allied", "gm"):
        known = Artefact.objects.filter(phase__no=phase.no - 1, audience=audience, kind="slice")
        assert known.update(content=encode(state_known_to(state, Audience(audience)))) == 1
    return field


def page(field: Field, rest: str = "") -> str:
    return get(field, "gm", f"{RESOLVER}{rest}")


def press(field: Field, shown: str, *keys: str, name: str = "gm") -> Any:
    """Press the button of a page that was shown, with these battles."""
    sent = dict(re.findall(r'name="(seen[^"]*)" value="([^"]*)"', shown))
    return field.cast.browser(name).post(field.cast.address(RESOLVER), {**sent, "battle": keys}, follow=True)


def keys(field: Field) -> list[str]:
    return list(field.phase.battles.order_by("key").values_list("key", flat=True))


def test_each_battle_and_all_that_are_open_have_a_button_for_the_gm_alone(choice: Field) -> None:
    assert f'resolver/?battle={KEY}"' in get(choice, "gm", "desk/")
    assert "Let the rules decide all that are open" in get(choice, "gm", "desk/")
    assert f'resolver/?battle={KEY}"' in get(choice, "gm")
    assert "resolver" not in get(choice, "german commander")
    assert choice.cast.browser("german commander").get(choice.cast.address(RESOLVER)).status_code == 404
    assert press(choice, page(choice), KEY, name="allied commander").status_code == 404
    assert not choice.phase.battles.exclude(state=BattleState.OPEN).exists()


def test_campaigns_without_the_choice_have_no_such_button(field: Field) -> None:
    assert "resolver" not in get(field, "gm", "desk/") + get(field, "gm")
    assert "No battle is waiting that the rules could decide." in page(field)
    press(field, page(field), KEY)
    assert field.battle().state == BattleState.OPEN


def test_what_will_be_decided_is_listed_and_confirmed_once(choice: Field) -> None:
    shown = page(choice)
    assert shown.count(" checked") == len(keys(choice)) == 8
    one = page(choice, f"?battle={KEY}")
    assert re.findall(r'value="(\w+)" checked', one) == [KEY]
    assert "Battle of Clervaux (K16): 2 Pz attacks 110/28." in one
    assert "The rules decide: Battle of Clervaux (K16)." in press(choice, one, KEY).content.decode()
    assert (choice.battle().state, result_of(choice.battle())) == (BattleState.RULED, "DECIDE K16")
    assert f'resolver/?battle={KEY}"' not in get(choice, "gm", "desk/")


def test_a_phase_whose_battles_are_all_left_to_the_rules_is_resolved(choice: Field) -> None:
    press(choice, page(choice), *keys(choice))
    assert choice.acts().count("battle decide") == 8
    assert interventions([choice.phase]) == 0, "nobody had agreed on anything"
    sweep(worker="one")
    choice.phase.refresh_from_db()
    assert choice.phase.state == "PUBLISHED"
    rolled = {event.fact.label for event in events_of(choice.phase) if isinstance(event.fact, Rolled)}
    assert len([label for label in rolled if label.startswith("battle/")]) >= 8


def test_a_report_that_came_after_the_page_was_made_is_not_overruled(choice: Field) -> None:
    shown = page(choice)
    choice.report()
    answer = press(choice, shown, *keys(choice)).content.decode()
    assert "someone else changed it after you opened the page: K16." in answer
    assert choice.battle().state == BattleState.REPORTED
    assert choice.phase.battles.filter(state=BattleState.RULED).count() == 7
    again = page(choice)
    assert " checked" not in again, "a report waits for its answer, unless the GM chooses otherwise"
    press(choice, again, KEY)
    assert choice.battle().state == BattleState.RULED


def test_a_result_that_was_agreed_after_the_page_was_made_stands(choice: Field) -> None:
    choice.report()
    shown = page(choice)
    choice.confirm()
    assert "someone else changed it" in press(choice, shown, KEY).content.decode()
    assert choice.battle().state == BattleState.CONFIRMED


def test_an_old_page_and_one_without_a_choice_change_nothing(choice: Field) -> None:
    shown = page(choice)
    assert "You chose no battle" in press(choice, shown).content.decode()
    assert (
        "already closed" in press(choice, shown.replace('name="seen" value="', 'name="seen" value="9')).content.decode()
    )
    assert "someone else" in press(choice, shown, "A1").content.decode()
    assert not choice.phase.battles.exclude(state=BattleState.OPEN).exists()


def test_the_page_asks_as_much_for_one_battle_as_for_eight(choice: Field) -> None:
    def queries() -> int:
        browser = choice.cast.browser("gm")
        browser.get(choice.cast.address(RESOLVER))  # it is noted that they are on the site
        with CaptureQueriesContext(connection) as found:
            assert browser.get(choice.cast.address(RESOLVER)).status_code == 200
        return len(found)

    eight = queries()
    Battle.objects.exclude(key=KEY).delete()
    assert queries() == eight


def test_the_page_of_a_lock_says_how_its_battles_were_decided(field: Field) -> None:
    field.report()
    field.confirm()
    for battle in field.phase.battles.exclude(key=KEY):
        field.decide(f"RESULT {battle.key} defenders", key=battle.key)
    sweep(worker="one")
    for who in ("german commander", "allied staff"):
        shown = get(field, who, f"locked/{field.phase.no}.0/")
        assert "submitted no sheet" not in shown
        assert "K16: confirmed" in shown
        assert shown.count("decided by the GM") == 7
