"""After the end: a side opens its notes and its questions to the GM; an older campaign its story, if all agree."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.http import Http404

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.ending import may_end, newest_published
from campaign.engine.values.ids import GM
from campaign.mail.messages import Extras, link, message_to, present_members
from campaign.models import Agreed, Campaign, Closing, Consent, Phase
from campaign.people.memberships import locked_member
from campaign.record import audit
from campaign.services import scenario_of
from campaign.viewers import Viewer
from gm.mail import enqueue_all


@dataclass(frozen=True)
class Consents:
    """What the viewer can still open of a campaign that has ended, and who has agreed."""

    notes: bool
    """Whether they can open their side's notes to the GM, which are shut."""
    questions: bool
    """Whether they can open what their side has asked the GM, which is shut."""
    story: bool
    """Whether they can agree that the story opens, and have not."""
    agreed: tuple[str, ...]
    """The sides, and the GM, that agree to open a story that is shut."""
    waiting: tuple[str, ...]
    """Those that do not, or not yet; empty if it is open."""


def consents_of(viewer: Viewer) -> Consents:
    """How far the consents are. Everybody who ends campaigns may know."""
    campaign, who = viewer.campaign, viewer.side or GM
    rows = set(campaign.consents.values_list("side", "what"))
    asked = () if campaign.opens_story else _asked(campaign)
    return Consents(
        notes=bool(viewer.side) and (who, Agreed.NOTES) not in rows,
        questions=bool(viewer.side) and (who, Agreed.QUESTIONS) not in rows,
        story=who in asked and (who, Agreed.STORY) not in rows,
        agreed=tuple(each for each in asked if (each, Agreed.STORY) in rows),
        waiting=tuple(each for each in asked if (each, Agreed.STORY) not in rows),
    )


def _asked(campaign: Campaign) -> tuple[str, ...]:
    """All who must agree to open a story."""
    return (*scenario_of(campaign).rules.sides, GM)


def agree(viewer: Viewer, what: Agreed) -> None:
    """Agree for the viewer's side, or as GM, that everybody may read something. It is final. Again: no effect.

    Http404 before the end, for those who do not speak for a side, and for the GM about what is a side's.
    """
    campaign = viewer.campaign
    with transaction.atomic(durable=True):
        present = Viewer(campaign, viewer.user, locked_member(viewer, viewer.member))
        over = Closing.objects.filter(campaign=campaign).exists()
        if not over or not may_end(present) or (what != Agreed.STORY and not present.side):
            raise Http404
        side, now = present.side or GM, clock.now()
        columns = {"author": viewer.person, "at": now}
        row, first = Consent.objects.get_or_create(campaign=campaign, side=side, what=what, defaults=columns)
        if first:
            opened = _open(campaign, now) if what == Agreed.STORY else []
            subject: audit.Subject = {"side": side, "what": what.value, "by": viewer.person.pk}
            audit.record(campaign, "agree", subject, at=now, rows=[row, *opened])
        fp("agree.before_commit")


def _open(campaign: Campaign, now: datetime) -> list[Campaign]:
    """Open the campaign's story, if all agree and it is shut, and tell everybody; what was changed."""
    rows = campaign.consents.filter(what=Agreed.STORY).values_list("side", flat=True)
    present = Campaign.objects.get(pk=campaign.pk)
    if present.opens_story or set(_asked(campaign)) - set(rows):
        return []
    present.opens_story = True
    present.save(update_fields=["opens_story"])
    last = newest_published(campaign)
    if last is not None:
        _notify(last, now)
    return [present]


def _notify(last: Phase, now: datetime) -> None:
    slug = last.campaign.slug
    what = (
        "Both sides and the game master agree: everyone who can read the campaign can now read the maps, reports and"
        " locked order sheets of all sides, the GM rulings and the statistics. Notes and questions to the game master,"
        f" and staff rooms, stay shut unless their side opens them. The result: {link('result', slug)}"
    )
    context = {"what": what, "now": now}
    enqueue_all(
        message_to(
            member,
            kind="story",
            key=f"story/{slug}",
            context=context,
            phase=last,
            extras=Extras(template="notice"),
        )
        for member in present_members(last.campaign)
    )
    wake_workers(Job.MAIL, last.pk)
