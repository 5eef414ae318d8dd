"""What the players of a battle share: its file, when they meet, the map of its place. Who may, and who reads it."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from campaign.fighting import fights, meeting_of, meetings_of
from campaign.mail.choices import WINDOW
from campaign.models import Battle, BattleFile, BattleMap, MailNews, OutboxMessage, Phase, PhaseState, PlayingTime
from campaign.people import memberships
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.verification import faults
from orders.battles import files, maps, meetings
from orders.battles.maps import MapTexts
from orders.battles.reporting import Answered, OtherPhase, Unusable, Which
from orders.intake import NotYours, TooLate
from tests.battles import Field
from tests.gm.campaigns import live
from tests.mails import plain_text_of

pytestmark = pytest.mark.django_db

LINK = "https://example.org/save.zip"
OTHER = "G20"
GERMAN, ALLIED = "german commander", "allied commander"


def give(field: Field, name: str, link: str = LINK, note: str = "") -> None:
    files.give(field.viewer(name), field.which(), link, note)


def propose(field: Field, name: str, *hours: float) -> None:
    times = [field.time.now + timedelta(hours=hour) for hour in hours]
    meetings.propose(field.viewer(name), field.which(), times, seen=mark(field, name))


def accept(field: Field, name: str, nth: int = 0) -> None:
    meetings.accept(field.viewer(name), field.which(), meeting_of(field.viewer(name), field.battle()).open[nth].mark)


def withdraw(field: Field, name: str) -> None:
    meetings.withdraw(field.viewer(name), field.which(), seen=mark(field, name))


def keep_map(field: Field, name: str, texts: MapTexts | None = None, *, which: Which | None = None) -> None:
    viewer, which = field.viewer(name), which or field.which()
    known = maps.map_of(viewer, Battle.objects.get(phase=field.phase, key=which.key))
    maps.keep_map(viewer, which, texts or MapTexts("Clervaux"), seen=known.texts.mark if known else "")


def mark(field: Field, name: str) -> str:
    return meeting_of(field.viewer(name), field.battle()).mark


def agreed(field: Field, name: str) -> datetime | None:
    row = meeting_of(field.viewer(name), field.battle()).agreed
    return row.begins_at if row else None


def mails(field: Field) -> list[tuple[str, str]]:
    """The mails about battles so far, each with its reader, once the news has been gathered."""
    field.time.forward(seconds=WINDOW.total_seconds())
    sweep(worker="one")
    found = OutboxMessage.objects.filter(kind="battles").order_by("pk").select_related("user")
    return [(mail.user.username, plain_text_of(bytes(mail.message))) for mail in found if mail.user]


def unlike_the_record(field: Field) -> list[str]:
    """The rows of battles that the record does not vouch for. The cast itself is on none."""
    return [each.where for each in faults(field.cast.campaign) if each.where.startswith(("battle", "playing"))]


def give_something(field: Field, name: str) -> None:
    give(field, name)


def propose_something(field: Field, name: str) -> None:
    propose(field, name, 5)


def keep_something(field: Field, name: str) -> None:
    keep_map(field, name)


SHARING: list[Callable[[Field, str], None]] = [give_something, propose_something, keep_something]


# --- who may ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", SHARING)
@pytest.mark.parametrize("name", ["german staff", "german tactical", "allied commander"])
def test_a_member_who_does_not_fight_the_battle_shares_nothing(
    field: Field, act: Callable[[Field, str], None], name: str
) -> None:
    field.assign(ALLIED, "allied tactical")
    with pytest.raises(NotYours):
        act(field, name)
    assert not any(model._base_manager.exists() for model in (BattleFile, PlayingTime, BattleMap))


@pytest.mark.parametrize("act", SHARING)
def test_what_is_shared_is_on_record_and_taken_until_the_phase_closes(
    field: Field, act: Callable[[Field, str], None]
) -> None:
    field.report()
    field.confirm()
    act(field, GERMAN)
    assert field.acts()[-1].startswith("battle ")
    assert unlike_the_record(field) == []
    Phase.objects.filter(pk=field.phase.pk).update(state=PhaseState.LOCKED)
    before = field.acts()
    with pytest.raises(TooLate):
        act(field, ALLIED)
    assert field.acts() == before


@pytest.mark.parametrize("act", SHARING)
def test_only_who_fights_a_battle_and_the_gm_read_what_is_shared(
    field: Field, act: Callable[[Field, str], None]
) -> None:
    field.assign(GERMAN, "german tactical")
    act(field, "german tactical")
    readers = {name for name in EVERYBODY if _reads(field, name)}
    assert readers == {"german tactical", ALLIED, "gm", "co-gm"}


EVERYBODY = (
    *(f"{side} {name}" for side in ("german", "allied") for name in ("commander", "staff", "tactical")),
    *("german deputy", "gm", "co-gm", "spectator"),
)


def _reads(field: Field, name: str) -> bool:
    viewer, battle = field.viewer(name), field.battle()
    found = (files.battle_files(viewer, battle), meeting_of(viewer, battle).open, maps.map_of(viewer, battle))
    return any(found)


def test_who_gives_up_a_battle_reads_no_more_of_it_and_their_successor_does(field: Field) -> None:
    field.assign(GERMAN, "german tactical")
    give(field, "german tactical")
    keep_map(field, "german tactical")
    propose(field, ALLIED, 5)
    accept(field, "german tactical")
    assert meetings_of(field.viewer("german tactical"))
    field.assign(GERMAN, "german staff")
    assert not _reads(field, "german tactical")
    assert not meetings_of(field.viewer("german tactical"))
    assert _reads(field, "german staff")
    assert meetings_of(field.viewer("german staff"))
    gm = field.viewer("gm")
    memberships.remove(gm, field.cast.member("german staff"), now=field.time.now)
    assert _reads(field, GERMAN), "the commander fights where nobody is named"
    memberships.remove(gm, field.cast.member("german tactical"), now=field.time.now)
    assert unlike_the_record(field) == []


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_newest_file_comes_first_and_earlier_ones_stay(field: Field) -> None:
    give(field, GERMAN, note="after turn 1")
    field.time.forward(hours=1)
    give(field, ALLIED, f"{LINK}?2", "after\nturn 2")
    give(field, ALLIED, f"{LINK}?2", "after turn 2")
    give(field, "gm", LINK)
    rows = [(each.side, each.link, each.note) for each in files.battle_files(field.viewer(ALLIED), field.battle())]
    assert rows == [("gm", LINK, ""), ("allied", f"{LINK}?2", "after turn 2"), ("german", LINK, "after turn 1")]


@pytest.mark.parametrize(
    ("link", "note"),
    [("", ""), ("javascript:alert(1)", ""), ("ftp://x.y/z", ""), (f"{LINK}{'x' * 200}", ""), (LINK, "x" * 201),
     (LINK, "\u202ereversed")],
)  # fmt: skip
def test_links_and_notes_that_cannot_be_taken_change_nothing(field: Field, link: str, note: str) -> None:
    with pytest.raises(Unusable):
        give(field, GERMAN, link, note)
    assert not BattleFile.objects.exists()


# --- when to play ----------------------------------------------------------------------------------------------------


def test_one_player_proposes_times_and_the_other_accepts_one(field: Field) -> None:
    start = field.time.now
    propose(field, GERMAN, 30, 5, 5)
    assert agreed(field, ALLIED) is None
    accept(field, ALLIED, 1)
    accept(field, ALLIED, 0)
    assert agreed(field, GERMAN) == agreed(field, ALLIED) == agreed(field, "gm") == start + timedelta(hours=30)
    assert PlayingTime.objects.filter(ended_at=None).count() == 1


def test_whoever_proposes_others_replaces_what_was_proposed(field: Field) -> None:
    propose(field, GERMAN, 5, 6)
    propose(field, ALLIED, 7)
    meeting = meeting_of(field.viewer(GERMAN), field.battle())
    assert (meeting.by, len(meeting.open)) == ("allied", 1)
    with pytest.raises(Answered):
        accept(field, ALLIED)
    accept(field, GERMAN)


def test_the_same_times_twice_are_proposed_once(field: Field) -> None:
    seen, times = mark(field, GERMAN), [field.time.now + timedelta(hours=5)]
    for _ in range(2):
        meetings.propose(field.viewer(GERMAN), field.which(), times, seen=seen)
    assert PlayingTime.objects.count() == 1


@pytest.mark.parametrize("hours", [(), (-1,), (0,), (24 * 367,), (1, 2, 3, 4)])
def test_times_that_nobody_can_meet_are_refused(field: Field, hours: tuple[float, ...]) -> None:
    with pytest.raises(Unusable):
        propose(field, GERMAN, *hours)
    assert not PlayingTime.objects.exists()


def test_a_time_that_has_passed_is_not_accepted(field: Field) -> None:
    propose(field, GERMAN, 1, 9)
    field.time.forward(hours=2)
    with pytest.raises(Unusable):
        accept(field, ALLIED, 0)
    accept(field, ALLIED, 1)


def test_nobody_accepts_withdraws_or_replaces_what_has_changed_unseen(field: Field) -> None:
    before = mark(field, ALLIED)
    propose(field, GERMAN, 5)
    late, row = field.time.now + timedelta(hours=9), meeting_of(field.viewer(ALLIED), field.battle()).open[0]
    with pytest.raises(Answered):
        meetings.propose(field.viewer(ALLIED), field.which(), [late], seen=before)
    with pytest.raises(Answered):
        withdraw(field, ALLIED)
    propose(field, GERMAN, 6)
    with pytest.raises(Answered):
        meetings.accept(field.viewer(ALLIED), field.which(), row.mark)
    seen = mark(field, GERMAN)
    accept(field, ALLIED)
    with pytest.raises(Answered):
        meetings.withdraw(field.viewer(GERMAN), field.which(), seen=seen)
    assert agreed(field, GERMAN)


@pytest.mark.parametrize("name", [GERMAN, ALLIED])
def test_either_player_withdraws_an_agreed_time(field: Field, name: str) -> None:
    propose(field, GERMAN, 5)
    accept(field, ALLIED)
    with pytest.raises(Unusable, match="Withdraw it first"):
        propose(field, name, 6)
    seen = mark(field, name)
    for _ in range(2):
        meetings.withdraw(field.viewer(name), field.which(), seen=seen)
    assert meeting_of(field.viewer(name), field.battle()).open == ()
    propose(field, name, 6)


def test_after_an_agreed_time_the_players_propose_the_next(field: Field) -> None:
    propose(field, GERMAN, 5)
    accept(field, ALLIED)
    field.time.forward(hours=6)
    propose(field, ALLIED, 5)
    assert agreed(field, GERMAN) is None


def test_the_gm_takes_no_part_in_meetings(field: Field) -> None:
    with pytest.raises(NotYours):
        propose(field, "gm", 5)


def test_the_other_player_is_told_once_of_what_holds_then(field: Field) -> None:
    user = field.cast.user(ALLIED)
    user.time_zone = "America/New_York"
    user.save()
    propose(field, GERMAN, 30)
    propose(field, GERMAN, 31)
    ((reader, text),) = mails(field)
    assert reader == ALLIED
    at = field.time.now + timedelta(hours=31) - WINDOW
    assert " ".join(text.split()).count("The other player would play on") == 1
    assert f"({at:%H:%M} UTC)" in " ".join(text.split())
    accept(field, ALLIED)
    assert [reader for reader, _ in mails(field)[1:]] == [GERMAN, "german deputy"]
    withdraw(field, GERMAN)
    assert "withdrew" in mails(field)[3][1]
    assert len(mails(field)) == 4


def test_what_was_withdrawn_before_the_mail_left_is_said_as_it_is_then(field: Field) -> None:
    propose(field, GERMAN, 5)
    withdraw(field, GERMAN)
    assert all("withdrew" in text and "would play" not in text for _, text in mails(field))


def test_news_of_a_battle_that_somebody_else_fights_now_is_no_news(field: Field) -> None:
    propose(field, GERMAN, 5)
    field.assign(ALLIED, "allied tactical")
    MailNews.objects.filter(kind="brief").delete()
    assert mails(field) == []


# --- maps ------------------------------------------------------------------------------------------------------------


def test_a_map_is_remembered_for_a_place_and_corrected(field: Field) -> None:
    keep_map(field, GERMAN, MapTexts("Clervaux", LINK, "North edge only."))
    keep_map(field, ALLIED, MapTexts("Clervaux", LINK, "North edge only."))
    assert BattleMap.objects.count() == 1
    keep_map(field, ALLIED, MapTexts("Clerf", LINK))
    known = maps.map_of(field.viewer(GERMAN), field.battle())
    assert known is not None
    assert (known.texts.name, known.own) == ("Clerf", False)
    assert maps.versions_of(field.viewer(GERMAN), field.battle()) == []
    assert [each.name for each in maps.versions_of(field.viewer("gm"), field.battle())] == ["Clerf", "Clervaux"]
    assert maps.map_of(field.viewer(GERMAN), field.battle(OTHER)) is None


def test_a_map_is_withdrawn_by_its_author_or_the_gm_and_the_one_before_counts_again(field: Field) -> None:
    keep_map(field, GERMAN, MapTexts("Clervaux"))
    keep_map(field, ALLIED, MapTexts("Nonsense"))
    field.time.forward(hours=1)
    seen = MapTexts("Nonsense").mark
    with pytest.raises(Answered):
        maps.withdraw_map(field.viewer(GERMAN), field.which(), seen=seen)
    for _ in range(2):
        maps.withdraw_map(field.viewer(ALLIED), field.which(), seen=seen)
    known = maps.map_of(field.viewer(ALLIED), field.battle())
    assert known is not None
    assert known.texts.name == "Clervaux"
    maps.withdraw_map(field.viewer("gm"), field.which(), seen=known.texts.mark)
    assert maps.map_of(field.viewer(GERMAN), field.battle()) is None
    assert unlike_the_record(field) == []


def test_a_map_that_has_changed_is_not_replaced_unseen(field: Field) -> None:
    keep_map(field, GERMAN)
    with pytest.raises(Answered):
        maps.keep_map(field.viewer(ALLIED), field.which(), MapTexts("Clerf"), seen="")


@pytest.mark.parametrize(
    "texts",
    [MapTexts(" "), MapTexts("x" * 101), MapTexts("x", "file"), MapTexts("x", LINK, "x" * 2001), MapTexts("x\u202e")],
)
def test_maps_that_cannot_be_taken_change_nothing(field: Field, texts: MapTexts) -> None:
    with pytest.raises(Unusable):
        keep_map(field, GERMAN, texts)
    assert not BattleMap.objects.exists()


# --- reopened phases -------------------------------------------------------------------------------------------------


def test_a_battle_of_a_reopened_phase_continues_with_its_file_its_meeting_and_its_map(field: Field) -> None:
    give(field, GERMAN)
    propose(field, GERMAN, 300)
    accept(field, ALLIED)
    keep_map(field, ALLIED)
    _withdrawn(field)
    before, phase = field.which(), live(field.cast.campaign)
    assert (phase.no, phase.rev) == (before.no, before.rev + 1)
    again = Field(field.cast, phase, field.time)
    with pytest.raises(OtherPhase):
        files.give(field.viewer(GERMAN), before, f"{LINK}?2")
    assert [each.link for each in files.battle_files(again.viewer(ALLIED), again.battle())] == [LINK]
    assert agreed(again, GERMAN) is not None
    assert maps.map_of(again.viewer(GERMAN), again.battle()) is not None
    assert fights(again.viewer(GERMAN), again.battle())
    withdraw(again, ALLIED)
    give(again, ALLIED, f"{LINK}?2")
    assert len(files.battle_files(again.viewer(GERMAN), again.battle())) == 2
    assert unlike_the_record(field) == []


def _withdrawn(field: Field) -> None:
    """The battles are decided, the phase is published, and reopened."""
    for battle in field.phase.battles.all():
        field.decide(f"RESULT {battle.key} defenders", key=battle.key)
    sweep(worker="one")
    reopen(field.viewer("gm"), reason="the wrong map")
