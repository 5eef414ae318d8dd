"""What an audience may know of a world, by the oracle; and what must be the same in worlds in which that is the same.

The product is not asked: see `oracle`. Deadlines, pauses, who acts, publications, members and the audience's own rows
depend on nothing that is hidden, so they are compared like any answer.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import F, Q

from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.game.artefacts import OUTCOMES
from campaign.game.store import unpack
from campaign.models import (
    Absence,
    Artefact,
    AuditEntry,
    Battle,
    BattleReport,
    Bot,
    Desk,
    DiceLine,
    Invitation,
    ManualRoll,
    Membership,
    Phase,
    PhaseState,
    Resolution,
    Ruling,
    Statement,
    VoidedRoll,
)
from campaign.record.clock_changes import CLOSE
from gm.models import TriedRuling
from gm.phases.battles import OVERRULED
from orders.models import HQ, Draft, LockedSheet, Sheet
from tests.secrecy.campaigns import SLUG, campaign, game
from tests.secrecy.oracle import facts
from tests.secrecy.oracle.account import Account, Gap, Played, Reference, accounts, gaps, may_differ
from tests.secrecy.oracle.facts import Part
from tests.secrecy.oracle.outcomes import gaps_in_outcomes
from tests.secrecy.worlds import World

_OPEN_OF_A_PHASE = (
    "no",
    "rev",
    "key",
    "day",
    "acts",
    "held",
    "opens_at",
    "deadline_at",
    "deadline_kind",
    "published_at",
)
_CLOSED = "closed"
"""States of a closed phase that look the same to players: waiting for a worker, being resolved, waiting for the GM."""


# --- what may be known -----------------------------------------------------------------------------------------------


def known_to(world: World, observer: Audience) -> bytes:
    """All that an audience may know and another world may have otherwise, as bytes to compare."""
    with world.present():
        told = [(no, rev, account.digest) for no, rev, _, account in _accounts(observer)]
        return repr(
            (told, list(_rulings()), list(_named(observer)), list(_stated(observer)), [*all_ready(), *_closed_early()])
        ).encode()


@dataclass(frozen=True)
class Parting:
    """Why two worlds part for an audience: (fact, field) pairs in which they differ."""

    named: list[Part]
    """Those by which they may. Empty: they must not part."""
    refused: list[Part]
    """Those in which no worlds may differ, as the oracle's table of facts says."""


def parting(one: World, two: World, observer: Audience) -> Parting:
    """Why two worlds part for an audience.

    A phase that only one world has published explains it if that is due to a fact that everybody may know: a day of the
    area game that stops for a question is published at once, and one that goes on may wait for the GM.
    """
    (phases, rows), (others, more) = (_of_both(world, observer) for world in (one, two))
    both = sorted(phases.keys() & others.keys())
    published = [name for name in both if phases[name].published and others[name].published]
    by_one = [name for name in both if phases[name].published != others[name].published]
    with one.present():
        rules, key = _reference(), game().key
        found = _may_differ(observer, phases, others, published, rules)
        if by_one and not list(facts.parting(key, found)):
            with_drafts = _may_differ(observer, phases, others, sorted([*published, *by_one]), rules)
            found += [part for part in with_drafts if part[0] in rules.published_at_once]
    for each in (rows, more):  # how often the GM intervened in a phase does not explain why one world publishes it
        each[_INTERVENED] = [row for row in each[_INTERVENED] if row[:2] not in by_one]
    also = [part for part in rows if rows[part] != more[part]]
    return Parting([*facts.parting(key, found), *also], list(facts.refused(key, found)))


@dataclass(frozen=True)
class _Result:
    """The result of a phase, as the oracle reads it."""

    played: Played
    published: bool
    """Whether it was ever published; if not, it is a draft."""


_Results = dict[tuple[int, int], _Result]
"""By number and revision of the phase."""
_INTERVENED = ("Ruling", "count")
"""How often the GM intervened in each phase."""


def _may_differ(
    observer: Audience, one: _Results, two: _Results, names: Sequence[tuple[int, int]], rules: Reference
) -> list[tuple[str, str]]:
    here, there = ([each[name].played for name in names] for each in (one, two))
    return may_differ(observer, here, there, rules)


def _of_both(world: World, observer: Audience) -> tuple[_Results, dict[tuple[str, str], list[Any]]]:
    with world.present():
        rows = {
            _INTERVENED: list(_rulings()),
            ("Battle", "players"): list(_named(observer)),
            ("Statement", "text"): list(_stated(observer)),
            ("Phase", "all ready"): [*all_ready(), *_closed_early()],
        }
        waiting = _results().filter(phase__state=PhaseState.REVIEW)
        drafts = {(no, rev): _Result(_played(*packed), published=False) for no, rev, *packed in waiting}
        published = {(no, rev): _Result(played, published=True) for no, rev, played, _ in _accounts(observer)}
        return drafts | published, rows


def overtold(world: World, observer: Audience) -> Iterator[Gap]:
    """Where what the product has told and kept for an audience differs from what it may know."""
    with world.present():
        views, outcomes = (dict(_received(observer, kind)) for kind in ("view", OUTCOMES))
        for no, rev, played, account in _accounts(observer):
            yield from account.gaps_of(played, views.get((no, rev), b""))
        for name in outcomes.keys() & views.keys():
            lines, view = json.loads(outcomes[name]), json.loads(views[name])
            yield from gaps_in_outcomes(lines, view, who=observer, phase=str(name))


class _Known:
    """An audience's account of one phase, by the oracle."""

    def __init__(self, observer: Audience, account: Account, rules: Reference) -> None:
        self.observer, self.account, self.rules = observer, account, rules
        self.known = json.dumps(account.known, sort_keys=True).encode()
        told = json.dumps(account.told, sort_keys=True).encode()
        self.heard = json.dumps([*account.earlier, *account.told] if rules.gathers else []).encode()
        self.digest = hashlib.sha256(told + self.known).hexdigest()
        self._held: dict[tuple[int, bytes], list[Gap]] = {}

    def gaps_of(self, played: Played, view: bytes) -> list[Gap]:
        """The gaps of what is stored, found once for the same bytes."""
        key = (hash(json.dumps([played.events, played.after], sort_keys=True)), view)
        if key not in self._held:
            found = list(gaps(played, self.rules, {self.observer: self.account}))
            if view:
                found += self.rules.gaps_in_view(json.loads(view), played, self.observer, self.account)
            self._held[key] = found
        return self._held[key]


def _accounts(observer: Audience) -> Iterator[tuple[int, int, Played, _Known]]:
    """Every phase that was ever published, even if it was undone since, each with what the audience may know after it.

    From one to the next it is carried on by the oracle alone.
    """
    known: dict[int, bytes] = {}
    heard: dict[int, bytes] = {}
    rules = _reference()
    for no, rev, before, events, after in _results().filter(phase__published_at__isnull=False):
        account = _account(before, events, known.get(no - 1, b""), heard.get(no - 1, b"[]"), observer, rules)
        known[no], heard[no] = account.known, account.heard
        yield no, rev, _played(before, events, after), account


def _results() -> Any:
    """By number and revision: the state before each phase that was resolved, what happened in it, the state after."""
    columns = ("phase__start__state_before", "outcome__events", "outcome__state_after")
    rows = Resolution.objects.filter(phase__campaign__slug=SLUG).order_by("phase__no", "phase__rev")
    return rows.values_list("phase__no", "phase__rev", *columns)


@lru_cache(maxsize=512)
def _account(before: bytes, events: bytes, known: bytes, heard: bytes, observer: Audience, rules: Reference) -> _Known:
    """Cached: most phases of a world are as in the one before it."""
    knew: dict[str, Any] = {observer: json.loads(known)} if known else {}
    account = accounts(_played(before, events, before), rules, knew, (observer,))[observer]
    account.earlier = json.loads(heard)
    return _Known(observer, account, rules)


@lru_cache(maxsize=512)
def _played(before: bytes, events: bytes, after: bytes) -> Played:
    return Played(*(json.loads(unpack(part)) for part in (before, events, after)))


def _reference() -> Reference:
    here = campaign()
    if here.scenario_digest not in _REFERENCES:
        _REFERENCES[here.scenario_digest] = game().oracle(here.scenario.scenario_files)
    return _REFERENCES[here.scenario_digest]


_REFERENCES: dict[str, Reference] = {}
"""By digest of the scenario. They never change."""


def _rulings() -> Iterator[Any]:
    """R15.6 How often the GM intervened in a published phase in all, and how often they tried to, as reports say.

    It is counted here from the rows: if the product counts something else, its pages differ.
    """
    acts = AuditEntry.objects.filter(campaign__slug=SLUG, act__in=(OVERRULED, CLOSE)).values_list("act", "subject")
    by_record = {(act, subject["phase"], subject["rev"], subject.get("battle")) for act, subject in acts}
    named = Q(pk__in=_touched())
    for _, no, rev, _ in by_record:
        named |= Q(no=no, rev=rev)
    for phase in Phase.objects.filter(named, campaign__slug=SLUG, state=PhaseState.PUBLISHED).order_by("no", "rev"):
        rolled = set(DiceLine.objects.filter(phase=phase).values_list("audience", "label"))
        done = (
            Ruling.objects.filter(phase=phase, taken_back_at=None).count(),
            ManualRoll.objects.filter(phase=phase).count(),
            len(rolled & set(VoidedRoll.objects.filter(phase=phase).values_list("audience", "label"))),
            len([each for each in by_record if each[1:3] == (phase.no, phase.rev)]),
        )
        tried = TriedRuling.objects.filter(phase=phase).count()
        if any(done) or tried:  # rulings that were taken back do not count, and nobody reads of them
            yield phase.no, phase.rev, sum(done), tried


def _touched() -> set[int]:
    """The phases in which the GM has ruled, rolled or tried something."""
    tables = (Ruling, ManualRoll, VoidedRoll, TriedRuling)
    rows = (table.objects.filter(phase__campaign__slug=SLUG).values_list("phase", flat=True) for table in tables)
    return {phase for phases in rows for phase in phases}


def _named(observer: Audience) -> Iterator[Any]:
    """R12 The sides learn of a battle that both have named a player."""
    for battle in _waiting() if observer != PUBLIC else ():
        yield battle.key, None not in (battle.attacking_player_id, battle.defending_player_id)


def _stated(observer: Audience) -> Iterator[Any]:
    """R12 What players state of the battles that wait."""
    for battle in _waiting():
        reports = BattleReport.objects.filter(battle=battle).order_by("at", "pk")
        statements = Statement.objects.filter(battle=battle).order_by("side")
        rows: list[dict[str, Any]] = [dict(row) for row in reports.values("side", "act", "text")]
        rows += [{**row, "act": "statement"} for row in statements.values("side", "text", "link")]
        yield battle.key, _reference().stated(observer, [{"at": battle.key, **row} for row in rows])


def all_ready() -> Iterator[Any]:
    """Phases whose sheets are all READY: they close early, as everybody reads (the glossary's "deadline")."""
    for phase in Phase.objects.filter(campaign__slug=SLUG, state=PhaseState.OPEN):
        desks = Desk.objects.filter(campaign__slug=SLUG, side__in=phase.acts, holder__isnull=False)
        needed = {*desks.values_list("side", "name"), *((side, HQ) for side in phase.acts)}
        columns = ("side", "desk", "ready", "for_side")
        sheets = Sheet.objects.filter(phase=phase).order_by("version").values_list(*columns)
        newest = {(side, desk): (ready, for_side) for side, desk, ready, for_side in sheets}
        whole = {side for (side, desk), (_, for_side) in newest.items() if desk == HQ and for_side}
        if all(each[0] in whole or newest.get(each, (False, False))[0] for each in needed):
            yield phase.no, phase.rev


def _closed_early() -> Iterator[Any]:
    """Phases that closed before their deadline, and the HQ of each side that acts was READY.

    Its other desks need not be: which of them have nothing to decide is not worked out here.
    """
    for phase in Phase.objects.filter(campaign__slug=SLUG, locked_at__lt=F("deadline_at")).order_by("no", "rev"):
        sheets = Sheet.objects.filter(phase=phase, desk=HQ).order_by("version")
        newest = dict(sheets.values_list("side", "ready"))
        if phase.acts != [GM] and all(newest.get(side) for side in phase.acts):
            yield phase.no, phase.rev


def _waiting() -> Any:
    over = [PhaseState.PUBLISHED, PhaseState.WITHDRAWN]
    return Battle.objects.filter(phase__campaign__slug=SLUG).exclude(phase__state__in=over).order_by("key")


def _received(observer: Audience, kind: str) -> Iterator[tuple[tuple[int, int], bytes]]:
    rows = Artefact.objects.filter(phase__campaign__slug=SLUG, kind=kind, audience=observer)
    for no, rev, content in rows.values_list("phase__no", "phase__rev", "content"):
        yield (no, rev), bytes(content)


# --- what must be the same ------------------------------------------------------------------------------------------


def alike(world: World, observer: Audience) -> Sequence[tuple[str, bytes]]:
    """By name: rows that nothing hidden may change. They are equal in worlds in which what may be known is equal."""
    with world.present():
        return [(name, repr(list(part)).encode()) for name, part in _parts(observer)]


def _parts(observer: Audience) -> Iterator[tuple[str, Iterator[Any]]]:
    yield "the timetable", _phases()
    yield "the messages of the GM", _prefaces(observer)
    yield "the roster", iter(_roster())
    if observer != PUBLIC:
        yield "the battles that wait", _battles(observer)
        yield from _own_rows(observer)


def _phases() -> Iterator[Any]:
    visible = (PhaseState.OPEN, PhaseState.PUBLISHED, PhaseState.WITHDRAWN)
    for phase in Phase.objects.filter(campaign__slug=SLUG).order_by("no", "rev"):
        yield [getattr(phase, name) for name in _OPEN_OF_A_PHASE], phase.state if phase.state in visible else _CLOSED


def _prefaces(observer: Audience) -> Iterator[Any]:
    published = Artefact.objects.filter(phase__campaign__slug=SLUG, phase__published_at__isnull=False)
    prefaces = published.filter(kind="preface", audience__in=[observer, PUBLIC])
    in_order = ("phase__no", "phase__rev", "audience")
    yield from prefaces.order_by(*in_order).values_list(*in_order, "content")


def _roster() -> Any:
    present = Membership.objects.filter(campaign__slug=SLUG, left_at=None)
    bots = Bot.objects.filter(campaign__slug=SLUG).order_by("side").values_list("side", "name", "role", "since")
    return [*present.order_by("user__username").values_list("user__username", "role", "side"), *bots]


def _battles(observer: Audience) -> Iterator[Any]:
    """Progress and own reports of the battles that wait. Of players the other side learns that both have named one."""
    for battle in _waiting():
        players = [battle.attacking_player_id is not None, battle.defending_player_id is not None]
        own = players[0] if battle.attacker == observer else players[1]
        about = (battle.key, battle.attacker, battle.defender, battle.state, battle.reported_by, battle.accepts_at)
        yield about, all(players), observer in (battle.attacker, battle.defender) and own
        reports = BattleReport.objects.filter(battle=battle).order_by("at", "pk")
        yield reports.filter(act="report").count()
        yield list(reports.filter(side=observer).values_list("act", "text", "at"))


def _own_rows(observer: Audience) -> Iterator[tuple[str, Any]]:
    own = {"phase__campaign__slug": SLUG, "side": observer}
    sheets = Sheet.objects.filter(**own).order_by("phase__no", "phase__rev", "desk", "version")
    yield "sheets", iter(sheets.values_list("phase__no", "desk", "version", "author__username", "text", "received_at"))
    locked = LockedSheet.objects.filter(**own).order_by("phase__no", "phase__rev", "desk")
    yield "locked sheets", iter(locked.values_list("phase__no", "phase__rev", "desk", "digest"))
    drafts = Draft.objects.filter(**own).order_by("phase__no", "desk", "author__username")
    yield (
        "drafts",
        iter(drafts.values_list("phase__no", "desk", "author__username", "text", "base_version", "saved_at")),
    )
    desks = Desk.objects.filter(campaign__slug=SLUG, side=observer).order_by("name")
    yield "desks", iter(desks.values_list("name", "holder__user__username", "formations"))
    away = Absence.objects.filter(member__campaign__slug=SLUG, audience__in=(observer, PUBLIC))
    in_order = ("member__user__username", "starts_at")
    yield "absences", iter(away.order_by(*in_order).values_list(*in_order, "ends_at", "deputy__user__username", "why"))
    invited = Invitation.objects.filter(campaign__slug=SLUG, side=observer).order_by("created_at", "role")
    yield "invitations", iter(invited.values_list("role", "expires_at"))
