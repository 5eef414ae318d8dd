"""Who takes part in a campaign: each act by those who may do it, by those who may not, twice and too late."""

from typing import Any

import pytest
from django.http import Http404
from django.urls import reverse

from campaign.models import AuditEntry, Battle, Desk, Invitation, Membership, Role, User
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


def hand_out(cast: Cast, by: str = "german commander", **more: Any) -> Desk:
    given: dict[str, Any] = {"name": "7 Army", "formations": ["7th Army"], "holder": cast.member("german staff")} | more
    return desks.set_desk(viewer(cast, by), now=START, **given)


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
