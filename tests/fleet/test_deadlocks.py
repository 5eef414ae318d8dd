"""Two people act on the same rows at the same moment, on PostgreSQL: one waits, and neither is turned away."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from threading import Event
from typing import Any

import pytest
from django.db import connection

from campaign.models import Battle, BattleState, Invitation, Membership, Role
from campaign.people import invitations, memberships
from campaign.secrecy import truth
from campaign.viewers import viewer_of
from incoming.handling import handle
from incoming.models import ReceivedMail
from questions.models import Question, Reach, RuleAnswer
from questions.writing import Written, answer, ask, withdraw
from tests.battles import KEY, Field, field
from tests.gm.campaigns import Clock, live, send
from tests.incoming.conftest import Mailbox, box
from tests.web.conftest import Cast, cast, time

__all__ = ["box", "cast", "field", "time"]
pytestmark = pytest.mark.django_db(transaction=True)

Act = Callable[[], object]
PATIENCE = 20
"""Seconds until a test gives up."""


def test_a_player_reports_while_another_is_assigned_their_battle(field: Field) -> None:
    field.assign("german commander", "german tactical")
    gm, member = field.viewer("gm"), field.cast.member("german tactical")
    at_once(
        lambda: memberships.remove(gm, member, now=field.time.now),
        lambda: field.report("allied commander"),
        held='SELECT "campaign_campaign"."id"',
        changed='UPDATE "campaign_battle"',
    )
    battle = Battle.objects.get(phase=field.phase, key=KEY)
    assert battle.state == BattleState.REPORTED
    assert battle.attacking_player is None


def test_an_invitation_is_withdrawn_while_somebody_joins_by_it(field: Field) -> None:
    gm, outsider = field.viewer("gm"), field.cast.user("outsider")
    token = invitations.invite(gm, role=Role.SPECTATOR, side="", meant_for="", now=field.time.now)
    digest = Invitation.objects.get().token_digest
    at_once(
        lambda: invitations.accept_invitation(token, outsider, now=field.time.now),
        lambda: invitations.revoke_invitation(gm, digest, now=field.time.now),
        held='SELECT "campaign_campaign"."id"',
        changed='UPDATE "campaign_invitation"',
    )
    assert Membership.objects.filter(user=outsider, left_at=None).exists()
    assert Invitation.objects.get().revoked_at is None


def test_a_question_is_asked_and_answered_while_others_submit(cast: Cast, time: Clock) -> None:
    asker, gm = (viewer_of(cast.user(who), cast.campaign.slug) for who in ("german staff", "gm"))
    phase, author = live(cast.campaign), cast.user("german commander")
    at_once(
        lambda: send(phase, author, "HOLD 12VG"),
        lambda: ask(asker, "May they cross?", rule="", line="", now=time.now),
        held='SELECT "campaign_phase"."id"',
        changed='INSERT INTO "questions_question"',
    )
    question = Question.objects.get()
    written = Written(reach=Reach.SIDE, rule="", asked="", text="They may.")
    at_once(
        lambda: send(phase, author, "HOLD 26VG"),
        lambda: answer(gm, question, written, seen="", shown="", now=time.now),
        held='SELECT "campaign_phase"."id"',
        changed='INSERT INTO "questions_ruleanswer"',
    )
    at_once(
        lambda: send(phase, author, "HOLD 2PZ"),
        lambda: withdraw(gm, question, RuleAnswer.objects.get().mark, now=time.now),
        held='SELECT "campaign_phase"."id"',
        changed='UPDATE "questions_ruleanswer"',
    )
    assert phase.all_sheets.count() == 3
    assert RuleAnswer.objects.get().over_at == time.now


def test_a_question_comes_by_mail_while_somebody_submits(box: Mailbox) -> None:
    box.deliver(box.mail(None, text="QUESTION: may they cross?"))
    phase, mail = box.phase, ReceivedMail.objects.get()
    at_once(
        lambda: send(phase, box.cast.user("german deputy"), "HOLD 12VG"),
        lambda: handle(mail.pk),
        held='SELECT "campaign_phase"."id"',
        changed='INSERT INTO "questions_question"',
    )
    assert ReceivedMail.objects.get().state == "asked"
    assert phase.all_sheets.count() == 1


def at_once(first: Act, second: Act, *, held: str, changed: str) -> None:
    """Two acts at once: the first pauses when it has a row until the second has changed another, or waits for it.

    A deadlock fails one of them with OperationalError, which is raised here.
    """
    assert connection.vendor == "postgresql"
    went_on = Event()
    others: list[Future[None]] = []

    def stopping(execute: Any, sql: str, *rest: Any) -> Any:
        answer = execute(sql, *rest)
        if sql.startswith(held) and not others:
            others.append(pool.submit(other))
            assert wait_until(lambda: went_on.is_set() or somebody_waits())
        return answer

    def noting(execute: Any, sql: str, *rest: Any) -> Any:
        answer = execute(sql, *rest)
        if sql.startswith(changed):
            went_on.set()
        return answer

    def other() -> None:
        with closing(connection), truth.machinery(), connection.execute_wrapper(noting):
            second()

    with ThreadPoolExecutor(1) as pool:
        with connection.execute_wrapper(stopping):
            first()
        others[0].result(PATIENCE)


def wait_until(so: Callable[[], bool]) -> bool:
    pause = Event()
    return any(so() or pause.wait(0.02) for _ in range(PATIENCE * 50))


def somebody_waits() -> bool:
    """Whether a statement waits for a row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else it would be looked at once in a transaction
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
