"""Limits: somebody does once more than the product allows. Those of how often are lowered meanwhile, to once.

A limit is named like the constant or setting that declares it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest import mock

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from api import tokens
from campaign import links
from campaign.engine.orders import notation
from campaign.forms.schedules import LONGEST_PHASE
from campaign.people import absences, throttles
from campaign.people.throttles import Limit
from orders.battles import files, maps, reporting
from posting import destinations
from questions import writing as asking
from questions.reading import LONGEST_LINE
from staff import writing
from stories import decoding, uploads, words
from stories import maps as map_pictures
from stories import writing as story_writing
from tests.secrecy.campaigns import ELSEWHERE
from tests.secrecy.steps import attempts
from tests.secrecy.steps.attempts import People
from tests.secrecy.steps.plan import Plan, Step
from tests.secrecy.steps.stories import picture
from tests.secrecy.worlds import ANONYMOUS, Answer, World


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


# --- the limits ------------------------------------------------------------------------------------------------------

_LINK = "https://example.org/"
_TOO_LARGE, _TOO_OFTEN, _TODAY = "400", "Too many attempts", "Too many codes were requested"

OF_ALL: Mapping[str, Reach] = {
    "campaign.people.throttles.ENTRANCES": Reach(
        attempts.posted("/enter/", sesame="none"), lowered=_to_one(throttles.ENTRANCES)
    ),
    "campaign.people.throttles.REPLAYS": Reach(attempts.page("replay.webp"), lowered=_to_one(throttles.REPLAYS)),
    "campaign.people.throttles.DRAWINGS": Reach(
        attempts.page("stops/{no}/drawn.png"), lowered=_to_one(throttles.DRAWINGS)
    ),
    "campaign.people.throttles.PLOTS": Reach(attempts.figures, lowered=_to_one(throttles.PLOTS)),
    "campaign.people.throttles.BOARDS": Reach(attempts.page("board/sheet.png"), lowered=_to_one(throttles.BOARDS)),
    "campaign.people.throttles.COMMENTS": Reach(attempts.comment(), lowered=_to_one(throttles.COMMENTS)),
    "campaign.people.throttles.QUESTIONS": Reach(attempts.question(), lowered=_to_one(throttles.QUESTIONS)),
    "campaign.people.throttles.DESTINATIONS": Reach(attempts.webhook, lowered=_to_one(throttles.DESTINATIONS)),
    "questions.writing.LONGEST": Reach(attempts.question("x" * (asking.LONGEST + 1)), "422"),
    "questions.reading.LONGEST_LINE": Reach(attempts.question(line="x" * (LONGEST_LINE + 1)), "422"),
    "questions.writing.MOST_OPEN": Reach(
        attempts.question("How many may wait?"), "the most that can", lambda: mock.patch.object(asking, "MOST_OPEN", 0)
    ),
    "staff.writing.LONGEST": Reach(attempts.comment("x" * (writing.LONGEST + 1)), "422"),
    "staff.writing.MOST_IN_A_PHASE": Reach(
        attempts.comment("Hold them."), "the most that it can", lambda: mock.patch.object(writing, "MOST_IN_A_PHASE", 0)
    ),
    "campaign.people.throttles.FOUNDINGS": Reach(attempts.founding(), lowered=_to_one(throttles.FOUNDINGS)),
    "campaign.people.throttles.PRACTICES": Reach(
        attempts.posted("/practice/", part="forum_campaign/st-vith-1944/german"), lowered=_to_one(throttles.PRACTICES)
    ),
    "campaign.people.throttles.TOKENS": Reach(
        attempts.posted("/profile/tokens/", act="make"), lowered=_to_one(throttles.TOKENS)
    ),
    "api.tokens.MOST": Reach(attempts.token, "Revoke one first", lambda: mock.patch.object(tokens, "MOST", 0)),
    "campaign.people.absences.MOST_ABSENCES": Reach(
        attempts.absence, "End one of them first", lambda: mock.patch.object(absences, "MOST_ABSENCES", 0)
    ),
    "posting.destinations.MOST": Reach(
        attempts.destination, "the most that there can be", lambda: mock.patch.object(destinations, "MOST", 0)
    ),
    "campaign.people.throttles.WRONG_TOKENS": Reach(attempts.wrong_token, lowered=_to_one(throttles.WRONG_TOKENS)),
    "campaign.people.throttles.FEEDS": Reach(attempts.feed, lowered=_to_one(throttles.FEEDS)),
    "campaign.people.throttles.INVITATIONS": Reach(attempts.inviting, lowered=_to_one(throttles.INVITATIONS)),
    "campaign.people.throttles.ARCHIVES": Reach(attempts.archive, lowered=_to_one(throttles.ARCHIVES)),
    "campaign.people.throttles.READS": Reach(attempts.read_by_program, lowered=_to_one(throttles.READS)),
    "campaign.people.throttles.MAILINGS": Reach(attempts.mailing, lowered=_to_one(throttles.MAILINGS)),
    "deploy.settings.ACCOUNT_RATE_LIMITS signup": Reach(attempts.sign_up, lowered=_ONE_OF_STRANGERS),
    "deploy.settings.ACCOUNT_RATE_LIMITS request_login_code": Reach(attempts.other_code, _TOO_OFTEN, _ONE_OF_STRANGERS),
    "campaign.people.throttles.CODES_A_DAY": Reach(attempts.code, _TODAY, _to_one(throttles.CODES_A_DAY)),
    "campaign.people.throttles.CODES_TO_ALL": Reach(attempts.code, _TODAY, _to_one(throttles.CODES_TO_ALL)),
    "campaign.people.throttles.CODES": Reach(attempts.code, _TOO_OFTEN, _to_one(throttles.CODES)),
    "deploy.settings.DATA_UPLOAD_MAX_MEMORY_SIZE": Reach(
        attempts.posted("/profile/", time_zone="U" * 500), _TOO_LARGE, _set(DATA_UPLOAD_MAX_MEMORY_SIZE=400)
    ),
    "deploy.settings.DATA_UPLOAD_MAX_NUMBER_FIELDS": Reach(
        attempts.posted("/profile/", time_zone="UTC", more="", most=""),
        _TOO_LARGE,
        _set(DATA_UPLOAD_MAX_NUMBER_FIELDS=2),
    ),
    "deploy.settings.DATA_UPLOAD_MAX_NUMBER_FILES": Reach(
        attempts.posted("/profile/", time_zone=SimpleUploadedFile("a.txt", b"a")), _TOO_LARGE
    ),
    "campaign.people.desks.LONGEST_DESK_NAME": Reach(attempts.desk, "422"),
    "campaign.forms.schedules.LONGEST_PHASE": Reach(attempts.founding(full_hours=LONGEST_PHASE + 1), "422"),
    "campaign.links.MOST_VISITS": Reach(
        attempts.listed, "more, not listed", lambda: mock.patch.object(links, "MOST_VISITS", 1)
    ),
}
"""Those that anybody may reach, or any side."""
OF_SHEETS: Mapping[str, Reach] = {
    "campaign.people.throttles.SHEETS": Reach(attempts.sheet(), lowered=_ONE_TEXT),
    "campaign.people.throttles.TYPING": Reach(attempts.typed, lowered=_ONE_TEXT),
    "campaign.engine.orders.notation.MOST_CHARACTERS": Reach(
        attempts.sheet("#" * (notation.MOST_CHARACTERS + 1)), "characters; at most"
    ),
    "campaign.engine.orders.notation.MOST_LINES": Reach(
        attempts.sheet("\n" * notation.MOST_LINES + "#"), "lines are read"
    ),
    "campaign.engine.orders.notation.MOST_IN_A_LINE": Reach(
        attempts.sheet("x" * (notation.MOST_IN_A_LINE + 1)), "line can have at most"
    ),
}
"""Those that a side may reach while its orders are asked for."""
OF_BATTLES: Mapping[str, Reach] = {
    "campaign.people.throttles.REPORTS": Reach(attempts.battle(act="confirm"), lowered=_ONE_TEXT),
    "orders.battles.reporting.LONGEST_STATEMENT": Reach(
        attempts.battle(act="dispute", statement="x" * (reporting.LONGEST_STATEMENT + 1), link=""), "422"
    ),
    "orders.battles.reporting._LONGEST_LINK": Reach(
        attempts.battle(act="dispute", statement="x", link=_LINK + "x" * reporting._LONGEST_LINK), "422"
    ),
    "orders.battles.files.LONGEST_NOTE": Reach(
        attempts.battle(act="file", file_link=_LINK, file_note="x" * (files.LONGEST_NOTE + 1)), "422"
    ),
    "orders.battles.maps.LONGEST_NAME": Reach(
        attempts.battle(act="map", map_name="x" * (maps.LONGEST_NAME + 1)), "422"
    ),
    "orders.battles.maps.LONGEST_NOTES": Reach(
        attempts.battle(act="map", map_name="x", map_notes="x" * (maps.LONGEST_NOTES + 1)), "422"
    ),
    "orders.battles.meetings.LONGEST_AHEAD": Reach(attempts.battle(act="propose", time_1="2999-01-01T12:00"), "422"),
    "campaign.people.throttles.STORIES": Reach(attempts.story(), lowered=_to_one(throttles.STORIES)),
    "campaign.people.throttles.PICTURES": Reach(attempts.story(b"none"), lowered=_to_one(throttles.PICTURES)),
    "campaign.people.throttles.PICTURES_A_DAY": Reach(
        attempts.story(b"none"), lowered=_to_one(throttles.PICTURES_A_DAY)
    ),
    "stories.words.LONGEST": Reach(attempts.story(text="x" * (words.LONGEST + 1)), "422"),
    "stories.words.LONGEST_CAPTION": Reach(attempts.story(caption="x" * (words.LONGEST_CAPTION + 1)), "422"),
    "stories.decoding.MOST_BYTES": Reach(
        attempts.story(b"\xff\xd8\xff".ljust(decoding.MOST_BYTES + 1, b"0")), "MB are the most", _many_pictures
    ),
    "stories.decoding.MOST_PIXELS": Reach(
        attempts.story(attempts.sized(7000, 7000)), "7,000 × 7,000 pixels", _many_pictures
    ),
    "stories.decoding.LONGEST_SIDE": Reach(
        attempts.story(attempts.sized(decoding.LONGEST_SIDE + 1, 1)), "pixels on a side", _many_pictures
    ),
    "stories.writing.MOST_PICTURES": Reach(attempts.story(picture("blue").read()), "at most 0 pictures", _no_pictures),
    "stories.maps.MOST": Reach(
        attempts.battle("map/", act="map_picture", picture=lambda: picture("blue")),
        "a map has at most 0",
        _no_map_pictures,
    ),
    "stories.uploads.MOST_IN_A_REQUEST": Reach(
        attempts.story(b"none"), _TOO_LARGE, lambda: mock.patch.object(uploads, "MOST_IN_A_REQUEST", 100)
    ),
}
"""Those that a side may reach while a battle waits for its result."""
BY_STEP = {"limits": OF_ALL, "limits of sheets": OF_SHEETS, "limits of battles": OF_BATTLES}
"""By step: the limits that are reached in it."""
LIMITS: Mapping[str, Reach] = {name: reach for declared in BY_STEP.values() for name, reach in declared.items()}
