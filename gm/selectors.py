"""What the game master reads: a phase's progress, the draft in review, anybody's view of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from campaign.core import clock
from campaign.engine.display.views import Ground, View
from campaign.engine.facts import Event, Rolled
from campaign.engine.orders.grammar import usage
from campaign.engine.phases import key_and_occurrence, phase_title
from campaign.engine.ruleset import Ruleset
from campaign.engine.sight import Sight
from campaign.engine.values.ids import GM, Audience, PhaseKey, SideId
from campaign.game.artefacts import OUTCOMES
from campaign.game.store import decode_outcomes, decode_state, decode_view, unpack
from campaign.game.turn_package import audiences
from campaign.models import (
    Absence,
    Artefact,
    Battle,
    BattleState,
    Bot,
    Campaign,
    Desk,
    Membership,
    Phase,
    PhaseState,
    Role,
    Ruling,
)
from campaign.selectors import PhaseInfo
from campaign.services import base_map_of, scenario_of, title_of
from campaign.viewers import COMMANDING, Viewer
from gm.absences import absences_now
from gm.phases.gathering import phases_in
from gm.phases.rolls import manual_entries, voids_of
from gm.phases.rows import events_of, words_of
from orders.models import HQ, LockedSheet, Sheet
from orders.outcomes import DeskOutcomes, of_sheets
from orders.readiness import idle_of_all, is_in_effect, unready


@dataclass(frozen=True)
class DeskProgress:
    """How far a desk's sheet is; the text stays sealed until the lock."""

    side: str
    desk: str
    holder: str
    version: int
    ready: bool
    """Whether its READY is in effect: until then nobody but its side sees it."""
    idle: bool
    """Whether it has nothing to decide, so that the phase does not wait for it."""

    @property
    def waited_for(self) -> bool:
        """Whether the phase closes before its deadline only with its READY, or with that of HQ for all desks."""
        return not self.idle and (self.desk == HQ or bool(self.holder))


def progress(phase: PhaseInfo, campaign: Campaign) -> list[DeskProgress]:
    """Every desk of the sides that act in this phase."""
    newest = {
        (sheet.side, sheet.desk): sheet
        for sheet in Sheet.objects.filter(phase=phase.phase_id).defer("text").order_by("version")
    }
    staff = Desk.objects.filter(campaign=campaign, side__in=phase.acts).select_related("holder__user")
    away = _away(campaign.pk)
    holders = {(desk.side, desk.name): _named(desk.holder, away) if desk.holder else "" for desk in staff}
    bots = dict(Bot.objects.filter(campaign=campaign, side__in=phase.acts).values_list("side", "name"))
    heads = {(side, HQ): _commanders(campaign.pk, side, bots, away) for side in phase.acts}
    holders = heads | dict(sorted(holders.items()))
    now = clock.now()
    missing = unready(holders, [sheet for sheet in newest.values() if is_in_effect(sheet, now)])
    idle = idle_of_all(campaign, phase.key, staff) if phase.open else set()
    versions = {desk: sheet.version for desk, sheet in newest.items()}
    return [
        DeskProgress(*desk, holder, versions.get(desk, 0), ready=desk not in missing, idle=desk in idle)
        for desk, holder in holders.items()
    ]


def _away(campaign_id: int) -> dict[int, Absence]:
    """The members who are away, by their numbers, each with the absence."""
    found = absences_now(campaign_id, clock.now()).select_related("deputy__user")
    return {each.member_id: each for each in found}


def _named(member: Membership, away: Mapping[int, Absence]) -> str:
    """A member's forum name, and whether they are away and who stands in."""
    absence = away.get(member.pk)
    if absence is None:
        return member.user.username
    stands_in = f", {absence.deputy.user.username} stands in" if absence.deputy else ""
    return f"{member.user.username} (away{stands_in})"


def _commanders(campaign_id: int, side: str, bots: Mapping[str, str], away: Mapping[int, Absence]) -> str:
    """Who writes a side's HQ sheet, people and its bot, if it is among these by side; for the GM, the game masters."""
    part = {"role": Role.GM} if side == GM else {"side": side, "role__in": COMMANDING}
    members = Membership.objects.filter(campaign=campaign_id, left_at=None, **part)
    names = [_named(member, away) for member in members.select_related("user").order_by("role", "pk")]
    return ", ".join([*names, f"bot {bots[side]}"] if side in bots else names)


def battles(phase: PhaseInfo) -> list[Battle]:
    """The battles that the phase waits for, first those that wait for the GM."""
    found = Battle.objects.filter(phase=phase.phase_id).order_by("key")
    return sorted(found, key=lambda battle: battle.state != BattleState.DISPUTED)


@dataclass(frozen=True)
class RolledHere:
    """A roll of the draft, which the GM may enter again or void."""

    label: str
    purpose: str
    audience: str
    sides: int
    dice: tuple[int, ...]
    by_hand: bool
    own: bool
    """The GM asked for it, so the rules draw nothing from it."""
    void: str
    """Why it does not count; empty if it does."""
    stage: str = ""
    """The phase of the run in which it fell, if one comes up twice."""


@dataclass(frozen=True)
class CountedSheet:
    """A sheet that counted, with what its side will read of its lines."""

    row: LockedSheet
    outcomes: DeskOutcomes | None
    """None if an older release resolved the phase."""


@dataclass(frozen=True)
class ReviewDraft:
    """A phase that is adjudicated and not published."""

    phase: Phase
    view: View
    rolls: tuple[RolledHere, ...]
    rulings: tuple[Ruling, ...]
    """Each with `stage`, the title of the phase before which it applies."""
    prefaces: dict[str, str]
    sheets: tuple[CountedSheet, ...]
    stages: tuple[tuple[str, str], ...]
    """Key and title of the phases that ran, in order: where a ruling may apply."""
    events: tuple[Event[Any], ...]
    words: str
    """A digest of what game masters had written for it before all this was read; empty: nothing."""

    @property
    def mark(self) -> str:
        """The draft that a form was made for, as text."""
        return f"{self.phase.no}.{self.phase.rev}.{self.phase.fence}"


def draft(viewer: Viewer) -> ReviewDraft | None:
    """The draft in review; None if there is none."""
    phase = viewer.campaign.phases.filter(state=PhaseState.REVIEW).select_related("resolution").first()
    if phase is None:
        return None
    words = words_of(phase)  # first: what is written meanwhile is then newer than the mark, and never older
    rules = scenario_of(viewer.campaign).rules
    events = events_of(phase)
    view = decode_view(received(viewer, phase.no, GM, "view"))
    title = partial(title_in_run, rules, phase)
    return ReviewDraft(
        phase=phase,
        view=view,
        rolls=tuple(_rolls(phase, events)),
        rulings=tuple(_rulings(phase, title)),
        prefaces=dict(phase.prefaces.values_list("audience", "text")),
        sheets=tuple(_counted(phase)),
        stages=tuple((name, title(name)) for name in phases_in(events)),
        events=events,
        words=words,
    )


def _counted(phase: Phase) -> Iterator[CountedSheet]:
    """Every desk's sheet of a draft, by side and desk."""
    kept = Artefact.objects.filter(phase=phase, kind=OUTCOMES).values_list("audience", "content")
    outcomes = {audience: decode_outcomes(bytes(content)) for audience, content in kept}
    for row in phase.all_locked_sheets.select_related("sheet").order_by("side", "desk"):
        yield CountedSheet(row, next(iter(of_sheets([row], outcomes.get(row.side))), None))


def sheets_then(viewer: Viewer, no: int, side: str) -> list[CountedSheet]:
    """A side's sheets that counted in a published phase, by desk."""
    phase = viewer.campaign.phases.filter(no=no, state=PhaseState.PUBLISHED).first()
    return [] if phase is None else [each for each in _counted(phase) if each.row.side == side]


def title_in_run(rules: Ruleset[Any, Any], phase: Phase, name: str) -> str:
    """The title and number of a phase of an adjudicated run, by its name there."""
    key, occurrence = key_and_occurrence(PhaseKey(name))
    return phase_title(rules.phase(key), occurrence + phase.occurrences.get(key, 0))


def _rulings(phase: Phase, title: Callable[[str], str]) -> Iterator[Ruling]:
    for ruling in phase.rulings.filter(taken_back_at=None).select_related("author").order_by("seq"):
        ruling.stage = title(ruling.at)  # type: ignore[attr-defined] # for the page
        yield ruling


def _rolls(phase: Phase, events: tuple[Event[Any], ...]) -> Iterator[RolledHere]:
    """The rolls by the rules, as they count, and then those that the GM asked for."""
    rules, voids = scenario_of(phase.campaign).rules, voids_of(phase)
    again = any("/" in event.phase for event in events)
    for event in events:
        if isinstance(event.fact, Rolled):
            fact = event.fact
            void = voids.get((fact.audience, fact.label), "")
            yield RolledHere(
                fact.label,
                fact.purpose,
                fact.audience,
                fact.sides,
                fact.dice,
                fact.by_hand,
                own=False,
                void=void,
                stage=title_in_run(rules, phase, event.phase) if again else "",
            )
    for who, entry in manual_entries(phase):
        yield RolledHere(
            entry.label, entry.purpose, who, entry.sides, entry.dice, by_hand=False, own=True, void=entry.void or ""
        )


def roll_of(phase: Phase, label: str) -> Rolled:
    """A roll of a draft by its label; Http404 if there is none."""
    for event in events_of(phase):
        if isinstance(event.fact, Rolled) and event.fact.label == label:
            return event.fact
    raise Http404


def received(viewer: Viewer, no: int, audience: str, kind: str) -> bytes:
    """What an audience received of a phase, or will receive of the draft; Http404 if there is no such thing."""
    content = _received(viewer, no, audience, kind).values_list("content", flat=True).first()
    if content is None:
        raise Http404
    return bytes(content)


def has_received(viewer: Viewer, no: int, audience: str, kind: str) -> bool:
    """Whether `received` has an answer: older releases published fewer kinds."""
    return _received(viewer, no, audience, kind).exists()


def _received(viewer: Viewer, no: int, audience: str, kind: str) -> QuerySet[Artefact]:
    readable = [PhaseState.PUBLISHED, PhaseState.REVIEW]
    return Artefact.objects.filter(
        phase__campaign=viewer.campaign, phase__no=no, phase__state__in=readable, audience=audience, kind=kind
    )


def readers(viewer: Viewer) -> list[Audience]:
    """All but the GM who receive a package: the sides and the public."""
    return [each for each in audiences(scenario_of(viewer.campaign).rules) if each != GM]


def state_at(phase: Phase, stage: str) -> Any:
    """The state that a ruling at this stage meets: before the phase, with its rulings; for a later stage, after it."""
    rules = scenario_of(phase.campaign).rules
    if stage == phase.key:
        before = decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)
        ruled = (event.fact for event in events_of(phase) if event.ruling and event.phase == stage)
        return reduce(rules.evolve, ruled, before)
    after = phase.resolution
    return decode_state(rules, unpack(after.outcome.state_after), version=after.state_version)


@dataclass(frozen=True)
class SeenPlace:
    """How the sides see a place at the end of a phase."""

    phase: str
    """The phase, in words."""
    draft: bool
    """Whether it is not published."""
    place: str
    """Its id, and its name if it has one."""
    sights: tuple[tuple[SideId, Sight], ...]


def place_named(viewer: Viewer, written: str) -> Ground | None:
    """The place of a campaign's map that somebody has written, by its id or name; None if there is none."""
    wanted = written.strip().casefold()
    grounds = base_map_of(viewer.campaign).grounds
    by_id = next((ground for ground in grounds if ground.id.casefold() == wanted), None)
    return by_id or next((ground for ground in grounds if wanted and ground.name.casefold() == wanted), None)


def sights_of(viewer: Viewer, ground: Ground) -> SeenPlace | None:
    """How each side sees a place from where its units are after the newest phase, the draft included; None before it.

    None also for rules in which nothing is hidden.
    """
    adjudicated = viewer.campaign.phases.filter(state__in=[PhaseState.PUBLISHED, PhaseState.REVIEW])
    phase = adjudicated.select_related("campaign", "resolution__outcome").order_by("-no").first()
    loaded = scenario_of(viewer.campaign)
    sees = loaded.rules.sees_place
    if phase is None or sees is None:
        return None
    after = phase.resolution
    state = decode_state(loaded.rules, unpack(after.outcome.state_after), version=after.state_version)
    return SeenPlace(
        phase=f"“{title_of(phase)}” of {phase.moment}",
        draft=phase.state == PhaseState.REVIEW,
        place=f"{ground.name} ({ground.id})" if ground.name else ground.id,
        sights=tuple((side, sees(loaded.scenario.game_data, state, side, ground.id)) for side in loaded.rules.sides),
    )


def usages(viewer: Viewer) -> list[str]:
    """How rulings are written."""
    return [usage(kind).removeprefix("Write: ").rstrip(".") for kind in scenario_of(viewer.campaign).rules.corrections]
