"""Two worlds that one audience cannot distinguish, compared step by step in every byte that it receives.

An example is plain data, so that a failing one can be shrunk, kept, and played again.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId, UnitId
from campaign.game.store import decode_state, unpack
from campaign.models import Artefact, AuditEntry, OutboxMessage, Phase, PhaseState
from campaign.services import scenario_of
from orders.models import LockedSheet
from tests.secrecy.campaigns import ELSEWHERE, SIDES, SLUG, Base, bot_sheet, live, truth
from tests.secrecy.crawler import Crawl, crawl, foreign_and_absent, without_its_address
from tests.secrecy.digests import blanked
from tests.secrecy.knowledge import known_to
from tests.secrecy.mutators import BEFOREHAND, MUTATORS, mutate
from tests.secrecy.mutators.change import Change
from tests.secrecy.steps import STEPS, Plan, known_side
from tests.secrecy.truth import planned
from tests.secrecy.worlds import Answer, World

KEPT = Path(__file__).parent / "kept"
"""Examples that failed once. Every run plays them."""

OBSERVERS = (*map(Audience, SIDES), PUBLIC)


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


@dataclass
class Figures:
    """The figures of a comparison."""

    examples: int = 0
    answers: int = 0
    size: int = 0
    mails: int = 0
    differing: int = 0
    """Bytes of answers and mails that differed."""
    discarded: int = 0
    """Examples whose worlds differed for the observer from the start."""
    parted: int = 0
    """Examples in which the rules disclosed a difference in the end; everything was read as it was before that."""
    mutators: Counter[str] = field(default_factory=Counter)
    placements: Counter[str] = field(default_factory=Counter)
    readers: Counter[str] = field(default_factory=Counter)
    """The readers who read everything in the end."""
    reached: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    """Phases that the steps locked and published, with locks and publications compared."""

    def add(self, other: "Figures") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Difference(Exception):
    """A difference by which the observer can distinguish the worlds."""

    where: str
    one: bytes
    two: bytes

    def __str__(self) -> str:
        at = next((n for n, (a, b) in enumerate(zip(self.one, self.two, strict=False)) if a != b), 0)
        near = slice(max(at - 120, 0), at + 160)
        return f"{self.where}\n  one: {self.one[near]!r}\n  two: {self.two[near]!r}"

    @property
    def kind(self) -> str:
        """Where it was, without the number of the step."""
        return re.sub(r"step \d+, ", "", self.where)

    @property
    def size(self) -> int:
        return sum(a != b for a, b in zip(self.one, self.two, strict=False)) + abs(len(self.one) - len(self.two))


Readers = Callable[[Plan, Example], Sequence[str]]
"""Chooses the readers who read everything in the end, from those who know at most what the observer knows."""


def everybody(plan: Plan, _example: Example) -> Sequence[str]:
    return plan.watchers


def by_lot(plan: Plan, example: Example) -> Sequence[str]:
    """Two at random: one of the observer's side, if they have one, and one outside it."""
    chance, watchers = Random(example.seed), plan.watchers
    own = [who for who in watchers if plan.side_of(who)]
    outside = [who for who in watchers if who not in own]
    return [chance.choice(own), chance.choice(outside)] if own else chance.sample(outside, k=2)


def compare(example: Example, bases: Mapping[str, Base], figures: Figures, *, readers: Readers = everybody) -> None:
    """Play an example in both worlds, and let these readers read everything; raises Difference."""
    one, two = (World.restored(name, bases[example.base].snapshot) for name in ("one", "two"))
    try:
        with blanked(example.observer):
            _Pair(example, one, two, figures, readers).play()
    finally:
        one.close()
        two.close()


@dataclass
class _Pair:
    example: Example
    one: World
    two: World
    figures: Figures
    readers: Readers

    def play(self) -> None:
        plan, figures = self._plan(), self.figures
        known, changed = known_to(self.one, plan.observer), 0
        for number, act in enumerate(self.example.acts):
            if act.name in MUTATORS:
                if act.name in BEFOREHAND and self.two.browsers:
                    continue
                changed += self._mutate(act, plan)
                if known_to(self.two, plan.observer) != known:
                    figures.discarded += 1
                    return
                continue
            before = [world.way_back() for world in (self.one, self.two)]
            ended = _ended(self.one)
            answers = self._step(act, plan)
            known = known_to(self.one, plan.observer)
            if known_to(self.two, plan.observer) != known:
                figures.parted += 1
                for go_back in before:
                    go_back()
                break
            self._compare(f"step {number}, {act.name}", *answers)
            self.figures.done += self._done(ended)
        if not changed:
            figures.discarded += 1
            return
        self._received(plan)
        self._mails(plan)
        self._crawl(plan)
        figures.examples += 1

    def _plan(self) -> Plan:
        with self.one.present():
            phase = live()
            assert phase is not None
            state, observer = truth(phase), self.example.observer
            loaded = scenario_of(phase.campaign)
            side = known_side(observer) or SideId("german")
            ways = planned(loaded, state, side, Random(self.example.seed))
            others = [SideId(each) for each in phase.acts if each not in (observer, GM)]
            sheets = {each: bot_sheet(loaded, state, each) for each in others}
            return Plan(observer, phase.no, loaded, state_known_to(state, observer), ways, sheets)

    def _mutate(self, act: Act, plan: Plan) -> bool:
        ways = [way for _, way in plan.ways]
        change = Change(self.two, plan.observer, Random(act.seed), ways, self.figures.placements)
        done = mutate(act.name, change, act.seed)
        self.figures.mutators[act.name] += done
        return done

    def _step(self, act: Act, plan: Plan) -> list[list[Answer]]:
        """The answers to the watchers in each world."""
        self.figures.steps[act.name] += 1
        return [STEPS[act.name](world, plan, Random(act.seed)) for world in (self.one, self.two)]

    def _done(self, before: Counter[str]) -> Counter[str]:
        """Count what a step has ended, and whether the others' part in it differed between the worlds."""
        done = _ended(self.one) - before
        if done[PUBLISHED]:
            for what, of in ((OTHER_ORDERS, _orders_of_others), (OTHER_MOVES, _moves_of_others)):
                one, two = (of(world, self.example.observer) for world in (self.one, self.two))
                done[what] = int(one != two)
        return +done

    def _compare(self, where: str, one: Sequence[Answer], two: Sequence[Answer]) -> None:
        self._require(f"{where}: the number of answers", str(len(one)).encode(), str(len(two)).encode())
        for nth, (a, b) in enumerate(zip(one, two, strict=True), 1):
            self._answers(f"{where}, answer {nth}", a, b)

    def _crawl(self, plan: Plan) -> None:
        """All readers read the campaign; one also reads pages outside it, and one asks for what they may not see."""
        readers, chance = self.readers(plan, self.example), Random(self.example.seed)
        at_home, curious = chance.choice(readers), chance.choice(readers)
        for who in readers:
            side, accounts = plan.side_of(who), who == at_home
            found: list[Crawl] = [crawl(world, who, own_side=side, accounts=accounts) for world in (self.one, self.two)]
            self.figures.readers[who] += 1
            self.figures.reached += found[0].reached
            a, b = (sorted(each.answers) for each in found)
            self._require(f"the addresses that {who} finds", "\n".join(a).encode(), "\n".join(b).encode())
            for path, answer in found[0].answers.items():
                self._answers(f"{who} at {path}", answer, found[1].answers[path])
            if who == curious:
                self._foreign(who, side)

    def _received(self, plan: Plan) -> None:
        """Compare all that is stored for the observer, whether a page shows it or not."""
        received = [list(_kept_for(world, plan.observer)) for world in (self.one, self.two)]
        self._require("what is kept for him", *(repr([what for what, _ in each]).encode() for each in received))
        for (what, one), (_, two) in zip(*received, strict=True):
            self._require(f"what is kept for him: {what}", one, two)

    def _foreign(self, who: str, side: str) -> None:
        """Check that what a reader may not see looks like what does not exist."""
        with self.two.present():
            pairs = foreign_and_absent(side)
        for foreign, absent in pairs:
            if who == "other gm" and foreign.startswith("/c/elsewhere/"):
                continue
            paths = (foreign, absent)
            a, b = (without_its_address(self.two.ask(who, "GET", path), path) for path in paths)
            self._answers(f"{who} at {foreign}, which looks unlike {absent}", a, b)

    def _mails(self, plan: Plan) -> None:
        renumbered = any(act.name in BEFOREHAND for act in self.example.acts)
        for who in plan.watchers:
            mails = _mails_without_heads if renumbered and who == "other gm" else _mails_to
            found = [list(mails(world, who)) for world in (self.one, self.two)]
            self._require(f"the number of mails to {who}", *(str(len(each)).encode() for each in found))
            for nth, (a, b) in enumerate(zip(*found, strict=True), 1):
                self.figures.mails += 1
                self._require(f"mail {nth} to {who}", a, b)

    def _answers(self, where: str, one: Answer, two: Answer) -> None:
        self.figures.answers += 1
        if one.status >= 500 and not where.endswith(_HEALTH):
            raise Difference(f"{self.example.observer}: {where} is an error", one.body, b"")
        self._require(f"{where}: status", str(one.status).encode(), str(two.status).encode())
        self._require(f"{where}: body", one.body, two.body)
        self._require(f"{where}: headers", repr(one.headers).encode(), repr(two.headers).encode())
        self._require(f"{where}: cookies", one.cookies.encode(), two.cookies.encode())

    def _require(self, where: str, one: bytes, two: bytes) -> None:
        self.figures.size += len(one)
        if one != two:
            found = Difference(f"{self.example.observer}: {where}", one, two)
            self.figures.differing += found.size
            raise found


def _ended(world: World) -> Counter[str]:
    """How many phases have been locked and published, and how many publications undone."""
    with world.present():
        phases = Phase.objects.filter(campaign__slug=SLUG)
        locked, published = phases.filter(locked_at__isnull=False), phases.filter(published_at__isnull=False)
        withdrawn = published.filter(state=PhaseState.WITHDRAWN)
        return Counter({LOCKED: locked.count(), PUBLISHED: published.count(), WITHDRAWN: withdrawn.count()})


LOCKED, PUBLISHED, WITHDRAWN = "locked", "published", "withdrawn"
OTHER_ORDERS, OTHER_MOVES = "published after other orders", "published after other moves"


def _orders_of_others(world: World, observer: Audience) -> list[tuple[str, str, str]]:
    """The texts of the others' sheets in the phase published last."""
    with world.present():
        locked = LockedSheet.objects.filter(phase=_published_last()).exclude(side=observer)
        return list(locked.order_by("side", "desk").values_list("side", "desk", "sheet__text"))


def _moves_of_others(world: World, observer: Audience) -> dict[UnitId, tuple[object, object]]:
    """The others' units that moved in the phase published last, each with both places."""
    with world.present():
        phase = _published_last()
        rules, result = scenario_of(phase.campaign).rules, phase.resolution
        before = truth(phase)
        after = decode_state(rules, unpack(result.outcome.state_after), version=result.state_version)
        ways = {
            unit.id: (unit.at, after.own[side].units[unit.id].at)
            for side in SIDES
            for unit in before.own[side].units.values()
            if side != observer and unit.id in after.own[side].units
        }
        return {unit: way for unit, way in ways.items() if way[0] != way[1]}


def _published_last() -> Phase:
    return Phase.objects.filter(campaign__slug=SLUG, state=PhaseState.PUBLISHED).order_by("-no")[0]


_HEALTH = "at /readyz"
"""Its answer may say that no worker is running."""


def _kept_for(world: World, observer: Audience) -> Iterator[tuple[str, bytes]]:
    """What an audience received of each phase that was ever published, even if it was undone since, in order."""
    with world.present():
        published = Artefact.objects.filter(phase__campaign__slug=SLUG, phase__published_at__isnull=False)
        columns = ("phase__no", "phase__rev", "kind")
        rows = published.filter(audience=observer).order_by(*columns)
        for no, rev, kind, content in rows.values_list(*columns, "content"):
            yield f"{kind} of phase {no}.{rev}", bytes(content)


def _mails_to(world: World, who: str) -> Iterator[bytes]:
    """A person's mails in the outbox, and those that the mail server got, in order."""
    with world.present():
        rows = OutboxMessage.objects.filter(user__username=who).order_by("created_at", "pk")
        columns = ("subject", "kind", "to_addr", "state", "tries", "created_at", "sent_at", "message_id", "message")
        for row in rows.values_list(*columns):
            yield repr(row[:-1]).encode() + bytes(row[-1])
    address = f"{who.replace(' ', '.')}@example.org"
    yield from (sent.mail for sent in world.sent if sent.to == address)


def _mails_without_heads(world: World, who: str) -> Iterator[bytes]:
    """The same without the digests in the heads of the campaign's record; their entries' numbers stay.

    A digest covers the numbers of related rows, which M12 and M13 have changed. It reveals nothing about them: it also
    covers the sealed seeds of the campaign, which nobody can guess. It is sent to this person only.
    """
    with world.present():
        digests = list(AuditEntry.objects.filter(campaign__slug=ELSEWHERE).values_list("digest", flat=True))
    folded = "|".join("(?:=\r\n)?".join(digest) for digest in digests)  # lines of a mail may break inside it
    for mail in _mails_to(world, who):
        yield re.sub(folded.encode(), b"(a digest)", mail)


# --- examples --------------------------------------------------------------------------------------------------------

_STATES = ("M1", "M1", "M2", "M3", "M4", "M5", "M10", "M11")
_UNSEEN = ("M3", "M4", "M10", "M11")
"""Mutators that put no unit where it is sighted at the end of the phase."""
_ROWS = ("M12", "M13")
_LIVES = ("M6", "M7", "M8", "M9", "M14", "M15", "M16", "M17")
_ACTS = ("read", "check", "check", "draft", "send", "stale", "withdraw", "battle", "battle", "assign", "log in",
         "log out", "the others fight", "profile", "tick", "clock")  # fmt: skip
_MOST_MUTATORS = 8


def example(seed: int, bases: Sequence[str]) -> Example:
    """Example number `seed`: one to eight mutators, some before all steps, some between them."""
    chance = Random(f"example {seed}")
    observer = chance.choices(OBSERVERS, (4, 4, 2))[0]
    mutators = _chosen(chance)
    before = [name for name in mutators if name in (*_ROWS, *_STATES)]
    between = [name for name in mutators if name in _LIVES]
    before.sort(key=lambda name: name not in _ROWS)
    chosen = chance.sample(_ACTS, k=chance.randint(2, 5))
    middle = _mixed(chance, [*chosen], between)
    base = chance.choice(bases)
    if chance.random() < 0.5:
        if chance.random() < 0.75:  # the others' orders differ, and little else that would make the worlds differ
            before = [name for name in before if name in (*_ROWS, *_UNSEEN)]
            if chance.random() < 0.5:  # most units near the front are seen: move a hidden one elsewhere
                before.append("M2")
            middle += ["the others order", "M6", "M6"]
            base = chance.choice([name for name in bases if _others_act(name, observer)] or bases)
        end = ["lock", *(["M18"] if chance.random() < 0.6 else []), "adjudicate"]
        end += [*chance.choice([[], ["M9"], ["rule"]]), "publish", *chance.choice([[], [], [], ["reopen"]])]
        end += chance.sample(_ACTS, k=2)
        middle += end
    names = [*before, *middle]
    acts = tuple(Act(name, chance.randrange(10**6)) for name in names)
    return Example(base, observer, chance.randrange(10**6), acts)


def _others_act(base: str, observer: Audience) -> bool:
    """Whether somebody else submits orders in this phase, by its name."""
    phase = base.partition("-")[2]
    return phase == "air" or any(phase == f"{side}_sheet" for side in SIDES if side != observer)


def _chosen(chance: Random) -> list[str]:
    count = chance.randint(1, _MOST_MUTATORS)
    return chance.sample([*_STATES, *_ROWS, *_LIVES], k=count)


def _mixed(chance: Random, chosen: list[str], between: list[str]) -> list[str]:
    mixed = list(chosen)
    for name in between:
        mixed.insert(chance.randint(0, len(mixed)), name)
    return mixed


def shrunk(failing: Example, fails: Callable[[Example], bool]) -> Example:
    """The same example with as few acts as still fail."""
    acts, size = list(failing.acts), max(len(failing.acts) // 2, 1)
    while size:
        start = 0
        while start < len(acts):
            fewer = [*acts[:start], *acts[start + size :]]
            smaller = Example(failing.base, failing.observer, failing.seed, tuple(fewer))
            if fewer and fails(smaller):
                acts = fewer
            else:
                start += size
        size //= 2
    return Example(failing.base, failing.observer, failing.seed, tuple(acts))


def kept_examples() -> Iterator[Example]:
    for path in sorted(KEPT.glob("*.json")):
        yield Example.from_json(path.read_text(encoding="utf-8"))
