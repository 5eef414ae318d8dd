"""Bots write the sheets of the sides that they play, from what their side knows, by the entry for all sheets.

A commander's sheet comes at once and is READY. A deputy writes in the last hour, and does not say READY: people of its
side come first until the deadline. A bot that raises, or exceeds its time, counts as no sheet: the phase's default
applies at its deadline, and the draft is flagged.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial

from campaign.core import clock
from campaign.core.isolation import run_each
from campaign.core.time_limit import within
from campaign.engine.orders.grammar import units_named
from campaign.engine.orders.notation import MOST_CHARACTERS
from campaign.engine.sheets import DeskSheet, read_side, units_of
from campaign.engine.values.ids import Audience, PhaseKey
from campaign.game.simulation import simulation_of
from campaign.models import Bot, Campaign, Desk, Phase, PhaseState, Role
from campaign.people.bots import playing
from campaign.secrecy import truth
from campaign.selectors import Knowledge, knowledge
from campaign.viewers import commander_of
from gm.absences import absent_members
from orders.intake import KeyReused, NotYours, Outdated, Submission, TooLate, submit
from orders.models import HQ, Channel, Draft

log = logging.getLogger(__name__)

MOST_SECONDS = 10.0
"""The time that a bot has for a sheet. It needs a tenth of a second."""
LAST_HOUR = timedelta(hours=1)
"""Before the deadline: until then a deputy leaves the sheet to people."""
_READY = "READY\n"


def write_due(*, most: int | None = None, goes_on: Callable[[], bool] = lambda: True) -> int:
    """Let bots write the sheets that wait for one, those of practice campaigns last; returns how many.

    `most`: the number after which the rest waits for the next call. `goes_on` is asked after each phase in which a bot
    wrote, and ends the call if it says no.
    """
    open_ = Phase.objects.filter(state=PhaseState.OPEN, campaign__bots__isnull=False).distinct()
    written = 0
    for phase_id in open_.order_by("campaign__practice", "opens_at", "pk").values_list("pk", flat=True):
        here = run_each("the bots of phase", [phase_id], write_for)
        written += here
        if here and ((most is not None and written >= most) or not goes_on()):
            break
    return written


def write_for(phase_id: int) -> int:
    """Let bots write the sheets of a phase that wait for one; returns how many."""
    phase = Phase.objects.select_related("campaign").get(pk=phase_id)
    return sum(_write(phase, bot) for bot in asked(phase)) if phase.state == PhaseState.OPEN else 0


def asked(phase: Phase) -> list[Bot]:
    """The bots that must write now: their side acts and has no sheet of HQ, and nobody else may still write one."""
    now = clock.now()
    sent = set(phase.all_sheets.filter(desk=HQ).values_list("side", flat=True))
    missing = [bot for bot in _playing(phase.campaign) if bot.side in phase.acts and bot.side not in sent]
    return [bot for bot in missing if bot.role == Role.COMMANDER or _is_left_to(bot, phase, now)]


def _playing(campaign: Campaign) -> list[Bot]:
    return playing(campaign, absent_members(campaign.pk, clock.now()))


def _is_left_to(deputy: Bot, phase: Phase, now: datetime) -> bool:
    """Whether it is the last hour, and nobody of the side has saved a draft in it."""
    begun = max(phase.opens_at, phase.deadline_at - LAST_HOUR)
    return (
        now >= begun and not Draft.objects.filter(phase=phase, side=deputy.side, desk=HQ, saved_at__gte=begun).exists()
    )


def failures(phase: Phase) -> Iterator[str]:
    """The sides of a locked phase whose bot failed."""
    empty = phase.all_locked_sheets.filter(sheet__channel=Channel.BOT, sheet__text="")
    yield from empty.order_by("side").values_list("side", flat=True)


def _write(phase: Phase, bot: Bot) -> bool:
    text = _text(phase, bot)
    submission = Submission(
        phase_id=phase.pk,
        side=bot.side,
        author=None,
        text=text,
        channel=Channel.BOT,
        idem_key=secrets.token_hex(16),
        expected_version=0,
        ready=text.endswith(_READY) or phase.campaign.practice,  # where only READY ends a phase
    )
    try:
        submit(submission, allowed=lambda: bot in _playing(phase.campaign))
    except (TooLate, NotYours, Outdated, KeyReused):  # another worker or a person was first, or relieved it
        return False
    return True


def _text(phase: Phase, bot: Bot) -> str:
    """A bot's sheet for a phase; empty if it failed."""
    who = Audience(bot.side)
    try:
        with truth.writing(who):
            known = _known(phase, bot)
            desks = list(Desk.objects.filter(campaign=phase.campaign, side=bot.side, holder__isnull=False))
        written = within(MOST_SECONDS, partial(_written, known, bot.name, who))
        if len(written) > MOST_CHARACTERS:
            raise ValueError(f"a sheet of {len(written):,} characters")
        text = _without(written, known, who, PhaseKey(phase.key), desks)
        return text if bot.role == Role.COMMANDER else text.removesuffix(_READY)
    except Exception:  # whatever the error, it is the bot's
        log.exception("the bot %s of %s wrote no sheet for phase %s", bot.name, bot.side, phase.pk)
        return ""


def _known(phase: Phase, bot: Bot) -> Knowledge:
    """What a side's commander reads: the state that their side received with the last publication."""
    return knowledge(commander_of(phase.campaign, bot.side))


def _written(known: Knowledge, name: str, who: Audience) -> str:
    bot = simulation_of(known.loaded).bots[name]
    return bot(known.loaded.scenario.game_data, known.state, who)


def _without(text: str, known: Knowledge, who: Audience, phase: PhaseKey, desks: Iterable[Desk]) -> str:
    """A bot's sheet without the lines about units of people's desks, which HQ would overrule."""
    rules, game_data = known.loaded.rules, known.loaded.scenario.game_data
    theirs = units_of(rules.formations(game_data, known.state), [name for desk in desks for name in desk.formations])
    if not theirs:
        return text
    read = read_side(rules, game_data, known.state, who, [DeskSheet(text)], phase=phase)
    left_out = {placed.line for placed in read.orders if not theirs.isdisjoint(units_named(placed.order))}
    return "".join(line for number, line in enumerate(text.splitlines(keepends=True), 1) if number not in left_out)
