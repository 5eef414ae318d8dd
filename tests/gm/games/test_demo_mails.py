"""How many mails the demonstration's people get in its two days, when the phases follow each other over the day."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from campaign.core import clock
from campaign.mail.choices import WINDOW
from campaign.models import Campaign, Membership, OutboxMessage, Role, User
from gm import demo
from gm.machine.sweeper import sweep
from tests.gm.campaigns import START, Clock, live, new_campaign, send
from tests.kept import kept

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("blank_maps")]

FIRST_DAY = datetime(2026, 3, 2, 6, tzinfo=UTC)
PHASES_A_DAY = 5
MOST, MOST_ON_A_QUIET_DAY = 8, 3


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    set_clock = Clock()
    set_clock.now = FIRST_DAY
    monkeypatch.setattr(clock, "now", lambda: set_clock.now)
    return set_clock


def let_pass(time: Clock, until: datetime) -> None:
    """A worker sweeps each quarter of an hour."""
    while time.now < until:
        time.now = min(time.now + WINDOW, until)
        sweep(worker="one")


def mails_by_day() -> dict[str, Counter[int]]:
    """How many mails each player got on each day, from the first phase that asked somebody on."""
    found: dict[str, Counter[int]] = {}
    for member in Membership.objects.exclude(role__in=[Role.GM, Role.SPECTATOR]).select_related("user"):
        sent = OutboxMessage.objects.filter(user=member.user).values_list("created_at", flat=True)
        found[member.user.username] = Counter((at - FIRST_DAY).days for at in sent)
    return found


def less_the_next_day(found: dict[str, Counter[int]]) -> dict[str, int]:
    """All mails of each player but those that ask for a sheet of the day that has just begun."""
    open_ = live(Campaign.objects.get())
    asking = OutboxMessage.objects.filter(kind="opened", phase__no=open_.no - 1)
    asked = Counter(asking.values_list("user__username", flat=True))
    return {name: days.total() - asked[name] for name, days in found.items()}


def test_nobody_gets_more_than_eight_mails_in_the_two_days_of_the_demonstration(time: Clock) -> None:
    """A phase takes two and a half hours. The mails that ask for sheets of the third day belong to that."""
    phases = count(1)

    def go_on(_line: str) -> None:
        day, phase = divmod(next(phases) - 1, PHASES_A_DAY)
        let_pass(time, FIRST_DAY + timedelta(days=day, hours=2.5 * phase))

    demo.stand(go_on)
    let_pass(time, FIRST_DAY + timedelta(days=2, seconds=-1))
    found = mails_by_day()
    assert set(found) == {"Model", "Krebs", "Bayerlein", "Hodges", "Kean", "Abrams"}
    most = less_the_next_day(found)
    assert max(most.values()) <= MOST, found
    assert min(most.values()) >= 1, "whom the third day asks reads of the second with that question"
    assert set(OutboxMessage.objects.values_list("kind", flat=True)) >= {"opened", "digest", "review"}


def test_nobody_gets_more_than_three_mails_on_a_quiet_day(time: Clock) -> None:
    """Nobody attacks, so no battle is fought."""
    kept("commanders and staff for a quiet day", _cast)
    campaign = Campaign.objects.get()
    sweep(worker="one")
    first, phases = live(campaign).day, count(1)
    while (phase := live(campaign)).day == first:
        for side, name in (("german", "Model"), ("allied", "Hodges")):
            if side in phase.acts:
                send(phase, User.objects.get(username=name), "ALL OTHERS HOLD", side=side, ready=True)
        let_pass(time, FIRST_DAY + timedelta(hours=2.5 * next(phases)))
    let_pass(time, FIRST_DAY + timedelta(days=1, seconds=-1))
    found = mails_by_day()
    most = less_the_next_day(found)
    assert len(most) == len(PEOPLE)
    assert max(most.values()) <= MOST_ON_A_QUIET_DAY, found
    assert min(most.values()) >= 1, found


PEOPLE = {
    "Model": (Role.COMMANDER, "german"),
    "Krebs": (Role.STAFF, "german"),
    "Bayerlein": (Role.TACTICAL, "german"),
    "Hodges": (Role.COMMANDER, "allied"),
    "Kean": (Role.STAFF, "allied"),
    "Abrams": (Role.TACTICAL, "allied"),
}


def _cast() -> None:
    campaign = new_campaign()
    for name, (role, side) in PEOPLE.items():
        user = User.objects.create_user(name, f"{name.lower()}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=role, side=side, joined_at=START)
