"""Rows that several acts on a phase begin with, or write."""

from collections.abc import Iterable
from typing import Any

from campaign.engine.facts import Event
from campaign.engine.sheets import DeskSheet
from campaign.engine.values.ids import Audience
from campaign.game.artefacts import Content
from campaign.game.store import decode_events, unpack
from campaign.models import Artefact, Campaign, Phase, PhaseState
from campaign.services import scenario_of
from gm.models import Approval
from orders.models import Sheet


def locked_row(phase_id: int) -> Phase:
    """A phase's row, locked until the transaction ends."""
    return Phase.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=phase_id)


def is_approved(phase: Phase) -> bool:
    """Whether the GM has approved a draft, so that it is published in a moment and nobody changes it until then."""
    return Approval.objects.filter(phase=phase, cancelled_at=None).exists()


def may_change(phase: Phase, *, fence: int | None = None) -> bool:
    """Whether a draft waits for its GM and is not approved; with a fence, whether it is the one that they have seen."""
    seen = fence is None or phase.fence == fence
    return phase.state == PhaseState.REVIEW and seen and not is_approved(phase)


def events_of(phase: Phase) -> tuple[Event[Any], ...]:
    """All events of an adjudicated phase."""
    result = phase.resolution
    return decode_events(scenario_of(phase.campaign).rules, unpack(result.outcome.events), version=result.event_version)


def newest_sheets(phase: Phase) -> list[Sheet]:
    """The newest version of every desk's sheet, by side and desk. Texts are loaded only on access."""
    newest: dict[tuple[str, str], Sheet] = {}
    for sheet in phase.all_sheets.defer("text").order_by("version"):
        newest[sheet.side, sheet.desk] = sheet
    return [newest[desk] for desk in sorted(newest)]


def locked_sheets(phase: Phase) -> dict[Audience, list[DeskSheet]]:
    """The locked sheets of a phase by writer, each with what its desk might order then."""
    sheets: dict[Audience, list[DeskSheet]] = {}
    for row in phase.all_locked_sheets.select_related("sheet").order_by("side", "desk"):
        sheets.setdefault(Audience(row.side), []).append(DeskSheet(row.sheet.text, row.desk, row.formations))
    return sheets


def open_row(campaign: Campaign) -> Phase | None:
    """The open phase of a campaign, its row locked until the transaction ends; None if there is none."""
    open_ = Phase.objects.select_for_update(of=("self",)).filter(campaign=campaign, state=PhaseState.OPEN)
    return open_.select_related("campaign").first()


def write_artefacts(phase: Phase, contents: Iterable[Content]) -> None:
    """Store what audiences receive of a phase, in place of what they would have received of the same kinds."""
    Artefact.objects.bulk_create(
        (
            Artefact(phase=phase, audience=each.audience, kind=each.kind, content=each.content, sha256=each.sha256)
            for each in contents
        ),
        update_conflicts=True,
        unique_fields=["phase", "audience", "kind"],
        update_fields=["content", "sha256"],
    )
