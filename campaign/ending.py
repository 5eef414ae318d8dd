"""How a campaign ends: who may end it, what everybody is told of its end, and which draws are offered."""

from dataclasses import dataclass
from datetime import datetime

from campaign.models import Campaign, Closing, DrawOffer, Ending, Membership, Phase, PhaseState, Role
from campaign.secrecy import truth
from campaign.services import scenario_of
from campaign.templatetags.fieldpost import people
from campaign.viewers import COMMANDING, Viewer


def speaks_for_side(viewer: Viewer) -> bool:
    """Whether the viewer can concede for their side and agree to a draw: a commander, or a deputy if it has none."""
    if viewer.campaign.practice or not viewer.commands:
        return False
    return viewer.membership in speakers(viewer.campaign, viewer.side)


def speakers(campaign: Campaign, side: str) -> list[Membership]:
    """Those who speak for a side: its commanders; its deputies if it has none. Nobody if only a bot commands it."""
    commanding = Membership.objects.filter(campaign=campaign, side=side, role__in=COMMANDING, left_at=None)
    found = list(commanding.select_related("user", "campaign").order_by("user__username"))
    return [each for each in found if each.role == Role.COMMANDER] or found


def may_end(viewer: Viewer) -> bool:
    """Whether the viewer can bring about the end of the campaign, alone or together with another side."""
    return not viewer.campaign.practice and (viewer.is_gm or speaks_for_side(viewer))


def other_side(campaign: Campaign, side: str) -> str:
    """The enemy of a side."""
    return next(each for each in scenario_of(campaign).rules.sides if each != side)


# --- how it ended ----------------------------------------------------------------------------------------------------


def ended_in_words(closing: Closing) -> str:
    """How a campaign ended, in a sentence or two for everybody."""
    campaign, by, winner = closing.campaign, closing.author.username, closing.winner
    match closing.kind:
        case Ending.VICTORY:
            return f"The campaign was played to its end. {_won(campaign, winner)}"
        case Ending.CONCESSION:
            loser = people(other_side(campaign, winner), campaign)
            return f"{by} conceded for {loser}. {_won(campaign, winner)}"
        case Ending.DRAW:
            return "Both sides agreed on a draw."
        case Ending.ABANDONED:
            return f"{by}, its game master, abandoned the campaign. Reason: {closing.reason}"
        case _:
            return f"{by}, its game master, closed the campaign."


def _won(campaign: Campaign, winner: str) -> str:
    if not winner:
        return "It is a draw."
    name = people(winner, campaign)
    return f"{name[:1].upper()}{name[1:]} have won."


# --- draws -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Offer:
    """A side offers a draw."""

    side: str
    by: str
    """The name of its commander."""
    at: datetime


def draw_offers(viewer: Viewer) -> list[Offer]:
    """The offers that stand, for the GM and for those who speak for a side; none for others."""
    if not may_end(viewer):
        return []
    after = newest_published(viewer.campaign)
    with truth.opened("DrawOffer"):
        rows = DrawOffer.objects.filter(after=after, withdrawn_at=None).select_related("author").order_by("at", "side")
        return [Offer(row.side, row.author.username, row.at) for row in rows]


def newest_published(campaign: Campaign) -> Phase | None:
    """The phase published last."""
    return campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no").first()
