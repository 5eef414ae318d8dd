"""The GM's export: the truth of what is published, and nothing that is still secret from them or opens anything."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.models import CampaignDice, Link, PhaseState, User
from campaign.record.dice_keys import master_seed
from gm.machine.sweeper import sweep
from tests.gm.campaigns import live, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

HERE = "desk/export.json"


def test_it_has_every_published_phase_with_sheets_rulings_events_and_reports(cast: Cast) -> None:
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "NOTE the Meuse by Tuesday\nREADY", ready=True)
    sweep(worker="one")
    response = cast.browser("gm").get(cast.address(HERE))
    assert response.headers["Content-Disposition"] == 'attachment; filename="bulge-gm.json"'
    whole = json.loads(response.content)
    published = cast.campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no")
    assert [each["no"] for each in whole["phases"]] == list(published.values_list("no", flat=True))
    newest = whole["phases"][-1]
    assert [sheet["text"] for sheet in newest["sheets"]] == ["NOTE the Meuse by Tuesday\nREADY"]
    assert {"german", "allied", "public", "gm"} == newest["reports"].keys()
    assert newest["state"]["own"].keys() == {"german", "allied"}
    assert newest["events"]
    assert whole["dice"][0]["line"]["label"]


def test_it_has_no_open_sheet_no_draft_no_address_and_no_seed(cast: Cast) -> None:
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "NOTE sealed until the lock")
    phase.all_drafts.create(
        side="german", author=cast.user("german staff"), text="NOTE still being written", saved_at=phase.opens_at
    )
    text = cast.browser("gm").get(cast.address(HERE)).content.decode()
    addresses = [address for address in User.objects.values_list("email", flat=True) if address]
    seeds = [master_seed(cast.campaign).hex(), CampaignDice.objects.get().sealed_dice]
    tokens = list(Link.objects.values_list("token", flat=True))
    forbidden = ["sealed until the lock", "still being written", *addresses, *map(str, seeds), *tokens]
    assert addresses
    assert not [word for word in forbidden if word in text]


@pytest.mark.parametrize("who", [*sorted(set(PARTS) - {"gm", "co-gm"}), OUTSIDER, ANONYMOUS])
def test_nobody_else_gets_it(cast: Cast, who: str) -> None:
    assert cast.browser(who).get(cast.address(HERE)).status_code == (302 if who == ANONYMOUS else 404)


def test_the_command_writes_the_same(cast: Cast, tmp_path: Path) -> None:
    file = tmp_path / "bulge.json"
    call_command("export", "bulge", "--out", str(file))
    assert file.read_bytes() == cast.browser("gm").get(cast.address(HERE)).content
    with pytest.raises(CommandError, match="is there already"):
        call_command("export", "bulge", "--out", str(file))
    with pytest.raises(CommandError, match="no campaign 'other'"):
        call_command("export", "other", "--out", str(tmp_path / "x"))
