"""Bots write the sheets of the sides that they play, from what their side knows, by the entry for all sheets.

A bot that raises, or exceeds its time, counts as no sheet: the phase's default applies, and the draft is flagged.
"""

import logging
import secrets
from collections.abc import Iterable, Iterator
from functools import partial

from django.contrib.auth.models import AnonymousUser

from campaign.core import clock
from campaign.core.isolation import run_each
from campaign.core.time_limit import within
from campaign.engine.orders.grammar import units_named
from campaign.engine.orders.notation import MOST_CHARACTERS
from campaign.engine.sheets import DeskSheet, read_side, units_of
from campaign.engine.values.ids import Audience, PhaseKey
from campaign.game.simulation import simulation_of
from campaign.models import Bot, Desk, Membership, Phase, PhaseState, Role
from campaign.people.bots import playing
from campaign.secrecy import truth
from campaign.selectors import Knowledge, knowledge
from campaign.viewers import Viewer
from orders.intake import KeyReused, NotYours, Outdated, Submission, TooLate, submit
from orders.models import HQ, Channel

log = logging.getLogger(__name__)

MOST_SECONDS = 10.0
"""The time that a bot has for a sheet. It needs a tenth of a second."""


def write_due() -> int:
    """Let bots write all sheets that wait for one; returns how many."""
    open_ = Phase.objects.filter(state=PhaseState.OPEN, campaign__bots__isnull=False).distinct()
    return run_each("the bots of phase", open_.order_by("opens_at", "pk").values_list("pk", flat=True), write_for)


def write_for(phase_id: int) -> int:
    """Let bots write the sheets of a phase that wait for one; returns how many."""
    phase = Phase.objects.select_related("campaign").get(pk=phase_id)
    return sum(_write(phase, bot) for bot in asked(phase)) if phase.state == PhaseState.OPEN else 0


def asked(phase: Phase) -> list[Bot]:
    """The bots whose side must act in a phase and has no sheet of HQ yet."""
    sent = set(phase.all_sheets.filter(desk=HQ).values_list("side", flat=True))
    return [bot for bot in playing(phase.campaign, clock.now()) if bot.side in phase.acts and bot.side not in sent]


def failures(phase: Phase) -> Iterator[str]:
    """The sides of a locked phase whose bot failed."""
    empty = phase.all_locked_sheets.filter(sheet__channel=Channel.BOT, sheet__text="")
    yield from empty.order_by("side").values_list("side", flat=True)


def _write(phase: Phase, bot: Bot) -> bool:
    submission = Submission(
        phase_id=phase.pk,
        side=bot.side,
        author=None,
        text=_text(phase, bot),
        channel=Channel.BOT,
        idem_key=secrets.token_hex(16),
        expected_version=0,
        ready=True,
    )
    try:
        submit(submission)
    except (TooLate, NotYours, Outdated, KeyReused):  # another worker or the GM was first
        return False
    return True


def _text(phase: Phase, bot: Bot) -> str:
    """A bot's sheet for a phase; empty if it failed."""
    who = Audience(bot.side)
    with truth.writing(who):
        known = _known(phase, bot)
        desks = list(Desk.objects.filter(campaign=phase.campaign, side=bot.side, holder__isnull=False))
    try:
        written = within(MOST_SECONDS, partial(_written, known, bot.name, who))
        if len(written) > MOST_CHARACTERS:
            raise ValueError(f"a sheet of {len(written):,} characters")
        return _without(written, known, who, PhaseKey(phase.key), desks)
    except Exception:  # whatever the error, it is the bot's
        log.exception("the bot %s of %s wrote no sheet for phase %s", bot.name, bot.side, phase.pk)
        return ""


def _known(phase: Phase, bot: Bot) -> Knowledge:
    """What a side's commander reads: the state that their side received with the last publication."""
    commander = Membership(campaign=phase.campaign, role=Role.COMMANDER, side=bot.side)
    return knowledge(Viewer(phase.campaign, AnonymousUser(), commander))


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
