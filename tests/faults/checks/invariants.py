"""What must be true of a site after any faults, by the numbers of the turns' specification: I1 to I12.

The site's rows are compared with records from outside it, in one folder: `acks-*.jsonl` (receipts that players have
seen), `sink.jsonl` (mails that the mail server took), `watch.jsonl` (what a constant observer of the database saw),
`faults.jsonl` (how many faults may have doubled a mail). The command is `python -m tests.faults.verify FOLDER`.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from django.db import connection

from campaign.engine.phases import Weight
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.game import turn_package
from campaign.game.turn_package import audiences
from campaign.handling import handling_of
from campaign.links import PICTURES
from campaign.mail.news import NewsItem
from campaign.models import (
    Artefact,
    Campaign,
    Heartbeat,
    MailNews,
    OutboxMessage,
    OutboxState,
    Phase,
    PhaseState,
    Role,
)
from campaign.models import Resolution as Resolved
from campaign.record.dice_log import HEADS, seal_in
from campaign.services import scenario_of
from gm.gathered_mails import key_of
from gm.mail import publication_messages, report_of
from gm.phases.adjudication import Claim, resolve
from gm.phases.prefaces import finished_reports
from gm.verification import edits_of, forgeries_of
from orders.models import Channel, LockedSheet, Sheet
from tests.faults.checks.records import read
from tests.faults.checks.watch import KINDS

T = TypeVar("T")

MAPS = ("map", "thumbnail")
UNFINISHED = (PhaseState.LOCKED, PhaseState.RUNNING, PhaseState.FAILED)
TOLD = ("opened", "report")
"""The kinds of mail of a publication, and of news that a later mail brings."""
GATHERING = ("battles", "digest")
"""The kinds of mails that are written only to bring news."""
A_SWEEP = timedelta(minutes=1)
"""How long before its last heartbeat a site must have done what was due."""


@dataclass(frozen=True)
class Evidence:
    """The records from outside, from one folder."""

    folder: Path

    @cached_property
    def acks(self) -> list[dict[str, Any]]:
        return read(self.folder, "acks-*")

    @cached_property
    def mails(self) -> list[dict[str, Any]]:
        """The mails that the mail server took."""
        return [line for line in read(self.folder, "sink") if "taken" in line]

    @cached_property
    def halves(self) -> list[dict[str, Any]]:
        return [line for line in read(self.folder, "watch") if "half" in line]

    @cached_property
    def windows(self) -> int:
        """The faults that may have sent one mail twice: the server hung up, or a sender died or slept."""
        unheard = sum(not mail["heard"] for mail in self.mails)
        return unheard + sum(int(line["faults"]) for line in read(self.folder, "faults"))


Check = Callable[[Evidence], Iterator[str]]


# --- phases ----------------------------------------------------------------------------------------------------------


def once_and_without_gaps(_: Evidence) -> Iterator[str]:
    """I1 Each phase is published once, numbers and locks have no gaps, one phase of a campaign is current."""
    for campaign in Campaign.objects.order_by("pk"):
        rows = list(campaign.phases.order_by("no", "rev", "pk").values_list("no", "rev", "state", "lock_no"))
        yield from (f"double: {campaign.slug} has two {phase}" for phase in _twice((no, rev) for no, rev, _, _ in rows))
        live = [no for no, _, state, _ in rows if state not in (PhaseState.PUBLISHED, PhaseState.WITHDRAWN)]
        if len(live) > 1:
            yield f"double: {campaign.slug} has the live phases {live}"
        numbers, locks = sorted({no for no, *_ in rows}), sorted(lock for *_, lock in rows if lock is not None)
        if numbers != list(range(len(numbers))):
            yield f"gap: the phases of {campaign.slug} are {numbers}"
        if locks != list(range(1, len(locks) + 1)):
            yield f"gap: the locks of {campaign.slug} are {locks}"
        revisions = Counter(no for no, *_ in rows)
        acts = campaign.audit.filter(act__in=["lock", "publish"]).values_list("act", "subject")
        for (act, no), times in Counter((act, subject["phase"]) for act, subject in acts).items():
            if times > revisions[no]:
                yield f"double: the audit of {campaign.slug} has {times} times {act} of phase {no}"


def _twice(items: Iterable[T]) -> list[T]:
    return [item for item, times in Counter(items).items() if times > 1]


def acknowledged_sheets_count(evidence: Evidence) -> Iterator[str]:
    """I2 Every acknowledged sheet exists; the newest before the lock is the locked one."""
    sheets = Sheet.objects.values_list("phase__campaign__slug", "phase__no", "phase__rev", "side", "version", "text")
    stored: dict[tuple[Any, ...], str] = {row[:5]: row[5] for row in sheets.filter(desk="HQ")}
    locked = {
        tuple(row[:4]): row[4]
        for row in LockedSheet.objects.filter(desk="HQ").values_list(
            "phase__campaign__slug", "phase__no", "phase__rev", "side", "sheet__version"
        )
    }
    closed = set(Phase.objects.exclude(state=PhaseState.OPEN).values_list("campaign__slug", "no", "rev"))
    for ack in evidence.acks:
        phase = (ack["slug"], ack["no"], ack["rev"])
        text = stored.get((*phase, ack["side"], ack["version"]))
        if text is None or not text.replace("\r\n", "\n").startswith(ack["text"].rstrip("\n")):
            yield f"lost: the acknowledged sheet {phase} {ack['side']} version {ack['version']}"
        elif phase in closed and locked.get((*phase, ack["side"]), 0) < ack["version"]:
            yield f"lost: {phase} was locked without the acknowledged {ack['side']} version {ack['version']}"
    newest: dict[tuple[Any, ...], int] = {}
    for key in stored:
        newest[key[:4]] = max(newest.get(key[:4], 0), key[4])
    for key, version in locked.items():
        if newest[key] != version:
            yield f"lost: {key} was locked with version {version} of {newest[key]}"


def nothing_late_is_locked(_: Evidence) -> Iterator[str]:
    """I3 No sheet was received at or after its phase's lock, except those that the lock itself made."""
    for sheet in (
        Sheet.objects.exclude(channel=Channel.BATTLES).select_related("phase", "phase__campaign").defer("text")
    ):
        if sheet.phase.locked_at is not None and sheet.received_at >= sheet.phase.locked_at:
            yield f"late: {sheet} was received at {sheet.received_at}, locked at {sheet.phase.locked_at}"


def results_can_be_repeated(_: Evidence) -> Iterator[str]:
    """I4 Each result, and all that its audiences received, equals that of a clean run.

    Maps are drawn again for every tenth phase that has some.
    """
    published = Phase.objects.filter(state=PhaseState.PUBLISHED).order_by("pk")
    pictured = count()
    for phase in published.iterator(chunk_size=20):
        drawn = _has_pictures(phase) and next(pictured) % 10 == 0
        with nullcontext() if drawn else patch.object(turn_package, "draw", return_value=b""):
            again = resolve(Claim(phase.pk, phase.fence))
        stored = Resolved.objects.filter(phase=phase).values_list("outcome__digest", "fence").first()
        if stored is None or {stored[0], phase.proof.result_digest} != {again.digest}:
            yield f"differs: the result of {phase}: {stored} is not {again.digest[:12]}"
        elif stored[1] != phase.fence:
            yield f"double: {phase} was claimed {phase.fence} times, and the result is that of claim {stored[1]}"
        kept = {(each.audience, each.kind): each.sha256 for each in phase.all_artefacts.defer("content")}
        sealed = seal_in(bytes(phase.all_artefacts.get(audience=PUBLIC, kind=HEADS).content))
        received = {(each.audience, each.kind): each for each in (*again.artefacts, *finished_reports(phase, sealed))}
        for each in received.values():
            if (drawn or each.kind not in MAPS) and kept.get((each.audience, each.kind)) != each.sha256:
                yield f"differs: what {each.audience} received of {phase} as {each.kind}"


def audiences_see_it_at_once(evidence: Evidence) -> Iterator[str]:
    """I7 The observer never saw a phase half published, and at the end none is."""
    for line in evidence.halves:
        yield f"half: {line}"
    for phase in Phase.objects.filter(state=PhaseState.PUBLISHED).select_related("campaign"):
        received = Counter(
            phase.all_artefacts.exclude(kind__in=("preface", "answers", HEADS)).values_list("audience", flat=True)
        )
        each = KINDS + len(PICTURES) * _has_pictures(phase)
        if received != dict.fromkeys(audiences(scenario_of(phase.campaign).rules), each):
            yield f"half: of {phase} there is {dict(received)}"
        if not Resolved.objects.filter(phase=phase).exists():
            yield f"half: {phase} has no result"


def _has_pictures(phase: Phase) -> bool:
    return handling_of(phase.campaign, Weight(phase.weight)).pictures


# --- mails -----------------------------------------------------------------------------------------------------------


def every_mail_arrives(evidence: Evidence) -> Iterator[str]:
    """I5 The outbox has the right mails; each arrives byte by byte, rarely twice; nothing else arrives."""
    for campaign in Campaign.objects.order_by("pk"):
        yield from _unexpected(campaign)
    taken: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for mail in evidence.mails:
        taken[mail["taken"]].append(mail)
    for row in OutboxMessage.objects.iterator(chunk_size=50):
        yield from _amiss(row, taken.pop(row.message_id, []))
    yield from (f"phantom: the mail server took {message_id}, which nobody wrote" for message_id in taken)
    twice = len(evidence.mails) - len({mail["taken"] for mail in evidence.mails})
    if twice > evidence.windows:
        yield f"phantom: {twice} mails arrived again, and only {evidence.windows} faults could have made them"


def _amiss(row: OutboxMessage, mails: list[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with the arrival of a mail."""
    if row.state == OutboxState.SENT and not any(mail["heard"] for mail in mails):
        yield f"unsent: {row.key} is noted as sent, and the mail server never said so"
    if {mail["sha256"] for mail in mails} - {hashlib.sha256(bytes(row.message)).hexdigest()}:
        yield f"altered: {row.key} arrived otherwise than it was written"
    if {address for mail in mails for address in mail["to"]} - {row.to_addr}:
        yield f"astray: {row.key} went to another than {row.to_addr}"
    if len(mails) > row.fence:
        yield f"phantom: {row.key} arrived {len(mails)} times and was claimed {row.fence} times"


def _unexpected(campaign: Campaign) -> Iterator[str]:
    """Superfluous mails and news, and missing ones. Nobody here has chosen to get receipts."""
    rows = list(campaign.outbox.values_list("key", "kind"))
    news = MailNews.objects.filter(member__campaign=campaign, kind__in=TOLD).exclude(phase__state=PhaseState.WITHDRAWN)
    expected = _expected(campaign)
    for where, found, wanted in (
        ("in the outbox", {key for key, kind in rows if kind in (*TOLD, "receipt")}, expected[OutboxMessage]),
        ("among the news", set(news.values_list("key", flat=True)), expected[MailNews]),
    ):
        yield from (f"phantom: {key} is {where}" for key in found - wanted)
        yield from (f"unwritten: {key} is not {where}" for key in wanted - found)
    drafts = campaign.audit.filter(act="review").count() * campaign.memberships.filter(role=Role.GM).count()
    if (published := sum(kind == "review" for _, kind in rows)) != drafts:
        yield f"phantom: {published} letters tell of {drafts} drafts of {campaign.slug}"
    yield from _badly_gathered(campaign)


def _expected(campaign: Campaign) -> dict[type, set[str]]:
    """The keys of what each publication had to write: mails, and news for a digest."""
    keys: dict[type, set[str]] = {OutboxMessage: set(), MailNews: set()}
    for phase in campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no"):
        following = campaign.phases.filter(no=phase.no + 1).order_by("rev").first()
        for message in publication_messages(phase, artefacts=phase.all_artefacts.all(), next_phase=following):
            keys[MailNews if isinstance(message, NewsItem) else OutboxMessage].add(message.key)
    return keys


def _badly_gathered(campaign: Campaign) -> Iterator[str]:
    """News that is in no mail and waits no longer, or is in a wrong one; mails that bring other news than they say.

    News is in one mail at most, for its row names one; a mail that gathers has a key that all its news gives.
    """
    bring: dict[int, list[MailNews]] = defaultdict(list)
    news = MailNews.objects.filter(member__campaign=campaign).select_related("member", "mail", "phase__campaign")
    for row in news.order_by("pk"):
        if (row.mail is None) != (row.gathered_at is None):
            yield f"unwritten: the news {row.key} waits no longer, and no mail brings it"
        if row.mail is None:
            continue
        bring[row.mail.pk].append(row)
        if (row.mail.user_id, row.mail.audience) != (row.member.user_id, row.audience):
            yield f"astray: the news {row.key} is in {row.mail.key}, for somebody else"
        if row.mail.message and _in_one_line(_said(row)) not in _in_one_line(_text_of(row.mail)):
            yield f"unwritten: the news {row.key} should be in {row.mail.key}, which says nothing of it"
    for mail in campaign.outbox.filter(kind__in=GATHERING):
        theirs = bring.get(mail.pk, [])
        if not theirs or mail.key != f"{key_of(mail.kind, theirs)}/{theirs[0].member.user.username}":
            yield f"phantom: {mail.key} brings other news than that of its rows"


def _said(news: MailNews) -> str:
    """What the mail says that brings this news."""
    if news.kind != "report":
        return news.text
    return str(report_of(news, Audience(news.audience))["report_text"])


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _text_of(mail: OutboxMessage) -> str:
    parts = message_from_bytes(bytes(mail.message), policy=default).walk()
    return "\n".join(part.get_content() for part in parts if part.get_content_maintype() == "text")


def nothing_is_sent_too_early(evidence: Evidence) -> Iterator[str]:
    """I6 No mail of a publication went out before its phase was published."""
    published = OutboxMessage.objects.filter(kind__in=TOLD).select_related("phase").defer("stored")
    phases = {row.message_id: row.phase for row in published}
    for mail in evidence.mails:
        phase = phases.get(mail["taken"])
        if phase is not None and (
            phase.published_at is None or phase.published_at > datetime.fromtimestamp(mail["at"], UTC)
        ):
            yield f"phantom: a mail of {phase} arrived before it was published"


# --- the whole -------------------------------------------------------------------------------------------------------


def dice_verify(_: Evidence) -> Iterator[str]:
    """I8 The players' script finds nothing wrong with any log, and each log has the rolls of its phases."""
    for campaign in Campaign.objects.order_by("pk"):
        yield from (f"dice: {campaign.slug}: {fault}" for fault in forgeries_of(campaign))


def record_verifies(_: Evidence) -> Iterator[str]:
    """I9 Each entry of a campaign's audit is chained to the previous one, and each row agrees with its last entry."""
    for campaign in Campaign.objects.order_by("pk"):
        yield from (f"broken: {campaign.slug}: {fault}" for fault in edits_of(campaign))


def nothing_due_is_left(_: Evidence) -> Iterator[str]:
    """I10 After the faults, all that is due is done."""
    for phase in Phase.objects.filter(state__in=UNFINISHED):
        yield f"undone: {phase} is {phase.state}"
    for state, number in Counter(
        OutboxMessage.objects.exclude(state=OutboxState.SENT).values_list("state", flat=True)
    ).items():
        yield f"undone: {number} mails are {state}"
    last = Heartbeat.objects.order_by("-at").values_list("at", flat=True).first()
    if last and (due := MailNews.objects.filter(gathered_at=None, leaves_at__lt=last - A_SWEEP).count()):
        yield f"undone: {due} news wait longer than they should"


def rows_hang_together(_: Evidence) -> Iterator[str]:
    """I11 The database passes its own check, and no row refers to a missing one."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA integrity_check")
            yield from (f"corrupt: {row[0]}" for row in cursor.fetchall() if row[0] != "ok")
        for table in connection.introspection.table_names(cursor):
            for column, (its, other) in connection.introspection.get_relations(cursor, table).items():
                cursor.execute(_ORPHANS.format(table=table, column=column, its=its, other=other))
                (orphans,) = cursor.fetchone()
                if orphans:
                    yield f"corrupt: {orphans} rows of {table} refer by {column} to nothing"


_ORPHANS = """
SELECT COUNT(*) FROM "{table}" a LEFT JOIN "{other}" b ON a."{column}" = b."{its}"
WHERE a."{column}" IS NOT NULL AND b."{its}" IS NULL
"""


def sides_learn_nothing(_: Evidence) -> Iterator[str]:
    """I12 Nothing that another audience received or was mailed has words that one side wrote; the GM may read all."""
    for artefact in Artefact.objects.exclude(audience="gm").exclude(kind__in=PICTURES).iterator(chunk_size=50):
        yield from _strangers(str(artefact), artefact.audience, bytes(artefact.content).decode())
    for row in OutboxMessage.objects.exclude(audience__in=["gm", ""]).iterator(chunk_size=50):
        yield from _strangers(row.key, row.audience, _text_of(row))
    for news in MailNews.objects.exclude(audience="gm").iterator(chunk_size=50):
        yield from _strangers(f"the news {news.key}", news.audience, news.text)


def _strangers(what: str, audience: str, text: str) -> Iterator[str]:
    for side in set(re.findall(r"marker-([a-z]+)-", text)) - {audience}:
        yield f"leak: {what}, for {audience}, holds words of {side}"


CHECKS: Mapping[str, Check] = {
    "I1": once_and_without_gaps,
    "I2": acknowledged_sheets_count,
    "I3": nothing_late_is_locked,
    "I4": results_can_be_repeated,
    "I5": every_mail_arrives,
    "I6": nothing_is_sent_too_early,
    "I7": audiences_see_it_at_once,
    "I8": dice_verify,
    "I9": record_verifies,
    "I10": nothing_due_is_left,
    "I11": rows_hang_together,
    "I12": sides_learn_nothing,
}


def breaches(evidence: Evidence) -> Iterator[str]:
    """Each breach of an invariant: its number, and a line that begins with its kind and says what is wrong."""
    for number, check in CHECKS.items():
        try:
            yield from (f"{number} {breach}" for breach in check(evidence))
        except Exception as error:  # rows too broken to check
            yield f"{number} unreadable: {type(error).__name__}: {error}"
