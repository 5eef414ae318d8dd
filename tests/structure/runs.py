"""What a run says: the files that are entered when a sheet is sent, and when its line comes to its effect."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from unittest.mock import patch

from django.test import Client

from campaign.core import clock
from campaign.engine.adjudication import adjudicate
from campaign.engine.sheets import DeskSheet, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience
from campaign.game import turn_package
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.turn_package import audiences, view_of
from campaign.models import Membership, Role, User
from campaign.reports import report
from campaign.rulesets.forum_campaign.model.facts.movement import Moved
from campaign.rulesets.forum_campaign.model.orders import Move
from gm.demo import SCENARIO
from tests.demonstration import dice_for
from tests.gm.campaigns import new_campaign, opened
from tests.structure.sources import ROOT, product_files

LINE = "MOVE 1 SS Q22-R22"
_SIDE = Audience("german")
_HQ = "orders/HQ/"


def files_entered_by_post() -> list[Path]:
    """The product files in which a function is called while a commander's first sheet is sent, up to the redirect."""
    with patch.object(turn_package, "draw", lambda *_, **_width: b"a map"):
        campaign = new_campaign("structure")
        phase = opened(campaign)
    writer = User.objects.create_user("Model", "model@example.org")
    Membership.objects.create(campaign=campaign, user=writer, role=Role.COMMANDER, side=_SIDE, joined_at=clock.now())
    browser = Client(headers={"host": "localhost"})
    browser.force_login(writer, backend="allauth.account.auth_backends.AuthenticationBackend")
    address = f"/c/{campaign.slug}/{_HQ}"
    assert browser.get(address).status_code == 200
    fields = {"stop": phase.no, "rev": phase.rev, "version": 0, "key": "a key", "act": "send", "text": LINE}
    responses = []
    called = _called(lambda: responses.append(browser.post(address, fields)))
    assert [response.status_code for response in responses] == [302]
    return [path for path in product_files() if str(ROOT / path) in {code.co_filename for code in called}]


def called_by_line() -> set[CodeType]:
    """The functions that are called from a sheet with one move to the reports that show its effect."""
    loaded = load_scenario(find_scenario(SCENARIO))
    rules, game_data = loaded.rules, loaded.scenario.game_data
    state = loaded.scenario.start
    while Move not in rules.phase(rules.now(state)).orders:
        state = adjudicate(rules, game_data, state, {}, dice=dice_for(loaded, 1, {})).state
    known = state_known_to(state, _SIDE)

    def follow() -> None:
        sheet = read_side(rules, game_data, known, _SIDE, [DeskSheet(LINE)], phase=rules.now(state))
        after = adjudicate(rules, game_data, state, {_SIDE: sheet.lines}, dice=dice_for(loaded, 2, {}))
        assert any(isinstance(event.fact, Moved) for event in after.events)
        for who in audiences(rules):
            report(view_of(rules, game_data, after.state, after.events, who))

    return _called(follow)


def _called(work: Callable[[], object]) -> set[CodeType]:
    """The functions that are called while something is done."""
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            called.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return called
