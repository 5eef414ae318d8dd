"""All that is published of a campaign as JSON, for its GM to read by programs. It cannot be loaded again.

It holds the true states, so only GMs have it while the campaign runs. It holds no master seed, no sheet of a
phase that is not published, no draft, no address and no link.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from django.contrib.auth.models import AnonymousUser

from campaign.engine.values.options import answers_of
from campaign.game.store import decode_events, decode_state, unpack
from campaign.models import Artefact, Campaign, DiceLine, Membership, Phase, PhaseState, Role, Ruling
from campaign.services import scenario_of, title_of
from campaign.viewers import Viewer
from orders.models import LockedSheet

FORMAT = 1
"""The version of the export: it goes up when a name in it changes its meaning."""


def game_master(campaign: Campaign) -> Viewer:
    """A campaign's GM, for commands."""
    return Viewer(campaign, AnonymousUser(), Membership(campaign=campaign, role=Role.GM))


def export(viewer: Viewer) -> bytes:
    """The export for a campaign's GM, as UTF-8."""
    campaign, loaded = viewer.campaign, scenario_of(viewer.campaign)
    published = campaign.phases.filter(state=PhaseState.PUBLISHED).select_related("resolution__outcome", "campaign")
    phases = [_phase(viewer, each) for each in published.order_by("no")]
    whole = {
        "format": FORMAT,
        "campaign": campaign.slug,
        "title": campaign.title,
        "ruleset": loaded.rules.key,
        "edition": loaded.rules.edition,
        "scenario": campaign.scenario_digest,
        "created_at": campaign.created_at,
        "people": list(_people(viewer)),
        "phases": phases,
        "dice": list(_dice(viewer)),
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def _people(viewer: Viewer) -> Iterator[dict[str, Any]]:
    members = viewer.campaign.memberships.select_related("user").order_by("joined_at", "user__username")
    for member in members:
        yield {"name": member.user.username, "role": member.role, "side": member.side, "left_at": member.left_at}


def _phase(viewer: Viewer, phase: Phase) -> dict[str, Any]:
    rules, resolution = scenario_of(viewer.campaign).rules, phase.resolution
    state = decode_state(rules, unpack(resolution.outcome.state_after), version=resolution.state_version)
    events = decode_events(rules, unpack(resolution.outcome.events), version=resolution.event_version)
    return {
        "no": phase.no,
        "rev": phase.rev,
        "key": phase.key,
        "title": title_of(phase),
        "moment": phase.moment,
        "lock": phase.lock_no,
        "opened_at": phase.opens_at,
        "locked_at": phase.locked_at,
        "published_at": phase.published_at,
        "options": answers_of(rules.options_of(state)),
        "sheets": list(_sheets(viewer, phase)),
        "rulings": list(_rulings(phase)),
        "events": events,
        "state": state,
        "reports": _reports(viewer, phase),
    }


def _sheets(viewer: Viewer, phase: Phase) -> Iterator[dict[str, Any]]:
    """The sheets with which the phase was resolved."""
    rows = LockedSheet.objects.for_viewer(viewer).filter(phase=phase).select_related("sheet__author")
    for row in rows.order_by("side", "desk"):
        author = row.sheet.author.username if row.sheet.author else ""
        yield {"side": row.side, "desk": row.desk, "version": row.sheet.version, "by": author, "text": row.sheet.text}


def _rulings(phase: Phase) -> Iterator[dict[str, Any]]:
    for ruling in Ruling.objects.filter(phase=phase, taken_back_at=None).select_related("author").order_by("seq"):
        yield {"fact": ruling.fact, "reason": ruling.reason, "written": ruling.written, "by": ruling.author.username}


def _reports(viewer: Viewer, phase: Phase) -> dict[str, str]:
    """Each audience's report as plain text."""
    rows = Artefact.objects.for_viewer(viewer).filter(phase=phase, kind="text").order_by("audience")
    return {audience: bytes(content).decode() for audience, content in rows.values_list("audience", "content")}


def _dice(viewer: Viewer) -> Iterator[dict[str, Any]]:
    for line in DiceLine.objects.for_viewer(viewer).order_by("audience", "no"):
        yield {"log": line.audience, "line": msgspec.Raw(line.line.encode())}
