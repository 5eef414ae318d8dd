"""Limits: somebody does once more than the product allows. Those of how often are lowered meanwhile, to once.

A limit is named like the constant or setting that declares it.
"""

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any
from unittest import mock

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from campaign import links
from campaign.engine.orders import notation
from campaign.forms.schedules import LONGEST_PHASE
from campaign.handling import DEFAULTS
from campaign.models import Battle, Phase, PhaseState, User
from campaign.people import desks, throttles
from campaign.people.throttles import Limit
from campaign.selectors import mark_of, open_phase
from campaign.viewers import viewer_of
from orders.battles import files, maps, reporting
from posting.network import NotReached
from questions import writing as asking
from questions.reading import LONGEST_LINE
from staff import writing
from stories import decoding, uploads, words
from stories import maps as map_pictures
from stories import writing as story_writing
from tests.secrecy.campaigns import ELSEWHERE, SLUG, address, live, tokens_of
from tests.secrecy.chance import CHANCE
from tests.secrecy.steps.calendars import new_feed
from tests.secrecy.steps.plan import HERE, Plan, Step
from tests.secrecy.steps.stories import picture, written_of
from tests.secrecy.worlds import ANONYMOUS, Answer, World


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


@dataclass(frozen=True)
class Reach:
    """How to reach a limit."""

    once: Callable[[World, People], Answer | None]
    """Do what it limits. None if nobody of these can."""
    says: str = "429"
    """The status of the refusal, or words in it."""
    lowered: Callable[[], AbstractContextManager[object]] = nullcontext
    """A context in which the product allows it once."""


def step(declared: Mapping[str, Reach]) -> Step:
    """Reach these limits."""

    def reached(world: World, plan: Plan, _chance: Random) -> list[Answer]:
        side = plan.observer if plan.playing else ""
        found = {
            name: reach(world, limit, People(side, "outsider", ANONYMOUS, "other gm", ELSEWHERE))
            for name, limit in declared.items()
        }
        plan.reached.update(
            name for name, answers in found.items() if answers and _refuses(declared[name], answers[-1])
        )
        return [answer for answers in found.values() for answer in answers]

    return reached


def reach(world: World, limit: Reach, people: People) -> list[Answer]:
    """Do it until the limit is reached, and at most twice."""
    answers = list[Answer]()
    with world.present(), limit.lowered():  # the world first, as its service remembers other values
        while len(answers) < 2 and not (answers and _refuses(limit, answers[-1])):
            answer = limit.once(world, people)
            if answer is None:
                break
            answers.append(answer)
    return answers


def _refuses(limit: Reach, answer: Answer) -> bool:
    return str(answer.status) == limit.says or limit.says in answer.text


# --- what is lowered -------------------------------------------------------------------------------------------------


def _to_one(limit: Limit) -> Callable[[], AbstractContextManager[object]]:
    @contextmanager
    def lowered() -> Iterator[None]:
        before = {"most": limit.most, "strangers": limit.strangers}
        for name, number in before.items():
            object.__setattr__(limit, name, number and 1)
        try:
            yield
        finally:
            for name, number in before.items():
                object.__setattr__(limit, name, number)

    return lowered


@contextmanager
def _many_pictures() -> Iterator[None]:
    """No limit on how many pictures are sent a minute, so that the limits on each are reached."""
    before = throttles.PICTURES.most
    object.__setattr__(throttles.PICTURES, "most", 1000)
    try:
        yield
    finally:
        object.__setattr__(throttles.PICTURES, "most", before)


@contextmanager
def _no_pictures() -> Iterator[None]:
    with _many_pictures(), mock.patch.object(story_writing, "MOST_PICTURES", 0):
        yield


@contextmanager
def _no_map_pictures() -> Iterator[None]:
    with _many_pictures(), mock.patch.object(map_pictures, "MOST", 0):
        yield


def _set(**settings: Any) -> Callable[[], AbstractContextManager[object]]:
    return lambda: override_settings(**settings)


_ONE_TEXT = _set(SHEETS_PER_MINUTE=1)
_ONE_OF_STRANGERS = _set(ACCOUNT_RATE_LIMITS={"request_login_code": "1/m/ip", "signup": "1/m/ip"})


# --- what is done ----------------------------------------------------------------------------------------------------


def _sheet(text: str = "", **more: Any) -> Callable[[World, People], Answer | None]:
    """Ask for an answer to a sheet, which is not stored."""

    def once(world: World, people: People) -> Answer | None:
        with world.present():
            phase = live()
        if not people.side or phase is None:
            return None
        form = {"stop": phase.no, "rev": phase.rev, "version": 0, "newest": 0, "act": "check", "text": text, **more}
        return world.ask(people.commander, "POST", f"{HERE}orders/HQ/", form)

    return once


def _typed(world: World, people: People) -> Answer | None:
    return world.ask(people.commander, "POST", f"{HERE}orders/HQ/check/", {"text": ""}) if people.side else None


def _battle(rest: str = "", **form: Any) -> Callable[[World, People], Answer | None]:
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


def _page(name: str) -> Callable[[World, People], Answer | None]:
    """Ask for something that is drawn: what the own side received, or the public."""

    def once(world: World, people: People) -> Answer | None:
        who, where = (people.commander, HERE) if people.side else (people.stranger, f"{HERE}public/")
        with world.present():
            published = Phase.objects.filter(campaign__slug=SLUG, state=PhaseState.PUBLISHED)
            no = published.order_by("-no").values_list("no", flat=True)[0]
        return world.ask(who, "GET", where + name.format(no=no))

    return once


def _listed(world: World, people: People) -> Answer | None:
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


def _founding(**more: Any) -> Callable[[World, People], Answer | None]:
    """Found a campaign under a name that is taken."""
    usual = {
        f"{weight.value}_{name}": value
        for weight, handling in DEFAULTS.items()
        for name, value in (("hours", handling.hours), ("mailing", handling.mailing.value))
    }
    names = {"title": "Once more", "slug": ELSEWHERE, "scenario": "forum_campaign/st-vith-1944", "time_zone": "UTC"}
    return lambda world, people: world.ask(people.person, "POST", "/new/", {**usual, **names, **more})


def _mailing(world: World, people: People) -> Answer | None:
    """Set a deadline in the past, which is refused."""
    with world.present():
        phase = open_phase(viewer_of(User.objects.get(username=people.gm), people.slug))
    if phase is None:
        return None
    form = {"act": "extend", "seen": mark_of(phase), "until": "2020-01-01T12:00"}
    return world.ask(people.gm, "POST", f"/c/{people.slug}/desk/clock/", form)


def _figures(world: World, people: People) -> Answer | None:
    """Ask for the statistics, as the game master."""
    return world.ask(people.gm, "GET", f"/c/{people.slug}/statistics/figures.csv")


def _code(world: World, people: People) -> Answer | None:
    return _code_for(people.commander if people.side else people.person, world, people)


def _other_code(world: World, people: People) -> Answer | None:
    return _code_for(f"nobody that {people.person} knows", world, people)


def _code_for(reader: str, world: World, people: People) -> Answer:
    """Ask for a sign-in code, in a browser in which nobody has signed in."""
    world.browsers[people.stranger] = world.stranger(people.stranger)
    return world.ask(people.stranger, "POST", "/account/login/", {"login": address(reader)})


def _sign_up(world: World, people: People) -> Answer | None:
    world.browsers[people.stranger] = world.stranger(people.stranger)
    return world.ask(people.stranger, "POST", "/account/signup/", {"username": "new", "email": address("new")})


def _posted(path: str, **form: Any) -> Callable[[World, People], Answer | None]:
    """Send a form, by somebody with an account."""
    return lambda world, people: world.ask(people.person, "POST", path, form)


def _wrong_token(world: World, people: People) -> Answer | None:
    """Use the API with a token that is not valid."""
    check = "/api/v1/campaigns/none/desks/HQ/check/"
    return world.ask(people.person, "POST", check, {"text": ""}, json=True, Authorization="Bearer none")


def _feed(world: World, people: People) -> Answer | None:
    """Read a calendar by its secret address."""
    if not people.side:
        return None
    with world.present():
        CHANCE.of("feed", people.commander)
        path = new_feed(people.commander, SLUG)
    world.browsers[people.stranger] = world.stranger(people.stranger)
    return world.ask(people.stranger, "GET", path)


def _inviting(world: World, people: People) -> Answer | None:
    form = {"invite-role": "spectator", "invite-side": "", "invite-meant_for": "", "invite-addresses": ""}
    return world.ask(people.gm, "POST", f"/c/{people.slug}/people/invite/", form)


def _comment(text: str = "") -> Callable[[World, People], Answer | None]:
    """Write a comment in the staff room, which is refused if it is empty."""

    def once(world: World, people: People) -> Answer | None:
        with world.present():
            phase = live()
        if not people.side or phase is None:
            return None
        form = {"act": "write", "phase": f"{phase.no}.{phase.rev}", "text": text}
        return world.ask(people.commander, "POST", f"{HERE}staff/", form)

    return once


def _story(*pictures: bytes, **form: Any) -> Callable[[World, People], Answer | None]:
    """Write the story of a battle, which is refused without words."""

    def once(world: World, people: People) -> Answer | None:
        found = written_of(world, people.side) if people.side else None
        if found is None:
            return None
        files = [SimpleUploadedFile("photo.jpg", each, "image/jpeg") for each in pictures]
        sent = {"act": "save", "text": "", "seen": found[2], **form, **({"picture": files} if files else {})}
        return world.ask(found[1], "POST", found[0], sent)

    return once


def _question(text: str = "", line: str = "") -> Callable[[World, People], Answer | None]:
    """Ask the game master something."""

    def once(world: World, people: People) -> Answer | None:
        form = {"act": "ask", "text": text or "May they?", "rule": "", "line": line}
        return world.ask(people.commander, "POST", f"{HERE}questions/", form) if people.side else None

    return once


def _sized(width: int, height: int) -> bytes:
    """A picture that says of itself that it has this size."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, (head, b"IDAT" + zlib.compress(b"\0"), b"IEND")))


def _chunk(content: bytes) -> bytes:
    return struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))


def _read_by_program(world: World, people: People) -> Answer | None:
    return world.ask(people.person, "GET", "/api/v1/campaigns/", json=True)


def _archive(world: World, people: People) -> Answer | None:
    """Ask for an archive that nobody may have."""
    return world.ask(people.gm, "POST", f"/c/{people.slug}/archive/", {"audience": "nobody"})


def _webhook(world: World, people: People) -> Answer | None:
    """Set a webhook for oneself. Nobody is asked."""
    webhook = f"https://discord.com/api/webhooks/1234567890/{'k' * 30}"
    with mock.patch("posting.adapters.places.send", side_effect=NotReached("nobody is there")):
        return world.ask(people.person, "POST", "/profile/discord/", {"act": "save", "address": webhook})


def _desk(world: World, people: People) -> Answer | None:
    form = {"name": "D" * (desks.LONGEST_DESK_NAME + 1), "holder": f"{people.side} staff", "formations": []}
    return world.ask(people.commander, "POST", f"{HERE}people/desks/{people.side}/", form) if people.side else None


_LINK = "https://example.org/"
_TOO_LARGE, _TOO_OFTEN, _TODAY = "400", "Too many attempts", "Too many codes were requested"

OF_ALL: Mapping[str, Reach] = {
    "campaign.people.throttles.ENTRANCES": Reach(
        _posted("/enter/", sesame="none"), lowered=_to_one(throttles.ENTRANCES)
    ),
    "campaign.people.throttles.REPLAYS": Reach(_page("replay.webp"), lowered=_to_one(throttles.REPLAYS)),
    "campaign.people.throttles.DRAWINGS": Reach(_page("stops/{no}/drawn.png"), lowered=_to_one(throttles.DRAWINGS)),
    "campaign.people.throttles.PLOTS": Reach(_figures, lowered=_to_one(throttles.PLOTS)),
    "campaign.people.throttles.BOARDS": Reach(_page("board/sheet.png"), lowered=_to_one(throttles.BOARDS)),
    "campaign.people.throttles.COMMENTS": Reach(_comment(), lowered=_to_one(throttles.COMMENTS)),
    "campaign.people.throttles.QUESTIONS": Reach(_question(), lowered=_to_one(throttles.QUESTIONS)),
    "campaign.people.throttles.DESTINATIONS": Reach(_webhook, lowered=_to_one(throttles.DESTINATIONS)),
    "questions.writing.LONGEST": Reach(_question("x" * (asking.LONGEST + 1)), "422"),
    "questions.reading.LONGEST_LINE": Reach(_question(line="x" * (LONGEST_LINE + 1)), "422"),
    "questions.writing.MOST_OPEN": Reach(
        _question("How many may wait?"), "the most that can", lambda: mock.patch.object(asking, "MOST_OPEN", 0)
    ),
    "staff.writing.LONGEST": Reach(_comment("x" * (writing.LONGEST + 1)), "422"),
    "staff.writing.MOST_IN_A_PHASE": Reach(
        _comment("Hold them."), "the most that it can", lambda: mock.patch.object(writing, "MOST_IN_A_PHASE", 0)
    ),
    "campaign.people.throttles.FOUNDINGS": Reach(_founding(), lowered=_to_one(throttles.FOUNDINGS)),
    "campaign.people.throttles.PRACTICES": Reach(
        _posted("/practice/", part="forum_campaign/st-vith-1944/german"), lowered=_to_one(throttles.PRACTICES)
    ),
    "campaign.people.throttles.TOKENS": Reach(
        _posted("/profile/tokens/", act="make"), lowered=_to_one(throttles.TOKENS)
    ),
    "campaign.people.throttles.WRONG_TOKENS": Reach(_wrong_token, lowered=_to_one(throttles.WRONG_TOKENS)),
    "campaign.people.throttles.FEEDS": Reach(_feed, lowered=_to_one(throttles.FEEDS)),
    "campaign.people.throttles.INVITATIONS": Reach(_inviting, lowered=_to_one(throttles.INVITATIONS)),
    "campaign.people.throttles.ARCHIVES": Reach(_archive, lowered=_to_one(throttles.ARCHIVES)),
    "campaign.people.throttles.READS": Reach(_read_by_program, lowered=_to_one(throttles.READS)),
    "campaign.people.throttles.MAILINGS": Reach(_mailing, lowered=_to_one(throttles.MAILINGS)),
    "deploy.settings.ACCOUNT_RATE_LIMITS signup": Reach(_sign_up, lowered=_ONE_OF_STRANGERS),
    "deploy.settings.ACCOUNT_RATE_LIMITS request_login_code": Reach(_other_code, _TOO_OFTEN, _ONE_OF_STRANGERS),
    "campaign.people.throttles.CODES_A_DAY": Reach(_code, _TODAY, _to_one(throttles.CODES_A_DAY)),
    "campaign.people.throttles.CODES_TO_ALL": Reach(_code, _TODAY, _to_one(throttles.CODES_TO_ALL)),
    "campaign.people.throttles.CODES": Reach(_code, _TOO_OFTEN, _to_one(throttles.CODES)),
    "deploy.settings.DATA_UPLOAD_MAX_MEMORY_SIZE": Reach(
        _posted("/profile/", time_zone="U" * 500), _TOO_LARGE, _set(DATA_UPLOAD_MAX_MEMORY_SIZE=400)
    ),
    "deploy.settings.DATA_UPLOAD_MAX_NUMBER_FIELDS": Reach(
        _posted("/profile/", time_zone="UTC", more="", most=""), _TOO_LARGE, _set(DATA_UPLOAD_MAX_NUMBER_FIELDS=2)
    ),
    "deploy.settings.DATA_UPLOAD_MAX_NUMBER_FILES": Reach(
        _posted("/profile/", time_zone=SimpleUploadedFile("a.txt", b"a")), _TOO_LARGE
    ),
    "campaign.people.desks.LONGEST_DESK_NAME": Reach(_desk, "422"),
    "campaign.forms.schedules.LONGEST_PHASE": Reach(_founding(full_hours=LONGEST_PHASE + 1), "422"),
    "campaign.links.MOST_VISITS": Reach(
        _listed, "more, not listed", lambda: mock.patch.object(links, "MOST_VISITS", 1)
    ),
}
"""Those that anybody may reach, or any side."""
OF_SHEETS: Mapping[str, Reach] = {
    "campaign.people.throttles.SHEETS": Reach(_sheet(), lowered=_ONE_TEXT),
    "campaign.people.throttles.TYPING": Reach(_typed, lowered=_ONE_TEXT),
    "campaign.engine.orders.notation.MOST_CHARACTERS": Reach(
        _sheet("#" * (notation.MOST_CHARACTERS + 1)), "characters; at most"
    ),
    "campaign.engine.orders.notation.MOST_LINES": Reach(_sheet("\n" * notation.MOST_LINES + "#"), "lines are read"),
    "campaign.engine.orders.notation.MOST_IN_A_LINE": Reach(
        _sheet("x" * (notation.MOST_IN_A_LINE + 1)), "line can have at most"
    ),
}
"""Those that a side may reach while its orders are asked for."""
OF_BATTLES: Mapping[str, Reach] = {
    "campaign.people.throttles.REPORTS": Reach(_battle(act="confirm"), lowered=_ONE_TEXT),
    "orders.battles.reporting.LONGEST_STATEMENT": Reach(
        _battle(act="dispute", statement="x" * (reporting.LONGEST_STATEMENT + 1), link=""), "422"
    ),
    "orders.battles.reporting._LONGEST_LINK": Reach(
        _battle(act="dispute", statement="x", link=_LINK + "x" * reporting._LONGEST_LINK), "422"
    ),
    "orders.battles.files.LONGEST_NOTE": Reach(
        _battle(act="file", file_link=_LINK, file_note="x" * (files.LONGEST_NOTE + 1)), "422"
    ),
    "orders.battles.maps.LONGEST_NAME": Reach(_battle(act="map", map_name="x" * (maps.LONGEST_NAME + 1)), "422"),
    "orders.battles.maps.LONGEST_NOTES": Reach(
        _battle(act="map", map_name="x", map_notes="x" * (maps.LONGEST_NOTES + 1)), "422"
    ),
    "orders.battles.meetings.LONGEST_AHEAD": Reach(_battle(act="propose", time_1="2999-01-01T12:00"), "422"),
    "campaign.people.throttles.STORIES": Reach(_story(), lowered=_to_one(throttles.STORIES)),
    "campaign.people.throttles.PICTURES": Reach(_story(b"none"), lowered=_to_one(throttles.PICTURES)),
    "campaign.people.throttles.PICTURES_A_DAY": Reach(_story(b"none"), lowered=_to_one(throttles.PICTURES_A_DAY)),
    "stories.words.LONGEST": Reach(_story(text="x" * (words.LONGEST + 1)), "422"),
    "stories.words.LONGEST_CAPTION": Reach(_story(caption="x" * (words.LONGEST_CAPTION + 1)), "422"),
    "stories.decoding.MOST_BYTES": Reach(
        _story(b"\xff\xd8\xff".ljust(decoding.MOST_BYTES + 1, b"0")), "MB are the most", _many_pictures
    ),
    "stories.decoding.MOST_PIXELS": Reach(_story(_sized(7000, 7000)), "7,000 × 7,000 pixels", _many_pictures),
    "stories.decoding.LONGEST_SIDE": Reach(
        _story(_sized(decoding.LONGEST_SIDE + 1, 1)), "pixels on a side", _many_pictures
    ),
    "stories.writing.MOST_PICTURES": Reach(_story(picture("blue").read()), "at most 0 pictures", _no_pictures),
    "stories.maps.MOST": Reach(
        _battle("map/", act="map_picture", picture=lambda: picture("blue")), "a map has at most 0", _no_map_pictures
    ),
    "stories.uploads.MOST_IN_A_REQUEST": Reach(
        _story(b"none"), _TOO_LARGE, lambda: mock.patch.object(uploads, "MOST_IN_A_REQUEST", 100)
    ),
}
"""Those that a side may reach while a battle waits for its result."""
BY_STEP = {"limits": OF_ALL, "limits of sheets": OF_SHEETS, "limits of battles": OF_BATTLES}
"""By step: the limits that are reached in it."""
LIMITS: Mapping[str, Reach] = {name: reach for declared in BY_STEP.values() for name, reach in declared.items()}
