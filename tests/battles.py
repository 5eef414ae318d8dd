"""The demonstration's first battles, before their results."""

from dataclasses import dataclass

import pytest

from campaign.models import Battle, Phase
from campaign.viewers import Viewer, viewer_of
from gm.machine.sweeper import sweep
from gm.phases import battles as desk
from orders.battles import reporting
from orders.battles.reading import mark_of
from orders.battles.reporting import Which
from tests.gm.campaigns import Clock, live, send_demo_sheets
from tests.kept import kept
from tests.web.conftest import Cast

KEY = "K16"
"""Clervaux: 2 Pz comes from the east and attacks 110/28, which may retreat to K15, L16 or J16."""
REPORT = "RESULT Clervaux attackers advance 2 Pz   # over the Dasburg road\nLOSSES 2 Pz 8\nLOSSES 110/28 38"
LINES = "RESULT K16 attackers advance 2 Pz\nLOSSES 2 Pz 8\nLOSSES 110/28 38"


@dataclass(frozen=True)
class Field:
    """All members, in the phase in which the battles of the first German attacks wait."""

    cast: Cast
    phase: Phase
    time: Clock

    def battle(self, key: str = KEY) -> Battle:
        return Battle.objects.get(phase=self.phase, key=key)

    def viewer(self, name: str) -> Viewer:
        return viewer_of(self.cast.user(name), self.cast.campaign.slug)

    def which(self, key: str = KEY) -> Which:
        return Which(self.phase.no, self.phase.rev, key)

    def report(self, name: str = "german commander", text: str = REPORT, *, key: str = KEY, idem: str = "once") -> None:
        reporting.report(self.viewer(name), self.which(key), text, idempotent=idem)

    def confirm(self, name: str = "allied commander", reply: str = "", *, key: str = KEY) -> None:
        reporting.confirm(self.viewer(name), self.which(key), reply, seen=mark_of(self.battle(key)))

    def dispute(self, name: str = "allied commander", text: str = "The bridge was down.", link: str = "") -> None:
        reporting.dispute(self.viewer(name), self.which(), text, link, seen=mark_of(self.battle()))

    def assign(self, name: str, member: str, *, key: str = KEY) -> None:
        reporting.assign(self.viewer(name), self.which(key), self.cast.member(member))

    def decide(self, text: str, *, key: str = KEY, name: str = "gm") -> None:
        desk.decide(self.viewer(name), self.which(key), text)

    def acts(self) -> list[str]:
        """The acts on the campaign's record, without mails, which are recorded with the acts that cause them."""
        done = self.cast.campaign.audit.exclude(act="mail")
        return list(done.order_by("no").values_list("act", flat=True))


@pytest.fixture
def field(cast: Cast, time: Clock) -> Field:
    kept("field", lambda: _fought_over(cast), after="cast")
    phase = live(cast.campaign)
    assert phase.key == "german_battles"
    return Field(cast, phase, time)


def _fought_over(cast: Cast) -> None:
    send_demo_sheets(live(cast.campaign), cast.user("german commander"))
    sweep(worker="one")
