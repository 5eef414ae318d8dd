"""Asking and answering. Every act is on the campaign's record, and mailed to those whom it is for."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.http import Http404

from campaign.core.failpoints import fp
from campaign.core.naming import unseen
from campaign.core.workers import Job, wake_workers
from campaign.engine.values.ids import PUBLIC
from campaign.models import Campaign, Phase
from campaign.people import memberships
from campaign.people.memberships import locked_member
from campaign.viewers import Viewer
from questions import mail
from questions.models import Question, Reach, RuleAnswer
from questions.reading import (
    LONGEST_LINE,
    UnknownRule,
    may_ask,
    own_open,
    rule_named,
)

LONGEST = 2000
"""Characters of a question."""
LONGEST_ANSWER = 5000
MOST_OPEN = 10
"""The most questions of one person that wait for an answer."""
_SAME = timedelta(minutes=1)
"""How long the same words are one question: a form may be sent twice."""


class Refused(Exception):
    """Nothing was written. The message says why, and what its author can do."""

    status = 422


class Changed(Refused):
    """Something has changed since the page was made."""

    status = 409


class NotSeen(Refused):
    """The game master has not seen these words as everybody will read them."""

    status = 409


# --- asking ---------------------------------------------------------------------------------------------------------


def ask(
    viewer: Viewer,
    text: str,
    *,
    rule: str,
    line: str,
    now: datetime,
    of_phase: Phase | None = None,
    noted: Callable[[], None] | None = None,
) -> Question:
    """A new question of the viewer's; the game masters are mailed. Raises Refused, and Http404 if they cannot ask.

    `noted` keeps what else becomes true with it, also if they have just asked the same; `of_phase` is what that
    refers to.
    """
    text, line = _checked(text, "question", LONGEST), _line(line)
    rule = _rule(viewer, rule)
    with transaction.atomic(durable=True):
        _hold(viewer.campaign, of_phase)
        asker = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
        if not may_ask(asker):
            raise Http404
        said = {"text": text, "rule": rule, "line": line}
        again = own_open(asker).filter(asked_at__gt=now - _SAME, **said).first()
        if noted is not None:
            noted()
        if again is not None:
            return again
        _require_few(asker)
        question = Question.objects.create(
            campaign=asker.campaign,
            side=asker.side,
            no=_next(Question.objects.for_viewer(asker).filter(side=asker.side).aggregate(last=Max("no"))["last"]),
            author=asker.person,
            asked_at=now,
            **said,
        )
        memberships.record(asker, "ask", _named(question), now, rows=[question])
        mail.asked(question)
        wake_workers(Job.MAIL, question.pk)
        fp("question.before_commit")
    return question


def _require_few(asker: Viewer) -> None:
    if own_open(asker).count() >= MOST_OPEN:
        raise Refused(
            f"Not asked: {MOST_OPEN} of your questions wait for an answer, the most that can. Ask again when the game"
            " master has answered one."
        )


# --- answering ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Written:
    """An answer as the game master has written it."""

    reach: str
    rule: str
    asked: str
    """The question for its readers, if they are everybody; others read it as it was asked."""
    text: str

    @property
    def mark(self) -> str:
        """A digest of what everybody would read, by which a form says that it was shown."""
        return hashlib.sha256("\0".join([self.rule, self.asked, self.text]).encode("utf-8", "replace")).hexdigest()


def checked(viewer: Viewer, written: Written) -> Written:
    """An answer as it would be kept. Raises Refused."""
    if written.reach not in Reach.values:
        raise Refused("Not answered: choose who reads the answer.")
    text = _checked(written.text, "answer", LONGEST_ANSWER)
    asked = _checked(written.asked, "question for everyone", LONGEST) if written.reach == Reach.ALL else ""
    return Written(reach=written.reach, rule=_rule(viewer, written.rule), asked=asked, text=text)


def answer(viewer: Viewer, question: Question, written: Written, *, seen: str, shown: str, now: datetime) -> RuleAnswer:
    """Answer a question, or correct the answer that its readers have. They are mailed.

    `seen`: the mark of the answers that the page showed (`state_of`). `shown`: the mark of the words that it showed as
    everybody will read them. Raises Changed, NotSeen and Refused.
    """
    written = checked(viewer, written)
    if written.reach == Reach.ALL and written.mark != shown:
        raise NotSeen("Not published yet: you have changed the text. Read it again as everyone will, then publish it.")
    with transaction.atomic(durable=True):
        gm = _locked(viewer)
        before = _standing(gm, question, written.reach)
        if before is not None and _is_same(gm, before, written):
            return before
        if state_of(gm, question) != seen:
            raise Changed(
                "Not answered: another game master has answered this question meanwhile, or withdrawn an answer."
                " Compare, then answer again."
            )
        made = _new_version(gm, question, written, before, now)
        memberships.record(gm, "answer", _of_answer(made), now, rows=[made, *([before] if before else [])])
        mail.answered(made, question)
        wake_workers(Job.MAIL, made.pk)
        fp("question.before_commit")
    return made


def withdraw(viewer: Viewer, question: Question, mark: str, *, now: datetime) -> None:
    """Withdraw the answer with this mark; its readers are mailed. Without another answer, the question waits again.

    Raises Changed if it does not stand any more.
    """
    with transaction.atomic(durable=True):
        gm = _locked(viewer)
        standing = RuleAnswer.objects.for_viewer(gm).filter(question=question.pk, over_at=None)
        found = next((each for each in standing if each.mark == mark), None)
        if found is None:
            raise Changed("Not withdrawn: this version no longer stands. Read what stands now.")
        found.over_at = now
        found.save(update_fields=["over_at"])
        memberships.record(gm, "withdraw answer", _of_answer(found), now, rows=[found])
        mail.withdrawn(found, question)
        wake_workers(Job.MAIL, found.pk)
        fp("question.before_commit")


def state_of(viewer: Viewer, question: Question) -> str:
    """A mark of all answers to a question, which changes with each of them."""
    rows = RuleAnswer.objects.for_viewer(viewer).filter(question=question.pk).order_by("reach", "no", "version")
    return ",".join(f"{each.mark}{'' if each.over_at is None else 'x'}" for each in rows)


def _locked(viewer: Viewer) -> Viewer:
    """The game master as they are now; Http404 if they are none. Acts of the campaign wait meanwhile."""
    _hold(viewer.campaign)
    gm = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
    memberships.require_gm(gm)
    return gm


def _hold(campaign: Campaign, *more: Phase | None) -> None:
    """Lock the phases to which mails will refer, before the campaign's row: who submits a sheet locks them so."""
    held = [phase.pk for phase in (mail.newest_phase(campaign), *more) if phase is not None]
    list(Phase.objects.select_for_update(of=("self",)).only("pk").filter(pk__in=held).order_by("pk"))


def _standing(gm: Viewer, question: Question, reach: str) -> RuleAnswer | None:
    return RuleAnswer.objects.for_viewer(gm).filter(question=question.pk, reach=reach, over_at=None).first()


def _is_same(gm: Viewer, before: RuleAnswer, written: Written) -> bool:
    """Whether this game master has written just this: a form may be sent twice."""
    said = written.reach != Reach.ALL or before.asked == written.asked
    return said and (before.author_id, before.rule, before.text) == (gm.person.pk, written.rule, written.text)


def _new_version(
    gm: Viewer, question: Question, written: Written, before: RuleAnswer | None, now: datetime
) -> RuleAnswer:
    """An answer in place of the one before it, or a first one."""
    audience = PUBLIC if written.reach == Reach.ALL else question.side
    if before is not None:
        before.over_at = now
        before.save(update_fields=["over_at"])
    alike = RuleAnswer.objects.for_viewer(gm).filter(audience=audience, reach=written.reach)
    return RuleAnswer.objects.create(
        campaign=gm.campaign,
        question=question,
        audience=audience,
        reach=written.reach,
        no=before.no if before else _next(alike.aggregate(last=Max("no"))["last"]),
        version=before.version + 1 if before else 1,
        author=gm.person,
        at=now,
        rule=written.rule,
        asked=written.asked or question.text,
        text=written.text,
    )


# --- shared ---------------------------------------------------------------------------------------------------------


def _next(last: int | None) -> int:
    return (last or 0) + 1


def _named(question: Question) -> dict[str, str | int]:
    return {"side": question.side, "question": question.no}


def _of_answer(made: RuleAnswer) -> dict[str, str | int]:
    return {
        "side": made.question.side,
        "question": made.question.no,
        "reach": made.reach,
        "no": made.no,
        "version": made.version,
    }


def _rule(viewer: Viewer, written: str) -> str:
    try:
        return rule_named(viewer.campaign, written)
    except UnknownRule as unknown:
        raise Refused(f"Not sent: {str(unknown)[0].lower()}{str(unknown)[1:]}") from None


def _checked(text: str, what: str, longest: int) -> str:
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Refused(f"Not sent: the {what} has no words. Write some.")
    if len(text) > longest:
        raise Refused(f"Not sent: the {what} has {len(text):,} characters; {longest:,} are the most. Shorten it.")
    for no, line in enumerate(text.split("\n"), 1):
        if column := unseen(line):
            raise Refused(
                f"Not sent: character {column} of line {no} of the {what} cannot be seen in print. Type the line"
                " instead of pasting it."
            )
    return text


def _line(line: str) -> str:
    line = " ".join(line.split())
    if len(line) > LONGEST_LINE:
        raise Refused(f"Not sent: the line of orders has {len(line):,} characters; {LONGEST_LINE} are the most.")
    if column := unseen(line):
        raise Refused(
            f"Not sent: character {column} of the line of orders cannot be seen in print. Type the line instead of"
            " pasting it."
        )
    return line
