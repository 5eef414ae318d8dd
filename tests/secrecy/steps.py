"""What people and the machinery do, the same in both worlds. Each step returns the answers to the watchers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Any

from campaign.engine.orders.order import Path
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId
from campaign.game.loading import Loaded
from campaign.mail.delivery import send_due
from campaign.models import Battle, Phase, PhaseState, User
from campaign.people.memberships import entrance_link
from campaign.services import scenario_of
from campaign.viewers import viewer_of
from gm.desk.corrections import Unwritten, write_rulings
from gm.desk.deadlines import Refused, extend, hold, resume
from gm.desk.reopening import reopen
from gm.machine.heartbeat import beat
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import RulingRefused, approve
from gm.phases.locking import lock
from gm.phases.rolls import announce, void
from orders.battle_reading import mark_of
from orders.models import Sheet
from tests.secrecy.campaigns import SLUG, STRANGERS, bot_sheet, leavers, live, truth
from tests.secrecy.chance import CHANCE
from tests.secrecy.games.game import Game
from tests.secrecy.worlds import ANONYMOUS, Answer, World

HERE = f"/c/{SLUG}/"


@dataclass(frozen=True)
class Plan:
    """What an observer knows and plans to do, the same in both worlds."""

    game: Game
    observer: Audience
    no: int
    """The phase at which it begins."""
    loaded: Loaded
    known: Any
    """The player's state at the beginning."""
    ways: Sequence[tuple[Any, Path]]
    sheets: Mapping[SideId, str]
    """The sheets of the others who act in this phase, the same in both worlds."""

    @property
    def playing(self) -> bool:
        return self.observer != PUBLIC

    @property
    def watchers(self) -> tuple[str, ...]:
        """Everybody who may know at most what the observer knows."""
        return watchers_of(self.game, self.observer)

    def side_of(self, watcher: str) -> str:
        """The side that a watcher is on now."""
        return self.observer if watcher.startswith(f"{self.observer} ") and watcher not in leavers(self.game) else ""

    def player(self, name: str = "commander") -> str:
        return f"{self.observer} {name}"

    @property
    def desk(self) -> str:
        """The name of a desk of the observer's side."""
        return self.game.desks[SideId(self.observer)][0]

    def lines(self, chance: Random) -> str:
        """A sheet: the planned paths, and other orders worth asking about."""
        return self.game.lines(self.ways, self.loaded.scenario.game_data.board.places, chance)


def watchers_of(game: Game, observer: Audience) -> tuple[str, ...]:
    outside = ("spectator", ANONYMOUS, *STRANGERS)
    if observer == PUBLIC:
        return (*leavers(game), *outside)
    return (*(f"{observer} {name}" for name in ("commander", "deputy", "staff", "tactical", "leaver")), *outside)


Step = Callable[[World, Plan, Random], list[Answer]]


# --- people ----------------------------------------------------------------------------------------------------------

_READ = ("", "stops/", "orders/", "orders/HQ/", "battles/", "people/", "rules/", "public/", "public/stops/")


def _read(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return [world.ask(chance.choice(plan.watchers), "GET", HERE + chance.choice(_READ)) for _ in range(4)]


def _log_in(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Sign in by a one-time link."""
    who = chance.choice([each for each in plan.watchers if each != ANONYMOUS])
    with world.present():
        CHANCE.of("link", who)
        query = entrance_link(User.objects.get(username=who)).partition("?")[2]
    world.browsers[who] = world.stranger(who)
    world.ask(who, "GET", f"/enter/?{query}")  # the link itself is private
    return [world.ask(who, "POST", "/enter/", {"sesame": query.partition("=")[2]}), world.ask(who, "GET", "/")]


def _log_out(world: World, plan: Plan, chance: Random) -> list[Answer]:
    who = chance.choice([each for each in plan.watchers if each != ANONYMOUS])
    answers = [world.ask(who, "POST", "/account/logout/", {})]
    del world.browsers[who]
    return answers


def _profile(world: World, plan: Plan, chance: Random) -> list[Answer]:
    who = chance.choice([each for each in plan.watchers if each != ANONYMOUS])
    zone = chance.choice(["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
    return [world.ask(who, "POST", "/profile/", {"time_zone": zone}), world.ask(who, "GET", "/profile/")]


def _check(world: World, plan: Plan, chance: Random) -> list[Answer]:
    if not plan.playing:
        return []
    desk = chance.choice(["HQ", plan.desk])
    who = plan.player("commander" if desk == "HQ" else "staff")
    return [world.ask(who, "POST", f"{HERE}orders/{desk}/check/", {"text": plan.lines(chance)}) for _ in range(2)]


def _draft(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _write(world, plan, chance, "draft") + _read_sheet(world, plan)


def _send(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _write(world, plan, chance, "send") + _read_sheet(world, plan)


def _ready(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _write(world, plan, chance, "ready") + _read_sheet(world, plan)


def _withdraw(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _write(world, plan, chance, "withdraw") + _read_sheet(world, plan)


def _stale(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Submit from an outdated page, twice with the same key."""
    return [each for _ in range(2) for each in _write(world, plan, Random("stale"), "send", behind=1)] or [
        world.ask(chance.choice(plan.watchers), "GET", HERE)
    ]


def _write(world: World, plan: Plan, chance: Random, act: str, *, behind: int = 0) -> list[Answer]:
    if not plan.playing:
        return []
    desk = chance.choice(["HQ", "HQ", plan.desk])
    who = plan.player("staff") if desk != "HQ" else plan.player(chance.choice(["commander", "deputy"]))
    with world.present():
        phase = live()
        if phase is None:
            return []
        newest = Sheet.objects.filter(phase=phase, side=plan.observer, desk=desk).count()
    form = {
        "stop": phase.no,
        "rev": phase.rev,
        "version": max(newest - behind, 0),
        "newest": newest,
        "act": act,
        "text": plan.lines(chance),
        "key": f"{act} {newest} {chance.random()}",
    }
    answer = world.ask(who, "POST", f"{HERE}orders/{desk}/", form)
    moved = [world.ask(who, "GET", answer.header("Location"))] if answer.status == 302 else []
    return [answer, *moved]


def _read_sheet(world: World, plan: Plan) -> list[Answer]:
    return [world.ask(plan.player(), "GET", f"{HERE}orders/HQ/")] if plan.playing else []


def _battle(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The players of a battle check, report, answer, dispute."""
    return _of_a_battle(world, plan, chance, chance.choice(["check", "report", "confirm", "dispute"]))


def _assign(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A commander names who fights a battle. The enemy learns it as soon as both have named somebody."""
    return _of_a_battle(world, plan, chance, "assign")


def _of_a_battle(world: World, plan: Plan, chance: Random, act: str) -> list[Answer]:
    with world.present():
        waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN).order_by("key")
        found = [(each.key, each.phase.no, each.phase.rev, mark_of(each)) for each in waiting]
        phase = live()
    if not found or not plan.playing or phase is None:
        return []
    key, no, rev, seen = chance.choice(found)
    with world.present():
        text = plan.game.report(truth(phase), key, chance)
    form = {"stop": no, "rev": rev, "seen": seen, "act": act, "key": f"{act} {chance.random()}",
            "text": text, "reply": "", "link": "",
            "statement": "We were not there.", "player": plan.player("tactical")}  # fmt: skip
    rest = "check/" if act == "check" else ""
    return [
        world.ask(plan.player(), "POST", f"{HERE}battles/{key}/{rest}", form),
        world.ask(plan.player(chance.choice(["commander", "staff"])), "GET", f"{HERE}battles/{key}/"),
        world.ask(plan.player(), "GET", f"{HERE}battles/"),
    ]


def _the_others_fight(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The other side reports a battle, in the same words in both worlds."""
    if not plan.playing:
        return []
    enemy = plan.game.others(plan.observer)[0]
    _battle(world, replace(plan, observer=Audience(enemy)), chance)
    return [world.ask(plan.player(), "GET", f"{HERE}battles/")]


def _the_others_order(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The other sides submit their sheets, the same in both worlds; another may follow in the second."""
    with world.present():
        phase = live()
        if phase is None or phase.no != plan.no or phase.state != PhaseState.OPEN:
            return []
        newest = {side: Sheet.objects.filter(phase=phase, side=side, desk="HQ").count() for side in plan.sheets}
    for side, text in plan.sheets.items():
        form = {"stop": phase.no, "rev": phase.rev, "version": newest[side], "newest": newest[side], "act": "send"}
        world.ask(f"{side} commander", "POST", f"{HERE}orders/HQ/", {**form, "text": text, "key": f"{chance.random()}"})
    return _read(world, plan, chance)


# --- the machinery and the GM ----------------------------------------------------------------------------------------


def _tick(world: World, plan: Plan, chance: Random) -> list[Answer]:
    world.now += timedelta(minutes=chance.choice([1, 30, 300]))
    with world.present():
        CHANCE.of("tick", world.now)
        sweep(worker="secrecy")
    return [world.ask(ANONYMOUS, "GET", "/healthz"), *_read(world, plan, chance)]


_SWEEPS = 10
"""How often mails are delivered before a deadline of days passes, as undelivered mails raise alerts."""


def _lock(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The deadline passes, or the battles are decided; the phase is not resolved yet."""
    with world.present():
        phase = live()
        if phase is None or phase.state != PhaseState.OPEN:
            return []
        if GM in phase.acts:
            _decide_all(world, phase)
        for _ in range(_SWEEPS):
            send_due(world.now)
    world.now = max(world.now, phase.deadline_at) + timedelta(seconds=1)
    with world.present():
        CHANCE.of("lock", phase.no)
        assert beat("secrecy")
        assert lock(phase.pk) or phase.held, phase.key
    return _read(world, plan, chance)


def _decide_all(world: World, phase: Phase) -> None:
    text = bot_sheet(scenario_of(phase.campaign), truth(phase), GM)
    form = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "act": "send", "text": text, "key": "decide"}
    world.ask("gm", "POST", f"{HERE}orders/HQ/", form)


def _adjudicate(world: World, plan: Plan, chance: Random) -> list[Answer]:
    world.now += timedelta(seconds=5)
    with world.present():
        CHANCE.of("adjudicate", world.now)
        sweep(worker="secrecy")
    return _read(world, plan, chance)


def _rule(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM makes a ruling that everybody will learn of."""
    with world.present():
        phase = live()
        if phase is None or phase.state != PhaseState.REVIEW:
            return []
        author = viewer_of(User.objects.get(username="gm"), SLUG).person
        text = plan.game.ruling(chance)
        try:
            write_rulings(phase, fence=phase.fence, stage=phase.key, text=text, reason="A reason.", author=author)
        except (Unwritten, RulingRefused):
            return []
        CHANCE.of("rule", world.now)
        sweep(worker="secrecy")
    return _read(world, plan, chance)


def _roll(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM rolls dice for others and declares one of these rolls void. Everybody learns how often they did."""
    with world.present():
        phase = live()
        if phase is None or phase.state != PhaseState.REVIEW:
            return []
        audience = chance.choice([each for each in (GM, *plan.game.sides) if each != plan.observer])
        author, draft = viewer_of(User.objects.get(username="gm"), SLUG).person, {"fence": phase.fence}
        for purpose in ("a bridge", "a rumour"):
            announce(phase.pk, **draft, audience=audience, count=2, sides=6, purpose=purpose, author=author)
        rolled = phase.manual_rolls.filter(audience=audience).order_by("-number")[0]
        void(phase.pk, **draft, audience=audience, label=rolled.label, reason="The bridge is down.", author=author)
    return _read(world, plan, chance)


def _publish(world: World, plan: Plan, chance: Random) -> list[Answer]:
    world.now += timedelta(minutes=10)
    with world.present():
        phase = live()
        CHANCE.of("publish", world.now)
        if phase is not None and phase.state == PhaseState.REVIEW:
            approve(phase.pk, fence=phase.fence)
        sweep(worker="secrecy")
    return _read(world, plan, chance)


def _clock(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM pauses, resumes, extends."""
    with world.present():
        phase = live()
        viewer = viewer_of(User.objects.get(username="gm"), SLUG)
        if phase is None:
            return []
        try:
            if phase.held:
                resume(viewer)
            elif chance.random() < 0.5:
                hold(viewer, reason="A pause.", until=None)
            else:
                extend(viewer, world.now + timedelta(days=3))
        except Refused:
            return []
    return _read(world, plan, chance)


def _reopen(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM undoes the last publication, and orders are submitted again."""
    world.now += timedelta(minutes=10)
    with world.present():
        CHANCE.of("reopen", world.now)
        try:
            reopen(viewer_of(User.objects.get(username="gm"), SLUG), reason="a hex was wrong")
        except Refused:
            return []
        sweep(worker="secrecy")
    return _read(world, plan, chance)


STEPS: Mapping[str, Step] = {
    "read": _read,
    "log in": _log_in,
    "log out": _log_out,
    "profile": _profile,
    "check": _check,
    "draft": _draft,
    "send": _send,
    "ready": _ready,
    "stale": _stale,
    "withdraw": _withdraw,
    "battle": _battle,
    "assign": _assign,
    "the others fight": _the_others_fight,
    "the others order": _the_others_order,
    "tick": _tick,
    "lock": _lock,
    "adjudicate": _adjudicate,
    "rule": _rule,
    "roll": _roll,
    "publish": _publish,
    "reopen": _reopen,
    "clock": _clock,
}


def known_side(observer: Audience) -> SideId | None:
    return None if observer == PUBLIC else SideId(observer)
