"""What takes effect later than it is done, or lasts for a time: somebody does it, and time passes that moment."""

from datetime import datetime
from random import Random
from unittest import mock

from knox.crypto import hash_token

from api import tokens
from api.models import Scope
from campaign.core import clock
from campaign.fighting import meeting_of
from campaign.models import Invitation, Membership, Phase, PhaseState, Role
from campaign.people import absences, bots, invitations
from campaign.people.absences import Booking
from campaign.people.accounts import new_person
from campaign.viewers import COMMANDING, viewer_of
from gm.models import Approval
from gm.phases.bots import LAST_HOUR
from incoming import noting
from incoming.models import Answering, ReceivedMail
from orders.battles import meetings
from orders.battles.reporting import Which
from orders.models import HQ, Channel, Sheet
from tests.secrecy.campaigns import SLUG, address, live, person
from tests.secrecy.chance import CHANCE
from tests.secrecy.mutators.thinking import time_to_think
from tests.secrecy.steps import battles, machinery, mailed
from tests.secrecy.steps.passing import HOUR, MINUTE, SECOND, past, swept
from tests.secrecy.steps.plan import API, HERE, Plan, read
from tests.secrecy.worlds import ANONYMOUS, Answer, World

# --- what can be cancelled for a while, and is not -------------------------------------------------------------------


def approve_and_wait(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM approves the draft and does not think again: a worker publishes it when that time is over."""
    with world.present():
        phase = live()
    if phase is None or phase.state != PhaseState.REVIEW:
        return []
    form = {"seen": f"{phase.no}.{phase.rev}.{phase.fence}", "act": "approve"}
    with world.present(), time_to_think():
        assert world.ask("gm", "POST", f"{HERE}desk/draft/", form).status == 302
        at = Approval.objects.get(phase=phase).publishes_at
    answers = [*read(world, plan, chance), *swept(world, plan, chance, at - SECOND)]
    assert _state_of(world, phase) == PhaseState.REVIEW
    answers += swept(world, plan, chance, at)
    assert _state_of(world, phase) == PhaseState.PUBLISHED
    return answers


def _state_of(world: World, phase: Phase) -> str:
    with world.present():
        return Phase.objects.get(pk=phase.pk).state


def ready_and_wait(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The observer's commander is READY for the side and does not think again. The phase may close then."""
    phase = machinery.running(world)
    if phase is None or not plan.playing or plan.observer not in phase.acts:
        return []
    with world.present():
        sent = Sheet.objects.filter(phase=phase, side=plan.observer, desk=HQ)
        newest = sent.count()
    form = {"stop": phase.no, "rev": phase.rev, "version": newest, "act": "anyway", "for_side": "1"}
    form |= {"text": f"{plan.lines(chance)}\nREADY\n", "key": f"ready later {newest}"}
    who, page = plan.player(), f"{HERE}orders/{HQ}/"
    with world.present(), time_to_think():
        answers = [world.ask(who, "POST", page, form)]
        at = sent.order_by("-version").values_list("ready_at", flat=True).first() if sent.count() > newest else None
    if at is None:
        return []
    for moment in (at - SECOND, at):
        answers += [*swept(world, plan, chance, moment), world.ask(who, "GET", page), world.ask(who, "GET", "/")]
        assert moment == at or at > phase.deadline_at or _state_of(world, phase) == PhaseState.OPEN
    return answers


def an_invitation_opens(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM mails somebody an invitation and does not cancel it; they join when its link works."""
    who = f"newcomer {chance.randrange(10**6)}"
    with world.present(), time_to_think():
        CHANCE.of("an invitation", who)
        new_person(who, email=address(who))
        gm = viewer_of(person("gm"), SLUG)
        token = invitations.invite(
            gm, role=Role.SPECTATOR, side="", meant_for="a friend", address=address(who), now=world.now
        )
        at = Invitation.objects.filter(campaign__slug=SLUG).latest("pk").opens_at
        assert at is not None
    answers, path = list[Answer](), f"/invitation/{token}/"
    other, before = plan.someone(chance), len(world.sent)
    for moment in (at - SECOND, at):
        answers += swept(world, plan, chance, moment)
        answers += [world.ask(each, "GET", path) for each in (ANONYMOUS, other, who)]
        assert any(sent.to == address(who) for sent in world.sent[before:]) == (moment == at)
    answers.append(world.ask(who, "POST", path, {}))
    assert answers[-1].status == 302
    return [*answers, world.ask(other, "GET", f"{HERE}people/")]


# --- what lasts for a time -------------------------------------------------------------------------------------------


def an_absence_ends(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The commander is away from one hour to another, and their side's staff stands in."""
    begins, ends = world.now + HOUR, world.now + 2 * HOUR
    if not plan.playing or not _is_open_until(world, ends):
        return []
    who, deputy = plan.player(), plan.player("staff")
    with world.present():
        viewer = viewer_of(person(who), SLUG)
        booking = Booking(since=begins, until=ends, deputy=deputy, why=f"A reason {chance.random()}")
        absences.book(viewer, viewer.member, booking, now=world.now)
    pages = [(deputy, "orders/HQ/"), *((each, page) for each in (who, "spectator") for page in ("people/", ""))]
    answers = list[Answer]()
    for moment in (begins - SECOND, begins, ends - SECOND, ends):
        answers += swept(world, plan, chance, moment)
        answers += [world.ask(each, "GET", HERE + page) for each, page in pages]
    return answers


def a_bot_stands_in(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """All who command the observer's side are away, and their deputy, a bot, writes its sheet in the last hour."""
    phase = machinery.running(world)
    if phase is None or not plan.playing or plan.observer not in phase.acts:
        return []
    at = phase.deadline_at - LAST_HOUR
    with world.present():
        sent, names = Sheet.objects.filter(phase=phase, side=plan.observer, desk=HQ), bots.names_of(phase.campaign)
        if not names or sent.exists() or not max(world.now, phase.opens_at) < at - SECOND:
            return []
        gm = viewer_of(person("gm"), SLUG)
        commanders = Membership.objects.filter(
            campaign=phase.campaign, side=plan.observer, role__in=COMMANDING, left_at=None
        )
        for member in commanders.order_by("user__username"):
            absences.book(gm, member, Booking(until=phase.deadline_at), now=world.now)
        bots.seat(gm, side=plan.observer, name=names[0], role=Role.DEPUTY, now=world.now)
    answers = list[Answer]()
    for moment in (at - SECOND, at):
        answers += swept(world, plan, chance, moment)
        answers += [world.ask(plan.player("staff"), "GET", HERE + page) for page in ("people/", "orders/HQ/")]
        with world.present():
            assert sent.filter(channel=Channel.BOT).exists() == (moment == at)
    with world.present():
        bots.unseat(gm, side=plan.observer, now=world.now)
        for member in commanders:
            absences.end(gm, member, now=world.now)
    return answers


def a_token_ends(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A program reads by a token until that ends: here after an hour, since a real one lasts longer than a test can."""
    who, token = plan.player() if plan.playing else "spectator", f"{chance.getrandbits(256):064x}"
    with (
        world.present(),
        mock.patch.object(tokens, "LASTS", HOUR),
        mock.patch.object(tokens, "get_digest_token", return_value=(hash_token(token), token)),
    ):
        tokens.make_token(viewer_of(person(who), SLUG), label="A program", scopes=[Scope.READ])
        at = clock.now() + HOUR
    answers, bearer = list[Answer](), f"Bearer {token}"
    for moment, status in ((at - SECOND, 200), (at, 401)):
        answers += swept(world, plan, chance, moment)
        asked = [world.ask(who, "GET", path, json=True, Authorization=bearer) for path in (API, f"{API}state/")]
        assert [each.status for each in asked] == [status] * 2
        answers += [*asked, world.ask(who, "GET", "/profile/tokens/")]
    return answers


def a_time_to_play_comes(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The players of a battle agree on a time, which passes."""
    at = (world.now + HOUR).replace(second=0, microsecond=0)
    battle = battles.one_to_play(world, chance) if plan.playing and _is_open_until(world, at + MINUTE) else None
    if battle is None:
        return []
    own, other = battles.players_of(world, plan, battle)
    which = Which(battle.phase.no, battle.phase.rev, battle.key)
    with world.present():
        viewers = [viewer_of(person(who), SLUG) for who in (own, other)]
        CHANCE.of("a time to play", battle.key)
        meetings.propose(viewers[1], which, [at], seen=meeting_of(viewers[1], battle).mark)
        meetings.accept(viewers[0], which, meeting_of(viewers[0], battle).proposed[0].mark)
    answers = list[Answer]()
    for moment in (at - SECOND, at):
        answers += swept(world, plan, chance, moment)
        pages = ("battles/", f"battles/{battle.key}/", "calendar/", "")
        answers += [
            world.ask(who, "GET", HERE + page) for who in (own, plan.player("staff"), "spectator") for page in pages
        ]
    return answers


def _is_open_until(world: World, at: datetime) -> bool:
    """Whether the open phase has a clock that runs, and its deadline is later."""
    phase = machinery.running(world)
    return phase is not None and max(world.now, phase.opens_at) < at < phase.deadline_at


# --- answers to many mails -------------------------------------------------------------------------------------------


def many_mails(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A player mails more than they get answers to, one here: a summary says what became of the rest an hour later."""
    if not plan.playing:
        return []
    who, before = plan.player("deputy"), len(world.sent)
    with world.present(), mock.patch.object(noting, "MOST_ANSWERS", 1):  # the world first, as it has other values
        told = [each for _ in range(3) for each in mailed.from_player(world, who, "Good luck!", chance)]
    with world.present():
        gathered = ReceivedMail.objects.filter(answering=Answering.GATHERED, address__member__user__username=who)
        first = gathered.order_by("handled_at").values_list("handled_at", flat=True).first()
        assert first is not None
    answers = [*told, *past(world, plan, chance, first + noting.ANSWERS_IN)]
    with world.present():
        assert not gathered.exists()
    return [*answers, *(Answer(200, (), "", sent.mail) for sent in world.sent[before:] if sent.to == address(who))]
