"""Battles that are played outside: their players report, confirm and dispute, their commanders name players.

An act begins with the rows of the phase and of the campaign, and an UPDATE that names the state it expects; the
number of changed rows decides. It names the phase that its writer saw, and is refused in any other.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.naming import unseen
from campaign.engine.values.ids import GM
from campaign.fighting import fights, shares
from campaign.mail.news import keep as keep_news
from campaign.models import (
    Battle,
    BattleAct,
    BattleReport,
    BattleResult,
    BattleState,
    Membership,
    Phase,
    PhaseState,
    Statement,
)
from campaign.people import memberships
from campaign.record import audit
from campaign.secrecy import truth
from campaign.viewers import PLAYING, Viewer
from orders.battles import mail as battle_mail
from orders.battles.reading import (
    Read,
    battle_of,
    mark_of,
    may_confirm,
    may_dispute,
    may_report,
    read_reply,
    read_report,
    statements_of,
)
from orders.intake import KeyReused, NotYours, TooLate, storable

LONGEST_STATEMENT = 10_000
_LONGEST_LINK = 200
_is_link = URLValidator(schemes=["http", "https"])


class Answered(Exception):
    """The battle is no longer in a state that allows this; nothing was stored."""


class OtherPhase(Exception):
    """The text was written for a phase that is not the present one; nothing was stored."""


class Unusable(Exception):
    """The text is unusable; the message says why. Nothing was stored."""


class Faulty(Exception):
    """The report is faulty. Nothing was stored."""

    def __init__(self, read: Read) -> None:
        super().__init__(f"{read.faulty} lines need fixing")
        self.read = read


@dataclass(frozen=True)
class Which:
    """A battle as its writer names it: its phase and its key."""

    no: int
    rev: int
    key: str


Noted = Callable[[], None]


def _nothing() -> None:
    pass


# --- the players' acts -----------------------------------------------------------------------------------------------


def report(viewer: Viewer, which: Which, text: str, *, idempotent: str, noted: Noted = _nothing) -> None:
    """Report the result of a battle, or report again while the other side has not answered. That side is told.

    `noted` keeps what else becomes true with the act, as for all acts here. Raises Faulty if a line is faulty or no
    winner is named, and NotYours, TooLate, Answered, KeyReused.
    """
    text = storable(text)
    idem_key = hashlib.sha256(f"{viewer.side}\n{idempotent}".encode("utf-8", "replace")).hexdigest()
    with held(viewer, which) as (battle, now):
        require_fighter(viewer, battle)
        known = BattleReport.objects.for_viewer(viewer).filter(battle=battle, idem_key=idem_key).first()
        if known is not None:
            _require_same(known, viewer, text)
            return
        require_open(battle)
        read = read_report(viewer, battle, text)
        if read.faulty:
            raise Faulty(read)
        _require(may_report(viewer, battle))
        change(
            battle,
            state=BattleState.REPORTED,
            report=read.lines,
            reported_by=viewer.side,
            reported_at=now,
            accepts_at=now + timedelta(hours=viewer.campaign.battle_hours),
        )
        keep(viewer, battle, BattleAct.REPORT, text, at=now, idem_key=idem_key)
        for item in battle_mail.reported(battle_of(viewer, battle.key)):
            keep_news(item)
        noted()


def confirm(viewer: Viewer, which: Which, reply: str = "", *, seen: str, noted: Noted = _nothing) -> None:
    """Confirm the other side's report, which the confirming player has `seen` under this mark.

    `reply` may add where their own defeated units go, or which of them moves in. Raises Faulty if a line of it is
    faulty; Answered if the report has changed since, or does not wait for them.
    """
    reply = storable(reply)
    with held(viewer, which) as (battle, now):
        require_fighter(viewer, battle)
        require_open(battle)
        _require(may_confirm(viewer, battle) and mark_of(battle) == seen)
        read = read_reply(viewer, battle, reply)
        if read.faulty:
            raise Faulty(replace(read, lines=""))  # they may hold what the confirmer must not read
        change(battle, state=BattleState.CONFIRMED, report=read.lines, settled_at=now, accepts_at=None)
        keep(viewer, battle, BattleAct.CONFIRM, reply, at=now)
        noted()


def dispute(viewer: Viewer, which: Which, text: str, link: str = "", *, seen: str, noted: Noted = _nothing) -> None:
    """Dispute the other side's report, `seen` under this mark; or make a statement in a dispute.

    The GMs and the other side are told.
    """
    text, link = _statement(text), checked_link(link)
    with held(viewer, which) as (battle, now):
        require_fighter(viewer, battle)
        require_open(battle)
        _require(may_dispute(viewer, battle) and mark_of(battle) == seen)
        change(battle, state=BattleState.DISPUTED, accepts_at=None)
        Statement.objects.for_viewer(viewer).update_or_create(
            battle=battle,
            side=viewer.side,
            defaults={"author": viewer.person, "text": text, "link": link, "at": now},
        )
        keep(viewer, battle, BattleAct.DISPUTE, f"{text}\n{link}".rstrip(), at=now)
        for item in battle_mail.disputed(battle_of(viewer, battle.key)):
            keep_news(item)
        noted()


def assign(viewer: Viewer, which: Which, member: Membership) -> None:
    """Name the player of a battle, who receives the brief. The side's commander and deputy may, and the GM."""
    with held(viewer, which) as (battle, now):
        member = Membership.objects.select_related("user", "campaign").get(pk=member.pk)
        if not (viewer.is_gm or (viewer.commands and viewer.side == member.side)):
            raise NotYours
        if member.campaign_id != viewer.campaign.pk or member.left_at or member.role not in PLAYING:
            raise Unusable(f"{member.user} is not a player in this campaign.")
        if member.side not in (battle.attacker, battle.defender):
            raise Unusable(f"{member.user} does not belong to either side of this battle.")
        require_open(battle)
        player = "attacking_player" if member.side == battle.attacker else "defending_player"
        Battle.objects.filter(pk=battle.pk).update(**{player: member})
        subject = {**subject_of(battle), "side": member.side, "person": member.user_id, "by": viewer.person.pk}
        audit.record(viewer.campaign, "assign", subject, at=now, rows=[battle])
        keep_news(battle_mail.assigned(battle, member))


# --- shared by all acts, the GM's too --------------------------------------------------------------------------------


@contextmanager
def held(viewer: Viewer, which: Which) -> Iterator[tuple[Battle, datetime]]:
    """A battle with the rows of its phase and campaign, locked until the transaction ends.

    Raises OtherStop if its phase is not the present one.
    """
    with transaction.atomic(durable=True):
        found = battle_of(viewer, which.key)
        Phase.objects.select_for_update(of=("self",)).only("pk").get(pk=found.phase_id)
        memberships.lock(viewer.campaign)
        now = clock.now()  # only now: a request that waited for the row must not get an earlier time
        battle = battle_of(viewer, which.key)
        if (battle.phase.no, battle.phase.rev) != (which.no, which.rev):
            raise OtherPhase
        yield battle, now
        fp("battle.before_commit")
    fp("battle.after_commit")


def _require_same(known: BattleReport, viewer: Viewer, text: str) -> None:
    if (known.author_id, known.text) != (viewer.person.pk, text):
        raise KeyReused


def require_fighter(viewer: Viewer, battle: Battle) -> None:
    """Raise NotYours unless the viewer reports and answers for their side."""
    if not fights(viewer, battle):
        raise NotYours


def require_open(battle: Battle) -> None:
    """Raise TooLate unless the battle's phase is open; a paused phase takes texts on battles, as it takes sheets."""
    if battle.phase.state != PhaseState.OPEN:
        raise TooLate


def _require(allowed: bool) -> None:  # noqa: FBT001
    if not allowed:
        raise Answered


def change(battle: Battle, *, report: str | None = None, **to: Any) -> None:
    """Change a battle, and its result if `report` is given. Answered if it has changed, or its phase is not open."""
    read = {"state": battle.state, "reported_by": battle.reported_by, "reported_at": battle.reported_at}
    same = Battle.objects.filter(pk=battle.pk, phase__state=PhaseState.OPEN, **read)
    if not same.update(**to):
        raise Answered
    if report is not None:
        with truth.opened("BattleResult"):
            BattleResult.objects.update_or_create(battle=battle, defaults={"report": report})


def keep(viewer: Viewer, battle: Battle, act: BattleAct, text: str, *, at: datetime, idem_key: str = "") -> None:
    """Store a text as it was written, and record it in the audit chain."""
    side = GM if viewer.is_gm else viewer.side
    kept = BattleReport.objects.create(
        battle=battle, side=side, author=viewer.person, act=act, text=text, idem_key=idem_key, at=at
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    subject = {**subject_of(battle), "side": side, "digest": digest}
    rows = [battle, kept, *statements_of(battle)]
    audit.record(viewer.campaign, f"battle {act.value}", subject, at=at, rows=rows)


def subject_of(battle: Battle) -> dict[str, str | int]:
    """A battle as entries of the record name it."""
    return {"phase": battle.phase.no, "rev": battle.phase.rev, "battle": battle.key}


def require_sharing(viewer: Viewer, battle: Battle) -> str:
    """The side that the viewer writes for, or the GM; raises NotYours if they do not share in the battle."""
    if not shares(viewer, battle):
        raise NotYours
    return GM if viewer.is_gm else viewer.side


def _statement(text: str) -> str:
    text = storable(text).strip()
    if not text:
        raise Unusable("Describe what you dispute. The GM decides from what you write.")
    if len(text) > LONGEST_STATEMENT:
        raise Unusable(f"The statement has {len(text):,} characters; {LONGEST_STATEMENT:,} are the most. Shorten it.")
    return text


def checked_link(link: str) -> str:
    """A web address as it is stored; Unusable if it is something else, or too long. It may be empty."""
    link = link.strip()
    try:
        if link:
            _is_link(link)
    except ValidationError:
        raise Unusable("The link is not a web address. Copy it from your browser, including https://.") from None
    if len(link) > _LONGEST_LINK:
        raise Unusable(f"The link has more than {_LONGEST_LINK} characters. Use a shorter one.")
    return link


def checked_words(what: str, text: str, *, most: int) -> str:
    """Words as they are stored; Unusable if there are too many, or if a reader could not see one of their letters."""
    text = storable(text).strip()
    if len(text) > most:
        raise Unusable(f"The {what} has {len(text):,} characters; {most:,} are the most. Shorten it.")
    for no, line in enumerate(text.split("\n"), 1):
        if column := unseen(line):
            raise Unusable(
                f"Character {column} of line {no} of the {what} cannot be seen in print. Type the line instead of"
                " pasting it."
            )
    return text
