"""Mails about a battle: to its players and their commanders, and to the GMs."""

from campaign.engine.briefs import Brief
from campaign.mail.messages import Extras, link, message_to, present_members
from campaign.mail.outbox import MailMessage
from campaign.models import Battle, Membership, Role
from campaign.viewers import Viewer
from orders.battles.reading import fights, mark_of

_DESK = Extras(template="desk")


def brief_message(battle: Battle, member: Membership, brief: Brief) -> MailMessage:
    """The brief of a battle for its player, who gets it once, however often they are named."""
    return message_to(
        member,
        kind="brief",
        key=_key("brief", battle),
        context={"brief": brief, "battle_link": _link(battle)},
        phase=battle.phase,
    )


def reported_messages(battle: Battle) -> list[MailMessage]:
    """The messages to those who fight for the other side: there is a report to answer, and until when."""
    until = "The campaign is paused, so the time to answer does not run now." if battle.phase.held else ""
    if not until and battle.accepts_at is not None:
        until = f"If nobody answers by {battle.accepts_at:%-d %B %Y, %H:%M} UTC, it is accepted."
    context = {
        "subject": "your battle",
        "heading": "A battle report needs your answer",
        "what": f"The other side reported the result of the battle of {battle.key}.",
        "to_do": f"Please confirm or dispute it. {until}".strip(),
        "button": "See the report",
        "desk_link": _link(battle),
    }
    other = battle.defender if battle.reported_by == battle.attacker else battle.attacker
    return _messages("reported", battle, fighters(battle, other), context)


def disputed_messages(battle: Battle) -> list[MailMessage]:
    """The messages to the GMs and to the reporter: the two players of a battle disagree on its result."""
    context = {
        "subject": "a disputed battle",
        "heading": "A battle result is disputed",
        "what": f"The result of the battle of {battle.key} is disputed.",
        "to_do": "Both sides can describe what happened. Then the GM decides the result.",
        "button": "See the battle",
        "desk_link": _link(battle),
    }
    game_masters = present_members(battle.phase.campaign).filter(role=Role.GM)
    return _messages("disputed", battle, [*game_masters, *fighters(battle, battle.reported_by)], context)


def fighters(battle: Battle, side: str) -> list[Membership]:
    """Those who report and answer for a side, and have an address."""
    members = present_members(battle.phase.campaign).filter(side=side)
    return [member for member in members if fights(Viewer(member.campaign, member.user, member), battle)]


def _messages(kind: str, battle: Battle, members: list[Membership], context: dict[str, str]) -> list[MailMessage]:
    key = f"{_key(kind, battle)}/{mark_of(battle)}"
    return [
        message_to(member, kind=kind, key=key, context=context, phase=battle.phase, extras=_DESK) for member in members
    ]


def _key(kind: str, battle: Battle) -> str:
    phase = battle.phase
    return f"{kind}/{phase.campaign.slug}/{phase.no}.{phase.rev}/{battle.key}"


def _link(battle: Battle) -> str:
    return link("battle", battle.phase.campaign.slug, battle.key)
