"""The dice logs of a campaign: one per audience, with chained lines and seeds revealed after use.

A roll is written in the transaction that publishes it (see `gm.phases.rolls`). This module reads logs: what an audience
may have of them, as the files that `static/verify_dice.py` checks.
"""

import hashlib
import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from django.conf import settings
from django.db.models import Max, Q, QuerySet

from campaign.engine.dice import PREVIOUS, SCHEME, parts, withdrawn_in, written
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.engine.values.value import Value, decode
from campaign.models import Artefact, Campaign, Closing, DiceLine, Phase
from campaign.record.dice_keys import master_seed, salt, seeds
from campaign.record.reopenings import Reopening, until
from campaign.secrecy import truth
from campaign.viewers import Viewer

SCRIPT = "verify_dice.py"
NO_LINE = "0" * 64
"""The head of a log without lines."""
REOPENED = "reopened/"
"""The beginning of the label of a line that names a reopening; the number of the withdrawn lock follows."""
HEADS = "heads"
"""The kind of artefact that keeps the heads as they were printed with a phase."""


@dataclass(frozen=True)
class Roll:
    """A line of a log, for readers."""

    lock: int
    label: str
    sides: int
    dice: tuple[int, ...]
    purpose: str
    rule: str
    actor: str
    void: str
    """Why it does not count; empty if it does."""
    fell: tuple[int, ...] = ()
    """The withdrawn locks with which its dice fell, if it is that of a reopened phase that has been rolled again."""


@dataclass(frozen=True)
class Log:
    """The log of one audience with everything needed to check it."""

    name: str
    """The audience's name in the scheme."""
    anchor: str
    anchors: bytes
    reveals: bytes
    lines: bytes
    head: str
    """The head that the newest published report prints."""
    master: str
    """The master seed in hexadecimal; empty until the campaign is closed."""

    @cached_property
    def rolls(self) -> list[Roll]:
        """The rolls, newest first, without lines that only salt the log."""
        found = [_roll(json.loads(line)) for line in self.lines.decode().splitlines()]
        return [roll for roll in reversed(found) if roll.dice]

    @property
    def verdict(self) -> str:
        """What the script prints for exactly these files."""
        said, _ = script().verdict(self.anchors, self.reveals, self.lines, self.head, self.master)
        return str(said)

    @property
    def command(self) -> str:
        """The command that starts the script."""
        return " ".join(["python3", SCRIPT, *FILES, self.head, self.master]).rstrip()


FILES = ("anchors.txt", "reveal.jsonl", "log.jsonl")


def file_of(log: Log, name: str) -> bytes:
    """A file of a log by its name; raises KeyError."""
    return dict(zip(FILES, (log.anchors, log.reveals, log.lines), strict=True))[name]


class Seal(Value, frozen=True, omit_defaults=True):
    """What every report prints about the dice of a phase, so that a log cannot be changed later unnoticed."""

    heads: Mapping[str, str]
    """The head of every log, secret ones included, by the name of its audience."""
    interventions: int
    """The number of GM interventions in this phase."""
    so_far: int
    """The number of GM interventions in the campaign so far."""
    reopened: tuple[str, ...] = ()
    """Why the GM reopened this phase, each time; and phases after it, if this one was reopened then."""
    closed_early: str = ""
    """Why the GM closed this phase before its deadline; empty if they did not."""
    tried: int = 0
    """How often the GM tried rulings on this phase's drafts."""
    tried_so_far: int = 0
    """The same in the campaign so far."""

    @property
    def gm_notes(self) -> tuple[str, ...]:
        """How often the GM intervened, and why a phase was reopened or closed early, in words for reports and mails."""
        made = f"GM interventions: {self.interventions or 'none'} in this phase, {self.so_far or 'none'} so far."
        tries = f"Rulings tried on drafts: {self.tried or 'none'} in this phase, {self.tried_so_far} so far."
        tried = (tries,) if self.tried_so_far else ()
        reopened = (f"Reopened: {'; '.join(self.reopened)}",) if self.reopened else ()
        early = (f"Closed early: {self.closed_early}",) if self.closed_early else ()
        return (made, *tried, *reopened, *early)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes for the end of a report."""
        return (*self.gm_notes, *(f"{name}: {head}" for name, head in sorted(self.heads.items())))


# --- who may read what ------------------------------------------------------------------------------------------------


def logs_for(viewer: Viewer) -> list[Log]:
    """The logs that the viewer's audience may have: the public one and its own; all once the campaign is closed."""
    campaign = viewer.campaign
    over = has_ended(campaign)
    return logs_of(campaign, _readable(viewer, over=over), over=over)


def has_ended(campaign: Campaign) -> bool:
    """Whether the game master has closed it. Nothing more can be rolled, and none of its dice stay secret."""
    return Closing.objects.filter(campaign=campaign).exists()


def _readable(viewer: Viewer, *, over: bool) -> list[Audience]:
    everybody = everybody_of(viewer.campaign)
    if over or viewer.audience == GM:
        return everybody
    return [who for who in everybody if who in (PUBLIC, viewer.audience)]


def everybody_of(campaign: Campaign) -> list[Audience]:
    """All audiences that have a log, the public first."""
    return sorted(map(Audience, campaign.anchors), key=lambda who: (who != PUBLIC, who))


def logs_of(campaign: Campaign, audiences: Sequence[Audience], *, over: bool) -> list[Log]:
    """The published part of these audiences' logs; what they share is looked up once."""
    heads, locks, named = printed_heads(campaign), _revealed(campaign), _named(campaign)
    return [
        Log(
            name=written(who),
            anchor=campaign.anchors[who],
            anchors=f"{' | '.join([*named, _anchor(campaign, who)])}\n".encode(),
            reveals=_reveals(campaign, who, locks),
            lines=_lines(campaign, who, over=over),
            head=heads.get(written(who), NO_LINE),
            master=master_of(campaign) if over else "",
        )
        for who in audiences
    ]


def _lines(campaign: Campaign, audience: Audience, *, over: bool) -> bytes:
    if not over:
        truth.require(audience)
    lines = campaign.all_dice_lines.filter(audience=audience).order_by("no").values_list("line", flat=True)
    return "".join(f"{line}\n" for line in lines).encode()


@dataclass(frozen=True)
class _Lock:
    """A lock whose seeds are known, and the sides' contributions to it."""

    number: int
    parts: list[str]
    mix: str


def _revealed(campaign: Campaign) -> list[_Lock]:
    rows = published_locks(campaign).order_by("lock_no").values_list("lock_no", "proof__contributions", "proof__mix")
    with truth.opened("PhaseProof"):
        return [_Lock(lock or 0, parts(contributions), mix) for lock, contributions, mix in rows]


def _reveals(campaign: Campaign, audience: Audience, locks: Sequence[_Lock]) -> bytes:
    """An audience's seeds of these locks, as lines."""
    given = seeds(master_seed(campaign), campaign.slug, audience, locks[-1].number) if locks else []
    told = (
        {
            "audience": written(audience),
            "n": lock.number,
            "seed": given[lock.number - 1],
            "parts": lock.parts,
            "mix": lock.mix,
        }
        for lock in locks
    )
    return "".join(f"{canonical(line)}\n" for line in told).encode()


def published_locks(campaign: Campaign) -> QuerySet[Phase]:
    """The phases whose seeds are known: all that were ever published, withdrawn ones included."""
    return campaign.phases.filter(published_at__isnull=False, lock_no__isnull=False)


def printed_heads(campaign: Campaign) -> Mapping[str, str]:
    """The heads of all logs as the newest report prints them, by the names of their audiences."""
    newest = Q(phase__campaign=campaign, phase__published_at__isnull=False, kind=HEADS, audience=PUBLIC)
    kept = Artefact.objects.filter(newest).order_by("-phase__lock_no").values_list("content", flat=True).first()
    return seal_in(bytes(kept)).heads if kept is not None else {}


def seal_in(content: bytes) -> Seal:
    """A seal from its stored form."""
    seal: Seal = decode(content, Seal)
    return seal


def anchors_line(campaign: Campaign) -> str:
    """All anchors in one line, for others to keep; empty if the campaign was created without any."""
    if not campaign.anchors:
        return ""
    return " | ".join([*_named(campaign), *(_anchor(campaign, who) for who in everybody_of(campaign))])


def _named(campaign: Campaign) -> list[str]:
    """What precedes the anchors: the campaign, and what goes into every lock."""
    sides = sorted(set(campaign.anchors) - {PUBLIC, GM})
    carried = first_carrying(campaign)
    older = [f"carried from lock {carried}"] if carried > 2 else []
    return [f"{SCHEME}: {campaign.slug}", f"sides {' '.join(sides)}", *older]


def _anchor(campaign: Campaign, audience: Audience) -> str:
    return f"{written(audience)} {campaign.anchors[audience]}"


def first_carrying(campaign: Campaign) -> int:
    """The first lock that includes the mix of the one before: the second, unless an older release has locked phases."""
    without = campaign.phases.filter(lock_no__gt=1, **{f"proof__contributions__{PREVIOUS}__isnull": True})
    with truth.opened("PhaseProof"):
        newest: int | None = without.aggregate(newest=Max("lock_no"))["newest"]
    return (newest or 1) + 1


def master_of(campaign: Campaign) -> str:
    """The master seed in hexadecimal, for a campaign that is closed."""
    return master_seed(campaign).hex()


# --- writing lines ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What a log records about a roll."""

    label: str
    sides: int
    dice: tuple[int, ...]
    purpose: str
    rule: str = ""
    actor: str = "engine"
    void: str | None = None
    fell: tuple[int, ...] | None = None
    """For each die, the lock whose seed and mix gave it; None if all are of the phase's own."""


def append(phase: Phase, audience: Audience, entries: Sequence[Entry]) -> str:
    """Append a phase's rolls to an audience's log, in the caller's transaction; returns the new head."""
    campaign = phase.campaign
    last = campaign.all_dice_lines.filter(audience=audience).order_by("-no").first()
    no, head = (last.no, last.digest) if last else (0, NO_LINE)
    entries = [*first_entries(phase, audience), *entries]
    lines = lines_of(phase, audience, entries, head=head)
    DiceLine.objects.bulk_create(
        DiceLine(
            campaign=campaign,
            phase=phase,
            audience=audience,
            no=no + nth,
            lock_no=phase.lock_no or 0,
            label=entry.label,
            line=line,
            digest=digest,
        )
        for nth, (entry, (line, digest)) in enumerate(zip(entries, lines, strict=True), 1)
    )
    return lines[-1][1] if lines else head


def first_entries(phase: Phase, audience: Audience) -> list[Entry]:
    """The first lines of a phase: the salt of a secret log, and the reopenings that led to its lock."""
    if not withdrawn_in(phase.proof.contributions):  # of an older release
        return salted(phase, audience)
    led = [each for each in until(phase) if each.lock == phase.lock_no]
    return [*salted(phase, audience), *map(_reopened, led)]


def _reopened(each: Reopening) -> Entry:
    actor = f"gm:{each.by}" if each.by else "gm"
    return Entry(label=f"{REOPENED}{each.withdrawn}", sides=2, dice=(), purpose=each.reason, actor=actor)


def salted(phase: Phase, audience: Audience) -> list[Entry]:
    """A secret log grows with every phase, so that its head does not show whether anything was rolled."""
    if audience == PUBLIC:
        return []
    grain = salt(master_seed(phase.campaign), phase.campaign.slug, audience, phase.lock_no or 0)
    return [Entry(label="salt", sides=2, dice=(), purpose=grain)]


def lines_of(phase: Phase, audience: Audience, entries: Sequence[Entry], *, head: str) -> list[tuple[str, str]]:
    """A phase's rolls as lines of a log with this head, each with its digest."""
    place = {"campaign": phase.campaign.slug, "audience": written(audience), "n": phase.lock_no}
    found: list[tuple[str, str]] = []
    for entry in entries:
        said = {name: value for name, value in vars(entry).items() if (name, value) != ("fell", None)}
        line = canonical({**said, **place, "dice": list(entry.dice), "prev": head})
        head = hashlib.sha256(line.encode()).hexdigest()
        found.append((line, head))
    return found


def canonical(value: Mapping[str, Any]) -> str:
    """JSON in the scheme's canonical form: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _roll(line: Mapping[str, Any]) -> Roll:
    return Roll(
        lock=line["n"],
        label=line["label"],
        sides=line["sides"],
        dice=tuple(line["dice"]),
        purpose=line["purpose"],
        rule=line["rule"],
        actor=line["actor"],
        void=line["void"] or "",
        fell=tuple(sorted({lock for lock in line.get("fell", ()) if lock != line["n"]})),
    )


# --- the script -------------------------------------------------------------------------------------------------------


def script_path() -> Path:
    """The verification script that is handed out."""
    return Path(settings.BASE_DIR) / "static" / SCRIPT


@cache
def script() -> ModuleType:
    """The same script as a module: nothing secret is written to a disk to run it."""
    spec = importlib.util.spec_from_file_location("verify_dice", script_path())
    if spec is None or spec.loader is None:
        raise ImportError(f"{script_path()} cannot be run")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
