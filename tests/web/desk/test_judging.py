"""What the rules leave to the GM: asked on the draft, answered there, and told to those whom it concerns."""

from typing import Any

import pytest

from campaign.engine.facts import Event, Noted
from campaign.engine.state import with_open, with_own
from campaign.engine.values.ids import GM, PhaseKey, PlaceId, SideId, UnitId
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.store import decode_answers
from campaign.models import Artefact, Phase
from campaign.rulesets.forum_campaign.battle.absorption import nearest
from campaign.rulesets.forum_campaign.gm.judgements import judgements
from campaign.rulesets.forum_campaign.model.facts.air import Landed, Landing
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Absorbed,
    BattleFought,
    Cause,
    Decision,
    Destroyed,
    Supported,
)
from campaign.rulesets.forum_campaign.model.game_data import Weather
from campaign.rulesets.forum_campaign.model.state import Support, WeatherToday, Winner
from gm.demo import SCENARIO
from gm.desk.absence import flags
from gm.machine.sweeper import sweep
from gm.models import Answer
from gm.phases.judging import for_you, questions
from gm.phases.rows import events_of
from gm.verification import faults
from tests.gm.campaigns import live, review_drafts, send, sheet_texts
from tests.toy import SCENARIO as ESTUARY
from tests.toy.gm.judgements import judgements as of_toy
from tests.toy.model.facts import AttackLapsed
from tests.web.conftest import Cast
from tests.web.desk.test_desk import act, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def noted(cast: Cast) -> Phase:
    """A draft with a note of the Germans."""
    review_drafts()
    phase = live(cast.campaign)
    send(phase, cast.user("german commander"), "NOTE may 12 SS rest here?\nREADY", ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    return phase


def unsound(cast: Cast) -> list[str]:
    """What `verify` finds, apart from people and settings, which the fixtures write outside the services."""
    aside = ("user ", "membership ", "campaign", "phasesettings ")
    return [str(fault) for fault in faults(cast.campaign) if not fault.where.startswith(aside)]


def key_of(phase: Phase) -> str:
    (asked,) = questions(phase, events_of(phase))
    return asked.key


def judge(cast: Cast, phase: Phase, text: str = "They may.") -> None:
    assert act(cast, phase, "answer", question=key_of(phase), answer=text).status_code == 302


def text_for(phase: Phase, audience: str) -> str:
    content = Artefact.objects.get(phase=phase, audience=audience, kind="text").content
    return " ".join(bytes(content).decode().split())


def test_a_note_is_for_the_gm_to_judge_and_its_answer_for_its_side_alone(cast: Cast, noted: Phase) -> None:
    assert "For you to judge" in page(cast, "desk/draft/")
    assert "The note “may 12 SS rest here?”." in page(cast, "desk/draft/")
    judge(cast, noted)
    assert 'value="They may."' in page(cast, "desk/draft/")
    act(cast, noted, "approve")
    assert "The note “may 12 SS rest here?”. The GM: They may." in text_for(noted, "german")
    assert "They may." in text_for(noted, "gm")
    assert not any("They may" in text_for(noted, who) for who in ("allied", "public"))
    assert "They may." in cast.browser("german staff").get(cast.address(f"stops/{noted.no}/")).content.decode()
    assert "They may." not in cast.browser("allied staff").get(cast.address(f"stops/{noted.no}/")).content.decode()
    assert not unsound(cast)


def test_an_answered_note_is_no_flag_any_longer(cast: Cast, noted: Phase) -> None:
    assert len(flags(noted)) == 1
    judge(cast, noted)
    assert flags(noted) == ()
    judge(cast, noted, "")
    assert len(flags(noted)) == 1
    assert not unsound(cast)


def test_a_draft_with_open_questions_can_be_published(cast: Cast, noted: Phase) -> None:
    assert act(cast, noted, "approve").status_code == 302
    assert "The GM:" not in text_for(noted, "german")


def test_an_answer_to_what_the_draft_does_not_ask_is_refused_and_given_back(cast: Cast, noted: Phase) -> None:
    for more in ({"question": "note/allied/0"}, {"question": key_of(noted), "seen": "1.0.99"}):
        refused = act(cast, noted, "answer", answer="They <may>.", **more)
        assert refused.status_code == 409
        assert "They &lt;may&gt;." in refused.content.decode()
    assert not Answer.objects.exists()


def test_an_answer_stays_through_a_re_run_and_goes_with_its_question(cast: Cast, noted: Phase) -> None:
    judge(cast, noted)
    act(cast, noted, "rule", stage="german_end", text="FUEL 7", reason="a dump burnt")
    sweep(worker="one")
    noted.refresh_from_db()
    assert [each.answer for each in for_you(noted, events_of(noted))] == ["They may."]
    asked = Answer.objects.get()
    Answer.objects.create(
        phase=noted, key="gone", question="?", audiences=[], text="Nothing.", author=asked.author, at=asked.at
    )
    act(cast, noted, "approve")
    assert [each.key for each in Answer.objects.all()] == [asked.key]
    assert "Nothing." not in text_for(noted, "public")


def test_an_open_matter_is_answered_to_everybody(cast: Cast, noted: Phase) -> None:
    judge(cast, noted)
    Answer.objects.update(audiences=[])
    act(cast, noted, "approve")
    assert all("They may." in text_for(noted, who) for who in ("german", "allied", "public", "gm"))


def test_nobody_but_the_gm_reads_or_answers_questions(cast: Cast, noted: Phase) -> None:
    for who in ("german commander", "spectator"):
        sent = act(cast, noted, "answer", who=who, question=key_of(noted), answer="Yes.")
        assert sent.status_code == 404


# --- calibres --------------------------------------------------------------------------------------------------------


@pytest.fixture
def supported(cast: Cast) -> Phase:
    """The draft of the German attacks, of which Clervaux has heavy artillery."""
    review_drafts()
    phase = live(cast.campaign)
    (text,) = list(sheet_texts(phase.file_stem, "german"))[-1:]
    send(phase, cast.user("german commander"), text.replace("READY", "") + "\nARTILLERY 2 Pz\nREADY", ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    return phase


def test_the_calibre_is_in_the_brief_of_the_battle_that_follows_for_its_side_alone(
    cast: Cast, supported: Phase
) -> None:
    act(cast, supported, "answer", question="artillery/german/K16", answer="15 cm <sFH 18>")
    act(cast, supported, "approve")
    assert live(cast.campaign).key == "german_battles"
    read = {name: cast.browser(name).get(cast.address("battles/K16/")).content.decode() for name in READERS}
    for name in ("german commander", "german staff", "gm"):
        assert "1 battery: 15 cm &lt;sFH 18&gt;" in read[name], name
    assert "sFH" not in read["allied commander"]
    assert "sFH" not in read["allied staff"]
    shut = cast.browser("allied commander").get(cast.address("battles/R20/")).content.decode()
    assert "battery: " not in shut
    assert not unsound(cast)


READERS = ("german commander", "german staff", "allied commander", "allied staff", "gm")


def test_without_an_answer_the_brief_says_which_calibre_counts(cast: Cast, supported: Phase) -> None:
    act(cast, supported, "approve")
    page_of = cast.browser("german commander").get(cast.address("battles/K16/")).content.decode()
    assert "1 battery: 105 mm, unless the GM names another calibre" in page_of
    assert not Artefact.objects.filter(kind="answers").exists()


def test_answers_are_kept_for_those_who_read_them_alone(cast: Cast, supported: Phase) -> None:
    act(cast, supported, "answer", question="artillery/german/K16", answer="15 cm")
    act(cast, supported, "approve")
    kept = Artefact.objects.filter(phase=supported, kind="answers").order_by("audience")
    assert [each.audience for each in kept] == ["german", "gm"]
    assert decode_answers(bytes(kept[0].content)) == {"artillery/german/K16": "15 cm"}


# --- what the rules leave open ---------------------------------------------------------------------------------------


def event(fact: Any) -> Event[Any]:
    return Event(PhaseKey("german_end"), "R1", fact, {GM: fact})


LOADED = load_scenario(find_scenario(SCENARIO))
DATA = LOADED.scenario.game_data
START = with_open(LOADED.scenario.start, weather=WeatherToday(Weather.GLOOMY, 0, 0))
GERMAN, ALLIED, K16 = SideId("german"), SideId("allied"), PlaceId("K16")


def test_the_calibre_of_artillery_is_asked_of_the_supported_side() -> None:
    with_, without = (event(Supported(GERMAN, K16, Support(artillery=each))) for each in (True, False))
    (asked,) = judgements(DATA, START, [with_, without])
    assert (asked.audiences, asked.rule) == (("german",), "R15.3")
    assert "Clervaux" in asked.question


def test_a_withdrawal_is_asked_of_the_defenders() -> None:
    fought = [
        event(BattleFought(K16, GERMAN, Winner.ATTACKERS, each)) for each in (Decision.WITHDRAWN, Decision.REPORTED)
    ]
    (asked,) = judgements(DATA, START, fought)
    assert (asked.audiences, asked.kind) == (("allied",), "Withdrawal")


def test_a_drop_that_drifted_is_asked_of_its_side() -> None:
    landed = [event(Landed(GERMAN, UnitId("Heydte"), K16, PlaceId(at), Landing.NORMAL)) for at in ("K15", "K16")]
    (asked,) = judgements(DATA, START, landed)
    assert (asked.audiences, asked.kind) == (("german",), "Drift")
    assert "K15" in asked.question


def test_of_ties_in_absorption_the_side_reads_no_more_than_it_is_told() -> None:
    """Which other units are as near depends on enemies that nobody sees: the GM alone reads it."""
    at = next(unit.at for unit in START.own[GERMAN].units.values() if unit.at)
    first, second = nearest(DATA, START, GERMAN, at)[:2]
    state = _brought(second[1].id, first[1].at)
    near = nearest(DATA, state, GERMAN, at)
    (cost, taker), (_, other) = near[:2]
    lost = Destroyed(GERMAN, UnitId("gone"), "Gone", at, Cause.LOSSES)
    absorbed = Absorbed(GERMAN, taker.id, UnitId("gone"), 10, cost)
    (asked,) = [each for each in judgements(DATA, state, [event(absorbed), event(lost)]) if each.kind.startswith("Tie")]
    assert asked.audiences == ("german",)
    assert other.label in asked.hint
    assert other.label not in asked.question
    apart = Absorbed(GERMAN, taker.id, UnitId("gone"), 10, cost + 50)
    assert not list(judgements(DATA, state, [event(apart), event(lost)]))


def _brought(unit: UnitId, at: PlaceId | None) -> Any:
    """The start, with a unit brought to a place."""

    def own(before: Any) -> Any:
        return replace(before, units={**before.units, unit: replace(before.units[unit], at=at)})

    return with_own(START, GERMAN, own)


def test_the_toy_has_a_list_of_its_own() -> None:
    assert ESTUARY.is_dir()
    lapsed = AttackLapsed(SideId("north"), UnitId("1"), PlaceId("marsh"))
    noted = Noted(SideId("north"), "a note")
    (asked,) = of_toy(None, None, [event(lapsed), event(noted)])  # type: ignore[arg-type]
    assert (asked.audiences, asked.kind) == (("north",), "An empty area")
