"""What the game master and the machinery do."""

from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

from campaign.core import clock
from campaign.engine.values.ids import GM, SideId
from campaign.mail import choices
from campaign.mail.delivery import send_due
from campaign.models import DeadlineKind, Membership, Phase, PhaseState, Role
from campaign.people import bots, memberships
from campaign.services import scenario_of
from campaign.viewers import COMMANDING, viewer_of
from gm.desk import deadlines, reopening
from gm.desk.corrections import Unwritten, try_out, write_rulings
from gm.machine.heartbeat import beat
from gm.machine.sweeper import sweep
from gm.phases import locking
from gm.phases.bots import write_due
from gm.phases.judging import answer, questions
from gm.phases.lifecycle import RulingRefused, approve
from gm.phases.rolls import announce, void
from gm.phases.rows import events_of
from orders.models import Channel, Sheet
from tests.secrecy.campaigns import SLUG, address, bot_sheet, live, person, truth
from tests.secrecy.chance import CHANCE
from tests.secrecy.steps.plan import HERE, Plan, read
from tests.secrecy.worlds import ANONYMOUS, Answer, World


def tick(world: World, plan: Plan, chance: Random) -> list[Answer]:
    with world.present():
        deliver()
    world.now += timedelta(minutes=chance.choice([1, 30, 300]))
    with world.present():
        CHANCE.of("tick", world.now)
        sweep(worker="secrecy")
    return [world.ask(ANONYMOUS, "GET", "/healthz"), *read(world, plan, chance)]


_SWEEPS = 10


def running(world: World) -> Phase | None:
    """The open phase, with a clock that runs: the GM resumes it if it is paused."""
    with world.present():
        phase = live()
        if phase is None or phase.state != PhaseState.OPEN:
            return None
        if phase.held:
            deadlines.resume(viewer_of(person("gm"), SLUG))
            phase.refresh_from_db()
    return phase


def deliver() -> None:
    """Send all mails in the present world: before time passes without a worker, as undelivered mails raise alerts."""
    for _ in range(_SWEEPS):
        send_due(clock.now())


def lock(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The deadline passes, the GM closes the phase, or its battles are decided; it is not resolved yet."""
    phase = running(world)
    if phase is None:
        return []
    with world.present():
        if GM in phase.acts:
            _decide_all(world, phase)
        deliver()
    if phase.deadline_kind == DeadlineKind.CLOSES and chance.random() < _CLOSED_BY_THE_GM:
        with world.present():
            deadlines.close(viewer_of(person("gm"), SLUG), reason="An evening.")
    else:
        world.now = max(world.now, phase.deadline_at) + timedelta(seconds=1)
    with world.present():
        CHANCE.of("lock", phase.no)
        assert beat("secrecy")
        locking.lock(phase.pk)
    return read(world, plan, chance)


_CLOSED_BY_THE_GM = 0.3


def _decide_all(world: World, phase: Phase) -> None:
    text = bot_sheet(scenario_of(phase.campaign), truth(phase), GM)
    form = {
        "stop": phase.no,
        "rev": phase.rev,
        "version": 0,
        "newest": 0,
        "act": "anyway",
        "text": text,
        "key": "decide",
    }
    world.ask("gm", "POST", f"{HERE}orders/HQ/", form)


def adjudicate(world: World, plan: Plan, chance: Random) -> list[Answer]:
    with world.present():
        deliver()
    world.now += timedelta(seconds=5)
    with world.present():
        CHANCE.of("adjudicate", world.now)
        sweep(worker="secrecy")
    return read(world, plan, chance)


def _in_review() -> Phase | None:
    """The phase whose draft waits for the GM."""
    phase = live()
    return phase if phase is not None and phase.state == PhaseState.REVIEW else None


def rule(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM makes a ruling that everybody will learn of."""
    with world.present():
        phase = _in_review()
        if phase is None:
            return []
        author = viewer_of(person("gm"), SLUG).person
        text = plan.game.ruling(chance)
        try:
            write_rulings(phase, fence=phase.fence, stage=phase.key, text=text, reason="A reason.", author=author)
        except (Unwritten, RulingRefused):
            return []
        CHANCE.of("rule", world.now)
        sweep(worker="secrecy")
    return read(world, plan, chance)


def roll(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM rolls dice for others, declares one of these rolls void, tries a ruling, and answers what others ask.

    Everybody learns how often they rolled, voided and tried.
    """
    with world.present():
        phase = _in_review()
        if phase is None:
            return []
        audience = chance.choice([each for each in (GM, *plan.game.sides) if each != plan.observer])
        author = viewer_of(person("gm"), SLUG).person
        draft: dict[str, Any] = {"fence": phase.fence}
        for purpose in ("a bridge", "a rumour"):
            announce(phase.pk, **draft, audience=audience, count=2, sides=6, purpose=purpose, author=author)
        rolled = phase.manual_rolls.filter(audience=audience).order_by("-number")[0]
        void(phase.pk, **draft, audience=audience, label=rolled.label, reason="The bridge is down.", author=author)
        with suppress(Unwritten, RulingRefused):
            try_out(phase, **draft, stage=phase.key, text=plan.game.ruling(chance), reason="A try.", author=author)
        for each in questions(phase, events_of(phase)):
            if each.audiences and plan.observer not in each.audiences:
                assert answer(phase.pk, **draft, key=each.key, text="It is as they say.", author=author)
    return read(world, plan, chance)


def publish(world: World, plan: Plan, chance: Random) -> list[Answer]:
    world.now += timedelta(minutes=10)
    with world.present():
        phase = live()
        CHANCE.of("publish", world.now)
        if phase is not None and phase.state == PhaseState.REVIEW:
            approve(phase.pk, fence=phase.fence)
        sweep(worker="secrecy")
    return read(world, plan, chance)


def publish_to_a_leaver(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """One of the others becomes a spectator while the mails of a publication wait: no mail is for them any more."""
    who = f"{plan.game.others(plan.observer)[0]} tactical"
    with world.present():
        phase = _in_review()
        if phase is None:
            return []
        CHANCE.of("publish", world.now)
        leaver = Membership.objects.get(campaign__slug=SLUG, user__username=who)
        leaver.mail_choices |= {choices.REPORTS: choices.When.NOW}  # for a digest no mail would wait
        leaver.save(update_fields=["mail_choices"])
        approve(phase.pk, fence=phase.fence)
        gm = viewer_of(person("gm"), SLUG)
        memberships.change_role(gm, leaver, role=Role.SPECTATOR, side="", now=world.now)
        before = len(world.sent)
        deliver()
    late = [sent.mail for sent in world.sent[before:] if sent.to == address(who)]
    return [*(Answer(200, (), "", mail) for mail in late), *read(world, plan, chance)]


def adjust(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM extends a deadline and pauses, or resumes."""
    with world.present():
        phase = live()
        viewer = viewer_of(person("gm"), SLUG)
        if phase is None:
            return []
        try:
            if phase.held:
                deadlines.resume(viewer)
            else:
                deadlines.extend(viewer, max(phase.deadline_at, world.now) + timedelta(days=3))
                deadlines.hold(viewer, reason="A pause.", until=None)
        except deadlines.Refused:
            return []
    return read(world, plan, chance)


def reopen(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM undoes the last publication, and orders are submitted again."""
    with world.present():
        deliver()
    world.now += timedelta(minutes=10)
    with world.present():
        CHANCE.of("reopen", world.now)
        try:
            reopening.reopen(viewer_of(person("gm"), SLUG), reason="a hex was wrong")
        except deadlines.Refused:
            return []
        sweep(worker="secrecy")
    return read(world, plan, chance)


def the_gm_assigns(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM gives a desk of the observer's side to another of its staff."""
    if not plan.playing:
        return []
    holder, (name, formation) = plan.player(chance.choice(["deputy", "staff"])), plan.game.desks[SideId(plan.observer)]
    form = {"name": name, "formations": [formation], "holder": holder}
    world.ask("gm", "POST", f"{HERE}people/desks/{plan.observer}/", form)
    pages = [(plan.player(), "people/"), (holder, f"orders/{name}/"), (plan.player("staff"), f"orders/{name}/")]
    return [world.ask(who, "GET", HERE + page) for who, page in pages]


def a_bot_plays(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A bot writes a sheet for the observer's side, or for another, while its commander and deputy are staff."""
    return _played_by_a_bot(world, plan, chance, plan.observer) if plan.playing else []


def a_bot_plays_the_others(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _played_by_a_bot(world, plan, chance, plan.game.others(plan.observer)[0])


def _played_by_a_bot(world: World, plan: Plan, chance: Random, side: str) -> list[Answer]:
    with world.present():
        phase = live()
        names = bots.names_of(phase.campaign) if phase else ()
        if phase is None or phase.state != PhaseState.OPEN or side not in phase.acts or not names:
            return []
        gm = viewer_of(person("gm"), SLUG)
        commanders = Membership.objects.filter(campaign=phase.campaign, side=side, role__in=COMMANDING, left_at=None)
        roles = [(member, member.role) for member in commanders.order_by("user__username")]
        CHANCE.of("bot", world.now)
        for member, _ in roles:
            memberships.change_role(gm, member, role=Role.STAFF, side=side, now=world.now)
        bots.seat(gm, side=side, name=names[0], now=world.now)
        write_due()
        written = Sheet.objects.filter(phase=phase, side=side, channel=Channel.BOT).exists()
    answers = [world.ask(ANONYMOUS, "GET", f"{HERE}public/"), *read(world, plan, chance)]
    if plan.playing:
        pages = ("people/", "orders/HQ/", f"orders/HQ/{phase.no}.{phase.rev}/1/")
        answers += [world.ask(plan.player("staff"), "GET", HERE + page) for page in pages]
    with world.present():
        for member, role in roles:
            memberships.change_role(gm, member, role=role, side=side, now=world.now)
    return answers if written or side != plan.observer else []  # whether others had sent a sheet differs by world
