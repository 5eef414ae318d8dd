"""Briefings: for their side and the GM alone, on a page, in a mail on joining, and as the first sheet of a phase."""

import re
import shutil
from pathlib import Path

import pytest
from django.urls import reverse

from campaign.briefings import briefing_of, briefings_for
from campaign.core import clock
from campaign.engine.values.ids import Audience, SideId
from campaign.game.loading import find_scenario
from campaign.mail.delivery import send_due, withdraw
from campaign.models import Membership, OutboxMessage, OutboxState, Phase, PhaseState, Role, User
from campaign.people import invitations, memberships
from campaign.secrecy.truth import Breach, Reader, reading
from campaign.services import create_campaign
from campaign.viewers import Viewer, gm_viewer, viewer_of
from gm.demo import SCENARIO
from gm.desk.closing import abandon
from gm.machine.sweeper import sweep
from tests.gm.campaigns import GLOOMY, START, UNREVIEWED, live, miss, new_campaign, opened, send
from tests.mails import text_of
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

GERMAN, ALLIED = "Briefing for the German commander", "Briefing for the Allied commander"
"""What is in one briefing and in no other text."""
SECRET = {GERMAN: "Schnee Eifel down the Our", ALLIED: "supposed to be the quiet front"}
PAGE = "briefing/"


def page(cast: Cast, name: str) -> str:
    return cast.browser(name).get(cast.address(PAGE)).content.decode()


@pytest.mark.parametrize("part", ["commander", "deputy", "staff", "tactical"])
def test_a_side_reads_its_own_briefing_alone(cast: Cast, part: str) -> None:
    assert GERMAN in page(cast, f"german {part}")
    for name in (f"german {part}", f"allied {part}" if part != "deputy" else "allied commander"):
        own, other = (GERMAN, ALLIED) if name.startswith("german") else (ALLIED, GERMAN)
        text = page(cast, name)
        assert own in text
        assert SECRET[own] in " ".join(text.split())
        assert other not in text
        assert SECRET[other] not in " ".join(text.split())


def test_the_gm_reads_both(cast: Cast) -> None:
    text = page(cast, "gm")
    assert text.index(ALLIED) < text.index(GERMAN)


def test_nobody_else_reads_any(cast: Cast) -> None:
    for name in ("spectator", OUTSIDER):
        assert cast.browser(name).get(cast.address(PAGE)).status_code == 404
        assert PAGE not in cast.browser(name).get(cast.address()).content.decode()
    answer = cast.browser(ANONYMOUS).get(cast.address(PAGE))
    assert answer.headers["Location"].startswith("/account/login/")
    assert cast.browser(ANONYMOUS).get(cast.address("public/")).status_code == 200


def test_spectators_read_both_once_the_campaign_is_closed_and_the_sides_still_only_their_own(cast: Cast) -> None:
    abandon(gm_viewer(cast.user("gm"), cast.campaign.slug), reason="No time left.")
    text = page(cast, "spectator")
    assert GERMAN in text
    assert ALLIED in text
    assert ALLIED not in page(cast, "german commander")
    assert f'href="{cast.address(PAGE)}"' in cast.browser("spectator").get(cast.address()).content.decode()
    assert cast.browser(OUTSIDER).get(cast.address(PAGE)).status_code == 404


def test_a_player_who_has_left_reads_it_no_longer(cast: Cast) -> None:
    browser = cast.browser("german staff")
    memberships.leave(viewer(cast, "german staff"), now=START)
    assert browser.get(cast.address(PAGE)).status_code == 404


def test_the_other_sides_briefing_is_not_made_for_a_reader(cast: Cast) -> None:
    for reader in (Reader(Audience("allied"), cast.user("allied commander").pk), Reader()):
        with reading(lambda reader=reader: reader), pytest.raises(Breach):  # type: ignore[misc]
            briefing_of(cast.campaign, SideId("german"))


def viewer(cast: Cast, name: str) -> Viewer:
    return viewer_of(cast.user(name), cast.campaign.slug)


# --- the way there ---------------------------------------------------------------------------------------------------


def test_it_is_a_tab_for_those_who_have_one(cast: Cast) -> None:
    for name in ("german staff", "allied tactical", "gm"):
        assert f'href="{cast.address(PAGE)}"' in cast.browser(name).get(cast.address()).content.decode()


def invited(cast: Cast, *, side: str = "german", role: str = Role.COMMANDER) -> str:
    gm = gm_viewer(cast.user("gm"), cast.campaign.slug)
    return invitations.invite(gm, role=role, side=side, meant_for="", now=START)


def briefing_mails(user: User) -> list[str]:
    return [text_of(bytes(mail.message)) for mail in OutboxMessage.objects.filter(kind="briefing", user=user)]


def test_joining_leads_to_the_briefing_and_mails_it(cast: Cast) -> None:
    answer = cast.browser(OUTSIDER).post(reverse("invitation", args=[invited(cast)]))
    assert answer.headers["Location"] == cast.address(PAGE)
    (mail,) = briefing_mails(cast.user(OUTSIDER))
    own = " ".join(mail.split())
    assert SECRET[GERMAN] in own
    assert SECRET[ALLIED] not in own
    assert f"http://localhost:8000{cast.address(PAGE)}" in own
    assert "READY" in own
    assert "[[" not in own
    (row,) = OutboxMessage.objects.filter(kind="briefing")
    assert (row.audience, row.subject) == ("german", "[The Bulge] Your briefing")


def test_it_is_sent_although_the_phase_in_which_it_was_written_is_reopened(
    cast: Cast, mailoutbox: list[object]
) -> None:
    cast.browser(OUTSIDER).post(reverse("invitation", args=[invited(cast)]))
    phase = live(cast.campaign)
    withdraw(phase)
    Phase.objects.filter(pk=phase.pk).update(state=PhaseState.WITHDRAWN)
    send_due(clock.now())
    assert OutboxMessage.objects.get(kind="briefing").state == OutboxState.SENT
    assert mailoutbox


def test_nobody_is_mailed_the_briefing_of_a_closed_campaign(cast: Cast) -> None:
    link = invited(cast)
    abandon(gm_viewer(cast.user("gm"), cast.campaign.slug), reason="No time left.")
    cast.browser(OUTSIDER).post(reverse("invitation", args=[link]))
    assert cast.campaign.memberships.filter(user=cast.user(OUTSIDER)).exists()
    assert not briefing_mails(cast.user(OUTSIDER))


def test_a_spectator_joins_without_one(cast: Cast) -> None:
    answer = cast.browser(OUTSIDER).post(reverse("invitation", args=[invited(cast, side="", role=Role.SPECTATOR)]))
    assert answer.headers["Location"] == cast.address()
    assert not OutboxMessage.objects.filter(kind="briefing").exists()


def test_a_spectator_who_becomes_a_player_gets_the_mail_once(cast: Cast) -> None:
    gm = gm_viewer(cast.user("gm"), cast.campaign.slug)
    for role in (Role.STAFF, Role.TACTICAL, Role.STAFF):
        memberships.change_role(gm, cast.member("spectator"), role=role, side="allied", now=START)
    assert len(briefing_mails(cast.user("spectator"))) == 1
    assert ALLIED in page(cast, "spectator")


@pytest.mark.usefixtures("time")
def test_a_scenario_without_briefings_has_no_page_tab_or_mail(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(find_scenario(SCENARIO), bare, ignore=shutil.ignore_patterns("briefing-*.md"))
    campaign = new_campaign(scenario=str(bare))
    cast = Cast(campaign)
    for name, role, side in (("gm", Role.GM, ""), ("german", Role.STAFF, "german"), (OUTSIDER, None, "")):
        user = User.objects.create_user(name, f"{name}@example.org")
        if role:
            Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=START)
    for name in ("gm", "german"):
        assert cast.browser(name).get(cast.address(PAGE)).status_code == 404
        assert PAGE not in cast.browser(name).get(cast.address()).content.decode()
    answer = cast.browser(OUTSIDER).post(reverse("invitation", args=[invited(cast)]))
    assert answer.headers["Location"] == cast.address()
    assert not OutboxMessage.objects.filter(kind="briefing").exists()


# --- the first sheet -------------------------------------------------------------------------------------------------

FIRST = "?first=1"
A_LINE = "ATTACK 2 Pz contact"


def orders(cast: Cast, name: str = "german commander", rest: str = "orders/HQ/") -> str:
    return cast.browser(name).get(cast.address(rest)).content.decode()


def test_the_open_phase_has_its_first_sheet_one_click_away(cast: Cast) -> None:
    link = f'href="{cast.address("orders/HQ/")}{FIRST}"'
    assert page(cast, "german commander").count(link) == 1
    assert link in orders(cast)
    assert A_LINE not in orders(cast), "nothing is written for a player who did not ask for it"
    filled = orders(cast, rest=f"orders/HQ/{FIRST}")
    assert A_LINE in filled
    assert "every line accepted" in filled
    assert link not in filled


def test_whoever_has_no_sheet_to_write_is_offered_none(cast: Cast) -> None:
    for name in ("german staff", "german tactical", "allied commander", "gm"):
        assert FIRST not in page(cast, name)
    assert FIRST not in orders(cast, "german staff")
    assert A_LINE not in orders(cast, "german staff", f"orders/HQ/{FIRST}")
    assert A_LINE not in orders(cast, "gm", f"orders/HQ/{FIRST}")


def test_it_never_takes_the_place_of_what_a_player_has_written(cast: Cast) -> None:
    send(live(cast.campaign), cast.user("german commander"), "HOLD 26 VG")
    filled = orders(cast, rest=f"orders/HQ/{FIRST}")
    assert "HOLD 26 VG" in filled
    assert A_LINE not in filled
    assert FIRST not in filled


def test_it_is_for_the_first_time_that_a_phase_comes_up(cast: Cast) -> None:
    for _ in range(10):
        miss(live(cast.campaign))
        if live(cast.campaign).key == "german_sheet":
            break
    assert live(cast.campaign).key == "german_sheet"
    assert FIRST not in page(cast, "german commander")
    assert A_LINE not in orders(cast, rest=f"orders/HQ/{FIRST}")


@pytest.mark.usefixtures("time")
def test_where_both_sides_act_each_begins_with_its_own_sheet() -> None:
    campaign = new_campaign()
    sweep(worker="one")
    assert live(campaign).key == "air"
    for side, own, other in (("german", "ARTILLERY 12 VG", "110/28"), ("allied", "ARTILLERY 110/28", "12 VG")):
        user = User.objects.create_user(side, f"{side}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side=side, joined_at=START)
        (filled,) = re.findall(
            r'<textarea[^>]*id="text".*?</textarea>', orders(Cast(campaign), side, f"orders/HQ/{FIRST}"), re.DOTALL
        )
        assert own in filled
        assert other not in filled


@pytest.mark.usefixtures("time")
def test_it_has_no_line_that_the_campaign_would_refuse() -> None:
    """R4.4 Attacks have a phase of their own here."""
    scenario, options = find_scenario(SCENARIO), {"separate_attacks": "yes"}
    campaign = create_campaign(
        slug="bulge", title="The Bulge", scenario=scenario, handling=UNREVIEWED, master=GLOOMY, options=options
    )
    user = User.objects.create_user("model", "model@example.org")
    Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side="german", joined_at=START)
    assert opened(campaign).key == "german_sheet"
    filled = orders(Cast(campaign), "model", f"orders/HQ/{FIRST}")
    assert "MOVE 12 SS to Hellenthal" in filled
    assert A_LINE not in filled
    assert "every line accepted" in filled


@pytest.mark.usefixtures("time")
def test_before_the_campaign_starts_the_page_says_what_it_waits_for() -> None:
    campaign = new_campaign()
    campaign.phases.update(held=True)
    user = User.objects.create_user("early", "early@example.org")
    Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side="german", joined_at=START)
    text = page(Cast(campaign), "early")
    assert "The campaign starts when every side has a commander or a bot." in " ".join(text.split())
    assert GERMAN in text
    assert [each.side for each in briefings_for(viewer_of(user, campaign.slug))] == ["german"]


def test_of_a_phase_that_takes_no_orders_the_page_says_why(cast: Cast) -> None:
    phase = Phase.objects.filter(pk=live(cast.campaign).pk)
    for change, said in (({"held": True}, "paused by the GM"), ({"state": PhaseState.REVIEW}, "being resolved")):
        phase.update(**{"held": False, **change})
        text = " ".join(page(cast, "allied commander").split())
        assert said in text
        assert "starts when" not in text
