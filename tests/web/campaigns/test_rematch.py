"""A rematch: the same scenario, options and settings, and everybody invited to the other side."""

import pytest

from campaign.house_rules import house_rules
from campaign.models import Campaign, Invitation, Membership, OutboxMessage, User
from campaign.people import bots
from campaign.viewers import viewer_of
from gm.desk.closing import abandon
from tests.web.conftest import OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

HERE, NAMED = "rematch/", {"title": "The Bulge, rematch", "slug": "bulge-rematch"}


@pytest.fixture
def ended(cast: Cast) -> Cast:
    Campaign.objects.update(reminder_hours=7, weekdays=[1, 2])
    abandon(viewer_of(cast.user("gm"), cast.campaign.slug), reason="Too few players.")
    return cast


def test_only_a_gm_creates_it_and_only_after_the_end(cast: Cast) -> None:
    assert cast.browser("gm").get(cast.address(HERE)).status_code == 404
    assert cast.browser("gm").post(cast.address(HERE), NAMED).status_code == 404
    abandon(viewer_of(cast.user("gm"), cast.campaign.slug), reason="Too few players.")
    assert "Rematch with sides swapped" in cast.browser("co-gm").get(cast.address("result/")).content.decode()
    for who in (*(set(PARTS) - {"gm", "co-gm"}), OUTSIDER):
        assert cast.browser(who).get(cast.address(HERE)).status_code == 404
        assert cast.browser(who).post(cast.address(HERE), NAMED).status_code == 404
    assert Campaign.objects.count() == 1


def test_it_proposes_a_name_and_says_who_is_invited(ended: Cast) -> None:
    page = ended.browser("gm").get(ended.address(HERE)).content.decode()
    assert 'value="The Bulge, rematch"' in page
    assert 'value="bulge-rematch"' in page
    assert "german commander, so far German commander" in page
    assert "@example.org" not in page


def test_everybody_is_invited_and_players_to_the_other_side(ended: Cast) -> None:
    assert ended.browser("gm").post(ended.address(HERE), NAMED).status_code == 302
    new = Campaign.objects.get(slug="bulge-rematch")
    assert (new.reminder_hours, new.weekdays, new.opens_story) == (7, [1, 2], True)
    assert [each.answer for each in house_rules(new)] == [each.answer for each in house_rules(ended.campaign)]
    assert new.scenario_digest == ended.campaign.scenario_digest
    assert Membership.objects.get(campaign=new).user.username == "gm"
    found = dict(Invitation.objects.filter(campaign=new).values_list("meant_for", "side"))
    assert found["german commander"] == "allied"
    assert found["allied staff"] == "german"
    assert found["spectator"] == found["co-gm"] == ""
    assert found.keys() == PARTS.keys() - {"gm"}
    assert OutboxMessage.objects.filter(kind="invitation").count() == len(found)


def test_the_gm_reads_nobodys_address(ended: Cast) -> None:
    gm = ended.browser("gm")
    gm.post(ended.address(HERE), NAMED)
    addresses = [each for each in User.objects.exclude(username="gm").values_list("email", flat=True) if each]
    found = Invitation.objects.filter(campaign__slug="bulge-rematch").first()
    assert found is not None
    people = gm.get("/c/bulge-rematch/people/").content.decode()
    renewed = gm.post("/c/bulge-rematch/people/renew/", {"invitation": found.token_digest}).content.decode()
    assert f"Fieldpost mails this link to {found.meant_for}." in renewed
    assert addresses
    assert not [each for each in addresses if each in people or each in renewed]


def test_a_bot_changes_sides_too(ended: Cast) -> None:
    Membership.objects.filter(campaign=ended.campaign, side="allied").delete()
    name = bots.names_of(ended.campaign)[0]
    bots.seat(viewer_of(ended.user("gm"), "bulge"), side="allied", name=name, now=ended.campaign.created_at)
    ended.browser("gm").post(ended.address(HERE), NAMED)
    assert [bot.side for bot in bots.bots_of(Campaign.objects.get(slug="bulge-rematch"))] == ["german"]


def test_a_name_that_is_taken_is_shown_again(ended: Cast) -> None:
    answer = ended.browser("gm").post(ended.address(HERE), {"title": "Once more", "slug": "bulge"})
    assert answer.status_code == 422
    assert "Another campaign already has this short name" in answer.content.decode()
    assert "Once more" in answer.content.decode()
    assert Campaign.objects.count() == 1
