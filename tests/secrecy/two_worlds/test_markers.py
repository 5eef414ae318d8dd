"""Markers: every secret has a mark, and after some phases nobody else's pages, mails, pictures or logs contain one.

Pairs of worlds catch what can be inferred; markers catch what was copied.
"""

import logging
import re
import zlib
from collections.abc import Iterator, Mapping
from datetime import timedelta
from email import message_from_bytes
from functools import partial
from urllib.parse import urlsplit

import pytest
from django.db import connection

from campaign.core import clock
from campaign.models import OutboxMessage, Phase, PhaseState, Role
from campaign.people import invitations
from campaign.services import scenario_of
from campaign.viewers import viewer_of
from gm.desk.corrections import write_rulings
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_preface
from posting.destinations import Wanted, add_destination
from posting.models import ThreadPost
from tests.secrecy.asking.crawler import MOST_OF_A_ROUTE, Lot, crawl
from tests.secrecy.campaigns import (
    SLUG,
    STRANGERS,
    Base,
    address,
    bot_sheet,
    cast,
    game,
    live,
    person,
    send_as_a_bot,
    truth,
)
from tests.secrecy.chance import CHANCE
from tests.secrecy.forum import CHANNEL
from tests.secrecy.worlds import ANONYMOUS, World

GERMAN_SECRETS = ("note", "remark", "draft", "version", "desk", "preface", "ruling", "withdrawn", "staff", "late")
GM_SECRETS = ("gm-preface", "invited")
HERE = f"/c/{SLUG}/"
RULED = 3
"""The number of the phase with the GM's ruling."""
ALL = 40
"""More than the number of phases."""
THOROUGH = ("allied commander",)
"""They read every page of the newest phases, too."""
WITH_SECRETS = (r"/orders/", r"/locked/", r"/stops/\d+/$")
"""Where the Germans find their own secrets. All read these pages of every phase, and some others by lot."""
LIKE_OTHERS = ("allied deputy", "allied second staff")
"""They may read what the commander and the first of the staff may, and read only pages of the newest phases."""


def mark(secret: str) -> str:
    """The mark of a secret, which nothing else in the service resembles."""
    return f"marker{zlib.crc32(secret.encode()):08x}"


def test_no_secret_of_the_germans_or_the_gm_is_copied_anywhere_else_in_a_whole_campaign(
    worlds: Mapping[str, Base], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    world = World.restored("markers", worlds["02-german_sheet"].snapshot)
    _post_elsewhere(world)
    _write_secrets(world)
    _play_to_the_end(world)
    own = crawl(world, "german commander", own_side="german", most=ALL, lot=Lot("own", 0.0, WITH_SECRETS))
    for secret in ("note", "version", "preface", "late"):
        assert _holds(secret, own.answers.values()), f"{secret} is not where it should be, and could not be copied"
    posted = b"".join(data for _, data in _posted(world, "german"))
    assert {"note", "preface"} <= set(_marked(posted)), "the Germans' own forum does not get what is theirs"
    for where, data in _seen_by_others(world, caplog):
        assert _marked(data) == [], where
    world.close()


def test_a_marker_is_found_where_it_is_compressed(worlds: Mapping[str, Base]) -> None:
    assert worlds
    picture = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\0IDAT" + zlib.compress(mark("note").encode())
    assert _marked(_unpacked(picture)) == ["note"]


_ANY_MARK = re.compile(rb"marker[0-9a-f]{8}")
_SECRETS = {mark(secret).encode(): secret for secret in (*GERMAN_SECRETS, *GM_SECRETS)}


def _marked(data: bytes) -> list[str]:
    """The secrets whose marks are in it, looked for all at once."""
    return sorted({_SECRETS[found] for found in _ANY_MARK.findall(data) if found in _SECRETS})


def _holds(secret: str, answers: object) -> bool:
    return any(mark(secret) in answer.text for answer in answers)  # type: ignore[attr-defined]


def _post_elsewhere(world: World) -> None:
    """What each audience receives is posted on a forum of its own, and people are called when it is their turn."""
    with world.present():
        for audience in game().observers:
            wanted = Wanted(
                audience=audience, kind="discourse", address=_forum(audience), thread="7", acts_as="umpire", key="a key"
            )
            add_destination(viewer_of(person("gm"), SLUG), wanted, now=world.now)
    for who in ("german commander", "allied commander"):
        called = {"act": "save", "address": f"{CHANNEL}/{who.replace(' ', '-') + 'k' * 30}"}
        assert world.ask(who, "POST", "/profile/discord/", called).status == 302


def _forum(audience: str) -> str:
    return f"https://{audience}.example.org"


def _write_secrets(world: World) -> None:
    _sheet(world, "german commander", "HQ", 0, f"NOTE {mark('withdrawn')}", "send")
    _sheet(world, "german commander", "HQ", 1, "", "withdraw")
    _sheet(world, "german commander", "HQ", 2, f"NOTE {mark('note')} # {mark('remark')}\nALL OTHERS HOLD", "send")
    _sheet(world, "german deputy", "HQ", 3, f"NOTE {mark('version')}\nNOTE {mark('note')}", "send")
    _sheet(world, "german deputy", "HQ", 4, f"NOTE {mark('draft')}", "draft")
    _sheet(world, "german staff", "Fifth", 0, f"NOTE {mark('staff')}", "send")
    form = {"name": mark("desk"), "formations": ["6th Panzer Army"], "holder": "german deputy"}
    world.ask("german commander", "POST", f"{HERE}people/desks/german/", form)
    with world.present():
        CHANCE.of("canaries")
        invitations.invite(
            viewer_of(person("gm"), SLUG), role=Role.SPECTATOR, side="", meant_for=mark("invited"), now=clock.now()
        )


def _sheet(world: World, who: str, desk: str, newest: int, text: str, act: str) -> None:
    with world.present():
        phase = live()
    assert phase is not None
    form = {"stop": phase.no, "rev": phase.rev, "version": newest, "newest": newest, "act": act, "text": text}
    answer = world.ask(who, "POST", f"{HERE}orders/{desk}/", {**form, "key": f"{who} {newest}"})
    assert answer.status == 302, answer.text


def _play_to_the_end(world: World) -> None:
    """Play all remaining phases, with words of the GM to one side only and rulings on its hidden strength."""
    for number in range(ALL):
        with world.present():
            phase = live()
            if phase is None:
                break
            CHANCE.of("canaries", phase.no)
            _sheets_of_bots(phase, first=number == 0)
        world.now = max(world.now, phase.deadline_at) + timedelta(seconds=1)
        with world.present():
            sweep(worker="canaries")
            phase.refresh_from_db()
            assert phase.state in (PhaseState.REVIEW, PhaseState.PUBLISHED), phase.key
            if phase.state == PhaseState.REVIEW:
                _review(phase)
            sweep(worker="canaries")
    else:
        pytest.fail("the campaign does not end")


def _sheets_of_bots(phase: Phase, *, first: bool) -> None:
    loaded, state = scenario_of(phase.campaign), truth(phase)
    for who in phase.acts:
        if who == "german" and first:
            continue  # their sheets hold the first secrets
        note = f"NOTE {mark('late')}\n" if who == "german" else ""
        send_as_a_bot(phase, who, note + bot_sheet(loaded, state, who))


def _review(phase: Phase) -> None:
    save_preface(phase.pk, "german", mark("preface"))
    save_preface(phase.pk, "gm", mark("gm-preface"))
    if phase.no == RULED:
        text, why = "STRENGTH G-116 73", f"Because of {mark('ruling')}."
        assert write_rulings(phase, fence=phase.fence, stage=phase.key, text=text, reason=why, author=person("gm"))
        sweep(worker="canaries")
        phase.refresh_from_db()
    assert approve(phase.pk, fence=phase.fence)


def _seen_by_others(world: World, caplog: pytest.LogCaptureFixture) -> Iterator[tuple[str, bytes]]:
    with world.present():
        members, audiences = cast(game()), [each for each in game().observers if each != "german"]
    others = [name for name in (*members, *STRANGERS) if not name.startswith("german") and name != "gm"]
    for who in (*others, "german leaver", ANONYMOUS):
        side = "allied" if who.startswith("allied") else ""
        read = partial(crawl, world, who, own_side=side, accounts=False)
        most = MOST_OF_A_ROUTE if who in LIKE_OTHERS else ALL
        answers = read(most=most, lot=Lot(who, 1 / 24, WITH_SECRETS)).answers
        answers |= read().answers if who in THOROUGH else {}
        for path, answer in answers.items():
            yield f"{path} for {who}", _unpacked(answer.body) + repr(answer.headers).encode()
    addresses = {address(who) for who in others}
    yield from ((f"a mail to {sent.to}", _decoded(sent.mail)) for sent in world.sent if sent.to in addresses)
    for audience in audiences:
        yield from _posted(world, audience)
    with world.present():
        for row in OutboxMessage.objects.filter(user__username__in=others):
            yield f"a mail in the outbox to {row.to_addr}", _decoded(bytes(row.message)) + row.subject.encode()
        for table in ("django_session", "cache"):
            with connection.cursor() as cursor:
                if table in connection.introspection.table_names(cursor):
                    cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 # the tables' own names
                    yield f"the table {table}", repr(cursor.fetchall()).encode()
    yield "the log", "\n".join(record.getMessage() for record in caplog.records if "sql" not in record.name).encode()


def _posted(world: World, audience: str) -> Iterator[tuple[str, bytes]]:
    """What was posted for an audience, every request to its forum, and all calls, which say the same to anybody."""
    asked = [each.request for each in world.asked_elsewhere]
    requests = [each for each in asked if each.url.startswith((_forum(audience), CHANNEL))]
    assert {urlsplit(each.url).netloc for each in requests} == {urlsplit(_forum(audience)).netloc, "discord.com"}
    for each in requests:
        yield f"a request to {each.url}", repr(each).encode()
    with world.present():
        posts = list(ThreadPost.objects.filter(destination__audience=audience).select_related("picture"))
        assert posts
        for post in posts:
            picture = _unpacked(bytes(post.picture.content)) if post.picture else b""
            yield f"a post for {audience}", post.text.encode() + picture


def _decoded(mail: bytes) -> bytes:
    """A mail as received, and each of its parts decoded."""
    parts = (part.get_payload(decode=True) for part in message_from_bytes(mail).walk())
    return mail + b"".join(_unpacked(part) for part in parts if isinstance(part, bytes))


def _unpacked(body: bytes) -> bytes:
    """A body; of a picture also its decompressed data."""
    if not body.startswith(b"\x89PNG"):
        return body
    packed = body.partition(b"IDAT")[2]
    return body + zlib.decompressobj().decompress(packed)
