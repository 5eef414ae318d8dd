"""Mails about questions: to whom, when, and what is no news any more."""

import pytest

from campaign.mail.choices import When
from campaign.mail.mutes import choose
from campaign.models import MailNews, Membership, OutboxMessage, Phase, PhaseState
from gm.gathered_mails import gather_due
from questions.models import RuleAnswer
from tests.gm.campaigns import live
from tests.mails import text_of
from tests.questions.conftest import NEUTRAL, QUESTION, RULING, Round
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

ALL_PLAYERS = {
    "german commander",
    "german deputy",
    "german tactical",
    "german staff",
    "allied commander",
    "allied staff",
    "allied tactical",
}


def mailed(kind: str) -> dict[str, str]:
    """The mails of a kind, by reader."""
    rows = OutboxMessage.objects.filter(kind=kind).select_related("user")
    return {row.user.username: text_of(row.message) for row in rows if row.user}


def kept(kind: str) -> set[str]:
    """For whom news of a kind waits."""
    return set(MailNews.objects.filter(kind=kind, gathered_at=None).values_list("member__user__username", flat=True))


def gathered(round_: Round) -> None:
    round_.time.now = MailNews.objects.order_by("-leaves_at").values_list("leaves_at", flat=True)[0]
    gather_due(round_.time.now)


def test_the_game_masters_are_mailed_at_once(round_: Round) -> None:
    round_.asks()
    mails = mailed("question")
    assert set(mails) == {"gm", "co-gm"}
    assert QUESTION in mails["gm"]
    assert "/questions/german/1/" in mails["gm"]


def test_a_private_answer_is_mailed_to_the_asker_alone(round_: Round) -> None:
    round_.answers(round_.asks())
    assert set(mailed("answer")) == {"german staff"}
    assert RULING in mailed("answer")["german staff"]
    assert kept("precedent") == set()
    assert mailed("precedent") == {}


def test_an_answer_for_a_side_waits_for_the_digests_of_its_others(round_: Round) -> None:
    round_.answers(round_.asks(), "side")
    assert set(mailed("answer")) == {"german staff"}
    assert kept("precedent") == {"german commander", "german deputy", "german tactical"}


def test_an_answer_for_everybody_says_nothing_of_who_asked(round_: Round) -> None:
    round_.answers(round_.asks(), "all")
    assert kept("precedent") == ALL_PLAYERS - {"german staff"}
    gathered(round_)
    digests = mailed("digest")
    assert set(digests) >= ALL_PLAYERS - {"german staff"}
    for text in digests.values():
        assert "The game master has answered a question about R4.2." in text
        assert "german staff" not in text.replace("for german staff:", "")
        assert QUESTION not in text


def test_members_choose_how_they_are_told(round_: Round, cast: Cast) -> None:
    at_once, never = cast.member("allied commander"), cast.member("allied staff")
    choose(at_once, {"precedents": When.NOW}, quiet_from=None, quiet_to=None)
    choose(never, {"precedents": When.NEVER}, quiet_from=None, quiet_to=None)
    choose(cast.member("co-gm"), {"questions": When.DIGEST}, quiet_from=None, quiet_to=None)
    question = round_.asks()
    assert kept("question") == {"co-gm"}
    round_.answers(question, "all")
    assert set(mailed("precedent")) == {"allied commander"}
    assert NEUTRAL in mailed("precedent")["allied commander"]
    assert QUESTION not in mailed("precedent")["allied commander"]
    assert "allied staff" not in kept("precedent")
    assert kept("question") == set(), "an answered question does not wait"


def test_a_correction_replaces_what_waits(round_: Round) -> None:
    question = round_.asks()
    round_.answers(question, "all")
    round_.answers(question, "all", "It may not.")
    texts = set(MailNews.objects.filter(kind="precedent").values_list("text", flat=True))
    assert texts == {"The game master has corrected an answer about R4.2."}
    round_.presses(question, "withdraw", answer=RuleAnswer.objects.get(over_at=None).mark)
    texts = set(MailNews.objects.filter(kind="precedent").values_list("text", flat=True))
    assert texts == {"The game master has withdrawn an answer about R4.2."}
    asker = OutboxMessage.objects.filter(kind="answer").order_by("pk").last()
    assert asker is not None
    assert "which no longer stands" in text_of(asker.message)


def test_an_answer_outlives_the_phase_in_which_it_was_given(round_: Round, cast: Cast) -> None:
    round_.answers(round_.asks(), "all")
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    gathered(round_)
    digest = OutboxMessage.objects.get(kind="digest", user__username="allied commander")
    assert "answered a question" in text_of(digest.message)
    assert digest.phase is not None
    assert digest.phase.state != PhaseState.WITHDRAWN


def test_who_has_left_is_not_mailed(round_: Round) -> None:
    question = round_.asks()
    Membership.objects.filter(user__username="german staff").update(left_at=round_.time.now)
    round_.answers(question, "all")
    assert mailed("answer") == {}
    assert "german staff" not in kept("precedent")
