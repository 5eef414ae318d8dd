"""Battles that are fought outside: their players report, confirm and dispute, their commanders name players.

An act begins with the phase's row and an UPDATE that names the state it expects; the number of rows it changed
decides. What a report says is judged by what its writer's side knows.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404

from campaign import audit, clock
from campaign.engine.briefs import Brief
from campaign.engine.ids import GM, PhaseKey
from campaign.engine.notation import format_order, parse
from campaign.engine.orders import Checked, Order, Placed, Problem, Ready, Severity, Understood
from campaign.engine.ruleset import Outside
from campaign.failpoints import fp
from campaign.models import Battle, BattleReport, BattleState, Membership, Phase, PhaseState, Statement
from campaign.outbox import post
from campaign.seats import COMMANDING, PLAYING, Seat
from campaign.selectors import Knowledge, knowledge
from campaign.services import scenario_of
from orders.battle_mail import brief_letter
from orders.intake import KeyReused, NotYours, TooLate, storable

LONGEST_STATEMENT = 10_000
_LONGEST_LINK = 200
_is_link = URLValidator(schemes=["http", "https"])


class Answered(Exception):
    """The battle is not any more in the state in which this can be done; nothing was stored."""


class Unusable(Exception):
    """What was written cannot be taken; the message says why. Nothing was stored."""


@dataclass(frozen=True)
class Read:
    """A report as read: what it says, in lines that mean the same to everybody, and the answer to it."""

    lines: str
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]

    @property
    def faulty(self) -> int:
        return sum(problem.severity is Severity.ERROR for problem in self.problems)


class Faulty(Exception):
    """A report that cannot stand as it is. Nothing was stored."""

    def __init__(self, read: Read) -> None:
        super().__init__(f"{read.faulty} lines cannot stand")
        self.read = read


# --- reading ---------------------------------------------------------------------------------------------------------


def battles_of(seat: Seat) -> QuerySet[Battle]:
    """The battles of the stop that is live; Http404 for who neither plays nor leads."""
    if not (seat.plays or seat.is_gm):
        raise Http404
    live = Battle.objects.filter(phase__campaign=seat.campaign).exclude(
        phase__state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]
    )
    live = live.select_related("phase", "attacking_player__user", "defending_player__user")
    return live.defer("phase__state_before").order_by("key")


def battle_of(seat: Seat, key: str) -> Battle:
    """One of them; Http404 if there is no such battle."""
    found = battles_of(seat).filter(key=key).first()
    if found is None:
        raise Http404
    return found


def brief_of(seat: Seat, key: str) -> Brief:
    """What the viewer's audience may know of a battle."""
    known = knowledge(seat)
    return outside(known).brief(known.loaded.scenario.theatre, known.slice, seat.audience, key)


def player_of(battle: Battle, side: str) -> Membership | None:
    """Who was named to fight a battle for a side, if he is still there."""
    named = battle.attacking_player if side == battle.attacker else battle.defending_player
    return named if named is not None and named.left_at is None and named.side == side else None


def fights(seat: Seat, battle: Battle) -> bool:
    """Whether the viewer reports and answers for his side: as its player, or its commander if it has none."""
    if seat.side not in (battle.attacker, battle.defender):
        return False
    player = player_of(battle, seat.side)
    return seat.commands if player is None else player.pk == seat.member.pk


def reads_report(seat: Seat, battle: Battle) -> bool:
    """Whether the viewer may read what was reported: the players, the commanders of both sides, the GM."""
    return seat.is_gm or seat.role in COMMANDING or fights(seat, battle)


def read_report(seat: Seat, key: str, text: str) -> Read:
    """A report as far as the writer's audience knows: what each line means, and what is wrong with it."""
    return _read(seat, knowledge(seat), key, text, kinds=line_kinds(seat, battle_of(seat, key)))


def _read(
    seat: Seat, known: Knowledge, key: str, text: str, *, kinds: Sequence[type[Order]], after: Sequence[Placed] = ()
) -> Read:
    rules, theatre = outside(known), known.loaded.scenario.theatre
    names = rules.names(theatre, known.slice, key)
    sheet = parse(text, kinds, names)
    orders = (*after, *sheet.orders)
    checked: Checked = rules.check(theatre, known.slice, seat.audience, key, orders)
    problems = sorted((*sheet.problems, *checked.problems), key=lambda p: (p.line == 0, p.line, p.column))
    lines = "\n".join(format_order(placed.order, names) for placed in orders)
    return Read(lines, checked.understood, tuple(problems))


def outside(known: Knowledge) -> Outside[Any, Any]:
    """How the ruleset deals with battles; Http404 if it has none."""
    rules: Outside[Any, Any] | None = known.loaded.rules.outside
    if rules is None:
        raise Http404
    return rules


# --- the players' acts -----------------------------------------------------------------------------------------------


def report(seat: Seat, key: str, text: str, *, idempotent: str) -> None:
    """Report the result of a battle, or report it anew as long as the other side has not answered.

    Faulty if a line of it cannot stand or it names no winner. NotYours, TooLate, Answered, KeyReused as they say.
    """
    text = storable(text)
    read = read_report(seat, key, text)
    idem_key = hashlib.sha256(idempotent.encode("utf-8", "replace")).hexdigest()
    with held(seat, key) as (battle, now):
        _require_fighter(seat, battle)
        known = battle.reports.filter(idem_key=idem_key).first()
        if known is not None:
            _require_same(known, seat, text)
            return
        require_open(battle)
        if read.faulty:
            raise Faulty(read)
        own = Q(state=BattleState.REPORTED, reported_by=seat.side)
        change(
            battle,
            Q(state=BattleState.OPEN) | own,
            state=BattleState.REPORTED,
            report=read.lines,
            reported_by=seat.side,
            reported_at=now,
        )
        keep(seat, battle, "report", text, at=now, idem_key=idem_key)


def confirm(seat: Seat, key: str, retreats_text: str = "", *, seen: str) -> None:
    """Confirm the other side's report, which the confirming player has `seen` under this mark.

    He may add where his own beaten units go. Faulty if a line of that cannot stand; Answered if the report is not the
    one that he saw, or does not wait for him.
    """
    retreats_text = storable(retreats_text)
    known = knowledge(seat)
    with held(seat, key) as (battle, now):
        _require_fighter(seat, battle)
        require_open(battle)
        if battle.reported_by == seat.side or mark_of(battle) != seen:
            raise Answered
        names = outside(known).names(known.loaded.scenario.theatre, known.slice, key)
        orders = parse(battle.report, line_kinds(seat, battle), names).orders
        reported = [Placed(placed.order, 0) for placed in orders]
        read = _read(seat, known, key, retreats_text, kinds=outside(known).replies, after=reported)
        if read.faulty:
            raise Faulty(read)
        answerable = Q(state__in=[BattleState.REPORTED, BattleState.DISPUTED], report=battle.report)
        change(battle, answerable, state=BattleState.CONFIRMED, report=read.lines, settled_at=now)
        keep(seat, battle, "confirm", retreats_text, at=now)


def dispute(seat: Seat, key: str, text: str, link: str = "") -> None:
    """Dispute the other side's report, with what one has to say; or say one's own part of a battle in dispute."""
    text, link = _statement(text), _link(link)
    with held(seat, key) as (battle, now):
        _require_fighter(seat, battle)
        require_open(battle)
        theirs = Q(state=BattleState.REPORTED) & ~Q(reported_by=seat.side)
        change(battle, theirs | Q(state=BattleState.DISPUTED), state=BattleState.DISPUTED)
        Statement.objects.update_or_create(
            battle=battle,
            side=seat.side,
            defaults={"author": seat.person, "text": text, "link": link, "at": now},
        )
        keep(seat, battle, "dispute", f"{text}\n{link}".rstrip(), at=now)


def assign(seat: Seat, key: str, member: Membership) -> None:
    """Name who fights a battle for his side: its commander and deputy may, and the GM. He is sent his brief."""
    with held(seat, key) as (battle, now):
        member = Membership.objects.select_related("user", "campaign").get(pk=member.pk)
        if not (seat.is_gm or (seat.commands and seat.side == member.side)):
            raise NotYours
        if member.campaign_id != seat.campaign.pk or member.left_at or member.role not in PLAYING:
            raise Unusable(f"{member.user} does not play in this campaign.")
        if member.side not in (battle.attacker, battle.defender):
            raise Unusable(f"{member.user} is on neither side of this battle.")
        if battle.phase.state != PhaseState.OPEN:
            raise TooLate
        player = "attacking_player" if member.side == battle.attacker else "defending_player"
        Battle.objects.filter(pk=battle.pk).update(**{player: member})
        subject = {**_subject(battle), "side": member.side, "person": member.user_id}
        audit.record(seat.campaign, "assign", subject, at=now)
        post(brief_letter(battle, member, brief_of(Seat(member.campaign, member.user, member), key)))


def players_to_choose(seat: Seat, side: str) -> list[Membership]:
    """Whom the viewer may name for a side; nobody if it is not his to name them."""
    if not (seat.is_gm or (seat.commands and seat.side == side)):
        return []
    present = Membership.objects.filter(campaign=seat.campaign, side=side, left_at=None, role__in=PLAYING)
    return list(present.select_related("user").order_by("user__username"))


def line_kinds(seat: Seat, battle: Battle) -> tuple[type[Order], ...]:
    """The lines that a report is written in."""
    kinds = scenario_of(seat.campaign).rules.phase(PhaseKey(battle.phase.key)).orders
    return tuple(kind for kind in kinds if kind is not Ready)


def accepted_at(battle: Battle, hours: int) -> datetime | None:
    """When a report counts as accepted if nobody answers it; None if it waits for nobody."""
    if battle.state != BattleState.REPORTED or battle.reported_at is None:
        return None
    return battle.reported_at + timedelta(hours=hours)


def mark_of(battle: Battle) -> str:
    """What tells one version of a report from another."""
    return hashlib.sha256(f"{battle.report}\n{battle.reported_at}".encode()).hexdigest()[:16]


# --- what acts have in common, the GM's too --------------------------------------------------------------------------


@contextmanager
def held(seat: Seat, key: str) -> Iterator[tuple[Battle, datetime]]:
    """A battle with its phase's row, with nobody else changing either until the transaction ends."""
    with transaction.atomic(durable=True):
        found = battle_of(seat, key)
        Phase.objects.select_for_update(of=("self",)).only("pk").get(pk=found.phase_id)
        now = clock.now()  # only now: whoever waited for the row must not be stamped with an earlier time
        yield battle_of(seat, key), now
        fp("battle.before_commit")
    fp("battle.after_commit")


def _require_same(known: BattleReport, seat: Seat, text: str) -> None:
    if (known.author_id, known.text) != (seat.person.pk, text):
        raise KeyReused


def _require_fighter(seat: Seat, battle: Battle) -> None:
    if not fights(seat, battle):
        raise NotYours


def require_open(battle: Battle) -> None:
    if battle.phase.state != PhaseState.OPEN or battle.phase.held:
        raise TooLate


def change(battle: Battle, expected: Q, **to: Any) -> None:
    """Change a battle if it is as expected while its stop is open; Answered if not."""
    open_ = Q(phase__state=PhaseState.OPEN, phase__held=False)
    if not Battle.objects.filter(open_, expected, pk=battle.pk).update(**to):
        raise Answered


def keep(seat: Seat, battle: Battle, act: str, text: str, *, at: datetime, idem_key: str = "") -> None:
    """Keep what somebody wrote as he wrote it, and seal it into the audit chain."""
    side = GM if seat.is_gm else seat.side
    BattleReport.objects.create(
        battle=battle, side=side, author=seat.person, act=act, text=text, idem_key=idem_key, at=at
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    audit.record(seat.campaign, f"battle {act}", {**_subject(battle), "side": side, "digest": digest}, at=at)


def _subject(battle: Battle) -> dict[str, str | int]:
    return {"phase": battle.phase.no, "rev": battle.phase.rev, "battle": battle.key}


def _statement(text: str) -> str:
    text = storable(text).strip()
    if not text:
        raise Unusable("Say what you dispute: the GM decides by what he reads.")
    if len(text) > LONGEST_STATEMENT:
        raise Unusable(f"The statement has {len(text):,} characters; {LONGEST_STATEMENT:,} are the most. Shorten it.")
    return text


def _link(link: str) -> str:
    link = link.strip()
    try:
        if link:
            _is_link(link)
    except ValidationError:
        raise Unusable("The link is no address of the web. Copy it out of your browser, with its https://.") from None
    if len(link) > _LONGEST_LINK:
        raise Unusable(f"The link has more than {_LONGEST_LINK} characters. Use a shorter one.")
    return link
