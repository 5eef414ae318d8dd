"""A game master hands a campaign over: nothing changes before the other person joins, and everybody is told then."""

import pytest

from api.models import Scope
from api.tokens import make_token
from campaign.core import clock
from campaign.mail.delivery import HANDED_OVER, NO_MEMBER, send_due
from campaign.models import Invitation, Membership, OutboxMessage, OutboxState, Role
from campaign.people import memberships
from campaign.people.feeds import make_feed
from campaign.viewers import viewer_of
from gm.acts import gm_acts
from gm.verification import edits_of
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

API = "/api/v1/campaigns/bulge/"


def offer(cast: Cast, who: str = "gm") -> str:
    """The address of a new offer."""
    gm = viewer_of(cast.user(who), cast.campaign.slug)
    token = memberships.invite(gm, role=Role.GM, side="", meant_for="", takes_over=True, now=clock.now())
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
def test_somebody_who_never_played_takes_over_and_everybody_is_told(cast: Cast, who: str) -> None:
    link, unsound = offer(cast), {fault.where for fault in edits_of(cast.campaign)}
    page = cast.browser(who).get(link).content.decode()
    assert "gm leaves the campaign, and everybody in it is told" in page
    assert cast.browser(who).post(link, {}).status_code == 302
    assert (role_of(cast, who), role_of(cast, "gm")) == (Role.GM, "")
    assert cast.browser(who).get(cast.address("desk/")).status_code == 200
    notices = OutboxMessage.objects.filter(kind=HANDED_OVER)
    told = set(notices.values_list("user__username", flat=True))
    assert told == set(PARTS) - {"gm", "spectator"} | {who}
    for reader in (who, "german commander", "allied commander"):
        acts = [act.what for act in gm_acts(viewer_of(cast.user(reader), cast.campaign.slug))]
        assert f"{who} has taken over as game master from gm." in acts
    assert {fault.where for fault in edits_of(cast.campaign)} <= unsound, "what it changes is on record"


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
    assert cast.browser(ANONYMOUS).get(API, headers=token).status_code in (401, 404)
    assert not Invitation.objects.filter(created_by=cast.user("gm"), used_at=None, revoked_at=None).exists()
    assert browser.post(other, {}).status_code == 409


@pytest.mark.parametrize("who", sorted(set(PARTS) - {"gm", "co-gm", "spectator"}))
def test_whoever_has_been_on_a_side_takes_nothing_over(cast: Cast, who: str) -> None:
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


def test_whoever_makes_the_offer_does_not_take_it(cast: Cast) -> None:
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
