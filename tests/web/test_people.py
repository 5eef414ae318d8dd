"""Who takes part in a campaign: each act by those who may do it, by those who may not, twice and too late."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse

from campaign.engine.phases import Weight
from campaign.handling import Handling, handling_of
from campaign.models import AuditEntry, Battle, Campaign, Desk, Invitation, Mailing, Membership, Role, User
from campaign.people import desks, entrances, invitations, memberships
from campaign.viewers import Viewer, gm_viewer, viewer_of
from tests.gm.campaigns import START, Clock, live, new_campaign
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast, rows

pytestmark = pytest.mark.django_db

NOBODY_SPECIAL = [name for name in (*PARTS, OUTSIDER) if name not in ("gm", "co-gm")]


def invite(cast: Cast, *, role: str = Role.STAFF, side: str = "german") -> str:
    viewer = gm_viewer(cast.user("gm"), cast.campaign.slug)
    return invitations.invite(viewer, role=role, side=side, meant_for="", now=START)


def accept(token: str, user: User) -> Membership:
    return invitations.accept_invitation(token, user, now=START)


def acts(cast: Cast) -> list[str]:
    return list(cast.campaign.audit.order_by("no").values_list("act", flat=True))


def viewer(cast: Cast, name: str) -> Viewer:
    return viewer_of(cast.user(name), cast.campaign.slug)


# --- invitations -----------------------------------------------------------------------------------------------------


def test_an_invitation_shows_its_link_once_and_keeps_its_digest_only(cast: Cast) -> None:
    browser = cast.browser("gm")
    sent = {"invite-role": "staff", "invite-side": "allied", "invite-meant_for": "Wolfgang"}
    page = browser.post(cast.address("people/invite/"), sent)
    (link,) = {word for word in page.content.decode().replace('"', " ").split() if "/invitation/" in word}
    invitation = Invitation.objects.get()
    assert (invitation.role, invitation.side, invitation.meant_for) == ("staff", "allied", "Wolfgang")
    token = link.rstrip("/").rpartition("/")[2]
    assert invitations.invitation_of(token, now=START) == invitation
    assert token not in repr(rows(whole=True))
    assert token not in browser.get(cast.address("people/")).content.decode()
    assert acts(cast)[-1] == "invite"


@pytest.mark.parametrize(
    ("role", "side", "why"),
    [("gm", "german", "has no side"), ("spectator", "allied", "has no side"), ("staff", "", "Choose a side")],
)
def test_an_invitation_to_an_impossible_part_is_refused(cast: Cast, role: str, side: str, why: str) -> None:
    page = cast.browser("gm").post(
        cast.address("people/invite/"), {"invite-role": role, "invite-side": side, "invite-meant_for": "Kurt"}
    )
    assert page.status_code == 422
    assert why in page.content.decode()
    assert 'value="Kurt"' in page.content.decode()
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("name", ["a\u202eb", "a\x07b", "a\u2028b"])
def test_names_that_steer_the_line_are_refused(cast: Cast, name: str) -> None:
    page = cast.browser("gm").post(
        cast.address("people/invite/"), {"invite-role": "gm", "invite-side": "", "invite-meant_for": name}
    )
    assert "Character 2 cannot be seen in print" in page.content.decode()
    assert not Invitation.objects.exists()


def test_a_person_who_is_invited_joins(cast: Cast) -> None:
    token = invite(cast)
    browser = cast.browser(OUTSIDER)
    page = browser.get(reverse("invitation", args=[token]))
    for word in ("The Bulge", "German staff", "gm invited you", "Join as outsider"):
        assert word in page.content.decode()
    answer = browser.post(reverse("invitation", args=[token]))
    assert answer.headers["Location"] == cast.address("briefing/")
    member = cast.member(OUTSIDER)
    assert (member.role, member.side, member.left_at) == ("staff", "german", None)
    assert acts(cast)[-2:] == ["join", "mail"]


def test_an_invitation_lets_one_person_in(cast: Cast) -> None:
    token = invite(cast)
    accept(token, cast.user(OUTSIDER))
    other = User.objects.create_user("other")
    with pytest.raises(invitations.SpentInvitation, match="has already been used"):
        accept(token, other)
    assert not other.memberships.exists()
    page = cast.browser(OUTSIDER).post(reverse("invitation", args=[token]))
    assert page.status_code == 409
    assert "has already been used" in page.content.decode()


def test_an_invitation_lasts_two_weeks(cast: Cast, time: Clock) -> None:
    token = invite(cast)
    time.forward(days=14, seconds=-1)
    assert cast.browser(OUTSIDER).get(reverse("invitation", args=[token])).status_code == 200
    time.forward(seconds=1)
    page = cast.browser(OUTSIDER).post(reverse("invitation", args=[token]))
    assert page.status_code == 409
    assert "has expired" in page.content.decode()
    assert not cast.user(OUTSIDER).memberships.exists()


def test_an_invitation_that_is_withdrawn_leads_nowhere(cast: Cast) -> None:
    token = invite(cast)
    digest = Invitation.objects.get().token_digest
    browser = cast.browser("co-gm")
    for _ in range(2):
        answer = browser.post(cast.address("people/revoke/"), {"invitation": digest})
        assert answer.headers["Location"] == cast.address("people/")
    assert acts(cast)[-2:] == ["invite", "revoke"]
    page = cast.browser(OUTSIDER).get(reverse("invitation", args=[token]))
    assert page.status_code == 409
    assert "withdrawn" in page.content.decode()


def test_a_link_that_was_never_given_out_is_not_known(cast: Cast) -> None:
    page = cast.browser(OUTSIDER).get(reverse("invitation", args=["x" * 32]))
    assert page.status_code == 404
    assert "does not know this invitation" in page.content.decode()


def test_a_member_cannot_join_again(cast: Cast) -> None:
    token = invite(cast, role=Role.COMMANDER, side="allied")
    for name, part in PARTS.items():
        with pytest.raises(memberships.Refused, match="already in The Bulge"):
            accept(token, cast.user(name))
        assert (cast.member(name).role, cast.member(name).side) == part
    accept(token, cast.user(OUTSIDER))


def test_a_player_who_left_comes_back_on_their_own_side_only(cast: Cast) -> None:
    memberships.leave(viewer(cast, "german staff"), now=START)
    with pytest.raises(memberships.Refused, match="you have been on the German side"):
        accept(invite(cast, side="allied"), cast.user("german staff"))
    assert accept(invite(cast, role=Role.DEPUTY), cast.user("german staff")).role == Role.DEPUTY


def test_a_player_who_watched_in_between_still_belongs_to_their_side(cast: Cast) -> None:
    user = cast.user("german staff")
    memberships.leave(viewer(cast, "german staff"), now=START)
    accept(invite(cast, role=Role.SPECTATOR, side=""), user)
    memberships.leave(viewer(cast, "german staff"), now=START)
    with pytest.raises(memberships.Refused, match="you have been on the German side"):
        accept(invite(cast, side="allied"), user)


def test_a_former_game_master_plays_for_nobody(cast: Cast) -> None:
    memberships.leave(viewer(cast, "co-gm"), now=START)
    with pytest.raises(memberships.Refused, match="you have been game master"):
        accept(invite(cast), cast.user("co-gm"))
    assert accept(invite(cast, role=Role.GM, side=""), cast.user("co-gm")).role == Role.GM


# --- roles -----------------------------------------------------------------------------------------------------------


def test_the_gm_changes_a_role(cast: Cast) -> None:
    sent = {"member": "german staff", "role": "commander", "side": "german"}
    cast.browser("gm").post(cast.address("people/role/"), sent)
    assert cast.member("german staff").role == Role.COMMANDER
    assert acts(cast)[-1] == "role"
    cast.browser("gm").post(cast.address("people/role/"), sent)
    assert acts(cast).count("role") == 1


@pytest.mark.parametrize(
    ("name", "role", "side", "why"),
    [
        ("german staff", "staff", "allied", "has been on the German side"),
        ("co-gm", "staff", "german", "has been game master"),
        ("german staff", "gm", "german", "has no side"),
    ],
)
def test_a_side_is_for_good(cast: Cast, name: str, role: str, side: str, why: str) -> None:
    browser, before = cast.browser("gm"), rows()
    sent = {"member": name, "role": role, "side": side}
    answer = browser.post(cast.address("people/role/"), sent, follow=True)
    assert why in answer.content.decode()
    assert rows() == before


def test_no_way_leads_round_by_watching(cast: Cast) -> None:
    gm = viewer(cast, "gm")
    memberships.change_role(gm, cast.member("german staff"), role=Role.SPECTATOR, side="", now=START)
    with pytest.raises(memberships.Refused, match="has been on the German side"):
        memberships.change_role(gm, cast.member("german staff"), role=Role.STAFF, side="allied", now=START)
    memberships.change_role(gm, cast.member("german staff"), role=Role.STAFF, side="german", now=START)


def test_a_player_who_became_game_master_no_longer_plays(cast: Cast) -> None:
    gm = viewer(cast, "gm")
    memberships.change_role(gm, cast.member("german staff"), role=Role.GM, side="", now=START)
    memberships.change_role(gm, cast.member("german staff"), role=Role.SPECTATOR, side="", now=START)
    with pytest.raises(memberships.Refused, match="has been game master"):
        memberships.change_role(gm, cast.member("german staff"), role=Role.STAFF, side="german", now=START)


def test_a_campaign_keeps_a_game_master(cast: Cast) -> None:
    gm = viewer(cast, "gm")
    memberships.remove(gm, cast.member("co-gm"), now=START)
    with pytest.raises(memberships.Refused, match="needs a game master"):
        memberships.leave(gm, now=START)
    with pytest.raises(memberships.Refused, match="needs a game master"):
        memberships.remove(gm, cast.member("gm"), now=START)
    with pytest.raises(memberships.Refused, match="needs a game master"):
        memberships.change_role(gm, cast.member("gm"), role=Role.SPECTATOR, side="", now=START)
    assert cast.member("gm").left_at is None


def test_no_player_comes_to_lead_a_campaign_alone(cast: Cast) -> None:
    """A player can become game master, and then stays under one who has not played."""
    gm = viewer(cast, "gm")
    memberships.change_role(gm, cast.member("german staff"), role=Role.GM, side="", now=START)
    memberships.remove(gm, cast.member("co-gm"), now=START)
    with pytest.raises(memberships.Refused, match=r"not played in it\. german staff has"):
        memberships.leave(gm, now=START)
    with pytest.raises(memberships.Refused, match="who has not played"):
        memberships.remove(viewer(cast, "german staff"), cast.member("gm"), now=START)
    memberships.leave(viewer(cast, "german staff"), now=START)
    assert cast.member("gm").left_at is None


def test_a_member_who_leaves_no_longer_sees_the_campaign(cast: Cast) -> None:
    browser = cast.browser("german staff")
    assert "Leave the campaign?" in browser.get(cast.address("people/leave/")).content.decode()
    assert cast.member("german staff").left_at is None
    assert browser.post(cast.address("people/leave/")).headers["Location"] == "/"
    assert cast.member("german staff").left_at == START
    assert acts(cast)[-1] == "leave"
    for path in ("", "people/", "people/leave/", "orders/"):
        assert browser.get(cast.address(path)).status_code == 404
    assert browser.post(cast.address("people/leave/")).status_code == 404
    assert "You have left The Bulge" in browser.get("/").content.decode()
    assert "The Bulge" not in browser.get("/").content.decode()


@pytest.mark.parametrize("name", PARTS)
def test_everybody_leaves_who_wants_to(cast: Cast, name: str) -> None:
    assert cast.browser(name).post(cast.address("people/leave/")).headers["Location"] == "/"
    assert cast.member(name).left_at == START


@pytest.mark.parametrize("name", [name for name, (role, _) in PARTS.items() if role not in (Role.GM, Role.SPECTATOR)])
def test_a_player_who_only_watches_now_leaves_as_well(cast: Cast, name: str) -> None:
    memberships.change_role(viewer(cast, "gm"), cast.member(name), role=Role.SPECTATOR, side="", now=START)
    assert cast.browser(name).post(cast.address("people/leave/"), follow=True).status_code == 200
    assert cast.member(name).left_at == START


@pytest.mark.parametrize("way", ["removed", "left", "became a spectator"])
def test_a_former_game_master_does_not_come_back_by_their_own_link(cast: Cast, way: str) -> None:
    own = invitations.invite(viewer(cast, "co-gm"), role=Role.GM, side="", meant_for="", now=START)
    others = invite(cast, role=Role.SPECTATOR, side="")
    late = viewer(cast, "co-gm")
    if way == "removed":
        memberships.remove(viewer(cast, "gm"), cast.member("co-gm"), now=START)
    elif way == "left":
        memberships.leave(late, now=START)
    else:
        memberships.change_role(viewer(cast, "gm"), cast.member("co-gm"), role=Role.SPECTATOR, side="", now=START)
    with pytest.raises(invitations.SpentInvitation, match="withdrawn"):
        accept(own, cast.user("co-gm"))
    assert "revoke" in acts(cast)
    with pytest.raises(Http404):  # nor by one requested on a page that is still open
        invitations.invite(late, role=Role.GM, side="", meant_for="", now=START)
    assert invitations.invitation_of(others, now=START).created_by == cast.user("gm")


def test_a_member_who_is_removed_holds_no_desk_and_fights_no_battle(cast: Cast) -> None:
    member = cast.member("german staff")
    desk = hand_out(cast)
    battle = Battle.objects.create(
        phase=live(cast.campaign), key="Q19", attacker="german", defender="allied", attacking_player=member
    )
    decided = Battle.objects.create(
        phase=live(cast.campaign),
        key="Q20",
        attacker="allied",
        defender="german",
        defending_player=member,
        state="ruled",
    )
    answer = cast.browser("gm").post(cast.address("people/remove/"), {"member": "german staff"}, follow=True)
    assert "german staff is no longer in the campaign" in answer.content.decode()
    for row in (desk, battle, decided):
        row.refresh_from_db()
    assert (desk.holder, battle.attacking_player, decided.defending_player) == (None, None, member)
    assert cast.browser("gm").post(cast.address("people/remove/"), {"member": "german staff"}).status_code == 404


# --- desks -----------------------------------------------------------------------------------------------------------


def hand_out(cast: Cast, by: str = "german commander", **more: Any) -> Desk:
    given: dict[str, Any] = {"name": "7 Army", "formations": ["7th Army"], "holder": cast.member("german staff")} | more
    return desks.set_desk(viewer(cast, by), now=START, **given)


def test_a_commander_assigns_formations_to_their_staff(cast: Cast) -> None:
    sent = {"name": "South", "holder": "german staff", "formations": ["7th Army", "5th Panzer Army, LXVI"]}
    answer = cast.browser("german commander").post(cast.address("people/desks/german/"), sent)
    assert answer.headers["Location"] == cast.address("people/")
    desk = Desk.objects.get()
    assert (desk.side, desk.name, desk.holder) == ("german", "South", cast.member("german staff"))
    assert desk.formations == ["5th Panzer Army, LXVI", "7th Army"]
    assert acts(cast)[-1] == "desk"


def test_handing_out_a_desk_again_replaces_it(cast: Cast) -> None:
    hand_out(cast)
    hand_out(cast, formations=["7th Army, LXXX"], holder=cast.member("german deputy"))
    desk = Desk.objects.get()
    assert (desk.formations, desk.holder) == (["7th Army, LXXX"], cast.member("german deputy"))


@pytest.mark.parametrize("formation", ["7th Army", "7th Army, LXXX"])
def test_a_unit_has_one_desk_at_most(cast: Cast, formation: str) -> None:
    hand_out(cast)
    with pytest.raises(memberships.Refused, match="the desk 7 Army already has 7th Army"):
        hand_out(cast, name="Other", formations=[formation])


def test_the_gm_hands_out_desks_of_both_sides(cast: Cast) -> None:
    hand_out(cast, by="gm")
    hand_out(cast, by="gm", holder=cast.member("allied staff"), formations=["Third Army"], name="Patton")
    assert {(desk.side, desk.name) for desk in desks.desks_of(viewer(cast, "gm"))} == {
        ("german", "7 Army"),
        ("allied", "Patton"),
    }


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"name": "HQ"}, "Every side already has"),
        ({"name": "hq"}, "Every side already has"),
        ({"name": "a/b"}, "letters, digits"),
        ({"name": "x" * 31}, "at most 30"),
        ({"name": ""}, "letters, digits"),
        ({"formations": []}, "at least one"),
        ({"formations": ["Third Army"]}, "no formation 'Third Army'"),
    ],
)
def test_a_desk_that_cannot_be_is_refused(cast: Cast, given: dict[str, Any], why: str) -> None:
    with pytest.raises(memberships.Refused, match=why):
        hand_out(cast, **given)
    assert not Desk.objects.exists()


@pytest.mark.parametrize("name", ["allied staff", "spectator", "gm"])
def test_only_ones_own_staff_holds_a_desk(cast: Cast, name: str) -> None:
    page = cast.browser("german commander").post(
        cast.address("people/desks/german/"), {"name": "South", "holder": name, "formations": ["7th Army"]}
    )
    assert page.status_code == 422
    with pytest.raises(memberships.Refused, match="side's staff"):
        hand_out(cast, holder=cast.member(name))
    assert not Desk.objects.exists()


def test_nobody_else_hands_out_a_sides_desks(cast: Cast) -> None:
    hand_out(cast)
    sent = {"name": "South", "holder": "german staff", "formations": ["7th Army"]}
    for name in ("german deputy", "german staff", "allied commander", "allied staff", "spectator", OUTSIDER):
        browser, before = cast.browser(name), rows()
        assert browser.post(cast.address("people/desks/german/"), sent).status_code == 404, name
        assert browser.post(cast.address("people/desks/german/close/"), {"desk": "7 Army"}).status_code == 404, name
        assert rows() == before, name


def test_a_desk_is_closed_once(cast: Cast) -> None:
    hand_out(cast)
    browser = cast.browser("german commander")
    assert browser.post(cast.address("people/desks/german/close/"), {"desk": "7 Army"}).status_code == 302
    assert acts(cast)[-1] == "drop_desk"
    assert browser.post(cast.address("people/desks/german/close/"), {"desk": "7 Army"}).status_code == 404
    assert not Desk.objects.exists()


def test_desks_are_shown_to_their_own_side_and_the_gm(cast: Cast) -> None:
    hand_out(cast)
    readers = {name for name in PARTS if "7 Army" in cast.browser(name).get(cast.address("people/")).content.decode()}
    assert readers == {"gm", "co-gm", "german commander", "german deputy", "german staff", "german tactical"}
    assert not desks.desks_of(viewer(cast, "allied commander"))


def test_the_other_sides_desks_change_nothing_that_a_side_reads(cast: Cast) -> None:
    page = cast.address("people/")
    browsers = [cast.browser(name) for name in ("allied commander", "allied staff", "spectator")]
    before = [without_tokens(browser.get(page)) for browser in browsers]
    hand_out(cast)
    assert [without_tokens(browser.get(page)) for browser in browsers] == before


def without_tokens(page: Any) -> str:
    """A page without what protects its forms, which is new each time."""
    token = str(page.context["csrf_token"])
    return str(page.content.decode()).replace(token, "")


# --- the page --------------------------------------------------------------------------------------------------------


def test_every_member_reads_who_plays_on_which_side(cast: Cast) -> None:
    for name in PARTS:
        page = cast.browser(name).get(cast.address("people/")).content.decode()
        for word in ("german commander", "German deputy commander", "Allied staff", "spectator"):
            assert word in page, name
        assert OUTSIDER not in page, name


GM_ONLY = ["people/invite/", "people/revoke/", "people/role/", "people/remove/"]


def test_only_the_gm_invites_and_changes_roles(cast: Cast) -> None:
    invite(cast)
    digest = Invitation.objects.get().token_digest
    sent = {"invite-role": "gm", "invitation": digest, "member": "german staff", "role": "gm"}
    for name in NOBODY_SPECIAL:
        browser, before = cast.browser(name), rows()
        assert [browser.post(cast.address(path), sent).status_code for path in GM_ONLY] == [404] * 4, name
        assert rows() == before, name


PAGES = ["people/", "people/leave/"]
POSTS = [*GM_ONLY, "people/leave/", "people/desks/german/", "people/desks/german/close/"]


def test_strangers_are_sent_to_sign_in_whether_a_campaign_exists_or_not(cast: Cast) -> None:
    browser, before = cast.browser(ANONYMOUS), rows()
    for slug in (cast.campaign.slug, "absent"):
        for path in PAGES:
            answer = browser.get(f"/c/{slug}/{path}")
            assert (answer.status_code, answer.headers["Location"]) == (302, f"/account/login/?next=/c/{slug}/{path}")
        for path in POSTS:
            answer = browser.post(f"/c/{slug}/{path}")
            assert (answer.status_code, answer.headers["Location"]) == (302, f"/account/login/?next=/c/{slug}/{path}")
    assert rows() == before


def test_a_foreign_campaign_and_none_look_the_same(cast: Cast) -> None:
    new_campaign("foreign")
    browser = cast.browser("german commander")
    for send, paths in ((browser.get, PAGES), (browser.post, POSTS)):
        for path in paths:
            foreign, absent = send(f"/c/foreign/{path}"), send(f"/c/absent/{path}")
            assert foreign.status_code == absent.status_code == 404
            assert foreign.content == absent.content
            assert foreign.headers == absent.headers
            assert b"foreign" not in foreign.content


def test_the_gm_of_one_campaign_can_do_nothing_in_another(cast: Cast) -> None:
    other = new_campaign("foreign")
    stranger = User.objects.create_user("stranger")
    Membership.objects.create(campaign=other, user=stranger, role=Role.GM, joined_at=START)
    invite(cast)
    with pytest.raises(Http404):
        invitations.revoke_invitation(gm_viewer(stranger, "foreign"), Invitation.objects.get().token_digest, now=START)
    with pytest.raises(Http404):
        memberships.remove(gm_viewer(stranger, "foreign"), cast.member("german staff"), now=START)


def test_to_look_changes_nothing(cast: Cast) -> None:
    hand_out(cast)
    token = invite(cast)
    for name in (*PARTS, OUTSIDER, ANONYMOUS):
        browser, before = cast.browser(name), rows()
        for path in (
            *("/", "/profile/", "/new/", cast.address("people/"), cast.address("people/leave/")),
            reverse("invitation", args=[token]),
            entrances.entrance_link(cast.user("spectator")).removeprefix("http://localhost:8000"),
            *map(reverse, ("account_login", "account_signup", "account_email", "mfa_index", "account_logout")),
        ):
            browser.get(path)
            browser.head(path)
            assert rows() == before, (name, path)


def test_every_act_is_a_link_of_the_chain(cast: Cast) -> None:
    hand_out(cast)
    accept(invite(cast), cast.user(OUTSIDER))
    numbers = list(AuditEntry.objects.filter(campaign=cast.campaign).order_by("no").values_list("no", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert acts(cast)[-4:] == ["desk", "invite", "join", "mail"]


# --- home, profile, creating a campaign -------------------------------------------------------------------------------


def test_home_lists_ones_campaigns_with_part_phase_and_deadline(cast: Cast) -> None:
    new_campaign("another")
    page = cast.browser("german deputy").get("/").content.decode()
    for word in ("The Bulge", "German deputy commander", "16 December 1944", "Tue 3 Mar 2026, 12:00 UTC"):
        assert word in page
    assert "another" not in page


def test_strangers_are_told_what_this_is() -> None:
    page = Client().get("/").content.decode()
    assert "game master's assistant" in page
    assert "Sign in" in page


def test_times_are_shown_in_the_zone_that_a_person_chose(cast: Cast) -> None:
    browser = cast.browser("german staff")
    assert browser.post("/profile/", {"time_zone": "Europe/Berlin"}).headers["Location"] == "/profile/"
    assert "Tue 3 Mar 2026, 13:00 CET (12:00 UTC, in 2 days)" in browser.get("/").content.decode()
    page = browser.post("/profile/", {"time_zone": "Middle/Earth"}).content.decode()
    assert "Select a valid choice" in page
    assert cast.user("german staff").time_zone == "Europe/Berlin"


FOUNDING = {
    "title": "Wacht am Rhein",
    "slug": "Wacht",
    "scenario": "forum_campaign/ardennes-1944",
    "full_hours": "24",
    "full_mailing": "reports",
    "weekdays": ["0", "4"],
    "quiet_from": "22",
    "quiet_to": "8",
    "time_zone": "Europe/Vienna",
}


def test_the_creator_of_a_campaign_is_its_gm(cast: Cast) -> None:
    answer = cast.browser(OUTSIDER).post("/new/", FOUNDING)
    assert answer.headers["Location"] == "/c/wacht/"
    campaign = Campaign.objects.get(slug="wacht")
    assert gm_viewer(cast.user(OUTSIDER), "wacht").campaign == campaign
    handling = Handling(hours=24, reviewed=False, mailing=Mailing.REPORTS, pictures=False)
    assert handling_of(campaign, Weight.FULL) == handling
    found = (campaign.weekdays, campaign.quiet_from, campaign.quiet_to, campaign.time_zone)
    assert found == ([0, 4], 22, 8, "Europe/Vienna")
    assert list(campaign.audit.order_by("no").values_list("act", flat=True)) == ["found", "people", "join"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"slug": "bulge"}, "Another campaign already has this short name"),
        ({"title": "a\u202eb"}, "cannot be seen in print"),
        ({"title": "two\nlines"}, "cannot be seen in print"),
        ({"title": "第三軍"}, "Maps cannot print '第' (U+7B2C). Use Latin, Greek or Cyrillic letters."),
        ({"quiet_to": ""}, "Enter both hours"),
        ({"quiet_to": "22"}, "two different hours"),
        ({"full_hours": "0"}, "greater than or equal to 1"),
        ({"scenario": "forum_campaign/nowhere"}, "Select a valid choice"),
        ({"weekdays": ["7"]}, "Select a valid choice"),
    ],
)
def test_a_campaign_that_cannot_be_is_refused_and_what_was_typed_stays(
    cast: Cast, given: dict[str, Any], why: str
) -> None:
    answer = cast.browser(OUTSIDER).post("/new/", FOUNDING | given)
    assert answer.status_code == 422
    page = unescape(answer.content.decode())
    assert why in page
    assert 'value="24"' in page or "full_hours" in given
    assert Campaign.objects.count() == 1


@pytest.mark.usefixtures("time")
def test_a_campaign_before_its_first_phase_has_no_formations_to_assign() -> None:
    campaign = new_campaign("fresh")
    user = User.objects.create_user("fresh gm")
    Membership.objects.create(campaign=campaign, user=user, role=Role.GM, joined_at=START - timedelta(days=1))
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get("/c/fresh/people/").status_code == 200
