"""Two worlds that one audience cannot distinguish, compared step by step in every byte that it receives."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, SideId, UnitId
from campaign.game.store import decode_state, unpack
from campaign.models import Phase, PhaseState
from campaign.services import scenario_of, writers_of
from orders.models import LockedSheet
from tests.secrecy.asking import first, foreign
from tests.secrecy.asking.crawler import Crawl, Lot, crawl
from tests.secrecy.asking.limits import shared
from tests.secrecy.asking.order import Order, order_of
from tests.secrecy.campaigns import ELSEWHERE, SLUG, Base, bot_sheet, game, live, truth
from tests.secrecy.digests import blanked
from tests.secrecy.examples import Act, Example, sure_examples, turn_of
from tests.secrecy.figures import Figures
from tests.secrecy.games.game import Position
from tests.secrecy.knowledge import alike, known_to, overtold, parting
from tests.secrecy.mutators import BEFOREHAND, MUTATORS, mutate
from tests.secrecy.mutators.change import Change
from tests.secrecy.received import (
    A_CALL,
    A_POST,
    A_REQUEST,
    answers_without_heads,
    kept_for,
    mails_to,
    mails_without_heads,
)
from tests.secrecy.steps import STEPS
from tests.secrecy.steps.limits import LIMITS
from tests.secrecy.steps.plan import Plan, known_side
from tests.secrecy.worlds import Answer, World
from tests.trust.memory.remembered import forget_constants


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


Readers = Callable[[Plan, Example], Mapping[str, Lot | None]]
"""Chooses the readers who read in the end, from those who know at most what the observer knows.

Each comes with the lot by which they read a part, or with None if they read everything.
"""


def everybody(plan: Plan, _example: Example) -> Mapping[str, None]:
    return dict.fromkeys(plan.watchers)


_SHARE = 1 / 2
"""How much of the pages a reader reads in an example; the next one chosen has others."""
_SHARE_IN_SURE, _FOREIGN_IN_SURE = 1 / 12, 1 / 3
_SURE_PAGES = ("/dice/", "/log/", "/orders/", "/questions/", "/map/", r"/(?:stops/\d+|statistics)/$")
"""The same in sure examples, whose readers always read these pages."""


def in_turn(plan: Plan, example: Example) -> Mapping[str, Lot]:
    """One of them, who reads by lot: in turn one of the observer's side, if they have one, and one outside it."""
    own = [who for who in plan.watchers if plan.side_of(who)]
    outside = [who for who in plan.watchers if who not in own]
    rounds, of_them = divmod(turn_of(example, plan.game), 2)
    here = outside if of_them or not own else own
    who = here[rounds % len(here)]
    lot = Lot(f"{example.seed} {who}", _SHARE)
    if example in sure_examples():
        lot = replace(lot, share=_SHARE_IN_SURE, share_of_foreign=_FOREIGN_IN_SURE, sure=_SURE_PAGES)
    return {who: lot}


def compare(example: Example, bases: Mapping[str, Base], figures: Figures, *, readers: Readers = everybody) -> None:
    """Play an example in both worlds, and let these readers read; raises Difference."""
    one, two = (World.restored(name, bases[example.base].snapshot) for name in ("one", "two"))
    try:
        with blanked(example.observer):
            order = order_of(example.seed)
            two.keeps = order is Order.NOTHING_EMPTIED
            _Pair(example, bases[example.base].opening, one, two, figures, readers, order).play()
    finally:
        one.close()
        two.close()


Rows = Sequence[tuple[str, bytes]]
"""By name: rows that nothing hidden may change."""


@dataclass(frozen=True)
class _Told:
    """What is told in a world."""

    known: bytes
    """What the observer may know, and another world may have otherwise."""
    alike: Rows


@dataclass
class _Pair:
    example: Example
    opening: str
    one: World
    two: World
    figures: Figures
    readers: Readers
    order: Order

    def play(self) -> None:
        plan = plan_of(self.one, self.example.observer, self.example.seed)
        plan = replace(plan, left_out=_who_knows_more(self.example))
        self.figures.orders[self.order.value] += 1
        if not self._act(plan):
            self.figures.discarded += 1
            return
        self._received(plan)
        self._mails(plan)
        self._crawl(plan)
        self._limits(plan)
        self.figures.examples += 1
        self.figures.campaigns[self.opening] += 1

    def _act(self, plan: Plan) -> bool:
        """Do everything in order until the worlds part; False if mutators changed nothing, or what may be known."""
        told, changed, begun = self._told(self.one, "at first"), 0, False
        for number, act in enumerate(self.example.acts):
            if act.name in MUTATORS:
                if act.name in BEFOREHAND and self.two.browsers:
                    continue
                changed += self._mutate(act, plan)
                if known_to(self.two, plan.observer) != told.known:
                    return False
                self._alike(f"after {act.name}", told.alike, alike(self.two, plan.observer))
                continue
            if not begun and self.order is Order.NOTHING_EMPTIED:
                first.be_seen_elsewhere(self.one)
                first.ask_all_first(self.two, plan.observer, Random(self.example.seed))
            begun = True
            after = self._both(f"step {number}, {act.name}", act, plan)
            if after is None:
                break
            told = after
        return bool(changed)

    def _both(self, where: str, act: Act, plan: Plan) -> _Told | None:
        """Take a step in both worlds; what is told in them then, or None if they part and go back to before it."""
        before = [world.way_back() for world in (self.one, self.two)]
        ended = _ended(self.one)
        plan.reached.clear()
        answers, told = list[list[Answer]](), list[_Told]()
        for world in (self.one, self.two):
            answers.append(STEPS[act.name](world, plan, Random(act.seed)))
            told.append(self._told(world, where))
        one, two = told
        if one.known != two.known:
            self._explain(where, one, two)
            for go_back in before:
                go_back()
            return None
        self._alike(where, one.alike, two.alike)
        self._compare(where, *answers)
        self.figures.steps[act.name] += bool(answers[0])
        self.figures.limits.update(name for name in plan.reached if name in LIMITS)
        self.figures.hours.update(name for name in plan.reached if name not in LIMITS)
        self.figures.done += self._done(ended)
        return one

    def _told(self, world: World, where: str) -> _Told:
        """What the observer may know of a world, of which it has told and kept nothing more and nothing less."""
        for gap in overtold(world, self.example.observer):
            may, does = repr(gap.allowed).encode(), repr(gap.found).encode()
            raise Difference(f"{where}, world {world.name}: {gap}", may, does)
        return _Told(known_to(world, self.example.observer), alike(world, self.example.observer))

    def _explain(self, where: str, one: _Told, two: _Told) -> None:
        """The worlds have parted: name the facts by which they may, of which there must be one."""
        why = parting(self.one, self.two, self.example.observer)
        if why.refused or not why.named:
            by = f" by {', '.join(map('.'.join, why.refused))}" if why.refused else ""
            raise Difference(f"{self.example.observer}: {where}, worlds that must not part{by}", one.known, two.known)
        self.figures.parted += 1
        self.figures.explained.update(map(".".join, why.named))

    def _alike(self, where: str, one: Rows, two: Rows) -> None:
        """Compare when phases open, close and are published, who acts, and all rows that nothing hidden may change."""
        for (name, a), (_, b) in zip(one, two, strict=True):
            self._require(f"{where}: {name}", a, b)

    def _mutate(self, act: Act, plan: Plan) -> bool:
        ways = [way for _, way in plan.ways]
        change = Change(self.two, plan.observer, Random(act.seed), ways, self.figures.placements)
        done = mutate(act.name, change, act.seed)
        self.figures.mutators[act.name] += done
        return done

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
        at_home, curious = chance.choice([*readers]), chance.choice([*readers])
        for who, lot in readers.items():
            side = plan.side_of(who)
            found = list(self._crawls(partial(crawl, who=who, own_side=side, accounts=who == at_home, lot=lot)))
            self.figures.readers[who] += 1
            self.figures.reached += found[0].reached
            self.figures.looked_for += found[0].looked_for
            self.figures.given += found[0].given
            self.figures.sure += found[0].sure
            a, b = (sorted(each.answers) for each in found)
            self._require(f"the addresses that {who} finds", "\n".join(a).encode(), "\n".join(b).encode())
            worlds = zip((self.one, self.two), found, strict=True)
            one, two = (answers_without_heads(world, who, each) for world, each in worlds)
            for path, answer in one.items():
                self._answers(f"{who} at {path}", answer, two[path])
            if who == curious:
                self._foreign(who, side, lot)

    def _crawls(self, read: Callable[[World], Crawl]) -> Iterator[Crawl]:
        """What a reader gets in each world; in the second, others have asked for the same before.

        Then whatever is remembered at all is made anew in each world, for whoever asks first.
        """
        if self.order.others_first:
            first.be_seen_elsewhere(self.one)
            forget_constants()
        found = read(self.one)
        yield found
        if self.order.others_first:
            forget_constants()
            first.ask_first(self.two, self.example.observer, found.answers, Random(self.example.seed))
        yield read(self.two)

    def _received(self, plan: Plan) -> None:
        """Compare all that is stored for the observer, whether a page shows it or not."""
        received = [list(kept_for(world, plan.observer)) for world in (self.one, self.two)]
        self._require("what is kept for them", *(repr([what for what, _ in each]).encode() for each in received))
        for (what, one), (_, two) in zip(*received, strict=True):
            self._require(f"what is kept for them: {what}", one, two)
        self.figures.posted.update(what for what, _ in received[0] if what in (A_POST, A_CALL, A_REQUEST))

    def _foreign(self, who: str, side: str, lot: Lot | None) -> None:
        """Check that what a reader may not see looks like what does not exist; pages by lot, if there is one."""
        seed = lot.seed if lot else self.example.seed  # tests have one seed, and a lot for each of their readers
        with self.two.present():
            requests = list(foreign.requests(who, side, Random(seed)))
        for method, (theirs, nobodys) in requests:
            if lot and method == foreign.GET and not lot.asks_for_foreign(theirs.path):
                continue
            if who == "other gm" and theirs.path.startswith((f"/c/{ELSEWHERE}/", f"/api/v1/campaigns/{ELSEWHERE}/")):
                continue
            a, b = (foreign.ask(self.two, who, method, each) for each in (theirs, nobodys))
            self.figures.methods[method] += 1
            self._answers(f"{who}: {method} {theirs}, which looks unlike {nobodys}", a, b)

    def _limits(self, plan: Plan) -> None:
        """Nobody uses up what watchers may do."""
        for world in (self.one, self.two):
            together = repr(shared(world, plan.watchers)).encode()
            self._require(f"limits that count watchers together with others in world {world.name}", b"[]", together)

    def _mails(self, plan: Plan) -> None:
        one, two = ({who: _mails_to(world, who) for who in plan.watchers} for world in (self.one, self.two))
        for who in plan.watchers:
            self._require(f"the number of mails to {who}", *(str(len(each[who])).encode() for each in (one, two)))
            for nth, (a, b) in enumerate(zip(one[who], two[who], strict=True), 1):
                self.figures.mails += 1
                self._require(f"mail {nth} to {who}", a, b)

    def _answers(self, where: str, one: Answer, two: Answer) -> None:
        self.figures.answers += 1
        if one.status >= 500 and not one.is_health:
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


def _who_knows_more(example: Example) -> Sequence[str]:
    """Those of the observer's side who are not compared: commanders know who has offered a draw (M35)."""
    return [f"{example.observer} commander"] if any(act.name == "M35" for act in example.acts) else []


def plan_of(world: World, observer: Audience, seed: int) -> Plan:
    """What an observer knows and plans in the open phase of a world, with the sheets of the others."""
    with world.present():
        phase = live()
        assert phase is not None
        here, state, loaded = game(), truth(phase), scenario_of(phase.campaign)
        side = known_side(observer) or here.sides[0]
        ways = here.ways(loaded, state, side, Random(seed))
        others = [SideId(each) for each in writers_of(phase) if each not in (observer, GM)]
        sheets = {each: here.by_id(bot_sheet(loaded, state, each), state.own[each]) for each in others}
        return Plan(here, observer, phase.no, loaded, state_known_to(state, observer), ways, sheets)


def _mails_to(world: World, who: str) -> list[bytes]:
    return list((mails_without_heads if who == "other gm" else mails_to)(world, who))


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
        result, loaded = phase.resolution, scenario_of(phase.campaign)
        after = decode_state(loaded.rules, unpack(result.outcome.state_after), version=result.state_version)
        then, now = (_places_of(Position(game(), loaded, state, observer)) for state in (truth(phase), after))
        return {unit: (then[unit], now[unit]) for unit in then if unit in now and then[unit] != now[unit]}


def _places_of(position: Position) -> dict[UnitId, object]:
    """The places of the units that are not the observer's."""
    return {unit.id: unit.at for side in position.foreign for unit in position.units(side).values()}


def _published_last() -> Phase:
    return Phase.objects.filter(campaign__slug=SLUG, state=PhaseState.PUBLISHED).order_by("-no")[0]
