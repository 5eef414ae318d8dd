"""What commanders and the GM alone know of a campaign's end: offers of a draw (M35), and consents to a story (M36)."""

from django.http import Http404

from campaign.models import Agreed
from campaign.viewers import viewer_of
from gm.desk.consents import agree
from gm.desk.deadlines import Refused
from gm.desk.draws import offer_draw, withdraw_offer
from tests.secrecy.campaigns import SLUG, campaign, game, person
from tests.secrecy.mutators.change import Change


def offers(change: Change) -> bool:
    """Commanders offer draws, and withdraw some. Nobody accepts."""
    sides, chance = game().sides, change.chance
    return sum(_offer(change, side) for side in chance.sample(sides, k=chance.randint(1, len(sides)))) > 0


def _offer(change: Change, side: str) -> bool:
    viewer = viewer_of(person(f"{side} commander"), SLUG)
    try:
        offer_draw(viewer)
        if change.chance.random() < 0.5:
            withdraw_offer(viewer)
    except Refused:  # nothing is published yet, or the campaign is over
        return False
    return True


def consents(change: Change) -> bool:
    """After the end some of those who are asked agree to open the story, but not all."""
    asked = ["gm", *(f"{side} commander" for side in game().sides)]
    if campaign().consents.filter(what=Agreed.STORY).exists():
        return False
    try:
        for who in change.chance.sample(asked, k=change.chance.randint(1, len(asked) - 1)):
            agree(viewer_of(person(who), SLUG), Agreed.STORY)
    except Http404:  # it has not ended
        return False
    return True
