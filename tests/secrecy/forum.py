"""The forums of a world: they take whatever is posted, and keep what they were asked, and when."""

import json
from dataclasses import dataclass
from datetime import datetime

from posting.network import AddressRefused, Answer, Request
from tests.secrecy import worlds
from tests.secrecy.chance import CHANCE

FORUM = "https://forum.example.org"
CHANNEL = "https://discord.com/api/webhooks/123456789"
"""Where the observer is called: without the key, which comes last."""


@dataclass(frozen=True)
class Asked:
    """What a forum was asked."""

    at: datetime
    request: Request


def answer(request: Request, **_patience: float) -> Answer:
    """What a forum of the present world answers, in place of the network. Raises AddressRefused for one without TLS."""
    if not request.url.startswith("https://"):
        raise AddressRefused("nobody is asked without TLS")
    asked = worlds.present_world().asked_elsewhere
    asked.append(Asked(CHANCE.now, request))
    number = sum(each.request.url.startswith(request.url.partition("?")[0]) for each in asked)
    said = {"id": number, "short_url": "upload://picture.png", "width": 800, "height": 600}
    return Answer(200, {}, json.dumps(said).encode())
