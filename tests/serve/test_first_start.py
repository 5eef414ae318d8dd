"""The first start: the demonstration is created, and its people sign in by links that are printed once."""

import io
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from campaign.game.loading import find_scenario
from campaign.models import Campaign, User
from campaign.services import create_campaign
from gm import demo
from gm.management.commands import serve as command
from tests.serve.test_serve import free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "become_supervisor", lambda *_told, **_more: None)


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIELDPOST_URL", raising=False)
    settings.DATA_DIR, settings.SITE_URL = tmp_path, "http://nowhere"


@pytest.fixture(autouse=True)
def quick_demonstration(monkeypatch: pytest.MonkeyPatch) -> None:
    """A campaign with its three people and no days played."""

    def stand(progress: Any) -> SimpleNamespace:
        progress("16 December")
        if not Campaign.objects.exists():
            create_campaign(slug=demo.CAMPAIGN, title="Demo", scenario=find_scenario(demo.SCENARIO))
        people = {name: User.objects.get_or_create(username=name)[0] for name in ("gm", "german", "allied")}
        return SimpleNamespace(**people)

    monkeypatch.setattr(command, "stand", stand)
    monkeypatch.setattr(command, "standing", Campaign.objects.exists)


def serve(port: int) -> str:
    out = io.StringIO()
    call_command("serve", port=port, stdout=out)
    return out.getvalue()


def links_in(text: str) -> list[str]:
    return re.findall(r"http\S+sesame=\S+", text)


def test_the_first_start_lets_three_people_in_by_links_to_the_real_port() -> None:
    port = free_port()
    said = serve(port)
    assert " 0 of 10: 16 December" in said
    links = links_in(said)
    assert len(set(links)) == 3
    for link in links:
        assert link.startswith(f"http://localhost:{port}/")
        assert Client().get(link.removeprefix(f"http://localhost:{port}")).status_code == 200


def test_later_starts_print_no_links_and_say_what_a_locked_out_gm_can_do() -> None:
    serve(free_port())
    said = serve(free_port())
    assert links_in(said) == []
    assert "manage.py entrance USERNAME" in said


def test_a_demonstration_that_was_interrupted_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    create_campaign(slug=demo.CAMPAIGN, title="Demo", scenario=find_scenario(demo.SCENARIO))
    monkeypatch.setattr(command, "standing", lambda: False)
    assert len(links_in(serve(free_port()))) == 3


def test_a_site_with_campaigns_gets_no_demonstration() -> None:
    create_campaign(slug="bulge", title="The Bulge", scenario=find_scenario(demo.SCENARIO))
    assert links_in(serve(free_port())) == []


def test_a_given_address_is_used_and_not_replaced_by_the_port(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FIELDPOST_URL", "https://fieldpost.example")
    settings.SITE_URL = "https://fieldpost.example"
    assert all(link.startswith("https://fieldpost.example/") for link in links_in(serve(free_port())))
    assert not (tmp_path / "address").exists()


def test_an_address_of_another_computer_is_refused_in_words() -> None:
    with pytest.raises(CommandError, match=r"Nothing can listen at 192\.0\.2\.1"):
        call_command("serve", host="192.0.2.1", port=free_port(), stdout=io.StringIO())
