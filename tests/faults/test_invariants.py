"""The checker itself: an intact campaign passes, and each kind of damage is reported by its number."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Concat

from campaign.models import (
    Artefact,
    AuditEntry,
    DiceLine,
    MailNews,
    Membership,
    OutboxMessage,
    OutboxState,
    Outcome,
    Phase,
    PhaseState,
    Resolution,
    Role,
    User,
)
from campaign.record import audit
from campaign.services import create_campaign
from gm.gathered_mails import gather_due
from gm.machine.sweeper import sweep
from orders.models import Channel, Sheet
from tests.faults.checks.invariants import CHECKS, Evidence, breaches
from tests.faults.checks.records import Record, read
from tests.gm.campaigns import UNREVIEWED, Clock, live, send
from tests.with_air import with_air

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("blank_maps")]

READER, WAITING = "dietrich", "jones"
CAST = (
    ("german", Role.COMMANDER, "german"),
    ("allied", Role.COMMANDER, "allied"),
    (READER, Role.STAFF, "german"),
    (WAITING, Role.STAFF, "allied"),
)
MARKER = "NOTE marker-german-0123456789abcdef"


@pytest.fixture
def evidence(time: Clock, tmp_path: Path) -> Evidence:
    """Two phases of a campaign played without faults, with the records from outside.

    The staff have nothing to do. The digest of one is sent, that of the other waits for the evening.
    """
    campaign = create_campaign(slug="vielsalm", title="Vielsalm", scenario=with_air(), handling=UNREVIEWED)
    for name, role, side in CAST:
        user = User.objects.create_user(name, f"{name}@example.org")
        part = {"role": role, "side": side, "joined_at": time.now}
        member = Membership.objects.create(campaign=campaign, user=user, **part)
        audit.record(campaign, "gather", {}, at=time.now, rows=[member])
    sweep(worker="one")
    phase = live(campaign)
    for side, text in (("german", "NOTE first thoughts"), ("german", MARKER), ("allied", "NOTE nothing")):
        author = User.objects.get(username=side)
        send(phase, author, text, side=side, ready=text != "NOTE first thoughts", channel=Channel.API)
    time.forward(minutes=1)
    sweep(worker="one")
    MailNews.objects.filter(member__user__username=READER).update(leaves_at=time.now)
    assert gather_due(time.now) == 1
    OutboxMessage.objects.update(fence=1, state=OutboxState.SENT)
    ack = {"slug": "vielsalm", "no": phase.no, "rev": 0, "version": 2, "side": "german", "text": MARKER}
    Record(tmp_path, "acks-german").write(**ack)
    for row in OutboxMessage.objects.all():
        Record(tmp_path, "sink").write(**taken(row))
    Record(tmp_path, "watch").write(phase=phase.pk, fence=1, by="loop-1")
    return Evidence(tmp_path)


def taken(row: OutboxMessage) -> dict[str, Any]:
    digest = hashlib.sha256(bytes(row.message)).hexdigest()
    return {"taken": row.message_id, "to": [row.to_addr], "sha256": digest, "heard": True}


def kinds(evidence: Evidence, *numbers: str) -> set[str]:
    """Number and kind of each breach of these invariants, or of all: `I2 lost`."""
    fresh = Evidence(evidence.folder)
    found = ((number, breach) for number in numbers or CHECKS for breach in CHECKS[number](fresh))
    return {f"{number} {breach.partition(':')[0]}" for number, breach in found}


def test_a_campaign_that_went_well_breaks_nothing(evidence: Evidence) -> None:
    assert list(breaches(evidence)) == []


# --- damage in the database ------------------------------------------------------------------------------------------


def newest() -> Phase:
    return Phase.objects.filter(state=PhaseState.PUBLISHED).latest("no")


def waiting() -> QuerySet[MailNews]:
    return MailNews.objects.filter(member__user__username=WAITING)


def gathered() -> QuerySet[MailNews]:
    return MailNews.objects.filter(member__user__username=READER)


def _a_sheet_after_the_one_locked() -> None:
    sheet = Sheet.objects.get(version=2)
    sheet.pk, sheet.version, sheet.idem_key = None, 3, "later"
    sheet.save(force_insert=True)


def _an_act_done_twice() -> None:
    entry = AuditEntry.objects.defer(None).filter(act="publish").latest("no")
    entry.pk, entry.no = None, entry.no + 1000
    entry.save(force_insert=True)


BROKEN: dict[str, tuple[Callable[[], object], str]] = {
    "a number is left out": (lambda: Phase.objects.filter(state=PhaseState.OPEN).update(no=F("no") + 1), "I1 gap"),
    "a lock is left out": (lambda: Phase.objects.filter(pk=newest().pk).update(lock_no=99), "I1 gap"),
    "a phase is published twice": (_an_act_done_twice, "I1 double"),
    "an acknowledged sheet is gone": (lambda: Sheet.objects.filter(version=2).update(version=7), "I2 lost"),
    "an acknowledged sheet is another": (lambda: Sheet.objects.filter(version=2).update(text="HOLD 12 SS"), "I2 lost"),
    "a newer sheet was left out": (_a_sheet_after_the_one_locked, "I2 lost"),
    "a sheet was late": (
        lambda: Sheet.objects.filter(version=2).update(received_at=newest().locked_at),
        "I3 late",
    ),
    "a result is another": (
        lambda: Outcome.objects.filter(resolution__phase=newest()).update(digest="0" * 64),
        "I4 differs",
    ),
    "a report is another": (
        lambda: Artefact.objects.filter(phase=newest(), kind="text", audience="allied").update(sha256="0" * 64),
        "I4 differs",
    ),
    "an old worker stored it": (lambda: Resolution.objects.filter(phase=newest()).update(fence=0), "I4 double"),
    "a mail was not written": (
        lambda: OutboxMessage.objects.filter(kind="opened").latest("pk").delete(),
        "I5 unwritten",
    ),
    "a mail was written for nothing": (
        lambda: OutboxMessage.objects.filter(kind="opened").update(key=Concat("key", Value("x"))),
        "I5 phantom",
    ),
    "a receipt was written that nobody wanted": (
        lambda: OutboxMessage.objects.filter(kind="digest").update(kind="receipt"),
        "I5 phantom",
    ),
    "news was not written": (lambda: waiting().delete(), "I5 unwritten"),
    "news that was gathered is gone": (lambda: gathered().delete(), "I5 unwritten"),
    "news was written for nothing": (lambda: waiting().update(key=Concat("key", Value("x"))), "I5 phantom"),
    "news waits no longer and is in no mail": (
        lambda: waiting().update(gathered_at=F("created_at")),
        "I5 unwritten",
    ),
    "news waits though a mail brought it": (lambda: gathered().update(gathered_at=None), "I5 unwritten"),
    "a digest was lost": (
        lambda: OutboxMessage.objects.filter(kind="digest").delete(),
        "I5 unwritten",
    ),
    "a digest brings nothing": (lambda: gathered().update(mail=None, gathered_at=None), "I5 phantom"),
    "news is in a mail that says nothing of it": (
        lambda: gathered().update(
            mail=OutboxMessage.objects.get(kind="opened", user__username="german", phase=newest())
        ),
        "I5 unwritten",
    ),
    "news is in the mail of another": (
        lambda: waiting().update(mail=OutboxMessage.objects.get(kind="digest"), gathered_at=F("created_at")),
        "I5 astray",
    ),
    "a mail is noted as sent": (lambda: OutboxMessage.objects.update(message_id="<none@localhost>"), "I5 unsent"),
    "a mail is not what arrived": (
        lambda: OutboxMessage.objects.update(stored=b"Subject: no\r\n\r\n", packed=False, picture=None),
        "I5 altered",
    ),
    "a mail went to another": (lambda: OutboxMessage.objects.update(to_addr="other@example.org"), "I5 astray"),
    "a mail was sent before its phase was published": (
        lambda: Phase.objects.filter(pk=newest().pk).update(published_at=F("published_at") + timedelta(days=36500)),
        "I6 phantom",
    ),
    "an audience received less": (
        lambda: newest().all_artefacts.filter(audience="allied", kind="map").delete(),
        "I7 half",
    ),
    "a phase has no result": (lambda: Resolution.objects.filter(phase=newest()).delete(), "I7 half"),
    "a roll stands in the log otherwise": (
        lambda: DiceLine.objects.filter(phase=newest()).update(line=Concat("line", Value(" "))),
        "I8 dice",
    ),
    "a log lacks a roll that nobody's head covers": (
        lambda: DiceLine.objects.filter(phase=newest()).latest("no").delete(),
        "I8 dice",
    ),
    "a row was edited": (lambda: Sheet.objects.filter(version=1).update(channel=Channel.WEB), "I9 broken"),
    "the audit was edited": (lambda: AuditEntry.objects.filter(act="lock").update(subject={"phase": 0}), "I9 broken"),
    "a phase is not finished": (lambda: Phase.objects.filter(state="OPEN").update(state="RUNNING"), "I10 undone"),
    "a mail is not sent": (lambda: OutboxMessage.objects.update(state=OutboxState.WAITING), "I10 undone"),
    "news was not gathered in time": (
        lambda: waiting().update(leaves_at=F("leaves_at") - timedelta(days=2)),
        "I10 undone",
    ),
    "a row refers to nothing": (lambda: Sheet.objects.update(author_id=10**6), "I11 corrupt"),
    "a side reads the other's words": (
        lambda: Artefact.objects.filter(phase=newest(), kind="text", audience="allied").update(content=MARKER.encode()),
        "I12 leak",
    ),
    "news for a side has the other's words": (lambda: waiting().update(text=MARKER), "I12 leak"),
}


def test_what_is_broken_is_named(evidence: Evidence, subtests: pytest.Subtests) -> None:
    for what, (break_it, kind) in BROKEN.items():
        with subtests.test(what), transaction.atomic():
            break_it()
            found = kinds(evidence, kind.partition(" ")[0])
            transaction.set_rollback(True)
            assert kind in found


# --- damage in the records outside -----------------------------------------------------------------------------------


def test_what_was_seen_outside_and_cannot_be_is_named(evidence: Evidence, subtests: pytest.Subtests) -> None:
    lost = {"slug": "vielsalm", "no": 2, "rev": 0, "version": 9, "side": "german", "text": "x"}
    nobody = {"taken": "<nobody@localhost>", "to": [], "sha256": "", "heard": True}
    for name, line, kind in (
        ("acks-x", lost, "I2 lost"),
        ("sink", nobody, "I5 phantom"),
        ("watch", {"half": 1}, "I7 half"),
    ):
        with subtests.test(name):
            Record(evidence.folder, name).write(**line)
            assert kinds(evidence, kind.partition(" ")[0]) == {kind}


def test_a_mail_may_come_twice_only_where_a_fault_made_it(evidence: Evidence) -> None:
    row = OutboxMessage.objects.latest("pk")
    OutboxMessage.objects.filter(pk=row.pk).update(fence=2)
    Record(evidence.folder, "sink").write(**taken(row))
    assert kinds(evidence, "I5") == {"I5 phantom"}
    Record(evidence.folder, "faults").write(faults=1)
    assert kinds(evidence, "I5") == set()


def test_a_line_that_was_cut_off_was_never_written(tmp_path: Path) -> None:
    Record(tmp_path, "acks-one").write(version=1)
    with (tmp_path / "acks-one.jsonl").open("a") as file:
        file.write(json.dumps({"version": 2})[:-3])
    assert [line["version"] for line in read(tmp_path, "acks-*")] == [1]
