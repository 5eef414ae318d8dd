"""The end of a campaign: who can bring it about, what they are asked first, and who learns of it when."""

import re

import pytest
from django.test import Client

from campaign.models import AuditEntry, Campaign, Closing, DrawOffer, OutboxMessage, Phase, PhaseState
from campaign.rulesets.forum_campaign import RULESET
from gm.phases.locking import lock
from tests.gm.campaigns import live, miss
from tests.mails import text_of
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

END, NAME = "desk/closing/", {"name": "bulge"}
SPEAKERS = ("german commander", "allied commander")
OTHERS = sorted(set(PARTS) - {"gm", "co-gm", *SPEAKERS})


def page(cast: Cast, who: str, address: str = END) -> str:
    return _TOKEN.sub("", cast.browser(who).get(cast.address(address)).content.decode())


_TOKEN = re.compile(r"\b\w{64}\b")
"""What every page gives its forms newly."""


def press(cast: Cast, who: str, act: str, **fields: str) -> int:
    """Press a button of the page; the status of the answer."""
    return cast.browser(who).post(cast.address(END), {"act": act, **fields}).status_code


def notified(kind: str) -> set[str]:
    return set(OutboxMessage.objects.filter(kind=kind).values_list("user__username", flat=True))


def test_gms_and_commanders_find_the_page_and_nobody_else_does(cast: Cast) -> None:
    assert "Abandon the campaign" in page(cast, "co-gm")
    assert "Offer a draw" in page(cast, "german commander")
    assert 'desk/closing/">End the campaign' in page(cast, "allied commander", "")
    assert 'desk/closing/">End the campaign' in page(cast, "gm", "desk/settings/")
    for who in (*OTHERS, OUTSIDER):
        assert cast.browser(who).get(cast.address(END)).status_code == 404
        assert "desk/closing/" not in page(cast, who, "")
        for act in ("concede", "offer", "accept", "abandon", "victory", "notes", "story"):
            assert press(cast, who, act, **NAME) == 404
    assert not Closing.objects.exists()


def test_a_deputy_speaks_for_a_side_without_commander(cast: Cast) -> None:
    cast.member("german commander").delete()
    assert "Concede" in page(cast, "german deputy")


# --- concession ------------------------------------------------------------------------------------------------------


def test_who_concedes_types_the_name_first(cast: Cast) -> None:
    assert press(cast, "german commander", "concede", name="") == 422
    assert not Closing.objects.exists()
    assert press(cast, "german commander", "concede", **NAME) == 302
    closing = Closing.objects.get()
    assert (closing.kind, closing.winner, closing.author.username) == ("concession", "allied", "german commander")
    assert not cast.campaign.phases.filter(state=PhaseState.OPEN).exists()
    assert AuditEntry.objects.get(act="close").subject == {"by": closing.author_id, "kind": "concession"}


def test_the_page_of_the_end_leads_to_the_result_and_to_the_archive(cast: Cast) -> None:
    press(cast, "german commander", "concede", **NAME)
    for who in ("german commander", "allied commander", "gm"):
        shown = page(cast, who)
        assert "<h1>The end of the campaign</h1>" in shown
        for rest in ("result/", "archive/"):
            assert f'href="{cast.address(rest)}"' in shown


def test_everybody_learns_of_it_once(cast: Cast) -> None:
    for _ in range(2):
        assert press(cast, "german commander", "concede", **NAME) == 302
    assert notified("close") == set(PARTS) - {"spectator"}
    assert OutboxMessage.objects.filter(kind="close").count() == len(PARTS) - 1
    mail = text_of(bytes(OutboxMessage.objects.get(kind="close", user__username="allied staff").message))
    for said in (
        "german commander conceded for the Germans. The Allies have won.",
        "/c/bulge/result/",
        "locked order sheets of all sides",
        "there is no deadline",
    ):
        assert said in " ".join(mail.split())
    for who in (*PARTS, ANONYMOUS):
        address = "public/" if who == ANONYMOUS else ""
        assert "The Allies have won." in page(cast, who, address)


def test_a_concession_waits_for_results_that_are_not_published(cast: Cast) -> None:
    phase = live(cast.campaign)
    Phase.objects.filter(pk=phase.pk).update(deadline_at=phase.opens_at)
    assert lock(phase.pk)
    assert "can end when its results are published" in page(cast, "german commander")
    answer = cast.browser("german commander").post(cast.address(END), {"act": "concede", **NAME})
    assert answer.status_code == 422
    assert "Try again when its results are published" in answer.content.decode()
    miss(phase)
    assert press(cast, "german commander", "concede", **NAME) == 302


def test_a_campaign_ends_only_once(cast: Cast) -> None:
    press(cast, "german commander", "concede", **NAME)
    assert press(cast, "allied commander", "concede", **NAME) == 422
    assert press(cast, "gm", "abandon", reason="No time.", **NAME) == 422
    assert press(cast, "allied commander", "offer") == 302
    assert not DrawOffer.objects.exists()
    assert Closing.objects.get().winner == "allied"


# --- draws -----------------------------------------------------------------------------------------------------------


def test_only_commanders_of_the_other_side_and_gms_know_of_an_offer(cast: Cast) -> None:
    before = {who: page(cast, who, "") for who in OTHERS}
    assert press(cast, "german commander", "offer") == 302
    assert notified("draw") == {"gm", "co-gm", "allied commander"}
    for who in ("gm", "allied commander"):
        assert "offered a draw for the Germans" in page(cast, who)
    assert "Withdraw the offer" in page(cast, "german commander")
    for who in ("gm", "allied commander", "german commander"):
        assert "offered a draw for the Germans" in page(cast, who, "")
    assert {who: page(cast, who, "") for who in OTHERS} == before
    for address in ("log/", "history/", "dice/"):
        assert "draw" not in page(cast, "allied staff", address).replace("drawing", "").replace("drawn", "")


def test_the_other_side_accepts(cast: Cast) -> None:
    press(cast, "german commander", "offer")
    assert press(cast, "german commander", "accept", **NAME) == 422, "one side cannot agree with itself"
    assert press(cast, "allied commander", "accept", **NAME) == 302
    closing = Closing.objects.get()
    assert (closing.kind, closing.winner) == ("draw", "")
    assert "Both sides agreed on a draw." in page(cast, "spectator", "")


def test_an_offer_that_was_withdrawn_cannot_be_accepted(cast: Cast) -> None:
    press(cast, "german commander", "offer")
    press(cast, "german commander", "withdraw")
    assert "offered a draw" not in page(cast, "allied commander")
    assert press(cast, "allied commander", "accept", **NAME) == 422
    press(cast, "german commander", "offer")
    assert OutboxMessage.objects.filter(kind="draw").count() == 3, "it is mailed once"
    assert press(cast, "allied commander", "accept", **NAME) == 302


def test_an_offer_lapses_with_the_next_publication(cast: Cast) -> None:
    press(cast, "german commander", "offer")
    miss(live(cast.campaign))
    assert "offered a draw" not in page(cast, "allied commander")
    assert press(cast, "allied commander", "accept", **NAME) == 422
    assert not Closing.objects.exists()


def test_nobody_can_accept_for_a_side_without_commanders(cast: Cast) -> None:
    cast.member("allied commander").delete()
    browser = cast.browser("german commander")
    answer = browser.post(cast.address(END), {"act": "offer"}, follow=True)
    assert "Nobody commands the Allies" in answer.content.decode()
    assert not DrawOffer.objects.exists()


# --- by the GM -------------------------------------------------------------------------------------------------------


def test_a_gm_who_abandons_says_why(cast: Cast) -> None:
    answer = cast.browser("gm").post(cast.address(END), {"act": "abandon", "reason": "", **NAME})
    assert answer.status_code == 422
    answer = cast.browser("gm").post(cast.address(END), {"act": "abandon", "reason": "Too few players.", "name": "x"})
    assert answer.status_code == 422
    assert "Too few players." in answer.content.decode(), "what they typed is not lost"
    assert press(cast, "gm", "abandon", reason="Too few players.", **NAME) == 302
    assert "Reason: Too few players." in page(cast, "german staff", "")
    assert "Reason: Too few players." in page(cast, "german staff", "log/")


def test_a_victory_needs_a_campaign_that_was_played_to_its_end(cast: Cast) -> None:
    assert "Confirm the result" not in page(cast, "gm")
    assert press(cast, "gm", "victory", result="german", **NAME) == 422


@pytest.fixture
def played(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """A campaign whose rules say that it is over."""
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    monkeypatch.setitem(RULESET.__dict__, "over", lambda _state: True)
    return cast


def test_the_rules_say_who_has_won_and_the_gm_confirms(played: Cast) -> None:
    shown = page(played, "gm")
    assert "the Allies win" in shown
    assert "the Germans win" not in shown
    assert press(played, "gm", "victory", result="german", **NAME) == 422
    assert press(played, "gm", "victory", result="allied", **NAME) == 302
    assert Closing.objects.get().winner == "allied"
    assert "The campaign was played to its end. The Allies have won." in page(played, "german commander", "")


def test_what_ends_stays_ended(cast: Cast) -> None:
    press(cast, "gm", "abandon", reason="No time.", **NAME)
    miss_nothing = Client().get(cast.address("public/"))
    assert "No time." in miss_nothing.content.decode()
    Campaign.objects.update(public=False)
    assert Client().get(cast.address("public/result/")).status_code == 404
