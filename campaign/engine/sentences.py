"""What a report says of what an audience is told: the parts that every ruleset has."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.engine.facts import Rolled, Told
from campaign.engine.ids import GM, PUBLIC, Audience, PlaceId, SideId
from campaign.engine.views import LogLine


@dataclass(frozen=True)
class Sentence:
    """A line of a report: the text, why it came about, and the places it speaks of."""

    text: str
    reasons: tuple[str, ...] = ()
    at: tuple[PlaceId, ...] = ()


def rolled(face: Rolled) -> Sentence:
    """What was thrown and for what: Roll for the weather: 3, 5 (d6)."""
    by = "entered by the GM" if face.by_hand else f"d{face.sides}"
    return Sentence(f"Roll for {face.purpose}: {', '.join(map(str, face.dice))} ({by})")


Say = Callable[..., Sentence | str | None]
"""(what the ruleset's sentences are made with, face): the sentence for it; None if there is nothing to say."""


def sentence_for(told: Told[Any], sentences: Mapping[type, Say], *given: object) -> Sentence | None:
    """The sentence for what was told, by its type. Where the GM has ruled it, it says so, and why."""
    say = sentences.get(type(told.face))
    said = say(*given, told.face) if say else None
    sentence = Sentence(said) if isinstance(said, str) else said
    if sentence is None or not told.ruling:
        return sentence
    return Sentence(f"Ruling of the GM: {sentence.text}", (*sentence.reasons, told.ruling), sentence.at)


def log_lines(
    told: Iterable[Told[Any]], titles: Iterable[str], describe: Callable[[Told[Any]], Sentence | None]
) -> Iterator[LogLine]:
    """The lines of a report, each in the section of its title; none where there is nothing to say."""
    for each, title in zip(told, titles, strict=True):
        sentence = describe(each)
        if sentence is not None:
            yield LogLine(title, sentence.text, each.rule, sentence.reasons, sentence.at)


def audience_title(audience: Audience, side_names: Mapping[SideId, str]) -> str:
    """What an audience is called over its map and report."""
    return _TITLES.get(audience) or f"{side_names[SideId(audience)]} side"


_TITLES = {GM: "GM", PUBLIC: "Public"}
