"""The secret key opens the dice of campaigns: with another nothing starts, and one that was changed still opens."""

import runpy

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import OperationalError, connections
from django.test import Client
from pytest_django import Settings

from campaign.game import turn_package
from campaign.models import Campaign, Membership, Phase, PhaseState, Role
from campaign.people.accounts import new_person
from campaign.record.dice_keys import master_seed, require_key
from deploy.celery import require_key as require_key_of_a_worker
from gm.machine.sweeper import sweep
from tests.gm.campaigns import GLOOMY, START, blank_map, new_campaign
from tests.kept import kept
from tests.locks import ROOT

pytestmark = pytest.mark.django_db

ANOTHER = "another key than the one before"
ENTRY = str(ROOT / "deploy/wsgi.py")


@pytest.fixture
def campaign() -> Campaign:
    kept("campaign", new_campaign, timeless=True)
    return Campaign.objects.get()


@pytest.mark.usefixtures("campaign")
@pytest.mark.parametrize("command", [["tick"], ["runloop"], ["serve", "--port", "0"]])
def test_the_loop_and_the_server_refuse_to_run_with_another_key(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("FIELDPOST_URL", "http://localhost")  # serve keeps no address of this test
    settings.SECRET_KEY = ANOTHER
    with pytest.raises(ImproperlyConfigured, match=r"does not open the dice of bulge: .* secret_key"):
        call_command(*command)


@pytest.mark.django_db(transaction=True)  # both close the connection with which they looked
@pytest.mark.usefixtures("campaign")
def test_the_web_server_and_the_workers_of_a_fleet_do_so_too(settings: Settings) -> None:
    assert "application" in runpy.run_path(ENTRY)
    require_key_of_a_worker()
    settings.SECRET_KEY = ANOTHER
    with pytest.raises(ImproperlyConfigured, match="does not open the dice of bulge"):
        runpy.run_path(ENTRY)
    with pytest.raises(SystemExit, match="does not open the dice of bulge"):
        require_key_of_a_worker()


@pytest.mark.django_db(transaction=True)
def test_neither_leaves_a_connection_behind_for_the_processes_that_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr(type(connections), "close_all", lambda _: closed.append("all"))
    runpy.run_path(ENTRY)
    require_key_of_a_worker()
    assert closed == ["all", "all"]


def test_the_web_server_starts_without_a_database_to_say_that_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_database() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("campaign.record.dice_keys.require_key", no_database)
    monkeypatch.setattr(type(connections), "close_all", lambda _: None)
    assert "application" in runpy.run_path(ENTRY)
    assert "no database" in capsys.readouterr().err


def test_a_key_that_was_changed_on_purpose_still_opens_campaigns_created_with_it(
    campaign: Campaign, settings: Settings
) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = ANOTHER, [settings.SECRET_KEY]
    require_key()
    assert master_seed(campaign) == GLOOMY
    later = new_campaign("later")
    settings.SECRET_KEY_FALLBACKS = []
    assert master_seed(later) == GLOOMY
    with pytest.raises(ImproperlyConfigured, match="the dice of bulge:"):
        require_key()


@pytest.mark.usefixtures("campaign")
def test_a_campaign_that_is_over_keeps_nobody_from_starting_and_the_log_names_it(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SECRET_KEY = ANOTHER
    Phase.objects.update(state=PhaseState.PUBLISHED, published_at=START)
    require_key()
    (said,) = caplog.messages
    assert said.startswith("The secret key does not open the dice of bulge: ")


def test_the_pages_of_its_dice_say_that_the_key_is_missing(
    campaign: Campaign, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_package, "draw", blank_map)
    sweep(worker="one")
    user = new_person("Model", email="model@example.org")
    Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side="german", joined_at=START)
    browser = Client()
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    pages = ("dice/", "dice/both/log.jsonl", "public/dice/", "public/dice/both/reveal.jsonl", "locked/0.0/")
    assert {browser.get(f"/c/bulge/{page}").status_code for page in pages} == {200}
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = ANOTHER, []
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    for page in pages:
        answer = browser.get(f"/c/bulge/{page}")
        assert (answer.status_code, "The key is missing" in answer.content.decode()) == (503, True), page
    for page in ("", "stops/0/", "public/"):
        assert browser.get(f"/c/bulge/{page}").status_code == 200, page
