"""Whether everything in a campaign is still as it was written: its record, rows, dice and adjudications.

The record has the digest of every written row, so an edited, removed or smuggled row differs from it. All that
follows from other data is also computed again: digests of sheets, locks, mails and artefacts, every roll, every
phase from the start.
"""

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import inf
from typing import Any

from django.db.models import Model

from campaign.core import clock
from campaign.engine.dice import WITHDRAWN, mix, written
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.engine.values.options import options_in
from campaign.engine.values.value import encode, without
from campaign.game.beginning import first_state
from campaign.game.loading import background_name
from campaign.game.store import decode_state, digest, unpack
from campaign.game.turn_package import audiences
from campaign.mail.delivery import KEPT_LESS, LONG_KEPT
from campaign.mail.outbox import is_addressed, mail_digest
from campaign.models import Artefact, AuditEntry, Campaign, OutboxMessage, OutboxState, Phase, PhaseState
from campaign.record import audit
from campaign.record.dice_keys import anchors, master_seed, nonce, words_nonce
from campaign.record.dice_log import (
    HEADS,
    NO_LINE,
    Entry,
    first_carrying,
    first_entries,
    lines_of,
    logs_of,
    script,
    seal_in,
)
from campaign.record.reopenings import named_with
from campaign.record.stored_values import strange_columns
from campaign.services import files_of, picture_in, scenario_of, whole_scenario_of
from gm.machine.heartbeat import DRIFT
from gm.phases.adjudication import replayed
from gm.phases.locking import digest_of_sheets
from gm.phases.rolls import entries_of
from gm.phases.rows import events_of
from gm.recorded_rows import may_be_unrecorded, models_on_record, name_of, rows_of, strange_rows
from orders.entropy import contributions_of, older_contributions_of
from orders.intake import sheet_digest
from orders.models import LockedWords, Sheet
from stories.keeping import damage
from stories.models import MapPicture, Story


@dataclass(frozen=True)
class Fault:
    """Something that differs from how it was written."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Doubt(Fault):
    """Something that can no longer be compared: it proves nothing."""


def faults(campaign: Campaign) -> Iterator[Fault]:
    """A campaign's faults: first differences from the record, then contradictions in the data.

    A campaign whose record names no rows is never sound: only contradictions can be found in it.
    """
    if audit.names_rows(campaign):
        yield from edits_of(campaign)
        yield from _looked_at(campaign, (_sheets, _words, _locks))
        yield from forgeries_of(campaign)
        yield from _looked_at(campaign, (_beginning, _results))
    else:
        yield Fault("record", "it names no rows, so edited rows and dice cannot be found")
        yield from _looked_at(campaign, (_chain, _artefacts, _sheets, _beginning, _results))


def edits_of(campaign: Campaign) -> Iterator[Fault]:
    """Every row that was edited, removed or inserted outside the services; its fault names the row."""
    yield from _looked_at(campaign, (_chain, _rows, _artefacts, _mails, _pictures))


def forgeries_of(campaign: Campaign) -> Iterator[Fault]:
    """Every dice log that differs from what its seeds, its phases' events and the GM's rolls give."""
    yield from _looked_at(campaign, (_anchors, _logs, _rolls))


def _looked_at(campaign: Campaign, checks: Iterable[Callable[[Campaign], Iterator[Fault]]]) -> Iterator[Fault]:
    """The faults that checks find; a check that fails is a fault as well."""
    for check in checks:
        try:
            yield from check(campaign)
        except Exception as error:  # a row may hold anything by now
            yield Fault(check.__name__.strip("_"), f"cannot be checked: {error!r}")


# --- the record ------------------------------------------------------------------------------------------------------


def unlike_heads(campaign: Campaign, heads: Iterable[tuple[int, str]]) -> Iterator[Fault]:
    """Faults unless the record's entries with these numbers had these digests, as a mail of that time says."""
    for no, kept in heads:
        found = campaign.audit.filter(no=no).values_list("digest", flat=True).first()
        if found is None:
            yield Fault("record", f"entry {no}, whose digest you kept, is missing")
        elif found != kept:
            yield Fault(
                "record", f"entry {no} is not the one whose digest you kept: it, or an earlier one, was changed"
            )


def _chain(campaign: Campaign) -> Iterator[Fault]:
    """Check that every entry has the next number, and is chained to the one before."""
    prev, no = audit.FIRST, 0
    own_columns = {field.attname: (field.attname,) for field in AuditEntry._meta.concrete_fields[1:]}
    strange = dict(strange_columns(campaign.audit.all(), own_columns))
    for pk, columns in strange.items():
        yield Fault(f"record, entry with the id {pk}", f"{_STRANGE}{', '.join(columns)}")
    for entry in campaign.audit.exclude(pk__in=strange).order_by("no"):
        no += 1
        where = f"record, entry {entry.no} ({entry.act})"
        sealed = audit.entry_digest(
            prev=entry.prev,
            no=entry.no,
            at=entry.at.isoformat(),
            act=entry.act,
            subject=entry.subject,
            rows=entry.rows,
        )
        if entry.no != no or entry.prev != prev:
            yield Fault(where, "an entry before it is missing or was changed")
        if sealed != entry.digest:
            yield Fault(where, "it was changed")
        prev, no = entry.digest, entry.no
    if not no:
        yield Fault("record", "there is none")


def _rows(campaign: Campaign) -> Iterator[Fault]:
    """Check that every row is as the last entry recorded it, with none missing and none extra."""
    sealed, acts = _last_seals(campaign), set(campaign.audit.values_list("act", flat=True))
    for model in models_on_record():
        strange = strange_rows(model, campaign)
        for pk, columns in strange.items():
            sealed.pop(name_of(model, pk), None)
            yield Fault(name_of(model, pk), f"{_STRANGE}{', '.join(columns)}")
        for row in rows_of(model, campaign, but=strange):
            kept, act = sealed.pop(audit.row_name(row), (None, ""))
            if what := _unlike(row, kept, act, acts):
                yield Fault(audit.row_name(row), f"{what}{_in_words(row)}")
    for name, (digest_, act) in sealed.items():
        if digest_ is not None:
            yield Fault(name, f"it has been missing since {act}")


def _unlike(row: Model, kept: str | None, act: str, acts: Collection[str]) -> str:
    """What is wrong with a row, given what the last entry about it kept; empty if nothing is."""
    if kept is None:
        return "" if may_be_unrecorded(row, acts) else "no entry of the record has written it"
    return "" if audit.is_sealed(row, kept) else f"it has been changed since {act}"


_STRANGE = "Fieldpost cannot have written what these columns hold: "


def _in_words(row: Model) -> str:
    """A row in brackets; empty if it was changed so that it cannot be put into words."""
    try:
        return f" ({row})"
    except Exception:  # a row may hold anything by now
        return ""


def _last_seals(campaign: Campaign) -> dict[str, tuple[str | None, str]]:
    """The last recorded digest of every row, and its entry."""
    sealed: dict[str, tuple[str | None, str]] = {}
    for no, act, rows in campaign.audit.order_by("no").values_list("no", "act", "rows"):
        sealed |= {name: (digest_, f"entry {no}, {act}") for name, digest_ in rows.items()}
    return sealed


# --- digests ---------------------------------------------------------------------------------------------------------


def _sheets(campaign: Campaign) -> Iterator[Fault]:
    """Check each sheet's digest: of its text, with the nonce from the master seed."""
    for sheet in Sheet.objects.filter(phase__campaign=campaign).select_related("phase"):
        phase, version = sheet.phase, sheet.version
        salt = nonce(campaign, phase=phase.no, rev=phase.rev, side=sheet.side, desk=sheet.desk, version=version)
        if sheet.nonce != salt:
            yield Fault(audit.row_name(sheet), "its nonce does not follow from the master seed")
        if sheet.digest != sheet_digest(sheet.text, sheet.nonce):
            yield Fault(audit.row_name(sheet), "its text does not match its digest")


def _locks(campaign: Campaign) -> Iterator[Fault]:
    """Check that a lock holds each desk's newest sheet, received in time, and that the dice are mixed from them."""
    carrying, keeping = first_carrying(campaign), _first_keeping(campaign)
    for phase in campaign.phases.filter(lock_no__isnull=False).order_by("lock_no").select_related("proof"):
        where = f"lock {phase.lock_no}"
        locked = sorted(phase.all_locked_sheets.select_related("sheet"), key=lambda row: (row.side, row.desk))
        sheets = [row.sheet for row in locked]
        for row in locked:
            same = phase.all_sheets.filter(side=row.side, desk=row.desk)
            newest = same.order_by("-version").values_list("pk", flat=True).first()
            if newest != row.sheet_id or row.digest != row.sheet.digest:
                yield Fault(where, f"{row.side} {row.desk}: it does not have the newest sheet")
            if phase.locked_at is None or row.sheet.received_at > phase.locked_at:
                yield Fault(where, f"{row.side} {row.desk}: its sheet came too late")
        if phase.proof.sheets_digest != digest_of_sheets(sheets):
            yield Fault(where, "its digest does not match its sheets")
        kept = phase.no or phase.all_locked_words.exists()  # an older release did not keep what went into the start
        older = 1 < (phase.lock_no or 0) < carrying
        expected = older_contributions_of(phase, sheets) if older else contributions_of(phase, sheets)
        expected = expected if (phase.lock_no or 0) >= keeping else without(expected, WITHDRAWN)
        if kept and phase.proof.contributions != expected:
            yield Fault(where, "what went into it does not follow from its sheets and the lock before")
        if phase.proof.mix != mix(phase.proof.contributions):
            yield Fault(where, "its mix does not follow from what went into it")


def _first_keeping(campaign: Campaign) -> float:
    """The first lock that keeps dice of withdrawn ones; an older release gave reopened phases other dice."""
    naming = campaign.phases.filter(**{f"proof__contributions__{WITHDRAWN}__isnull": False})
    return min((lock for lock in naming.values_list("lock_no", flat=True) if lock is not None), default=inf)


def _words(campaign: Campaign) -> Iterator[Fault]:
    """Check the texts that went into the start: with the nonces from the master seed they give the digests used."""
    for each in LockedWords.objects.filter(phase__campaign=campaign).order_by("pk"):
        if each.nonce != words_nonce(campaign, each.side, each.name):
            yield Fault(audit.row_name(each), "its nonce does not follow from the master seed")
        if each.digest != sheet_digest(each.words, each.nonce):
            yield Fault(audit.row_name(each), "its words do not match its digest")


def _artefacts(campaign: Campaign) -> Iterator[Fault]:
    """Check that what everybody received matches its digest, to the byte."""
    for each in Artefact.objects.filter(phase__campaign=campaign).order_by("pk").iterator():
        if digest(bytes(each.content)) != each.sha256:
            yield Fault(audit.row_name(each), f"its content does not match its digest{_in_words(each)}")


def _mails(campaign: Campaign) -> Iterator[Fault]:
    """Check that a mail is as it was written, with the address in its row; its reader decides that until it is sent.

    It is emptied only 30 days after it was sent, or after the fewest days for which the record says that the site has
    kept mails. The setting itself proves nothing: it may have been changed since, and it is on no record.
    """
    kept = _shortest_kept(campaign)
    for each in OutboxMessage.objects.filter(campaign=campaign).order_by("pk").iterator():
        sent = each.sent_at if each.state == OutboxState.SENT else None
        message = _put_together(each)
        if message and mail_digest(message) != each.digest:
            yield Fault(audit.row_name(each), "its text is not what was written")
        if message and not is_addressed(message, each.to_addr):
            yield Fault(audit.row_name(each), "its address is not the one in its text")
        long_ago = clock.now() - kept + _TWO_CLOCKS  # now: another process may empty mails during this check
        if not message and (sent is None or max(sent, each.created_at) > long_ago):
            yield Fault(audit.row_name(each), "it was emptied, but not because it was sent long ago")


def _pictures(campaign: Campaign) -> Iterator[Fault]:
    """Check that the pictures of stories and battle maps are in the data folder as they were written."""
    for story in Story.objects.filter(battle__phase__campaign=campaign).order_by("pk"):
        found = filter(None, map(damage, story.pictures))
        yield from (Fault(audit.row_name(story), wrong) for wrong in found)
    for row in MapPicture.objects.filter(campaign=campaign).order_by("pk"):
        if wrong := damage(row.picture):
            yield Fault(audit.row_name(row), wrong)


def _shortest_kept(campaign: Campaign) -> timedelta:
    """The shortest time for which the campaign's mails were kept once they were sent."""
    subjects = campaign.audit.filter(act=KEPT_LESS).values_list("subject", flat=True)
    return min([LONG_KEPT, *(timedelta(days=subject["days"]) for subject in subjects)])


def _put_together(mail: OutboxMessage) -> bytes:
    """A mail as it would be sent; bytes that fit no digest if what is stored cannot be read."""
    try:
        return mail.message
    except zlib.error:
        return b"unreadable"


_TWO_CLOCKS = 2 * DRIFT
"""How far ahead the process that emptied a mail may have been: its clock may be off, and so may ours."""


# --- dice ------------------------------------------------------------------------------------------------------------


def _anchors(campaign: Campaign) -> Iterator[Fault]:
    everybody = audiences(scenario_of(campaign).rules)
    if not campaign.anchors:
        yield Fault("dice", "there are no anchors: the campaign is older than they are, or they were deleted")
    elif campaign.anchors != anchors(master_seed(campaign), campaign.slug, everybody):
        yield Fault("dice", "the anchors do not follow from the master seed")


def _logs(campaign: Campaign) -> Iterator[Fault]:
    """Check every log with the script that players have."""
    for log in logs_of(campaign, list(map(Audience, campaign.anchors)), over=True):
        verdict, status = script().verdict(log.anchors, log.reveals, log.lines, log.head, log.master)
        if status:
            yield Fault(f"dice log of {log.name}", verdict)


def _rolls(campaign: Campaign) -> Iterator[Fault]:
    """Check that published lines follow from the phase's events and the GM's rolls, and that reports print their
    heads."""
    if not campaign.anchors:
        return
    heads: dict[str, str] = {}
    published = campaign.phases.filter(published_at__isnull=False).order_by("lock_no").select_related("campaign")
    for phase in published.select_related("resolution__outcome", "proof"):
        where = f"dice of phase {phase.no}.{phase.rev}"
        expected: dict[str, list[Entry]] = {who: first_entries(phase, Audience(who)) for who in campaign.anchors}
        for who, entry in entries_of(phase):
            expected[who].append(entry)
        for name, entries in expected.items():
            who = Audience(name)
            lines = list(phase.all_dice_lines.filter(audience=who).order_by("no"))
            head = heads.get(written(who), NO_LINE)
            if [(line.line, line.digest) for line in lines] != lines_of(phase, who, entries, head=head):
                yield Fault(
                    where, f"the lines in the log of {written(who)} do not follow from its events and the GM's rolls"
                )
            heads[written(who)] = lines[-1].digest if lines else head
        seal = seal_in(bytes(phase.all_artefacts.get(kind=HEADS, audience=PUBLIC).content))
        if seal.heads != heads:
            yield Fault(where, "its reports print heads that are not those of its logs")
        older = WITHDRAWN not in phase.proof.contributions and not seal.reopened
        if not older and seal.reopened != tuple(each.reason for each in named_with(phase)):
            yield Fault(where, "its reports do not name the reopenings that the record holds")


# --- adjudications ---------------------------------------------------------------------------------------------------


def _beginning(campaign: Campaign) -> Iterator[Fault]:
    """Check that the campaign began with its scenario, in the state that its house rules give."""
    files = files_of(campaign)
    if campaign.scenario_digest != digest(encode(files)):
        yield Fault("scenario", "its files do not match its digest")
    if (name := background_name(files)) and files[name] != digest(picture_in(files)):
        yield Fault("scenario", f"the picture {name} does not match its digest")
    created = campaign.audit.get(act="found").subject
    answers = {name: str(answer) for name, answer in created.items() if name.startswith("option ")}
    options = {name.removeprefix("option "): answer for name, answer in answers.items()}
    loaded, first = whole_scenario_of(campaign), campaign.phases.get(no=0)
    unasked = {option.name: option.before for option in options_in(loaded.rules.options)}
    if _state_before(first) != first_state(loaded, {**unasked, **options}):
        ours = _edition_in(created) == loaded.rules.edition
        kind, but = (Fault, "") if ours else (Doubt, _ANOTHER)
        yield kind("phase 0.0", f"it does not begin as the scenario and the house rules say{but}")


def _results(campaign: Campaign) -> Iterator[Fault]:
    """Every phase, resolved again from its frozen input, comes out as it came out then, and leads to the next."""
    ours = _by_this_edition(campaign)
    found = campaign.phases.filter(resolution__isnull=False).order_by("lock_no")
    for phase in found.select_related("resolution__outcome", "campaign", "proof", "start").iterator():
        where, result = f"phase {phase.no}.{phase.rev}", phase.resolution.outcome
        after, events = unpack(result.state_after), unpack(result.events)
        if digest(after + events) != result.digest or result.digest != phase.proof.result_digest:
            yield Fault(where, "its result does not match its digest")
        if phase.state == PhaseState.REVIEW or phase.published_at:  # else a ruling has made the result obsolete
            yield from _played_again(phase, strictly=result.digest in ours)
        for following in campaign.phases.filter(no=phase.no + 1, opens_at=phase.published_at or phase.opens_at):
            if _state_before(following) != _state_after(phase):
                yield Fault(f"phase {following.no}.{following.rev}", "it does not begin where the one before ended")


def _by_this_edition(campaign: Campaign) -> set[str]:
    """The digests of results that the present rules made."""
    ours = scenario_of(campaign).rules.edition
    made = campaign.audit.filter(act__in=("review", "publish")).order_by("no").values_list("subject", flat=True)
    return {str(subject["digest"]) for subject in made if _edition_in(subject) == ours}


def _edition_in(subject: Mapping[str, object]) -> object:
    """The edition of the rules that an entry of the record names.

    Before editions had numbers it was a digest of the rules' code. The digest of the last release that wrote one
    means the first edition; others mean nothing known.
    """
    named = subject.get("edition")
    return 1 if named == _LAST_DIGEST_OF_RULES else named


_LAST_DIGEST_OF_RULES = "ac92780dc3d8862d"


def _state_before(phase: Phase) -> Any:
    rules = scenario_of(phase.campaign).rules
    return decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)


def _state_after(phase: Phase) -> Any:
    rules, result = scenario_of(phase.campaign).rules, phase.resolution
    return decode_state(rules, unpack(result.outcome.state_after), version=result.state_version)


def _played_again(phase: Phase, *, strictly: bool) -> Iterator[Fault]:
    """Faults if a phase now has another result; under other rules than its own it may.

    What an older release wrote is compared after its upgrade to the present versions.
    """
    where = f"phase {phase.no}.{phase.rev}"
    try:
        again = replayed(phase)
        same = again.state == _state_after(phase) and again.events == events_of(phase)
    except Exception as error:  # its orders may be none any more
        if strictly:
            raise
        yield Doubt(where, f"it cannot be resolved again{_ANOTHER} ({error!r})")
        return
    if not same:
        kind, but = (Fault, "") if strictly else (Doubt, _ANOTHER)
        yield kind(where, f"resolved again, its result is different{but}")


_ANOTHER = ", but another edition of the rules made it, so that proves nothing"
