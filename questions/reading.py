"""Which questions and answers a viewer may read.

A question is for its asker and the game masters. An answer is for them, for the asker's side or for everybody. Readers
of an answer never learn who asked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from campaign.game.rulebook import rulebook_of
from campaign.models import Campaign, User
from campaign.selectors import open_phase
from campaign.services import scenario_of, shared_digest
from campaign.viewers import Viewer
from orders.desks import places
from orders.models import Draft, Sheet
from questions.models import Question, Reach, RuleAnswer

LONGEST_LINE = 200
_ORDER = ("at", "audience", "reach", "no")
"""In which answers are read."""
_NUMBER = re.compile(r"R?\d+(\.\d+)*", re.IGNORECASE)


class UnknownRule(Exception):
    """The rules have no rule of this number. The message says so, and names some like it."""


# --- who ------------------------------------------------------------------------------------------------------------


def has_questions(viewer: Viewer) -> bool:
    """Whether the viewer has a page for questions. Nobody has one in a practice campaign, which has no game master."""
    return viewer.membership is not None and not viewer.campaign.practice


def may_ask(viewer: Viewer) -> bool:
    """Whether the viewer may ask now: a player, until the campaign is closed."""
    plays = bool(viewer.side) and viewer.plays
    return plays and not viewer.campaign.practice and not hasattr(viewer.campaign, "closing")


# --- questions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A question with the answers to it that stand, as its asker or the game master reads them."""

    question: Question
    answers: tuple[RuleAnswer, ...]


def own_questions(viewer: Viewer) -> list[Asked]:
    """The viewer's own questions, the newest first."""
    return _with_answers(viewer, _own(viewer)) if viewer.side else []


def questions_for_gm(viewer: Viewer) -> list[Asked]:
    """All questions, the open ones first, of these the oldest first; Http404 for everybody but a game master."""
    found = _with_answers(viewer, _all(viewer).select_related("author").order_by("-asked_at", "side", "-no"))
    return [each for each in reversed(found) if not each.answers] + [each for each in found if each.answers]


def question_of(viewer: Viewer, side: str, no: int) -> Question:
    """A question, for a game master; Http404 alike if there is none and for everybody else."""
    found = _all(viewer).filter(side=side, no=no).select_related("author").first()
    if found is None:
        raise Http404
    return found


@dataclass(frozen=True)
class Waiting:
    """How many questions wait for an answer, and since when the oldest does."""

    count: int
    since: datetime


def waiting_questions(viewer: Viewer) -> Waiting | None:
    """The questions that wait for a game master; None if there are none, and for everybody else."""
    if not (viewer.is_gm and has_questions(viewer)):
        return None
    times = list(open_ones(viewer, _all(viewer)).values_list("asked_at", flat=True))
    return Waiting(len(times), min(times)) if times else None


def open_ones(viewer: Viewer, found: QuerySet[Question]) -> QuerySet[Question]:
    """Those questions to which no answer stands."""
    standing = RuleAnswer.objects.for_viewer(viewer).filter(question=OuterRef("pk"), over_at=None)
    return found.filter(~Exists(standing))


def own_open(viewer: Viewer) -> QuerySet[Question]:
    """The viewer's own questions to which no answer stands."""
    return open_ones(viewer, _own(viewer))


def _own(viewer: Viewer) -> QuerySet[Question]:
    found = Question.objects.for_viewer(viewer).filter(side=viewer.side, author=viewer.person.pk)
    return found.order_by("-asked_at", "-no")


def _all(viewer: Viewer) -> QuerySet[Question]:
    if not (viewer.is_gm and has_questions(viewer)):
        raise Http404
    return Question.objects.for_viewer(viewer)


def _with_answers(viewer: Viewer, found: QuerySet[Question]) -> list[Asked]:
    questions = list(found)
    answers = list(standing_answers(viewer).filter(question__in=[each.pk for each in questions]))
    return [Asked(each, tuple(answer for answer in answers if answer.question_id == each.pk)) for each in questions]


# --- answers --------------------------------------------------------------------------------------------------------


def standing_answers(viewer: Viewer) -> QuerySet[RuleAnswer]:
    """The answers that stand and that the viewer may read."""
    found = RuleAnswer.objects.for_viewer(viewer).filter(over_at=None).order_by(*_ORDER)
    if viewer.is_gm:
        return found
    own = Q(question__author=viewer.user.pk) if isinstance(viewer.user, User) else Q(pk=None)
    return found.filter(~Q(reach=Reach.ASKER) | own)


def answers_to(viewer: Viewer, side: str) -> list[RuleAnswer]:
    """The answers that stand to questions of a side and that all of it may read, the newest first.

    For those who read as this side what it has opened.
    """
    found = RuleAnswer.objects.for_viewer(viewer).filter(over_at=None, question__side=side)
    return list(found.exclude(reach=Reach.ASKER).order_by("-at", *_ORDER[1:]))


def every_version(viewer: Viewer, question: Question) -> QuerySet[RuleAnswer]:
    """All answers to a question that there ever were, the newest first, for a game master."""
    found = RuleAnswer.objects.for_viewer(viewer).filter(question=question.pk)
    return found.select_related("author").order_by("-at", "-version")


def precedents(viewer: Viewer, rule: str = "") -> list[RuleAnswer]:
    """The answers that stand, in the order of their rules; on one rule and those below it, if it is named."""
    found = [each for each in standing_answers(viewer) if not rule or _is_of(each.rule, rule)]
    return sorted(found, key=lambda answer: _place(answer.rule))


def _is_of(rule: str, searched: str) -> bool:
    return rule == searched or rule.startswith(f"{searched}.")


def _place(rule: str) -> tuple[int, ...]:
    """Where a rule stands in the rules; those of no rule come last."""
    return tuple(map(int, rule[1:].split("."))) if rule else (10**9,)


# --- rules and lines ------------------------------------------------------------------------------------------------


def rule_named(campaign: Campaign, written: str) -> str:
    """The number of a rule as the rules have it, in whatever case it was written; empty for none.

    Raises UnknownRule.
    """
    written = " ".join(written.split()).rstrip(".")
    if not written:
        return ""
    known = rule_numbers(campaign)
    rule = f"R{written.upper().removeprefix('R')}"
    if _NUMBER.fullmatch(written) and rule in known:
        return rule
    near = _near(rule, known)
    instead = f" Did you mean {near}?" if near else f" Write a number as the rules page has it, like {min(known)}."
    raise UnknownRule(f"There is no rule {written[:20]!r} in the rules of this campaign.{instead}")


def rule_numbers(campaign: Campaign) -> frozenset[str]:
    """The numbers of a campaign's rules."""
    anchors = rulebook_of(shared_digest(campaign), scenario_of(campaign)).anchors
    return frozenset(each for each in anchors if each.startswith("R") and _NUMBER.fullmatch(each))


def _near(rule: str, known: Iterable[str]) -> str:
    """The rule above an unknown one, or others whose numbers look like it."""
    above = rule.rpartition(".")[0]
    if above in known:
        return above
    return " or ".join(get_close_matches(rule, sorted(known), n=2, cutoff=0.7))


def line_of(viewer: Viewer, desk: str, no: int) -> str:
    """A line of what the viewer writes, or has submitted, for a desk in the open phase; empty if there is none."""
    phase = open_phase(viewer)
    if phase is None or desk not in [place.name for place in places(viewer)]:
        return ""
    here = {"phase": phase.phase_id, "side": viewer.side, "desk": desk}
    draft = Draft.objects.for_viewer(viewer).filter(**here).values_list("text", flat=True).first()
    if draft is None:
        sheets = Sheet.objects.for_viewer(viewer).filter(**here).order_by("-version")
        draft = sheets.values_list("text", flat=True).first()
    lines = (draft or "").split("\n")
    return lines[no - 1].strip()[:LONGEST_LINE] if 0 < no <= len(lines) else ""
