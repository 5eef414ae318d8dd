"""The mail that gives a player his battle."""

from campaign.engine.briefs import Brief
from campaign.letters import letter_to, link
from campaign.models import Battle, Membership
from campaign.outbox import Letter


def brief_letter(battle: Battle, member: Membership, brief: Brief) -> Letter:
    """The brief of a battle for who fights it. He gets it once, however often he is named."""
    slug, phase = battle.phase.campaign.slug, battle.phase
    return letter_to(
        member,
        kind="brief",
        key=f"brief/{slug}/{phase.no}.{phase.rev}/{battle.key}",
        context={"brief": brief, "battle_link": link("battle", slug, battle.key)},
        phase=phase,
    )
