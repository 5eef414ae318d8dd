"""What exists and is not for a reader looks like what does not exist: by every method, with forms and without."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from api.urls import urlpatterns as api_patterns
from campaign.mail.choices import KINDS
from campaign.models import Desk, Phase
from gm.urls import urlpatterns as gm_patterns
from tests.secrecy.asking.crawler import fillings, reversed_with, routes
from tests.secrecy.campaigns import ELSEWHERE, SLUG, game, leavers, live, tokens_of
from tests.secrecy.worlds import Answer, World

NOWHERE = "no-such-campaign"
Form = Mapping[str, Any]

GET, POST, EMPTY = "GET", "POST", "POST without a form"
METHODS = (GET, "HEAD", EMPTY, POST, "PUT", "DELETE", "OPTIONS")
"""Of requests; a POST is made with a form that would be valid, and without one."""
BY_LOT = 20
"""The number of further requests of each pair of worlds, out of all pairs and methods."""


@dataclass(frozen=True)
class Asked:
    """An address, with the form that belongs to it."""

    path: str
    form: Form = field(default_factory=dict)
    json: bool = False
    """Whether the form is sent as a program does."""


Pair = tuple[Asked, Asked]
"""Something that exists and is not for this reader, and something that does not exist."""


def requests(who: str, side: str, chance: Random) -> Iterator[tuple[str, Pair]]:
    """Methods and pairs for a reader: all pairs in the campaign by GET, and others by lot.

    Strangers have no business in the campaign at all, and nobody in another one but its game master.
    """
    yield from ((GET, pair) for pair in _in_the_campaign(side))
    every = list(pairs(who, side))
    yield from ((chance.choice(METHODS[1:]), pair) for pair in chance.choices(every, k=BY_LOT // 2))
    written = [pair for pair in every if pair[0].form]
    yield from ((method, chance.choice(written)) for method in chance.choices((GET, EMPTY, POST, POST), k=BY_LOT // 2))


def pairs(who: str, side: str) -> Iterator[Pair]:
    """All pairs for a reader."""
    yield from _in_the_campaign(side)
    yield from _elsewhere(who, side)


def ask(world: World, who: str, method: str, asked: Asked) -> Answer:
    """The answer, without the requested address, which redirects to the sign-in page contain."""
    form = asked.form if method == POST or (method == "PUT" and asked.json) else None
    answer = world.ask(
        who, "POST" if method == EMPTY else method, asked.path, form, json=asked.json and form is not None
    )
    return _without_its_address(answer, asked.path)


def _without_its_address(answer: Answer, path: str) -> Answer:
    """A page for those who are signed out has the address in its form; its length counts that of the address."""
    headers = tuple((name, value.replace(path, "") if name == "Location" else value) for name, value in answer.headers)
    if answer.status == 403:
        headers = tuple((name, "" if name == "Content-Length" else value) for name, value in headers)
    body = _CSRF.sub(b"", answer.body.replace(path.encode(), b"")) if answer.status == 403 else answer.body
    return Answer(answer.status, headers, answer.cookies, body)


_CSRF = re.compile(rb'(?<="X-CSRFToken": ")\w+|(?<=name="csrfmiddlewaretoken" value=")\w+')
"""Tokens in a page, which are other ones at each request."""


# --- pairs of addresses ----------------------------------------------------------------------------------------------


def _in_the_campaign(side: str) -> Iterator[Pair]:
    """What a reader of a side must not find in their own campaign, or a stranger in this one."""
    no, enemy = _open_number(), game().others(side)[0]
    here = f"/c/{SLUG}/"
    for rest in ("", "post/", "map.png", "chart.png", "board/"):
        yield Asked(f"{here}stops/{no}/{rest}"), Asked(f"{here}stops/9999/{rest}")
    for rest in ("", "post/"):
        yield Asked(f"{here}public/stops/{no}/{rest}"), Asked(f"{here}public/stops/9999/{rest}")
    for rest in ("", "public/"):
        yield Asked(f"{here}{rest}staff/{enemy}/"), Asked(f"{here}{rest}staff/nobody/")
    yield Asked(f"{here}questions/{enemy}/1/", _ANSWER), Asked(f"{here}questions/nobody/1/", _ANSWER)
    if live():
        yield from _closed_until_the_end(side, no)
    desks = Desk.objects.filter(campaign__slug=SLUG).exclude(side=side).order_by("side").values_list("name", flat=True)
    for desk in desks:
        yield from _of_a_desk(desk, no)
    for token in (token for other in game().others(side) for token in tokens_of(other)):
        yield Asked(f"/m/{token}.png"), Asked(f"/m/{'0' * 32}.png")
        links = f"{here}links/revoke/"
        yield Asked(links, {"link": token}), Asked(links, {"link": "0" * 32})
    for rest in ("", "close/"):
        form = {"name": "Desk", "holder": f"{enemy} staff", "desk": "Desk", "formations": []}
        yield Asked(f"{here}people/desks/{enemy}/{rest}", form), Asked(f"{here}people/desks/nobody/{rest}", form)
    links = f"{here}links/make/"
    forms = ({"stop": "1", "audience": audience, "kind": "map"} for audience in (enemy, "nobody"))
    theirs, nobodys = (Asked(links, form) for form in forms)
    yield theirs, nobodys


def _closed_until_the_end(side: str, no: int) -> Iterator[Pair]:
    """Pages and files of others and of the game master that nobody else may read before the end."""
    here, enemies = f"/c/{SLUG}/", game().others(side)
    for name in (*enemies, "gm"):
        for file in ("log.jsonl", "anchors.txt"):
            yield Asked(f"{here}dice/{name}/{file}"), Asked(f"{here}dice/nobody/{file}")
    for enemy, public in product(enemies, ("", "public/")):
        yield Asked(f"{here}{public}questions/{enemy}/"), Asked(f"{here}{public}questions/nobody/")
        for n in (no, no - 1):
            sheets = f"{here}{public}stops/{n}/sheets"
            yield Asked(f"{sheets}/{enemy}/"), Asked(f"{sheets}/nobody/")


def _of_a_desk(desk: str, no: int) -> Iterator[Pair]:
    """The pages of an enemy's desk, and those of one that nobody has."""
    form = _sheet(no)
    theirs, nobodys = (f"/c/{SLUG}/orders/{name}/" for name in (desk, "Nobody"))
    for rest in ("", "check/", "forms/", "draft/"):
        yield Asked(f"{theirs}{rest}", form), Asked(f"{nobodys}{rest}", form)
    for n in (no, no - 1):
        for rest in ("", "receipt.txt"):
            yield Asked(f"{theirs}{n}.0/1/{rest}"), Asked(f"{nobodys}{n}.0/1/{rest}")
    yield from _of_a_desk_by_program(desk, no)


def _of_a_desk_by_program(desk: str, no: int) -> Iterator[Pair]:
    theirs, nobodys = (f"/api/v1/campaigns/{SLUG}/desks/{name}/" for name in (desk, "Nobody"))
    forms = {"check/": {"text": ""}, "choices/": {"text": ""}, "draft/": _mark(no), "sheets/": _mark(no)}
    for rest in ("", *forms, "withdrawals/", f"sheets/{no}.0/", f"sheets/{no}.0/1/", f"sheets/{no - 1}.0/1/"):
        form = {"phase": f"{no}.0", "version": 0} if rest == "withdrawals/" else forms.get(rest, {})
        yield Asked(f"{theirs}{rest}", form, json=True), Asked(f"{nobodys}{rest}", form, json=True)


def _elsewhere(who: str, side: str) -> Iterator[Pair]:
    """Every route in campaigns in which the reader has no part, or not that part, and in one that does not exist."""
    if who != "other gm":
        yield from _every_route(ELSEWHERE, side)
    is_member = bool(side) or who in ("spectator", *leavers(game())[1:])
    yield from _every_route(SLUG, side, only=FOR_GMS if is_member else None)


def _every_route(slug: str, side: str, only: Sequence[str] | None = None) -> Iterator[Pair]:
    known, no = fillings("", side), _open_number()
    for route, pattern in routes():
        name = pattern.name or ""
        public = "/public/" in route or name in FOR_EVERYBODY
        if "<slug:slug>" not in route or public or (only is not None and name not in only):
            continue
        form = FORMS[name](no) if name in FORMS else {}
        pages = (reversed_with(pattern, {**known, "slug": [each]}) for each in (slug, NOWHERE))
        json = name.startswith("api_")
        yield from ((Asked(a, form, json), Asked(b, form, json)) for a, b in zip(*pages, strict=True))


def _open_number() -> int:
    """The number of the open phase; of one that never was if the campaign is over."""
    phase = live()
    return phase.no if phase else 1 + Phase.objects.filter(campaign__slug=SLUG).count()


FOR_EVERYBODY = ("rules", "example_day", "mute", "substitute")
"""Routes that everybody may use while a campaign is public, or with a secret."""

_FOR_MEMBERS = ("home", "gm_log", "closing")
"""Of the addresses of the game master's package, those that are for everybody who takes part."""
FOR_GMS = (
    "export_file",
    *(str(each.name) for each in gm_patterns if each.name not in _FOR_MEMBERS),
    "question",
    *("destinations", "destination", "forum_post"),
    "invite",
    "revoke",
    "renew",
    "change_role",
    "remove",
    "seat_bot",
    "unseat_bot",
    *(str(each.name) for each in api_patterns if "/gm/" in str(each.pattern)),
)
"""Routes that are for the game master alone."""


def _sheet(no: int) -> Form:
    return {"stop": no, "rev": 0, "version": 0, "newest": 0, "act": "send", "text": "ALL OTHERS HOLD", "key": "a key"}


def _mark(no: int) -> Form:
    return {"phase": f"{no}.0", "text": "ALL OTHERS HOLD", "version": 0}


def _ruling(no: int) -> Form:
    return {"seen": f"{no}.0.1", "stage": "german_end", "text": "FUEL 7", "reason": "A dump burnt."}


def _battle(no: int) -> Form:
    return {"stop": no, "rev": 0, "seen": "", "act": "report", "text": "RESULT K16 attackers", "key": "a key"}


def _desk(_: int) -> Form:
    return {"name": "Desk", "desk": "Desk", "holder": "nobody", "formations": ["1 SS"]}


_ANSWER: Form = {"act": "answer", "reach": "asker", "rule": "", "asked": "", "text": "They may.", "seen": ""}

FORMS: Mapping[str, Callable[[int], Form]] = {
    "invite": lambda _: {
        "invite-role": "staff",
        "invite-side": game().sides[0],
        "invite-meant_for": "a friend",
        "invite-addresses": "friend@example.org",
    },
    "revoke": lambda _: {"invitation": "0" * 64},
    "renew": lambda _: {"invitation": "0" * 64},
    "change_role": lambda _: {"member": f"{game().sides[0]} staff", "role": "spectator", "side": ""},
    "remove": lambda _: {"member": f"{game().sides[0]} staff"},
    "leave": lambda _: {},
    "away": lambda _: {"member": f"{game().sides[0]} staff", "until": "2099-01-01"},
    "back": lambda _: {"member": f"{game().sides[0]} staff", "since": "2099-01-01T00:00:00+00:00"},
    "seat_bot": lambda _: {"side": game().sides[0], "role": "deputy", "name": "all-round"},
    "unseat_bot": lambda _: {"side": game().sides[0]},
    "set_desk": _desk,
    "drop_desk": _desk,
    "substitute": lambda _: {"act": "offer", "words": "In the evenings."},
    "substitutes": lambda _: {"member": "outsider", "role": "staff", "side": game().sides[0]},
    "mute": lambda _: {kind.name: kind.usual.value for kind in KINDS},
    "archives": lambda _: {"audience": game().sides[0]},
    "calendar_address": lambda _: {"act": "make"},
    "make_link": lambda no: {"stop": no - 1, "audience": game().sides[0], "kind": "map"},
    "revoke_link": lambda _: {"link": "0" * 32},
    "sheet": _sheet,
    "check_sheet": _sheet,
    "keep_draft": _sheet,
    "guide": lambda no: {"guide": "next", "step": "map", "here": f"/c/{SLUG}/orders/"} | dict(_sheet(no)),
    "sheet_forms": _sheet,
    "battle": _battle,
    "check_battle": _battle,
    "report_forms": _battle,
    "decide_battle": _battle,
    "battle_map": lambda no: {"stop": no, "rev": 0, "act": "remove_map_picture", "map_picture": "0" * 32},
    "staff": lambda no: {"act": "write", "phase": f"{no}.0", "text": "Hold them.", "place": ""},
    "questions": lambda _: {"act": "ask", "text": "May they?", "rule": "", "line": ""},
    "question": lambda _: _ANSWER,
    "confirm_mailed": lambda _: {"version": 0},
    "story": lambda _: {"act": "save", "text": "We crossed the river.", "seen": 0},
    "stories": lambda _: {"story": "0" * 32, "readers": "side", "seen": 1},
    "api_check": lambda _: {"text": "ALL OTHERS HOLD"},
    "api_choices": lambda _: {"text": "ALL OTHERS HOLD"},
    "api_sheets": _mark,
    "api_withdrawals": lambda no: {"phase": f"{no}.0", "version": 0},
    "api_draft": _mark,
    "api_check_report": lambda _: {"text": "RESULT K16 attackers"},
    "api_reports": lambda no: {"phase": f"{no}.0", "text": "RESULT K16 attackers"},
    "api_confirmations": lambda no: {"phase": f"{no}.0", "seen": ""},
    "api_disputes": lambda no: {"phase": f"{no}.0", "seen": "", "statement": "It was not so."},
    "api_players": lambda no: {"phase": f"{no}.0", "player": f"{game().sides[0]} staff"},
    "api_gm_deadline": lambda no: {"phase": f"{no}.0", "until": "2099-01-01T00:00:00Z"},
    "api_gm_closing": lambda no: {"phase": f"{no}.0", "reason": "All agree."},
    "api_gm_pause": lambda no: {"phase": f"{no}.0", "reason": "A pause."},
    "api_gm_resumption": lambda no: {"phase": f"{no}.0"},
    "api_gm_reopening": lambda no: {"phase": f"{no}.0", "reason": "A slip."},
    "api_gm_judgements": lambda no: {"seen": f"{no}.0.1", "key": "note", "text": "They may."},
    "api_gm_messages": lambda no: {"seen": f"{no}.0.1", "messages": [{"audience": "public", "text": "News."}]},
    "api_gm_retry": lambda _: {},
    "api_gm_publication": lambda no: {"seen": f"{no}.0.1"},
    "api_gm_cancelled": lambda no: {"seen": f"{no}.0.1"},
    "api_gm_tries": _ruling,
    "api_gm_rulings": _ruling,
    "api_gm_undone": lambda no: {"seen": f"{no}.0.1", "number": 1},
    "api_gm_rolls": lambda no: {"seen": f"{no}.0.1", "audience": "gm", "count": 1, "sides": 6, "purpose": "A bridge."},
    "api_gm_check": lambda _: {"text": "READY"},
    "api_gm_sheets": lambda no: {"phase": f"{no}.0", "text": "READY", "version": 0},
    "api_gm_entered": lambda no: {"seen": f"{no}.0.1", "label": "a roll", "dice": [1], "reason": "So it fell."},
    "api_gm_void": lambda no: {"seen": f"{no}.0.1", "audience": "public", "label": "a roll", "reason": "A slip."},
    "api_gm_by_rules": lambda no: {"phase": f"{no}.0", "battles": [{"battle": "K16", "seen": "open 0"}]},
    "api_gm_decision": lambda no: {"phase": f"{no}.0", "seen": "open 0", "text": "RESULT K16 attackers"},
    "api_gm_links": lambda no: {"number": no - 1, "audience": "public"},
    "api_gm_revoked_links": lambda _: {"link": "0" * 32},
    "draft": lambda _: {"act": "approve", "seen": ""},
    "resolver": lambda no: {"seen": f"{no}.0", "battle": "K16", "seen-K16": "open 0"},
    "clock": lambda _: {"act": "hold", "seen": "", "reason": "A pause."},
    "settings": lambda _: {"reminder_hours": 12, "battle_hours": 48},
    "retry": lambda _: {},
    "enter": _sheet,
    "enter_desk": _sheet,
    "closing": lambda _: {"act": "abandon", "reason": "No time.", "name": SLUG},
    "rematch": lambda _: {"title": "Once more", "slug": "once-more"},
    "exposure": lambda no: {"stop": f"{no - 1}.0", "side": game().sides[0], "what": "A map was posted."},
    "retry_mail": lambda _: {},
    "destinations": lambda _: {
        "audience": game().sides[0],
        "kind": "discourse",
        "address": "https://forum.example",
        "thread": "7",
        "acts_as": "umpire",
        "key": "a key of the forum",
    },
    "destination": lambda _: {"act": "withdraw"},
    "forum_post": lambda _: {"act": "again", "seen": "1"},
}
"""By route: a form that the route takes, made for an open phase."""
