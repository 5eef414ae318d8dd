"""Offers to step in: who makes them, who reads them, and the invitation that comes of one."""

import pytest

from campaign.models import Closing, Invitation, OutboxMessage, SubstituteOffer
from campaign.people import invitations
from campaign.viewers import viewer_of
from tests.gm.campaigns import START
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

WORDS = "Evenings, the Allies if possible"


def offers(cast: Cast, who: str = OUTSIDER, **more: str) -> int:
    sent = {"act": "offer", "words": WORDS} | more
    return cast.browser(who).post(cast.address("substitute/"), sent).status_code


def test_a_visitor_offers_and_the_gm_alone_reads_it(cast: Cast) -> None:
    assert "Offer to step in" in cast.browser(OUTSIDER).get(cast.address("public/")).content.decode()
    assert offers(cast) == 302
    for who in ("gm", "co-gm"):
        page = cast.browser(who).get(cast.address("desk/substitutes/")).content.decode()
        assert WORDS in page
        assert OUTSIDER in page
    for who in set(PARTS) - {"gm", "co-gm"} | {ANONYMOUS}:
        for page in ("", "public/", "people/", "calendar/"):
            assert WORDS.encode() not in cast.browser(who).get(cast.address(page)).content, (who, page)
    own = cast.browser(OUTSIDER).get(cast.address("public/")).content.decode()
    assert "You offered to step in" in own
    assert "You offered" not in cast.browser("spectator").get(cast.address()).content.decode()


def test_one_tap_withdraws_it(cast: Cast) -> None:
    offers(cast)
    offers(cast, "spectator")
    assert cast.browser(OUTSIDER).post(cast.address("substitute/"), {"act": "withdraw"}).status_code == 302
    assert [each.author for each in SubstituteOffer.objects.all()] == [cast.user("spectator")]


def test_said_again_it_replaces_what_was_said(cast: Cast) -> None:
    offers(cast)
    offers(cast, words="Mornings")
    assert SubstituteOffer.objects.get().words == "Mornings"


@pytest.mark.parametrize("who", sorted(set(PARTS) - {"spectator"}))
def test_players_and_game_masters_have_a_part_already(cast: Cast, who: str) -> None:
    assert offers(cast, who) == 404
    assert not SubstituteOffer.objects.exists()


def test_where_nobody_can_step_in_nobody_offers(cast: Cast) -> None:
    assert offers(cast, ANONYMOUS) == 302, "to the sign-in page"
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=START)
    assert offers(cast) == 404
    cast.campaign.public = False
    cast.campaign.save()
    hidden = cast.browser(OUTSIDER).post(cast.address("substitute/"), {"act": "offer"})
    nowhere = cast.browser(OUTSIDER).post("/c/no-such-campaign/substitute/", {"act": "offer"})
    assert (hidden.status_code, hidden.content) == (nowhere.status_code, nowhere.content)
    assert not SubstituteOffer.objects.exists()


def test_the_gm_mails_one_of_them_an_invitation_into_a_seat(cast: Cast) -> None:
    offers(cast)
    sent = {"member": OUTSIDER, "role": "staff", "side": "allied"}
    answer = cast.browser("gm").post(cast.address("desk/substitutes/"), sent, follow=True)
    assert "mails an invitation to outsider" in answer.content.decode()
    invitation = Invitation.objects.get()
    assert (invitation.role, invitation.side, invitation.address) == ("staff", "allied", "outsider@example.org")
    assert OutboxMessage.objects.filter(kind="invitation").count() == 1


def test_nobody_is_invited_who_has_not_offered(cast: Cast) -> None:
    sent = {"member": OUTSIDER, "role": "staff", "side": "allied"}
    assert cast.browser("gm").post(cast.address("desk/substitutes/"), sent).status_code == 404
    offers(cast, "spectator")
    page = cast.browser("gm").get(cast.address("desk/substitutes/")).content.decode()
    assert "They are a spectator." in page
    assert cast.browser("gm").post(cast.address("desk/substitutes/"), sent | {"member": "spectator"}).status_code == 404
    offers(cast)
    faulty = cast.browser("gm").post(cast.address("desk/substitutes/"), sent | {"role": "emperor"})
    assert faulty.status_code == 422
    assert not Invitation.objects.exists()


def test_who_has_joined_is_on_the_list_no_more(cast: Cast) -> None:
    offers(cast)
    gm = viewer_of(cast.user("gm"), cast.campaign.slug)
    token = invitations.invite(gm, role="staff", side="allied", meant_for="", now=START)
    invitations.accept_invitation(token, cast.user(OUTSIDER), now=START)
    assert WORDS.encode() not in cast.browser("gm").get(cast.address("desk/substitutes/")).content


@pytest.mark.parametrize("words", ["x" * 201, "turned \u202e round"])
def test_words_that_nobody_can_read_are_refused(cast: Cast, words: str) -> None:
    answer = cast.browser(OUTSIDER).post(cast.address("substitute/"), {"act": "offer", "words": words}, follow=True)
    assert "at most 200 characters" in answer.content.decode()
    assert not SubstituteOffer.objects.exists()
