"""The demonstration's first battles, waiting for their players."""

from dataclasses import dataclass

import pytest

from campaign.models import Battle, Membership, Phase, Role, User
from campaign.seats import Seat, seat_of
from gm.sweeper import sweep
from orders import battles
from tests.gm.campaigns import Clock, live, send_demo_sheets
from tests.web.conftest import Cast

KEY = "K16"
"""Clervaux: 2 Pz comes from the east and attacks 110/28, which may retreat to K15, L16 or J16."""
REPORT = "RESULT Clervaux attackers advance 2 Pz   # over the Dasburg road\nLOSSES 2 Pz 8\nLOSSES 110/28 38"
LINES = "RESULT K16 attackers advance 2 Pz\nLOSSES 2 Pz 8\nLOSSES 110/28 38"
PLAYERS = {"german tactical": "german", "allied tactical": "allied"}


@dataclass(frozen=True)
class Field:
    """Everybody, at the stop at which the battles of the first German attacks wait."""

    cast: Cast
    phase: Phase
    time: Clock

    def battle(self, key: str = KEY) -> Battle:
        return Battle.objects.get(phase=self.phase, key=key)

    def seat(self, name: str) -> Seat:
        return seat_of(self.cast.user(name), self.cast.campaign.slug)

    def report(self, name: str = "german commander", text: str = REPORT, *, key: str = KEY, idem: str = "once") -> None:
        battles.report(self.seat(name), key, text, idempotent=idem)

    def confirm(self, name: str = "allied commander", retreats: str = "", *, key: str = KEY) -> None:
        battles.confirm(self.seat(name), key, retreats, seen=battles.mark_of(self.battle(key)))


@pytest.fixture(autouse=True)
def known_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first morning is gloomy: in snow some attackers would not arrive."""
    monkeypatch.setattr("campaign.dice_keys.secrets.token_bytes", lambda count: b"\x01" * count)


@pytest.fixture
def field(cast: Cast, time: Clock) -> Field:
    for name, side in PLAYERS.items():
        user = User.objects.create_user(name, email=f"{name.replace(' ', '.')}@example.org")
        Membership.objects.create(campaign=cast.campaign, user=user, role=Role.TACTICAL, side=side, joined_at=time.now)
    send_demo_sheets(live(cast.campaign), cast.user("german commander"))
    sweep(worker="one")
    phase = live(cast.campaign)
    assert phase.key == "german_battles"
    return Field(cast, phase, time)
