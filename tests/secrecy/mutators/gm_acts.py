"""What the game master does that concerns others alone (M29). The log of the GM's acts shows it to them alone."""

from django.http import Http404

from campaign.core import clock
from campaign.models import Membership, Role
from campaign.people import desks
from campaign.people.memberships import Refused
from campaign.services import change_settings
from campaign.viewers import Viewer, viewer_of
from gm.desk.exposure import Notify, exposable, expose
from gm.desk.view_as import note_view_as
from tests.secrecy.campaigns import SLUG, person
from tests.secrecy.mutators.change import Change


def for_others(change: Change) -> bool:
    """Assign an enemy's desk and close it, report a leak of its map, view a phase as it, store the settings again."""
    viewer, enemy = viewer_of(person("gm"), SLUG), change.enemy
    change_settings(viewer.campaign, public=viewer.campaign.public)
    _desk(viewer, enemy)
    phase = exposable(viewer).first()
    if phase is not None:
        tells = change.chance.choice([Notify.NOBODY, Notify.SIDE])
        expose(viewer, no=phase.no, rev=phase.rev, side=enemy, what=f"A post {change.chance.random()}.", tells=tells)
        note_view_as(viewer, phase.no, enemy, change.chance.choice([None, person(f"{enemy} commander").pk]))
    return True


def _desk(viewer: Viewer, side: str) -> None:
    """A desk that is closed at once, so that no phase waits for it."""
    holder = Membership.objects.filter(campaign=viewer.campaign, side=side, role=Role.STAFF, left_at=None).first()
    if holder is None:
        return
    try:
        formations = [*desks.formations_of(viewer, side)][:1]
        desks.set_desk(viewer, name="Fortnight", formations=formations, holder=holder, now=clock.now())
    except (Refused, Http404):  # its formations have other desks
        return
    desks.drop_desk(viewer, side=side, name="Fortnight", now=clock.now())
