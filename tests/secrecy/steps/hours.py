"""Hours at which the product acts by itself, or no longer allows something: time passes them.

An hour is named like the constant, the setting or the column that declares it.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random
from unittest import mock

from campaign.mail.choices import EVENING
from campaign.models import Battle, BattleState, Campaign, DeadlineKind, OutboxMessage, Phase, PhaseState
from campaign.viewers import viewer_of
from gm.desk import deadlines
from gm.machine import heartbeat
from gm.machine.health_alerts import LATE_LOCK, LATE_MAIL
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import LEASE, claim
from tests.secrecy.campaigns import SLUG, live, person
from tests.secrecy.chance import CHANCE, OUTAGE
from tests.secrecy.steps import battles, later, machinery, months
from tests.secrecy.steps.passing import HEALTH, HOUR, MINUTE, SECOND, past, swept
from tests.secrecy.steps.plan import Plan, Step, read
from tests.secrecy.worlds import ANONYMOUS, Answer, World


def reminders(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Those who have sent nothing are reminded, some hours before the deadline."""
    phase = machinery.running(world)
    if phase is None:
        return []
    with world.present():
        at = phase.deadline_at - timedelta(hours=phase.campaign.reminder_hours)
    if not max(world.now, phase.opens_at) < at < phase.deadline_at:
        return []
    return past(world, plan, chance, at)


def acceptance(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Nobody answers a reported result of a battle."""
    if machinery.running(world) is None or not (
        battles.reported(world) or battles.of_a_battle(world, plan, chance, "report")
    ):
        return []
    reported = battles.reported(world)
    if reported is None or reported.accepts_at is None:
        return []
    answers = past(world, plan, chance, reported.accepts_at)
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
    answers = swept(world, plan, chance, phase.deadline_at - SECOND)
    world.now = phase.deadline_at + max(LATE_LOCK, heartbeat.SILENCE) + SECOND
    answers += [world.ask(ANONYMOUS, "GET", page) for page in HEALTH]
    return answers + swept(world, plan, chance, world.now)


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
    answers += swept(world, plan, chance, world.now)
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
    answers = past(world, plan, chance, world.now + _AWAY * HOUR + MINUTE)
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
    answers = past(world, plan, chance, until)
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
    answers = past(world, plan, chance, at)
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
    answers = [world.ask(ANONYMOUS, "GET", page) for page in HEALTH]
    with mock.patch.object(heartbeat, "OUTAGE", OUTAGE):
        answers += swept(world, plan, chance, world.now)
    with world.present():
        assert Phase.objects.get(pk=phase.pk).deadline_at > phase.deadline_at
    return answers


def quarter_of_an_hour(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A worker is alive until mail that waits is overdue: only then does the health page say so."""
    until = world.now + LATE_MAIL + 2 * MINUTE
    while world.now < until:
        world.now += heartbeat.SILENCE
        with world.present():
            CHANCE.of("minute", world.now)
            sweep(worker="secrecy")
            machinery.deliver()
    return [*(world.ask(ANONYMOUS, "GET", page) for page in HEALTH), *read(world, plan, chance)]


HOURS: Mapping[str, tuple[Step, Sequence[str]]] = {
    "reminders": (reminders, ("campaign.models.Campaign.reminder_hours",)),
    "acceptance": (acceptance, ("campaign.models.Campaign.battle_hours", "campaign.models.Battle.accepts_at")),
    "deadline": (
        deadline,
        (
            "campaign.models.PhaseSettings.hours",
            "campaign.models.Phase.deadline_at",
            "gm.machine.health_alerts.LATE_LOCK",
            "gm.machine.heartbeat.SILENCE",
        ),
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
    "approve and wait": (later.approve_and_wait, ("gm.models.Approval.publishes_at",)),
    "ready and wait": (later.ready_and_wait, ("orders.models.Sheet.ready_at",)),
    "an invitation opens": (later.an_invitation_opens, ("campaign.models.Invitation.opens_at",)),
    "an absence ends": (
        later.an_absence_ends,
        ("campaign.models.Absence.starts_at", "campaign.models.Absence.ends_at"),
    ),
    "a bot stands in": (later.a_bot_stands_in, ("gm.phases.bots.LAST_HOUR",)),
    "a token ends": (later.a_token_ends, ("api.tokens.LASTS", "api.models.ApiToken.expiry")),
    "a time to play": (later.a_time_to_play_comes, ("campaign.models.PlayingTime.begins_at",)),
    "many mails": (later.many_mails, ("incoming.noting.ANSWERS_IN", "incoming.noting.MOST_ANSWERS")),
    "months": (
        months.months,
        (
            "campaign.links.KEPT",
            "campaign.mail.delivery.FIRST_PAUSE",
            "campaign.mail.delivery.GIVE_UP",
            "campaign.mail.delivery.KEPT",
            "campaign.mail.delivery.LEASE",
            "campaign.mail.delivery.LONGEST_PAUSE",
            "campaign.mail.delivery.REPORTED_WITHIN",
            "campaign.models.Invitation.expires_at",
            "campaign.models.OutboxMessage.lease_until",
            "campaign.models.OutboxMessage.next_at",
            "campaign.models.Tries.until",
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
            "incoming.models.ReturnedMail.lease_until",
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
