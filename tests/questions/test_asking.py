"""Asking: by whom, about which rule and line, refused with the words kept; and what the game master finds."""

import re
from datetime import timedelta

import pytest

from campaign.models import Campaign, Closing
from campaign.people import memberships, throttles
from campaign.people.throttles import Limit
from campaign.record import audit
from campaign.viewers import viewer_of
from questions import writing
from questions.models import Question
from tests.gm.campaigns import START, live, send
from tests.questions.conftest import QUESTION, Round
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

PLAYERS = ("german commander", "german deputy", "german staff", "german tactical", "allied tactical")


@pytest.mark.parametrize("who", PLAYERS)
def test_every_player_may_ask_and_reads_their_question(round_: Round, cast: Cast, who: str) -> None:
    answer = round_.posts(who, rule="r4.2", line="MOVE 12 SS Q19")
    assert answer.headers["Location"] == cast.address("questions/#own")
    question = Question.objects.get()
    assert (question.rule, question.line, question.side) == ("R4.2", "MOVE 12 SS Q19", who.split(maxsplit=1)[0])
    page = round_.reads(who)
    assert QUESTION in page
    assert "MOVE 12 SS Q19" in page
    assert "Not answered yet" in page
    assert audit.has(cast.campaign, "ask")


@pytest.mark.parametrize("who", ["gm", "spectator", OUTSIDER])
def test_nobody_else_asks(round_: Round, who: str) -> None:
    assert round_.posts(who).status_code == 404
    assert not Question.objects.exists()


def test_visitors_are_asked_to_sign_in(round_: Round) -> None:
    assert round_.posts(ANONYMOUS).status_code == 302
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"text": "  "}, "the question has no words"),
        ({"text": "x" * 2001}, "2,001 characters; 2,000 are the most"),
        ({"text": "a\u202eb"}, "character 2 of line 1"),
        ({"rule": "R4.99"}, "there is no rule &#x27;R4.99&#x27; in the rules of this campaign. Did you mean R4?"),
        ({"rule": "chess"}, "Write a number as the rules page has it, like R1"),
        ({"line": "MOVE " + "x" * 300}, "the line of orders has 305 characters; 200 are the most"),
    ],
)
def test_what_is_refused_stays_on_the_page(round_: Round, form: dict[str, str], said: str) -> None:
    written = {"text": QUESTION, "rule": "R1", "line": "HOLD", **form}
    answer = round_.posts("german staff", **written)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert said in page
    for name in ("rule", "line"):
        assert f'value="{written[name]}"' in page
    assert f">{written['text']}</textarea>" in page
    assert not Question.objects.exists()


def test_a_form_that_is_sent_twice_asks_once(round_: Round) -> None:
    round_.posts("german staff")
    round_.posts("german staff")
    assert Question.objects.count() == 1
    round_.time.now += timedelta(minutes=2)
    round_.posts("german staff")
    assert Question.objects.count() == 2


def test_nobody_floods_the_game_master(round_: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_OPEN", 1)
    first = round_.asks()
    answer = round_.posts("german staff", "One more?")
    assert answer.status_code == 422
    assert "1 of your questions wait" in answer.content.decode()
    assert round_.posts("german deputy", "Mine?").status_code == 302
    round_.answers(first)
    assert round_.posts("german staff", "One more?").status_code == 302


def test_who_asks_too_fast_waits_and_keeps_their_words(round_: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("questions.views.QUESTIONS", Limit("questions", throttles.MINUTE, 1))
    round_.posts("german staff")
    answer = round_.posts("german staff", "One more?", rule="R1")
    assert answer.status_code == 429
    assert "One more?" in answer.content.decode()
    assert round_.posts("allied staff", "And we?").status_code == 302


# --- the links that lead here ----------------------------------------------------------------------------------------


def test_the_rules_lead_to_a_form_with_the_number(round_: Round, cast: Cast) -> None:
    link = f'{cast.address("questions/")}?rule=R4.2">Ask about R4.2</a>'
    assert link in round_.reads("german tactical", "rules/")
    assert 'name="rule" maxlength="50" autocomplete="off" placeholder="R1" value="R4.2"' in round_.reads(
        "german tactical", "questions/?rule=R4.2"
    )
    for who in ("gm", "spectator", OUTSIDER, ANONYMOUS):
        assert "Ask about" not in round_.reads(who, "rules/")


def test_a_line_that_is_answered_leads_to_a_form_with_the_line(round_: Round, cast: Cast) -> None:
    send(live(cast.campaign), cast.user("german commander"), "# plan\nMOVE 12 SS A1")
    page = round_.reads("german commander", "orders/HQ/")
    assert f'href="{cast.address("questions/")}?desk=HQ&amp;line=2' in page
    addresses = re.findall(r'href="([^"]*)"', page)
    assert not [each for each in addresses if "MOVE" in each], "addresses end up in logs"
    phase = live(cast.campaign)
    typed = {"text": "MOVE 12 SS A1", "stop": str(phase.no), "rev": str(phase.rev)}
    checked = round_.browser("german commander").post(cast.address("orders/HQ/check/"), typed).content.decode()
    assert "?desk=HQ&amp;line=1" in checked
    form = round_.reads("german commander", "questions/?desk=HQ&line=2")
    assert 'value="MOVE 12 SS A1"' in form
    assert 'value="MOVE 12 SS A1"' not in round_.reads("allied commander", "questions/?desk=HQ&line=2")
    assert 'value="MOVE 12 SS A1"' not in round_.reads("german tactical", "questions/?desk=HQ&line=2")
    for odd in ("0", "9", "x", "9" * 30, "-1"):
        assert "MOVE" not in round_.reads("german commander", f"questions/?desk=HQ&line={odd}")


# --- the game master's inbox -----------------------------------------------------------------------------------------


def test_the_game_master_finds_how_many_wait_and_since_when(round_: Round, cast: Cast) -> None:
    assert "your answer" not in round_.reads("gm", "desk/")
    first = round_.asks()
    assert "1 question waits for your answer, since" in round_.reads("gm", "desk/")
    round_.time.now += timedelta(hours=3)
    round_.asks("allied commander", "Who moves first?", rule="")
    for who in ("gm", "co-gm"):
        assert "2 questions wait for your answer, the oldest since" in round_.reads(who, "desk/")
        home = round_.browser(who).get("/").content.decode()
        assert "2 questions wait for your answer, the oldest since" in home
        assert f'href="{cast.address("questions/")}"' in home
    page = round_.reads("co-gm")
    assert page.index("german staff") < page.index("allied commander"), "who has waited longest is first"
    round_.answers(first)
    assert "1 question waits for your answer" in round_.reads("gm", "desk/")
    assert "wait for your answer" not in round_.browser("german commander").get("/").content.decode()


# --- when there is nobody to ask -------------------------------------------------------------------------------------


def test_practice_has_no_questions(round_: Round) -> None:
    Campaign.objects.update(practice=True)
    assert round_.reads("german commander") == "404"
    assert round_.posts("german commander").status_code == 404
    assert "Questions" not in round_.reads("german commander", "rules/")
    assert "Ask about" not in round_.reads("german commander", "rules/")


def test_after_the_end_all_is_read_and_nothing_asked(round_: Round, cast: Cast) -> None:
    round_.answers(round_.asks())
    Closing.objects.create(campaign=cast.campaign, author=cast.user("gm"), at=START)
    page = round_.reads("german staff")
    assert QUESTION in page
    assert "<textarea" not in page
    assert round_.posts("german staff").status_code == 404


def test_a_leaver_loses_the_page_at_once(round_: Round, cast: Cast) -> None:
    round_.asks()
    memberships.remove(viewer_of(cast.user("gm"), "bulge"), cast.member("german staff"), now=round_.time.now)
    assert round_.reads("german staff") == "404"
    assert round_.posts("german staff").status_code == 404
    assert QUESTION in round_.reads("gm"), "the game master can still answer it"
