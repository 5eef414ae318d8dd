"""What others do besides orders: enemies, the game master, readers' mail servers, other campaigns.

M7, M9 and M14 to M18."""

from random import Random
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPSenderRefused, SMTPServerDisconnected

from django.core.cache import cache
from django.db import connection

from campaign.core import clock
from campaign.engine.phases import Weight
from campaign.engine.values.ids import GM, SideId
from campaign.handling import handling_of
from campaign.mail.delivery import revive
from campaign.models import Battle, Desk, Membership, OutboxMessage, OutboxState, Phase, PhaseState, Role
from campaign.people import invitations
from campaign.people.accounts import new_person
from campaign.services import create_campaign, writers_of
from campaign.viewers import viewer_of
from gm.desk.corrections import Unwritten, write_rulings
from gm.machine.sweeper import attend
from gm.phases.judging import answer, questions
from gm.phases.lifecycle import RulingRefused, undo
from gm.phases.prefaces import save_preface
from gm.phases.rows import events_of
from tests.secrecy.campaigns import SLUG, address, campaign, game, live, person, tokens_of
from tests.secrecy.mutators.change import Change
from tests.secrecy.steps.plan import watchers_of
from tests.secrecy.truth import Truth
from tests.secrecy.worlds import household_of


def habits(change: Change) -> bool:
    """The enemy signs in, reads, fetches pictures, writes drafts, changes the time zone."""
    enemy, chance = change.enemy, change.chance
    tokens = tokens_of(enemy)
    second = f"{enemy} second staff"
    for who in (second, *chance.sample([f"{enemy} {name}" for name in ("commander", "deputy", "tactical")], k=1)):
        for path in chance.sample(
            ["", "stops/", "orders/", "battles/", "people/", "rules/", "links/", "dice/", "staff/"], k=2
        ):
            change.world.ask(who, "GET", f"/c/{SLUG}/{path}")
        for token in tokens:
            change.world.ask(who, "GET", f"/m/{token}.png")
        zone = chance.choice(["Europe/Berlin", "Asia/Tokyo", "America/New_York"])
        change.world.ask(who, "POST", "/profile/", {"time_zone": zone})
    phase = live()
    if phase is not None and enemy in writers_of(phase):
        form = {"stop": phase.no, "rev": phase.rev, "version": 0, "text": "NOTE a draft"}
        change.world.ask(f"{enemy} commander", "POST", f"/c/{SLUG}/orders/HQ/draft/", form)
    return True


def gm_at_work(change: Change) -> bool:
    """Write prefaces for others on a waiting draft, and make rulings that are not published.

    Reports say how many rulings there were, so most are undone: only then can the publication be compared.
    """
    phase = live()
    if phase is None or phase.state != PhaseState.REVIEW:
        return False
    for audience in (*change.foreign, GM):
        save_preface(phase.pk, audience, f"For {audience} alone: {change.chance.random()}")
    _answer_others(change, phase)
    truth = Truth.read(change.observer)
    if truth is not None:
        hidden = truth.game.hidden(truth, SideId(change.enemy))
        lines = [line for unit in hidden if (line := truth.game.correction(unit, change.chance))]
        author = viewer_of(person("gm"), SLUG).person
        for text in lines[:1]:
            try:
                write_rulings(
                    phase, fence=phase.fence, stage=phase.key, text=text, reason="A secret reason.", author=author
                )
            except (Unwritten, RulingRefused):
                continue
            attend(phase.pk, worker="m9")
            phase.refresh_from_db()
            if change.chance.random() < 0.75 and phase.state == PhaseState.REVIEW:
                _undo(phase)
    return True


def _answer_others(change: Change, phase: Phase) -> None:
    """Judge what others have asked; of open matters everybody reads."""
    author = viewer_of(person("gm"), SLUG).person
    for each in questions(phase, events_of(phase)):
        if each.audiences and change.observer not in each.audiences:
            text = f"For {each.audiences} alone: {change.chance.random()}"
            assert answer(phase.pk, fence=phase.fence, key=each.key, text=text, author=author)


def _undo(phase: Phase) -> None:
    phase.refresh_from_db()
    seq = phase.rulings.filter(taken_back_at=None).order_by("-seq").values_list("seq", flat=True)[0]
    assert undo(phase.pk, fence=phase.fence, seq=seq)
    attend(phase.pk, worker="m9")


def _refusal(chance: Random, reader: str) -> SMTPException:
    no = {reader: (550, b"no such mailbox")}
    large = SMTPSenderRefused(552, b"too large", "fieldpost@example.org")
    return chance.choice([SMTPRecipientsRefused(no), large, SMTPDataError(554, b"no"), SMTPServerDisconnected("gone")])


def bounces(change: Change) -> bool:
    """The enemy's mails bounce, the GM retries some, and somebody fails to sign in as one of the enemy."""
    for side in change.foreign:
        names = [f"{side} {name}" for name in ("commander", "deputy", "staff", "tactical")]
        change.world.refused |= {address(name): _refusal(change.chance, address(name)) for name in names}
        dead = OutboxMessage.objects.filter(campaign__slug=SLUG, user__username__in=names)
        dead.update(state=OutboxState.DEAD, tries=9, trouble="550 no", refused=True)
        for pk in dead.order_by("key").values_list("pk", flat=True):
            if change.chance.random() < 0.3:
                revive(campaign(), pk)
        visitor = f"visitor {side}"
        change.world.browsers[visitor] = change.world.stranger(visitor)
        for _ in range(2):
            change.world.ask(visitor, "POST", "/account/login/", {"login": address(names[0])})
            change.world.ask(visitor, "POST", "/account/login/code/confirm/", {"code": "ABC-DEF"})
    return True


def other_campaigns(change: Change) -> bool:
    name = f"another-{change.chance.randint(1, 9999)}"
    founder = new_person(name, email=address(name))
    made = create_campaign(slug=name, title="Another", scenario=game().scenario, founder=founder)
    member = new_person(f"{name} player", email=address(f"{name} player"))
    side = game().sides[0]
    Membership.objects.create(campaign=made, user=member, role=Role.COMMANDER, side=side, joined_at=clock.now())
    attend(made.phases.get().pk, worker="m15")
    return True


def caches(change: Change) -> bool:
    """Empty Django's cache, or let others fill it."""
    if change.chance.random() < 0.5:
        _empty_cache(change)
    else:
        cache.set(f"warm-{change.chance.random()}", 1)
        for who in [f"{change.enemy} commander", "gm"]:
            change.world.ask(who, "GET", f"/c/{SLUG}/")
            change.world.ask(who, "GET", f"/c/{SLUG}/stops/0/map.png")
    return True


def _empty_cache(change: Change) -> None:
    """Empty it, but for the counts of those who know at most what the observer knows.

    Tries are counted by the network that they come from. Without theirs a limit would be reached in one world only.
    """
    watchers = watchers_of(game(), change.observer)
    browsers = [who for who in change.world.browsers if who.partition(",")[0] in watchers]
    theirs = tuple(f":{household_of(who)}" for who in (*watchers, *browsers))
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        gone = [[key] for (key,) in cursor.fetchall() if not ("allauth:rl:" in key and key.endswith(theirs))]
        cursor.executemany("DELETE FROM cache WHERE cache_key = %s", gone)


def more_players(change: Change) -> bool:
    """Change invitations, former members, and the enemy's desks and tactical players. The roster itself is public."""
    chance, viewer = change.chance, viewer_of(person("gm"), SLUG)
    for side in map(SideId, change.foreign):
        for number in range(chance.randint(1, 3)):
            invitations.invite(viewer, role=Role.STAFF, side=side, meant_for=f"friend {number}", now=clock.now())
            name = f"{side} gone {chance.randint(1, 10**9)}"
            user = new_person(name, email=address(name))
            Membership.objects.create(
                campaign=viewer.campaign,
                user=user,
                role=Role.STAFF,
                side=side,
                knows=side,
                joined_at=clock.now(),
                left_at=clock.now(),
            )
        _assign_desk(change, side)
        Desk.objects.filter(campaign=viewer.campaign, side=side).update(formations=["nothing"], holder=None)
        tactical = Membership.objects.get(campaign=viewer.campaign, user__username=f"{side} tactical")
        waiting = Battle.objects.filter(phase__campaign=viewer.campaign, phase__state=PhaseState.OPEN, state="open")
        waiting.filter(attacker=side, defending_player=None).update(attacking_player=tactical)
        waiting.filter(defender=side, attacking_player=None).update(defending_player=tactical)
    return True


def _assign_desk(change: Change, side: SideId) -> None:
    """Somebody else of a side gets its desk, from its commander."""
    (name, formation), holder = game().desks[side], change.chance.choice(["deputy", "commander"])
    form = {"name": name, "formations": [formation], "holder": f"{side} {holder}"}
    change.world.ask(f"{side} commander", "POST", f"/c/{SLUG}/people/desks/{side}/", form)


def rolled_already(_change: Change) -> bool:
    """Resolve the locked phase, so that it waits for the GM; if it is published instead, `mutate` undoes that."""
    phase = live()
    if phase is None or phase.state != PhaseState.LOCKED:
        return False
    if not handling_of(phase.campaign, Weight(phase.weight)).reviewed:
        return False
    attend(phase.pk, worker="m18")  # and no mail leaves earlier than in the other world
    phase.refresh_from_db()
    return phase.state == PhaseState.REVIEW
