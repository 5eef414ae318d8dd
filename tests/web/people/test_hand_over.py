"""A game master hands a campaign over: nothing changes before the other person joins, and people get a mail then."""

from datetime import timedelta

import pytest

from api.models import Scope
from api.tokens import make_token
from campaign.core import clock
from campaign.mail.delivery import HANDED_OVER, NO_MEMBER, send_due
from campaign.models import (
    Absence,
    Closing,
    Invitation,
    JoiningWords,
    Membership,
    OutboxMessage,
    OutboxState,
    Phase,
    PhaseState,
    Role,
)
from campaign.people import absences, invitations, memberships
from campaign.people.accounts import new_person
from campaign.people.feeds import make_feed
from campaign.people.hand_over_mails import SUCCEEDED
from campaign.record.persons import record_join
from campaign.viewers import viewer_of
from gm.acts import gm_acts
from gm.desk.view_as import part_then
from gm.verification import edits_of
from tests.gm.campaigns import Clock, live
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

API = "/api/v1/campaigns/bulge/"


def offer(cast: Cast, who: str = "gm") -> str:
    """The address of a new offer."""
    gm = viewer_of(cast.user(who), cast.campaign.slug)
    token = invitations.invite(gm, role=Role.GM, side="", meant_for="", takes_over=True, now=clock.now())
    return f"/invitation/{token}/"


def put_on_record(cast: Cast) -> None:
    """As all who joined by an invitation are."""
    for name in PARTS:
        record_join(cast.member(name), at=clock.now())


def invited(cast: Cast, who: str, *, role: str, side: str) -> str:
    """The address of an ordinary invitation by a game master."""
    token = invitations.invite(
        viewer_of(cast.user(who), cast.campaign.slug), role=role, side=side, meant_for="", now=clock.now()
    )
    return f"/invitation/{token}/"


def role_of(cast: Cast, who: str) -> str:
    member = Membership.objects.filter(campaign=cast.campaign, user=cast.user(who), left_at=None).first()
    return member.role if member else ""


def test_until_the_other_joins_nothing_changes(cast: Cast) -> None:
    sent = {"invite-role": "gm", "invite-side": "", "invite-takes_over": "on"}
    answer = cast.browser("gm").post(cast.address("people/invite/"), sent)
    assert "Copy this link" in answer.content.decode()
    assert "game master in place of gm" in cast.browser("gm").get(cast.address("people/")).content.decode()
    assert role_of(cast, "gm") == Role.GM
    assert role_of(cast, OUTSIDER) == ""
    for who in sorted(set(PARTS) - {"gm", "co-gm"}):
        assert "in place of" not in cast.browser(who).get(cast.address("people/")).content.decode()
    assert not OutboxMessage.objects.filter(kind=HANDED_OVER).exists()


@pytest.mark.parametrize("who", [OUTSIDER, "spectator", "co-gm"])
def test_somebody_who_never_played_takes_over_and_people_get_a_mail(cast: Cast, who: str) -> None:
    put_on_record(cast)
    link = offer(cast)
    assert not list(edits_of(cast.campaign))
    page = cast.browser(who).get(link).content.decode()
    assert "gm leaves the campaign; players and game masters get a mail" in page
    assert cast.browser(who).post(link, {}).status_code == 302
    assert (role_of(cast, who), role_of(cast, "gm")) == (Role.GM, "")
    assert cast.browser(who).get(cast.address("desk/")).status_code == 200
    notices = OutboxMessage.objects.filter(kind=HANDED_OVER)
    told = set(notices.values_list("user__username", flat=True))
    assert told == set(PARTS) - {"gm", "spectator"} | {who}
    for reader in (who, "german commander", "allied commander"):
        acts = [act.what for act in gm_acts(viewer_of(cast.user(reader), cast.campaign.slug))]
        assert f"{who} has taken over as game master from gm." in acts
    assert not list(edits_of(cast.campaign)), "what it changes is on record"


def test_all_that_the_former_game_master_had_ends(cast: Cast) -> None:
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    calendar = make_feed(gm, now=clock.now()).partition("/c/")[2]
    token = {"Authorization": f"Bearer {make_token(gm, label='a program', scopes=[Scope.READ])}"}
    offer(cast)
    other = offer(cast)
    browser = cast.browser("gm")
    assert browser.get(f"/c/{calendar}").status_code == 200
    assert cast.browser(ANONYMOUS).get(API, headers=token).status_code == 200
    revision = cast.user("gm").parts_rev
    cast.browser(OUTSIDER).post(other, {})
    cast.user("gm").refresh_from_db()
    assert cast.user("gm").parts_rev > revision, "their sessions get new keys"
    for page in ("", "desk/", "desk/draft/", "log/", "people/"):
        assert browser.get(cast.address(page)).status_code == 404, page
    assert browser.get(f"/c/{calendar}").status_code == 404
    assert cast.browser(ANONYMOUS).get(API, headers=token).status_code == 401
    assert not Invitation.objects.filter(created_by=cast.user("gm"), used_at=None, revoked_at=None).exists()
    assert browser.post(other, {}).status_code == 409


def test_the_former_game_master_gets_a_mail_that_is_sent_though_they_have_left(cast: Cast) -> None:
    cast.browser(OUTSIDER).post(offer(cast), {})
    assert not OutboxMessage.objects.filter(kind=HANDED_OVER, user=cast.user("gm")).exists()
    farewell = OutboxMessage.objects.get(kind=SUCCEEDED)
    assert (farewell.user, farewell.campaign) == (cast.user("gm"), None)
    said = bytes(farewell.message).decode()
    assert "outsider has taken over" in farewell.subject
    assert cast.address() not in said, "they can open no page of the campaign"
    assert "Proof" not in said
    send_due(clock.now())
    farewell.refresh_from_db()
    assert (farewell.state, bytes(farewell.message)) == (OutboxState.SENT, b"")


def test_a_game_master_who_takes_over_keeps_what_they_have(cast: Cast) -> None:
    put_on_record(cast)
    own = viewer_of(cast.user("co-gm"), cast.campaign.slug)
    calendar = make_feed(own, now=clock.now()).partition("/c/")[2]
    token = {"Authorization": f"Bearer {make_token(own, label='a program', scopes=[Scope.READ])}"}
    JoiningWords.objects.create(membership=own.member, words="their own")
    before = (own.member.joined_at, own.person.parts_rev)
    assert cast.browser("co-gm").post(offer(cast), {"words": "others"}).status_code == 302
    assert (role_of(cast, "co-gm"), role_of(cast, "gm")) == (Role.GM, "")
    assert (cast.member("co-gm").joined_at, cast.user("co-gm").parts_rev) == before
    assert cast.browser("co-gm").get(f"/c/{calendar}").status_code == 200
    assert cast.browser(ANONYMOUS).get(API, headers=token).status_code == 200
    assert JoiningWords.objects.get(membership=own.member).words == "their own"
    assert cast.campaign.audit.filter(act="join", subject__person=own.person.pk).count() == 1
    assert Invitation.objects.get().used_by == own.person


def test_two_game_masters_who_offer_to_each_other_leave_one(cast: Cast) -> None:
    to_co_gm, to_gm = offer(cast, "gm"), offer(cast, "co-gm")
    assert cast.browser("co-gm").post(to_co_gm, {}).status_code == 302
    assert (role_of(cast, "gm"), role_of(cast, "co-gm")) == ("", Role.GM)
    assert cast.browser("co-gm").post(to_co_gm, {}).status_code == 409
    assert cast.browser("gm").post(to_gm, {}).status_code == 302
    assert (role_of(cast, "gm"), role_of(cast, "co-gm")) == (Role.GM, "")


def test_a_closed_campaign_is_handed_over(cast: Cast) -> None:
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=cast.campaign.created_at)
    assert cast.browser(OUTSIDER).post(offer(cast), {}).status_code == 302
    assert (role_of(cast, OUTSIDER), role_of(cast, "gm")) == (Role.GM, "")
    assert cast.browser(OUTSIDER).get(cast.address()).status_code == 200
    send_due(clock.now())
    assert not OutboxMessage.objects.filter(kind__in=(HANDED_OVER, SUCCEEDED)).exclude(state=OutboxState.SENT).exists()


def test_a_booked_absence_of_the_former_game_master_ends(cast: Cast) -> None:
    put_on_record(cast)
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    absences.book(gm, gm.member, absences.Booking(until=clock.now() + timedelta(days=3)), now=clock.now())
    assert cast.browser(OUTSIDER).post(offer(cast), {}).status_code == 302
    assert not Absence.objects.exists()
    assert not list(edits_of(cast.campaign))


def test_the_successor_keeps_the_players_links_and_the_former_game_master_comes_back_by_none(cast: Cast) -> None:
    new_person("late", email="late@example.org")
    staff = invited(cast, "gm", role=Role.STAFF, side="german")
    watching, leading = (invited(cast, "gm", role=role, side="") for role in (Role.SPECTATOR, Role.GM))
    cast.browser(OUTSIDER).post(offer(cast), {})
    for link in (staff, watching, leading):
        assert cast.browser("gm").post(link, {}).status_code == 409
    assert cast.browser("late").post(watching, {}).status_code == 409
    assert cast.browser("late").post(staff, {}).status_code == 302
    assert role_of(cast, "gm") == ""


def test_a_game_master_who_has_handed_over_has_no_part_from_then_on(cast: Cast, time: Clock) -> None:
    put_on_record(cast)
    before = time.now
    time.now += timedelta(hours=1)
    cast.browser(OUTSIDER).post(offer(cast), {})
    time.now += timedelta(hours=1)
    cast.browser("gm").post(invited(cast, OUTSIDER, role=Role.SPECTATOR, side=""), {})
    member = cast.member("gm")
    parts = [part_then(member, before + timedelta(minutes=minutes)) for minutes in (30, 90, 121)]
    assert [part and part.role for part in parts] == [Role.GM, None, Role.SPECTATOR]


def test_the_last_game_master_who_leaves_is_shown_how_to_hand_over(cast: Cast) -> None:
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    memberships.remove(gm, cast.member("co-gm"), now=clock.now())
    said = cast.browser("gm").post(cast.address("people/leave/"), {}, follow=True).content.decode()
    assert "or hand the campaign over on its page People" in said


@pytest.mark.parametrize(
    ("recorded", "why"), [(True, "you have been on the German side"), (False, "its record does not say")]
)
def test_a_player_who_became_game_master_takes_nothing_over(cast: Cast, why: str, *, recorded: bool) -> None:
    """The record says what they were; a game master knows all sides, so their part does not."""
    if recorded:
        put_on_record(cast)
    gm, now = viewer_of(cast.user("gm"), cast.campaign.slug), clock.now()
    memberships.change_role(gm, cast.member("german commander"), role=Role.GM, side="", now=now)
    refused = cast.browser("german commander").post(offer(cast), {})
    assert refused.status_code == 409
    assert why in refused.content.decode()
    assert (role_of(cast, "gm"), role_of(cast, "german commander")) == (Role.GM, Role.GM)
    memberships.leave(viewer_of(cast.user("german commander"), cast.campaign.slug), now=now)
    assert cast.browser("german commander").post(offer(cast), {}).status_code == 409, "nor when they have left"


@pytest.mark.parametrize("who", sorted(set(PARTS) - {"gm", "co-gm", "spectator"}))
def test_a_person_who_has_been_on_a_side_takes_nothing_over(cast: Cast, who: str) -> None:
    link = offer(cast)
    refused = cast.browser(who).post(link, {})
    assert refused.status_code == 409
    assert "never takes it over" in refused.content.decode()
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    memberships.remove(gm, cast.member(who), now=clock.now())
    assert cast.browser(who).post(link, {}).status_code == 409, "nor when they have left"
    assert role_of(cast, "gm") == Role.GM
    assert Invitation.objects.get().used_at is None


def test_a_withdrawn_offer_is_void_and_so_is_that_of_a_former_game_master(cast: Cast) -> None:
    link = offer(cast)
    digest = Invitation.objects.get().token_digest
    cast.browser("gm").post(cast.address("people/revoke/"), {"invitation": digest})
    assert cast.browser(OUTSIDER).post(link, {}).status_code == 409
    link = offer(cast)
    memberships.leave(viewer_of(cast.user("gm"), cast.campaign.slug), now=clock.now())
    assert cast.browser(OUTSIDER).post(link, {}).status_code == 409
    assert role_of(cast, OUTSIDER) == ""


def test_nobody_hands_over_another_game_masters_part(cast: Cast) -> None:
    offer(cast)
    sent = {"invitation": Invitation.objects.get().token_digest}
    assert cast.browser("co-gm").post(cast.address("people/renew/"), sent).status_code == 404
    assert "Make a new link" not in cast.browser("co-gm").get(cast.address("people/")).content.decode()
    assert cast.browser("gm").post(cast.address("people/renew/"), sent).status_code == 200
    assert Invitation.objects.get(revoked_at=None).takes_over


def test_only_one_person_and_only_a_game_master_takes_over(cast: Cast) -> None:
    sent = {"invite-role": "gm", "invite-side": "", "invite-takes_over": "on"}
    many = sent | {"invite-addresses": "a@example.org, b@example.org"}
    player = sent | {"invite-role": "staff", "invite-side": "german"}
    for wrong, why in ((many, "Only one person can take over"), (player, "Choose the role game master")):
        answer = cast.browser("gm").post(cast.address("people/invite/"), wrong)
        assert answer.status_code == 422
        assert why in answer.content.decode()
    assert not Invitation.objects.exists()


def test_the_person_who_makes_the_offer_does_not_take_it(cast: Cast) -> None:
    link = offer(cast)
    assert "made this invitation yourself" in cast.browser("gm").post(link, {}).content.decode()
    assert role_of(cast, "gm") == Role.GM


def test_a_mail_that_waits_for_the_former_game_master_is_not_sent(cast: Cast) -> None:
    """The notice of another hand-over waits for them."""
    cast.browser(OUTSIDER).post(offer(cast, "co-gm"), {})
    waiting = OutboxMessage.objects.get(kind=HANDED_OVER, user=cast.user("gm"))
    cast.browser("spectator").post(offer(cast), {})
    send_due(clock.now())
    waiting.refresh_from_db()
    assert (waiting.state, waiting.trouble) == (OutboxState.DEAD, NO_MEMBER)
