"""A campaign keeps the picture under its map as it was when it began."""

from pathlib import Path

import pytest

from campaign.engine.errors import ScenarioError
from campaign.game.loading import find_scenario
from campaign.models import Campaign, ScenarioPicture
from campaign.services import _READ, base_map_of, create_campaign
from gm.verification import faults
from tests.gm.campaigns import painted, pictured

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    return pictured(tmp_path / "st-vith")


def new_campaign(slug: str, scenario: Path) -> Campaign:
    made = create_campaign(slug=slug, title="St. Vith", scenario=scenario)
    return Campaign.objects.get(pk=made.pk)


def under(campaign: Campaign) -> bytes:
    """The picture under a campaign's maps, as another process finds it."""
    _READ.clear()
    backdrop = base_map_of(campaign).backdrop
    assert backdrop is not None
    return backdrop.picture


def test_a_picture_that_is_changed_later_changes_no_campaign(scenario: Path) -> None:
    green = (scenario / "country.png").read_bytes()
    first = new_campaign("first", scenario)
    red = painted(scenario, "red")
    second = new_campaign("second", scenario)
    (scenario / "country.png").unlink()

    assert (under(first), under(second)) == (green, red)
    assert first.scenario_digest != second.scenario_digest


def test_campaigns_of_one_scenario_share_its_picture(scenario: Path) -> None:
    for slug in ("first", "second"):
        new_campaign(slug, scenario)

    assert ScenarioPicture.objects.count() == 1


def test_a_campaign_without_a_picture_keeps_none() -> None:
    campaign = new_campaign("plain", find_scenario("forum_campaign/st-vith-1944"))

    assert not ScenarioPicture.objects.exists()
    assert base_map_of(campaign).backdrop is None
    assert list(faults(campaign)) == []


def test_a_picture_that_was_exchanged_is_found(scenario: Path) -> None:
    campaign = new_campaign("first", scenario)
    assert list(faults(campaign)) == []

    ScenarioPicture.objects.update(content=painted(scenario, "red"))
    assert "scenario: the picture country.png does not match its digest" in map(str, faults(campaign))
    ScenarioPicture.objects.all().delete()
    assert "scenario: the picture country.png does not match its digest" in map(str, faults(campaign))


def test_a_faulty_picture_creates_nothing(scenario: Path) -> None:
    (scenario / "country.png").write_bytes(b"none")
    with pytest.raises(ScenarioError, match="it is not a PNG, JPEG or WebP file"):
        new_campaign("first", scenario)

    assert not Campaign.objects.exists()
    assert not ScenarioPicture.objects.exists()
