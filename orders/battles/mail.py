"""News of battles for their players and commanders, and for the GMs: one mail gathers it."""

from datetime import datetime

from django.utils import timezone
from django.utils.html import strip_tags

from campaign.core import clock
from campaign.engine.values.ids import GM
from campaign.fighting import fights, meeting_of, player_of
from campaign.mail.messages import link, present_members, to_member
from campaign.mail.news import NewsItem
from campaign.models import Battle, BattleState, MailNews, Membership, PhaseState, Role
from campaign.services import battle_title
from campaign.templatetags.fieldpost import moment
from campaign.viewers import Viewer
from orders.battles.reading import mark_of

BRIEF, REPORTED, DISPUTED, MEETING = "brief", "reported", "disputed", "meeting"


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


def met(battle: Battle, side: str, now: datetime) -> list[NewsItem]:
    """The news for those who fight against a side that has just proposed, accepted or withdrawn times to play."""
    other = battle.defender if side == battle.attacker else battle.attacker
    return _to_all(MEETING, battle, fighters(battle, other), "", event=f"{now:%y%m%d%H%M%S%f}")


def is_still(news: MailNews, battle: Battle, viewer: Viewer) -> bool:
    """Whether news of a battle is still true, and still for this reader."""
    if battle.phase.state != PhaseState.OPEN:
        return False
    if news.kind == BRIEF:
        return player_of(battle, viewer.side) == viewer.membership
    if news.kind == MEETING:
        return bool(said_of_meeting(viewer, battle))
    reader = viewer.audience == GM or fights(viewer, battle)
    if news.kind == REPORTED:
        return reader and battle.state == BattleState.REPORTED and battle.reported_by != viewer.side
    return reader and battle.state == BattleState.DISPUTED


def said_of_meeting(viewer: Viewer, battle: Battle) -> str:
    """What the other player of a battle proposes, has agreed to or withdrawn, by the reader's clock; empty: nothing."""
    if not fights(viewer, battle):
        return ""
    meeting = meeting_of(viewer, battle)
    times = "; ".join(_by_clock_of(viewer, each.begins_at) for each in meeting.open)
    if meeting.agreed is not None:
        return f"{_title(battle)}. You have agreed to play on {times}."
    if meeting.open:
        asks = f"The other player would play on: {times}. Accept a time, or propose others."
        return "" if meeting.by == viewer.side else f"{_title(battle)}. {asks}"
    ended = meeting.last_ended
    if ended is None or ended.ended_by == viewer.side:
        return ""
    return f"{_title(battle)}. The other player withdrew what they had proposed or agreed to."


def _title(battle: Battle) -> str:
    return battle_title(battle.phase.campaign, battle.key)


def _by_clock_of(viewer: Viewer, at: datetime) -> str:
    with timezone.override(clock.zone(viewer.person.time_zone)):
        return strip_tags(moment(at))


def fighters(battle: Battle, side: str) -> list[Membership]:
    """Those who report and answer for a side, and have an address."""
    members = present_members(battle.phase.campaign).filter(side=side)
    return [member for member in members if fights(Viewer(member.campaign, member.user, member), battle)]


def _to_all(kind: str, battle: Battle, members: list[Membership], text: str, *, event: str = "") -> list[NewsItem]:
    key, news = f"{_key(kind, battle)}/{event or mark_of(battle)}", []
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
        text=f"{_title(battle)}. {text}" if text else "",
        page=link("battle", battle.phase.campaign.slug, battle.key),
    )


def _key(kind: str, battle: Battle) -> str:
    phase = battle.phase
    return f"{kind}/{phase.campaign.slug}/{phase.no}.{phase.rev}/{battle.key}"
