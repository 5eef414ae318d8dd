"""Battles that are fought outside: each act by those who may do it, by those who may not, twice, late, outdated."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.http import Http404

from campaign import fighting
from campaign.mail.choices import WINDOW
from campaign.models import (
    Battle,
    BattleReport,
    BattleState,
    MailNews,
    Membership,
    OutboxMessage,
    Phase,
    PhaseState,
    Role,
    Statement,
)
from campaign.viewers import Viewer
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases import battles as desk
from orders.battles import reporting
from orders.battles.reading import mark_of, result_of
from orders.battles.reporting import Answered, Faulty, OtherPhase, Unusable
from orders.intake import NotYours, TooLate
from tests.battles import KEY, LINES, REPORT, Field
from tests.gm.campaigns import live
from tests.mails import plain_text_of, text_of

pytestmark = pytest.mark.django_db

Act = Callable[[Field, str], None]


def report(field: Field, name: str) -> None:
    field.report(name, idem=f"by {name}")


def confirm(field: Field, name: str) -> None:
    field.confirm(name)


def dispute(field: Field, name: str) -> None:
    field.dispute(name, "The bridge was down.", "https://example.org/save")


# --- rows ------------------------------------------------------------------------------------------------------------


def test_each_battle_of_a_phase_is_a_row_made_when_the_phase_opens(field: Field) -> None:
    rows = field.phase.battles.order_by("key").values_list("key", "attacker", "defender", "state")
    assert [row[0] for row in rows] == ["G20", "I18", "K16", "M17", "O18", "Q19", "R20", "U19"]
    assert {row[1:] for row in rows} == {("german", "allied", "open")}


# --- report ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["german commander", "german deputy", "allied commander"])
def test_a_commander_reports_for_a_side_that_has_named_nobody(field: Field, name: str) -> None:
    field.report(name)
    battle = field.battle()
    assert (battle.state, result_of(battle), battle.reported_by) == ("reported", LINES, name.split(maxsplit=1)[0])
    assert battle.reported_at == field.time.now
    stored = BattleReport.objects.get()
    assert (stored.act, stored.text, stored.author.username) == ("report", REPORT, name)
    assert field.acts()[-1] == "battle report"


@pytest.mark.parametrize("act", [report, confirm, dispute])
@pytest.mark.parametrize("name", ["german staff", "german tactical", "gm"])
def test_a_member_who_is_not_the_player_cannot_act_for_their_side(field: Field, act: Act, name: str) -> None:
    field.report("allied commander")
    with pytest.raises(NotYours):
        act(field, name)
    assert field.battle().reported_by == "allied"
    assert BattleReport.objects.count() == 1


@pytest.mark.parametrize("name", ["spectator", "outsider"])
def test_strangers_do_not_even_learn_that_there_is_a_battle(field: Field, name: str) -> None:
    with pytest.raises(Http404):
        field.report(name)


def test_once_a_player_is_assigned_they_alone_report(field: Field) -> None:
    field.assign("german deputy", "german tactical")
    with pytest.raises(NotYours):
        field.report("german commander")
    field.report("german tactical")
    assert field.battle().state == BattleState.REPORTED


def test_the_same_submission_twice_is_stored_once(field: Field) -> None:
    field.report()
    first = field.battle().reported_at
    field.time.forward(hours=1)
    field.report()
    assert field.battle().reported_at == first
    assert BattleReport.objects.count() == 1


def test_a_report_is_replaced_by_its_own_side_until_it_is_answered(field: Field) -> None:
    field.report()
    field.report("german deputy", "RESULT K16 defenders", idem="twice")
    assert result_of(field.battle()) == "RESULT K16 defenders"
    assert [stored.text for stored in BattleReport.objects.order_by("pk")] == [REPORT, "RESULT K16 defenders"]
    with pytest.raises(Answered):
        field.report("allied commander", idem="theirs")
    field.confirm()
    with pytest.raises(Answered):
        field.report(idem="late")
    assert result_of(field.battle()) == "RESULT K16 defenders"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["no-result"]),
        ("LOSSES 2 Pz 8", ["no-result", "no-result"]),
        ("RESULT K16 attackers\nLOSSES 12 SS 3", ["unknown"]),
        ("RESULT K16 attackers\nRESULT G20 attackers", ["other-battle"]),
        ("RESULT K16 attackers\nRETREAT 110/28 to K15", ["not-yours"]),
    ],
)
def test_a_faulty_report_is_no_report(field: Field, text: str, codes: list[str]) -> None:
    with pytest.raises(Faulty) as fault:
        field.report(text=text)
    assert [problem.code for problem in fault.value.read.problems] == codes
    assert (field.battle().state, result_of(field.battle())) == ("open", "")
    assert not BattleReport.objects.exists()


def test_reports_with_characters_that_no_database_keeps_are_kept_with_replacements(field: Field) -> None:
    field.report(text="RESULT K16 attackers # a\0b")
    assert result_of(field.battle()) == "RESULT K16 attackers"
    assert BattleReport.objects.get().text == "RESULT K16 attackers # a\ufffdb"


# --- confirm ---------------------------------------------------------------------------------------------------------


def test_the_other_player_confirms_and_says_where_their_unit_goes(field: Field) -> None:
    field.report()
    field.confirm(reply="RETREAT 110/28 to K15 # the commander's choice")
    battle = field.battle()
    assert (battle.state, result_of(battle)) == ("confirmed", f"{LINES}\nRETREAT 110/28 to K15")
    assert battle.settled_at == field.time.now
    assert field.acts()[-1] == "battle confirm"


@pytest.mark.parametrize(
    "added", ["LOSSES 2 Pz 90", "RESULT K16 defenders", "RETREAT 2 Pz to K15", "RETREAT 110/28 to A1"]
)
def test_a_player_who_confirms_adds_nothing_but_their_own_retreats(field: Field, added: str) -> None:
    field.report()
    with pytest.raises(Faulty):
        field.confirm(reply=added)
    assert (field.battle().state, result_of(field.battle())) == ("reported", LINES)


DEFENDERS_REPORT = "RESULT K16 attackers\nLOSSES 110/28 38\nRETREAT 110/28 to K15"


def test_an_attacker_confirms_a_report_that_names_retreats_without_losing_them(field: Field) -> None:
    field.report("allied commander", DEFENDERS_REPORT)
    field.confirm("german commander")
    assert (field.battle().state, result_of(field.battle())) == ("confirmed", DEFENDERS_REPORT)


def test_an_attacker_who_confirms_may_say_who_moves_in(field: Field) -> None:
    field.report("allied commander", DEFENDERS_REPORT)
    field.confirm("german commander", "RESULT Clervaux attackers advance 2 Pz  # over the bridge")
    added = DEFENDERS_REPORT.replace("attackers", "attackers advance 2 Pz")
    assert (field.battle().state, result_of(field.battle())) == ("confirmed", added)


@pytest.mark.parametrize(
    ("reporter", "text", "added"),
    [
        ("allied", DEFENDERS_REPORT, "RESULT K16 attackers advance 110/28"),
        ("allied", DEFENDERS_REPORT, "RESULT K16 attackers advance 5 FJ"),
        ("allied", DEFENDERS_REPORT, "RESULT K16 attackers"),
        ("allied", DEFENDERS_REPORT, "RESULT K16 defenders"),
        ("allied", "RESULT K16 defenders", "RESULT K16 attackers advance 2 Pz"),
        ("allied", LINES, "RESULT K16 attackers advance 2 Pz"),
        ("german", "RESULT K16 attackers", "RESULT K16 attackers advance 2 Pz"),
    ],
)
def test_a_player_who_confirms_changes_nothing_else_of_a_result(
    field: Field, reporter: str, text: str, added: str
) -> None:
    field.report(f"{reporter} commander", text)
    other = {"allied": "german commander", "german": "allied commander"}[reporter]
    with pytest.raises(Faulty) as fault:
        field.confirm(other, added)
    assert (field.battle().state, result_of(field.battle())) == ("reported", text)
    assert "K15" not in fault.value.read.lines


def test_nobody_confirms_their_own_report(field: Field) -> None:
    field.report()
    with pytest.raises(Answered):
        field.confirm("german commander")


def test_a_report_that_has_been_replaced_is_not_confirmed_unseen(field: Field) -> None:
    field.report()
    seen = mark_of(field.battle())
    field.report(text="RESULT K16 attackers\nLOSSES 110/28 90", idem="worse")
    with pytest.raises(Answered):
        reporting.confirm(field.viewer("allied commander"), field.which(), seen=seen)
    assert field.battle().state == BattleState.REPORTED


def test_a_battle_is_confirmed_once(field: Field) -> None:
    field.report()
    field.confirm()
    with pytest.raises(Answered):
        field.confirm()
    with pytest.raises(Answered):
        dispute(field, "allied commander")


# --- dispute ---------------------------------------------------------------------------------------------------------


def test_a_dispute_has_a_statement_of_each_side_and_is_mailed_once_to_the_gms_and_the_reporter(field: Field) -> None:
    field.report()
    dispute(field, "allied commander")
    field.dispute("german deputy", "It was not.", "")
    field.dispute("german deputy", "It was not, see the film.", "")
    assert field.battle().state == BattleState.DISPUTED
    said = Statement.objects.order_by("side").values_list("side", "text", "link")
    assert list(said) == [
        ("allied", "The bridge was down.", "https://example.org/save"),
        ("german", "It was not, see the film.", ""),
    ]
    assert BattleReport.objects.filter(act="dispute").count() == 3
    assert told("disputed") == ["co-gm", "german commander", "german deputy", "gm"]


def test_a_report_that_has_been_replaced_is_not_disputed_unseen(field: Field) -> None:
    field.report()
    seen = mark_of(field.battle())
    field.report(text="RESULT K16 defenders", idem="better")
    with pytest.raises(Answered):
        reporting.dispute(field.viewer("allied commander"), field.which(), "no", seen=seen)
    assert field.battle().state == BattleState.REPORTED


def test_an_act_written_for_another_phase_is_refused(field: Field) -> None:
    other = reporting.Which(field.phase.no, field.phase.rev + 1, KEY)
    with pytest.raises(OtherPhase):
        reporting.report(field.viewer("german commander"), other, REPORT, idempotent="x")
    with pytest.raises(OtherPhase):
        reporting.assign(field.viewer("german commander"), other, field.cast.member("german tactical"))
    with pytest.raises(OtherPhase):
        desk.decide(field.viewer("gm"), other, LINES)
    field.report()
    with pytest.raises(OtherPhase):
        reporting.confirm(field.viewer("allied commander"), other, seen=mark_of(field.battle()))
    with pytest.raises(OtherPhase):
        reporting.dispute(field.viewer("allied commander"), other, "no", seen=mark_of(field.battle()))
    assert (field.battle().state, result_of(field.battle())) == ("reported", LINES)


def test_nobody_disputes_their_own_report_or_one_that_was_never_made(field: Field) -> None:
    with pytest.raises(Answered):
        dispute(field, "allied commander")
    field.report()
    with pytest.raises(Answered):
        dispute(field, "german commander")
    assert not Statement.objects.exists()


def test_players_may_agree_after_all(field: Field) -> None:
    field.report()
    dispute(field, "allied commander")
    field.confirm()
    assert field.battle().state == BattleState.CONFIRMED


@pytest.mark.parametrize(
    ("text", "link"),
    [(" ", ""), ("x" * 10_001, ""), ("no", "javascript:alert(1)"), ("no", "file"), ("no", "https://x.y/" + "z" * 200)],
)
def test_statements_that_cannot_be_taken_change_nothing(field: Field, text: str, link: str) -> None:
    field.report()
    with pytest.raises(Unusable):
        field.dispute("allied commander", text, link)
    assert field.battle().state == BattleState.REPORTED
    assert not Statement.objects.exists()


# --- players ---------------------------------------------------------------------------------------------------------


def test_a_player_who_is_assigned_is_sent_the_brief_once(field: Field) -> None:
    for name in ("allied commander", "gm"):
        field.assign(name, "allied tactical")
    pass_window(field)
    mail = OutboxMessage.objects.get(kind="battles")
    assert mail.user == field.cast.user("allied tactical")
    assert mail.audience == "allied"
    text = text_of(bytes(mail.message))
    assert "110/28" in text
    assert "Infantry company; 1; complete" in text
    assert "Heavy tank" not in text, "that is the enemy's order of battle"
    assert field.acts()[-1] == "assign"


def test_nobody_names_players_of_the_other_side_or_of_nowhere(field: Field) -> None:
    tactical = field.cast.member("german tactical")
    for name in ("allied commander", "german staff", "german tactical"):
        with pytest.raises(NotYours):
            field.assign(name, "german tactical")
    with pytest.raises(Unusable):
        field.assign("gm", "spectator")
    tactical.left_at = field.time.now
    tactical.save()
    with pytest.raises(Unusable):
        field.assign("german commander", "german tactical")
    assert field.battle().attacking_player is None


def test_when_a_named_player_leaves_the_commander_acts_again(field: Field) -> None:
    tactical = field.cast.member("german tactical")
    field.assign("german commander", "german tactical")
    tactical.left_at = field.time.now
    tactical.save()
    field.report("german commander")
    assert field.battle().state == BattleState.REPORTED


def mailed(kind: str) -> list[str]:
    return sorted(OutboxMessage.objects.filter(kind=kind).values_list("user__username", flat=True))


def told(kind: str) -> list[str]:
    """Who has news of this kind for their next mail about battles, or had."""
    return sorted(MailNews.objects.filter(kind=kind).values_list("member__user__username", flat=True))


def pass_window(field: Field) -> None:
    field.time.forward(seconds=WINDOW.total_seconds())
    sweep(worker="one")


def test_a_phase_that_opens_asks_the_commanders_of_battles_without_players(field: Field) -> None:
    opened = OutboxMessage.objects.filter(kind="opened", phase__no=field.phase.no - 1, audience="allied")
    mail = opened.get(user__username="allied commander")
    assert "K16" in text_of(bytes(mail.message))
    assert not opened.filter(user__username="allied staff").exists()


def test_the_players_of_a_battle_are_reminded_of_it(field: Field) -> None:
    field.assign("gm", "allied tactical")
    field.report()
    for battle in Battle.objects.exclude(key=KEY):
        field.decide(f"RESULT {battle.key} defenders", key=battle.key)
    field.time.now = field.phase.deadline_at - timedelta(hours=1)
    for _ in range(2):
        sweep(worker="one")
    assert mailed("reminder") == ["allied tactical"]


def test_a_report_is_mailed_to_the_other_sides_commanders_and_once_more_if_it_is_replaced(field: Field) -> None:
    field.report()
    until = f"{field.battle().accepts_at:%a %-d %b %Y, %H:%M}"
    pass_window(field)
    assert mailed("battles") == ["allied commander"]
    text = plain_text_of(OutboxMessage.objects.get(kind="battles").message)
    assert until in text
    assert "38" not in text.split("Battle of Clervaux (K16)")[1].split("http")[0], "that is what it lost"
    field.report()
    pass_window(field)
    assert mailed("battles") == ["allied commander"]
    field.report(text="RESULT K16 defenders", idem="anew")
    pass_window(field)
    assert mailed("battles") == ["allied commander"] * 2


def test_the_reports_of_a_quarter_of_an_hour_are_one_mail(field: Field) -> None:
    field.report()
    field.time.forward(minutes=14, seconds=59)
    field.report(key="G20", text="RESULT G20 defenders", idem="other")
    sweep(worker="one")
    assert mailed("battles") == []
    field.time.forward(seconds=1)
    sweep(worker="one")
    (mail,) = OutboxMessage.objects.filter(kind="battles")
    said = " ".join(plain_text_of(mail.message).split())
    for place in (f"Clervaux ({KEY})", "Echternach (G20)"):
        assert said.count(f"Battle of {place}. The other side reported the result.") == 1


def test_all_battles_that_somebody_is_assigned_are_one_mail(field: Field) -> None:
    keys = sorted(field.phase.battles.values_list("key", flat=True))
    for key in keys:
        field.assign("allied commander", "allied tactical", key=key)
    pass_window(field)
    (mail,) = OutboxMessage.objects.filter(kind="battles")
    assert plain_text_of(mail.message).count("Template for the report") == len(keys) > 1


def test_what_was_answered_within_the_window_is_not_mailed(field: Field) -> None:
    field.report()
    field.confirm()
    pass_window(field)
    assert mailed("battles") == []
    assert told("reported") == []


def test_who_changes_sides_within_the_window_is_mailed_nothing_of_the_battles_of_their_old_side(field: Field) -> None:
    field.assign("allied commander", "allied tactical")
    field.report()
    assert told("brief") == told("reported") == ["allied tactical"]
    Membership.objects.filter(user__username="allied tactical").update(side="german")
    pass_window(field)
    assert mailed("battles") == []


def test_somebody_else_may_have_been_assigned_within_the_window(field: Field) -> None:
    for name in ("allied tactical", "allied staff"):
        field.assign("allied commander", name)
    pass_window(field)
    assert mailed("battles") == ["allied staff"]


def test_a_report_is_mailed_to_the_other_sides_player_alone_if_it_has_one(field: Field) -> None:
    field.assign("gm", "allied tactical")
    field.report()
    assert told("reported") == ["allied tactical"]


def test_a_report_that_is_refused_is_mailed_to_nobody(field: Field) -> None:
    with pytest.raises(Faulty):
        field.report(text="LOSSES 2 Pz 8")
    assert told("reported") == []


def test_on_reopening_only_players_who_still_play_for_the_side_keep_their_battles(field: Field) -> None:
    field.assign("gm", "german tactical")
    field.assign("gm", "allied tactical")
    for battle in field.phase.battles.all():
        field.decide(f"RESULT {battle.key} defenders", key=battle.key)
    Membership.objects.filter(user__username="german tactical").update(role=Role.SPECTATOR, side="")
    sweep(worker="one")
    MailNews.objects.all().delete()
    reopen(field.viewer("gm"), reason="a mistake")
    battle = live(field.cast.campaign).battles.get(key=KEY)
    assert (battle.attacking_player, battle.defending_player) == (None, field.cast.member("allied tactical"))
    assert told("brief") == ["allied tactical"]


# --- phases that take nothing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [PhaseState.LOCKED, PhaseState.REVIEW])
def test_a_locked_phase_takes_nothing(field: Field, state: PhaseState) -> None:
    field.report(key="G20", text="RESULT G20 defenders", idem="other")
    Phase.objects.filter(pk=field.phase.pk).update(state=state)
    with pytest.raises(TooLate):
        field.report()
    with pytest.raises(TooLate):
        field.confirm(key="G20")
    with pytest.raises(TooLate):
        field.dispute()
    with pytest.raises(TooLate):
        field.decide(LINES)
    assert field.battle().state == BattleState.OPEN


@pytest.mark.parametrize("act", [report, dispute, confirm])
def test_an_act_that_meets_the_lock_in_the_middle_changes_nothing(
    field: Field, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if another had locked the phase between the look at the row and the change."""
    if act is not report:
        field.report()
    before = (field.battle().state, result_of(field.battle()))
    fights = fighting.fights

    def meanwhile(viewer: Viewer, battle: Battle) -> bool:
        Phase.objects.filter(pk=field.phase.pk).update(state=PhaseState.LOCKED)
        return fights(viewer, battle)

    monkeypatch.setattr(reporting, "fights", meanwhile)
    with pytest.raises(Answered):
        act(field, "german commander" if act is report else "allied commander")
    assert (field.battle().state, result_of(field.battle())) == before
