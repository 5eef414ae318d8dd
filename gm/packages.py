"""Turn packages as they are kept: what each audience receives, by kind, with its digest."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from campaign.engine.ids import Audience
from campaign.engine.state import slice_of
from campaign.engine.values import encode
from campaign.reports import to_bbcode, to_html, to_markdown, to_text
from campaign.store import digest
from campaign.turn_package import TurnPackage


@dataclass(frozen=True)
class Content:
    """One thing that an audience receives; the columns of an Artefact row."""

    audience: Audience
    kind: str
    content: bytes
    sha256: str


def contents(packages: Iterable[TurnPackage], state: Any) -> Iterator[Content]:
    """All that is to be kept of a stop's packages."""
    for package in packages:
        for kind, content in _by_kind(package, state):
            yield Content(package.audience, kind, content, digest(content))


def _by_kind(package: TurnPackage, state: Any) -> Iterator[tuple[str, bytes]]:
    yield "slice", encode(slice_of(state, package.audience))
    yield "view", encode(package.view)
    yield "map", package.map
    for kind, write in (("markdown", to_markdown), ("bbcode", to_bbcode), ("html", to_html), ("text", to_text)):
        yield kind, write(package.report).encode()
