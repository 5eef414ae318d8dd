"""What an audience may know of a world: nothing that it is shown may depend on anything else.

It is the player's state, the disclosures and the audience's own sheets. Members, the open phase and pending battles
are public.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from campaign.engine.facts import disclose
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.engine.values.value import encode
from campaign.game.store import decode_events, decode_state, unpack
from campaign.models import (
    Artefact,
    Battle,
    BattleReport,
    Desk,
    Invitation,
    ManualRoll,
    Membership,
    Phase,
    PhaseState,
    Resolution,
    Ruling,
    VoidedRoll,
)
from campaign.rulesets.forum_campaign import RULESET
from campaign.selectors import Knowledge
from campaign.services import scenario_of
from campaign.viewers import Viewer
from gm.phases.rolls import interventions
from orders.battle_reading import outside
from orders.models import Draft, LockedSheet, Sheet
from tests.secrecy.campaigns import SLUG
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


def known_to(world: World, observer: Audience) -> bytes:
    """All that an audience may know, as bytes to compare."""
    with world.present():
        parts = {name: list(part) for name, part in _parts(observer)}
    return repr(parts).encode()


def _parts(observer: Audience) -> Iterator[tuple[str, Iterator[Any]]]:
    yield "phases", _phases()
    yield "disclosed", _disclosed(observer)
    yield "roster", iter(_roster())
    yield "battles", _battles(observer)
    if observer != PUBLIC:
        yield from _own_rows(observer)


def _phases() -> Iterator[Any]:
    visible = (PhaseState.OPEN, PhaseState.PUBLISHED, PhaseState.WITHDRAWN)
    touched = _touched()
    for phase in Phase.objects.filter(campaign__slug=SLUG).order_by("no", "rev"):
        yield [getattr(phase, name) for name in _OPEN_OF_A_PHASE], phase.state if phase.state in visible else _CLOSED
        if phase.state == PhaseState.PUBLISHED:  # every report says how often the GM intervened
            yield interventions([phase]) if phase.pk in touched else 0


def _touched() -> set[int]:
    """The phases in which the GM intervened, or may have."""
    tables = (Ruling, ManualRoll, VoidedRoll, Battle)
    rows = (table.objects.filter(phase__campaign__slug=SLUG).values_list("phase", flat=True) for table in tables)
    return {phase for phases in rows for phase in phases}


_OF_A_RESOLUTION = ("outcome__state_after", "state_version", "outcome__events", "event_version")


def _disclosed(observer: Audience) -> Iterator[Any]:
    """The player's state and the disclosures of every phase that was ever published, even if it was undone since."""
    phases = {"phase__campaign__slug": SLUG, "phase__published_at__isnull": False}
    in_order = ("phase__no", "phase__rev")
    disclosed = Resolution.objects.filter(**phases).order_by(*in_order)
    for no, rev, *resolution in disclosed.values_list(*in_order, *_OF_A_RESOLUTION):
        yield no, rev, _disclosed_by(*resolution, observer)
    prefaces = Artefact.objects.filter(**phases, kind="preface", audience__in=[observer, PUBLIC])
    yield from prefaces.order_by(*in_order, "audience").values_list(*in_order, "audience", "content")


@lru_cache(maxsize=1024)
def _disclosed_by(
    state_after: bytes, state_version: int, events: bytes, event_version: int, observer: Audience
) -> list[tuple[Audience, bytes]]:
    """What a stored resolution discloses to the observer and the public; cached: most phases are equal."""
    state = decode_state(RULESET, unpack(state_after), version=state_version)
    happened = decode_events(RULESET, unpack(events), version=event_version)
    disclosed = {
        who: encode(state_known_to(state, who)) + encode(disclose(happened, who)) for who in (observer, PUBLIC)
    }
    return [(who, hashlib.sha256(said).digest()) for who, said in disclosed.items()]


def _roster() -> Any:
    present = Membership.objects.filter(campaign__slug=SLUG, left_at=None)
    return present.order_by("user__username").values_list("user__username", "role", "side")


def _battles(observer: Audience) -> Iterator[Any]:
    """The pending battles, their progress, and as much of their reports as the release table discloses."""
    live = Battle.objects.filter(phase__campaign__slug=SLUG).exclude(
        phase__state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]
    )
    for battle in live.select_related("phase__campaign").order_by("key"):
        players = [battle.attacking_player_id is not None, battle.defending_player_id is not None]
        yield (
            battle.key,
            battle.attacker,
            battle.defender,
            battle.state,
            battle.reported_by,
            battle.accepts_at,
            all(players),
        )
        own = players[0] if battle.attacker == observer else players[1]
        yield observer in (battle.attacker, battle.defender) and own
        reports = BattleReport.objects.filter(battle=battle).order_by("at", "pk")
        yield reports.filter(act="report").count()
        yield list(reports.filter(side=observer).values_list("act", "text", "at"))
        yield list(battle.all_statements.order_by("side").values_list("side", "text", "link", "at"))
        if observer != PUBLIC and hasattr(battle, "result"):
            yield _shown(battle, observer)


def _shown(battle: Battle, observer: Audience) -> Any:
    from orders.battle_reading import _lines  # noqa: PLC0415

    phase = battle.phase
    loaded = scenario_of(phase.campaign)
    state = decode_state(loaded.rules, unpack(phase.start.state_before), version=phase.state_version)
    known = Knowledge(loaded, state_known_to(state, observer))
    member = Membership.objects.filter(campaign=phase.campaign, side=observer, left_at=None).first()
    assert member is not None
    viewer = Viewer(phase.campaign, member.user, member)
    lines = _lines(viewer, battle, known)
    return outside(known).shown(known.state, observer, battle.key, lines, battle.reported_by == "gm")


def _own_rows(observer: Audience) -> Iterator[tuple[str, Any]]:
    own = {"phase__campaign__slug": SLUG, "side": observer}
    sheets = Sheet.objects.filter(**own).order_by("phase__no", "phase__rev", "desk", "version")
    yield "sheets", iter(sheets.values_list("phase__no", "desk", "version", "author__username", "text", "received_at"))
    locked = LockedSheet.objects.filter(**own).order_by("phase__no", "phase__rev", "desk")
    yield "locked", iter(locked.values_list("phase__no", "phase__rev", "desk", "digest"))
    drafts = Draft.objects.filter(**own).order_by("phase__no", "desk", "author__username")
    yield (
        "drafts",
        iter(drafts.values_list("phase__no", "desk", "author__username", "text", "base_version", "saved_at")),
    )
    desks = Desk.objects.filter(campaign__slug=SLUG, side=observer).order_by("name")
    yield "desks", iter(desks.values_list("name", "holder__user__username", "formations"))
    invited = Invitation.objects.filter(campaign__slug=SLUG, side=observer).order_by("created_at")
    yield "invitations", iter(invited.values_list("role", "expires_at"))
