"""What must be true of a campaign that was played by mail."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from campaign.core import clock
from campaign.engine.dice import KeyedDice, seed
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.game.simulation import play_phases, simulation_of
from campaign.game.store import digest, encode_events, encode_state, unpack
from campaign.models import Campaign, Outcome, Phase
from orders.models import Channel, LockedSheet
from tests.bymail.conftest import Servers
from tests.bymail.playing import SLUG, Player, Sides, begin, play, seated, secret_of
from tests.gm.campaigns import GLOOMY, Clock

MOST_MAILS = 4
"""A day to one player, without those that answer theirs."""


def assert_is_played_by_mail(sides: Sides, servers: Servers, time: Clock, *, days: int) -> None:
    """Play, and compare with the game without a site."""
    campaign = begin(sides, time)
    players = seated(sides, campaign, servers.players, servers.deliver)
    play(campaign, players, time, days=days, collect=servers.collect)
    by_mail = list(_results(campaign))
    assert by_mail
    assert by_mail == list(_in_process(sides, campaign))
    locked = LockedSheet.objects.filter(phase__campaign=campaign)
    assert {each.sheet.channel for each in locked} == {Channel.MAIL}
    assert locked.count() == sum(len(player.sent) for player in players), "every mail is a sheet that counted"
    for player in players:
        _assert_few_mails(player)
    _assert_no_secrets(players)


def _results(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Of each lock, the digests of the events and of the state after it."""
    outcomes = Outcome.objects.filter(resolution__phase__campaign=campaign).order_by("resolution__phase__lock_no")
    for each in outcomes:
        yield digest(unpack(each.events)), digest(unpack(each.state_after))


def _in_process(sides: Sides, campaign: Campaign) -> Iterator[tuple[str, str]]:
    """The same of a game without any site, with the same seeds and nonces."""
    locked = Phase.objects.filter(campaign=campaign, lock_no__isnull=False).select_related("proof")
    mixes = {phase.lock_no: phase.proof.mix for phase in locked}
    audiences = (GM, PUBLIC, *map(Audience, sides.bots))

    def dice(lock: int) -> KeyedDice:
        seeds = {who: seed(GLOOMY, campaign=SLUG, audience=who, lock=lock) for who in audiences}
        return KeyedDice(campaign=SLUG, lock=lock, mix=mixes[lock], seeds=seeds)

    bots = sides.writing()
    played = play_phases(
        sides.loaded,
        seed=0,
        players={side: side for side in bots},
        bots={str(side): bot for side, bot in bots.items()},
        options={**simulation_of(sides.loaded).options, **sides.options},
        dice=dice,
    )
    for phase in islice(played, len(mixes)):
        yield digest(encode_events(phase.resolution.events)), digest(encode_state(phase.resolution.state))


def _assert_few_mails(player: Player) -> None:
    """Fail if a player got more mails in a day than they may, besides answers, or two answers to one of their mails."""
    answers = Counter(name for got in player.mailbox for name in player.sent if got.answers(name))
    assert set(answers.values()) <= {1}
    assert set(answers) == set(player.sent), "each had an answer"
    others = [got for got in player.mailbox if not any(map(got.answers, player.sent))]
    days = Counter(got.at.astimezone(clock.zone(player.member.user.time_zone)).date() for got in others)
    assert max(days.values()) <= MOST_MAILS, days


def _assert_no_secrets(players: Sequence[Player]) -> None:
    """No mail has what another side has written; the answers have their reader's own words, or this would see none."""
    for player in players:
        texts = [got.everything for got in player.mailbox]
        assert any(secret_of(player.side) in text for text in texts)
        others = {secret_of(each.side) for each in players} - {secret_of(player.side)}
        assert not [other for other in others for text in texts if other in text]
