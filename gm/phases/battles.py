"""Battles on the side of the GM and the machinery: opened, decided, overdue, and frozen at the lock."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.isolation import run_each
from campaign.engine.briefs import Fight
from campaign.engine.orders.lexicon import certain
from campaign.engine.orders.notation import MOST_CHARACTERS, MOST_LINES, format_order
from campaign.engine.orders.order import Order, Placed, Ready
from campaign.engine.sheets import DeskSheet, read_battle, read_side, report_lines
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PhaseKey
from campaign.fighting import player_of
from campaign.game.loading import Loaded
from campaign.game.store import decode_state, unpack
from campaign.mail.news import keep as keep_news
from campaign.models import Battle, BattleAct, BattleState, Phase, PhaseState
from campaign.people import memberships
from campaign.record import audit
from campaign.record.dice_keys import nonce
from campaign.services import scenario_of
from campaign.viewers import Viewer
from gm.phases.rows import locked_row, newest_sheets
from orders.battles.mail import assigned
from orders.battles.reading import mark_of, read_report
from orders.battles.reporting import Answered, Faulty, Which, change, held, keep, require_open
from orders.intake import NotYours, sheet_digest, storable
from orders.models import HQ, Channel, Sheet

STANDING = (BattleState.CONFIRMED, BattleState.ACCEPTED, BattleState.RULED)
"""The states in which a battle has its result."""

AGREED = (BattleState.CONFIRMED, BattleState.ACCEPTED)
"""The states in which its players have agreed on it, expressly or by silence."""

OVERRULED = "battle overrule"
"""The audit chain's name for a GM result that replaces one that players had agreed on."""


# --- opening ---------------------------------------------------------------------------------------------------------


def open_battles(phase: Phase) -> None:
    """Create a row for each battle that a phase waits for, in the transaction that opens it.

    In a reopened phase, players who are still members keep their battles, and receive their briefs again.
    """
    loaded, state = _position(phase)
    fights = loaded.rules.battles(state) if GM in phase.acts else ()
    named = {battle.key: battle for battle in _battles_before(phase)}
    Battle.objects.bulk_create(_row(phase, fight, named.get(fight.key)) for fight in fights)
    for battle in phase.battles.select_related("phase__campaign", "attacking_player__user", "defending_player__user"):
        for member in filter(None, (battle.attacking_player, battle.defending_player)):
            keep_news(assigned(battle, member))


def _battles_before(phase: Phase) -> Iterable[Battle]:
    """The battles of the same phase before it was withdrawn."""
    same = Battle.objects.select_related("attacking_player", "defending_player")
    return same.filter(
        phase__campaign=phase.campaign_id, phase__no=phase.no, phase__rev=phase.rev - 1, phase__key=phase.key
    )


def _row(phase: Phase, fight: Fight, before: Battle | None) -> Battle:
    same = before if before and before.attacker == fight.attacker else None
    return Battle(
        phase=phase,
        key=fight.key,
        attacker=fight.attacker,
        defender=fight.defender,
        attacking_player=player_of(same, fight.attacker) if same else None,
        defending_player=player_of(same, fight.defender) if same else None,
    )


# --- the GM's decision -----------------------------------------------------------------------------------------------


def decide(viewer: Viewer, which: Which, text: str, *, seen: str | None = None) -> None:
    """Decide a battle's result as the GM, whatever was reported; the GM may change it until the lock.

    If it equals the players' agreed result, that stands as theirs. Raises Faulty if a line is faulty or it names no
    winner, checked with full knowledge; Answered if the GM has `seen` the battle under another mark.
    """
    if not viewer.is_gm:
        raise NotYours
    text = storable(text)
    with held(viewer, which) as (battle, now):
        require_open(battle)
        if seen not in (None, seen_as(battle, mark_of(battle))):
            raise Answered
        read = read_report(viewer, battle, text)
        if read.faulty:
            raise Faulty(read)
        if battle.state not in AGREED or _replaces(battle, read.lines):
            _rule(battle, read.lines, now)
        keep(viewer, battle, BattleAct.DECIDE, text, at=now)


def seen_as(battle: Battle, reports: str) -> str:
    """The state of a battle and the mark of its reports that a form was made for, as text."""
    return f"{battle.state} {reports}"


def _replaces(battle: Battle, lines: str) -> bool:
    desk = _Desk(battle.phase)
    return desk.replaces(battle, desk.report(battle, lines))


def _rule(battle: Battle, lines: str, now: datetime) -> None:
    if battle.state in AGREED:
        _record_overruled(battle.phase, [battle], now)
    change(
        battle,
        state=BattleState.RULED,
        report=lines,
        reported_by=GM,
        reported_at=now,
        accepts_at=None,
        settled_at=now,
    )


def _record_overruled(phase: Phase, battles: Iterable[Battle], now: datetime) -> None:
    """Record agreed results that the GM replaced: reports print how many."""
    for battle in battles:
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "battle": battle.key}
        audit.record(phase.campaign, OVERRULED, subject, at=now)


# --- what happens without people -------------------------------------------------------------------------------------


def accept_overdue(now: datetime) -> int:
    """Accept the reports that nobody answered in time; returns how many."""
    overdue = _waiting().filter(phase__held=False, accepts_at__lte=now).order_by("accepts_at", "pk")
    return run_each("the overdue report of battle", overdue.only("key", "phase_id"), _accept)


def _accept(battle: Battle) -> bool:
    with transaction.atomic(durable=True):
        phase = locked_row(battle.phase_id)
        memberships.lock(phase.campaign)
        now = clock.now()
        reported = _waiting().filter(pk=battle.pk, phase__held=False, accepts_at__lte=now)
        if not reported.update(state=BattleState.ACCEPTED, accepts_at=None, settled_at=now):
            return False
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "battle": battle.key}
        audit.record(phase.campaign, "battle accept", subject, at=now, rows=[battle])
        fp("battle.before_commit")
    return True


def postpone(phase: Phase, *, since: datetime, now: datetime) -> None:
    """Extend the time to answer the reports of a phase by the time that passed since then, or since they came."""
    memberships.lock(phase.campaign)
    waiting = list(_waiting().filter(phase=phase))
    for battle in waiting:
        if battle.reported_at is not None and battle.accepts_at is not None:
            lost = now - max(since, battle.reported_at)
            Battle.objects.filter(pk=battle.pk).update(accepts_at=battle.accepts_at + lost)
    if waiting:
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "since": since.isoformat()}
        audit.record(phase.campaign, "put off", subject, at=now, rows=waiting)


def _waiting() -> QuerySet[Battle]:
    """Battles whose report waits for an answer."""
    return Battle.objects.filter(state=BattleState.REPORTED, phase__state=PhaseState.OPEN, accepts_at__isnull=False)


# --- the lock --------------------------------------------------------------------------------------------------------


def stands() -> Q:
    """A filter for phases whose battles all have their result."""
    battles = Battle.objects.filter(phase=OuterRef("pk"))
    return Q(Exists(battles)) & ~Q(Exists(battles.exclude(state__in=STANDING)))


def all_stand(phase: Phase) -> bool:
    """Whether a phase waits for battles, and all of them have their result."""
    states = list(phase.battles.values_list("state", flat=True))
    return bool(states) and all(state in STANDING for state in states)


def freeze(phase: Phase, now: datetime) -> None:
    """Write the battles' results as the GM's newest sheet of the phase, within the transaction that locks it.

    The GM's own sheet comes first, and its results replace those of the battles.
    """
    standing = list(phase.battles.select_related("result").filter(state__in=STANDING).order_by("key"))
    if not standing:
        return
    own = next((sheet for sheet in newest_sheets(phase) if (sheet.side, sheet.desk) == (GM, HQ)), None)
    desk = _Desk(phase)
    orders = desk.read(own.text) if own else []
    settled = desk.settled(orders)
    agreed = [each for each in standing if each.key in settled and each.state in AGREED]
    _record_overruled(phase, [each for each in agreed if desk.replaces(each, orders)], now)
    lines = [line for battle in standing if battle.key not in settled for line in desk.lines(battle)]
    if not lines:
        return
    text = "\n".join([*desk.own_lines(own.text if own else "", orders, lines), *lines]) + "\n"
    version = own.version + 1 if own else 1
    salt = nonce(phase.campaign, phase=phase.no, rev=phase.rev, side=GM, desk=HQ, version=version)
    sheet = Sheet.objects.create(
        phase=phase,
        side=GM,
        desk=HQ,
        version=version,
        channel=Channel.BATTLES,
        text=text,
        nonce=salt,
        digest=sheet_digest(text, salt),
        ready=True,
        received_at=now,
        idem_key=hashlib.sha256(f"battles/{version}".encode()).hexdigest(),
    )
    subject: dict[str, str | int] = {
        "phase": phase.no,
        "rev": phase.rev,
        "version": version,
        "digest": sheet.digest,
    }
    audit.record(phase.campaign, "battle results", subject, at=now, rows=[sheet])


class _Desk:
    """Combines results, with knowledge of both sides and with unambiguous unit names."""

    def __init__(self, phase: Phase) -> None:
        loaded, state = _position(phase)
        assert loaded.rules.outside is not None  # noqa: S101 # its battles came from there
        self._rules, self._outside = loaded.rules, loaded.rules.outside
        self._game_data, self._phase = loaded.scenario.game_data, PhaseKey(phase.key)
        self._known = state_known_to(state, GM)

    def read(self, text: str) -> list[Placed]:
        """The orders of the GM's own sheet."""
        sheets = [DeskSheet(text)]
        return list(read_side(self._rules, self._game_data, self._known, GM, sheets, phase=self._phase).lines)

    def settled(self, orders: list[Placed]) -> frozenset[str]:
        return self._outside.settled(orders)

    def report(self, battle: Battle, text: str) -> list[Placed]:
        """The orders of a text about one battle."""
        kinds = report_lines(self._rules, self._phase)
        sheet = read_battle(self._rules, self._game_data, self._known, battle=battle.key, text=text, kinds=kinds)
        return list(sheet.orders)

    def replaces(self, battle: Battle, orders: list[Placed]) -> bool:
        """Whether these orders differ in content from a battle's standing report, whatever their order and wording."""
        return self._said_of(battle, orders) != self._said_of(battle, self.report(battle, battle.result.report))

    def _said_of(self, battle: Battle, orders: list[Placed]) -> frozenset[Order]:
        """The orders that concern a battle."""
        concerned = [placed for placed in orders if self.settled([placed]) <= {battle.key}]
        checked = self._outside.check(self._game_data, self._known, GM, battle.key, concerned)
        count = {each.line for each in checked.understood}
        return frozenset(placed.order for placed in concerned if placed.line in count)

    def lines(self, battle: Battle) -> Iterator[str]:
        """A standing report, under a comment that says why it stands."""
        title = self._outside.brief(self._game_data, self._known, GM, battle.key, {}).title
        yield f"# {title}: {_HOW[BattleState(battle.state)]}"
        yield from self._written(self.report(battle, battle.result.report))

    def own_lines(self, text: str, orders: list[Placed], more: list[str]) -> list[str]:
        """The GM's own text as written, or its orders alone if the whole does not fit into one sheet."""
        own = text.splitlines()
        fits = len(own) + len(more) <= MOST_LINES and len(text) + sum(len(line) + 1 for line in more) < MOST_CHARACTERS
        return own if fits else list(self._written(orders))

    def _written(self, orders: Iterable[Placed]) -> Iterator[str]:
        names = certain(self._rules.names(self._game_data, self._known))
        for placed in orders:
            if not isinstance(placed.order, Ready):
                yield format_order(placed.order, names)


_HOW: Mapping[BattleState, str] = {
    BattleState.CONFIRMED: "as confirmed by both players",
    BattleState.ACCEPTED: "as reported; nobody answered in time",
    BattleState.RULED: "as decided by the GM",
}


def _position(phase: Phase) -> tuple[Loaded, Any]:
    loaded = scenario_of(phase.campaign)
    return loaded, decode_state(loaded.rules, unpack(phase.start.state_before), version=phase.state_version)
