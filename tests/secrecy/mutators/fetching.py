"""Who fetches pictures by links, and the links of others (M22).

Open to an audience are its own links with all who fetched them; to everybody the addresses of the public pictures.
"""

from datetime import timedelta

from campaign.core import clock
from campaign.engine.values.ids import PUBLIC
from campaign.links import PICTURES, make_link, revoke_link
from campaign.models import Fetch, Link
from campaign.viewers import viewer_of
from tests.secrecy.campaigns import SLUG, last_with_pictures, person, tokens_of
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.others import others


def fetches(change: Change) -> bool:
    """Enemies, strangers and the GM fetch pictures, and did so long ago; enemies revoke links and make others."""
    chance = change.chance
    tokens = [token for whose in (*change.foreign, PUBLIC) for token in tokens_of(whose)]
    names = [user.username for user in others(change)]
    change.world.browsers["passer-by"] = change.world.stranger("passer-by")
    for token in chance.sample(tokens, k=min(4, len(tokens))):
        change.world.ask(chance.choice([*names, "passer-by"]), "GET", f"/m/{token}.png")
    _long_ago(change, tokens)
    for side in change.foreign:
        _relink(change, side)
    return bool(tokens)


def _long_ago(change: Change, tokens: list[str]) -> None:
    now = clock.now()
    for link in Link.objects.filter(token__in=tokens):
        Fetch.objects.get_or_create(
            link=link,
            mark=f"{change.chance.getrandbits(48):012x}",
            defaults={
                "user": change.chance.choice([None, *others(change)]),
                "first_at": now - timedelta(days=change.chance.randint(2, 80)),
                "last_at": now - timedelta(days=1),
                "times": change.chance.randint(1, 99),
            },
        )


def _relink(change: Change, side: str) -> None:
    viewer, now = viewer_of(person(f"{side} commander"), SLUG), clock.now()
    for token in change.chance.sample(tokens_of(side), k=min(1, len(tokens_of(side)))):
        revoke_link(viewer, token, now=now)
    for kind in PICTURES:  # of those that still have a link nothing is made
        make_link(viewer, last_with_pictures(), side, kind, now=now)
