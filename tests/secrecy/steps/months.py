"""Months in which a campaign is paused: all that is kept for a time is gone in the end."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import timedelta
from random import Random
from smtplib import SMTPRecipientsRefused

from django.test import override_settings

from campaign import links
from campaign.mail import delivery
from campaign.mail.secret_addresses import address_with
from campaign.models import OutboxMessage, OutboxState, PhaseState, User
from campaign.people.entrances import entrance_link
from campaign.people.invitations import INVITATION_LASTS
from campaign.people.sessions import LINGERS, part_changed
from campaign.viewers import viewer_of
from deploy import settings
from gm.desk import deadlines
from gm.machine import heartbeat
from gm.machine.health_alerts import LATE_MAIL
from gm.machine.sweeper import TIDY_EVERY, sweep
from incoming import returned
from incoming.models import ReturnedMail, ReturnState
from incoming.receiving import take
from tests.incoming.returns import report
from tests.secrecy.campaigns import SLUG, address, live, person, tokens_of
from tests.secrecy.chance import CHANCE
from tests.secrecy.steps import machinery, people
from tests.secrecy.steps.passing import HEALTH, MINUTE
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import ANONYMOUS, Answer, World

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
        yield from (world.ask(ANONYMOUS, "GET", page) for page in HEALTH)
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
