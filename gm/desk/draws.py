"""Draws: a commander of one side offers one, and a commander of the other accepts it. An offer can be withdrawn.

Only the GM and those who speak for a side know of offers. One lapses when the next phase is published.
"""

from datetime import datetime

from django.db import transaction
from django.http import Http404

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.ending import may_end, newest_published, other_side, speakers
from campaign.mail.messages import Extras, link, message_to, present_members
from campaign.models import Closing, DrawOffer, Membership, Phase, Role
from campaign.people.memberships import locked_member
from campaign.record import audit
from campaign.secrecy import truth
from campaign.templatetags.fieldpost import people
from campaign.viewers import Viewer
from gm.desk.deadlines import Refused
from gm.mail import enqueue_all


def offer_draw(viewer: Viewer) -> None:
    """Offer a draw for the viewer's side, and tell the other side's commanders and the GM. Again: no effect.

    Http404 for those who do not speak for a side.
    """
    with transaction.atomic(durable=True), truth.opened("DrawOffer"):
        after, now = _after(viewer), clock.now()
        _require_partner(viewer)
        before = DrawOffer.objects.filter(after=after, side=viewer.side).first()
        if before is not None and before.withdrawn_at is None:
            return
        columns = {"author": viewer.person, "at": now, "withdrawn_at": None}
        row, _ = DrawOffer.objects.update_or_create(after=after, side=viewer.side, defaults=columns)
        audit.record(viewer.campaign, "offer draw", _subject(viewer, after), at=now, rows=[row])
        if before is None:
            _notify(viewer, after, now)
        fp("offer.before_commit")


def withdraw_offer(viewer: Viewer) -> None:
    """Withdraw the offer of the viewer's side; no effect if none stands. Http404 for those who do not speak for it."""
    with transaction.atomic(durable=True), truth.opened("DrawOffer"):
        after, now = _after(viewer), clock.now()
        row = DrawOffer.objects.filter(after=after, side=viewer.side, withdrawn_at=None).first()
        if row is not None:
            row.withdrawn_at = now
            row.save(update_fields=["withdrawn_at"])
            audit.record(viewer.campaign, "withdraw draw", _subject(viewer, after), at=now, rows=[row])
        fp("offer.before_commit")


def _after(viewer: Viewer) -> Phase:
    """The phase published last, with the campaign locked for one who speaks for a side now."""
    present = Viewer(viewer.campaign, viewer.user, locked_member(viewer, viewer.member))
    if present.is_gm or not may_end(present) or present.side != viewer.side:
        raise Http404
    if Closing.objects.filter(campaign=viewer.campaign).exists():
        raise Refused("The campaign is already over.")
    after = newest_published(viewer.campaign)
    if after is None:
        raise Refused("Nothing has been published yet. Offer a draw when the campaign has begun.")
    return after


def _require_partner(viewer: Viewer) -> None:
    other = other_side(viewer.campaign, viewer.side)
    if not speakers(viewer.campaign, other):
        raise Refused(f"Nobody commands {people(other, viewer.campaign)}, so nobody could accept a draw.")


def _subject(viewer: Viewer, after: Phase) -> audit.Subject:
    return {"phase": after.no, "rev": after.rev, "side": viewer.side, "by": viewer.person.pk}


def _notify(viewer: Viewer, after: Phase, now: datetime) -> None:
    slug = viewer.campaign.slug
    what = (
        f"{viewer.person.username} offers a draw for {people(viewer.side, viewer.campaign)}. The offer stands until it"
        f" is withdrawn or the next phase is published. The page to accept it: {link('closing', slug)}"
    )
    key, context = f"draw/{slug}/{after.no}.{after.rev}/{viewer.side}", {"what": what, "now": now}
    enqueue_all(
        message_to(member, kind="draw", key=key, context=context, phase=after, extras=Extras(template="notice"))
        for member in _told(viewer)
    )
    wake_workers(Job.MAIL, after.pk)


def _told(viewer: Viewer) -> list[Membership]:
    """The GMs, and those who can accept."""
    other = speakers(viewer.campaign, other_side(viewer.campaign, viewer.side))
    return [each for each in present_members(viewer.campaign) if each.role == Role.GM or each in other]
