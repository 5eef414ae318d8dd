"""Links in tests: made by the GM, allowed to everybody, followed."""

from typing import Any

from campaign.links import make_link
from campaign.models import Campaign
from campaign.viewers import Viewer, viewer_of
from tests.gm.campaigns import START
from tests.web.conftest import Cast


def gms(cast: Cast) -> Viewer:
    return viewer_of(cast.user("gm"), cast.campaign.slug)


def linked(cast: Cast, audience: str = "german", no: int = 0, kind: str = "map") -> str:
    """The path of a link that the GM has made."""
    return f"/m/{make_link(gms(cast), no, audience, kind, now=START).token}.png"


def allow(cast: Cast, *audiences: str) -> None:
    Campaign.objects.filter(pk=cast.campaign.pk).update(open_links=list(audiences))


def fetch(cast: Cast, who: str, path: str, address: str = "203.0.113.7") -> Any:
    return cast.browser(who).get(path, REMOTE_ADDR=address)
