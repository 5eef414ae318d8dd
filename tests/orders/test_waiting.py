"""Who waits for whom: every act takes the rows that others change in one order, so that no two wait for each other."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from campaign.links import make_link, revoke_link
from campaign.models import Battle, Invitation, Link, Role
from campaign.people import invitations, memberships
from gm.desk.deadlines import hold, resume
from gm.desk.exposure import Notify, expose
from gm.phases import battles as desk
from tests.battles import KEY, Field, field

__all__ = ["field"]
pytestmark = pytest.mark.django_db

SHARED = ("battle", "invitation", "link", "membership", "desk")
"""Tables whose rows are changed by acts on a campaign."""
LOCK = 'SELECT "campaign_campaign"."id" FROM "campaign_campaign" WHERE'
"""The statement that takes the campaign's row."""


def test_a_transaction_that_changes_a_shared_row_has_locked_the_campaigns_row_before(field: Field) -> None:
    gm, time = field.viewer("gm"), field.time
    field.assign("german commander", "german tactical")
    token = invitations.invite(gm, role=Role.SPECTATOR, side="", meant_for="", now=time.now)
    invitations.invite(gm, role=Role.SPECTATOR, side="", meant_for="", now=time.now)
    lasting, dead = (make_link(gm, 1, side, now=time.now) for side in ("german", "allied"))

    other = Battle.objects.filter(attacker="german").exclude(key=KEY).values_list("key", flat=True)[0]
    acts: dict[str, tuple[Callable[[], object], set[str]]] = {
        "assign": (lambda: field.assign("gm", "allied tactical"), {"battle"}),
        "report": (lambda: field.report("german tactical"), {"battle"}),
        "hold": (lambda: hold(gm, reason="a holiday"), set()),
        "resume": (lambda: later(field, lambda: resume(gm)), {"battle"}),
        "dispute": (lambda: field.dispute("allied tactical"), {"battle"}),
        "decide": (lambda: field.decide("RESULT K16 attackers"), {"battle"}),
        "report another": (lambda: field.report(key=other, text=f"RESULT {other} defenders"), {"battle"}),
        "accept": (lambda: later(field, lambda: desk.accept_overdue(time.now)), {"battle"}),
        "join": (
            lambda: invitations.accept_invitation(token, field.cast.user("outsider"), now=time.now),
            {"invitation", "membership"},
        ),
        "revoke": (lambda: revoke_last(field), {"invitation"}),
        "revoke link": (lambda: revoke_link(gm, dead.token, now=time.now), {"link"}),
        "expose": (lambda: expose(gm, no=1, rev=0, side="german", what="a picture", tells=Notify.ALL), {"link"}),
        "remove": (
            lambda: memberships.remove(gm, field.cast.member("german tactical"), now=time.now),
            {"battle", "desk", "membership"},
        ),
    }
    for name, (act, changed) in acts.items():
        before, after = statements_of(act)
        assert not changes(before), f"{name} changes {changes(before)} before it takes the campaign's row"
        assert changed <= changes(after), name
    assert not Link.objects.filter(pk=lasting.pk, revoked_at=None).exists()


def later(field: Field, act: Callable[[], object]) -> None:
    field.time.forward(days=5)
    act()


def revoke_last(field: Field) -> None:
    digest = Invitation.objects.get(used_at=None, revoked_at=None).token_digest
    invitations.revoke_invitation(field.viewer("gm"), digest, now=field.time.now)


def statements_of(act: Callable[[], object]) -> tuple[list[str], list[str]]:
    """What an act asks of the database before it has the campaign's row, and afterwards."""
    statements: list[str] = []

    def noting(execute: Any, sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(noting):
        act()
    taken = next(at for at, sql in enumerate(statements) if sql.startswith(LOCK))
    if connection.vendor == "postgresql":
        assert statements[taken].endswith("FOR NO KEY UPDATE")
    return statements[:taken], statements[taken:]


def changes(statements: list[str]) -> set[str]:
    """The shared tables whose rows are changed, or among whose rows a new one must find its place."""
    return {
        table
        for table in SHARED
        for sql in statements
        if re.match(rf'(UPDATE|DELETE FROM|INSERT INTO) "campaign_{table}"', sql)
    }
