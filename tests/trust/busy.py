"""A campaign in which everything has happened that a campaign keeps a row of."""

from datetime import timedelta

from campaign.core import clock
from campaign.links import make_link
from campaign.models import Battle, Campaign, Phase, PhaseState, User
from campaign.people import bots, invitations, memberships
from campaign.people.absences import Booking, book
from campaign.people.accounts import new_person
from campaign.services import change_settings
from campaign.viewers import Viewer, viewer_of
from gm.desk.closing import close
from gm.desk.corrections import enter_roll, try_out, write_rulings
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases import approval
from gm.phases.battles import decide
from gm.phases.judging import answer, questions
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_preface
from gm.phases.rolls import announce, void
from gm.phases.rows import events_of
from orders.battles.reading import mark_of
from orders.battles.reporting import Which, assign, dispute, report
from tests.gm.campaigns import new_campaign

CAST = ("Umpire", "Model", "Hodges", "Bayerlein", "Abrams")


def make_busy(demonstration: Campaign) -> None:
    """Give every table rows: a phase of the demonstration is reopened, in which battles are reported, disputed and
    decided; the GM rules, rolls, voids, enters dice, and closes it. There is another campaign, and strangers."""
    new_campaign("other")
    for name in ("Patton", "Dietrich", "Skorzeny", "Ridgway"):
        new_person(name, email=f"{name}@example.org")
    viewers = {name: viewer_of(User.objects.get(username=name), demonstration.slug) for name in CAST}
    for role in ("spectator", "gm"):
        invitations.invite(viewers["Umpire"], role=role, side="", meant_for="a friend", now=clock.now())
    make_link(viewers["Umpire"], 1, "german", now=clock.now())
    reopen(viewers["Umpire"], reason="the wrong map")
    fight(viewers)
    sweep(worker="one")
    review(viewers["Umpire"])
    relieve(viewers["Umpire"], viewers["Hodges"])
    close(viewers["Umpire"])


def fight(viewers: dict[str, Viewer]) -> None:
    """Every battle is reported by one player and disputed by the other, and the GM decides."""
    for battle in Battle.objects.filter(phase__campaign=viewers["Umpire"].campaign, phase__state=PhaseState.OPEN):
        which = Which(battle.phase.no, battle.phase.rev, battle.key)
        for commander, player in (("Model", "Bayerlein"), ("Hodges", "Abrams")):
            assign(viewers[commander], which, viewers[player].member)
        result = f"RESULT {battle.key} defenders"
        report(viewers["Abrams"], which, result, idempotent=battle.key)
        seen = mark_of(Battle.objects.get(pk=battle.pk))
        dispute(viewers["Bayerlein"], which, "We held the bridge.", "https://example.org/save", seen=seen)
        decide(viewers["Umpire"], which, result)


def review(gm: Viewer) -> None:
    """The GM asks for a roll, voids another, enters a third, tries a ruling and applies it, answers, and publishes."""
    phase = drafted(gm)
    assert announce(
        phase.pk, fence=phase.fence, audience="german", count=2, sides=6, purpose="a bridge", author=gm.person
    )
    assert void(
        phase.pk, fence=phase.fence, audience="german", label="manual/1", reason="the wrong one", author=gm.person
    )
    weather = "weather/1944-12-18"
    assert enter_roll(phase, fence=phase.fence, label=weather, written="3", reason="thrown", author=gm.person)
    sweep(worker="one")
    phase = drafted(gm)
    ruling = {"stage": phase.key, "text": "FUEL 7", "reason": "a dump burnt"}
    assert try_out(phase, fence=phase.fence, author=gm.person, **ruling)
    assert write_rulings(phase, fence=phase.fence, author=gm.person, **ruling)
    sweep(worker="one")
    phase = drafted(gm)
    save_preface(phase.pk, "german", "Well done.")
    disputed = questions(phase, events_of(phase))[0]
    assert answer(phase.pk, fence=phase.fence, key=disputed.key, text="The saved game says so.", author=gm.person)
    think_again(gm, phase)
    assert approve(phase.pk, fence=phase.fence)


def think_again(gm: Viewer, phase: Phase) -> None:
    """The GM approves a draft and cancels that in time."""
    change_settings(gm.campaign, think_seconds=60)
    assert approval.give(phase.pk, fence=phase.fence, author=gm.person)
    assert approval.cancel(phase.pk, fence=phase.fence, author=gm.person)
    change_settings(gm.campaign, think_seconds=0)


def relieve(gm: Viewer, commander: Viewer) -> None:
    """A bot takes over from a commander, who is away."""
    side = commander.side
    memberships.change_role(gm, commander.member, role="staff", side=side, now=clock.now())
    bots.seat(gm, side=side, name="fist", now=clock.now())
    book(commander, commander.member, Booking(until=clock.now() + timedelta(days=9), why="Holidays"), now=clock.now())


def drafted(gm: Viewer) -> Phase:
    return gm.campaign.phases.select_related("resolution").get(state=PhaseState.REVIEW)
