"""Turn packages as stored: what each audience receives, by kind, with its digest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.engine.display.outcomes import Outcomes
from campaign.engine.display.views import View
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import encode
from campaign.game.store import digest, encode_document, encode_outcomes, encode_view
from campaign.game.turn_package import TurnPackage
from campaign.reports import Document, RuleUrl, report, to_bbcode, to_html, to_markdown, to_text, with_notes
from campaign.secrecy import truth

OUTCOMES = "outcomes"
"""The kind of artefact that says what became of each line of its audience's sheets. Older releases made none."""


@dataclass(frozen=True)
class Content:
    """One thing that an audience receives; the columns of an Artefact row.

    Raises Breach if it is made elsewhere than in a block that writes to that audience.
    """

    audience: Audience
    kind: str
    content: bytes

    def __post_init__(self) -> None:
        truth.require_written(self.audience)

    @property
    def sha256(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        return digest(self.content)


ANSWERS = "answers"
"""The kind of artefact that has the GM's answers to its audience, by the keys of the questions. There is none without
an answer, and older releases made none."""
DOCUMENT = "document"
"""The kind of artefact that is a report as a tree, from which forum posts are written. Older releases made none."""


def contents(
    packages: Iterable[TurnPackage], state: Any, rule_url: RuleUrl, outcomes: Mapping[Audience, Outcomes]
) -> Iterator[Content]:
    """All stored content of a phase's packages; `rule_url` gives the addresses of rules for reports.

    `outcomes`: what became of the lines of those who wrote some.
    """
    for package in packages:
        with truth.writing(package.audience):
            made = [Content(package.audience, *each) for each in _by_kind(package, state, rule_url)]
            lines = outcomes.get(package.audience, Outcomes())
            made.append(Content(package.audience, OUTCOMES, encode_outcomes(lines)))
        yield from made


def sealed_report(view: View, before: Sequence[View], dice_notes: Sequence[str]) -> Document:
    """A published report without its preface, with the notes on the dice logs at its end.

    `before`: what the same audience has read, as for `report`.
    """
    return with_notes(report(view, before), "Dice logs", dice_notes)


def report_contents(document: Document, rule_url: RuleUrl) -> Iterator[tuple[str, bytes]]:
    """A report as it is stored, by kind: the tree, and its text in every format."""
    yield DOCUMENT, encode_document(document)
    yield from report_texts(document, rule_url)


def report_texts(document: Document, rule_url: RuleUrl) -> Iterator[tuple[str, bytes]]:
    """A report in every stored format, by kind."""
    yield "markdown", to_markdown(document).encode()
    yield "bbcode", to_bbcode(document).encode()
    yield "html", to_html(document, rule_url).encode()
    yield "text", to_text(document).encode()


def chart_texts(document: Document) -> Iterator[tuple[str, bytes]]:
    """A quick-reference chart in every stored format, by kind."""
    yield "chart_markdown", to_markdown(document).encode()
    yield "chart_bbcode", to_bbcode(document).encode()
    yield "chart_text", to_text(document).encode()


def _by_kind(package: TurnPackage, state: Any, rule_url: RuleUrl) -> Iterator[tuple[str, bytes]]:
    yield "slice", encode(state_known_to(state, package.audience))
    yield "view", encode_view(package.view)
    if package.pictures is not None:
        yield "map", package.pictures.map
        yield "thumbnail", package.pictures.thumbnail
        yield "chart", package.pictures.chart
    yield from chart_texts(package.chart)
    yield from report_contents(package.report, rule_url)
