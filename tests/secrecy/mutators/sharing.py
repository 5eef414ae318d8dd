"""What the players of battles share that the observer does not fight (M31): files, times to play, maps, pictures."""

from datetime import timedelta
from random import Random

from campaign.core import clock
from campaign.engine.values.ids import PUBLIC
from campaign.models import Battle, BattleFile, BattleMap, PhaseState, PlayingTime, User
from stories.models import MapPicture
from tests.secrecy.campaigns import SLUG, person
from tests.secrecy.mutators.change import Change
from tests.secrecy.steps.battles import tell

_LONG_AGO = 3
"""Phases after which nothing brings a battle back."""


def share(change: Change) -> bool:
    """Enemies share what they like in battles that are nobody else's, and a map of a place that the observer has not.

    A side fights in every battle of a game for two: for a side these are battles of long ago, but maps of any time.
    """
    battles = Battle.objects.filter(phase__campaign__slug=SLUG).select_related(
        "phase__campaign", "attacking_player", "defending_player"
    )
    newest = battles.order_by("phase__no").last()
    if newest is None:
        return False
    public = change.observer == PUBLIC
    found = list(battles.filter(phase__no__lte=newest.phase.no - (0 if public else _LONG_AGO)).order_by("pk"))
    for battle in battles.order_by("pk"):
        _remember(battle, person(f"{change.enemy} commander"), change.chance)
    for battle in found:
        _write(battle, person(f"{change.enemy} commander"), change.chance)
        if public and battle.phase.state == PhaseState.OPEN:
            for side, act in ((battle.attacker, "propose"), (battle.defender, "accept"), (battle.attacker, "map")):
                tell(change.world, f"{side} commander", battle, act, change.chance)
    return True


def _write(battle: Battle, author: User, chance: Random) -> None:
    """Write rows as enemies would, some of them withdrawn."""
    side, now = battle.attacker, clock.now() - timedelta(minutes=chance.randint(1, 500))
    link = f"https://example.org/{chance.random()}"
    BattleFile.objects.create(battle=battle, side=side, author=author, link=link, note="A secret note.", at=now)
    for ended in (True, False):
        PlayingTime.objects.create(
            battle=battle,
            side=side,
            author=author,
            begins_at=now + timedelta(days=chance.randint(2, 9)),
            proposed_at=now,
            accepted_by=author,
            accepted_at=now,
            ended_by=side if ended else "",
            ended_at=now if ended else None,
        )


def _remember(battle: Battle, author: User, chance: Random) -> None:
    """Remember maps of a place in which nobody fights now, one of them withdrawn, each with a picture."""
    side, now = battle.attacker, clock.now() - timedelta(minutes=chance.randint(1, 500))
    for ended in (True, False):
        BattleMap.objects.create(
            campaign=battle.phase.campaign,
            place=f"behind {battle.key}",
            side=side,
            author=author,
            name=f"A secret map {chance.random()}",
            link=f"https://example.org/{chance.random()}",
            notes="Secret notes.",
            at=now,
            withdrawn_at=now if ended else None,
        )
        token, whole, small = (chance.randbytes(length).hex() for length in (16, 32, 32))
        size = {"width": 40, "height": 30, "size": chance.randint(500, 900)}
        MapPicture.objects.create(
            campaign=battle.phase.campaign,
            place=f"behind {battle.key}",
            side=side,
            author=author,
            token=token,
            stored_picture={"token": token, "kind": "jpeg", "digest": whole, "thumbnail": small, **size},
            at=now,
        )
