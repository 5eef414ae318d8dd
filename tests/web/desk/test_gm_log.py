"""The log of the GM's acts: each audience reads those that it was told of, and nothing shows that there were others."""

from datetime import timedelta
from html import unescape
from tempfile import TemporaryFile

import pytest
from PIL import Image

from campaign.core import clock
from campaign.engine.values.ids import Audience
from campaign.models import Role, Ruling
from campaign.people import desks
from campaign.people.absences import Booking, book
from campaign.people.invitations import invite
from campaign.people.memberships import change_role, remove
from campaign.record import audit
from campaign.secrecy import truth
from campaign.secrecy.truth import Breach
from campaign.services import change_settings
from campaign.viewers import Viewer, viewer_of
from gm.acts import KINDS, SILENT, gm_acts
from gm.desk import deadlines, reopening
from gm.desk.exposure import Notify, expose
from gm.desk.view_as import note_view_as
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from orders.battles import files, maps
from questions.writing import Written, answer, ask
from stories import maps as pictures
from stories import writing as stories
from stories.telling import choose
from tests.battles import KEY, LINES, Field, field
from tests.gm.campaigns import Clock, live
from tests.web.conftest import PARTS, Cast
from tests.web.recorded_acts import recorded_acts

__all__ = ["field"]

pytestmark = pytest.mark.django_db

SIDES = ("german staff", "allied staff", "spectator")


def viewer(cast: Cast, name: str) -> Viewer:
    return viewer_of(cast.user(name), cast.campaign.slug)


def log(cast: Cast, name: str) -> list[str]:
    """What somebody reads, the newest first, each with its reason."""
    return [f"{act.what} {act.reason}".strip() for act in gm_acts(viewer(cast, name))]


def page(cast: Cast, name: str) -> str:
    answer = cast.browser(name).get(cast.address("log/"))
    assert answer.status_code == 200
    return unescape(answer.content.decode().partition("<main")[2])


def test_everybody_reads_pauses_and_deadlines_with_their_reasons(cast: Cast, time: Clock) -> None:
    gm = viewer(cast, "gm")
    deadlines.hold(gm, reason="Easter")
    time.forward(hours=1)
    deadlines.resume(gm)
    time.forward(hours=1)
    deadlines.extend(gm, clock.now() + timedelta(days=5), reason="exams")
    for name in PARTS:
        acts = log(cast, name)
        assert len(acts) == 3
        assert acts[0].startswith("“German movement and attacks” of 16 December 1944: The deadline is now 6 March 2026")
        assert acts[0].endswith(". exams")
        assert "resumed" in acts[1]
        assert "The campaign is paused: Easter." in acts[2]
        assert "Reason: exams" in page(cast, name)
        assert "Sun 1 Mar 2026, 14:00 UTC" in page(cast, name)


def test_a_reopening_is_read_by_everybody(cast: Cast) -> None:
    reopening.reopen(viewer(cast, "gm"), reason="the weather was wrong")
    for name in PARTS:
        assert "was opened again, and its maps and reports are withdrawn. the weather was wrong" in log(cast, name)[0]


def test_desks_are_read_by_their_side_alone_and_only_if_a_gm_assigned_them(cast: Cast) -> None:
    for who, name, army in (("gm", "South", "7th Army"), ("german commander", "North", "6th Panzer Army")):
        desks.set_desk(
            viewer(cast, who), name=name, formations=[army], holder=cast.member("german staff"), now=clock.now()
        )
    assert log(cast, "german tactical") == ["german staff writes the sheet of the desk South of the Germans."]
    desks.drop_desk(viewer(cast, "gm"), side="german", name="South", now=clock.now())
    assert log(cast, "german staff")[0] == "The desk South of the Germans is closed."
    assert log(cast, "allied commander") == log(cast, "spectator") == []


def test_new_parts_are_read_by_their_side(cast: Cast) -> None:
    gm = viewer(cast, "gm")
    change_role(gm, cast.member("german tactical"), role=Role.STAFF, side="german", now=clock.now())
    remove(gm, cast.member("german staff"), now=clock.now())
    assert log(cast, "german deputy") == [
        "german staff no longer takes part.",
        "german tactical is now staff of the Germans.",
    ]
    assert log(cast, "allied deputy" if "allied deputy" in PARTS else "allied staff") == []


def test_a_battle_is_read_by_its_sides(field: Field) -> None:
    field.assign("gm", "german tactical")
    field.assign("allied commander", "allied tactical")
    field.decide(LINES)
    decided = "The battle of K16 in “German battles” of 16 December 1944 was decided."
    named = "german tactical is the player of the battle of K16 in “German battles” of 16 December 1944."
    assert log(field.cast, "german staff") == [decided, named]
    assert log(field.cast, "allied staff") == [decided]
    assert log(field.cast, "spectator") == []


@pytest.mark.parametrize(
    ("tells", "readers"),
    [
        (Notify.NOBODY, {"gm"}),
        (Notify.SIDE, {"gm", "german staff"}),
        (Notify.ALL, {"gm", "german staff", "allied staff", "spectator"}),
    ],
)
def test_a_leak_is_read_by_those_who_were_told(cast: Cast, tells: Notify, readers: set[str]) -> None:
    expose(viewer(cast, "gm"), no=0, rev=0, side="german", what="Your map was in the forum.", tells=tells)
    logs = {name: log(cast, name) for name in ("gm", *SIDES)}
    assert {name for name, acts in logs.items() if acts} == readers
    assert {name for name, acts in logs.items() if "in the forum" in " ".join(acts)} <= {"gm", "german staff"}
    assert "in the forum" in logs["gm"][0]


def test_a_leak_that_an_older_release_recorded_is_for_the_gm(cast: Cast) -> None:
    said: dict[str, str | int] = {"phase": 0, "rev": 0, "title": "Start", "side": "german", "what": "x"}
    audit.record(cast.campaign, "exposure", said, at=clock.now())
    assert [name for name in ("gm", *SIDES) if log(cast, name)] == ["gm"]


@pytest.mark.usefixtures("draft")
def test_a_ruling_is_read_once_it_is_published_by_those_who_received_it(cast: Cast) -> None:
    browser = cast.browser("gm")
    phase = live(cast.campaign)
    mark = f"{phase.no}.{phase.rev}.{phase.fence}"
    text = {"stage": phase.key, "text": "STRENGTH 12 SS 80", "reason": "Bridge blown by hand.", "seen": mark}
    assert browser.post(cast.address("desk/draft/"), {"act": "rule", **text}).status_code == 302
    sweep(worker="one")
    assert Ruling.objects.exists()
    assert "1 GM ruling on the draft of" in log(cast, "gm")[0]
    assert all(log(cast, name) == [] for name in SIDES)
    phase.refresh_from_db()
    assert approve(phase.pk, fence=phase.fence)
    (ruling,) = log(cast, "german staff")
    assert ruling.startswith("“German movement and attacks” of 16 December 1944: ")
    assert ruling.endswith(" Bridge blown by hand.")
    assert ruling in log(cast, "gm")
    assert log(cast, "allied staff") == log(cast, "spectator") == []


def test_what_a_side_is_not_told_changes_nothing_on_its_page(cast: Cast) -> None:
    gm = viewer(cast, "gm")
    deadlines.extend(gm, live(cast.campaign).deadline_at + timedelta(days=1), reason="holidays")
    before = {name: page(cast, name) for name in ("allied commander", "allied staff", "spectator")}
    desks.set_desk(gm, name="South", formations=["7th Army"], holder=cast.member("german staff"), now=clock.now())
    expose(gm, no=0, rev=0, side="german", what="Your map was in the forum.", tells=Notify.SIDE)
    note_view_as(gm, 0, "german")
    invite(gm, role=Role.STAFF, side="german", meant_for="a friend", now=clock.now())
    change_settings(cast.campaign, absent_hours=6)
    assert len(log(cast, "gm")) == 6
    assert {name: page(cast, name) for name in before} == before


def test_only_the_audience_itself_is_answered(cast: Cast) -> None:
    german = viewer(cast, "german staff")
    for audience in ("allied", "public"):
        with truth.reading(lambda audience=audience: truth.Reader(Audience(audience))), pytest.raises(Breach):  # type: ignore[misc]
            gm_acts(german)


def test_every_act_that_code_records_has_words_or_a_reason_to_have_none() -> None:
    assert set(recorded_acts()) == {*KINDS, *SILENT}
    assert not set(KINDS) & set(SILENT)


def test_what_the_gm_does_about_battles_stories_and_questions_is_in_words_for_gms_alone(field: Field) -> None:
    gm, german = field.viewer("gm"), field.viewer("german commander")
    before = {name: log(field.cast, name) for name in SIDES}
    which = stories.Which(no=field.phase.no, rev=field.phase.rev, key=KEY)
    for who in ("german commander", "gm"):
        files.give(field.viewer(who), field.which(), f"https://example.org/{len(who)}", "")
    maps.keep_map(gm, field.which(), maps.MapTexts("Clervaux"), seen="")
    maps.withdraw_map(gm, field.which(), seen=maps.MapTexts("Clervaux").mark)
    with TemporaryFile() as sent:
        Image.new("RGB", (40, 30), "red").save(sent, "PNG")
        for caption in ("", "The mill"):
            sent.seek(0)
            pictures.add_picture(gm, field.which(), sent, caption)
    pictures.remove_picture(gm, field.which(), pictures.pictures_of(gm, field.battle())[0].token)
    story = stories.save(german, which, stories.Draft(text="We crossed.", captions={}, removed=()))
    for readers in ("side", "nobody"):
        choose(gm, story.token, readers, seen=story.version)
    asked = ask(german, "May they?", rule="R1", line="", now=clock.now())
    made = Written(reach="asker", rule="R1", asked="", text="They may.")
    answer(gm, asked, made, seen="", shown="", now=clock.now())
    book(gm, field.cast.member("allied staff"), Booking(until=clock.now() + timedelta(days=3)), now=clock.now())
    battle = f"battle of {KEY} in “German battles” of 16 December 1944"
    assert log(field.cast, "gm") == [
        "allied staff is marked as away.",
        "An answer to question 1 of the Germans.",
        f"Nobody else can read the story of the Germans about the {battle}.",
        f"The author’s side can read the story of the Germans about the {battle}.",
        f"A picture of the map of the {battle} was removed.",
        f"A new caption of a picture of the map of the {battle}.",
        f"A new picture of the map of the {battle}.",
        f"A version of the map of the {battle} was withdrawn.",
        f"A new version of the map of the {battle}.",
        f"A link to the file of the {battle}.",
    ]
    assert {name: log(field.cast, name) for name in SIDES} == before


def test_a_campaign_without_acts_says_so(cast: Cast) -> None:
    assert "Nothing yet." in page(cast, "german staff")
