"""Adjudicates a claimed phase from its frozen input and makes everybody's package. Changes no row."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.core.failpoints import fp
from campaign.engine.adjudication import Resolution, adjudicate
from campaign.engine.display.outcomes import Outcomes
from campaign.engine.display.views import View
from campaign.engine.facts import Event, Rolled, disclose
from campaign.engine.outcomes import outcomes_of
from campaign.engine.phases import Ruling as Correction
from campaign.engine.phases import Weight, phase_title
from campaign.engine.sheets import SideSheet, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, PhaseKey
from campaign.engine.values.value import replace
from campaign.game.artefacts import Content, contents
from campaign.game.loading import Loaded
from campaign.game.rulebook import rule_url
from campaign.game.store import decode_ruling, decode_state, digest, encode_events, encode_state, unpack
from campaign.game.turn_package import Titles, TurnPackage, turn_packages
from campaign.handling import handling_of, weights_of
from campaign.maps.differences import Differences
from campaign.models import Phase
from campaign.services import base_map_of, scenario_of
from gm.last_reports import views_before
from gm.phases.comparing import compared, views_of_draft
from gm.phases.gathering import (
    counts_after,
    gathered,
    numbered,
    phases_in,
    report_title,
    since_the_last_report,
    weight_of,
)
from gm.phases.rolls import dice_of
from gm.phases.rows import locked_sheets


@dataclass(frozen=True)
class Claim:
    """A worker's right to adjudicate a phase, void once another worker holds a higher fence."""

    phase_id: int
    fence: int


@dataclass(frozen=True)
class Draft:
    """The result of a phase, before anybody sees it."""

    claim: Claim
    edition: int
    """Edition of the rules that made it."""
    state: Any
    state_version: int
    state_after: bytes
    event_version: int
    events: bytes
    artefacts: tuple[Content, ...]
    ran: tuple[PhaseKey, ...]
    """The phases that ran, by their names in the run."""
    weight: Weight
    """Weight of the heaviest of them, which decides how it is published."""
    differences: tuple[Differences, ...] | None
    """From the draft before, for each audience; None for the first."""

    @property
    def digest(self) -> str:
        return digest(self.state_after + self.events)


def resolve(claim_: Claim) -> Draft:
    """Adjudicate a claimed phase and make everybody's package, without transaction, clock or chance."""
    phase = Phase.objects.select_related("campaign").get(pk=claim_.phase_id)
    loaded = scenario_of(phase.campaign)
    rules = loaded.rules
    fp("adjudicate.mid")
    frozen = _frozen_input(loaded, phase)
    resolution = frozen.adjudicated(_rulings(loaded, phase))
    ran = phases_in(resolution.events)
    weight = weight_of(rules, resolution.state, ran)
    packages = _packages(loaded, phase, resolution, ran, weight)
    fp("draw.mid")
    before = views_of_draft(phase)
    return Draft(
        claim=claim_,
        ran=ran,
        weight=weight,
        differences=compared(phase, before, (package.view for package in packages)) if before else None,
        edition=rules.edition,
        state=resolution.state,
        state_version=rules.state_version,
        state_after=encode_state(resolution.state),
        event_version=rules.event_version,
        events=encode_events(resolution.events),
        artefacts=tuple(
            contents(packages, resolution.state, rule_url(phase.campaign.slug), frozen.outcomes(resolution))
        ),
    )


def _packages(
    loaded: Loaded,
    phase: Phase,
    resolution: Resolution[Any],
    ran: Sequence[PhaseKey],
    weight: Weight,
    *,
    drawn: bool = True,
) -> tuple[TurnPackage, ...]:
    """Everybody's package; that of a full phase gathers all since the last full one."""
    rules, base = loaded.rules, base_map_of(phase.campaign)
    earlier = since_the_last_report(phase) if weight is Weight.FULL else []
    events = (*gathered(earlier), *numbered(resolution.events, phase.occurrences))
    titles = _titles(phase, resolution.state, earlier, ran, weight)
    pictures = drawn and handling_of(phase.campaign, weight).pictures
    whole = Resolution(resolution.state, events)
    before = views_before(phase, weight)
    return turn_packages(rules, loaded.scenario.game_data, base, whole, titles=titles, before=before, pictures=pictures)


def _titles(phase: Phase, state: Any, earlier: list[Phase], ran: Sequence[PhaseKey], weight: Weight) -> Titles | None:
    """The names of a phase and the next one; None for rules whose phases each come up once in a turn."""
    rules = scenario_of(phase.campaign).rules
    if weights_of(rules) == (Weight.FULL,):
        return None
    moment = rules.moment(state).label
    counts = counts_after(phase, ran, weight=weight, moment=moment)
    following = rules.phase(rules.now(state))
    return Titles(report_title(phase, earlier, moment=moment), phase_title(following, counts.get(following.key, 0) + 1))


def replayed(phase: Phase) -> Resolution[Any]:
    """The result of a phase's frozen input, computed again; draws nothing and stores nothing."""
    loaded = scenario_of(phase.campaign)
    return _frozen_input(loaded, phase).adjudicated(_rulings(loaded, phase))


def require_possible(phase_id: int, *, more: Sequence[Correction] = (), without: int | None = None) -> None:
    """Adjudicate with rulings that are not stored yet, or without a stored one; raises EngineError if that fails."""
    phase = Phase.objects.select_related("campaign").get(pk=phase_id)
    loaded = scenario_of(phase.campaign)
    _frozen_input(loaded, phase).adjudicated([*_rulings(loaded, phase, without=without), *more])


@dataclass(frozen=True)
class Outlook:
    """What rulings would lead to."""

    digest: str
    events: tuple[Event[Any], ...]
    views: tuple[View, ...]


def outlook(phase_id: int, *, more: Sequence[Correction]) -> Outlook:
    """The result of a phase with rulings that are not stored; raises EngineError if there is none."""
    phase = Phase.objects.select_related("campaign").get(pk=phase_id)
    loaded = scenario_of(phase.campaign)
    result = _frozen_input(loaded, phase).adjudicated([*_rulings(loaded, phase), *more])
    ran = phases_in(result.events)
    packages = _packages(loaded, phase, result, ran, weight_of(loaded.rules, result.state, ran), drawn=False)
    return Outlook(
        digest=digest(encode_state(result.state) + encode_events(result.events)),
        events=result.events,
        views=tuple(package.view for package in packages),
    )


def rolls_to_come(phase: Phase) -> tuple[Rolled, ...]:
    """The rolls that are certain when an open phase closes; the dice in them mean nothing.

    The phase is adjudicated without sheets, which are sealed from the GM too: once with the lowest dice and once
    with the highest. So rolls that depend on orders or on other rolls are left out, and so are modifiers that do.
    """
    loaded = scenario_of(phase.campaign)
    rules, game_data, state = loaded.rules, loaded.scenario.game_data, _state_before(loaded, phase)
    lowest, highest = (
        adjudicate(rules, game_data, state, {}, dice=_Blank(highest=highest)).events for highest in (False, True)
    )
    low, high = (
        {event.fact.label: event.fact for event in events if isinstance(event.fact, Rolled)}
        for events in (lowest, highest)
    )
    return tuple(_as_far_as_certain(roll, high[label]) for label, roll in low.items() if label in high)


def _as_far_as_certain(roll: Rolled, other: Rolled) -> Rolled:
    """A roll with the words of its purpose that do not depend on other rolls: modifiers are in brackets at its end."""
    if roll.purpose == other.purpose:
        return roll
    return replace(roll, purpose=f"{_BRACKETS.sub('', roll.purpose)} (the modifier depends on rolls before it)")


_BRACKETS = re.compile(r" \([^()]*\)$")


@dataclass(frozen=True)
class _Blank:
    """Dice that always fall as low, or as high, as they can."""

    highest: bool

    def roll(self, label: str, *, count: int, sides: int, audience: Audience) -> tuple[int, ...]:
        return (sides if self.highest else 1,) * count

    def entered(self, label: str) -> None:
        return None

    def left_over(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class _FrozenInput:
    """What a phase was locked with: its first state, each side's desks as one sheet, and its dice."""

    loaded: Loaded
    phase: Phase
    state: Any
    sheets: Mapping[Audience, SideSheet]

    def adjudicated(self, rulings: Sequence[Correction]) -> Resolution[Any]:
        """The result with these rulings."""
        rules, game_data = self.loaded.rules, self.loaded.scenario.game_data
        orders = {who: sheet.lines for who, sheet in self.sheets.items()}
        return adjudicate(rules, game_data, self.state, orders, dice=dice_of(self.phase), rulings=rulings)

    def outcomes(self, resolution: Resolution[Any]) -> dict[Audience, Outcomes]:
        """What became of each writer's lines, from what the writer knew and is told."""
        return {
            who: outcomes_of(
                self.loaded.rules,
                self.loaded.scenario.game_data,
                sheet,
                before=state_known_to(self.state, who),
                after=state_known_to(resolution.state, who),
                told=disclose(resolution.events, who),
            )
            for who, sheet in self.sheets.items()
        }


def _frozen_input(loaded: Loaded, phase: Phase) -> _FrozenInput:
    rules, game_data, key = loaded.rules, loaded.scenario.game_data, PhaseKey(phase.key)
    state = _state_before(loaded, phase)
    sheets = {
        who: read_side(rules, game_data, state_known_to(state, who), who, desks, phase=key)
        for who, desks in locked_sheets(phase).items()
    }
    return _FrozenInput(loaded, phase, state, sheets)


def _state_before(loaded: Loaded, phase: Phase) -> Any:
    return decode_state(loaded.rules, unpack(phase.start.state_before), version=phase.state_version)


def _rulings(loaded: Loaded, phase: Phase, *, without: int | None = None) -> list[Correction]:
    return [
        decode_ruling(loaded.rules, at=row.at, fact=row.fact, reason=row.reason, version=row.event_version)
        for row in phase.rulings.filter(taken_back_at=None).order_by("seq")
        if row.seq != without
    ]
