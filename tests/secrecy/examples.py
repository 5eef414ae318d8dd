"""Examples: what happens in a pair of worlds, written out or chosen by lot and in turn.

An example is plain data, so that a failing one can be shrunk, kept, and played again.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from campaign.engine.values.ids import PUBLIC, Audience
from tests.secrecy.campaigns import Base
from tests.secrecy.games.game import Game
from tests.secrecy.mutators import MUTATORS

KEPT = Path(__file__).parent / "kept"
"""Examples that failed once. Every run plays them; those in `long`, whose cause has a test of its own or was in
these tests, only a run with examples by lot.
"""


@dataclass(frozen=True)
class Act:
    """A step of both worlds, or a mutator of the second, with its random seed."""

    name: str
    seed: int


@dataclass(frozen=True)
class Example:
    base: str
    observer: Audience
    seed: int
    acts: tuple[Act, ...]

    def to_json(self) -> str:
        acts = [[act.name, act.seed] for act in self.acts]
        return json.dumps({"base": self.base, "observer": self.observer, "seed": self.seed, "acts": acts}) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Example":
        raw = json.loads(text)
        return cls(raw["base"], Audience(raw["observer"]), raw["seed"], tuple(Act(*act) for act in raw["acts"]))


_STATES = ("M1", "M1", "M2", "M3", "M4", "M5", "M5", "M10", "M11", "M19", "M23")
_UNSEEN = ("M3", "M4", "M10", "M11", "M19")
"""Mutators that put no unit where it is sighted at the end of the phase."""
_ROWS = ("M12", "M13")
_LIVES = (
    *("M6", "M7", "M8", "M14", "M15", "M16", "M17", "M20", "M22", "M24", "M28", "M29", "M30", "M31"),
    *("M32", "M33", "M37"),
)
_MUTATORS = (*_STATES, *_ROWS, *_LIVES)
_ALWAYS = ("M7", "M15", "M16", "M20", "M24")
"""Mutators that always change something, of which each example in a phase has one."""
_ACTS = (
    *("read", "check", "draft", "send", "ready", "stale", "withdraw", "log in", "log out", "profile"),
    *("old link", "new spectator", "the others wait", "the GM assigns", "tick", "clock", "limits"),
    *("ask", "the GM answers", "the GM answers everyone", "mail"),
    *("a bot plays", "a bot plays the others", "archive", "comment", "tidy comments", "think again"),
    *("calendar", "be away", "post elsewhere", "many mails", "a token ends"),
    *("ready and wait", "an invitation opens", "an absence ends", "a bot stands in"),
)
_FIGHTS = ("battle", "assign", "share", "story", "a time to play", "the others fight", "limits of battles")
"""What is done in every phase of battles, before their results are accepted."""
_HOURS = ("reminders", "", "a pause ends", "an outage", "months", "an evening", "a quarter of an hour")
"""Steps in which hours pass that close no phase; some examples have none."""
_WRITTEN = (
    *("M6", "M8", "M30", "think again", "send", "stale", "ready", "the others wait"),
    *("ready and wait", "a bot stands in"),
)
_LOCKS = ("lock", "deadline", "lock", "a worker dies")
_ENDS = (
    (),
    ("M9", "publish to a leaver"),
    ("M9", "approve and wait"),
    ("roll", "M21", "publish"),
    ("publish", "reopen", "the others order", "M6", "M6", "lock", "adjudicate", "publish"),
    ("the GM is away",),
    ("rule", "publish to a leaver"),
    ("roll", "M21", "publish", "reopen"),
)
"""How examples end, in turn: while the phase is open, or after its lock."""
_CLOSINGS = (
    ("M12", "M28", "M32", "M33", "share", "end", "read", "archive", "an evening"),
    ("M12", "the GM answers everyone", "M34", "read", "end", "the others open their questions", "M34", "an evening"),
    ("M12", "an older campaign", "M35", "read", "tick", "M35", "an evening", "end", "M36", "read"),
    ("M12", "M28", "M35", "read", "agree on a draw", "archive", "an evening", "read"),
    ("the others order", "M38", "lock", "adjudicate", "publish", "an older release", "end", "archive", "read"),
)
"""Whole examples in which the campaign ends: it opens what other mutators change."""
_CLOSING_EVERY = 11
"""The number of examples of which one ends a campaign."""
_OTHERS = {
    "the others fight": "M25",
    "limits": "M26",
    "limits of sheets": "M27",
    "limits of battles": "M27",
}
"""Steps, each with the mutator that goes with it: others choose otherwise, or have reached the same limits before."""
_TURNS = ("late", "large", "small", "toy-late", "area", "late", "late-large", "small", "toy", "area-late")
"""The campaigns of examples, in turn: tests of two worlds play the small one."""


def example(number: int, bases: Mapping[str, Base]) -> Example:
    """An example: what is dealt to it, in turn, and more by lot. Its number is its seed."""
    chance = Random(f"example {number}")
    campaigns = {base.opening for base in bases.values()}
    turns = [name for name in _TURNS if name in campaigns]
    turn = (number + number // len(turns)) % len(turns)  # else each campaign would have one observer alone
    here = [base for _, base in sorted(bases.items()) if base.opening == turns[turn]]
    rounds, place = divmod(number, _CLOSING_EVERY)
    if place == _CLOSING_EVERY - 1:
        closing = _CLOSINGS[rounds % len(_CLOSINGS)]
        return Example(chance.choice(here).name, _observer(here[0].game, number), number, _drawn(closing, chance))
    return _in_a_phase(number, here, chance)


def _in_a_phase(number: int, here: Sequence[Base], chance: Random) -> Example:
    """An example that ends while a phase is open, or when it is over."""
    observer, end = _observer(here[0].game, number), _ENDS[number % len(_ENDS)]
    away = "the GM is away" in end
    differ = bool(end) and not away and chance.random() < 0.75
    """Whether the others' orders differ, and little else by which the worlds would part."""
    base = chance.choice(_fitting(here, observer, end, differ=differ, fights=number % 2 == 1 and observer != PUBLIC))
    names = _mutators(chance, number)
    before = sorted((name for name in names if name not in _LIVES), key=lambda name: name not in _ROWS)
    later = [name for name in before if (differ or away) and name not in (*_ROWS, *_UNSEEN)]
    before = [name for name in before if name not in later]
    if differ and chance.random() < 0.5:  # most units near the front are seen: move a hidden one elsewhere
        before.append("M2")
    chosen = [*_dealt(_ACTS, 6, number), *chance.sample(_ACTS, k=chance.randint(0, 2))]
    chosen += ["limits of sheets"] if observer in base.writers and number % 2 else []
    if base.fights and observer != PUBLIC:
        chosen += [*chance.sample(_FIGHTS, k=len(_FIGHTS)), "acceptance"]
    middle = _mixed(chance, chosen, [name for name in names if name in _LIVES])
    middle += filter(None, _dealt(_HOURS, 2, number))
    if away:  # what is in sheets may keep a draft from publishing itself
        middle = [name for name in middle if name not in _WRITTEN]
    middle += ["the others order", "M6", "M6"] if differ else []
    if end:
        lock = _dealt(_LOCKS, 1, number)[0]
        resolved = [lock, *(["M18"] if chance.random() < 0.6 else []), "adjudicate", *end, *_told(base, observer, end)]
        middle += [*resolved, *later, *chance.sample(_ACTS, k=2)]
    return Example(base.name, observer, number, _drawn(_with_others([*before, *middle]), chance))


def _drawn(names: Iterable[str], chance: Random) -> tuple[Act, ...]:
    return tuple(Act(name, chance.randrange(10**6)) for name in names)


def _told(base: Base, observer: Audience, end: Sequence[str]) -> Sequence[str]:
    """What is told of the battles of a phase when it has been published."""
    published = end[-1].startswith(("publish", "approve"))
    return ("open stories",) if base.fights and observer != PUBLIC and published else ()


def _fitting(
    here: Sequence[Base], observer: Audience, end: Sequence[str], *, differ: bool, fights: bool
) -> Sequence[Base]:
    """The phases of a campaign in which most of an example is possible; the first wishes count most."""
    others = here[0].game.others(observer)
    wishes: tuple[tuple[bool, Callable[[Base], bool]], ...] = (
        (differ, lambda base: any(side in base.writers for side in others)),
        (fights, lambda base: base.fights),
        (fights, lambda base: base.key.startswith(observer)),
        (len(end) > 1, lambda base: base.reviewed),
    )
    for wished, has in wishes:
        here = [base for base in here if has(base)] or here if wished else here
    return here


def _mutators(chance: Random, number: int) -> list[str]:
    names = [*_dealt(_MUTATORS, 3, number), *chance.sample(_MUTATORS, k=chance.randint(0, 4))]
    return names if set(names) & set(_ALWAYS) else [*names, _ALWAYS[-1]]


def _dealt(cards: Sequence[str], hand: int, number: int) -> list[str]:
    """The cards of an example, from decks that are shuffled again and again, so that all are dealt about as often."""
    return [_shuffled(cards, nth // len(cards))[nth % len(cards)] for nth in range(number * hand, (number + 1) * hand)]


def _shuffled(cards: Sequence[str], round_: int) -> list[str]:
    return Random(f"deck {round_}").sample(cards, k=len(cards))


def _with_others(names: Sequence[str]) -> Iterator[str]:
    """The same with the mutators that go with steps: a retreat is chosen after a report, a limit reached before."""
    for name in names:
        mutator = [_OTHERS[name]] if name in _OTHERS else []
        yield from (name, *mutator) if "M25" in mutator else (*mutator, name)


def _observer(game: Game, number: int) -> Audience:
    """The observer of an example: each side twice in five, the public once."""
    return _observers(game)[number % len(_observers(game))]


def _observers(game: Game) -> tuple[Audience, ...]:
    *sides, public = game.observers
    return (*sides, *sides, public)


def turn_of(example: Example, game: Game) -> int:
    """A number that the examples of one observer have in order, for what is dealt to them."""
    observers = _observers(game)
    rounds, place = divmod(example.seed, len(observers))
    before = [_observer(game, number) for number in range(example.seed - place, example.seed)]
    return rounds * observers.count(example.observer) + before.count(example.observer)


def _mixed(chance: Random, chosen: list[str], between: list[str]) -> list[str]:
    mixed = list(chosen)
    for name in between:
        mixed.insert(chance.randint(0, len(mixed)), name)
    return mixed


def shrunk(failing: Example, fails: Callable[[Example], bool]) -> Example:
    """The same example with as few acts as still fail, among them a mutator: without one it would compare nothing."""
    acts, size = list(failing.acts), max(len(failing.acts) // 2, 1)
    while size:
        start = 0
        while start < len(acts):
            fewer = [*acts[:start], *acts[start + size :]]
            smaller = Example(failing.base, failing.observer, failing.seed, tuple(fewer))
            if any(act.name in MUTATORS for act in fewer) and fails(smaller):
                acts = fewer
            else:
                start += size
        size //= 2
    return Example(failing.base, failing.observer, failing.seed, tuple(acts))


_SURE = (
    (
        "04-allied_sheet",
        PUBLIC,
        9,
        (
            "M12 the_others_order M6 M6 lock adjudicate rule roll publish_to_a_leaver reopen the_others_order M6 lock "
            "adjudicate publish"
        ),
    ),
    (
        "03-german_battles",
        "german",
        7,
        "M5 M27 limits_of_battles the_others_fight M25 battle assign send reminders acceptance",
    ),
    ("late-05-allied_sheet", PUBLIC, 12, "M1 M1 M1 M1 M1 M1 M17 an_outage lock adjudicate the_GM_is_away"),
    (
        "toy-late-01-turn",
        "south",
        10,
        (
            "M3 M16 M30 log_in profile draft stale ready withdraw old_link tidy_comments archive the_GM_assigns "
            "log_out deadline"
        ),
    ),
    ("toy-late-02-turn", "north", 15, "M3 a_pause_ends months lock M18 adjudicate the_GM_is_away"),
    (
        "toy-late-02-turn",
        PUBLIC,
        13,
        "M3 M16 log_in old_link archive a_pause_ends months a_worker_dies adjudicate the_GM_is_away",
    ),
    (
        "large-04-allied_sheet",
        "allied",
        14,
        (
            "M3 M11 M16 M30 M22 draft ready withdraw think_again log_out archive M26 limits a_pause_ends "
            "a_worker_dies adjudicate rule roll M21 publish_to_a_leaver"
        ),
    ),
    ("large-03-german_battles", "german", 16, "M5 M1 M2 M22 M26 limits the_others_fight M25 assign acceptance months"),
    (
        "01-air",
        "german",
        17,
        (
            "M30 a_bot_plays the_others_wait a_bot_plays_the_others think_again ready profile log_out a_worker_dies "
            "adjudicate rule"
        ),
    ),
    (
        "late-large-01-air",
        "allied",
        19,
        (
            "M1 M2 M30 a_bot_plays stale a_bot_plays_the_others the_GM_assigns profile withdraw the_others_wait M27 "
            "limits_of_sheets an_outage"
        ),
    ),
    (
        "late-03-german_sheet",
        "allied",
        22,
        (
            "an_older_campaign the_GM_answers_everyone M34 the_others_order M38 lock adjudicate publish "
            "an_older_release M35 agree_on_a_draw the_others_open_their_questions M34 M36 read"
        ),
    ),
    (
        "02-german_sheet",
        PUBLIC,
        24,
        (
            "M13 the_GM_answers_everyone M34 the_others_order M38 deadline adjudicate publish an_older_release M35 "
            "agree_on_a_draw the_others_open_their_questions M36 read"
        ),
    ),
    (
        "03-german_battles",
        "german",
        46,
        "M19 be_away story M27 limits_of_battles lock adjudicate publish M32 open_stories",
    ),
    (
        "late-large-02-german_sheet",
        "allied",
        27,
        "M13 M15 M23 log_in new_spectator post_elsewhere the_others_wait deadline roll M21 publish reopen",
    ),
    (
        "large-02-german_sheet",
        "german",
        28,
        (
            "M1 an_absence_ends reminders a_bot_stands_in M30 think_again new_spectator ready_and_wait adjudicate "
            "approve_and_wait"
        ),
    ),
    (
        "late-large-02-german_sheet",
        "german",
        34,
        "M23 a_token_ends an_invitation_opens many_mails M27 limits_of_sheets ready_and_wait",
    ),
)
"""A phase, an observer, a seed and what happens: steps and states that tests and kept examples rarely reach.

The seed also chooses the reader and the order in which the worlds are asked.
"""


def sure_examples() -> Iterator[Example]:
    """Examples of what others rarely reach: a run plays some by lot only if something is still missing."""
    for base, observer, seed, names in _SURE:
        acts = (Act(name.replace("_", " "), number) for number, name in enumerate(names.split()))
        yield Example(base, Audience(observer), seed, tuple(acts))


def kept_examples(*, long: bool) -> Iterator[Example]:
    """Examples that failed once; all of them, or those that every run plays."""
    for path in sorted((KEPT.rglob if long else KEPT.glob)("*.json")):
        yield Example.from_json(path.read_text(encoding="utf-8"))
