"""Archives that members ask for on a page: made in pieces by the sweep, kept for some days.

No piece takes much longer than `PIECE`, so that phases are resolved and mails sent meanwhile.
"""

import logging
import shutil
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import Http404

from archive.editions import WHOLE, Entry, entries_for
from archive.models import Archive
from archive.writing import zip_folder
from campaign.engine.values.ids import PUBLIC
from campaign.game.store import digest
from campaign.models import Campaign, PhaseState
from campaign.record.dice_log import has_ended
from campaign.services import scenario_of
from campaign.story import story_is_open
from campaign.viewers import Viewer, viewer_of
from stories.keeping import has_room

log = logging.getLogger(__name__)


class Full(Exception):
    """The disk is nearly full: the last of it is for orders."""


PIECE = 4.0
"""Seconds of work in one sweep."""
KEPT = timedelta(days=7)
_CLAIM = timedelta(minutes=2)


def choices(viewer: Viewer) -> list[str]:
    """The archives that a member may have: of their side or, for the GM, each; of the public; of all in the end."""
    if viewer.membership is None:
        return []
    whole = [WHOLE] if story_is_open(viewer.campaign) else []
    own = [viewer.side] if viewer.side else []
    return [*whole, *(scenario_of(viewer.campaign).rules.sides if viewer.is_gm else own), PUBLIC]


@dataclass(frozen=True)
class Offer:
    """An archive that a member may ask for, with the one that they have asked for, if any."""

    audience: str
    archive: Archive | None
    size: int = 0
    """Bytes of its file; 0 until it is ready."""


def offers(viewer: Viewer) -> list[Offer]:
    """All archives that a member may ask for."""
    own = {each.audience: each for each in Archive.objects.for_viewer(viewer)}
    return [_offer(audience, own.get(audience)) for audience in choices(viewer)]


def _offer(audience: str, archive: Archive | None) -> Offer:
    if archive is None or archive.ready_at is None:
        return Offer(audience, archive)
    file = _zip(archive)
    return Offer(audience, archive, file.stat().st_size) if file.exists() else Offer(audience, None)


def waits(offer: Offer) -> bool:
    """Whether an archive is being made, or soon will be."""
    archive = offer.archive
    return archive is not None and archive.ready_at is None and archive.failed_at is None


def ask(viewer: Viewer, audience: str, *, now: datetime) -> None:
    """Ask for an archive, or for a newer one; Http404 if the viewer may not have it. One that is being made goes on."""
    if audience not in choices(viewer):
        raise Http404
    with transaction.atomic():
        own = Archive.objects.for_viewer(viewer).filter(audience=audience).select_for_update().first()
        if own is not None and own.ready_at is None and own.failed_at is None:
            return
        fresh = {"asked_at": now, "token": uuid4().hex, "holds": "", "done": 0, "total": 0}
        fresh |= {"claimed_until": None, "ready_at": None, "failed_at": None}
        Archive.objects.update_or_create(
            campaign=viewer.campaign, author=viewer.person, audience=audience, defaults=fresh
        )


def file_of(viewer: Viewer, audience: str) -> Path:
    """The file of an archive that is ready; Http404 if there is none that the viewer may have."""
    found = Archive.objects.for_viewer(viewer).filter(audience=audience, ready_at__isnull=False).first()
    if found is None or audience not in choices(viewer) or not _zip(found).exists():
        raise Http404
    return _zip(found)


# --- by the machinery ------------------------------------------------------------------------------------------------


def make_due(now: datetime) -> int:
    """Work on the archive that has waited longest, for some seconds; returns how many it worked on."""
    waiting = Archive.objects.filter(Q(claimed_until=None) | Q(claimed_until__lte=now), ready_at=None, failed_at=None)
    archive = waiting.select_related("campaign__closing", "author").order_by("asked_at", "pk").first()
    if archive is None or not waiting.filter(pk=archive.pk).update(claimed_until=now + _CLAIM):
        return 0
    try:
        columns = _work_on(archive, now)
    except Exception:  # whatever went wrong: its reader is told, and may ask again
        log.exception("an archive of %s could not be made", archive.campaign.slug)
        columns = {"failed_at": now}
    Archive.objects.filter(pk=archive.pk, token=archive.token).update(claimed_until=None, **columns)
    return 1


def _work_on(archive: Archive, now: datetime) -> dict[str, object]:
    """The columns that change by a piece of work."""
    entries = entries_for(viewer_of(archive.author, archive.campaign.slug), archive.audience)
    holds = _what_it_holds(archive.campaign)
    if not has_room():
        raise Full
    if holds != archive.holds:
        shutil.rmtree(_folder(archive), ignore_errors=True)
    done = _make(entries, _folder(archive))
    columns: dict[str, object] = {"holds": holds, "done": done, "total": len(entries)}
    if done < len(entries):
        return columns
    top = f"{archive.campaign.slug}-{archive.audience}"
    zip_folder(_folder(archive), [entry.path for entry in entries], _zip(archive), top=top)
    shutil.rmtree(_folder(archive), ignore_errors=True)
    return {**columns, "ready_at": now}


def _make(entries: list[Entry], folder: Path) -> int:
    """Make the files that are missing, until the time is over; returns how many there are."""
    until = time.monotonic() + PIECE
    for done, entry in enumerate(entries):
        path = folder / entry.path
        if path.exists():
            continue
        if time.monotonic() > until:
            return done
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(entry.make())
        part.replace(path)
    return len(entries)


def _what_it_holds(campaign: Campaign) -> str:
    """A digest of what is published of a campaign."""
    published = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no")
    phases = [f"{no}.{rev}.{at}" for no, rev, at in published.values_list("no", "rev", "published_at")]
    consents = campaign.consents.order_by("side", "what").values_list("side", "what")
    return digest("\n".join([*phases, str(has_ended(campaign)), *map(str, consents)]).encode())


def forget_old(now: datetime) -> int:
    """Delete the archives that were asked for long ago, and files that belong to none; returns how many."""
    Archive.objects.filter(asked_at__lte=now - KEPT).delete()
    there = set(_all().glob("*"))
    kept = set(Archive.objects.values_list("token", flat=True))
    gone = [path for path in there if path.name.partition(".")[0] not in kept]
    for path in gone:
        _delete(path)
    return len(gone)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _all() -> Path:
    return Path(settings.ARCHIVES)


def _folder(archive: Archive) -> Path:
    return _all() / archive.token


def _zip(archive: Archive) -> Path:
    return _all() / f"{archive.token}.zip"
