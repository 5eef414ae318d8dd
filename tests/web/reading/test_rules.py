"""The rules page: who may read it, what is on it, and where reports lead."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from campaign.game.loading import find_scenario
from campaign.game.rulebook import rule_url, rulebook_of
from campaign.models import Campaign, Membership, Role, User
from campaign.services import create_campaign, scenario_of, shared_digest
from gm.demo import SCENARIO

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return create_campaign(slug="bulge", title="The Bulge", scenario=find_scenario(SCENARIO))


@pytest.fixture
def private(campaign: Campaign) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(public=False)
    return campaign


def member(campaign: Campaign, role: Role, side: str = "") -> Client:
    user = User.objects.create_user(f"{role}{side}")
    Membership.objects.create(
        campaign=campaign, user=user, role=role, side=side, joined_at=datetime(2026, 3, 1, tzinfo=UTC)
    )
    return signed_in(user)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="sesame.backends.ModelBackend")
    return client


def rules_page(slug: str = "bulge") -> str:
    return reverse("rules", args=[slug])


def test_anybody_reads_the_rules_of_a_public_campaign(campaign: Campaign) -> None:
    for client in (Client(), signed_in(User.objects.create_user("stranger"))):
        page = client.get(rules_page(campaign.slug))
        assert page.status_code == 200
        assert "The Bulge" in page.content.decode()


@pytest.mark.parametrize(("role", "side"), [(Role.GM, ""), (Role.STAFF, "german"), (Role.SPECTATOR, "")])
def test_members_read_the_rules_of_a_private_campaign(private: Campaign, role: Role, side: str) -> None:
    assert member(private, role, side).get(rules_page()).status_code == 200


def test_a_stranger_cannot_tell_a_private_campaign_from_none(private: Campaign) -> None:
    client = signed_in(User.objects.create_user("stranger"))
    there, nowhere = client.get(rules_page(private.slug)), client.get(rules_page("nowhere"))
    assert there.status_code == nowhere.status_code == 404
    assert there.content == nowhere.content


def test_visitors_who_are_not_signed_in_are_sent_to_sign_in_for_both_alike(private: Campaign) -> None:
    for slug in (private.slug, "nowhere"):
        answer = Client().get(rules_page(slug))
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/account/login/?next=/c/{slug}/rules/")


def test_the_page_has_a_table_of_contents_charts_and_rulings(campaign: Campaign) -> None:
    page = Client().get(rules_page(campaign.slug)).content.decode()
    assert '<a href="#R4">R4 Movement</a>' in page
    assert '<th scope="row">6</th><td>Allies</td><td>Bastogne (J13)</td>' in page.replace("\n", "")
    assert '<li id="ruling-3">' in page
    assert "[[" not in page


def test_the_page_begins_with_the_summary_and_has_every_chapter(campaign: Campaign) -> None:
    page = Client().get(rules_page(campaign.slug)).content.decode()
    contents, article = page.split("<article>")
    rulebook = rulebook_of(shared_digest(campaign), scenario_of(campaign))
    ids = [chapter.id for chapter in rulebook.chapters]
    assert article.index("<h1>") < article.index('id="SUMMARY"') < article.index('id="house-rules"')
    assert article.index('id="house-rules"') < article.index('id="dice"') < article.index('id="after-the-end"')
    assert article.index('id="after-the-end"') < article.index('id="NOTATION"')
    assert re.findall(r'<h2 id="([\w.]+)"', article) == ids
    assert re.findall(r'<a href="#([\w.-]+)"', contents) == [
        ids[0],
        "house-rules",
        "dice",
        "after-the-end",
        *ids[1:],
    ]


def test_nothing_on_the_page_breaks_the_policy_for_browsers(campaign: Campaign) -> None:
    answer = Client().get(rules_page(campaign.slug))
    page = answer.content.decode()
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]
    assert " style=" not in page
    assert "<style" not in page


def test_a_report_leads_to_the_rule_it_names(campaign: Campaign) -> None:
    address, anchor = rule_url(campaign.slug)("R12.5").split("#")
    assert f'id="{anchor}"' in Client().get(address).content.decode()


# --- how a day goes ---------------------------------------------------------------------------------------------------


def test_how_a_day_goes_is_read_by_those_who_read_the_rules(campaign: Campaign) -> None:
    page = Client().get(reverse("example_day", args=["bulge"])).content.decode()
    assert "<h1>How a day goes</h1>" in page
    assert f'href="{rules_page()}#R4.7"' in page
    assert f'href="{reverse("example_day", args=["bulge"])}"' in Client().get(rules_page()).content.decode()
    Campaign.objects.update(public=False)
    assert Client().get(reverse("example_day", args=["bulge"])).status_code == 302
    assert (
        signed_in(User.objects.create_user("stranger")).get(reverse("example_day", args=["bulge"])).status_code == 404
    )
    assert member(campaign, Role.STAFF, "german").get(reverse("example_day", args=["bulge"])).status_code == 200


def test_a_ruleset_without_an_example_of_a_day_has_no_page(campaign: Campaign) -> None:
    Campaign.objects.update(ruleset="another")
    assert member(campaign, Role.GM).get(reverse("example_day", args=["bulge"])).status_code == 404
    assert reverse("example_day", args=["bulge"]) not in Client().get(rules_page()).content.decode()


def test_a_practice_campaign_promises_nothing_that_a_game_master_does(campaign: Campaign) -> None:
    addresses = (rules_page(campaign.slug), reverse("public_dice", args=[campaign.slug]))
    promised = ("game master can declare a roll void", "when the campaign has ended")
    for practice in (False, True):
        Campaign.objects.update(practice=practice)
        pages = [" ".join(Client().get(address).content.decode().split()) for address in addresses]
        assert [words in page for words, page in zip(promised, pages, strict=True)] == [not practice] * 2
