"""What reaches limits, done once: a sheet, a report, a picture, a request. None if nobody of these people can do it."""

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from unittest import mock

from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.engine.values.ids import PUBLIC
from campaign.handling import DEFAULTS
from campaign.models import Battle, Phase, PhaseState, User
from campaign.people import desks
from campaign.selectors import mark_of, open_phase
from campaign.viewers import viewer_of
from posting.network import NotReached
from tests.secrecy.campaigns import ELSEWHERE, SLUG, address, live, tokens_of
from tests.secrecy.chance import CHANCE
from tests.secrecy.forum import FORUM
from tests.secrecy.steps.calendars import new_feed
from tests.secrecy.steps.plan import HERE
from tests.secrecy.steps.stories import written_of
from tests.secrecy.worlds import Answer, World


@dataclass(frozen=True)
class People:
    """Those who reach limits: all of one side, or all who have none."""

    side: str
    person: str
    """With an account."""
    stranger: str
    gm: str
    slug: str
    """The campaign that the GM leads."""

    @property
    def commander(self) -> str:
        return f"{self.side} commander"


def sheet(text: str = "", **more: Any) -> Callable[[World, People], Answer | None]:
    """Ask for an answer to a sheet, which is not stored."""

    def once(world: World, people: People) -> Answer | None:
        with world.present():
            phase = live()
        if not people.side or phase is None:
            return None
        form = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "act": "check", "text": text, **more}
        return world.ask(people.commander, "POST", f"{HERE}orders/HQ/", form)

    return once


def typed(world: World, people: People) -> Answer | None:
    return world.ask(people.commander, "POST", f"{HERE}orders/HQ/check/", {"text": ""}) if people.side else None


def battle(rest: str = "", **form: Any) -> Callable[[World, People], Answer | None]:
    """Answer a battle's report as it never was, which changes nothing; or send something else about a battle."""

    def once(world: World, people: People) -> Answer | None:
        with world.present():
            waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN).order_by("key")
            battle = waiting.select_related("phase").first()
        if not people.side or battle is None:
            return None
        which = {"stop": battle.phase.no, "rev": battle.phase.rev, "seen": "none", "reply": ""}
        sent = {name: each() if callable(each) else each for name, each in form.items()}
        return world.ask(people.commander, "POST", f"{HERE}battles/{battle.key}/{rest}", {**which, **sent})

    return once


def page(name: str) -> Callable[[World, People], Answer | None]:
    """Ask for something that is drawn: what the own side received, or the public."""

    def once(world: World, people: People) -> Answer | None:
        who, where = (people.commander, HERE) if people.side else (people.stranger, f"{HERE}public/")
        with world.present():
            published = Phase.objects.filter(campaign__slug=SLUG, state=PhaseState.PUBLISHED)
            no = published.order_by("-no").values_list("no", flat=True)[0]
        return world.ask(who, "GET", where + name.format(no=no))

    return once


def listed(world: World, people: People) -> Answer | None:
    """Let two fetch a picture by a link of their side, one after the other, which its commander watches."""
    with world.present():
        tokens = tokens_of(people.side)
    if not people.side or not tokens:
        return None
    now = world.now
    for who in (people.commander, f"{people.side} deputy"):
        world.ask(who, "GET", f"/m/{tokens[0]}.png")
        world.now += timedelta(seconds=1)
    world.now = now  # no time passes in a mutator
    return world.ask(people.commander, "GET", f"{HERE}links/")


def founding(**more: Any) -> Callable[[World, People], Answer | None]:
    """Found a campaign under a name that is taken."""
    usual = {
        f"{weight.value}_{name}": value
        for weight, handling in DEFAULTS.items()
        for name, value in (("hours", handling.hours), ("mailing", handling.mailing.value))
    }
    names = {"title": "Once more", "slug": ELSEWHERE, "scenario": "forum_campaign/st-vith-1944", "time_zone": "UTC"}
    return lambda world, people: world.ask(people.person, "POST", "/new/", {**usual, **names, **more})


def mailing(world: World, people: People) -> Answer | None:
    """Set a deadline in the past, which is refused."""
    with world.present():
        phase = open_phase(viewer_of(User.objects.get(username=people.gm), people.slug))
    if phase is None:
        return None
    form = {"act": "extend", "seen": mark_of(phase), "until": "2020-01-01T12:00"}
    return world.ask(people.gm, "POST", f"/c/{people.slug}/desk/clock/", form)


def figures(world: World, people: People) -> Answer | None:
    """Ask for the statistics, as the game master."""
    return world.ask(people.gm, "GET", f"/c/{people.slug}/statistics/figures.csv")


def code(world: World, people: People) -> Answer | None:
    return _code_for(people.commander if people.side else people.person, world, people)


def other_code(world: World, people: People) -> Answer | None:
    return _code_for(f"nobody that {people.person} knows", world, people)


def _code_for(reader: str, world: World, people: People) -> Answer:
    """Ask for a sign-in code, in a browser in which nobody has signed in."""
    world.browsers[people.stranger] = world.stranger(people.stranger)
    return world.ask(people.stranger, "POST", "/account/login/", {"login": address(reader)})


def sign_up(world: World, people: People) -> Answer | None:
    world.browsers[people.stranger] = world.stranger(people.stranger)
    return world.ask(people.stranger, "POST", "/account/signup/", {"username": "new", "email": address("new")})


def posted(path: str, **form: Any) -> Callable[[World, People], Answer | None]:
    """Send a form, by somebody with an account."""
    return lambda world, people: world.ask(people.person, "POST", path, form)


def wrong_token(world: World, people: People) -> Answer | None:
    """Use the API with a token that is not valid."""
    check = "/api/v1/campaigns/none/desks/HQ/check/"
    return world.ask(people.person, "POST", check, {"text": ""}, json=True, Authorization="Bearer none")


def token(world: World, people: People) -> Answer | None:
    """Make a token for a program."""
    form = {"act": "make", "label": "One more", "campaign": SLUG, "scopes": ["read"]}
    return world.ask(people.commander, "POST", "/profile/tokens/", form) if people.side else None


def absence(world: World, people: People) -> Answer | None:
    """Book an absence; the next page says whether it is booked."""
    if not people.side:
        return None
    form = {"since": "", "until": f"{world.now + timedelta(days=2):%Y-%m-%d}", "deputy": "", "why": ""}
    world.ask(people.commander, "POST", f"{HERE}people/away/", form)
    return world.ask(people.commander, "GET", f"{HERE}people/")


def destination(world: World, people: People) -> Answer | None:
    """Have reports posted on a forum, as the game master."""
    form = {"kind": "discourse", "address": FORUM, "thread": "999", "acts_as": "umpire", "key": "k" * 8}
    return world.ask(people.gm, "POST", f"/c/{people.slug}/desk/destinations/", {"audience": PUBLIC, **form})


def feed(world: World, people: People) -> Answer | None:
    """Read a calendar by its secret address."""
    if not people.side:
        return None
    with world.present():
        CHANCE.of("feed", people.commander)
        path = new_feed(people.commander, SLUG)
    world.browsers[people.stranger] = world.stranger(people.stranger)
    return world.ask(people.stranger, "GET", path)


def inviting(world: World, people: People) -> Answer | None:
    form = {"invite-role": "spectator", "invite-side": "", "invite-meant_for": "", "invite-addresses": ""}
    return world.ask(people.gm, "POST", f"/c/{people.slug}/people/invite/", form)


def comment(text: str = "") -> Callable[[World, People], Answer | None]:
    """Write a comment in the staff room, which is refused if it is empty."""

    def once(world: World, people: People) -> Answer | None:
        with world.present():
            phase = live()
        if not people.side or phase is None:
            return None
        form = {"act": "write", "phase": f"{phase.no}.{phase.rev}", "text": text}
        return world.ask(people.commander, "POST", f"{HERE}staff/", form)

    return once


def story(*pictures: bytes, **form: Any) -> Callable[[World, People], Answer | None]:
    """Write the story of a battle, which is refused without words."""

    def once(world: World, people: People) -> Answer | None:
        found = written_of(world, people.side) if people.side else None
        if found is None:
            return None
        files = [SimpleUploadedFile("photo.jpg", each, "image/jpeg") for each in pictures]
        sent = {"act": "save", "text": "", "seen": found[2], **form, **({"picture": files} if files else {})}
        return world.ask(found[1], "POST", found[0], sent)

    return once


def question(text: str = "", line: str = "") -> Callable[[World, People], Answer | None]:
    """Ask the game master something."""

    def once(world: World, people: People) -> Answer | None:
        form = {"act": "ask", "text": text or "May they?", "rule": "", "line": line}
        return world.ask(people.commander, "POST", f"{HERE}questions/", form) if people.side else None

    return once


def sized(width: int, height: int) -> bytes:
    """A picture that says of itself that it has this size."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, (head, b"IDAT" + zlib.compress(b"\0"), b"IEND")))


def _chunk(content: bytes) -> bytes:
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))


def read_by_program(world: World, people: People) -> Answer | None:
    return world.ask(people.person, "GET", "/api/v1/campaigns/", json=True)


def archive(world: World, people: People) -> Answer | None:
    """Ask for an archive that nobody may have."""
    return world.ask(people.gm, "POST", f"/c/{people.slug}/archive/", {"audience": "nobody"})


def webhook(world: World, people: People) -> Answer | None:
    """Set a webhook for oneself. Nobody is asked."""
    webhook = f"https://discord.com/api/webhooks/1234567890/{'k' * 30}"
    with mock.patch("posting.adapters.places.send", side_effect=NotReached("nobody is there")):
        return world.ask(people.person, "POST", "/profile/discord/", {"act": "save", "address": webhook})


def desk(world: World, people: People) -> Answer | None:
    form = {"name": "D" * (desks.LONGEST_DESK_NAME + 1), "holder": f"{people.side} staff", "formations": []}
    return world.ask(people.commander, "POST", f"{HERE}people/desks/{people.side}/", form) if people.side else None
