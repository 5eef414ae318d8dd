"""A bot on a side: the GM seats it, everybody reads that it plays, and a person who takes command relieves it."""

import pytest

from campaign.models import Bot, Membership, Role
from campaign.people import bots, memberships
from campaign.viewers import COMMANDING, gm_viewer
from gm.phases.bots import write_due
from gm.verification import edits_of
from tests.gm.campaigns import START
from tests.web.conftest import PARTS, Cast

pytestmark = pytest.mark.django_db

ALL_ROUND = {"side": "german", "name": "all-round"}


@pytest.fixture
def leaderless(cast: Cast) -> Cast:
    """Nobody commands the Germans."""
    gm = gm_viewer(cast.user("gm"), cast.campaign.slug)
    for member in Membership.objects.filter(side="german", role__in=COMMANDING):
        memberships.change_role(gm, member, role=Role.STAFF, side="german", now=START)
    return cast


@pytest.fixture
def seated(leaderless: Cast) -> Cast:
    answer = leaderless.browser("gm").post(leaderless.address("people/bot/"), ALL_ROUND, follow=True)
    assert "The bot plays this side from now on." in answer.content.decode()
    return leaderless


def page(cast: Cast, who: str, rest: str) -> str:
    answer = cast.browser(who).get(cast.address(rest))
    assert answer.status_code == 200
    return answer.content.decode()


def test_everybody_reads_that_a_bot_plays(seated: Cast) -> None:
    for who in PARTS:
        assert 'all-round <span class="tag">bot</span>' in page(seated, who, "people/")
        assert "Played by a bot" in page(seated, who, "")
    public = page(seated, "anonymous", "public/")
    assert "German side</span> (bot)" in public
    assert "(all-round)" in public
    assert "bot all-round" in page(seated, "gm", "desk/")


def test_its_side_reads_its_sheet(seated: Cast) -> None:
    assert write_due() == 1
    assert "the bot" in page(seated, "german staff", "orders/HQ/")
    assert "<dd>the bot</dd>" in page(seated, "german staff", "orders/HQ/2.0/1/")


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"side": "allied", "name": "all-round"}, "allied commander commands this side. Give them another role first."),
        ({"side": "german", "name": "chess"}, "Choose a side and a bot from the lists."),
        ({"side": "french", "name": "all-round"}, "Choose a side and a bot from the lists."),
    ],
)
def test_only_a_side_without_a_commander_gets_a_bot(leaderless: Cast, sent: dict[str, str], why: str) -> None:
    answer = leaderless.browser("gm").post(leaderless.address("people/bot/"), sent, follow=True)
    assert why in answer.content.decode()
    assert not Bot.objects.exists()


def test_another_bot_replaces_it_and_the_gm_removes_it(seated: Cast) -> None:
    browser = seated.browser("gm")
    browser.post(seated.address("people/bot/"), ALL_ROUND | {"name": "fist"})
    assert Bot.objects.get().name == "fist"
    removed = [browser.post(seated.address("people/bot/remove/"), {"side": "german"}) for _ in range(2)]
    assert [answer.status_code for answer in removed] == [302, 404]
    assert not Bot.objects.exists()
    assert list(seated.campaign.audit.order_by("-no").values_list("act", flat=True))[:3] == ["no bot", "bot", "bot"]
    assert [str(fault) for fault in edits_of(seated.campaign) if "bot" in str(fault)] == []


@pytest.mark.parametrize("way", ["role", "invitation"])
def test_a_person_who_takes_command_relieves_the_bot(seated: Cast, way: str) -> None:
    gm = gm_viewer(seated.user("gm"), seated.campaign.slug)
    if way == "role":
        memberships.change_role(gm, seated.member("german staff"), role=Role.DEPUTY, side="german", now=START)
    else:
        token = memberships.invite(gm, role=Role.COMMANDER, side="german", meant_for="", now=START)
        memberships.accept_invitation(token, seated.user("outsider"), now=START)
    assert bots.bots_of(seated.campaign) == {}
