"""Orders that name hidden things read like orders that name nothing.

A side's commander asks about every name that it does not know: of the enemy's hidden units, commandos, formations and
desks. In one world the enemy has things of these names; in the other they are called otherwise everywhere, and so the
names are invented. All answers must be the same. In one world, an invented name of the same shape must also be refused
like the hidden one: the same code, place and words. Hidden is what the side does not know at this moment; what it has
sighted by name may be told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from random import Random
from typing import Any

from campaign.engine.orders.grammar import grammar_of
from campaign.engine.orders.lexicon import LONGEST_NAME, Names, plain
from campaign.engine.orders.order import Order, Path, Problem, Text, verb_of
from campaign.engine.values.ids import Audience, PlaceId, UnitId
from campaign.models import Battle, Desk, PhaseState
from campaign.services import files_of
from orders.answers import Answer
from tests.secrecy.campaigns import SLUG, campaign
from tests.secrecy.mutators import mutate
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.naming import with_other_ids
from tests.secrecy.truth import Truth
from tests.secrecy.worlds import Answer as Page
from tests.secrecy.worlds import World

HERE = f"/c/{SLUG}/"
_NUMBER = "93"
"""No name contains it."""
_MOST_NAMES = 16
"""A sample of the names, a new one for each pair of worlds."""


# --- names -----------------------------------------------------------------------------------------------------------


def rename(world: World, side: Audience, seed: int) -> None:
    """Call everything otherwise that a side does not know by name: in the truth, at the desks, and in the files."""
    for name in ("M19", "M23"):
        mutate(name, Change(world, side, Random(seed)), seed)
    with world.present():
        truth = Truth.read(side)
        assert truth is not None
        for enemy in truth.foreign:
            with_other_ids(truth, enemy)
        truth.write()


def hidden_names(one: World, two: World, side: Audience, chance: Random) -> list[str]:
    """Names of the enemy's things in one world that nothing has in the other, and names near to them."""
    names = sorted(_names(one, side) - _names(two, side))
    assert names, "the enemy has something that nobody has seen"
    chosen = chance.sample(names, k=min(_MOST_NAMES, len(names)))
    return [*chosen, *(f"{name[:-1]}{'z' if name[-1] != 'z' else 'y'}" for name in chosen[:6])]


def _names(world: World, side: Audience) -> set[str]:
    with world.present():
        truth = Truth.read(side)
        assert truth is not None
        desks = Desk.objects.filter(campaign__slug=SLUG, side__in=truth.foreign).values_list("name", flat=True)
        files = files_of(campaign())
        found = {*desks}
        for enemy in truth.foreign:
            found |= {*truth.game.names(truth.state.own[enemy]), *truth.game.listed(files, enemy)}
    return found - {""}


def invented(name: str, chance: Random) -> str:
    """A name of the same shape."""
    letters = {"0": "0123456789", "a": "abcdefghijklmnopqrstuvwxyz", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}

    def another(sign: str) -> str:
        kind = "0" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.isalpha() else ""
        return chance.choice(letters[kind]) if kind else sign

    return "".join(map(another, name))


# --- lines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """Words that a side may write for a unit and for a place."""

    unit: str
    place: str


def lines(kind: type[Order], name: str, words: Words) -> Iterator[str]:
    """An order of this kind with the name in place of each unit and place."""
    parts = grammar_of(kind)
    for named in parts:
        if named.type not in (UnitId, PlaceId, Path):
            continue
        others = [part for part in parts if part.name not in kind.one_of and not part.optional]
        if kind.one_of and named.name not in kind.one_of:
            others.append(next(part for part in parts if part.name == kind.one_of[-1]))
        written = [part for part in parts if part is named or part in others]
        filled = ((part, name if part is named else _filled(part.type, words)) for part in written)
        yield " ".join([verb_of(kind), *(f"{part.keyword} {text}".strip() for part, text in filled)])


def _filled(kind: Any, words: Words) -> str:
    if kind is UnitId:
        return words.unit
    if kind in (PlaceId, Path):
        return words.place
    if isinstance(kind, type) and issubclass(kind, Enum):
        return str(next(iter(kind)).value)
    return {int: _NUMBER, bool: "", Text: "a word"}[kind]


def sheets(kinds: Sequence[type[Order]], names: Sequence[str], words: Words) -> Iterator[tuple[str, list[str]]]:
    """By verb, lines that name each of these things."""
    for kind in kinds:
        found = [line for name in names for line in lines(kind, name, words)]
        if found:
            yield verb_of(kind), found


# --- the same world --------------------------------------------------------------------------------------------------


def masked(said: Answer, name: str, names: Names) -> Answer:
    """An answer without the name that was asked about.

    A suggestion depends on the letters of that name, so it is left out if it is something that the side may name.
    """
    lexicons = (names.units, names.places)
    offered = {name for each in lexicons for name in (*each.full, *each.full.values(), *each.usual.values())}
    return replace(said, problems=tuple(_problem(each, name, offered) for each in said.problems))


def _problem(problem: Problem, name: str, offered: set[str]) -> Problem:
    found = re.fullmatch(r"Did you mean (.*)\?", problem.hint)
    hint = "" if found and found[1] in offered else problem.hint
    return type(problem)(
        problem.code,
        problem.severity,
        problem.line,
        problem.column,
        _without(name, problem.message),
        _without(name, hint),
        problem.rule,
        problem.desk,
    )


_BETWEEN_WORDS = re.compile(r"[^\w/]+")
_SHORT = 3
"""Letters of the shortest name for this: `G` before `1 SS` reads like the id of a unit."""


def _without(name: str, text: str) -> str:
    """A text without the words of the name, which answers quote."""
    either = "|".join(map(re.escape, filter(None, _BETWEEN_WORDS.split(name))))
    words = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])")
    return re.sub("'[^']*'", lambda quoted: words.sub("...", quoted[0]), text)


def is_strange(name: str, names: Names) -> bool:
    """Whether no beginning of a name means anything to the side, not even joined to what follows it."""
    words = list(filter(None, _BETWEEN_WORDS.split(name)))
    if len(plain(name)) < _SHORT:
        return False
    begun = (plain(" ".join(words[:count])) for count in range(1, LONGEST_NAME + 1))
    return not any(key in names.units.meanings or key in names.places.meanings for key in begun)


# --- pages -----------------------------------------------------------------------------------------------------------


def pages(
    world: World, side: Audience, names: Sequence[str], orders: Sequence[str], reports: Sequence[str]
) -> Iterator[tuple[str, Page]]:
    """The answers to a commander who writes such orders and reports, and names such desks and formations."""
    who = f"{side} commander"
    yield "a sheet", world.ask(who, "POST", f"{HERE}orders/HQ/check/", {"text": "\n".join(orders)})
    for sheet in ("", "\n".join(orders)):
        yield "forms of a sheet", world.ask(who, "POST", f"{HERE}orders/HQ/forms/", {"text": sheet})
    for name in names[:3]:
        yield f"the desk {name}", world.ask(who, "GET", f"{HERE}orders/{name.replace('/', ' ')}/")
        form = {"name": "Another", "formations": [name], "holder": f"{side} staff"}
        yield f"the formation {name}", world.ask(who, "POST", f"{HERE}people/desks/{side}/", form)
        what = {"text": "", "unit": name}
        choices = f"/api/v1/campaigns/{SLUG}/desks/HQ/choices/"
        yield f"choices for {name}", world.ask(who, "POST", choices, what, json=True)
        gone = {"desk": name}
        yield f"closing {name}", world.ask(who, "POST", f"{HERE}people/desks/{side}/close/", gone)
    with world.present():
        waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN).order_by("key")
        keys = list(waiting.values_list("key", flat=True))
    for key in keys[:1]:
        yield "forms of a report", world.ask(who, "POST", f"{HERE}battles/{key}/forms/", {"text": "\n".join(reports)})
        yield "a report", world.ask(who, "POST", f"{HERE}battles/{key}/check/", {"text": "\n".join(reports)})
