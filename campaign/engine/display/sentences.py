"""The lines of reports: what all rulesets share."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from campaign.engine.display.views import LogLine
from campaign.engine.facts import Disclosure, Rolled
from campaign.engine.values.ids import GM, PUBLIC, Audience, PlaceId, SideId


@dataclass(frozen=True)
class Sentence:
    """A line of a report: the text, why it came about, and the places it speaks of."""

    text: str
    reasons: tuple[str, ...] = ()
    at: tuple[PlaceId, ...] = ()


def rolled(fact: Rolled) -> Sentence:
    """The sentence for a roll: The weather: 2d6 3, 5."""
    return Sentence(f"{fact.purpose[:1].upper()}{fact.purpose[1:]}: {dice_in_words(fact)}")


def dice_in_words(fact: Rolled) -> str:
    """The dice and what they show: d10 8; 2d6 3, 5; with a note if the GM entered them."""
    number = len(fact.dice) if len(fact.dice) > 1 else ""
    by = " (entered by the GM)" if fact.by_hand else ""
    return f"{number}d{fact.sides} {', '.join(map(str, fact.dice))}{by}"


Say = Callable[..., Sentence | str | None]
"""(what a ruleset gives its sentences, disclosed fact): the sentence for it; None if there is nothing to say."""


RULED = "GM ruling: "
"""How the sentence about a ruling begins; the last of its reasons is the GM's."""


def sentence_for(disclosure: Disclosure[Any], sentences: Mapping[type, Say], *given: object) -> Sentence | None:
    """The sentence for a disclosure, by its type. For a ruling of the GM it says so and gives the reason."""
    say = sentences.get(type(disclosure.fact))
    said = say(*given, disclosure.fact) if say else None
    sentence = Sentence(said) if isinstance(said, str) else said
    if sentence is None or not disclosure.ruling:
        return sentence
    return Sentence(f"{RULED}{sentence.text}", (*sentence.reasons, disclosure.ruling), sentence.at)


def log_lines(
    disclosures: Iterable[Disclosure[Any]],
    titles: Iterable[str],
    describe: Callable[[Disclosure[Any]], Sentence | None],
) -> Iterator[LogLine]:
    """The lines of a report, each with the title of its section, without disclosures that have no sentence."""
    for each, title in zip(disclosures, titles, strict=True):
        sentence = describe(each)
        if sentence is not None:
            yield LogLine(title, sentence.text, each.rule, sentence.reasons, sentence.at)


Headline = Callable[..., str]
"""(what a ruleset gives its sentences, all disclosed facts of one type): one sentence about them; empty for no news."""


def headlines(disclosures: Iterable[Disclosure[Any]], news: Mapping[type, Headline], *given: object) -> tuple[str, ...]:
    """The headlines of a report, at most three. `news` has a sentence for each type of fact, the most important first.

    Rulings of the GM are no headlines: the report has them with their reasons.
    """
    facts: dict[type, list[Any]] = {}
    for each in disclosures:
        if not each.ruling:
            facts.setdefault(type(each.fact), []).append(each.fact)
    sentences = (say(*given, facts[kind]) for kind, say in news.items() if kind in facts)
    return tuple(islice(filter(None, sentences), MOST_HEADLINES))


MOST_HEADLINES = 3


def audience_title(audience: Audience, side_names: Mapping[SideId, str]) -> str:
    """The title of an audience on its map and report."""
    return _TITLES.get(audience) or f"{side_names[SideId(audience)]} side"


_TITLES = {GM: "GM", PUBLIC: "Public"}
