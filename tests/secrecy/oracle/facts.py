"""What each field of a fact may depend on, by `facts.toml`, and so by which differences two worlds may part."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.secrecy.oracle.account import ABOUT, NOT_TOLD, TOLD, of_event

TABLE = Path(__file__).with_name("facts.toml")
COMMON = "every ruleset"

Part = tuple[str, str]
"""The kind of a fact and a field, as `account.may_differ` names them."""


@cache
def sources_of(ruleset: str) -> Mapping[str, Mapping[str, str]]:
    """By kind of fact and value, and by field: what it may depend on. Names are as they are stored."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    kinds = {**table[COMMON], **table[ruleset]}
    return {
        kind: {field: source for source, fields in by_source.items() for field in fields}
        for kind, by_source in kinds.items()
    }


def refused(ruleset: str, parts: Iterable[Part]) -> Iterator[Part]:
    """Those that no table lists, and those that are the same in all worlds."""
    for kind, field in parts:
        sources = sources_of(ruleset).get(kind)
        if sources is None:
            if _is_fact(kind):
                yield kind, field
        elif field not in _OF_THE_WHOLE and sources.get(field, "nothing") in _named("fixed"):
            yield kind, field


def parting(ruleset: str, parts: Sequence[Part]) -> Iterator[Part]:
    """Those by which two worlds may part. A fact that only one of them tells counts if one of its fields would.

    Parts of the positions follow from what was told: they explain nothing if nothing that was told does.
    """
    of_facts = [part for part in parts if _is_fact(part[0])]
    explain = [part for part in of_facts if {*_sources(ruleset, *part)} - {*_named("fixed"), *_named("given")}]
    if explain or not of_facts:
        yield from (part for part in parts if part in explain or not _is_fact(part[0]))


def _sources(ruleset: str, kind: str, field: str) -> Iterable[str]:
    """Those of a field, or of all fields if the whole fact is told to one alone; none of what is said of the event."""
    sources = sources_of(ruleset).get(kind, {})
    return sources.values() if field in (TOLD, NOT_TOLD) else [sources[field]] if field in sources else []


_OF_THE_WHOLE = (TOLD, NOT_TOLD, *map(of_event, ABOUT))
"""What is named in place of a field, and what is said of every event."""


def _is_fact(kind: str) -> bool:
    """Parts of a position, which follow from what was told, are named by their path."""
    return kind[:1].isupper()


@cache
def _named(group: str) -> Sequence[str]:
    named: list[str] = tomllib.loads(TABLE.read_text(encoding="utf-8"))[group]
    return named
