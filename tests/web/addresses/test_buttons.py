"""Every button that a page shows can be pressed by its reader: the answer is a page, and no server error."""

from collections.abc import Iterator
from copy import deepcopy
from typing import TypeAlias
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve

from campaign import selectors
from campaign.links import make_link
from campaign.mail.mutes import mute_link
from campaign.models import Bot, Phase, Role
from campaign.people import desks, invitations
from campaign.viewers import Viewer, viewer_of
from posting.destinations import Wanted, add_destination
from posting.models import DispatchState, ThreadPost
from posting.writing import write_posts
from questions.writing import Written, answer, ask
from staff.writing import About, write
from stories import writing as stories
from tests.battles import KEY, Field, field
from tests.gm.campaigns import START, live, send
from tests.web.addresses.test_outcomes import FILES, READ, address
from tests.web.conftest import PARTS, Cast
from tests.web.forms import forms_of

__all__ = ["field"]
pytestmark = pytest.mark.django_db

EVERY_ROLE = sorted(set(PARTS) - {"co-gm", "allied staff", "allied tactical"})
"""One of each, and the commanders of both sides."""
UNDONE = {409, 422}
"""What is answered to who must look again, or write something else."""
Sent: TypeAlias = dict[str, list[str]]
NEW_EACH_TIME: Sent = {"csrfmiddlewaretoken": [], "key": []}
"""What each page gives its forms newly each time; none of it must be sent here."""
OUTSIDE = ["/", "/profile/", "/profile/tokens/", "/profile/discord/", "/new/", "/practice/", "/account/email/"]


@pytest.fixture(autouse=True)
def bot(request: pytest.FixtureRequest) -> Bot:
    """A bot that plays a side, so that it can be removed."""
    cast: Cast = request.getfixturevalue(request.getfixturevalue("phase"))
    return Bot.objects.create(campaign=cast.campaign, side="allied", name="fist", since=START)


@pytest.fixture
def open_phase(cast: Cast) -> Cast:
    """A phase that takes sheets, with one of everything that has a button: a desk, a comment, an invitation, a link."""
    gm, commander = (viewer_of(cast.user(name), cast.campaign.slug) for name in ("gm", "german commander"))
    invitations.invite(gm, role=Role.STAFF, side="allied", meant_for="", now=START)
    desks.set_desk(commander, name="South", formations=["7th Army"], holder=cast.member("german staff"), now=START)
    make_link(gm, 0, "german", now=START)
    send(live(cast.campaign), cast.user("german commander"), "NOTE a plan")
    phase = selectors.open_phase(commander)
    assert phase is not None
    asked = ask(commander, "May they?", rule="R1", line="", now=START)
    answer(gm, asked, Written(reach="side", rule="R1", asked="", text="They may."), seen="", shown="", now=START)
    for viewer in (commander, viewer_of(cast.user("german staff"), cast.campaign.slug)):
        write(viewer, phase, "Hold them.", About(desk="HQ", version=1, line=1), now=START)
    post_in_doubt(gm)
    return cast


def post_in_doubt(gm: Viewer) -> None:
    """A destination, where nobody is asked for want of TLS, and a post of which nobody knows whether it arrived."""
    thread = {"address": "http://forum.example", "thread": "7", "acts_as": "umpire", "key": "a key of the forum"}
    add_destination(gm, Wanted(audience="german", kind="discourse", **thread), now=START)
    write_posts(gm.campaign.phases.get(no=1), now=START)
    ThreadPost.objects.update(state=DispatchState.DOUBT, next_at=None)


@pytest.fixture
def resolved(cast: Cast, draft: Phase) -> Cast:
    """The result of the same phase, waiting for the game master."""
    assert draft.campaign == cast.campaign
    return cast


@pytest.fixture
def reported(field: Field) -> Cast:
    """Battles, one of them reported."""
    field.report()
    which = stories.Which(no=field.phase.no, rev=field.phase.rev, key=KEY)
    draft = stories.Draft(text="We crossed the Our.", captions={}, removed=())
    stories.save(field.viewer("german commander"), which, draft)
    return field.cast


EVERYWHERE = {
    *("account_email", "account_logout", "profile", "tokens", "new_campaign", "new_practice"),
    *("leave", "mute", "change_role", "remove", "invite", "set_desk", "clock", "settings", "closing", "exposure"),
    *("make_link", "guide", "away", "calendar_address", "substitute", "seat_bot", "unseat_bot", "staff", "questions"),
    *("archives", "destinations", "turn_webhook"),
}
PRESSED = {
    "open_phase": EVERYWHERE
    | {
        "destination",
        "forum_post",
        "question",
        "revoke",
        "renew",
        "drop_desk",
        "revoke_link",
        "sheet",
        "enter",
        "enter_desk",
    },
    "resolved": EVERYWHERE - {"clock"} | {"draft", "sheet", "enter", "enter_desk"},
    "reported": EVERYWHERE | {"battle", "decide_battle", "battle_map", "sheet", "story", "stories"},
}
"""Where buttons lead, somebody's or other."""


@pytest.mark.parametrize("phase", PRESSED)
def test_every_button_is_answered(phase: str, request: pytest.FixtureRequest) -> None:
    cast: Cast = request.getfixturevalue(phase)
    found: set[str] = set()
    for who in EVERY_ROLE:
        browser, before = cast.browser(who), list[tuple[str, Sent]]()
        for action, sent in ((action, sent) for path in pages(cast, who) for action, sent in buttons(browser, path)):
            if (action, sent) not in before:  # the same button on every page
                before.append((action, sent))
                status = pressed(browser, action, sent)
                assert status < 400 or status in UNDONE, (who, action, sent, status)
                found.add(resolve(urlsplit(action).path).url_name or "")
    assert found == PRESSED[phase]


OF_BATTLES = ("battle", "story", "stories")
"""Pages that are there once a battle is fought."""


def pages(cast: Cast, who: str) -> Iterator[str]:
    """Where to look for buttons: all pages of a campaign, and those of no campaign."""
    for name, (_, readers) in READ.items():
        if name not in FILES and (who in readers or name in (*OF_BATTLES, "question")):
            yield address(cast, name)
    yield from OUTSIDE
    yield mute_link(cast.campaign, cast.user(who))


def buttons(browser: Client, path: str) -> Iterator[tuple[str, Sent]]:
    """What the buttons of a page send, and to which address."""
    answer = browser.get(path)
    if answer.status_code == 200:
        for form in forms_of(answer.content.decode(), path):
            yield from ((form.action, sent | NEW_EACH_TIME) for sent in form.presses())


def pressed(browser: Client, action: str, sent: Sent) -> int:
    """What pressing a button is answered. What it did is undone, for the next one."""
    cookies = deepcopy(browser.cookies)
    before = transaction.savepoint()
    answer = browser.post(action, sent)
    transaction.savepoint_rollback(before)
    browser.cookies = cookies
    return answer.status_code
