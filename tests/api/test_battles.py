"""Battles through the API: briefs, reports, answers, with the services of the pages."""

from typing import Any

import pytest

from campaign.models import BattleState
from orders.models import Sheet
from tests.api.asking import read, where, write
from tests.battles import KEY, LINES, REPORT, Field
from tests.gm.campaigns import live, miss
from tests.web.conftest import OUTSIDER

pytestmark = pytest.mark.django_db

GERMAN, ALLIED = "german commander", "allied commander"


def send(field: Field, who: str, what: str, *, key: str = KEY, idem: str = "once", **body: Any) -> Any:
    mark = f"{field.phase.no}.{field.phase.rev}"
    return write(field.cast, who, f"battles/{key}/{what}/", {"phase": mark, **body}, key=idem)


def test_the_list_names_every_battle_and_what_the_caller_may_do(field: Field) -> None:
    found = read(field.cast, GERMAN, "battles/")
    assert len(found) == 8
    (clervaux,) = (each for each in found if each["battle"] == KEY)
    assert (clervaux["title"], clervaux["text"]) == ("Battle of Clervaux (K16)", "2 Pz attacks 110/28.")
    assert (clervaux["attacker"], clervaux["defender"], clervaux["state"]) == ("german", "allied", "open")
    assert (clervaux["may_report"], clervaux["may_confirm"], clervaux["may_dispute"]) == (True, False, False)
    (tactical,) = (each for each in read(field.cast, "german tactical", "battles/") if each["battle"] == KEY)
    assert not tactical["may_report"]


def test_a_brief_is_that_of_the_callers_side(field: Field) -> None:
    german, allied = (read(field.cast, who, f"battles/{KEY}/") for who in (GERMAN, ALLIED))
    assert german["brief"]["title"] == allied["brief"]["title"]
    assert german["brief"]["sections"] != allied["brief"]["sections"]
    assert "RESULT" in german["brief"]["template"]
    assert (german["report"], german["statements"]) == (None, [])


def test_a_result_is_reported_and_confirmed(field: Field) -> None:
    checked = write(field.cast, GERMAN, f"battles/{KEY}/check/", {"text": REPORT})
    assert (checked.status_code, checked.json()["lines"], checked.json()["problems"]) == (200, LINES, [])
    reported = send(field, GERMAN, "reports", text=REPORT)
    assert reported.status_code == 200, reported.content
    assert reported.json()["line"]["state"] == "reported"
    assert send(field, GERMAN, "reports", text=REPORT).status_code == 200, "a repeated request is the same one"
    other = send(field, GERMAN, "reports", text=LINES)
    assert (other.status_code, other.json()["error"]) == (409, "key-reused")
    seen = read(field.cast, ALLIED, f"battles/{KEY}/")
    assert (seen["line"]["may_confirm"], seen["line"]["reported_by"]) == (True, "german")
    assert "K16" in seen["report"]["lines"]
    early = send(field, ALLIED, "confirmations", seen="0", reply="")
    assert (early.status_code, early.json()["error"]) == (409, "answered")
    done = send(field, ALLIED, "confirmations", seen=seen["seen"], reply="")
    assert (done.status_code, done.json()["line"]["state"]) == (200, "confirmed")
    assert field.battle().state == BattleState.CONFIRMED


def test_a_report_is_disputed_with_a_statement(field: Field) -> None:
    field.report()
    seen = read(field.cast, ALLIED, f"battles/{KEY}/")["seen"]
    silent = send(field, ALLIED, "disputes", seen=seen, statement=" ")
    assert (silent.status_code, silent.json()["error"]) == (422, "unusable")
    done = send(field, ALLIED, "disputes", seen=seen, statement="The bridge was down.", link="https://example.org/a")
    assert (done.status_code, done.json()["line"]["state"]) == (200, "disputed")
    assert done.json()["statements"] == [
        {"side": "allied", "text": "The bridge was down.", "link": "https://example.org/a"}
    ]


def test_a_faulty_report_is_refused_with_its_problems(field: Field) -> None:
    refused = send(field, GERMAN, "reports", text="RESULT Clervaux nobody")
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert refused.json()["problems"][0]["line"] == 1
    assert field.battle().state == BattleState.OPEN


@pytest.mark.parametrize("who", [GERMAN, "german tactical", ALLIED, "spectator", OUTSIDER])
def test_a_battle_that_is_not_theirs_looks_like_none(field: Field, who: str) -> None:
    """Only those who fight it write about it; only those who play find it."""
    if who in (GERMAN, ALLIED):
        field.assign(who, f"{who.split(maxsplit=1)[0]} tactical")
    bodies = {"reports": {"text": REPORT}, "confirmations": {"seen": "0"}, "disputes": {"seen": "0", "statement": "x"}}
    for what, body in bodies.items():
        theirs, nobodys = (send(field, who, what, key=key, **body) for key in (KEY, "A1"))
        assert (theirs.status_code, theirs.content) == (404, nobodys.content), what
    check = [write(field.cast, who, f"battles/{key}/check/", {"text": ""}) for key in (KEY, "A1")]
    assert [each.status_code for each in check] == [404, 404]
    if who in ("spectator", OUTSIDER):
        assert field.cast.browser(who).get(where(field.cast, "battles/")).status_code == 404


def players_of(field: Field, who: str) -> dict[str, str]:
    found = read(field.cast, who, f"battles/{KEY}/")["line"]["players"]
    return {each["side"]: each["name"] for each in found}


def test_a_commander_names_the_player_who_gets_the_brief(field: Field) -> None:
    named = send(field, GERMAN, "players", player="german tactical")
    assert named.status_code == 200, named.content
    assert players_of(field, GERMAN)["german"] == "german tactical"
    assert field.battle().attacking_player == field.cast.member("german tactical")
    assert "assign" in field.acts()
    unusable = send(field, "gm", "players", player="spectator")
    assert (unusable.status_code, unusable.json()["error"]) == (422, "unusable")


@pytest.mark.parametrize(
    ("who", "player"),
    [
        (GERMAN, "allied tactical"),
        (GERMAN, "nobody of this name"),
        ("german tactical", "german tactical"),
        ("german staff", "german tactical"),
        ("spectator", "german tactical"),
        (OUTSIDER, "german tactical"),
    ],
)
def test_nobody_else_names_a_player(field: Field, who: str, player: str) -> None:
    theirs, nobodys = (send(field, who, "players", key=key, player=player) for key in (KEY, "A1"))
    assert (theirs.status_code, theirs.content) == (404, nobodys.content)
    assert field.battle().attacking_player is None


def test_who_fought_is_told_that_the_phase_is_over(field: Field) -> None:
    for battle in field.phase.battles.all():
        field.decide(f"RESULT {battle.key} defenders", key=battle.key)
    miss(live(field.cast.campaign))
    assert live(field.cast.campaign).no > field.phase.no
    late = send(field, GERMAN, "reports", text=REPORT)
    assert (late.status_code, late.json()["error"]) == (409, "closed")
    assert send(field, "spectator", "reports", text=REPORT).status_code == 404
    assert not Sheet.objects.filter(text=REPORT).exists()
