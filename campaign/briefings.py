"""The briefings of a campaign: for each side its own, as the scenario had it when the campaign began."""

from dataclasses import dataclass

from django.db.models.fields.json import KT

from campaign.engine.values.ids import SideId, audience_of
from campaign.game.briefing import Part, file_name, parts_of
from campaign.game.guide import Guide, guide_file, read_guide
from campaign.mail.delivery import BRIEFED
from campaign.mail.messages import link, message_to, to_member
from campaign.mail.outbox import enqueue
from campaign.models import Campaign, CampaignScenario, Membership, Phase, PhaseState, Role
from campaign.record.dice_log import has_ended
from campaign.secrecy import truth
from campaign.selectors import PhaseInfo
from campaign.services import scenario_of
from campaign.viewers import Viewer


@dataclass(frozen=True)
class Briefing:
    """What a side reads before it begins."""

    side: SideId
    parts: tuple[Part, ...]


def briefings_for(viewer: Viewer) -> list[Briefing]:
    """The briefings that a viewer may read: their side's; for the GM, and for spectators of a closed campaign, all."""
    briefed = scenario_of(viewer.campaign).briefed
    if viewer.is_gm:
        return [briefing_of(viewer.campaign, side) for side in sorted(briefed)]
    if _looks_back(viewer):
        return [_briefing(viewer.campaign, side) for side in sorted(briefed)]
    return [briefing_of(viewer.campaign, SideId(viewer.side))] if viewer.side in briefed else []


def is_briefed(viewer: Viewer) -> bool:
    """Whether there is a briefing that a viewer may read."""
    briefed = scenario_of(viewer.campaign).briefed
    return viewer.side in briefed or (bool(briefed) and (viewer.is_gm or _looks_back(viewer)))


def _looks_back(viewer: Viewer) -> bool:
    """Whether the viewer is a spectator of a closed campaign."""
    return viewer.role == Role.SPECTATOR and bool(viewer.membership) and has_ended(viewer.campaign)


def briefing_of(campaign: Campaign, side: SideId) -> Briefing:
    """A side's briefing. Raises Breach if it does not go to that side, or to the GM."""
    truth.require(audience_of(side))
    return _briefing(campaign, side)


def guide_of(viewer: Viewer) -> Guide | None:
    """The scenario's guide for the viewer's side; None if it has none."""
    truth.require(audience_of(SideId(viewer.side)))
    text = _file(viewer.campaign, guide_file(SideId(viewer.side)))
    return read_guide(text) if text else None


def first_sheet(viewer: Viewer, phase: PhaseInfo) -> str:
    """The sheet that the viewer's briefing has for a phase when it comes up for the first time; empty: none."""
    if viewer.side not in scenario_of(viewer.campaign).briefed or viewer.side not in phase.acts:
        return ""
    before = Phase.objects.filter(campaign=viewer.campaign, key=phase.key, no__lt=phase.no)
    earlier = before.exclude(state=PhaseState.WITHDRAWN)
    if any(viewer.side in acts for acts in earlier.values_list("acts", flat=True)):
        return ""
    parts = briefing_of(viewer.campaign, SideId(viewer.side)).parts
    return next((part.text for part in parts if part.phase == phase.key), "")


def mail_briefing(member: Membership) -> None:
    """Mail a member their side's briefing, once, within the caller's transaction; none for a closed campaign."""
    campaign = member.campaign
    if member.side not in scenario_of(campaign).briefed or has_ended(campaign):
        return
    newest = campaign.phases.exclude(state=PhaseState.WITHDRAWN).latest("no")
    with to_member(member):
        context = {
            "parts": briefing_of(campaign, SideId(member.side)).parts,
            "briefing_link": link("briefing", campaign.slug),
        }
    key = f"briefing/{campaign.slug}/{member.side}"
    enqueue(message_to(member, kind=BRIEFED, key=key, context=context, phase=newest))


def _briefing(campaign: Campaign, side: SideId) -> Briefing:
    loaded = scenario_of(campaign)
    text = _file(campaign, file_name(side))
    return Briefing(side, parts_of(text, loaded.rules, loaded.scenario.game_data, side))


def _file(campaign: Campaign, name: str) -> str:
    """One file of the scenario, empty if there is none: the others are not for the reader, and are not read."""
    kept = CampaignScenario.objects.filter(campaign=campaign)
    with truth.opened("CampaignScenario"):
        text: str | None = kept.values_list(KT(f"scenario_files__{name}"), flat=True).get()
    return text or ""
