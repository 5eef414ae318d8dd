"""The end of a campaign: victory, concession, agreed draw, abandonment. What it opens is open from then on.

No campaign ends automatically, however its last phase ends: what was read cannot be hidden again, and another campaign
may be played from the same position.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.http import Http404

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.ending import draw_offers, ended_in_words, may_end, newest_published, other_side
from campaign.game.store import decode_state, unpack
from campaign.mail.messages import Extras, link, message_to, present_members
from campaign.models import Campaign, Closing, Ending, Phase, PhaseState
from campaign.people.memberships import locked_member
from campaign.record import audit
from campaign.secrecy import truth
from campaign.services import scenario_of
from campaign.templatetags.fieldpost import people
from campaign.viewers import Viewer
from gm.desk.deadlines import Refused
from gm.desk.reopening import withdraw
from gm.mail import enqueue_all
from gm.phases.rows import open_row

DRAW = "draw"
"""The result of a campaign that nobody has won."""


@dataclass(frozen=True)
class How:
    """How a campaign ends, and who has won."""

    kind: Ending
    winner: str = ""
    reason: str = ""


def win(viewer: Viewer, result: str) -> None:
    """Record the result of a campaign that was played to its end: the side that has won, or a draw. Http404 if not GM.

    Refused while it is not over, and for another result than its rules give.
    """
    _require_gm(viewer)
    if result not in results(viewer.campaign):
        raise Refused("The rules have not ended the campaign with this result. Reload the page and check it.")
    _end(viewer, How(Ending.VICTORY, winner="" if result == DRAW else result))


def abandon(viewer: Viewer, *, reason: str) -> None:
    """End a campaign without a result. An open phase is withdrawn. Http404 if not GM."""
    _require_gm(viewer)
    _end(viewer, How(Ending.ABANDONED, reason=" ".join(reason.split())))


def concede(viewer: Viewer) -> None:
    """Concede for the viewer's side, whose enemy wins. Http404 for those who do not speak for it."""
    _require_speaker(viewer)
    _end(viewer, How(Ending.CONCESSION, winner=other_side(viewer.campaign, viewer.side)))


def accept_draw(viewer: Viewer) -> None:
    """Agree to the draw that the other side offers. Refused if its offer no longer stands."""
    _require_speaker(viewer)
    _end(viewer, How(Ending.DRAW))


def results(campaign: Campaign) -> Sequence[str]:
    """What the result may be of a campaign that was played to its end; none before. For its GM."""
    last, loaded = newest_published(campaign), scenario_of(campaign)
    if last is None or _is_live(campaign):
        return ()
    outcome = last.resolution.outcome
    state = decode_state(loaded.rules, unpack(outcome.state_after), version=last.resolution.state_version)
    if not loaded.rules.over(state):
        return ()
    if loaded.rules.simulation is None:
        return (*loaded.rules.sides, DRAW)
    return (loaded.rules.simulation.outcome(loaded.scenario.game_data, state),)


def _is_live(campaign: Campaign) -> bool:
    return campaign.phases.exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).exists()


def _require_gm(viewer: Viewer) -> None:
    if not viewer.is_gm:
        raise Http404


def _require_speaker(viewer: Viewer) -> None:
    if viewer.is_gm or not may_end(viewer):
        raise Http404


def _end(viewer: Viewer, how: How) -> None:
    """End a campaign for good, and tell everybody; an open phase is withdrawn. The same act again changes nothing.

    Refused while a phase is locked and not published, before anything is published, and if the campaign is over.
    """
    campaign = viewer.campaign
    with transaction.atomic(durable=True):
        open_ = open_row(campaign)
        present = Viewer(campaign, viewer.user, locked_member(viewer, viewer.member))
        if not may_end(present) or present.side != viewer.side:
            raise Http404
        now = clock.now()
        if _ended_before(present, how):
            return
        _require_standing(present, how)
        if open_ is not None:
            with truth.opened("OutboxMessage"):
                withdraw(open_, PhaseState.OPEN)
        if _is_live(campaign):
            raise Refused("A phase is locked but not published. Try again when its results are published.")
        last = newest_published(campaign)
        if last is None:
            raise Refused("Nothing has been published yet, so there is nothing to reveal.")
        columns = {"kind": how.kind, "winner": how.winner, "reason": how.reason}
        closing = Closing.objects.create(campaign=campaign, author=viewer.person, at=now, **columns)
        withdrawn = [open_] if open_ is not None else []
        subject: audit.Subject = {"by": viewer.person.pk, "kind": how.kind.value}
        audit.record(campaign, "close", subject, at=now, rows=[closing, *withdrawn])
        _notify(last, closing, now)
        wake_workers(Job.MAIL, last.pk)
        fp("close.before_commit")


def _ended_before(viewer: Viewer, how: How) -> bool:
    """Whether the viewer has ended the campaign in this very way; Refused if it ended in another."""
    closing = Closing.objects.filter(campaign=viewer.campaign).first()
    if closing is None:
        return False
    same = (closing.author_id, closing.kind, closing.winner) == (viewer.person.pk, how.kind, how.winner)
    if not same:
        raise Refused("The campaign is already over.")
    return True


def _require_standing(viewer: Viewer, how: How) -> None:
    if how.kind != Ending.DRAW:
        return
    other = other_side(viewer.campaign, viewer.side)
    if other not in [each.side for each in draw_offers(viewer)]:
        enemy = people(other, viewer.campaign)
        raise Refused(f"The draw is no longer offered: {enemy} withdrew it, or a phase was published since.")


def _notify(last: Phase, closing: Closing, now: datetime) -> None:
    key = f"close/{last.campaign.slug}"
    context = {"what": _what_opens(last.campaign, closing), "now": now}
    enqueue_all(
        message_to(member, kind="close", key=key, context=context, phase=last, extras=Extras(template="notice"))
        for member in present_members(last.campaign)
    )


def _what_opens(campaign: Campaign, closing: Closing) -> str:
    """The end in words for everybody, what it opens, and what stays shut."""
    slug = campaign.slug
    said = [
        f"{ended_in_words(closing)} There are no orders left to give. The result: {link('result', slug)}",
        f"Everyone who can read the campaign can now read all its dice, with every seed: {link('dice', slug)}",
    ]
    if campaign.opens_story:
        said.append(
            "They can also read the maps, reports and locked order sheets of all sides, and the GM rulings with their"
            f" reasons. All phases are here: {link('history', slug)}"
        )
    if campaign.opens_story or campaign.opens_statistics:
        said.append(f"The true figures of all sides, day by day, are here: {link('statistics', slug)}")
    if campaign.opens_story:
        said.append(
            "Notes to the game master, what the game master wrote to a side, and staff rooms stay shut. A side’s"
            " commanders can open their own at any time; there is no deadline."
        )
    else:
        said.append(
            "Maps, reports and orders of each side stay shut, as its rules page said when the campaign began. They"
            f" open if both sides and the game master agree: {link('closing', slug)}"
        )
    return "\n\n".join(said)
