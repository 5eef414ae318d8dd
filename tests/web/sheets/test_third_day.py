"""A whole day of the campaign in the browsers of those who play it: 18 December, after the demonstration's two days.

Both commanders, a staff officer, two tactical players and the game master do everything through pages; in between
the sweep does what is due.
"""

import email
import re
from dataclasses import dataclass
from email import policy
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from campaign.game import turn_package
from campaign.models import Campaign, OutboxMessage, User
from campaign.people.entrances import entrance_link
from gm.demo import CAMPAIGN, stand
from gm.machine.sweeper import sweep

pytestmark = pytest.mark.django_db(transaction=True)

HERE = f"/c/{CAMPAIGN}/"


class _Hidden(HTMLParser):
    """The hidden fields of forms, but not of those that write a text: here people write it themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        name = named.get("name") or ""
        if tag == "input" and named.get("type") == "hidden" and name and not name.startswith("was:"):
            self.fields.setdefault(name, named.get("value") or "")


class Player:
    """A person at a browser: they sign in by a one-time link, open pages, fill forms and press buttons."""

    def __init__(self, name: str) -> None:
        self.client = Client(enforce_csrf_checks=True)
        link = urlsplit(entrance_link(User.objects.get(username=name)))
        hidden = _Hidden()
        hidden.feed(self.client.get(f"{link.path}?{link.query}").content.decode())
        assert self.client.post(link.path, hidden.fields).status_code == 302

    def read(self, rest: str = "") -> str:
        response = self.client.get(HERE + rest)
        assert response.status_code == 200, rest
        return response.content.decode()

    def press(self, act: str, rest: str, to: str = "", **filled: str) -> str:
        hidden = _Hidden()
        hidden.feed(self.read(rest))
        response: Any = self.client.post(HERE + (to or rest), {**hidden.fields, "act": act, **filled}, follow=True)
        assert response.status_code == 200, re.sub(r"<[^>]+>|\s+", " ", response.content.decode())
        return str(response.content.decode())


@pytest.fixture
def third_day(monkeypatch: pytest.MonkeyPatch) -> Campaign:
    monkeypatch.setattr(turn_package, "draw", lambda _base, view, **_width: f"the map of {view.audience}".encode())
    return stand(lambda _line: None).campaign


@dataclass
class Table:
    """Those who play the day."""

    umpire: Player
    model: Player
    krebs: Player
    bayerlein: Player
    hodges: Player
    abrams: Player

    def publish(self) -> None:
        sweep(worker="one")
        self.umpire.press("approve", "desk/draft/")

    def battle(self) -> str:
        """The address of the open phase's only battle."""
        (key,) = re.findall(rf'href="{HERE}battles/(\w+)/"', self.umpire.read("battles/"))
        return f"battles/{key}/"


def test_a_day_is_played_through_pages(third_day: Campaign) -> None:
    third_day.memberships.update(mail_choices={"reports": "now"})
    table = Table(*map(Player, ("Umpire", "Model", "Krebs", "Bayerlein", "Hodges", "Abrams")))
    both_sides_send_air_sheets(table)
    the_germans_send_two_desks(table)
    their_battle_is_reported_and_confirmed(table)
    table.hodges.press("ready", "orders/", "orders/HQ/", text="ATTACK CCB/9 contact\nALL OTHERS HOLD")
    table.publish()
    the_allied_battle_is_disputed_and_decided(table)
    assert "19 December 1944" in table.model.read()
    assert_everyone_was_mailed_the_day(third_day)


def both_sides_send_air_sheets(table: Table) -> None:
    """The phase waits for HQ of either side, and neither side is told of the other."""
    assert "Purchases and air" in table.model.read()
    table.krebs.press("ready", "orders/", "orders/Fifth/", text="ARTILLERY Pz Lehr")
    table.hodges.press("ready", "orders/", "orders/HQ/", text="BUY VIII Engr at")
    sweep(worker="one")
    assert "There are no draft results to review" in table.umpire.read("desk/draft/")
    asked = table.model.press("ready", "orders/", "orders/HQ/", text="AIR superiority 2 cas 3")
    assert "This line sends out 5 air units, and only 0 can fly today" in asked
    table.model.press("anyway", "orders/", "orders/HQ/", text="AIR superiority 2 cas 3\nREADY")
    table.publish()
    assert "VIII Engr receives 3 × 57 mm AT guns" in table.hodges.read()
    assert "VIII Engr receives" in table.hodges.read()
    assert "VIII Engr receives" not in table.model.read()


def the_germans_send_two_desks(table: Table) -> None:
    """The phase waits for the staff officer's desk and for HQ; the preface is for one side alone."""
    assert "German movement and attacks" in table.model.read()
    table.krebs.press("ready", "orders/", "orders/Fifth/", text="ALL OTHERS HOLD\nNOTE Pz Lehr needs fuel.")
    sweep(worker="one")
    assert "There are no draft results to review" in table.umpire.read("desk/draft/")
    receipt = table.model.press("ready", "orders/", "orders/HQ/", text="ATTACK 352 VG contact\nALL OTHERS HOLD")
    assert "Received as version 1" in receipt
    sweep(worker="one")
    assert "Pz Lehr needs fuel." in table.umpire.read("desk/draft/")
    table.umpire.press("preface", "desk/draft/", **{"preface-german": "Storm. Good luck."})
    table.publish()
    assert "Storm. Good luck." in table.model.read()
    assert "Storm. Good luck." not in table.hodges.read()


def their_battle_is_reported_and_confirmed(table: Table) -> None:
    """Each side names its player, one reports, the other confirms."""
    battle = table.battle()
    table.model.press("assign", battle, player="Bayerlein")
    table.hodges.press("assign", battle, player="Abrams")
    assert "Abrams" in table.bayerlein.read(battle)
    result = f"RESULT {battle.split('/')[1]} defenders\nLOSSES 352 VG 12"
    table.bayerlein.press("report", battle, text=result)
    table.abrams.press("confirm", battle)
    table.publish()
    assert "352 VG loses 12 %" in table.model.read()
    assert "352 VG loses" not in table.hodges.read()


def the_allied_battle_is_disputed_and_decided(table: Table) -> None:
    """A battle that the players cannot agree on is the game master's to decide."""
    battle = table.battle()
    hex_ = battle.split("/")[1]
    table.hodges.press("assign", battle, player="Abrams")
    table.abrams.press("report", battle, text=f"RESULT {hex_} attackers")
    table.model.press("dispute", battle, statement="They never reached the village.")
    assert "They never reached the village." in table.umpire.read(battle)
    decided = f"RESULT {hex_} defenders\nLOSSES CCB/9 9"
    table.umpire.press("decide", battle, f"{battle}decide/", text=decided)
    table.publish()
    assert "CCB/9 loses 9 %" in table.hodges.read()
    assert "CCB/9 loses" not in table.model.read()


def assert_everyone_was_mailed_the_day(campaign: Campaign) -> None:
    """Every player was mailed each phase's map, their own; and nobody was mailed another's."""
    mails = OutboxMessage.objects.filter(campaign=campaign, phase__no__gt=10, kind__in=["opened", "report"])
    assert set(mails.values_list("user__username", flat=True)) == {
        "Umpire",
        "Model",
        "Krebs",
        "Bayerlein",
        "Hodges",
        "Kean",
        "Abrams",
    }
    for mail in mails:
        message = email.message_from_bytes(bytes(mail.message), policy=policy.default)
        (picture,) = (part for part in message.walk() if part.get_content_maintype() == "image")
        assert picture.get_payload(decode=True) == f"the map of {mail.audience}".encode()
        member = campaign.memberships.get(user=mail.user)
        assert mail.audience == (member.side or "gm")
