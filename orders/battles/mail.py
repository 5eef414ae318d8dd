"""News of battles for their players and commanders, and for the GMs: one mail gathers it."""

from campaign.engine.values.ids import GM
from campaign.mail.messages import link, present_members, to_member
from campaign.mail.news import NewsItem
from campaign.models import Battle, BattleState, MailNews, Membership, PhaseState, Role
from campaign.viewers import Viewer
from orders.battles.reading import fights, mark_of, player_of

BRIEF, REPORTED, DISPUTED = "brief", "reported", "disputed"


def assigned(battle: Battle, member: Membership) -> NewsItem:
    """The news for the player of a battle, who gets its brief once, however often they are named."""
    with to_member(member):
        return _news(BRIEF, battle, member, _key(BRIEF, battle), "You are the player for your side.")


def reported(battle: Battle) -> list[NewsItem]:
    """The news for those who fight for the other side: there is a report to answer."""
    other = battle.defender if battle.reported_by == battle.attacker else battle.attacker
    text = "The other side reported the result. Please confirm or dispute it."
    return _to_all(REPORTED, battle, fighters(battle, other), text)


def disputed(battle: Battle) -> list[NewsItem]:
    """The news for the GMs and the reporter: the two players of a battle disagree on its result."""
    game_masters = present_members(battle.phase.campaign).filter(role=Role.GM)
    text = "The result is disputed. Both sides can describe what happened. Then the GM decides."
    return _to_all(DISPUTED, battle, [*game_masters, *fighters(battle, battle.reported_by)], text)


def is_still(news: MailNews, battle: Battle, viewer: Viewer) -> bool:
    """Whether news of a battle is still true, and still for this reader."""
    if battle.phase.state != PhaseState.OPEN:
        return False
    if news.kind == BRIEF:
        return player_of(battle, viewer.side) == viewer.membership
    reader = viewer.audience == GM or fights(viewer, battle)
    if news.kind == REPORTED:
        return reader and battle.state == BattleState.REPORTED and battle.reported_by != viewer.side
    return reader and battle.state == BattleState.DISPUTED


def fighters(battle: Battle, side: str) -> list[Membership]:
    """Those who report and answer for a side, and have an address."""
    members = present_members(battle.phase.campaign).filter(side=side)
    return [member for member in members if fights(Viewer(member.campaign, member.user, member), battle)]


def _to_all(kind: str, battle: Battle, members: list[Membership], text: str) -> list[NewsItem]:
    key, news = f"{_key(kind, battle)}/{mark_of(battle)}", []
    for member in members:
        with to_member(member):
            news.append(_news(kind, battle, member, key, text))
    return news


def _news(kind: str, battle: Battle, member: Membership, key: str, text: str) -> NewsItem:
    return NewsItem(
        key=f"{key}/{member.user.username}",
        kind=kind,
        member=member,
        phase=battle.phase,
        battle=battle.key,
        text=f"Battle of {battle.key}. {text}",
        page=link("battle", battle.phase.campaign.slug, battle.key),
    )


def _key(kind: str, battle: Battle) -> str:
    phase = battle.phase
    return f"{kind}/{phase.campaign.slug}/{phase.no}.{phase.rev}/{battle.key}"
