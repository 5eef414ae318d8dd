"""Answering: the asker, their side or everybody, who reads only what the game master has seen; corrected, withdrawn."""

import re
from datetime import timedelta

import pytest

from campaign.record import audit
from gm.verification import edits_of
from questions.models import RuleAnswer
from tests.questions.conftest import NEUTRAL, QUESTION, RULING, Round
from tests.web.conftest import ANONYMOUS, OUTSIDER, Cast

pytestmark = pytest.mark.django_db

SIDE = ("german commander", "german deputy", "german staff", "german tactical")
OTHERS = ("allied commander", "allied staff", "allied tactical", "spectator")
EVERYBODY = (*SIDE, *OTHERS)


def who_reads(round_: Round, words: str, rest: str = "questions/") -> set[str]:
    return {who for who in EVERYBODY if words in round_.reads(who, rest)}


def edits_in(cast: Cast) -> list[str]:
    """What the record says of rows of questions and answers that were edited."""
    return [str(fault) for fault in edits_of(cast.campaign) if re.search("question|answer", str(fault))]


@pytest.mark.parametrize(("reach", "readers"), [("asker", {"german staff"}), ("side", set(SIDE))])
def test_an_answer_is_for_its_readers_alone(round_: Round, reach: str, readers: set[str]) -> None:
    question = round_.asks()
    answer = round_.presses(question, "answer", reach=reach)
    assert answer.status_code == 302
    assert who_reads(round_, RULING) == who_reads(round_, RULING, "rules/") == readers
    assert who_reads(round_, QUESTION) == readers
    for who in (OUTSIDER, ANONYMOUS):
        assert RULING not in round_.reads(who, "rules/")
    assert "german staff" not in round_.reads("german deputy").partition("<main")[2]


def test_before_everybody_reads_it_the_game_master_sees_the_exact_text(round_: Round) -> None:
    question = round_.asks()
    answer = round_.presses(question, "answer", reach="all")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "This is what everyone will read" in page
    assert "A question about R4.2." in page
    assert page.count(RULING) == 2, "shown, and in the form"
    assert QUESTION not in page.partition("The question as it was asked")[0]
    assert not RuleAnswer.objects.exists()


def test_only_what_was_shown_is_published(round_: Round) -> None:
    question = round_.asks()
    shown = round_.presses(question, "answer", reach="all", asked=NEUTRAL).context["shown"]
    changed = round_.presses(question, "publish", shown=shown.mark, asked=QUESTION)
    assert changed.status_code == 409
    assert "Not published yet: you have changed the text." in changed.content.decode()
    assert not RuleAnswer.objects.exists()
    assert round_.presses(question, "publish", shown="", asked=NEUTRAL).status_code == 409
    published = round_.presses(question, "publish", shown=shown.mark, asked=NEUTRAL)
    assert published.status_code == 302
    assert who_reads(round_, RULING) == who_reads(round_, NEUTRAL) == set(EVERYBODY)
    assert who_reads(round_, QUESTION) == {"german staff"}
    for who in (OUTSIDER, ANONYMOUS, *OTHERS):
        page = round_.reads(who, "rules/")
        assert NEUTRAL in page
        assert "german staff" not in page
    page = round_.reads("allied commander", "rules/")
    assert page.index('id="R4.2"') < page.index(RULING) < page.index('id="R4.3"')


def test_going_back_keeps_what_was_written(round_: Round) -> None:
    page = round_.presses(round_.asks(), "change", reach="all", asked=NEUTRAL).content.decode()
    assert f">{RULING}</textarea>" in page
    assert f'value="{NEUTRAL}"' in page
    assert 'value="all" checked' in page


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"text": ""}, "the answer has no words"),
        ({"text": "x" * 5001}, "5,001 characters; 5,000 are the most"),
        ({"rule": "R77"}, "there is no rule &#x27;R77&#x27;"),
        ({"reach": "nobody"}, "choose who reads the answer"),
    ],
)
def test_what_is_refused_stays_on_the_page(round_: Round, form: dict[str, str], said: str) -> None:
    question = round_.asks()
    for reach in ("asker", "all"):
        answer = round_.presses(question, "answer", **{"reach": reach, **form})
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert f">{form.get('text', RULING)}</textarea>" in answer.content.decode()
    assert not RuleAnswer.objects.exists()


def test_an_answer_is_corrected_and_the_old_one_stays_on_record(round_: Round, cast: Cast) -> None:
    question = round_.asks()
    round_.answers(question, "all")
    round_.time.now += timedelta(hours=1)
    assert 'value="all" checked' in round_.reads("gm", f"questions/german/{question.no}/?correct=all")
    round_.answers(question, "all", "It may not.")
    page = round_.reads("allied staff", "rules/")
    assert "It may not." in page
    assert "corrected" in page
    assert RULING not in page
    old, new = RuleAnswer.objects.order_by("version")
    assert (old.no, old.version, old.over_at) == (new.no, new.version - 1, new.at)
    assert RULING in round_.reads("gm", f"questions/german/{question.no}/"), "the game master reads all versions"
    assert not edits_in(cast)
    RuleAnswer.objects.filter(pk=new.pk).update(text="It may.")
    assert edits_in(cast)


def test_a_withdrawn_answer_is_gone_and_the_question_waits_again(round_: Round, cast: Cast) -> None:
    question = round_.asks()
    round_.answers(question, "side")
    mark = RuleAnswer.objects.get().mark
    assert round_.presses(question, "withdraw", answer=mark).status_code == 302
    assert who_reads(round_, RULING) == set()
    assert "1 question waits" in round_.reads("gm", "desk/")
    again = round_.presses(question, "withdraw", answer=mark)
    assert again.status_code == 409
    assert audit.has(cast.campaign, "withdraw answer")
    round_.answers(question, "side")
    assert [answer.no for answer in RuleAnswer.objects.order_by("no")] == [1, 2]
    assert not edits_in(cast)


def test_an_answer_for_one_can_be_told_to_others_later(round_: Round) -> None:
    question = round_.asks()
    round_.answers(question, "asker", "Yes.")
    round_.answers(question, "all")
    assert who_reads(round_, RULING) == set(EVERYBODY)
    assert who_reads(round_, "Yes.") == {"german staff"}


def test_two_game_masters_do_not_overwrite_each_other(round_: Round) -> None:
    question = round_.asks()
    round_.answers(question)
    late = round_.presses(question, "answer", "co-gm", reach="asker", text="No.", seen="")
    assert late.status_code == 409
    assert "another game master has answered" in late.content.decode()
    assert ">No.</textarea>" in late.content.decode()
    assert "german" in late.content.decode()
    assert RuleAnswer.objects.count() == 1


def test_a_form_that_is_sent_twice_answers_once(round_: Round) -> None:
    question = round_.asks()
    for _ in range(2):
        assert round_.presses(question, "answer", reach="side", seen="").status_code == 302
    assert RuleAnswer.objects.count() == 1


def test_answers_are_found_by_rule(round_: Round) -> None:
    round_.answers(round_.asks(), "all", "On crossing.")
    round_.answers(round_.asks(text="And fuel?", rule="R6"), "all", "On fuel.")
    round_.answers(round_.asks(text="And cheese?", rule=""), "all", "On cheese.")
    page = round_.reads("allied staff")
    assert page.index("On crossing.") < page.index("On fuel.") < page.index("On cheese.")
    for searched in ("R4", "4.2"):
        page = round_.reads("allied staff", f"questions/?rule={searched}")
        assert "On crossing." in page
        assert "On fuel." not in page
    assert "No answer that you can read is about R5." in round_.reads("allied staff", "questions/?rule=R5")
    assert "Did you mean" in round_.reads("allied staff", "questions/?rule=R4.99")


def test_what_is_written_is_shown_as_text(round_: Round) -> None:
    question = round_.asks(text="<script>alert(1)</script>")
    round_.answers(question, "all", "<b>No</b>", asked="<i>x</i>")
    for who, rest in (("german staff", "questions/"), ("allied staff", "rules/"), ("gm", "questions/")):
        page = round_.reads(who, rest)
        assert "<script>alert" not in page
        assert "<b>No" not in page
        assert "<i>x" not in page
        assert "&lt;b&gt;No" in page
