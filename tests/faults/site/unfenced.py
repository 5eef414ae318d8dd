"""The broken machinery: no fence, blind recovery, no UNIQUE. Runs must see what it breaks."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, models

from campaign.game.artefacts import Content
from campaign.models import Artefact, Phase, PhaseState
from gm.phases import lifecycle, prefaces, rolls
from gm.phases.adjudication import Claim

IMPATIENCE = timedelta(seconds=0.3)
"""The time after which an unfinished worker is taken for dead."""


def take_hold() -> None:
    """Break this process, those that it starts, and its database, permanently."""
    lifecycle.LEASE = IMPATIENCE
    lifecycle._advance = _advance
    for module in (lifecycle, prefaces, rolls):
        module.write_artefacts = _write_artefacts  # type: ignore[attr-defined]
    with connection.schema_editor() as editor:
        for model in (Phase, Artefact):
            for constraint in list(model._meta.constraints):
                if isinstance(constraint, models.UniqueConstraint):
                    editor.remove_constraint(model, constraint)


def _advance(claim_: Claim, before: PhaseState, after: PhaseState, now: datetime, more: Mapping[str, Any]) -> bool:  # noqa: ARG001
    published = {"published_at": now} if after == PhaseState.PUBLISHED else {}
    return bool(Phase.objects.filter(pk=claim_.phase_id).update(state=after, **published, **more))


def _write_artefacts(phase: Phase, contents: Iterable[Content]) -> None:
    """One by one: without UNIQUE the database does not know which rows to replace."""
    for each in contents:
        content = {"content": each.content, "sha256": each.sha256}
        Artefact.objects.update_or_create(phase=phase, audience=each.audience, kind=each.kind, defaults=content)
