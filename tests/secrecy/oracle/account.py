"""What each audience may know of a phase, worked out anew; and where the product's own account of it differs.

A phase is plain JSON as it is stored: the position before it, its events, the position after it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

Json = dict[str, Any]
GM = "gm"


@dataclass(frozen=True)
class Gap:
    """Something on which the product and this account of it differ, or two worlds do."""

    audience: str
    phase: str
    fact: str
    """The kind of the fact, or the part of the position: `own.units`."""
    field: str
    allowed: Any
    found: Any

    def __str__(self) -> str:
        about = f"{self.audience}, {self.phase}: {self.fact}.{self.field}"
        return f"{about}\n    may be known: {_short(self.allowed)}\n    is told: {_short(self.found)}"


@dataclass(frozen=True)
class Played:
    """A phase as it is stored."""

    before: Json
    events: Sequence[Json]
    """With `phase`, `rule`, `ruling`, `fact`, and `faces`: what the product tells each audience."""
    after: Json

    @property
    def name(self) -> str:
        return f"{self.before['open']['date']} {self.before['open']['phase']}"


@dataclass
class Account:
    """What an audience may know of a phase: what it may be told of, in order, and its position after it."""

    told: list[Json] = field(default_factory=list)
    known: Json = field(default_factory=dict)
    earlier: list[Json] = field(default_factory=list)
    """What it was told before, if reports of a day gather its phases."""


@dataclass(frozen=True)
class Reference:
    """What the rules of a game say of its secrets, on one map."""

    audiences: tuple[str, ...]
    """All but the game master."""
    told: Callable[[Json, Json], Mapping[str, Json]]
    """(fact, position before it): the fact as each audience may be told it. Raises KeyError for an unknown kind."""
    remember: Callable[[Json, Json], None]
    """(position, fact): change the position by the fact. Raises KeyError for an unknown kind."""
    gaps_in_view: Callable[[Json, Played, str, Account], Iterator[Gap]]
    """(View, phase, audience, account): where the View shows what its audience may not know, or lacks what it knows."""
    gathers: bool = False
    """Whether reports of a day gather its phases."""
    published_at_once: frozenset[str] = frozenset()
    """The kinds of facts that end a phase early, so that it is published without waiting for the game master."""
    kept_back: Callable[[Json], bool] = lambda _fact: False
    """Whether a fact that an audience may be told may also be kept from it."""
    stated: Callable[[str, Sequence[Json]], list[Json]] = lambda _audience, _rows: []
    """(audience, statements): what it may know of what players state of battles that wait."""


def part_of(position: Json, audience: str) -> Json:
    """The part of a position that an audience knows: what is open, and what is its own."""
    own = {side: part for side, part in position["own"].items() if audience in (GM, side)}
    return _copied({"open": position["open"], "own": own, "hidden": None})


def _copied(known: Json) -> Json:
    """The same without sharing anything: written and read again, which is faster than copying object by object."""
    copied: Json = json.loads(json.dumps(known))
    return copied


def accounts(
    played: Played, rules: Reference, known: Mapping[str, Json] | None = None, of_whom: Sequence[str] = ()
) -> Mapping[str, Account]:
    """What each of these audiences may know of a phase; by default all but the game master.

    `known` has what each knew before it; those who are missing there knew their part of the position before it.
    """
    truth, before = _copied(played.before), known or {}
    of = {
        who: Account(known=_copied(before.get(who) or part_of(played.before, who)))
        for who in of_whom or rules.audiences
    }
    for event in played.events:
        about = {name: event[name] for name in ABOUT}
        for who, face in rules.told(event["fact"], truth).items():
            if who not in of:
                continue
            of[who].told.append(about | {"fact": face})
            rules.remember(of[who].known, _copied(face))
        rules.remember(truth, _copied(event["fact"]))
    return of


ABOUT = ("phase", "rule", "ruling")
"""Of an event: told to all who are told the fact."""


def gaps(played: Played, rules: Reference, account_of: Mapping[str, Account] | None = None) -> Iterator[Gap]:
    """Where what the product tells and keeps for an audience differs from what it may know."""
    for who, account in (account_of or accounts(played, rules)).items():
        really = [{name: event[name] for name in ABOUT} | {"fact": event["faces"][who]}
                  for event in played.events if who in event["faces"]]  # fmt: skip
        yield from between(who, played.name, account.told, really, rules)
        yield from positions_between(who, played.name, account.known, part_of(played.after, who))


def may_differ(audience: str, one: Sequence[Played], two: Sequence[Played], rules: Reference) -> list[tuple[str, str]]:
    """The (fact, field) pairs in which two worlds may differ for an audience, from the same phases of both.

    Fields of the position after a phase are named after the part that holds them: `own.german.sightings`. Empty:
    nothing that the audience receives may distinguish the worlds, and neither may the number of their phases.
    """
    found: dict[tuple[str, str], None] = {}
    known: tuple[dict[str, Json], dict[str, Json]] = {}, {}
    for a, b in zip(one, two, strict=False):
        mine = accounts(a, rules, known[0], (audience,))[audience]
        its = accounts(b, rules, known[1], (audience,))[audience]
        named = (
            *between(audience, a.name, mine.told, its.told, rules),
            *positions_between(audience, a.name, mine.known, its.known),
        )
        found |= dict.fromkeys((gap.fact, gap.field) for gap in named)
        for before, account in zip(known, (mine, its), strict=True):
            before[audience] = account.known
    return list(found)


def between(who: str, phase: str, allowed: Sequence[Json], found: Sequence[Json], rules: Reference) -> Iterator[Gap]:
    """The facts in which two tellings differ, and in which fields."""
    one, two = ([json.dumps(each, sort_keys=True) for each in telling] for telling in (allowed, found))
    for step, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if step != "equal":
            apart = _pairs(who, phase, allowed[a:b], found[c:d])
            yield from (gap for gap in apart if gap.field != NOT_TOLD or not rules.kept_back(gap.allowed))


def _pairs(who: str, phase: str, allowed: Sequence[Json], found: Sequence[Json]) -> Iterator[Gap]:
    """Facts of the same kind are compared field by field; the others are told to one and not to the other."""
    left = list(allowed)
    for its in found:
        kind = its["fact"]["type"]
        mine = next((each for each in left if each["fact"]["type"] == kind), None)
        if mine is None:
            yield Gap(who, phase, kind, TOLD, None, its["fact"])
            continue
        left.remove(mine)
        one, other = ({**each["fact"], **{of_event(name): each[name] for name in ABOUT}} for each in (mine, its))
        for name in sorted({*one, *other}):
            if one.get(name) != other.get(name):
                yield Gap(who, phase, kind, name, one.get(name), other.get(name))
    for mine in left:
        yield Gap(who, phase, mine["fact"]["type"], NOT_TOLD, mine["fact"], None)


TOLD, NOT_TOLD = "(told)", "(not told)"
"""In place of a field: the whole fact is told to one that may not know it, or not told to one that may."""


def of_event(name: str) -> str:
    """The name of a detail of the event itself: its fact may have a field of the same name."""
    return f"event.{name}"


def positions_between(who: str, phase: str, allowed: Json, found: Json) -> Iterator[Gap]:
    """The fields in which two positions differ, down to those of units."""
    for path, mine, its in _differing(allowed, found, ()):
        yield Gap(who, phase, ".".join(path[:-1]), path[-1] if path else "", mine, its)


_UNORDERED = ("identified", "contacts")


def _differing(mine: Any, its: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if path and path[-1] in _UNORDERED and isinstance(mine, list) and isinstance(its, list):
        mine, its = sorted(mine), sorted(its)
    if mine == its:
        return
    if isinstance(mine, dict) and isinstance(its, dict):
        for name in sorted({*mine, *its}):
            yield from _differing(mine.get(name), its.get(name), (*path, name))
        return
    yield path, mine, its


def _short(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return text if len(text) < 400 else f"{text[:400]}..."
