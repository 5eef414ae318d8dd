"""What the rules leave to the game master is asked in a side's report only if the side is told what it follows from."""

from collections.abc import Iterator, Sequence
from typing import Any

from campaign.engine.facts import Event
from campaign.engine.judgements import Judgement
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.rulesets.forum_campaign import RULESET
from tests.secrecy.one_world.test_oracle import Case, loaded, phases_of

GAMES = ("st-vith-1944, bots", "st-vith-1944, random 1", "ardennes-1944, random 0", "the demonstration")


def test_nobody_reads_a_question_about_what_they_were_not_told() -> None:
    """R15.3 calibres, R12.6 withdrawals, R12.10 absorption: a question and its answer are for those who were there."""
    read, kinds = list(_read()), set[str]()
    for case, judged, who in read:
        kinds.add(judged.kind)
        told = _told(case.resolution.events, who)
        assert judged in list(_judged(case, told)), f"{who} was not told what it is about: {judged.question}"
    assert kinds == {"Calibre of heavy artillery", "Withdrawal", "Remains", "Tie in absorption"}
    assert len(read) > 50


def _read() -> Iterator[tuple[Case, Judgement, Audience]]:
    """Every question of these games, with each audience that reads it; the public if everybody does."""
    for game in GAMES:
        for case in phases_of(game):
            for judged in _judged(case, case.resolution.events):
                yield from ((case, judged, who) for who in judged.audiences or (PUBLIC,))


def _judged(case: Case, events: Sequence[Event[Any]]) -> Iterator[Judgement]:
    yield from RULESET.judgements(loaded(case.scenario).scenario.game_data, case.before, events)


def _told(events: Sequence[Event[Any]], who: Audience) -> list[Event[Any]]:
    """The events as an audience is told them."""
    faces = ((each, each.disclosures.get(who)) for each in events)
    return [Event(each.phase, each.rule, face, {}, each.ruling) for each, face in faces if face is not None]
