"""After the end one commander of a side opens what the side and everyone was answered; all else stays shut."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import Agreed, Closing, Consent, Phase, PhaseState
from questions.models import RuleAnswer
from tests.gm.campaigns import START, live
from tests.questions.conftest import NEUTRAL, Round
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast, rows

pytestmark = pytest.mark.django_db

PRIVATE, TO_SIDE, UNANSWERED, THEIRS = "May we cross?", "May they dig?", "Is there fuel?", "Is Bastogne ours?"
DRAFTED, NOTED = "12 SS to Q19", "NOTE the bridge is mined"
TO_ASKER, FOR_SIDE, FOR_ALL, WITHDRAWN = "Cross at noon.", "They dig at night.", "A unit may cross.", "No, never."
OPENED = (TO_SIDE, FOR_SIDE)
"""What the whole side has read, and nobody else."""
OWN = (PRIVATE, TO_SIDE, UNANSWERED, TO_ASKER, FOR_SIDE)
NEVER = (PRIVATE, UNANSWERED, TO_ASKER, WITHDRAWN, DRAFTED, NOTED)
"""What was asked and answered between one player and the game master, and lines of orders."""
READERS = ("german commander", "german tactical", "allied commander", "allied staff", "spectator", "gm")


@pytest.fixture
def asked(round_: Round) -> Round:
    """Questions of both sides, answered to their asker, their side and everybody."""
    question = round_.asks(text=PRIVATE, line=DRAFTED)
    round_.answers(question, "asker", WITHDRAWN)
    round_.answers(question, "asker", TO_ASKER)
    round_.answers(question, "all", FOR_ALL)
    round_.answers(round_.asks(text=TO_SIDE, line=NOTED), "side", FOR_SIDE)
    round_.asks(text=UNANSWERED, line=DRAFTED)
    round_.answers(round_.asks("allied commander", THEIRS), "side", "It is.")
    return round_


@pytest.fixture
def closed(asked: Round, cast: Cast) -> Round:
    close(cast)
    return asked


def close(cast: Cast) -> None:
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state=PhaseState.WITHDRAWN)
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=START)


def agrees(round_: Round, who: str = "german commander") -> int:
    answer = round_.browser(who).post(round_.cast.address("desk/closing/"), {"act": "questions"})
    return int(answer.status_code)


def public(round_: Round, side: str = "german") -> str:
    answer = Client().get(round_.cast.address(f"public/questions/{side}/"))
    return answer.content.decode() if answer.status_code == 200 else str(answer.status_code)


def test_before_it_is_opened_nobody_finds_it(closed: Round) -> None:
    absent = closed.browser("spectator").get(closed.cast.address("questions/nobody/"))
    for who in (*READERS, OUTSIDER):
        for side in ("german", "allied"):
            answer = closed.browser(who).get(closed.cast.address(f"questions/{side}/"))
            assert answer.status_code == 404
            assert who != "spectator" or answer.content == absent.content
    assert public(closed) == public(closed, "nobody") == "404"
    for who in ("german tactical", "allied commander", "spectator"):
        assert not any(word in closed.reads(who) for word in (PRIVATE, UNANSWERED, TO_ASKER))


@pytest.mark.parametrize("who", READERS)
def test_once_a_commander_agrees_everybody_reads_what_the_whole_side_has_read(closed: Round, who: str) -> None:
    assert agrees(closed) == 302
    for page in (closed.reads(who, "questions/german/"), public(closed)):
        assert all(word in page for word in (*OPENED, FOR_ALL, NEUTRAL))
        assert not any(word in page for word in NEVER)
        assert THEIRS not in page
        assert "german staff" not in page.partition("<main")[2]
    assert closed.reads(who, "questions/allied/") == "404"
    assert public(closed, "allied") == "404"


def test_of_a_side_that_was_answered_nothing_together_nothing_opens(round_: Round, cast: Cast) -> None:
    round_.answers(round_.asks(text=PRIVATE), "asker", TO_ASKER)
    round_.asks(text=UNANSWERED)
    close(cast)
    agrees(round_)
    page = round_.reads("allied commander", "questions/german/")
    assert not any(word in page for word in NEVER)
    assert "There is nothing to read." in page


def test_a_withdrawn_answer_stays_withdrawn(round_: Round, cast: Cast) -> None:
    question = round_.asks(text=TO_SIDE)
    round_.answers(question, "side", WITHDRAWN)
    assert round_.presses(question, "withdraw", answer=RuleAnswer.objects.get().mark).status_code == 302
    assert not RuleAnswer.objects.filter(over_at=None).exists()
    close(cast)
    agrees(round_)
    page = round_.reads("allied commander", "questions/german/")
    assert not any(word in page for word in (TO_SIDE, WITHDRAWN))


def test_more_answers_cost_the_page_no_more_queries(round_: Round, cast: Cast) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as run:
            assert round_.reads("gm", "questions/german/").count('class="precedent"') == RuleAnswer.objects.count()
        return len(run)

    questions = [round_.asks(text=f"May unit {n} cross?") for n in range(4)]
    round_.answers(questions[0], "side")
    Consent.objects.create(
        campaign=cast.campaign, side="german", what=Agreed.QUESTIONS, author=cast.user("german commander"), at=START
    )
    close(cast)
    round_.browser("gm").get(cast.address("questions/german/"))
    few = queries()
    for question in questions[1:]:
        round_.answers(question, "side")
    assert queries() == few


def test_the_pages_say_beforehand_what_can_be_opened(asked: Round, cast: Cast) -> None:
    def words(who: str, rest: str) -> str:
        return " ".join(asked.reads(who, rest).split())

    assert "What you alone are answered stays between you and the game master." in words("german staff", "questions/")
    close(cast)
    assert "What one player alone was answered, and what was not answered, stays shut." in words(
        "german commander", "desk/closing/"
    )


def test_each_side_opens_its_own(closed: Round) -> None:
    agrees(closed, "allied commander")
    assert THEIRS in closed.reads("german tactical", "questions/allied/")
    assert closed.reads("allied commander", "questions/german/") == "404"
    agrees(closed)
    assert TO_SIDE in closed.reads("allied commander", "questions/german/")


def test_what_is_open_is_found_from_the_situation_and_the_page_of_questions(closed: Round, cast: Cast) -> None:
    before = {
        (who, page): closed.reads(who, page) for who in ("spectator", "allied staff") for page in ("", "questions/")
    }
    agrees(closed)
    for (who, page), shut in before.items():
        assert f'"{cast.address("questions/german/")}"' not in shut
        assert f'"{cast.address("questions/german/")}"' in closed.reads(who, page)
    assert f'"{cast.address("public/questions/german/")}"' in Client().get(cast.address("public/")).content.decode()


def test_the_askers_own_stay_theirs_before_and_after(closed: Round) -> None:
    def own() -> str:
        return closed.reads("german staff").partition('<section id="own"')[2]

    before = own()
    assert all(word in before for word in (*OWN, FOR_ALL))
    agrees(closed)
    assert own() == before


def test_a_campaign_that_is_not_public_opens_them_to_its_members(closed: Round, cast: Cast) -> None:
    cast.campaign.public = False
    cast.campaign.save(update_fields=["public"])
    agrees(closed)
    assert TO_SIDE in closed.reads("spectator", "questions/german/")
    assert closed.reads(OUTSIDER, "questions/german/") == public(closed) == "404"


@pytest.mark.parametrize("who", ["german staff", "german tactical", "gm", "spectator", OUTSIDER, ANONYMOUS])
def test_nobody_but_a_sides_commander_opens_them(closed: Round, who: str) -> None:
    closed.browser(who)
    before = rows()
    assert agrees(closed, who) in ((302,) if who == ANONYMOUS else (404,))
    assert rows() == before


def test_nothing_opens_before_the_end(asked: Round, cast: Cast) -> None:
    assert agrees(asked) == 404
    assert not Consent.objects.exists()
    Consent.objects.create(
        campaign=cast.campaign, side="german", what=Agreed.QUESTIONS, author=cast.user("gm"), at=START
    )
    assert asked.reads("spectator", "questions/german/") == public(asked) == "404"


def test_agreeing_twice_counts_once_and_the_page_says_what_is_open(closed: Round, cast: Cast) -> None:
    assert "Open our questions" in closed.reads("german commander", "desk/closing/")
    assert [agrees(closed), agrees(closed)] == [302, 302]
    assert Consent.objects.filter(what=Agreed.QUESTIONS).count() == 1
    page = closed.reads("german commander", "desk/closing/")
    assert "Open our questions" not in page
    assert cast.address("questions/german/") in page
    assert "Open our questions" in closed.reads("allied commander", "desk/closing/")


def test_opening_notes_opens_no_question(closed: Round) -> None:
    closed.browser("german commander").post(closed.cast.address("desk/closing/"), {"act": "notes"})
    assert closed.reads("spectator", "questions/german/") == "404"
    assert RuleAnswer.objects.exists()
