"""A ruleset without battles that are fought outside shows nobody pages, settings or mails about them."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from campaign.mail.choices import kinds_for
from campaign.models import Campaign, Membership, User
from tests.gm.conftest import blank_maps
from tests.gm.games.test_toy import estuary
from tests.web.routes import _patterns

__all__ = ["blank_maps", "estuary"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]

BATTLES = ("battles/", "battles/mill/", "desk/resolver/")
PEOPLE = ("Rundstedt", "north", "south")


def pages_of(campaign: Campaign) -> list[str]:
    """The addresses of the campaign's pages that need nothing but its name. Rules are elsewhere."""
    found = {pattern.replace("<slug:slug>", campaign.slug) for pattern in _patterns(get_resolver(), "/")}
    here = f"/c/{campaign.slug}/"
    return sorted(each for each in found if each.startswith(here) and "<" not in each and each != f"{here}rules/")


def browser(name: str) -> Client:
    client = Client()
    user = User.objects.get(username__iexact=name)
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


@pytest.mark.parametrize("name", PEOPLE)
def test_no_page_speaks_of_battles(estuary: Campaign, name: str) -> None:
    client, read = browser(name), 0
    for path in [*pages_of(estuary), f"/c/{estuary.slug}/orders/HQ/"]:
        page = client.get(path)
        if page.status_code == 200 and page.headers["Content-Type"].startswith("text/html"):
            words = re.sub(r"<[^>]+>", " ", page.content.decode())
            assert not re.search(r"\bbattles?\b", words, re.IGNORECASE), path
            assert "/battles/" not in page.content.decode(), path
            read += 1
    assert read >= 7


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("rest", BATTLES)
def test_there_are_no_pages_of_battles(estuary: Campaign, name: str, rest: str) -> None:
    assert browser(name).get(f"/c/{estuary.slug}/{rest}").status_code == 404


def test_nobody_chooses_about_mails_on_battles_and_the_gm_sets_no_hours_for_them(estuary: Campaign) -> None:
    for member in Membership.objects.filter(campaign=estuary):
        assert "battles" not in {kind.name for kind in kinds_for(member)}
    page = browser("Rundstedt").get(f"/c/{estuary.slug}/desk/settings/")
    assert page.status_code == 200
    assert "battle_hours" not in page.content.decode()
