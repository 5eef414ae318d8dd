"""The life of a phase: open, locked, adjudicated, reviewed, published; each step one transaction or none.

The database is the truth. A step begins with an UPDATE that names the state it expects; the number of rows it changed
decides, so any number of workers may try at once. What lies between claim and publication changes nothing.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from campaign import audit, clock
from campaign.dice_keys import master_seed
from campaign.engine.dice import KeyedDice, mix, seed
from campaign.engine.errors import EngineError
from campaign.engine.ids import Audience, PhaseKey, SideId
from campaign.engine.notation import parse
from campaign.engine.orders import Placed
from campaign.engine.phases import Orders, adjudicate
from campaign.engine.phases import Ruling as Correction
from campaign.engine.state import slice_of
from campaign.engine.values import encode
from campaign.failpoints import fp
from campaign.loading import Loaded
from campaign.models import (
    Artefact,
    Campaign,
    DeadlineKind,
    Heartbeat,
    Phase,
    PhaseState,
    Resolution,
    Ruling,
    User,
)
from campaign.services import columns_of, scenario_of
from campaign.store import decode_state, digest, encode_events, encode_state, pack, unpack
from campaign.turn_package import audiences, turn_packages
from gm.packages import Content, contents
from orders.models import HQ, LockedSheet, Sheet

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=120)
"""How long a worker may take before its phase is anybody's again."""
MOST_ERRORS = 3
MOST_LEASES_LOST = 10


@dataclass(frozen=True)
class Claim:
    """A worker's right to adjudicate a phase, void as soon as another holds a higher fence."""

    phase_id: int
    fence: int


@dataclass(frozen=True)
class Draft:
    """What came of a phase, before anybody sees it."""

    claim: Claim
    state: Any
    state_version: int
    state_after: bytes
    events: bytes
    artefacts: tuple[Content, ...]

    @property
    def digest(self) -> str:
        return digest(self.state_after + self.events)


# --- lock ------------------------------------------------------------------------------------------------------------


def due_phases(now: datetime) -> list[int]:
    """Phases that may be to be locked, the longest due first."""
    ready = Sheet.objects.filter(phase=OuterRef("pk"), ready=True)
    passed = Q(deadline_kind=DeadlineKind.CLOSES, deadline_at__lte=now)
    open_ = Phase.objects.filter(passed | Exists(ready), state=PhaseState.OPEN, held=False)
    return list(open_.order_by("deadline_at", "pk").values_list("pk", flat=True))


def is_due(phase: Phase, now: datetime) -> bool:
    """Whether a phase is to be locked: its deadline closes it and has passed, or all who act are ready."""
    if phase.state != PhaseState.OPEN or phase.held:
        return False
    passed = phase.deadline_kind == DeadlineKind.CLOSES and phase.deadline_at <= now
    return passed or all_ready(phase)


def all_ready(phase: Phase) -> bool:
    """Whether every desk of those who act has said that it is done."""
    desks: dict[str, list[bool]] = {}
    for sheet in newest_sheets(phase):
        desks.setdefault(sheet.side, []).append(sheet.ready)
    return bool(phase.acts) and all(who in desks and all(desks[who]) for who in phase.acts)


def lock(phase_id: int) -> bool:
    """Close a due phase and fix the sheets it is adjudicated with; whether this call did it."""
    with transaction.atomic(durable=True):
        phase = _held_row(phase_id)
        now = clock.now()
        if not is_due(phase, now):
            return False
        open_ = Phase.objects.filter(pk=phase_id, state=PhaseState.OPEN, held=False, deadline_rev=phase.deadline_rev)
        if not open_.update(state=PhaseState.LOCKED, locked_at=now, lock_no=_next_lock(phase.campaign)):
            return False
        fp("lock.mid")
        _fix_sheets(phase, now)
    fp("lock.after")
    return True


def _fix_sheets(phase: Phase, now: datetime) -> None:
    """The newest sheets become those that count, and give the lock its mix."""
    sheets = newest_sheets(phase)
    LockedSheet.objects.bulk_create(
        LockedSheet(phase=phase, side=sheet.side, desk=sheet.desk, sheet=sheet, digest=sheet.digest) for sheet in sheets
    )
    contributions = _contributions(phase, sheets)
    sheets_digest = digest(encode([(sheet.side, sheet.desk, sheet.digest) for sheet in sheets]))
    Phase.objects.filter(pk=phase.pk).update(sheets_digest=sheets_digest, mix=mix(contributions))
    audit.record(phase.campaign, "lock", {"phase": phase.no, "rev": phase.rev, "sheets": sheets_digest}, at=now)


def newest_sheets(phase: Phase) -> list[Sheet]:
    """The newest version of every desk's sheet, by side and desk."""
    newest: dict[tuple[str, str], Sheet] = {}
    for sheet in phase.sheets.order_by("version"):
        newest[sheet.side, sheet.desk] = sheet
    return [newest[desk] for desk in sorted(newest)]


def _next_lock(campaign: Campaign) -> int:
    """Each lock of a campaign counts one, the start being lock 1; it numbers the dice's seeds."""
    last = campaign.phases.exclude(lock_no=None).order_by("-lock_no").values_list("lock_no", flat=True).first()
    return (last or 0) + 1


def _contributions(phase: Phase, sheets: Sequence[Sheet]) -> dict[SideId, str]:
    """What each side brings to the dice: the digest of its locked sheets."""
    given: dict[SideId, str] = {}
    for side in scenario_of(phase.campaign).rules.sides:
        digests = [sheet.digest for sheet in sheets if sheet.side == side]
        given[side] = digests[0] if len(digests) == 1 else digest("|".join(digests).encode()) if digests else "none"
    return given


# --- claim and adjudicate --------------------------------------------------------------------------------------------


def claim(phase_id: int, *, worker: str) -> Claim | None:
    """The right to adjudicate a locked phase, or one whose worker has gone; None if another has it or may not."""
    with transaction.atomic(durable=True):
        phase = _held_row(phase_id)
        now = clock.now()
        expired = Q(state=PhaseState.RUNNING, lease_until__lt=now)
        lost = int(phase.state == PhaseState.RUNNING)
        if phase.errors >= MOST_ERRORS or phase.leases_lost + lost > MOST_LEASES_LOST:
            Phase.objects.filter(expired | Q(state=PhaseState.LOCKED), pk=phase_id).update(state=PhaseState.FAILED)
            return None
        changed = Phase.objects.filter(expired | Q(state=PhaseState.LOCKED), pk=phase_id).update(
            state=PhaseState.RUNNING,
            fence=F("fence") + 1,
            lease_until=now + LEASE,
            claimed_by=worker,
            leases_lost=F("leases_lost") + lost,
        )
        if not changed:
            return None
        fence = Phase.objects.values_list("fence", flat=True).get(pk=phase_id)
    fp("claim.after")
    return Claim(phase_id, fence)


def resolve(claim_: Claim, *, more: Sequence[Correction] = ()) -> Draft:
    """Adjudicate a claimed phase and make everybody's package: no transaction, no clock, no chance.

    `more` are rulings to try beside those that are stored.
    """
    phase = Phase.objects.select_related("campaign").get(pk=claim_.phase_id)
    loaded = scenario_of(phase.campaign)
    rules, theatre = loaded.rules, loaded.scenario.theatre
    state = _state_before(loaded, phase)
    orders = _locked_orders(loaded, phase, state)
    rulings = [*_rulings(loaded, phase), *more]
    fp("adjudicate.mid")
    resolution = adjudicate(rules, theatre, state, orders, dice=_dice(loaded, phase), rulings=rulings)
    packages = turn_packages(rules, theatre, rules.base_map(theatre), resolution)
    fp("draw.mid")
    return Draft(
        claim=claim_,
        state=resolution.state,
        state_version=rules.state_version,
        state_after=encode_state(resolution.state),
        events=encode_events(resolution.events),
        artefacts=tuple(contents(packages, resolution.state)),
    )


def _state_before(loaded: Loaded, phase: Phase) -> Any:
    return decode_state(loaded.rules, unpack(phase.state_before), version=phase.state_version)


def _locked_orders(loaded: Loaded, phase: Phase, state: Any) -> Orders:
    """Each side's locked desks, HQ's orders first, so that they win on a unit named twice."""
    kinds = loaded.rules.phase(PhaseKey(phase.key)).orders
    orders: dict[Audience, list[Placed]] = {}
    locked = phase.locked_sheets.select_related("sheet")
    for row in sorted(locked, key=lambda row: (row.side, row.desk != HQ, row.desk)):
        who = Audience(row.side)
        names = loaded.rules.names(loaded.scenario.theatre, slice_of(state, who))
        orders.setdefault(who, []).extend(parse(row.sheet.text, kinds, names).orders)
    return orders


def _dice(loaded: Loaded, phase: Phase) -> KeyedDice:
    master, name, lock_no = master_seed(phase.campaign), phase.campaign.slug, phase.lock_no or 0
    seeds = {who: seed(master, campaign=name, audience=who, lock=lock_no) for who in audiences(loaded.rules)}
    return KeyedDice(campaign=name, lock=lock_no, mix=phase.mix, seeds=seeds)


def _rulings(loaded: Loaded, phase: Phase) -> list[Correction]:
    return [
        Correction(PhaseKey(row.at), msgspec.convert(row.fact, loaded.rules.fact_type), row.reason)
        for row in phase.rulings.order_by("seq")
    ]


# --- file, review, publish -------------------------------------------------------------------------------------------


def file(draft: Draft) -> bool:
    """Store what came of a claimed phase, published at once or as a draft for the GM; False if another was first."""
    with transaction.atomic(durable=True):
        phase = _held_row(draft.claim.phase_id)
        now = clock.now()
        waits = phase.campaign.reviewed and phase.no > 0
        result: dict[str, Any] = {"result_digest": draft.digest, "lease_until": None, "claimed_by": ""}
        fp("publish.before_cas")
        after = PhaseState.REVIEW if waits else PhaseState.PUBLISHED
        if not _advance(draft.claim, PhaseState.RUNNING, after, now, result):
            return False
        Resolution.objects.update_or_create(
            phase=phase,
            defaults={
                "fence": draft.claim.fence,
                "state_version": draft.state_version,
                "state_after": pack(draft.state_after),
                "events": pack(draft.events),
                "digest": draft.digest,
            },
        )
        phase.artefacts.all().delete()
        Artefact.objects.bulk_create(Artefact(phase=phase, **vars(content)) for content in draft.artefacts)
        fp("publish.mid")
        audit.record(
            phase.campaign, "review" if waits else "publish", {"phase": phase.no, "digest": draft.digest}, at=now
        )
        if not waits:
            _open_next(phase, draft.state, now)
        fp("publish.before_commit")
    fp("publish.after_commit")
    return True


def approve(phase_id: int, *, fence: int) -> bool:
    """Publish the draft that the GM has seen; False if it has been adjudicated anew meanwhile."""
    with transaction.atomic(durable=True):
        phase = _held_row(phase_id)
        now = clock.now()
        if not _advance(Claim(phase_id, fence), PhaseState.REVIEW, PhaseState.PUBLISHED, now, {}):
            return False
        loaded = scenario_of(phase.campaign)
        state = decode_state(loaded.rules, unpack(phase.resolution.state_after), version=phase.resolution.state_version)
        audit.record(phase.campaign, "publish", {"phase": phase.no, "digest": phase.result_digest}, at=now)
        _open_next(phase, state, now)
    return True


class RulingRefused(Exception):
    """The ruling cannot be; the message says why."""


def rule(phase_id: int, *, fence: int, at: str, fact: Mapping[str, Any], reason: str, author: User) -> bool:
    """Add a ruling to the draft that the GM has seen and send the phase back to be adjudicated anew.

    It is tried first: RulingRefused if nothing can be adjudicated with it. False if the draft is not the newest.
    """
    _try_ruling(Claim(phase_id, fence), at, fact, reason)
    with transaction.atomic(durable=True):
        phase = _held_row(phase_id)
        now = clock.now()
        reviewed = Phase.objects.filter(pk=phase_id, state=PhaseState.REVIEW, fence=fence)
        if not reviewed.update(state=PhaseState.LOCKED, **_UNTRIED):
            return False
        seq = phase.rulings.count() + 1
        Ruling.objects.create(phase=phase, seq=seq, at=at, fact=dict(fact), reason=reason, author=author)
        audit.record(phase.campaign, "ruling", {"phase": phase.no, "seq": seq, "reason": reason}, at=now)
    return True


def _try_ruling(claim_: Claim, at: str, fact: Mapping[str, Any], reason: str) -> None:
    rules = scenario_of(Phase.objects.select_related("campaign").get(pk=claim_.phase_id).campaign).rules
    try:
        correction = Correction(PhaseKey(at), msgspec.convert(fact, rules.fact_type), reason)
        resolve(claim_, more=[correction])
    except (EngineError, msgspec.ValidationError) as error:
        raise RulingRefused(str(error)) from error


def retry(phase_id: int) -> bool:
    """Let a phase that failed be tried again, when what was wrong has been mended."""
    with transaction.atomic(durable=True):
        phase = _held_row(phase_id)
        failed = Phase.objects.filter(pk=phase_id, state=PhaseState.FAILED)
        if not failed.update(state=PhaseState.LOCKED, **_UNTRIED):
            return False
        audit.record(phase.campaign, "retry", {"phase": phase.no}, at=clock.now())
    return True


def fail(claim_: Claim) -> None:
    """Note that a claimed phase raised an error; after the third it waits for a human."""
    with transaction.atomic(durable=True):
        phase = _held_row(claim_.phase_id)
        last = phase.errors + 1 >= MOST_ERRORS
        running = Phase.objects.filter(pk=claim_.phase_id, state=PhaseState.RUNNING, fence=claim_.fence)
        state = PhaseState.FAILED if last else PhaseState.LOCKED
        if running.update(errors=F("errors") + 1, lease_until=None, state=state) and last:
            audit.record(phase.campaign, "fail", {"phase": phase.no}, at=clock.now())


_UNTRIED: Mapping[str, Any] = {"errors": 0, "leases_lost": 0}


def _advance(claim_: Claim, before: PhaseState, after: PhaseState, now: datetime, more: Mapping[str, Any]) -> bool:
    """Move a phase from one state to another if the claim still holds."""
    published = {"published_at": now} if after == PhaseState.PUBLISHED else {}
    held = Phase.objects.filter(pk=claim_.phase_id, state=before, fence=claim_.fence)
    return bool(held.update(state=after, **published, **more))


def _open_next(phase: Phase, state: Any, now: datetime) -> None:
    """The next phase's row, in the publishing transaction; none when the campaign is over."""
    loaded = scenario_of(phase.campaign)
    rules = loaded.rules
    if rules.over(state):
        return
    closes = rules.phase(rules.now(state)).closes
    Phase.objects.create(
        campaign=phase.campaign,
        no=phase.no + 1,
        deadline_at=now + timedelta(hours=phase.campaign.stop_hours),
        deadline_kind=DeadlineKind.CLOSES if closes else DeadlineKind.NAGS,
        **columns_of(loaded, state, now),
    )


def _held_row(phase_id: int) -> Phase:
    """A phase's row, with nobody else changing it until the transaction ends."""
    return Phase.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=phase_id)


# --- sweep -----------------------------------------------------------------------------------------------------------


def sweep(*, worker: str) -> int:
    """Do whatever is due, oldest first; any number of workers may sweep at once. Returns how many steps were taken."""
    now = clock.now()
    Heartbeat.objects.update_or_create(name=worker, defaults={"at": now})
    locked = sum(_guarded(phase_id, partial(lock, phase_id)) for phase_id in due_phases(now))
    waiting = Phase.objects.filter(Q(state=PhaseState.LOCKED) | Q(state=PhaseState.RUNNING, lease_until__lt=now))
    ids = list(waiting.order_by("locked_at", "pk").values_list("pk", flat=True))
    return locked + sum(run(phase_id, worker=worker) for phase_id in ids)


def run(phase_id: int, *, worker: str) -> bool:
    """Claim a phase, adjudicate it and store what came of it; whether this call did it."""
    mine = claim(phase_id, worker=worker)
    if mine is None:
        return False
    return _guarded(phase_id, lambda: file(resolve(mine)), after=lambda: fail(mine))


def _guarded(phase_id: int, step: Callable[[], bool], *, after: Callable[[], None] = lambda: None) -> bool:
    """Take a step; whatever is wrong with one phase is logged and must not keep the others waiting."""
    try:
        return step()
    except Exception:
        log.exception("phase %s is in trouble", phase_id)
        after()
        return False
