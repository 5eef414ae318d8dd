"""A campaign that bots play by mail: they read what is mailed to them, and reply; nobody opens the site."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from campaign.engine.values.ids import Audience, SideId
from campaign.game.loading import WithStart, find_scenario, load_scenario
from campaign.game.simulation import simulation_of
from campaign.mail.messages import to_member
from campaign.models import Campaign, Membership, Phase, PhaseState, Role
from campaign.people.accounts import new_person
from campaign.selectors import knowledge
from campaign.services import create_campaign
from campaign.viewers import Viewer
from gm.machine.sweeper import sweep
from tests.bymail.mailboxes import Got, MailServer
from tests.bymail.programs import PROGRAMS, reply_with
from tests.gm.campaigns import GLOOMY, UNREVIEWED, Clock

log = logging.getLogger(__name__)

SLUG = "bymail"
DOMAIN = "orders.example.org"
THINKING = {"hours": 6}
"""How long a player thinks: with four sheets, a day of the campaign takes a day."""
Bot = Callable[[Any, Any, Audience], str]


@dataclass(frozen=True)
class Sides:
    """A scenario, and who plays it."""

    scenario: str
    bots: Mapping[SideId, Bot]
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def loaded(self) -> WithStart:
        return load_scenario(find_scenario(self.scenario))

    def writing(self) -> dict[SideId, Bot]:
        """The bots, who write into each sheet what only their own side may read."""
        return {side: _with_secrets(bot, side) for side, bot in self.bots.items()}


def secret_of(side: str) -> str:
    """What a side writes into its sheets and nobody else may read."""
    return f"canary-of-{side}"


def _with_secrets(bot: Bot, side: SideId) -> Bot:
    def written(game_data: Any, known: Any, who: Audience) -> str:
        return f"# {secret_of(side)} remarks\nNOTE {secret_of(side)} notes\n{bot(game_data, known, who)}"

    return written


@dataclass
class Player:
    """Somebody with a mail program, who knows what is mailed to their side."""

    member: Membership
    bot: Bot
    loaded: WithStart
    mailbox: Sequence[Got]
    deliver: Callable[[EmailMessage], None]
    """Brings a mail to the site."""
    read: int = 0
    """How many mails they have read."""
    sent: list[str] = field(default_factory=list)
    """The names of their mails."""

    @property
    def side(self) -> str:
        return self.member.side

    def unread(self) -> list[Got]:
        """What has come that asks for orders."""
        new = [each for each in self.mailbox[self.read :] if each.asks]
        self.read = len(self.mailbox)
        return new

    def reply(self, asked: Got) -> None:
        """Write the orders that a mail asks for, and send them."""
        program = PROGRAMS[len(self.sent) % len(PROGRAMS)]
        name, orders = f"<{self.side}.{len(self.sent)}@example.org>", self._orders()
        words = f"Here are the orders. ({secret_of(self.side)} says so.)"
        me = self.member.user.email
        self.deliver(reply_with(program, asked, sender=me, message_id=name, orders=orders, words=words))
        self.sent.append(name)

    def _orders(self) -> str:
        with to_member(self.member):
            known = knowledge(Viewer(self.member.campaign, self.member.user, self.member)).state
            return self.bot(self.loaded.scenario.game_data, known, Audience(self.side))


def forum(scenario: str, german: str, allied: str) -> Sides:
    """A scenario of the forum campaign with these bots."""
    bots = simulation_of(load_scenario(find_scenario(scenario)).open).bots
    return Sides(scenario, {SideId("german"): bots[german], SideId("allied"): bots[allied]})


def begin(sides: Sides, time: Clock) -> Campaign:
    """A campaign with a commander for each side."""
    campaign = create_campaign(
        slug=SLUG,
        title="By Mail",
        scenario=find_scenario(sides.scenario),
        handling=UNREVIEWED,
        options={**simulation_of(sides.loaded).options, **sides.options},
        master=GLOOMY,
    )
    for side in sides.bots:
        user = new_person(f"{side} player", email=f"{side}@example.org")
        Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side=side, joined_at=time.now)
    return campaign


def seated(
    sides: Sides, campaign: Campaign, server: MailServer, deliver: Callable[[EmailMessage], None]
) -> list[Player]:
    """The players of a campaign."""
    members = Membership.objects.filter(campaign=campaign).select_related("user", "campaign").order_by("side")
    loaded, bots = sides.loaded, sides.writing()
    return [
        Player(each, bots[SideId(each.side)], loaded, server.boxes[each.user.email], deliver)
        for each in members
        if each.side
    ]


def play(campaign: Campaign, players: Sequence[Player], time: Clock, *, days: int, collect: Callable[[], int]) -> None:
    """Play the first days of a campaign. Nothing but mails makes it go on, as no deadline passes."""
    quiet = 0
    while quiet < _PATIENCE:
        done = sweep(worker="one") + collect()
        if _day(campaign) == days:
            break
        for player in players:
            for asked in player.unread():
                time.forward(**THINKING)
                player.reply(asked)
                log.info("%s replies to: %s", player.side, asked.headers["Subject"])
                done += 1
        quiet = 0 if done else quiet + 1
        if not done:
            time.forward(hours=1)  # it may be night


_PATIENCE = 24
"""Hours without anything; then nobody has anything to write."""


def _day(campaign: Campaign) -> int:
    """How many days are over."""
    phases = Phase.objects.filter(campaign=campaign).exclude(state=PhaseState.WITHDRAWN)
    moments = list(dict.fromkeys(phases.order_by("no").values_list("day", flat=True)))
    open_ = phases.exclude(state=PhaseState.PUBLISHED).exists()
    return len(moments) - 1 if open_ else len(moments)
