"""A whole campaign on a real database, from its sheets to its publications."""

import pytest

from campaign.game.store import decode_events, digest, encode_events, unpack
from campaign.models import Campaign, Phase, PhaseState, User
from campaign.record import audit
from campaign.services import scenario_of
from gm.machine.sweeper import sweep
from gm.phases.adjudication import Claim, resolve
from tests.gm.campaigns import live, send_demo_sheets

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("time", "blank_maps")]


def test_two_days_run_from_sheets_to_publication(campaign: Campaign, author: User) -> None:
    sweep(worker="one")
    while live(campaign).file_stem < "1944-12-18":
        phase = live(campaign)
        send_demo_sheets(phase, author)
        assert sweep(worker="one") == 2
    published = list(campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no"))
    assert [phase.no for phase in published] == list(range(11))
    assert [phase.lock_no for phase in published] == list(range(1, 12))
    for phase in published:
        assert_resolution_is_that_of_a_clean_run(phase)
        assert {a.audience for a in phase.all_artefacts.all()} == {"german", "allied", "gm", "public"}
        assert all(digest(bytes(a.content)) == a.sha256 for a in phase.all_artefacts.all())
    assert_audit_holds(campaign)


def assert_resolution_is_that_of_a_clean_run(phase: Phase) -> None:
    again = resolve(Claim(phase.pk, phase.fence))
    assert again.digest == phase.proof.result_digest == phase.resolution.outcome.digest
    rules = scenario_of(phase.campaign).rules
    stored = unpack(phase.resolution.outcome.events)
    assert encode_events(decode_events(rules, stored, version=rules.event_version)) == stored
    following = Phase.objects.get(campaign=phase.campaign, no=phase.no + 1)
    assert unpack(following.start.state_before) == unpack(phase.resolution.outcome.state_after)


def assert_audit_holds(campaign: Campaign) -> None:
    prev = audit.FIRST
    for number, entry in enumerate(campaign.audit.order_by("no"), 1):
        assert (entry.no, entry.prev) == (number, prev)
        sealed = {"no": entry.no, "at": entry.at.isoformat(), "act": entry.act, "subject": entry.subject}
        sealed["rows"] = entry.rows
        assert audit.entry_digest(prev=prev, **sealed) == entry.digest
        prev = entry.digest
