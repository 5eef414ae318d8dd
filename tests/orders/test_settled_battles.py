"""How battles that are fought outside come to their results: by the GM, by time, and what the lock takes of them."""

from datetime import timedelta

import pytest
from django.http import Http404

from campaign.models import Artefact, BattleState, Campaign, Outcome, Phase
from gm.desk import deadlines
from gm.machine import heartbeat
from gm.machine.sweeper import sweep
from gm.phases import battles as desk
from gm.phases import locking
from gm.phases.adjudication import Claim, resolve
from orders.battles.reading import result_of
from orders.battles.reporting import Answered, Faulty
from orders.intake import NotYours
from orders.models import Channel, Sheet
from tests.battles import KEY, LINES, REPORT, Field
from tests.gm.campaigns import live, send, send_demo_sheets, sheet_texts, state_after

pytestmark = pytest.mark.django_db

# --- the GM ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", ["open", "reported", "disputed", "confirmed", "ruled"])
def test_the_gm_decides_regardless_of_reports(field: Field, before: str) -> None:
    if before != "open":
        field.report()
    if before == "disputed":
        field.dispute()
    if before == "confirmed":
        field.confirm()
    if before == "ruled":
        field.decide("RESULT K16 attackers")
    field.decide("RESULT K16 defenders\nLOSSES 110/28 12 # by the saved game")
    battle = field.battle()
    assert (battle.state, result_of(battle)) == ("ruled", "RESULT K16 defenders\nLOSSES 110/28 12")
    assert battle.reported_by == "gm"
    assert field.acts()[-1] == "battle decide"


def test_a_result_that_players_agreed_on_is_not_replaced_without_being_counted(field: Field) -> None:
    """The GM decides one battle twice and another in their own sheet, and every battle on which nobody had agreed."""
    for key in (KEY, "Q19", "G20"):
        field.report(text=f"RESULT {key} attackers", key=key, idem=key)
    field.confirm()
    field.time.forward(hours=field.cast.campaign.battle_hours)
    sweep(worker="one")
    agreed = {battle.key: battle.state for battle in field.phase.battles.exclude(state=BattleState.OPEN)}
    assert agreed == {KEY: "confirmed", "Q19": "accepted", "G20": "accepted"}
    for winner in ("defenders", "attackers"):
        field.decide(f"RESULT {KEY} {winner}")
    send(field.phase, field.cast.user("gm"), "RESULT Q19 defenders", side="gm")
    for battle in field.phase.battles.filter(state=BattleState.OPEN):
        field.decide(f"RESULT {battle.key} defenders", key=battle.key)
    sweep(worker="one")
    report_ = Artefact.objects.get(phase=field.phase, audience="allied", kind="text")
    assert "GM interventions: 2 in this phase, 2 so far." in bytes(report_.content).decode()


def overruled(field: Field) -> int:
    return field.cast.campaign.audit.filter(act=desk.OVERRULED).count()


SAME = "# as you say\nLOSSES U-110 38\nresult Clervaux attackers advance 2 Pz\nLOSSES 2 Pz 8\nLOSSES 110/28 5"
"""The result that was agreed on in other words; units lose once."""


def agreed(field: Field) -> None:
    field.report()
    field.confirm()


def test_a_gm_who_decides_what_players_had_agreed_on_leaves_it_to_them(field: Field) -> None:
    agreed(field)
    field.decide(LINES)
    battle = field.battle()
    assert (battle.state, battle.reported_by, overruled(field)) == ("confirmed", "german", 0)
    assert field.acts()[-1] == "battle decide"
    field.decide("LOSSES 110/28 38\nRESULT Clervaux attackers advance 2 Pz # so be it\nLOSSES 2 Pz 8")
    assert (field.battle().state, overruled(field)) == ("confirmed", 0)
    field.decide(LINES.replace("38", "37"))
    assert (field.battle().state, overruled(field)) == ("ruled", 1)


def test_a_sheet_of_the_gm_that_says_what_players_agree_on_overrules_nobody(field: Field) -> None:
    finish(field, but=(KEY, "Q19"))
    agreed(field)
    send(field.phase, field.cast.user("gm"), f"{SAME}\nRESULT Q19 defenders", side="gm")
    field.decide("RESULT Q19 attackers", key="Q19")
    sweep(worker="one")
    assert state_after(field.phase).own["german"].units["G-2PZ"].strength == 92
    assert overruled(field) == 0


def test_a_sheet_of_the_gm_from_before_players_agreed_overrules_them_only_if_it_differs(field: Field) -> None:
    send(field.phase, field.cast.user("gm"), f"{REPORT}\nRESULT Q19 defenders\nDECIDE Q19", side="gm")
    finish(field, but=(KEY,))
    agreed(field)
    sweep(worker="one")
    subjects = field.cast.campaign.audit.filter(act=desk.OVERRULED).values_list("subject", flat=True)
    assert [subject["battle"] for subject in subjects] == ["Q19"]


@pytest.mark.parametrize(
    "text",
    [
        "RESULT K16 attackers\nLOSSES 2 Pz 8\nLOSSES 110/28 38",
        "RESULT K16 attackers advance 2 Pz\nLOSSES 2 Pz 8",
        f"{REPORT}\nRETREAT 110/28 to L16",
        "RESULT K16 attackers advance 110/28\nLOSSES 2 Pz 8\nLOSSES 110/28 38",
    ],
    ids=["nobody moves in", "less is lost", "it retreats elsewhere", "it counts for nothing"],
)
def test_a_sheet_of_the_gm_that_says_anything_else_of_a_battle_overrules_its_players(field: Field, text: str) -> None:
    finish(field, but=(KEY,))
    agreed(field)
    send(field.phase, field.cast.user("gm"), text, side="gm")
    sweep(worker="one")
    assert overruled(field) == 1


def test_nobody_else_decides_and_nothing_faulty_counts(field: Field) -> None:
    with pytest.raises(NotYours):
        field.decide(LINES, name="german commander")
    with pytest.raises(Faulty):
        field.decide("LOSSES 110/28 12")
    assert field.battle().state == BattleState.OPEN


# --- time ------------------------------------------------------------------------------------------------------------


def test_a_report_that_nobody_answers_counts_as_accepted_after_its_time(field: Field) -> None:
    field.report()
    at = field.time.now + timedelta(hours=field.cast.campaign.battle_hours)
    field.time.now = at - timedelta(seconds=1)
    assert desk.accept_overdue(field.time.now) == 0
    field.time.now = at
    assert desk.accept_overdue(field.time.now) == 1
    assert desk.accept_overdue(field.time.now) == 0
    assert (field.battle().state, field.battle().settled_at) == ("accepted", at)
    assert field.acts()[-1] == "battle accept"
    with pytest.raises(Answered):
        field.dispute()


def test_a_new_report_has_its_whole_time_again(field: Field) -> None:
    field.report()
    field.time.forward(hours=47)
    field.report(text="RESULT K16 defenders", idem="anew")
    field.time.forward(hours=2)
    assert desk.accept_overdue(field.time.now) == 0


def test_a_shorter_time_to_answer_holds_for_later_reports_only(field: Field) -> None:
    field.report()
    due = field.battle().accepts_at
    Campaign.objects.update(battle_hours=1)
    field.time.forward(hours=2)
    assert desk.accept_overdue(field.time.now) == 0
    assert field.battle().accepts_at == due


def test_a_hold_takes_nothing_of_the_time_to_answer(field: Field) -> None:
    field.report()
    due = field.battle().accepts_at
    assert due is not None
    field.time.forward(hours=1)
    deadlines.hold(field.viewer("gm"), reason="a holiday")
    field.time.forward(hours=70)
    field.report(key="G20", text="RESULT G20 defenders", idem="while it is held")
    field.time.forward(hours=2)
    sweep(worker="one")
    assert field.battle().state == BattleState.REPORTED
    deadlines.resume(field.viewer("gm"))
    sweep(worker="one")
    assert (field.battle().state, field.battle().accepts_at) == ("reported", due + timedelta(hours=72))
    assert field.battle("G20").accepts_at == field.time.now + timedelta(hours=48)
    field.time.now = due + timedelta(hours=72)
    assert desk.accept_overdue(field.time.now) == 1


def test_an_outage_takes_nothing_of_the_time_to_answer(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "OUTAGE", timedelta(minutes=15))
    field.report()
    sweep(worker="one")
    due = field.battle().accepts_at
    assert due is not None
    field.time.forward(hours=72)
    sweep(worker="one")
    assert (field.battle().state, field.battle().accepts_at) == ("reported", due + timedelta(hours=72))


def test_a_paused_phase_takes_reports_of_its_battles(field: Field) -> None:
    deadlines.hold(field.viewer("gm"), reason="a holiday")
    field.report()
    field.dispute()
    field.confirm()
    assert field.battle().state == BattleState.CONFIRMED
    field.decide("RESULT K16 defenders")
    assert field.battle().state == BattleState.RULED


# --- the lock --------------------------------------------------------------------------------------------------------


def demo_results() -> dict[str, list[str]]:
    """The results of the demonstration's first portion, by battle, in its order."""
    (text,) = sheet_texts("1944-12-16-german-battles", "gm")
    found: dict[str, list[str]] = {}
    key = ""
    for line in text.splitlines():
        if line.startswith("RESULT"):
            key = PLACES.get(line.split()[1], line.split()[1])
        if line and not line.startswith(("#", "READY")):
            found.setdefault(key, []).append(line)
    return found


PLACES = {"Clervaux": "K16", "Manderfeld": "Q19", "Losheimergraben": "R20", "Höfen": "U19"}


def finish(field: Field, *, but: tuple[str, ...] = ()) -> None:
    """Every battle is reported by the Germans and confirmed by the Allies, who choose their retreats."""
    for key, lines in demo_results().items():
        if key not in but:
            retreats = [line for line in lines if line.startswith("RETREAT")]
            rest = [line for line in lines if line not in retreats]
            field.report(text="\n".join(rest), key=key, idem=key)
            field.confirm(reply="\n".join(retreats), key=key)


def test_the_phase_is_due_when_its_last_result_is_final(field: Field) -> None:
    finish(field, but=(KEY,))
    assert sweep(worker="one") == 0
    assert not locking.lock(field.phase.pk)
    field.report()
    assert not locking.lock(field.phase.pk)
    field.confirm()
    assert locking.due_phases(field.time.now) == [field.phase.pk]
    assert sweep(worker="one") == 2
    assert live(field.cast.campaign).key == "allied_sheet"


def test_results_at_the_lock_are_frozen_as_the_gms_sheet(field: Field) -> None:
    finish(field, but=(KEY, "G20"))
    field.report(text="RESULT K16 attackers", idem="accepted")
    field.decide("RESULT G20 defenders", key="G20")
    field.time.forward(hours=48)
    sweep(worker="one")
    sheet = Sheet.objects.get(phase=field.phase)
    assert (sheet.side, sheet.desk, sheet.version, sheet.author) == ("gm", "HQ", 1, None)
    assert (sheet.channel, sheet.ready) == (Channel.BATTLES, True)
    assert "# Battle of Echternach (G20): as decided by the GM\nRESULT G20 defenders\n" in sheet.text
    assert "(K16): as reported; nobody answered in time\nRESULT K16 attackers\n" in sheet.text
    assert "(I18): as confirmed by both players\nRESULT I18 attackers advance 5 FJ\n" in sheet.text
    (locked,) = field.phase.all_locked_sheets.all()
    assert (locked.sheet, locked.digest) == (sheet, sheet.digest)
    assert "battle results" in field.acts()


def test_frozen_results_resolve_like_the_same_text_entered_by_the_gm(field: Field) -> None:
    finish(field)
    sweep(worker="one")
    players = Outcome.objects.get(resolution__phase=field.phase)
    text = Sheet.objects.get(phase=field.phase).text
    gone = Phase.objects.get(pk=field.phase.pk)
    assert text.count("RESULT") == len(demo_results())
    (demonstration,) = sheet_texts("1944-12-16-german-battles", "gm")
    for entered in (text, demonstration):
        Sheet.objects.filter(phase=gone).update(channel=Channel.GM, author=field.cast.user("gm"), text=entered)
        assert resolve(Claim(gone.pk, gone.fence)).digest == players.digest
    units = state_after(gone).own
    assert units["german"].units["G-2PZ"].at == "K16"
    assert units["allied"].units["U-110"].at == "K15"


def test_a_result_that_the_gm_entered_comes_first_and_wins(field: Field) -> None:
    finish(field)
    send(field.phase, field.cast.user("gm"), "# my word\nRESULT K16 defenders\nLOSSES 2 Pz 30", side="gm")
    sweep(worker="one")
    newest = Sheet.objects.filter(phase=field.phase).order_by("-version").first()
    assert newest is not None
    assert newest.version == 2
    assert newest.text.startswith("# my word\nRESULT K16 defenders\nLOSSES 2 Pz 30\n# Battle of ")
    assert newest.text.count("K16") == 1
    assert state_after(field.phase).own["german"].units["G-2PZ"].strength == 70


def test_a_lock_forced_by_the_gm_takes_the_results_there_are_and_the_rules_decide_the_rest(field: Field) -> None:
    finish(field, but=(KEY, "G20"))
    field.report()
    send(field.phase, field.cast.user("gm"), "RESULT G20 defenders\nREADY", side="gm", ready=True)
    assert sweep(worker="one") == 2
    after = state_after(field.phase)
    assert after.own["german"].units["G-2PZ"].strength == 100, "what is only reported has no effect"
    assert after.own["german"].units["G-5FJ"].strength == 89
    assert after.open.battles == ()


def test_the_demonstrations_way_is_open_as_before(field: Field) -> None:
    send_demo_sheets(field.phase, field.cast.user("gm"))
    sweep(worker="one")
    assert [sheet.version for sheet in Sheet.objects.filter(phase=field.phase)] == [1]
    assert live(field.cast.campaign).key == "allied_sheet"


def test_battles_of_earlier_phases_are_gone(field: Field) -> None:
    finish(field)
    sweep(worker="one")
    assert live(field.cast.campaign).key == "allied_sheet"
    with pytest.raises(Http404):
        field.report(idem="late")
