"""Turn packages as rows: what each audience receives, frozen with its digest."""

from collections.abc import Iterator, Sequence
from typing import Any

from campaign.engine.state import slice_of
from campaign.engine.values import encode
from campaign.models import Artefact, Phase
from campaign.reports import to_bbcode, to_html, to_markdown, to_text
from campaign.store import digest
from campaign.turn_package import TurnPackage


def artefacts_of(phase: Phase, packages: Sequence[TurnPackage], state: Any) -> list[Artefact]:
    """The rows of a phase's packages, not yet stored."""
    return [
        Artefact(phase=phase, audience=package.audience, kind=kind, content=content, sha256=digest(content))
        for package in packages
        for kind, content in _contents(package, state)
    ]


def _contents(package: TurnPackage, state: Any) -> Iterator[tuple[str, bytes]]:
    yield "slice", encode(slice_of(state, package.audience))
    yield "view", encode(package.view)
    yield "map", package.map
    for kind, write in (("markdown", to_markdown), ("bbcode", to_bbcode), ("html", to_html), ("text", to_text)):
        yield kind, write(package.report).encode()
