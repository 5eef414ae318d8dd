"""The GM and the dice: extra rolls, voided rolls, and the logs that every publication extends.

A value is a function of seed, lock, audience and label; none is drawn twice, and none for the first time after its
seed is revealed. What fell in a withdrawn phase falls the same when it is rolled again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.dice import KeyedDice, chain, fallen, withdrawn_in, written
from campaign.engine.errors import EngineError
from campaign.engine.facts import Event, Rolled
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.engine.values.value import encode
from campaign.game.artefacts import Content
from campaign.game.turn_package import audiences
from campaign.models import (
    AuditEntry,
    Campaign,
    DiceLine,
    ManualRoll,
    Phase,
    Ruling,
    User,
    VoidedRoll,
)
from campaign.record import audit
from campaign.record.clock_changes import closed_early
from campaign.record.dice_keys import master_seed
from campaign.record.dice_log import HEADS, Entry, Seal, append, everybody_of, published_locks
from campaign.record.reopenings import named_with, until
from campaign.secrecy import truth
from campaign.services import scenario_of
from gm.models import TriedRuling
from gm.phases.battles import OVERRULED
from gm.phases.rows import events_of, locked_row, may_change, write_artefacts

MOST_DICE = 20
LONGEST_PURPOSE = 200


class RollRefused(Exception):
    """The roll cannot be made, or not be voided; the message says why."""


class SeedRevealed(EngineError):
    """Anybody with the revealed seed could foresee the dice of this lock, so nothing more is rolled with it."""


class _Seeds(dict[Audience, bytes]):
    """A lock's seeds, from chains that are computed when their audience rolls: few do, and a chain is long."""

    def __init__(self, chain_of: Callable[[Audience], Sequence[bytes]], lock_no: int) -> None:
        super().__init__()
        self._chain_of, self._lock_no = chain_of, lock_no

    def __missing__(self, audience: Audience) -> bytes:
        self[audience] = self._chain_of(audience)[self._lock_no]
        return self[audience]


def dice_of(phase: Phase) -> KeyedDice:
    """The dice of a locked phase: each audience's seed of its lock, and the lock's mix.

    Dice that fell in withdrawn locks of its moment, and that no standing lock has made, fall as they fell.
    """
    campaign, lock_no = phase.campaign, phase.lock_no or 0
    master, everybody = master_seed(campaign), audiences(scenario_of(campaign).rules)

    chains: dict[Audience, list[bytes]] = {}

    def chain_of(who: Audience) -> list[bytes]:
        if who not in everybody:
            raise EngineError(f"nobody in this campaign is {who!r}, so no die falls for them")
        if who not in chains:
            chains[who] = chain(master, campaign.slug, who, lock_no)
        return chains[who]

    def keyed(lock: int, mix: str, fell: Mapping[tuple[Audience, str, int], KeyedDice]) -> KeyedDice:
        return KeyedDice(campaign=campaign.slug, lock=lock, mix=mix, seeds=_Seeds(chain_of, lock), fell=fell)

    withdrawn = withdrawn_in(phase.proof.contributions)
    earlier = _of_the_moment_before(phase) if withdrawn else []
    dice = {each.lock_no or 0: keyed(each.lock_no or 0, each.proof.mix, {}) for each in earlier}
    rolled = (
        (each.lock_no or 0, withdrawn_in(each.proof.contributions), set(dice_in(_rolled(each)))) for each in earlier
    )
    fell = {die: dice[first] for die, first in fallen(rolled, withdrawn).items()}
    return keyed(lock_no, phase.proof.mix, fell)


def _of_the_moment_before(phase: Phase) -> list[Phase]:
    """The phases of the same moment that were locked before, withdrawn ones included, in the order of their locks."""
    before = phase.campaign.phases.filter(moment=phase.moment, lock_no__lt=phase.lock_no).order_by("lock_no")
    return list(before.select_related("campaign", "proof", "resolution__outcome"))


def dice_in(rolled: Iterable[Event[Rolled]]) -> Iterator[tuple[Audience, str, int]]:
    """What names each die among those of its moment: its audience, its label and its place in the roll."""
    for event in rolled:
        for index in range(len(event.fact.dice)):
            yield event.fact.audience, event.fact.label, index


def require_unrevealed(phase: Phase) -> None:
    """Raise SeedRevealed if the seed of a phase's lock, or of a later one, which leads to it, has been published."""
    revealed = published_locks(phase.campaign).exclude(pk=phase.pk).aggregate(last=Max("lock_no"))["last"]
    if phase.lock_no is None or (revealed is not None and phase.lock_no <= revealed):
        raise SeedRevealed(f"the seed of lock {phase.lock_no} is closed: lock {revealed} has been published")


# --- extra rolls -----------------------------------------------------------------------------------------------------


def announce(
    phase_id: int,
    *,
    fence: int,
    words: str | None = None,
    audience: str,
    count: int,
    sides: int,
    purpose: str,
    author: User,
) -> bool:
    """Roll dice for the GM: the purpose, dice and audience are stored first, and only then is there a value.

    RollRefused if such a roll is impossible. False if the draft is not the newest, or if a game master has written
    something for it since `words` were read.
    """
    purpose = " ".join(purpose.split())
    _require_possible(count, sides, purpose)
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        if not may_change(phase, fence=fence, words=words):
            return False
        if audience not in audiences(scenario_of(phase.campaign).rules):
            raise RollRefused("Choose who may see the roll.")
        require_unrevealed(phase)
        known = phase.campaign.manual_rolls.filter(audience=audience)
        roll = ManualRoll.objects.create(
            campaign=phase.campaign,
            phase=phase,
            audience=audience,
            number=(known.aggregate(last=Max("number"))["last"] or 0) + 1,
            count=count,
            sides=sides,
            purpose=purpose,
            author=author,
            announced_at=now,
        )
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "label": roll.label, "audience": audience}
        audit.record(phase.campaign, "roll", subject, at=now, rows=[roll])
        fp("roll.before_commit")
    return True


def _require_possible(count: int, sides: int, purpose: str) -> None:
    if not 1 <= count <= MOST_DICE or not 2 <= sides <= 1000:
        raise RollRefused(f"You can roll 1 to {MOST_DICE} dice with 2 to 1000 sides.")
    if not purpose or len(purpose) > LONGEST_PURPOSE:
        raise RollRefused(f"Enter the purpose of the roll, in at most {LONGEST_PURPOSE} characters.")


def void(phase_id: int, *, fence: int, audience: str, label: str, reason: str, author: User) -> bool:
    """Void a roll of the draft. It stays in its log with the reason; no roll replaces it.

    RollRefused without a reason, or if there is no such roll. False if the draft is not the newest.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise RollRefused("Enter a reason. The people who may see the roll can read it.")
    with transaction.atomic(durable=True):
        phase = locked_row(phase_id)
        now = clock.now()
        if not may_change(phase, fence=fence):
            return False
        if (audience, label) not in {(who, entry.label) for who, entry in entries_of(phase)}:
            raise RollRefused("These draft results have no such roll.")
        if VoidedRoll.objects.filter(phase=phase, audience=audience, label=label).exists():
            raise RollRefused("That roll is already void.")
        voided = VoidedRoll.objects.create(
            phase=phase, audience=audience, label=label, reason=reason, author=author, at=now
        )
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "label": label, "audience": audience}
        audit.record(phase.campaign, "void", subject, at=now, rows=[voided])
        fp("roll.before_commit")
    return True


# --- the logs --------------------------------------------------------------------------------------------------------


def write_rolls(phase: Phase) -> Seal:
    """Add a phase's rolls to the logs, in the transaction that publishes it; returns what its reports print of them.

    A campaign created without anchors has no logs. Raises SeedRevealed if somebody might have foreseen the rolls.
    """
    require_unrevealed(phase)
    by_audience: dict[Audience, list[Entry]] = {who: [] for who in everybody_of(phase.campaign)}
    for audience, entry in entries_of(phase) if by_audience else ():
        by_audience[audience].append(entry)
    heads = {written(who): append(phase, who, entries) for who, entries in by_audience.items()}
    reopened, early, so_far = named_with(phase), closed_early([phase]), _published_with(phase)
    seal = Seal(
        heads,
        interventions=interventions([phase]) + len(reopened),
        so_far=interventions(so_far) + len(until(phase)),
        tried=tried([phase]),
        tried_so_far=tried(so_far),
        reopened=tuple(each.reason for each in reopened),
        closed_early=early.get((phase.no, phase.rev), ""),
    )
    with truth.writing(PUBLIC):
        content = Content(PUBLIC, HEADS, encode(seal))
    write_artefacts(phase, [content])
    return seal


def entries_of(phase: Phase) -> Iterator[tuple[Audience, Entry]]:
    """Every roll of an adjudicated phase with its audience: the rules' in the order of events, then the GM's own.

    For a roll entered by hand, the log gives the dice's own result and the GM's.
    """
    dice, voids = dice_of(phase), voids_of(phase)
    for event in _rolled(phase):
        yield event.fact.audience, _of_rules(phase, dice, event, voids.get((event.fact.audience, event.fact.label)))
    yield from _manual(phase, dice, voids)


def manual_entries(phase: Phase) -> Iterator[tuple[Audience, Entry]]:
    """The GM's extra rolls, with their values."""
    return _manual(phase, dice_of(phase), voids_of(phase))


def _manual(
    phase: Phase, dice: KeyedDice, voids: Mapping[tuple[Audience, str], str]
) -> Iterator[tuple[Audience, Entry]]:
    for roll in phase.manual_rolls.select_related("author").order_by("audience", "number"):
        who = Audience(roll.audience)
        yield (
            who,
            Entry(
                label=roll.label,
                sides=roll.sides,
                dice=dice.roll(roll.label, count=roll.count, sides=roll.sides, audience=who),
                purpose=roll.purpose,
                actor=f"gm:{roll.author.username}",
                void=voids.get((who, roll.label)),
            ),
        )


def _rolled(phase: Phase) -> Iterator[Event[Rolled]]:
    for event in events_of(phase):
        if isinstance(event.fact, Rolled):
            yield event


def _of_rules(phase: Phase, dice: KeyedDice, event: Event[Rolled], void_: str | None) -> Entry:
    roll, actor = event.fact, "engine"
    sources = [each.lock for each in dice.sources(roll.label, count=len(roll.dice), audience=roll.audience)]
    fell = dice.roll(roll.label, count=len(roll.dice), sides=roll.sides, audience=roll.audience)
    if roll.by_hand:
        actor = f"gm:{_who_entered(phase, roll.label)}"
        entered = f"entered by hand: {', '.join(map(str, roll.dice))} ({event.ruling})"
        void_ = f"{entered}; {void_}" if void_ else entered
    elif fell != roll.dice:
        raise EngineError(f"the draft says that {roll.label} fell {list(roll.dice)}; its seed gives {list(fell)}")
    return Entry(
        label=roll.label,
        sides=roll.sides,
        dice=fell,
        purpose=roll.purpose,
        rule=event.rule,
        actor=actor,
        void=void_,
        fell=tuple(sources) if set(sources) != {dice.lock} else None,
    )


def _who_entered(phase: Phase, label: str) -> str:
    entered = phase.rulings.filter(taken_back_at=None, fact__label=label).order_by("-seq")
    return entered.values_list("author__username", flat=True)[0]


def voids_of(phase: Phase) -> dict[tuple[Audience, str], str]:
    """The rolls of a phase that the GM voided, each with the reason."""
    rows = phase.voided_rolls.values_list("audience", "label", "reason")
    return {(Audience(audience), label): reason for audience, label, reason in rows}


def interventions(phases: Collection[Phase]) -> int:
    """How often the GM intervened in these phases: present rulings with entered rolls, extra rolls, voids, replaced
    results on which players had agreed, phases closed early. Reopenings come on top (see `campaign.record.reopenings`).

    A void counts if its roll is in a log: nobody was told of rolls of earlier drafts only.
    """
    among = Q(phase__in=phases)
    rolled = DiceLine.objects.filter(phase=OuterRef("phase"), audience=OuterRef("audience"), label=OuterRef("label"))
    return (
        Ruling.objects.filter(among, taken_back_at=None).count()
        + ManualRoll.objects.filter(among).count()
        + VoidedRoll.objects.filter(among & Exists(rolled)).count()
        + len(_overruled(phases))
        + len(closed_early(phases))
    )


def tried(phases: Collection[Phase]) -> int:
    """How often the GM tried rulings on the drafts of these phases: reports print it next to the interventions."""
    return TriedRuling.objects.filter(phase__in=phases).count()


def _overruled(phases: Collection[Phase]) -> set[tuple[object, ...]]:
    """The battles whose agreed results the GM replaced, each once."""
    theirs = {(phase.no, phase.rev) for phase in phases}
    done = AuditEntry.objects.filter(act=OVERRULED, campaign__in={phase.campaign_id for phase in phases})
    battles = {(each["phase"], each["rev"], each["battle"]) for each in done.values_list("subject", flat=True)}
    return {(no, rev, battle) for no, rev, battle in battles if (no, rev) in theirs}


def _published_with(phase: Phase) -> list[Phase]:
    campaign: Campaign = phase.campaign
    return list(campaign.phases.filter(Q(published_at__isnull=False) | Q(pk=phase.pk)).only("no", "rev", "campaign"))
