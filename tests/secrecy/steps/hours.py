"""Hours at which the product acts by itself, or no longer allows something: time passes them.

An hour is named like the constant, the setting or the column that declares it.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from random import Random
from smtplib import SMTPRecipientsRefused
from unittest import mock

from django.test import override_settings

from campaign import links
from campaign.mail import delivery
from campaign.mail.choices import EVENING
from campaign.mail.secret_addresses import address_with
from campaign.models import (
    Battle,
    BattleState,
    Campaign,
    DeadlineKind,
    OutboxMessage,
    OutboxState,
    Phase,
    PhaseState,
    User,
)
from campaign.people.entrances import entrance_link
from campaign.people.invitations import INVITATION_LASTS
from campaign.people.sessions import LINGERS, part_changed
from campaign.viewers import viewer_of
from deploy import settings
from gm.desk import deadlines
from gm.machine import heartbeat
from gm.machine.health_alerts import LATE_LOCK, LATE_MAIL
from gm.machine.sweeper import TIDY_EVERY, sweep
from gm.phases.lifecycle import LEASE, claim
from incoming import returned
from incoming.models import ReturnedMail, ReturnState
from incoming.receiving import take
from tests.incoming.returns import report
from tests.secrecy.campaigns import SLUG, address, live, person, tokens_of
from tests.secrecy.chance import CHANCE, OUTAGE
from tests.secrecy.steps import battles, machinery, people
from tests.secrecy.steps.plan import HERE, Plan, Step, read
from tests.secrecy.worlds import ANONYMOUS, Answer, World

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
_HEALTH = ("/healthz", "/readyz")


def reminders(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Those who have sent nothing are reminded, some hours before the deadline."""
    phase = machinery.running(world)
    if phase is None:
        return []
    with world.present():
        at = phase.deadline_at - timedelta(hours=phase.campaign.reminder_hours)
    if not max(world.now, phase.opens_at) < at < phase.deadline_at:
        return []
    return _past(world, plan, chance, at)


def acceptance(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Nobody answers a reported result of a battle."""
    if machinery.running(world) is None or not (
        battles.reported(world) or battles.of_a_battle(world, plan, chance, "report")
    ):
        return []
    reported = battles.reported(world)
    if reported is None or reported.accepts_at is None:
        return []
    answers = _past(world, plan, chance, reported.accepts_at)
    with world.present():
        assert Battle.objects.get(pk=reported.pk).state == BattleState.ACCEPTED
    return answers


def deadline(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The deadline passes, and no worker comes for some minutes."""
    phase = machinery.running(world)
    if phase is None or phase.deadline_kind != DeadlineKind.CLOSES or phase.deadline_at <= world.now:
        return []
    with world.present():
        machinery.deliver()
    answers = _swept(world, plan, chance, phase.deadline_at - SECOND)
    world.now = phase.deadline_at + max(LATE_LOCK, heartbeat.SILENCE) + SECOND
    answers += [world.ask(ANONYMOUS, "GET", page) for page in _HEALTH]
    return answers + _swept(world, plan, chance, world.now)


def worker_dies(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A worker claims a locked phase and dies; another takes over when its time is up."""
    answers = machinery.lock(world, plan, chance)
    with world.present():
        phase = live()
        if phase is None or not answers or claim(phase.pk, worker="dead") is None:
            return []
        elsewhere = Phase.objects.exclude(campaign=phase.campaign_id).filter(state=PhaseState.OPEN, held=False)
        waiting = list(elsewhere.values_list("pk", flat=True))
        elsewhere.update(held=True)  # the site's health is that of all campaigns, and this step is about one
    world.now += 2 * LEASE + SECOND
    answers.append(world.ask(ANONYMOUS, "GET", "/healthz"))
    with world.present():
        Phase.objects.filter(pk__in=waiting).update(held=False)
    answers += _swept(world, plan, chance, world.now)
    with world.present():
        assert Phase.objects.get(pk=phase.pk).state in (PhaseState.REVIEW, PhaseState.PUBLISHED)
    return answers


_AWAY = 12


def gm_is_away(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A draft publishes itself, unless something in it is for the GM to look at.

    So a note or a fault in others' sheets delays it, as the setting says. Nobody writes any before this step.
    """
    with world.present():
        phase, here = live(), Campaign.objects.filter(slug=SLUG)
        if phase is None or phase.state != PhaseState.REVIEW:
            return []
        before = here.values_list("absent_hours", flat=True)[0]
        here.update(absent_hours=_AWAY)
    answers = _past(world, plan, chance, world.now + _AWAY * HOUR + MINUTE)
    with world.present():
        here.update(absent_hours=before)
        published = Phase.objects.get(pk=phase.pk).state == PhaseState.PUBLISHED
    return answers if published else []


def pause_ends(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The clock stands until a day that the GM has named."""
    phase, until = machinery.running(world), world.now + 6 * HOUR
    if phase is None:
        return []
    with world.present():
        try:
            deadlines.hold(viewer_of(person("gm"), SLUG), reason="A holiday.", until=until)
        except deadlines.Refused:
            return []
    answers = _past(world, plan, chance, until)
    with world.present():
        assert not Phase.objects.get(pk=phase.pk).held
    return answers


def evening(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The hour of the digests comes, and what waits is gathered."""
    if machinery.running(world) is None:
        return []
    midnight = world.now.replace(hour=0, minute=0, second=0, microsecond=0)
    at = midnight + EVENING * HOUR
    at += timedelta(days=int(at <= world.now))
    answers = _past(world, plan, chance, at)
    with world.present():
        own = OutboxMessage.objects.filter(audience=plan.observer, kind="digest", created_at__gte=at)
        return answers if own.exists() or not plan.playing else []


def outage(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """All workers are silent until shortly before a deadline, which moves."""
    phase = machinery.running(world)
    if phase is None or not phase.no or phase.deadline_at <= world.now:
        return []
    with world.present():
        sweep(worker="secrecy")
        machinery.deliver()
        phase.refresh_from_db()
    if phase.state != PhaseState.OPEN:  # all were ready, or all battles had results
        return []
    world.now = max(world.now + OUTAGE + MINUTE, phase.deadline_at - heartbeat.TOUCHED / 2)
    answers = [world.ask(ANONYMOUS, "GET", page) for page in _HEALTH]
    with mock.patch.object(heartbeat, "OUTAGE", OUTAGE):
        answers += _swept(world, plan, chance, world.now)
    with world.present():
        assert Phase.objects.get(pk=phase.pk).deadline_at > phase.deadline_at
    return answers


# --- months in which a campaign is paused ----------------------------------------------------------------------------

_ONE_TIME = timedelta(seconds=settings.SESAME_MAX_AGE)
_HOPS = (
    max(heartbeat.SILENCE, returned.LEASE, timedelta(seconds=LINGERS), 2 * delivery.FIRST_PAUSE),
    delivery.LEASE,
    max(LATE_MAIL, timedelta(seconds=settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)),
    max(TIDY_EVERY, delivery.LONGEST_PAUSE),
    max(heartbeat.FORGOTTEN, _ONE_TIME),
    delivery.GIVE_UP,
    INVITATION_LASTS,
    max(delivery.KEPT, delivery.REPORTED_WITHIN),
    timedelta(seconds=settings.SESSION_COOKIE_AGE),
    links.KEPT,
)
"""What passes one after the other."""
_OLD_KEY, _ASKS, _ASKS_AGAIN = "{}, old key", "{}, asks for a code", "{}, asks again"
"""Other browsers of a watcher."""
_Look = tuple[str, str, timedelta]
"""Who looks where, from which hop on."""


def months(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A campaign is paused for so long that all that was kept for a time is gone."""
    with world.present():
        phase, viewer = live(), viewer_of(person("gm"), SLUG)
        if phase is None or phase.state != PhaseState.OPEN:
            return []
        try:
            if not phase.held:
                deadlines.hold(viewer, reason="A summer.", until=None)
        except deadlines.Refused:
            return []
        sweep(worker="secrecy")
        machinery.deliver()
    unlucky, lucky = (plan.player(), plan.player("staff")) if plan.playing else ("outsider", "spectator")
    no_mailbox = {address(unlucky): (550, b"no such mailbox")}
    world.refused[address(unlucky)] = SMTPRecipientsRefused(no_mailbox)
    _write_mails(world, unlucky, lucky)
    comes_back = _mail_comes_back(world, lucky)
    looks = list(_what_lasts(world, plan, lucky, chance))
    answers = [answer for hop in _HOPS for answer in _hop(world, hop, looks, lucky)]
    answers.append(_report(world, comes_back))
    assert answers[-1].status == 404, "nobody reports any more what became of that mail"
    with world.present():
        assert ReturnedMail.objects.filter(about__user__username=lucky, state=ReturnState.LOST).exists()
        assert OutboxMessage.objects.filter(user__username=unlucky, state=OutboxState.DEAD).exists()
        deadlines.resume(viewer)
    del world.refused[address(unlucky)]
    world.browsers.clear()  # nobody is signed in any more
    return answers


def _hop(world: World, hop: timedelta, looks: Sequence[_Look], lucky: str) -> Iterator[Answer]:
    world.now += hop + MINUTE
    if hop <= LATE_MAIL:
        yield from (world.ask(ANONYMOUS, "GET", page) for page in _HEALTH)
    with world.present():
        CHANCE.of("hop", world.now)
        sweep(worker="secrecy")
        machinery.deliver()  # refused mails are tried last, and a batch may end before them
    if hop == delivery.LEASE:
        _ask_for_a_code(world, _ASKS_AGAIN.format(lucky), lucky)  # which is late at the next hop
    yield from (world.ask(who, "GET", page) for who, page, lasts in looks if hop >= lasts)


def _write_mails(world: World, unlucky: str, lucky: str) -> None:
    """Codes by mail: the server refuses one reader's, and the worker that sends the other's dies."""
    world.now += MINUTE  # as many codes as are allowed in one may have been asked for
    for who in (unlucky, lucky):
        _ask_for_a_code(world, _ASKS.format(who), who)
    with world.present():
        mail = OutboxMessage.objects.get(user__username=lucky, state=OutboxState.WAITING)
        assert delivery._claim(mail.pk)


def _mail_comes_back(world: World, lucky: str) -> str:
    """A server reports of the reader's newest mail, and the worker that reads that dies; the return path."""
    with world.present(), override_settings(**_TAKES_MAIL):
        mail = OutboxMessage.objects.filter(user__username=lucky).latest("created_at", "pk")
        path = address_with(mail.return_token)
    assert _report(world, path).status == 200
    with world.present():
        assert returned._claim(ReturnedMail.objects.get(about=mail, state=ReturnState.RECEIVED).pk)
    return path


def _report(world: World, path: str) -> Answer:
    """Whether a report to this return path is taken, as a browser would be told."""
    with world.present(), override_settings(**_TAKES_MAIL):
        taken = take(report("Postfix", path, number=int(world.now.timestamp())), [path], from_nobody=True)
    return Answer(200 if taken else 404, (), "", b"")


_TAKES_MAIL = {"MAIL_IN": "smtp", "MAIL_IN_DOMAIN": "orders.example.org"}


def _ask_for_a_code(world: World, browser: str, who: str) -> None:
    world.browsers[browser] = world.stranger(browser)
    world.ask(browser, "POST", "/account/login/", {"login": address(who)})


def _what_lasts(world: World, plan: Plan, lucky: str, chance: Random) -> Iterator[_Look]:
    """What lasts for a time: a session and its replaced key, links, a code, visits of a picture."""
    world.ask(lucky, "GET", "/profile/")
    old_key = _OLD_KEY.format(lucky)
    before = world.stranger(old_key)
    before.cookies = deepcopy(world.browsers[lucky].cookies)
    world.browsers[old_key] = before
    with world.present():
        user = User.objects.get(username=lucky)
        part_changed(user.pk)
        CHANCE.of("one-time link", lucky)
        query = entrance_link(user).partition("?")[2]
        tokens = tokens_of(plan.observer) if plan.playing else []
    world.ask(lucky, "GET", "/profile/")  # which replaces the key
    at_once = timedelta()
    yield from ((who, "/profile/", at_once) for who in (lucky, old_key))
    yield _ASKS.format(lucky), "/account/login/code/confirm/", at_once
    yield ANONYMOUS, f"/invitation/{people.invited(world, chance)}/", at_once
    yield ANONYMOUS, f"/enter/?{query}", _ONE_TIME  # until then the page shows the link, which is its owner's
    for token in tokens[:1]:
        world.ask(plan.player("deputy"), "GET", f"/m/{token}.png")
        yield plan.player(), f"{HERE}links/", at_once


def quarter_of_an_hour(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A worker is alive until mail that waits is overdue: only then does the health page say so."""
    until = world.now + LATE_MAIL + 2 * MINUTE
    while world.now < until:
        world.now += heartbeat.SILENCE
        with world.present():
            CHANCE.of("minute", world.now)
            sweep(worker="secrecy")
            machinery.deliver()
    return [*(world.ask(ANONYMOUS, "GET", page) for page in _HEALTH), *read(world, plan, chance)]


# --- shared by all hours ---------------------------------------------------------------------------------------------


def _past(world: World, plan: Plan, chance: Random, at: datetime) -> list[Answer]:
    """Read just before a moment and just after it."""
    return [answer for moment in (at - SECOND, at + SECOND) for answer in _swept(world, plan, chance, moment)]


def _swept(world: World, plan: Plan, chance: Random, at: datetime) -> list[Answer]:
    world.now = max(world.now, at)
    with world.present():
        CHANCE.of("hour", world.now)
        sweep(worker="secrecy")
        machinery.deliver()
    return read(world, plan, chance)


HOURS: Mapping[str, tuple[Step, Sequence[str]]] = {
    "reminders": (reminders, ("campaign.models.Campaign.reminder_hours",)),
    "acceptance": (acceptance, ("campaign.models.Campaign.battle_hours",)),
    "deadline": (
        deadline,
        ("campaign.models.PhaseSettings.hours", "gm.machine.health_alerts.LATE_LOCK", "gm.machine.heartbeat.SILENCE"),
    ),
    "a worker dies": (
        worker_dies,
        ("gm.phases.lifecycle.LEASE", "deploy.settings.LEASE_SECONDS", "campaign.models.Phase.lease_until"),
    ),
    "the GM is away": (gm_is_away, ("campaign.models.Campaign.absent_hours",)),
    "a pause ends": (pause_ends, ("campaign.models.Phase.held_until",)),
    "an outage": (outage, ("gm.machine.heartbeat.OUTAGE", "gm.machine.heartbeat.TOUCHED")),
    "a quarter of an hour": (quarter_of_an_hour, ("gm.machine.health_alerts.LATE_MAIL",)),
    "an evening": (
        evening,
        (
            "campaign.mail.choices.EVENING",
            "campaign.mail.choices.WINDOW",
            "campaign.models.MailNews.leaves_at",
        ),
    ),
    "months": (
        months,
        (
            "campaign.links.KEPT",
            "campaign.mail.delivery.FIRST_PAUSE",
            "campaign.mail.delivery.GIVE_UP",
            "campaign.mail.delivery.KEPT",
            "campaign.mail.delivery.LEASE",
            "campaign.mail.delivery.LONGEST_PAUSE",
            "campaign.mail.delivery.REPORTED_WITHIN",
            "campaign.models.OutboxMessage.lease_until",
            "campaign.people.invitations.INVITATION_LASTS",
            "campaign.people.sessions.LINGERS",
            "campaign.people.throttles.DAY",
            "campaign.people.throttles.HOUR",
            "campaign.people.throttles.MINUTE",
            "deploy.settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT",
            "deploy.settings.SESAME_MAX_AGE",
            "deploy.settings.SESSION_COOKIE_AGE",
            "gm.machine.heartbeat.FORGOTTEN",
            "gm.machine.sweeper.TIDY_EVERY",
            "incoming.returned.LEASE",
        ),
    ),
}
"""By name: a step, and the hours that pass in it."""


def step(name: str) -> Step:
    """The step, which counts its hours if they passed."""
    act, declared = HOURS[name]

    def counted(world: World, plan: Plan, chance: Random) -> list[Answer]:
        answers = act(world, plan, chance)
        plan.reached.update(declared if answers else ())
        return answers

    return counted
