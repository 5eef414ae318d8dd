"""Closing: nothing of the secret dice is shown before the game master says so, and everything is afterwards."""

import pytest
from django.test import Client

from campaign.models import AuditEntry, Campaign, Closing, OutboxMessage, Phase, PhaseState, User
from campaign.record.dice_keys import master_seed
from campaign.record.dice_log import has_ended, logs_for
from campaign.viewers import Viewer, public_viewer
from gm.desk.closing import abandon
from gm.desk.deadlines import Refused
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases.locking import lock
from tests.gm.campaigns import live, miss, opened
from tests.mails import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def commander(viewer: Viewer) -> Viewer:
    member = viewer.campaign.memberships.get(side="german")
    return Viewer(viewer.campaign, member.user, member)


def withdraw_what_is_open(campaign: Campaign) -> None:
    """As if the last phase of the game had been published: no phase follows it."""
    Phase.objects.filter(pk=live(campaign).pk).update(state=PhaseState.WITHDRAWN)


def test_nothing_is_revealed_however_the_last_phase_ends(campaign: Campaign, gm: Viewer) -> None:
    opened(campaign)
    withdraw_what_is_open(campaign)
    assert not has_ended(campaign)
    stranger, german = public_viewer(gm.person, campaign.slug), commander(gm)
    assert [log.name for log in logs_for(stranger)] == ["both"]
    assert [log.name for log in logs_for(german)] == ["both", "german"]
    assert [log.master for viewer in (stranger, german, gm) for log in logs_for(viewer) if log.master] == []
    page = Client().get(f"/c/{campaign.slug}/public/dice/").content.decode()
    assert master_seed(campaign).hex() not in page
    assert browser(german.person).get(f"/c/{campaign.slug}/dice/gm/log.jsonl").status_code == 404
    assert browser(german.person).get(f"/c/{campaign.slug}/statistics/").status_code == 404


def test_a_closed_campaign_shows_all_its_dice_to_all(campaign: Campaign, gm: Viewer) -> None:
    opened(campaign)
    withdraw_what_is_open(campaign)
    abandon(gm, reason="No time left.")
    page = Client().get(f"/c/{campaign.slug}/public/dice/").content.decode()
    assert master_seed(campaign).hex() in page
    for log in logs_for(public_viewer(gm.person, campaign.slug)):
        assert log.verdict.splitlines()[-1] == "The anchor was made from the master seed."
        assert Client().get(f"/c/{campaign.slug}/public/dice/{log.name}/log.jsonl").status_code == 200


def test_a_closed_campaign_opens_the_statistics_that_it_promised(campaign: Campaign, gm: Viewer) -> None:
    opened(campaign)
    abandon(gm, reason="No time left.")
    assert browser(commander(gm).person).get(f"/c/{campaign.slug}/statistics/").status_code == 200
    assert Client().get(f"/c/{campaign.slug}/public/statistics/").status_code == 200
    assert _mails_of_statistics() == 3


def test_a_campaign_of_an_older_release_opens_none(campaign: Campaign, gm: Viewer) -> None:
    Campaign.objects.update(opens_statistics=False, opens_story=False)
    campaign.refresh_from_db()
    opened(campaign)
    abandon(gm, reason="No time left.")
    assert browser(commander(gm).person).get(f"/c/{campaign.slug}/statistics/").status_code == 404
    assert Client().get(f"/c/{campaign.slug}/public/statistics/").status_code == 404
    assert _mails_of_statistics() == 0


def _mails_of_statistics() -> int:
    """How many mails name the page."""
    mails = OutboxMessage.objects.filter(kind="close")
    return sum("/statistics/" in text_of(bytes(mail.message)) for mail in mails)


def test_it_is_on_record_and_everyone_is_notified(campaign: Campaign, gm: Viewer) -> None:
    opened(campaign)
    abandon(gm, reason="No time left.")
    entry = AuditEntry.objects.get(act="close")
    assert entry.subject == {"by": gm.person.pk, "kind": "abandoned"}
    assert set(entry.rows) == {"closing", "phase 2 0"}
    notified = OutboxMessage.objects.filter(kind="close").values_list("user__username", flat=True)
    assert set(notified) == {"germancommander", "alliedcommander", "gm"}


def test_an_open_phase_is_withdrawn_and_nothing_begins_again(campaign: Campaign, gm: Viewer) -> None:
    phase = opened(campaign)
    abandon(gm, reason="No time left.")
    phase.refresh_from_db()
    assert phase.state == PhaseState.WITHDRAWN
    sweep(worker="one")
    assert not campaign.phases.exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).exists()
    with pytest.raises(Refused, match="No phase is open"):
        reopen(gm, reason="the wrong map")


def test_what_is_locked_is_published_first(campaign: Campaign, gm: Viewer) -> None:
    phase = opened(campaign)
    Phase.objects.filter(pk=phase.pk).update(deadline_at=phase.opens_at)
    assert lock(phase.pk)
    with pytest.raises(Refused, match="A phase is locked but not published"):
        abandon(gm, reason="No time left.")
    assert not Closing.objects.exists()
    miss(phase)
    abandon(gm, reason="No time left.")
    assert has_ended(campaign)


def test_what_never_began_and_what_is_closed_is_not_closed(campaign: Campaign, gm: Viewer) -> None:
    with pytest.raises(Refused, match="Nothing has been published yet"):
        abandon(gm, reason="No time left.")
    assert campaign.phases.get().state == PhaseState.OPEN
    opened(campaign)
    abandon(gm, reason="No time left.")
    abandon(gm, reason="No time left.")
    assert AuditEntry.objects.filter(act="close").count() == 1


def test_the_page_closes_the_campaign_for_a_gm_who_types_its_name(campaign: Campaign, gm: Viewer) -> None:
    opened(campaign)
    here = f"/c/{campaign.slug}/desk/closing/"
    page = browser(gm.person).get(here).content.decode()
    assert "is open.</strong> The end withdraws it" in page
    assert (
        browser(gm.person).post(here, {"act": "abandon", "reason": "No time left.", "name": "another"}).status_code
        == 422
    )
    assert not has_ended(campaign)
    assert (
        browser(gm.person).post(here, {"act": "abandon", "reason": "No time left.", "name": campaign.slug}).status_code
        == 302
    )
    assert has_ended(campaign)
    assert "abandoned the campaign. Reason: No time left." in browser(gm.person).get(here).content.decode()
    assert browser(gm.person).post(here, {"act": "concede", "name": campaign.slug}).status_code == 404
