"""What a new campaign still needs from its game master, until its first phase is published."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from campaign.models import PhaseState, Role
from campaign.people.bots import bots_of
from campaign.people.memberships import members, open_invitations
from campaign.selectors import PhaseInfo, newest_phase, open_phase
from campaign.services import scenario_of
from campaign.templatetags.fieldpost import people
from campaign.viewers import COMMANDING, Viewer


@dataclass(frozen=True)
class Step:
    """Something that is not done yet."""

    text: str
    link: str = ""
    """Where it is done; empty if there is nothing to do but wait."""
    button: str = ""


def next_steps(viewer: Viewer) -> tuple[Step, ...]:
    """What the GM does next; nothing for others, and once the first phase with orders is published."""
    if not viewer.is_gm or viewer.campaign.practice:
        return ()
    newest, phase = newest_phase(viewer), open_phase(viewer)
    if phase is None or (newest is not None and newest.no > 0):
        return ()
    return (*_commanders(viewer), *_first_phase(viewer, phase))


def _commanders(viewer: Viewer) -> Iterator[Step]:
    """The sides without a commander: nobody is invited, or somebody who has not joined."""
    led = {member.side for member in members(viewer) if member.role in COMMANDING}
    led |= {bot.side for bot in bots_of(viewer.campaign) if bot.role == Role.COMMANDER}
    invited = {each.side for each in open_invitations(viewer) if each.role in COMMANDING}
    roster = reverse("people", args=[viewer.campaign.slug])
    for side in scenario_of(viewer.campaign).rules.sides:
        whom = people(side, viewer.campaign)
        if side in led:
            continue
        if side in invited:
            yield Step(
                f"The commander that you invited for {whom} has not joined yet.",
                f"{roster}#invitations",
                "See the invitations",
            )
        else:
            part = urlencode({"role": Role.COMMANDER.value, "side": side})
            button = f"Invite a commander for {whom}"
            yield Step(f"Nobody commands {whom} yet.", f"{roster}?{part}#invitations", button)


def _first_phase(viewer: Viewer, phase: PhaseInfo) -> Iterator[Step]:
    slug = viewer.campaign.slug
    if phase.no == 0 and phase.held:
        yield Step("The campaign starts when every side has a commander or a bot.")
    elif phase.no == 0:
        yield Step("Fieldpost is setting up the campaign. The first map appears within a minute.")
    elif phase.open:
        text = f"The first phase is open: {phase.title}. The GM desk shows whose orders are there."
        yield Step(text, reverse("desk", args=[slug]), "GM desk")
    elif phase.state == PhaseState.REVIEW:
        yield Step(f"The draft results of {phase.title} are ready.", reverse("draft", args=[slug]), "Review them")
