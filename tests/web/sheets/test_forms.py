"""Forms next to a sheet without scripts: what is filled in is in the text, the text is saved, and nothing is lost."""

import re
from html import unescape
from typing import Any

import pytest
from pytest_django import Settings

from campaign.models import BattleReport, Desk, Membership
from orders.models import Draft, Sheet
from tests.battles import KEY, Field, field
from tests.gm.campaigns import live
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

__all__ = ["field"]
pytestmark = pytest.mark.django_db

_FIELD = re.compile(r'<(?:input|option|select)[^>]*?\bname="([^"]+)"[^>]*>')
AIR = "air:AIR/1"


def page_of(cast: Cast, who: str, desk: str = "HQ") -> str:
    return cast.browser(who).get(cast.address(f"orders/{desk}/")).content.decode()


def names_in(page: str) -> set[str]:
    """The names of the fields of forms."""
    return {unescape(name) for name in _FIELD.findall(page) if ":" in name}


def value_of(page: str, name: str) -> str:
    """What a field of a page holds."""
    found = re.search(rf'<input[^>]*name="{re.escape(name)}"\s+value="([^"]*)"', page)
    assert found, name
    return unescape(found[1])


def fill(cast: Cast, who: str, key: str, text: str = "", *, rest: str = "orders/HQ/", **more: Any) -> Any:
    phase = live(cast.campaign)
    fields = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "key": "k", "text": text, "fill": key}
    return cast.browser(who).post(cast.address(rest), {**fields, **more}, follow=rest == "orders/HQ/")


def test_air_units_are_put_into_the_sheet_and_saved_as_a_draft(morning: Cast) -> None:
    page = page_of(morning, "allied commander")
    assert "5 air units, 5 left" in page
    entered = {f"{AIR}:cas": "2", f"{AIR}:interdiction": "1", f"{AIR}:superiority": ""}
    answer = fill(morning, "allied commander", "air", "NOTE We fly.\r\nREADY", **{"was:air": ""}, **entered)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "NOTE We fly.\nAIR cas 2 interdiction 1\nREADY</textarea>" in page
    assert "5 air units, 2 left" in page
    assert value_of(page, f"{AIR}:cas") == "2"
    assert Draft.objects.get().text == "NOTE We fly.\nAIR cas 2 interdiction 1\nREADY"
    assert not Sheet.objects.exists()


def test_a_form_offers_a_side_nothing_that_it_does_not_have(morning: Cast) -> None:
    german, allied = (names_in(page_of(morning, f"{side} commander")) for side in ("german", "allied"))
    assert f"{AIR}:cas" in german & allied
    assert f"{AIR}:interdiction" in allied - german


def examples_on(page: str) -> list[str]:
    details = page[page.index('<details id="usages">') :]
    return [unescape(line) for line in re.findall(r'<span class="notation">([^<]*)</span>', details)]


@pytest.mark.parametrize("side", ["german", "allied"])
def test_the_page_shows_an_example_of_each_order_that_is_accepted(morning: Cast, side: str) -> None:
    page = page_of(morning, f"{side} commander")
    lines = examples_on(page)
    assert [line.split()[0] for line in lines] == ["AIR", "REMOVE", "ARTILLERY", "NOTE", "READY"]
    for line in lines:
        check = morning.browser(f"{side} commander").post(morning.address("orders/HQ/check/"), {"text": line})
        assert 'data-ignored="true"' not in check.content.decode(), line
    assert "INTERDICT" not in page
    assert "&lt;number&gt;" not in page


def test_examples_of_a_march_name_units_of_the_side(cast: Cast) -> None:
    lines = examples_on(page_of(cast, "german commander"))
    verbs = [line.split()[0] for line in lines]
    assert verbs[:4] == ["MOVE", "THEN", "DETACH", "ATTACK"]
    assert "CAS" not in verbs


def test_lines_that_were_typed_after_the_form_was_shown_are_left_alone(morning: Cast) -> None:
    """The page has no script: the form does not know them."""
    text = "AIR superiority 5\nREMOVE cas"
    shown = {"was:remove": "", "remove:REMOVE/1:box": ""}
    fill(morning, "allied commander", "remove", text, **shown, **{"remove:REMOVE/2:box": "superiority"})
    assert Draft.objects.get().text == f"{text}\nREMOVE superiority"


def test_what_is_no_number_is_named_and_the_text_stays(morning: Cast) -> None:
    answer = fill(morning, "allied commander", "air", "NOTE Mine.", **{"was:air": "", f"{AIR}:cas": "two"})
    assert answer.status_code == 422
    assert "&#x27;two&#x27; is not a whole number" in answer.content.decode()
    assert "NOTE Mine.</textarea>" in answer.content.decode()
    assert Draft.objects.get().text == "NOTE Mine."


def test_too_many_air_units_are_put_in_and_the_answer_says_so(morning: Cast) -> None:
    page = fill(morning, "allied commander", "air", **{"was:air": "", f"{AIR}:cas": "9"}).content.decode()
    assert "AIR cas 9" in page
    assert "only 5 can fly today" in page
    assert "9 used: too many" in page


def test_a_form_of_a_phase_that_has_closed_loses_no_text(morning: Cast) -> None:
    answer = fill(morning, "allied commander", "air", "NOTE Mine.", stop=0)
    assert answer.status_code == 409
    assert "NOTE Mine." in answer.content.decode()


def test_a_script_gets_the_text_and_the_forms_and_nothing_is_stored(morning: Cast) -> None:
    entered = {"was:air": "", f"{AIR}:interdiction": "2"}
    rest = "orders/HQ/forms/"
    answer = fill(morning, "allied commander", "air", "NOTE Mine.", rest=rest, **entered).json()
    assert answer["text"] == "NOTE Mine.\nAIR interdiction 2"
    assert "5 air units, 3 left" in answer["forms"]
    typed = morning.browser("allied commander").post(morning.address(rest), {"text": "AIR cas 4"}).json()
    assert typed["text"] == "AIR cas 4"
    assert "5 air units, 1 left" in typed["forms"]
    assert not Draft.objects.exists()


@pytest.mark.parametrize("name", ["spectator", OUTSIDER, ANONYMOUS, "allied tactical", "allied staff"])
def test_nobody_else_fills_in_a_sheet(morning: Cast, name: str) -> None:
    answer = fill(morning, name, "air", rest="orders/HQ/forms/")
    assert answer.status_code == (302 if name == ANONYMOUS else 404)


def test_a_desk_has_the_forms_of_its_own_units_only(morning: Cast) -> None:
    holder = Membership.objects.get(user__username="german staff")
    Desk.objects.create(
        campaign=morning.campaign, side="german", name="Sixth", holder=holder, formations=["I SS Corps"]
    )
    names = names_in(page_of(morning, "german staff", "Sixth"))
    assert {name.split(":")[0] for name in names} <= {"artillery", "was"}
    assert f"{AIR}:cas" not in names


def test_forms_that_are_sent_too_fast_say_so(morning: Cast, settings: Settings) -> None:
    settings.SHEETS_PER_MINUTE = 1
    answers = [fill(morning, "allied commander", "air", rest="orders/HQ/forms/") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_who_leads_the_campaign_has_no_forms_of_a_side(morning: Cast) -> None:
    assert names_in(page_of(morning, "gm")) == set()


def note_of(cast: Cast) -> dict[str, object]:
    phase = live(cast.campaign)
    return {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "key": "k", "text": "NOTE We fly."}


@pytest.mark.parametrize("act", ["send", "ready", "draft"])
def test_no_button_of_the_sheet_loses_what_was_filled_in(morning: Cast, act: str) -> None:
    """Without a script the forms come with the text, whichever button is pressed."""
    fields = note_of(morning) | {"act": act}
    entered = {f"{AIR}:cas": "2", f"{AIR}:interdiction": "", f"{AIR}:superiority": "", "was:air": ""}
    morning.browser("allied commander").post(morning.address("orders/HQ/"), {**fields, **entered})
    stored = Draft.objects.get() if act == "draft" else Sheet.objects.get()
    assert "AIR cas 2" in stored.text.split("\n")


def test_what_cannot_be_read_in_a_form_is_not_submitted(morning: Cast) -> None:
    fields = note_of(morning) | {"act": "ready"}
    answer = morning.browser("allied commander").post(
        morning.address("orders/HQ/"), {**fields, f"{AIR}:cas": "many", "was:air": ""}
    )
    assert answer.status_code == 422
    assert not Sheet.objects.exists()
    assert Draft.objects.get().text == "NOTE We fly."


# --- reports of battles ----------------------------------------------------------------------------------------------

RESULT = "result:RESULT/K16/1:winner"


def fill_report(field: Field, who: str, key: str, *, rest: str = "", **more: Any) -> Any:
    fields = {"stop": field.phase.no, "rev": field.phase.rev, "key": "k", "fill": key, **more}
    return field.cast.browser(who).post(field.cast.address(f"battles/{KEY}/{rest}"), fields)


def battle_page(field: Field, who: str) -> str:
    return field.cast.browser(who).get(field.cast.address(f"battles/{KEY}/")).content.decode()


def text_of(page: str, name: str = "text") -> str:
    found = re.search(rf'<textarea[^>]*name="{name}"[^>]*>([^<]*)</textarea>', page)
    assert found
    return unescape(found[1])


def test_a_report_is_written_by_its_forms_and_only_a_button_submits_it(field: Field) -> None:
    page = battle_page(field, "german commander")
    names = sorted(names_in(page))
    of_losses = next(name for name in names if name.startswith("losses:LOSSES/") and "110" not in name)
    assert "The Germans win; 2 Pz advances" in page
    assert not any(name.startswith(("pursuit", "retreats")) for name in names)
    won = {"was:result": "", RESULT: "attackers " + of_losses.split("/")[1]}
    answer = fill_report(field, "german commander", "result", text=text_of(page), **won)
    assert answer.status_code == 200
    text = text_of(answer.content.decode())
    assert "\nRESULT K16 attackers advance 2 Pz\n" in text
    answer = fill_report(field, "german commander", "losses", text=text, **{"was:losses": "", of_losses: "8"})
    page = answer.content.decode()
    assert "\nLOSSES 2 Pz 8\n" in text_of(page)
    assert "2 Pz loses 8 %" in page
    assert re.search(r"\d+ % before, \d+ % after", page)
    assert field.battle().state == "open"
    assert not BattleReport.objects.exists()


def test_who_confirms_chooses_where_their_units_retreat_on_a_map(field: Field) -> None:
    field.report(text="RESULT K16 attackers advance 2 Pz")
    page = battle_page(field, "allied commander")
    (name,) = {name for name in names_in(page) if name.startswith("retreats:")}
    offered = re.findall(rf'name="{re.escape(name)}"\s+value="([^"]*)"', page)
    assert offered[0] == ""
    assert {"K15", "L16", "J16"} == set(offered[1:])
    assert page.count('class="target"') == 3
    assert page.count("<label for=") > 3
    answer = fill_report(field, "allied commander", "retreats", reply="# mine", **{"was:retreats": "", name: "K15"})
    page = answer.content.decode()
    assert text_of(page, "reply") == "RETREAT 110/28 to K15\n# mine"
    assert page.count('class="target chosen"') == 1
    assert "result:" not in "".join(names_in(page))


def test_who_leads_may_let_the_rules_decide_only_where_the_campaign_offers_it(field: Field) -> None:
    assert "The rules decide" not in battle_page(field, "gm")
    assert "losses:" in "".join(names_in(battle_page(field, "gm")))


def test_a_script_gets_the_report_with_what_was_filled_in(field: Field) -> None:
    entered = {"was:result": "", RESULT: "defenders"}
    answer = fill_report(field, "allied commander", "result", rest="forms/", text="", **entered).json()
    assert answer["text"] == "RESULT K16 defenders\n"
    assert 'class="target' not in answer["forms"]


@pytest.mark.parametrize("name", ["german staff", "german tactical", "spectator", OUTSIDER])
def test_who_may_not_report_fills_in_nothing(field: Field, name: str) -> None:
    assert fill_report(field, name, "result").status_code == 404
    assert fill_report(field, name, "result", rest="forms/").status_code == 404


def test_a_report_that_another_has_answered_or_closed_keeps_its_text(field: Field, settings: Settings) -> None:
    answer = fill_report(field, "german commander", "result", text="# mine", stop=1)
    assert (answer.status_code, "# mine" in answer.content.decode()) == (409, True)
    field.report()
    field.confirm()
    answer = fill_report(field, "german commander", "result", text="# mine")
    assert (answer.status_code, "# mine" in answer.content.decode()) == (409, True)
    settings.SHEETS_PER_MINUTE = 1
    answers = [fill_report(field, "gm", "result", text="# mine") for _ in range(2)]
    assert [each.status_code for each in answers] == [200, 429]
    assert "# mine" in answers[1].content.decode()


@pytest.mark.parametrize(("who", "act"), [("german tactical", "report"), ("gm", "decide")])
def test_a_button_that_submits_first_shows_what_was_filled_in(field: Field, who: str, act: str) -> None:
    """A result is final once both have agreed, so nobody submits lines that they have not read."""
    field.assign("german commander", "german tactical")
    rest = "decide/" if act == "decide" else ""
    fields = {"stop": field.phase.no, "rev": field.phase.rev, "key": "k", "act": act, "text": "", "was:result": ""}
    answer = field.cast.browser(who).post(field.cast.address(f"battles/{KEY}/{rest}"), {**fields, RESULT: "attackers"})
    page = answer.content.decode()
    assert "Nothing is submitted yet: what you filled in is now in the text." in page
    assert "RESULT K16 attackers" in text_of(page)
    assert not BattleReport.objects.exists()
