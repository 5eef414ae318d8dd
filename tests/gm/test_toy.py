"""The machinery plays a game of another kind: sides in turns, and a question to the opponent in the middle of one."""

from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from functools import partial

import pytest

from campaign import services
from campaign.game.loading import read_files
from campaign.links import PICTURES
from campaign.models import Artefact, Campaign, Membership, OutboxMessage, Phase, PhaseState, Role, User
from campaign.services import found_campaign
from gm.desk.absence import flags
from gm.machine.sweeper import sweep
from orders.intake import NotYours
from tests import toy
from tests.gm.campaigns import START, UNREVIEWED, Clock, live, review_drafts, send, state_after
from tests.laws.games import RULES
from tests.toy.sequence import DUSK
from tests.toy.theatre import SIDES, Card

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("time", "blank_maps")]

ATTACKS = {"north": "ATTACK Harbour Watch marsh", "south": "ATTACK Blue Fusiliers mill"}


@pytest.fixture
def estuary(monkeypatch: pytest.MonkeyPatch, author: User) -> Campaign:
    """A toy campaign at its first turn, with one player on each side."""
    monkeypatch.setattr(services, "read_files", partial(read_files, rulesets=RULES))
    campaign = found_campaign(
        slug="estuary", title="Estuary", scenario=toy.SCENARIO, handling=UNREVIEWED, founder=author
    )
    for side in SIDES:
        user = User.objects.create_user(side, f"{side}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side=side, joined_at=START)
    sweep(worker="one")
    return campaign


def attacked(estuary: Campaign, author: User) -> tuple[Phase, str, str]:
    """The stop after an attack in the first turn, who attacked, and who was attacked."""
    turn = live(estuary)
    (first,) = turn.acts
    send(turn, author, ATTACKS[first], side=first, ready=True)
    sweep(worker="one")
    return live(estuary), first, "south" if first == "north" else "north"


def test_an_answer_is_a_stop_that_only_the_attacked_side_is_asked_in(estuary: Campaign, author: User) -> None:
    answer, attacker, defender = attacked(estuary, author)
    assert (answer.key, answer.acts, answer.state) == ("answer", [defender], PhaseState.OPEN)
    with pytest.raises(NotYours):
        send(answer, author, "STAND", side=attacker)
    send(answer, author, "STAND", side=defender, ready=True)
    sweep(worker="one")
    assert (live(estuary).key, live(estuary).acts) == ("turn", [defender])


def test_a_missed_answer_is_the_default_and_a_missed_turn_a_pass(estuary: Campaign, author: User, time: Clock) -> None:
    answer, _, defender = attacked(estuary, author)
    time.now = answer.deadline_at
    sweep(worker="one")
    turn = live(estuary)
    assert (turn.key, turn.acts) == ("turn", [defender])
    time.now = turn.deadline_at
    sweep(worker="one")
    assert state_after(turn).open.passes == 1


def test_a_campaign_without_sheets_passes_day_by_day_to_its_end(estuary: Campaign, time: Clock) -> None:
    for _ in range(2 * 4):
        time.now = live(estuary).deadline_at + timedelta(minutes=1)
        sweep(worker="one")
    last = estuary.phases.latest("no")
    assert last.state == PhaseState.PUBLISHED
    assert (state_after(last).open.phase, state_after(last).open.ended) == (DUSK, True)
    assert not estuary.phases.exclude(state=PhaseState.PUBLISHED).exists()


def test_nobody_receives_a_card_of_anothers_hand(estuary: Campaign) -> None:
    """Of the first dawn, when cards are drawn and none is played: what is stored for an audience and mailed to it."""
    dawn = state_after(estuary.phases.earliest("no"))
    hands = {side: {card.value for card in own.hand} for side, own in dawn.own.items()}
    readable = {**hands, "gm": hands["north"] | hands["south"], "public": set()}
    received = dict.fromkeys(readable, "")
    for artefact in Artefact.objects.exclude(kind__in=PICTURES):
        received[artefact.audience] += bytes(artefact.content).decode()
    mails = list(OutboxMessage.objects.exclude(audience=""))
    for mail in mails:
        received[mail.audience] += all_text(bytes(mail.message))
    assert {mail.audience for mail in mails} >= set(SIDES)
    assert {audience: cards_in(text) for audience, text in received.items()} == readable


def test_a_note_is_told_of_by_every_ruleset(estuary: Campaign, author: User) -> None:
    """NOTE is the engine's: what looks for it knows no ruleset."""
    review_drafts()
    turn = live(estuary)
    (first,) = turn.acts
    send(turn, author, "PASS\nNOTE the tide is late", side=first, ready=True)
    sweep(worker="one")
    assert flags(turn) == (f"The sheet of {first.capitalize()} HQ has a note for you.",)


def all_text(mail: bytes) -> str:
    parts = message_from_bytes(mail, policy=default).walk()
    return "\n".join(part.get_content() for part in parts if part.get_content_maintype() == "text")


def cards_in(text: str) -> set[str]:
    """The cards that a text speaks of, but for the help with orders, which lists all there are."""
    without_help = text.replace("|".join(card.value for card in Card), "")
    return {card.value for card in Card if card.value in without_help}
