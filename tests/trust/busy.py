"""A campaign in which everything has happened that a campaign keeps a row of."""

import tempfile
from datetime import timedelta

from django.db import transaction
from PIL import Image

from campaign.core import clock
from campaign.fighting import meeting_of
from campaign.links import make_link
from campaign.models import Agreed, Battle, Campaign, Phase, PhaseState, User
from campaign.people import bots, invitations, memberships
from campaign.people.absences import Booking, book
from campaign.people.accounts import new_person
from campaign.services import change_settings
from campaign.viewers import Viewer, viewer_of
from gm.desk.closing import abandon
from gm.desk.consents import agree
from gm.desk.corrections import enter_roll, try_out, write_rulings
from gm.desk.draws import offer_draw, withdraw_offer
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases import approval
from gm.phases.battles import decide
from gm.phases.judging import answer, questions
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_preface
from gm.phases.rolls import announce, void
from gm.phases.rows import events_of
from orders.battles import files, maps, meetings
from orders.battles.reading import battle_of, mark_of
from orders.battles.reporting import Which, assign, dispute, report
from posting.destinations import Wanted, add_destination
from posting.writing import withdraw_posts, write_posts
from questions.writing import Written, ask, state_of
from questions.writing import answer as answer_question
from stories import maps as map_pictures
from stories import writing as stories
from stories.telling import choose
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
    offer_draw(viewers["Model"])
    withdraw_offer(viewers["Model"])
    relieve(viewers["Umpire"], viewers["Hodges"])
    clear_up(viewers["Umpire"], *(viewers[name] for name in ("Model", "Bayerlein", "Abrams")))
    post_it(viewers["Umpire"])
    abandon(viewers["Umpire"], reason="No time left.")
    agree(viewers["Model"], Agreed.NOTES)


def fight(viewers: dict[str, Viewer]) -> None:
    """Every battle is reported by one player and disputed by the other, and the GM decides."""
    for battle in Battle.objects.filter(phase__campaign=viewers["Umpire"].campaign, phase__state=PhaseState.OPEN):
        which = Which(battle.phase.no, battle.phase.rev, battle.key)
        for commander, player in (("Model", "Bayerlein"), ("Hodges", "Abrams")):
            assign(viewers[commander], which, viewers[player].member)
        share(viewers, battle, which)
        result = f"RESULT {battle.key} defenders"
        report(viewers["Abrams"], which, result, idempotent=battle.key)
        seen = mark_of(Battle.objects.get(pk=battle.pk))
        dispute(viewers["Bayerlein"], which, "We held the bridge.", "https://example.org/save", seen=seen)
        tell(viewers, which)
        decide(viewers["Umpire"], which, result)


def share(viewers: dict[str, Viewer], battle: Battle, which: Which) -> None:
    """The players of a battle pass on its file and a map with pictures, and agree when to play; another map goes."""
    abrams, bayerlein, battle = viewers["Abrams"], viewers["Bayerlein"], battle_of(viewers["Umpire"], battle.key)
    files.give(abrams, which, "https://example.org/save", "after turn 2")
    maps.keep_map(abrams, which, maps.MapTexts("A mill", "https://example.org/map", "It burns."), seen="")
    seen = maps.MapTexts("A mill", "https://example.org/map", "It burns.").mark
    maps.keep_map(bayerlein, which, maps.MapTexts("A bridge"), seen=seen)
    maps.withdraw_map(viewers["Umpire"], which, seen=maps.MapTexts("A bridge").mark)
    for colour in ("green", "blue"):
        with tempfile.TemporaryFile() as file:
            Image.new("RGB", (40, 30), colour).save(file, "PNG")
            map_pictures.add_picture(abrams, which, file, f"In {colour}")
    map_pictures.remove_picture(bayerlein, which, map_pictures.pictures_of(bayerlein, battle)[0].token)
    times = [clock.now() + timedelta(days=day) for day in (1, 2)]
    meetings.propose(abrams, which, times, seen=meeting_of(abrams, battle).mark)
    meetings.accept(bayerlein, which, meeting_of(bayerlein, battle).open[0].mark)


def tell(viewers: dict[str, Viewer], which: Which) -> None:
    """Both players write a story of a battle with a picture, and the GM opens both."""
    battle = stories.Which(no=which.no, rev=which.rev, key=which.key)
    for name, readers in (("Bayerlein", "side"), ("Abrams", "everyone")):
        with tempfile.TemporaryFile() as file:
            Image.new("RGB", (40, 30), "red").save(file, "PNG")
            words = f"{name} was there."
            draft = stories.Draft(text=words, captions={}, removed=(), caption="The bridge", picture=file)
            story = stories.save(viewers[name], battle, draft)
        choose(viewers["Umpire"], story.token, readers, seen=story.version)


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


def clear_up(gm: Viewer, *players: Viewer) -> None:
    """Players ask about a rule, and the GM answers, and corrects the answers."""
    for player in players:
        asked = ask(player, "May they?", rule="R1", line="MOVE 12 SS S22", now=clock.now())
        for reach, text in (("side", "They may."), ("side", "They may not."), ("asker", "You may.")):
            said = Written(reach=reach, rule="R1", asked="", text=text)
            answer_question(gm, asked, said, seen=state_of(gm, asked), shown="", now=clock.now())


def post_it(gm: Viewer) -> None:
    """The phase published last is written for a forum, and withdrawn there before anything is sent."""
    forum = {"address": "https://forum.example", "acts_as": "umpire", "key": "a key of the forum"}
    add_destination(gm, Wanted(audience="german", kind="discourse", thread="7", **forum), now=clock.now())
    newest = gm.campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no")[0]
    with transaction.atomic():
        write_posts(newest, now=clock.now())
        withdraw_posts(newest, now=clock.now())
    add_destination(gm, Wanted(audience="allied", kind="discourse", thread="8", **forum), now=clock.now())


def drafted(gm: Viewer) -> Phase:
    return gm.campaign.phases.select_related("resolution").get(state=PhaseState.REVIEW)
