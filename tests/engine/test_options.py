"""Options: what may be chosen, out of the type that holds it."""

from enum import Enum
from itertools import groupby
from typing import Annotated, Any

import pytest

from campaign.engine.values.options import Asks, NoOptions, answers_of, chosen, options_in
from campaign.engine.values.value import Value
from campaign.rulesets import RULESETS


class Pace(Enum):
    SLOW = "slow"
    FAST = "fast"


class Options(Value, frozen=True):
    mud: Annotated[bool, Asks("Is there mud?", {"no": "never", "yes": "often"}, "R2", "Ground")] = True
    pace: Annotated[Pace, Asks("How fast?", {"slow": "on foot", "fast": "by lorry"})] = Pace.SLOW
    minute: Annotated[int, Asks("From when on?", {"10": "the 10th", "15": "the 15th"})] = 15


def test_options_are_listed_in_order_with_their_words_and_defaults() -> None:
    mud, pace, minute = options_in(Options)
    assert (mud.name, mud.topic, mud.question, mud.rule, mud.default) == ("mud", "Ground", "Is there mud?", "R2", "yes")
    assert pace.answers == (("slow", "on foot"), ("fast", "by lorry"))
    assert (pace.topic, pace.rule, pace.default, pace.meaning("fast")) == ("", "", "slow", "by lorry")
    assert minute.default == "15"
    assert not options_in(NoOptions)


class Debated(Value, frozen=True):
    dust: Annotated[bool, Asks("Is there dust?", {"no": "never", "yes": "often"}, before="yes", source="no")] = False
    rain: Annotated[bool, Asks("Is there rain?", {"no": "never", "yes": "often"}, effect="Less dust.")] = False


def test_an_option_says_what_older_campaigns_have_and_what_departs_from_the_source() -> None:
    dust, rain = options_in(Debated)
    assert (dust.default, dust.before, dust.effect) == ("no", "yes", "")
    assert (rain.default, rain.before, rain.effect) == ("no", "no", "Less dust.")
    assert [dust.departs(answer) for answer in ("no", "yes")] == [False, True]
    assert [rain.departs(answer) for answer in ("no", "yes")] == [False, False]


def test_answers_become_values_of_the_options_types() -> None:
    assert chosen(Options, {"mud": "no", "pace": "fast", "minute": "10"}) == Options(
        mud=False, pace=Pace.FAST, minute=10
    )
    assert chosen(Options, {"mud": "yes"}) == Options()
    assert chosen(NoOptions, {}) == NoOptions()


ANSWERS: list[dict[str, str]] = [{}, {"mud": "no"}, {"pace": "fast"}, {"mud": "yes", "pace": "slow"}, {"minute": "10"}]


@pytest.mark.parametrize("answers", ANSWERS)
def test_what_is_chosen_can_be_read_back_and_the_rest_is_as_by_default(answers: dict[str, str]) -> None:
    assert answers_of(chosen(Options, answers)) == {"mud": "yes", "pace": "slow", "minute": "15"} | answers


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"rain": "yes"}, "there is no option 'rain'"),
        ({"pace": "yes"}, "pace must be one of slow, fast, not 'yes'"),
        ({"mud": "True"}, "mud must be one of no, yes, not 'True'"),
        ({"minute": "5"}, "minute must be one of 10, 15, not '5'"),
        ({"pace": "slow", "mud": ""}, "mud must be one of no, yes, not ''"),
    ],
)
def test_what_is_not_offered_is_refused(answers: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        chosen(Options, answers)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.key)
def test_every_answer_that_a_ruleset_offers_can_be_chosen_and_topics_are_grouped(rules: Any) -> None:
    options = options_in(rules.options)
    for option in options:
        assert option.default in dict(option.answers)
        for answer, _ in option.answers:
            assert answers_of(chosen(rules.options, {option.name: answer}))[option.name] == answer
    topics = [option.topic for option in options]
    assert [topic for topic, _ in groupby(topics)] == list(dict.fromkeys(topics))
