"""What a draft leaves to the GM, and the answers: each goes into the reports of those whom it concerns."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.facts import Event, Noted
from campaign.engine.judgements import Judgement
from campaign.engine.values.ids import GM, Audience, audience_of
from campaign.game.store import decode_state, unpack
from campaign.models import BattleState, Phase, Statement, User
from campaign.record import audit
from campaign.services import scenario_of
from gm.models import Answer
from gm.phases.rows import events_of, locked_row, may_change

LONGEST = 2000
"""Of an answer, in characters."""


@dataclass(frozen=True)
class ForYou:
    """A question of a draft, with the GM's answer."""

    judgement: Judgement
    answer: str
    """Empty: none yet."""


def questions(phase: Phase, events: Sequence[Event[Any]]) -> tuple[Judgement, ...]:
    """What a draft leaves to the GM: notes, disputes, and what its rules leave open."""
    loaded = scenario_of(phase.campaign)
    before = decode_state(loaded.rules, unpack(phase.start.state_before), version=phase.state_version)
    found = (
        *_notes(events),
        *_disputes(phase),
        *loaded.rules.judgements(loaded.scenario.game_data, before, events),
    )
    return tuple({each.key: each for each in found}.values())


def _notes(events: Sequence[Event[Any]]) -> Iterator[Judgement]:
    for event in events:
        if isinstance(event.fact, Noted):
            who = audience_of(event.fact.side)
            yield Judgement(note_key(who, event.fact.text), "Note", f"The note “{event.fact.text}”.", (who,))


def note_key(who: Audience, text: str) -> str:
    """The key of a side's note to the GM."""
    return f"note/{who}/{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def dispute_key(battle: str) -> str:
    """The key of a battle whose players did not agree."""
    return f"dispute/{battle}"


def _disputes(phase: Phase) -> Iterator[Judgement]:
    """Battles that the GM decided after a player had disputed a report."""
    stated = Exists(Statement.objects.filter(battle=OuterRef("pk")))
    for battle in phase.battles.filter(stated, state__in=[BattleState.RULED, BattleState.DISPUTED]).order_by("key"):
        yield Judgement(
            dispute_key(battle.key),
            "Dispute",
            f"The disputed battle of {battle.key}.",
            (Audience(battle.attacker), Audience(battle.defender)),
        )


def for_you(phase: Phase, events: Sequence[Event[Any]]) -> list[ForYou]:
    """The questions of a draft with their answers, first those without one."""
    answered = answers_of(phase)
    found = [ForYou(each, answered.get(each.key, "")) for each in questions(phase, events)]
    return sorted(found, key=lambda each: bool(each.answer))


def answers_of(phase: Phase) -> Mapping[str, str]:
    """The GM's answers, by the keys of the questions."""
    return dict(phase.answers.values_list("key", "text"))


def answer(phase_id: int, *, fence: int, key: str, text: str, author: User, words: str | None = None) -> bool:
    """Store the GM's answer to a question of the draft that they have seen, or delete it if it is blank.

    False if the draft is not the newest, is approved, or has no such question; with words, if anybody has written
    anything for it since (see `may_change`).
    """
    text = " ".join(text.split())[:LONGEST]
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        if not may_change(phase, fence=fence, words=words):
            return False
        asked = next((each for each in questions(phase, events_of(phase)) if each.key == key), None)
        if asked is None:
            return False
        before = phase.answers.filter(key=key).first()
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "key": key}
        if text:
            columns = {"question": asked.question, "audiences": list(asked.audiences), "text": text}
            defaults = {**columns, "author": author, "at": now}
            kept, _ = Answer.objects.update_or_create(phase=phase, key=key, defaults=defaults)
            audit.record(phase.campaign, "answer", subject, at=now, rows=[kept])
        elif before is not None:
            audit.record(phase.campaign, "answer", subject, at=now, gone=[before])
            before.delete()
        fp("ruling.before_commit")
    return True


def drop_unasked(phase: Phase) -> None:
    """Delete the answers to questions that the newest draft does not have, in the transaction that publishes it."""
    answers = list(phase.answers.order_by("key"))
    asked = {each.key for each in questions(phase, events_of(phase))} if answers else set()
    gone = [each for each in answers if each.key not in asked]
    if gone:
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev}
        audit.record(phase.campaign, "answers dropped", subject, at=clock.now(), gone=gone)
        phase.answers.filter(pk__in=[each.pk for each in gone]).delete()


@dataclass(frozen=True)
class Told:
    """An answer as its readers get it."""

    key: str
    """Of the question."""
    question: str
    text: str
    audiences: tuple[str, ...]
    """Empty: everybody."""

    @property
    def words(self) -> str:
        """The question, and what the GM says to it."""
        return f"{self.question} The GM: {self.text}"

    def is_for(self, who: Audience) -> bool:
        """Whether an audience may read it."""
        return who == GM or not self.audiences or who in self.audiences


def told(phase: Phase) -> list[Told]:
    """The answers of a phase."""
    rows = phase.answers.order_by("key").values_list("key", "question", "text", "audiences")
    return [Told(key, question, text, tuple(audiences)) for key, question, text, audiences in rows]
