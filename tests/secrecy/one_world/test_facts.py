"""Every field of a fact says what it may depend on, and so which differences in what is told may part two worlds."""

import tomllib
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

from campaign.engine.facts import Fact
from campaign.engine.values.value import Value
from tests.secrecy.games import GAMES
from tests.secrecy.games.game import Game
from tests.secrecy.one_world.test_depends import table
from tests.secrecy.oracle.account import NOT_TOLD, TOLD
from tests.secrecy.oracle.facts import COMMON, TABLE, parting, refused, sources_of

FORUM = "forum_campaign"


def _facts_of(package: str) -> Iterator[type[Value]]:
    """The facts of a package, with the values in their fields."""
    kinds: list[type[Value]] = [kind for kind in _below(Fact) if f"{kind.__module__}.".startswith(f"{package}.")]
    for kind in kinds:
        yield kind
        hints = get_type_hints(kind)
        held = [each for name in kind.__struct_fields__ for each in _values_in(hints[name])]
        kinds += [each for each in dict.fromkeys(held) if each not in kinds]


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def _values_in(hint: Any) -> Iterator[type[Value]]:
    if isinstance(hint, type) and issubclass(hint, Value):
        yield hint
    for part in get_args(hint):
        yield from _values_in(part)


def _stored(kinds: Iterator[type[Value]]) -> dict[str, set[str]]:
    """Names as they are stored: of facts by their tags, of fields as they are encoded."""
    named = {str(kind.__struct_config__.tag) if issubclass(kind, Fact) else kind.__name__: kind for kind in kinds}
    return {name: set(kind.__struct_encode_fields__) for name, kind in named.items()}


def _listed(section: str) -> dict[str, set[str]]:
    kinds = tomllib.loads(TABLE.read_text(encoding="utf-8"))[section]
    return {kind: {field for fields in by.values() for field in fields} for kind, by in kinds.items()}


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_field_of_every_fact_says_what_it_may_depend_on(game: Game) -> None:
    of_its_own = get_args(game.rules.state_type)[0]
    package = of_its_own.__module__.rsplit(".", 2)[0]
    assert _listed(game.key) == _stored(_facts_of(package))


def test_what_every_ruleset_tells_says_what_it_may_depend_on() -> None:
    assert _listed(COMMON) == _stored(_facts_of("campaign.engine"))


def test_sources_of_facts_are_those_that_are_explained() -> None:
    whole = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    used = {source for game in GAMES for fields in sources_of(game).values() for source in fields.values()}
    assert {*used, *whole["fixed"], *whole["given"]} <= set(table()["sources"])


def test_no_worlds_differ_in_what_no_table_lists_or_nothing_may_change() -> None:
    parts = [("Turned", "strength"), ("Turned", "date"), ("Rumour", TOLD), ("Moved", "path"), ("Turned", "event.rule")]
    assert list(refused(FORUM, parts)) == [("Turned", "strength"), ("Turned", "date"), ("Rumour", TOLD)]
    assert list(refused(FORUM, [("Plotted", "contact"), ("Plotted", "path"), ("own.german", "units")])) == [
        ("Plotted", "contact")
    ]


def test_worlds_part_by_what_is_told_and_not_by_what_a_side_has_written_itself() -> None:
    told = [("Moved", "path"), ("Destroyed", NOT_TOLD), ("Scouted", "sightings"), ("own.german", "sightings")]
    same = [
        ("Following", TOLD),
        ("MissionsPlanned", "missions"),
        ("Moved", "event.rule"),
        ("Noted", "text"),
    ]
    assert list(parting(FORUM, told + same)) == told
    assert list(parting(FORUM, [*same, ("own.german", "missions")])) == []
