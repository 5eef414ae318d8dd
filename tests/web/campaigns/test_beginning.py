"""The beginning of a campaign: what is asked, what is proposed, and what its GM does next."""

import re
from html import unescape
from io import BytesIO

import pytest
from PIL import Image

from campaign.core import clock
from campaign.game.loading import supplied_scenarios
from campaign.models import Bot, Campaign, Membership, Role
from campaign.people.invitations import invite
from campaign.viewers import gm_viewer
from gm.machine.sweeper import sweep
from tests.gm.campaigns import Clock, live, miss
from tests.web.campaigns.test_founding import FOUNDING
from tests.web.conftest import OUTSIDER, Cast

pytestmark = pytest.mark.django_db

NEXT = "What next"


def page(cast: Cast, who: str, path: str) -> str:
    return " ".join(unescape(cast.browser(who).get(path).content.decode()).split())


def founded(cast: Cast, **more: str) -> Campaign:
    answer = cast.browser(OUTSIDER).post("/new/", FOUNDING | {"slug": ""} | more)
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/c/wacht-am-rhein/"
    return Campaign.objects.get(slug="wacht-am-rhein")


def test_the_short_name_is_made_from_the_title(cast: Cast) -> None:
    founded(cast)
    browser = cast.browser(OUTSIDER)
    answer = browser.post("/new/", FOUNDING | {"slug": "", "title": "Ωμέγα"})
    assert answer.status_code == 422
    assert "Enter a short name of lowercase letters, digits and dashes." in answer.content.decode()
    again = browser.post("/new/", FOUNDING | {"slug": ""})
    assert "Another campaign already has this short name." in again.content.decode()


def test_strangers_see_no_maps_unless_the_gm_says_so(cast: Cast) -> None:
    form = page(cast, OUTSIDER, "/new/")
    assert "anyone who has it sees that side’s map" in form
    assert founded(cast).open_links == []
    Campaign.objects.filter(slug="wacht-am-rhein").update(slug="first")
    campaign = founded(cast, strangers_see="on", forum="discourse")
    assert (campaign.open_links, campaign.forum) == (["german", "allied", "public"], "discourse")


def test_a_form_that_comes_back_keeps_the_time_zone_that_was_chosen(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    assert "data-own-zone" in browser.get("/new/").content.decode()
    again = browser.post("/new/", FOUNDING | {"title": "?"}).content.decode()
    assert "data-own-zone" not in again
    assert '<option value="Europe/Vienna" selected>' in again


def test_what_is_next_vanishes_as_it_is_done(cast: Cast, time: Clock) -> None:
    campaign = founded(cast, waits="on")
    here = "/c/wacht-am-rhein/"
    for path in (here, f"{here}people/"):
        shown = page(cast, OUTSIDER, path)
        assert NEXT in shown
        assert "Invite a commander for the Germans" in shown
        assert "Invite a commander for the Allies" in shown
        assert "The campaign starts when every side has a commander or a bot." in shown
    gm = gm_viewer(cast.user(OUTSIDER), campaign.slug)
    invite(gm, role=Role.COMMANDER, side="german", meant_for="", now=clock.now())
    shown = page(cast, OUTSIDER, here)
    assert "The commander that you invited for the Germans has not joined yet." in shown
    assert "Invite a commander for the Germans" not in shown
    user = cast.user("spectator")
    Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side="german", joined_at=time.now)
    Bot.objects.create(campaign=campaign, side="allied", name="all-round", since=time.now)
    shown = page(cast, OUTSIDER, here)
    assert "command" not in shown.partition(NEXT)[2].partition("</section>")[0].replace("commander or a bot", "")
    assert NEXT not in page(cast, "spectator", here), "for the GM alone"


def test_the_list_ends_with_the_first_published_phase(cast: Cast) -> None:
    campaign = founded(cast)
    here = "/c/wacht-am-rhein/"
    assert "Fieldpost is setting up the campaign." in page(cast, OUTSIDER, here)
    sweep(worker="one")
    assert "The first phase is open: " in page(cast, OUTSIDER, here)
    miss(live(campaign))
    assert NEXT not in page(cast, OUTSIDER, here)
    assert NEXT not in page(cast, "gm", cast.address())


def test_the_link_to_invite_a_commander_fills_the_form(cast: Cast) -> None:
    founded(cast)
    shown = page(cast, OUTSIDER, "/c/wacht-am-rhein/people/?role=commander&side=allied")
    invitation = shown.partition('action="/c/wacht-am-rhein/people/invite/"')[2].partition("</form>")[0]
    assert '<option value="commander" selected>' in invitation
    assert '<option value="allied" selected>' in invitation


@pytest.mark.parametrize("where", ["/new/", "/practice/"])
def test_scenarios_show_their_map_length_size_and_players(cast: Cast, where: str) -> None:
    form = page(cast, OUTSIDER, where)
    facts = ("17 to 20 December 1944 · 4 turns · 96 hexes", "16 to 31 December 1944 · 16 turns · 676 hexes")
    assert [f"<small>{each} · 2 to " in form for each in facts] == [where == "/new/"] * 2
    pictures = re.findall(r'<img src="(/scenarios/[^"]+)"', form)
    assert len(pictures) == len(list(supplied_scenarios()))
    for address in pictures:
        answer = cast.browser(OUTSIDER).get(address)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
        assert Image.open(BytesIO(answer.content)).width == 480
        assert "max-age" in answer.headers["Cache-Control"]


def test_a_scenario_that_is_not_supplied_has_no_map(cast: Cast) -> None:
    for address in (
        "nowhere/st-vith-1944.png",
        "forum_campaign/nowhere.png",
        "forum_campaign/st-vith-1944.png?colours=x",
    ):
        assert cast.browser(OUTSIDER).get(f"/scenarios/{address}").status_code == 404
