"""House rules: what a campaign chooses when it is created, and who reads it where."""

from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.utils.html import escape

from campaign.engine.phases import Weight
from campaign.engine.values.options import options_in
from campaign.forms.scenarios import offered_rulesets
from campaign.game.loading import find_scenario, load_scenario, scenario_files
from campaign.handling import handling_of
from campaign.house_rules import house_rules
from campaign.models import AuditEntry, Campaign
from campaign.rulesets.forum_campaign.model.effects import EFFECTS
from campaign.rulesets.forum_campaign.model.options import FuelGrouping, MovementScale
from campaign.services import create_campaign
from gm.demo import SCENARIO
from gm.machine.sweeper import sweep
from tests.gm.campaigns import state_after
from tests.web.campaigns.test_founding import FOUNDING
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

CHOSEN = {"forum_campaign-fuel_grouping": "pooled", "forum_campaign-forecast": "yes"}


def wacht() -> Campaign:
    return Campaign.objects.get(slug="wacht")


def answers(campaign: Campaign) -> dict[str, str]:
    return {each.option.name: each.answer for each in house_rules(campaign)}


def differing(campaign: Campaign) -> set[str]:
    return {each.option.name for each in house_rules(campaign) if each.differs}


def test_a_campaign_is_played_by_the_options_chosen_when_it_was_created(cast: Cast) -> None:
    assert cast.browser(OUTSIDER).post("/new/", FOUNDING | CHOSEN).status_code == 302
    sweep(worker="one")
    options = state_after(wacht().phases.get(no=0)).open.options
    assert (options.fuel_grouping, options.forecast) == (FuelGrouping.POOLED, True)
    assert options.movement_scale is MovementScale.FULL


def test_what_was_not_chosen_is_as_by_default(cast: Cast) -> None:
    cast.browser(OUTSIDER).post("/new/", FOUNDING)
    assert not differing(wacht())


@pytest.fixture
def made_for_raw_parity(tmp_path: Path) -> Path:
    """The folder of a scenario that is made for another answer than the ruleset's default."""
    for name, text in scenario_files(find_scenario(SCENARIO)).items():
        if "/" not in name:
            (tmp_path / name).write_text(text, encoding="utf-8")
    with (tmp_path / "tables.toml").open("a", encoding="utf-8") as tables:
        tables.write('options.parity = "Because."\n\n[options]\nparity = "raw"\n')
    return tmp_path


def test_an_answer_that_the_scenario_is_made_for_is_the_default(made_for_raw_parity: Path) -> None:
    campaign = create_campaign(slug="raw", title="Raw", scenario=made_for_raw_parity)
    assert answers(campaign)["parity"] == "raw"
    assert not differing(campaign)
    other = create_campaign(slug="even", title="Even", scenario=made_for_raw_parity, options={"parity": "even_first"})
    assert differing(other) == {"parity"}


def test_the_form_chooses_beforehand_what_the_scenario_is_made_for(
    cast: Cast, made_for_raw_parity: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supplied = {"forum_campaign/raw": load_scenario(made_for_raw_parity).open}
    for module in ("scenarios", "creation", "positions"):
        monkeypatch.setattr(f"campaign.forms.{module}.supplied", lambda: supplied)
    page = cast.browser(OUTSIDER).get("/new/").content.decode()
    assert 'value="raw" id="id_forum_campaign-parity_1" checked' in page
    assert page.count("(default)") == sum(len(options_in(rules.options)) for rules in offered_rulesets())


def test_a_house_rule_works_on_the_first_state(cast: Cast) -> None:
    cast.browser(OUTSIDER).post("/new/", FOUNDING | {"forum_campaign-movement_scale": "half"})
    sweep(worker="one")
    usual, halved = (
        state_after(campaign.phases.get(no=0)).own["german"].units for campaign in (cast.campaign, wacht())
    )
    assert {unit: -(-usual[unit].movement // 2) for unit in usual} == {unit: halved[unit].movement for unit in halved}


def test_the_form_asks_every_option_in_words_with_its_default_chosen(cast: Cast) -> None:
    page = cast.browser(OUTSIDER).get("/new/").content.decode()
    for rule in house_rules(cast.campaign):
        assert page.count(f'name="forum_campaign-{rule.option.name}"') == len(rule.option.answers)
        assert f'value="{rule.default}" id="id_forum_campaign-{rule.option.name}_' in page
        assert rule.option.question in page
    assert page.count("(default)") == sum(len(options_in(rules.options)) for rules in offered_rulesets())
    assert '<details class="house-rules"><summary>' in page


DEPARTING = {
    *("separate_attacks=no", "battles=automatic", "battles=by_choice", "friends_cover_retreat=yes"),
    *("movement_scale=three_quarters", "movement_scale=half", "raiders_fade=yes", "costly_demolition=yes"),
    *("advances_burn_fuel=yes", "whole_drop_zone=no"),
    *("fog=on", "short_strategic=yes"),
}
"""Answers of all rulesets."""


def test_the_form_says_which_answers_depart_from_the_published_rules(cast: Cast) -> None:
    """They leave the other points open."""
    page = cast.browser(OUTSIDER).get("/new/").content.decode()
    options = [option for rules in offered_rulesets() for option in options_in(rules.options)]
    marked = {f"{each.name}={value}" for each in options for value, _ in each.answers if each.departs(value)}
    assert marked == DEPARTING
    assert page.count("departs from the published rules</label>") == len(DEPARTING)
    assert page.count("as in the published rules</label>") == sum(bool(each.source) for each in options)
    assert "in a separate phase, after all units have moved – as in the published rules</label>" in page


def test_the_form_says_what_the_debated_options_were_found_to_change(cast: Cast) -> None:
    page = cast.browser(OUTSIDER).get("/new/").content.decode()
    for option in (rule.option for rule in house_rules(cast.campaign)):
        assert bool(option.effect) == (option.name in {"outside_german", *EFFECTS}), option.name
        assert escape(option.effect) in page


def test_the_rules_page_says_what_departs_from_the_published_rules(cast: Cast) -> None:
    cast.browser(OUTSIDER).post("/new/", FOUNDING | CHOSEN | {"forum_campaign-raiders_fade": "yes"})
    page = Client().get("/c/wacht/rules/").content.decode()
    assert page.count('<span class="tag">departs from the published rules</span>') == 1


def test_an_answer_that_is_not_offered_is_refused_and_the_choices_stay_open(cast: Cast) -> None:
    answer = cast.browser(OUTSIDER).post("/new/", FOUNDING | CHOSEN | {"forum_campaign-zone_cost": "double"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Select a valid choice. double is not one" in page
    assert '<details class="house-rules" open>' in page
    assert 'value="pooled" id="id_forum_campaign-fuel_grouping_1" checked' in page
    assert Campaign.objects.count() == 1


def test_a_refusal_by_the_rules_is_shown_in_words(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaign.forms.creation.CreateCampaignForm.options", lambda _form: {"sunshine": "yes"})
    answer = cast.browser(OUTSIDER).post("/new/", FOUNDING)
    assert answer.status_code == 422
    assert "there is no option 'sunshine'" in unescape(answer.content.decode())


def test_a_campaign_cannot_be_created_with_options_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="fuel_grouping must be one of separate, pooled, not 'heaped'"):
        create_campaign(slug="x", title="X", scenario=find_scenario(SCENARIO), options={"fuel_grouping": "heaped"})
    assert not Campaign.objects.exists()


def test_the_creation_is_audited_with_its_choices(cast: Cast) -> None:
    cast.browser(OUTSIDER).post("/new/", FOUNDING | CHOSEN)
    subject = AuditEntry.objects.get(campaign=wacht(), act="found").subject
    assert (subject["option fuel_grouping"], subject["option zone_cost"]) == ("pooled", "both")


@pytest.mark.parametrize("name", ["gm", "german staff", "allied commander", "spectator", OUTSIDER, ANONYMOUS])
def test_everybody_reads_on_the_rules_page_what_was_chosen(cast: Cast, name: str) -> None:
    page = cast.browser(name).get(cast.address("rules/")).content.decode()
    assert "All of them are at the default." in page
    for rule in house_rules(cast.campaign):
        assert f'<th scope="row">{rule.option.question}</th><td>{escape(rule.meaning)}</td>' in page


def test_the_rules_page_marks_what_differs_before_and_after_the_first_publication(cast: Cast) -> None:
    cast.browser(OUTSIDER).post("/new/", FOUNDING | CHOSEN | {"full_reviewed": "on"})
    before = Client().get("/c/wacht/rules/").content.decode()
    sweep(worker="one")
    drafted = Client().get("/c/wacht/rules/").content.decode()
    for page in (before, drafted):
        assert "2 of these points differ from the default and are marked." in page
        assert page.count('<span class="tag warn">chosen</span>') == 2
        assert "<strong>all units together, rounded up once</strong>" in page
    assert differing(wacht()) == {"fuel_grouping", "forecast"}


def test_one_point_is_spoken_of_as_one(cast: Cast) -> None:
    cast.browser(OUTSIDER).post("/new/", FOUNDING | {"forum_campaign-forecast": "yes"})
    assert "1 of these points differs from the default and is marked." in (
        Client().get("/c/wacht/rules/").content.decode()
    )


def test_the_settings_page_shows_the_choices_and_changes_none(cast: Cast) -> None:
    gm = cast.browser("gm")
    page = gm.get(cast.address("desk/settings/")).content.decode()
    assert "from the next German movement on" in page
    assert "forum_campaign-" not in page
    before = answers(cast.campaign)
    sent = {
        "full_hours": 24,
        "full_mailing": "reports",
        "reminder_hours": 1,
        "battle_hours": 9,
        "time_zone": "UTC",
        **CHOSEN,
    }
    assert gm.post(cast.address("desk/settings/"), sent).status_code == 302
    assert handling_of(cast.campaign, Weight.FULL).hours == 24
    assert answers(cast.campaign) == before
