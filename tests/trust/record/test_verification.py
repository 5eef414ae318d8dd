"""`manage.py verify`: a campaign that was played is sound, and what was forged is found; see also `test_row_edits`."""

import hashlib
import json
import random
import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Model

from campaign import services
from campaign.core import clock
from campaign.mail import delivery
from campaign.mail.delivery import KEPT_LESS, LONG_KEPT, forget_sent
from campaign.models import (
    Artefact,
    AuditEntry,
    Campaign,
    DiceLine,
    OutboxMessage,
    OutboxState,
    Phase,
    Resolution,
)
from campaign.record import audit
from campaign.record.audit import on_record, parts_of
from campaign.record.dice_log import canonical
from campaign.services import scenario_of
from gm.desk.view_as import ACT
from gm.machine.heartbeat import DRIFT
from gm.phases.adjudication import replayed
from gm.recorded_rows import models_on_record, rows_of
from gm.verification import Doubt, _chain, _mails, edits_of, faults, unlike_heads
from orders.models import LockedSheet, LockedWords, Sheet
from tests.gm.campaigns import new_campaign
from tests.trust.record.edits import columns_of, edit, first_fault, undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("busy")]

PARTS = [part for model in models_on_record() for part in parts_of(model)]


def test_the_demonstration_is_sound(busy: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify", busy.slug)
    head = busy.audit.order_by("-no")[0]
    said = f"{busy.slug}: sound; {head.no} entries, 12 phases, head {head.no}:{head.digest}\n"
    assert capsys.readouterr().out == said


def test_a_campaign_must_be_named(busy: Campaign) -> None:
    for arguments in ((), (busy.slug, "--all"), ("no-such-campaign",)):
        with pytest.raises(CommandError):
            call_command("verify", *arguments)


# --- the heads that are kept elsewhere --------------------------------------------------------------------------------


def mailed_head(campaign: Campaign) -> str:
    """The head of the record as the newest mail to a game master names it."""
    mail = OutboxMessage.objects.filter(campaign=campaign, audience="gm").order_by("-pk")[0]
    text = message_from_bytes(bytes(mail.message), policy=default).get_body(["plain"])
    assert text is not None
    found = re.search(r"verify --head`: (\d+:[0-9a-f]{64})", text.get_content())
    assert found is not None
    return found[1]


def test_every_mail_to_a_game_master_bears_the_head_and_no_other_mail_does(busy: Campaign) -> None:
    bearing = {mail.audience for mail in busy.outbox.all() if b"verify --head" in bytes(mail.message)}
    assert bearing == {"gm"}
    no, digest = mailed_head(busy).split(":")
    assert busy.audit.get(no=no).digest == digest
    call_command("verify", busy.slug, "--head", f"{no}:{digest}", "--head", audit.head(busy))


def test_newest_entries_that_were_taken_away_are_missed_by_anyone_who_knows_the_head(
    busy: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    with undone():
        audit.record(busy, ACT, {"phase": 1, "audience": "german", "by": 1}, at=clock.now())
        kept = audit.head(busy)
        busy.audit.order_by("-no")[0].delete()
        assert first_fault(busy) == ""
        with pytest.raises(CommandError):
            call_command("verify", busy.slug, "--head", kept)
    assert "record: entry" in capsys.readouterr().out
    assert list(unlike_heads(busy, [head_of(mailed_head(busy))])) == []


def test_a_record_that_was_chained_again_is_not_the_one_whose_head_is_known(busy: Campaign) -> None:
    kept = head_of(mailed_head(busy))
    joined = busy.audit.filter(act="join").order_by("no")[0]
    with undone():
        AuditEntry.objects.filter(pk=joined.pk).update(subject={**joined.subject, "person": 0})
        resealed(busy)
        assert list(_chain(busy)) == []
        (fault,) = unlike_heads(busy, [kept])
    assert f"entry {kept[0]} is not the one" in str(fault)


def head_of(written: str) -> tuple[int, str]:
    no, digest = written.split(":")
    return int(no), digest


@pytest.mark.parametrize("head", ["", "7", "7:abc", "x:" + "0" * 64])
def test_what_is_no_head_is_refused(busy: Campaign, head: str) -> None:
    with pytest.raises(CommandError, match="64 hexadecimal digits"):
        call_command("verify", busy.slug, "--head", head)
    with pytest.raises(CommandError, match="one campaign"):
        call_command("verify", "--all", "--head", audit.head(busy))


# --- another edition of the rules -------------------------------------------------------------------------------------


def test_a_phase_that_other_rules_resolved_may_have_another_result(
    busy: Campaign, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def by_changed_rules(phase: Phase) -> Any:
        if phase.no == 3:
            raise ValueError("no such order")
        result = replayed(phase)
        return replace(result, events=result.events[1:]) if phase.no == 2 else result

    monkeypatch.setattr("gm.verification.replayed", by_changed_rules)
    assert "resolved again, its result is different" in {fault.what for fault in faults(busy)}
    loaded = scenario_of(busy)
    newer = replace(loaded, rules=replace(loaded.rules, edition=loaded.rules.edition + 1))
    monkeypatch.setitem(services._READ, busy.scenario_digest, newer)
    found = list(faults(busy))
    assert [type(fault) for fault in found] == [Doubt] * 2
    assert [fault.where for fault in found] == ["phase 2.0", "phase 3.0"]
    call_command("verify", busy.slug)
    assert "sound, but for 2 doubts" in capsys.readouterr().out


# --- edits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", OutboxState.values)
@pytest.mark.parametrize(
    ("age", "sent"),
    [(60, None), (60, 29), (60, 31), (29, -2)],
    ids=["unsent", "sent long ago", "sent lately", "written lately, and dated back"],
)
def test_a_mail_is_emptied_only_long_after_it_was_sent(
    busy: Campaign, monkeypatch: pytest.MonkeyPatch, state: str, age: int, sent: int | None
) -> None:
    """Else an edited state would do for taking away what a report said."""
    mail = OutboxMessage.objects.filter(campaign=busy, kind="opened").order_by("pk")[0]
    monkeypatch.setattr(clock, "now", lambda: mail.created_at + timedelta(days=age))
    with undone():
        at = None if sent is None else mail.created_at + timedelta(days=sent)
        OutboxMessage.objects.filter(pk=mail.pk).update(stored=b"", state=state, sent_at=at)
        swept = (state, sent) == (OutboxState.SENT, 29)
        assert [fault.where for fault in edits_of(busy)] == ([] if swept else [audit.row_name(mail)])


def test_a_mail_that_says_another_address_is_found(busy: Campaign) -> None:
    """Its digest is the same to whatever address it goes, so that each byte of that line has to be looked at."""
    mail = busy.outbox.order_by("pk")[0]
    said = bytes(mail.message)
    start = said.index(b"\r\nTo: ") + 2
    line = range(start, said.index(b"\r\n", start) + 2)
    assert said[line.start : line.stop] == f"To: {mail.to_addr}\r\n".encode()
    forged = [said[:at] + bytes([said[at] ^ 1]) + said[at + 1 :] for at in line]
    forged.append(said[: line.stop] + b" Skorzeny <otto@example.org>\r\n" + said[line.stop :])
    for looked_at, texts in ((edits_of, forged[:1]), (_mails, forged)):  # the first asks the second, and more
        for text in texts:
            with undone():
                OutboxMessage.objects.filter(pk=mail.pk).update(stored=text, packed=False, picture=None)
                assert audit.row_name(mail) in {fault.where for fault in looked_at(busy)}, text[: line.stop + 40]


@pytest.mark.parametrize(
    "address", ["", "otto@example.org", "a@example.org\nTo: b@example.org", "nobody at all", '"a\x0bb"@example.org']
)
def test_an_address_that_the_mail_does_not_say_is_found(busy: Campaign, address: str) -> None:
    with undone():
        mail = busy.outbox.order_by("pk")[0]
        OutboxMessage.objects.filter(pk=mail.pk).update(to_addr=address)
        assert [fault.where for fault in edits_of(busy)] == [audit.row_name(mail)]


def sent_and_emptied(busy: Campaign) -> OutboxMessage:
    """The last mail to be looked at, sent at once and emptied."""
    mail = OutboxMessage.objects.filter(campaign=busy).order_by("pk").last()
    assert mail is not None
    OutboxMessage.objects.filter(pk=mail.pk).update(stored=b"", state=OutboxState.SENT, sent_at=mail.created_at)
    return mail


@pytest.mark.parametrize("early", [timedelta(0), 2 * DRIFT, 3 * DRIFT])
def test_the_process_that_empties_mails_may_have_a_clock_that_is_a_little_ahead(
    busy: Campaign, monkeypatch: pytest.MonkeyPatch, early: timedelta
) -> None:
    with undone():
        mail = sent_and_emptied(busy)
        monkeypatch.setattr(clock, "now", lambda: mail.created_at + LONG_KEPT - early)
        found = [fault.where for fault in edits_of(busy)]
        assert found == ([] if early <= 2 * DRIFT else [audit.row_name(mail)])


def test_mails_are_emptied_sooner_only_where_the_record_says_so(
    busy: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The site sets ten days, empties mails, and sets 30 again: what it did stays right, and is said once."""
    with undone():
        first = busy.outbox.order_by("pk")[0]
        sent = first.created_at
        busy.outbox.update(state=OutboxState.SENT, sent_at=sent)
        monkeypatch.setattr(delivery, "KEPT", timedelta(days=10))
        for hours in (1, 2):
            monkeypatch.setattr(clock, "now", lambda hours=hours: sent + timedelta(days=10, hours=hours))
            forget_sent(clock.now())
        monkeypatch.setattr(delivery, "KEPT", LONG_KEPT)
        assert not busy.outbox.exclude(stored=b"").exists()
        assert [entry.subject for entry in busy.audit.filter(act=KEPT_LESS)] == [{"days": 10}]
        assert list(edits_of(busy)) == []
        monkeypatch.setattr(clock, "now", lambda: sent + timedelta(days=9))
        assert audit.row_name(first) in {fault.where for fault in edits_of(busy)}


def test_a_mail_may_be_emptied_while_others_are_looked_at(busy: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    with undone():
        mail = sent_and_emptied(busy)
        month, asked = mail.created_at + LONG_KEPT, count()
        monkeypatch.setattr(clock, "now", lambda: month + timedelta(minutes=next(asked) - 1))
        assert [fault.where for fault in edits_of(busy)] == []


@pytest.mark.parametrize(
    "model", [Sheet, LockedSheet, DiceLine, Artefact, Phase, Resolution, AuditEntry], ids=lambda model: model.__name__
)
def test_a_row_that_is_taken_away_is_missed(busy: Campaign, model: type[Model]) -> None:
    path = "campaign" if model is AuditEntry else on_record(model).campaign
    for row in list(model._base_manager.filter(**{path: busy}).order_by("?")[:2]):
        with undone():
            type(row)._base_manager.filter(pk=row.pk)._raw_delete("default")
            assert first_fault(busy), row


@pytest.mark.parametrize("part", PARTS, ids=lambda model: model.__name__)
def test_a_part_of_a_row_that_is_taken_away_is_missed(busy: Campaign, part: type[Model]) -> None:
    """What only the game master's code reads is on record with the row it belongs to."""
    for model in models_on_record():
        for row in rows_of(model, busy) if part in parts_of(model) else ():
            said = _says_something(part, row)
            with undone():
                part._base_manager.filter(pk=row.pk)._raw_delete("default")
                changed = audit.row_digest(model._base_manager.get(pk=row.pk)) != audit.row_digest(row)
                assert changed == said, row


def _says_something(part: type[Model], row: Model) -> bool:
    """Whether a row has such a part, and that says anything that it would not say by default."""
    held = part._base_manager.filter(pk=row.pk).first()
    return held is not None and any(getattr(held, name) for name in columns_of(part))


def test_a_row_that_nothing_on_record_made_is_found(busy: Campaign) -> None:
    sheet = Sheet.objects.filter(phase__campaign=busy).order_by("-pk")[0]
    sheet.pk, sheet.version, sheet.idem_key = None, sheet.version + 1, "f" * 64
    with undone():
        sheet.save(force_insert=True)
        assert "no entry of the record has written it" in first_fault(busy)


def test_what_is_wrong_is_said_with_its_place(busy: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = Sheet.objects.filter(phase__campaign=busy, side="german").order_by("-pk")[0]
    with undone():
        Sheet.objects.filter(pk=sheet.pk).update(text="ALL OTHERS HOLD")
        with pytest.raises(CommandError):
            call_command("verify", busy.slug)
    said = capsys.readouterr().out.splitlines()
    assert len(said) >= 3
    name = f"sheet {sheet.phase_id} german HQ {sheet.version}"
    assert said[0].startswith(f"ardennes-demo: {name}: it has been changed since entry ")
    assert said[1] == f"ardennes-demo: {name}: its text does not match its digest"
    assert any("resolved again, its result is different" in line for line in said)


# --- what is not there yet --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["ardennes-1944", "st-vith-1944"])
@pytest.mark.usefixtures("busy")
def test_a_campaign_that_was_just_created_is_sound(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is rolled yet, so no line of a log says which campaign it is of."""
    new_campaign(f"new-{scenario}", scenario=f"forum_campaign/{scenario}")
    call_command("verify", f"new-{scenario}")
    assert capsys.readouterr().out.startswith(f"new-{scenario}: sound")


# --- a forger who seals the record again ------------------------------------------------------------------------------


def resealed(campaign: Campaign, row: Model | None = None) -> None:
    """A forger who knows the scheme writes a row's new digest into the record, and chains the record again."""
    prev = audit.FIRST
    name = audit.row_name(row) if row else ""
    for entry in campaign.audit.order_by("no"):
        rows = {**entry.rows, name: audit.seal(row)} if row and name in entry.rows else entry.rows
        sealed = {"no": entry.no, "at": entry.at.isoformat(), "act": entry.act, "subject": entry.subject, "rows": rows}
        digest = audit.entry_digest(prev=prev, **sealed)
        AuditEntry.objects.filter(pk=entry.pk).update(rows=rows, prev=prev, digest=digest)
        prev = digest


@pytest.mark.parametrize(
    "said",
    [{"purpose": "another bridge"}, {"rule": "R1"}, {"actor": "engine"}, {"void": None}],
    ids=lambda said: str(*said),
)
def test_a_line_that_says_something_else_of_a_roll_is_found_even_if_the_log_is_chained_again(
    busy: Campaign, said: dict[str, Any]
) -> None:
    """Its dice stay what they are, so the script finds nothing; but its events say otherwise."""
    roll = DiceLine.objects.get(campaign=busy, audience="german", label="manual/1")
    assert {name: json.loads(roll.line)[name] for name in said} != said
    prev = json.loads(roll.line)["prev"]
    with undone():
        for line in DiceLine.objects.filter(campaign=busy, audience="german", no__gte=roll.no).order_by("no"):
            forged = canonical(json.loads(line.line) | {"prev": prev} | (said if line == roll else {}))
            prev = hashlib.sha256(forged.encode()).hexdigest()
            DiceLine.objects.filter(pk=line.pk).update(line=forged, digest=prev)
            resealed(busy, DiceLine.objects.get(pk=line.pk))
        found = [str(fault) for fault in faults(Campaign.objects.get(pk=busy.pk))]
    assert any(
        "the lines in the log of german do not follow from its events and the GM's rolls" in each for each in found
    )


@pytest.mark.parametrize(
    ("model", "column"),
    [
        (Sheet, "text"),
        (Sheet, "nonce"),
        (LockedWords, "words"),
        (LockedWords, "nonce"),
        (LockedWords, "side"),
        (LockedSheet, "digest"),
        (Phase, "proof.mix"),
        (Phase, "proof.contributions"),
        (Phase, "proof.sheets_digest"),
        (Phase, "start.state_before"),
        (Resolution, "outcome.events"),
        (Resolution, "outcome.state_after"),
        (Artefact, "sha256"),
        (DiceLine, "line"),
        (DiceLine, "digest"),
        (OutboxMessage, "digest"),
        (Campaign, "anchors"),
        (Campaign, "scenario.scenario_files"),
    ],
    ids=lambda each: each if isinstance(each, str) else each.__name__,
)
def test_derived_rows_that_are_wrong_are_found_even_if_the_record_is_sealed_again(
    busy: Campaign, model: type[Model], column: str
) -> None:
    dice = random.Random(f"{model.__name__} {column}")
    rows = list(rows_of(model, busy))
    rows = [row for row in rows if getattr(row, "lock_no", 1)]
    row = dice.choice(rows)
    with undone():
        assert edit([row], column, dice)
        resealed(busy, model._base_manager.get(pk=row.pk))
        found = first_fault(busy)
    assert found, row
    assert not found.startswith("record,")
    assert "changed since" not in found


def test_nobody_switches_off_that_rows_are_looked_at(busy: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    forged = dict.fromkeys(busy.anchors, "0" * 64)
    for emptied in (busy.audit.filter(act="found"), busy.audit.all()):
        with undone():
            Campaign.objects.filter(pk=busy.pk).update(anchors=forged)
            emptied.update(rows={})
            resealed(busy)
            with pytest.raises(CommandError):
                call_command("verify", busy.slug)
    said = capsys.readouterr().out
    assert "campaign" in said
    assert "record: it names no rows" in said
