"""The tables of a scenario: all of them in tables.toml, or charts that it shares, and in tables.toml what differs."""

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from campaign.engine.files import Source, convert_toml, decode_toml, line_in_toml, source
from campaign.rulesets.forum_campaign.scenario.files import Head, Tables

Path = tuple[str, ...]
"""Where a number stands in nested tables: fuel, start."""


def tables_in(files: Mapping[str, str], head: Head) -> Iterator[tuple[Source, Tables]]:
    """Tables with the files that they are from: the shared charts if there are some, and last those that apply."""
    own = source(files, "tables.toml")
    if not head.charts:
        yield own, decode_toml(own, Tables)
        return
    file = _shared(files, head)
    shared = decode_toml(file, Tables)
    yield file, shared
    differences = decode_toml(own, dict[str, Any])
    reasons = differences.pop("reasons", {})
    tables = convert_toml(own, merged(_plain(shared), differences), Tables)
    _check_reasons(own, differences, reasons, unchanged=_same(shared, tables))
    yield own, tables


def merged(tables: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested tables with other values where the changes have some. Lists are exchanged as a whole."""
    inner = {key: part for key, part in tables.items() if _nested(part)}
    return {
        **tables,
        **{key: merged(inner.get(key, {}), part) if _nested(part) else part for key, part in changes.items()},
    }


def _shared(files: Mapping[str, str], head: Head) -> Source:
    name = f"charts/{head.charts}.toml"
    if name not in files:
        scenario = source(files, "scenario.toml")
        where = line_in_toml(scenario.text, ["charts"])
        cure = "Correct the name, or delete the line and write all tables into tables.toml."
        scenario.refuse(f"there are no charts {head.charts!r}", line=where, cure=cure)
    return Source(name, files[name])


def _check_reasons(
    file: Source, differences: Mapping[str, Any], reasons: Mapping[str, Any], *, unchanged: frozenset[Path]
) -> None:
    """Every difference is one, and has a reason; every reason is one sentence for a difference."""
    different, why = dict(_leaves(differences)), dict(_leaves(reasons))
    for path in different:
        where, name = line_in_toml(file.text, list(path)), ".".join(path)
        if path in unchanged:
            file.refuse(f"{name} is the same in the shared charts", line=where, cure="Delete it, and its reason.")
        if not (isinstance(sentence := why.get(path), str) and sentence.strip()):
            cure = "Say why in one sentence under [reasons]."
            file.refuse(f"{name} differs from the shared charts, and no reason is given", line=where, cure=cure)
    for path in why.keys() - different.keys():
        where, name = line_in_toml(file.text, ["reasons", *path]), ".".join(path)
        file.refuse(f"reasons.{name}: the file does not change {name}", line=where, cure="Delete the reason.")


def _same(one: Tables, other: Tables) -> frozenset[Path]:
    """Where two sets of tables have the same value."""
    there = dict(_leaves(_plain(other)))
    return frozenset(path for path, value in _leaves(_plain(one)) if there.get(path) == value)


def _leaves(tables: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value in nested tables with its path."""
    if not _nested(tables):
        yield path, tables
        return
    for key, part in tables.items():
        yield from _leaves(part, (*path, key))


def _nested(part: Any) -> bool:
    return isinstance(part, Mapping)


def _plain(tables: Tables) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(tables, builtin_types=(datetime.date,))
    return plain
