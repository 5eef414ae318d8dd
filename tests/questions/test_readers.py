"""What others could infer: nothing of who asks, how often, or what the game master answers them."""

import pytest

from questions.models import Question, RuleAnswer
from tests.questions.conftest import Round
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

PAGES = ("", "questions/", "rules/", "board/", "stops/", "calendar/", "people/", "gm-log/", "orders/HQ/")
READERS = ("allied commander", "allied tactical", "spectator", OUTSIDER, ANONYMOUS)


@pytest.mark.parametrize("reach", ["asker", "side"])
def test_while_the_enemy_asks_and_is_answered_no_page_differs(round_: Round, reach: str) -> None:
    before = {(who, rest): round_.reads(who, rest) for who in READERS for rest in PAGES}
    for text in ("One?", "Two?", "Three?"):
        round_.answers(round_.asks(text=text), reach)
    round_.asks(text="Four?")
    for (who, rest), page in before.items():
        assert round_.reads(who, rest) == page, (who, rest)


def test_numbers_do_not_run_across_sides(round_: Round) -> None:
    for text in ("One?", "Two?"):
        round_.answers(round_.asks(text=text), "side")
    round_.answers(round_.asks("allied commander", "Ours?"), "side")
    assert Question.objects.get(side="allied").no == 1
    assert RuleAnswer.objects.get(audience="allied").no == 1
    assert 'id="side-1"' in round_.reads("allied staff")


def test_fellows_learn_nothing_of_private_questions(round_: Round) -> None:
    before = {rest: round_.reads("german commander", rest) for rest in PAGES}
    round_.answers(round_.asks())
    assert {rest: round_.reads("german commander", rest) for rest in PAGES} == before


@pytest.mark.parametrize("who", ["german staff", "allied commander", "spectator", OUTSIDER])
def test_the_game_masters_page_is_found_by_nobody_else(round_: Round, cast: Cast, who: str) -> None:
    question = round_.asks()
    browser = round_.browser(who)
    absent = browser.get(cast.address("questions/german/99/"))
    for address in (round_.page(question), cast.address("questions/nobody/1/")):
        for answer in (browser.get(address), browser.post(address, {"act": "withdraw"})):
            assert (answer.status_code, answer.content) == (404, absent.content)
    assert round_.browser("gm").get(cast.address("questions/german/99/")).status_code == 404


def test_a_change_of_role_to_game_master_opens_all_and_back_does_not(round_: Round, cast: Cast) -> None:
    question = round_.asks()
    assert round_.reads("spectator", f"questions/german/{question.no}/") == "404"
    member = cast.member("spectator")
    member.role = "gm"
    member.save(update_fields=["role"])
    assert question.text in round_.reads("spectator", f"questions/german/{question.no}/")
