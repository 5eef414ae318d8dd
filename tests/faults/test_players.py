"""What players under faults read off a page."""

import pytest
from django.test import Client

from campaign.models import Campaign, Membership, Role
from campaign.people.accounts import new_person
from gm.machine.sweeper import sweep
from tests.faults.people.players import Answer
from tests.gm.campaigns import Clock, new_campaign

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("blank_maps")]


def page(campaign: Campaign, first: str) -> Answer:
    reader = Client()
    reader.force_login(campaign.memberships.get().user, backend="allauth.account.auth_backends.AuthenticationBackend")
    got = reader.get(f"/c/{campaign.slug}/orders/HQ/{first}")
    return Answer(got.status_code, "", got.content.decode())


def test_a_sheet_of_the_area_game_begins_with_the_orders_of_the_briefing(time: Clock) -> None:
    campaign = new_campaign("race-3", scenario="area_activation/race-to-the-meuse")
    model = new_person("Model", email="model@example.org")
    Membership.objects.create(campaign=campaign, user=model, role=Role.COMMANDER, side="german", joined_at=time.now)
    sweep(worker="one")
    assert "ACTIVATE Dasburg\nMOVE 5 FJ Clervaux" in page(campaign, "?first=1").proposed()
    assert page(campaign, "").proposed() == ""
    assert page(campaign, "").hidden()["key"]
