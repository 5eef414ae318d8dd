"""The files of an archive: the campaign as one audience received it, as pages that need nothing but a browser.

Everything comes from what the pages of that audience show, by the same selectors and under the guard. Each file is
made only when it is asked for, so that an archive of any length needs little memory and can be made in pieces.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from archive import pages
from archive.pages import Edition
from campaign import selectors, statistics
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.maps.replay import MOST_FRAMES, Motion, animate, of_campaign, of_phase
from campaign.models import Campaign
from campaign.record import dice_log
from campaign.secrecy import truth
from campaign.services import base_map_of
from campaign.story import reading_as, story_audiences, story_is_open
from campaign.viewers import Viewer, commander_of
from campaign.views.reading import FILES
from stories.keeping import paths_of

WHOLE = "whole"
"""The name of an archive of all sides, which there is once the campaign's story is open."""


@dataclass(frozen=True)
class Entry:
    """A file of an archive."""

    path: str
    """Within the archive, with slashes."""
    make: Callable[[], bytes]


_STYLES = {"pico.min.css": "vendor/pico-2.1.1/pico.min.css", "fieldpost.css": "css/fieldpost.css"}
_FONTS = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")


def entries_for(asker: Viewer, name: str) -> list[Entry]:
    """All files of an archive, in the order in which they are made, by its name: an audience's, or WHOLE.

    A player's archive of their side has what they themselves may read of it. Http404 for the whole campaign while its
    story is not open.
    """
    return _whole(asker.campaign) if name == WHOLE else _edition(Edition(_reader_of(asker, Audience(name))), _alone)


def _reader_of(asker: Viewer, audience: Audience) -> Viewer:
    """As whom an archive is read: as the public, as a player of the side, or as its commander for the GM."""
    if audience == PUBLIC:
        return _public(asker.campaign)
    return asker if asker.side == audience else commander_of(asker.campaign, audience)


def _public(campaign: Campaign) -> Viewer:
    return Viewer(campaign, AnonymousUser(), None)


def _whole(campaign: Campaign) -> list[Entry]:
    """The editions of all audiences below one first page, as everybody reads them after the end."""
    readers = [reading_as(_public(campaign), audience) for audience in story_audiences(campaign)]
    first = Edition(_public(campaign))
    found = [entry for each in readers for entry in _edition(Edition(each, f"{each.audience}/"), _received)]
    return [*_edition(first, _common), *found, Entry("index.html", partial(_first_page, first))]


def _first_page(first: Edition) -> bytes:
    """The first page of a whole campaign: it reads each side's part of the open story."""
    everybody = truth.Reader(PUBLIC, story=partial(story_is_open, first.viewer.campaign))
    with truth.reading(lambda: everybody):
        return pages.whole(first)


def _edition(edition: Edition, files: Callable[[Edition], Iterator[Entry]]) -> list[Entry]:
    audience = edition.viewer.audience
    with truth.writing(audience):
        found = list(files(edition))
    return [_guarded(audience, entry) for entry in found]


def _guarded(audience: Audience, entry: Entry) -> Entry:
    """The same file; while it is made, nothing can be read that is not for this audience."""
    return Entry(entry.path, partial(_written, audience, entry.make))


def _written(audience: Audience, make: Callable[[], bytes]) -> bytes:
    with truth.writing(audience):
        return make()


# --- what there is in it ---------------------------------------------------------------------------------------------


def _alone(edition: Edition) -> Iterator[Entry]:
    """An archive of one audience."""
    yield from _common(edition)
    yield from _received(edition)


def _common(edition: Edition) -> Iterator[Entry]:
    """What is there once, however many editions there are."""
    for name, path in _STYLES.items():
        yield Entry(f"style/css/{name}", partial(_static, path))
    for name in _FONTS:
        yield Entry(f"style/fonts/{name}", partial(_static, f"fonts/{name}"))
    yield Entry("rules.html", partial(pages.rules, edition))
    yield from _dice(edition)
    if statistics.may_read(edition.viewer):
        yield Entry("statistics.html", partial(pages.statistics, edition))
        yield Entry("figures.csv", partial(_figures, edition.viewer))


def _received(edition: Edition) -> Iterator[Entry]:
    """What one audience received, phase by phase."""
    viewer, phases = edition.viewer, selectors.published_phases(edition.viewer)[::-1]
    for nth in range(len(phases)):
        yield from _of_phase(edition, phases, nth)
    if selectors.phases_with(viewer, "view"):
        yield Entry(f"{edition.folder}replay.webp", partial(_replay_of_all, viewer))
    yield Entry(f"{edition.folder}index.html", partial(pages.index, edition, phases))


def _of_phase(edition: Edition, phases: Sequence[selectors.PhaseInfo], nth: int) -> Iterator[Entry]:
    viewer, phase = edition.viewer, phases[nth]
    folder, there = f"{edition.folder}{edition.folder_of(phase)}", selectors.kinds_of(viewer, phase.no)
    for name, (kind, _) in FILES.items():
        if kind in there:
            yield Entry(f"{folder}/{name}", partial(selectors.artefact, viewer, phase.no, kind))
    for story in pages.stories_of(edition, phase):
        for picture in story.pictures:
            yield Entry(f"{folder}/{picture.name}", paths_of(picture)[0].read_bytes)
    yield Entry(f"{folder}/replay.webp", partial(_replay_of_phase, viewer, phase))
    yield Entry(f"{folder}/index.html", partial(pages.phase, edition, phases, nth, there))


def _dice(edition: Edition) -> Iterator[Entry]:
    logs = dice_log.logs_for(edition.viewer)
    for log in logs:
        for name in dice_log.FILES:
            yield Entry(f"dice/{log.name}/{name}", partial(dice_log.file_of, log, name))
        yield Entry(f"dice/{log.name}/{dice_log.SCRIPT}", partial(_static, dice_log.SCRIPT))
    if logs:
        yield Entry("dice/index.html", partial(pages.dice, edition, logs))


def _static(path: str) -> bytes:
    """A file of the project that pages load."""
    return (Path(settings.BASE_DIR) / "static" / path).read_bytes()


def _figures(viewer: Viewer) -> bytes:
    return statistics.table(statistics.statistics_of(viewer)).encode()


def _replay_of_phase(viewer: Viewer, phase: selectors.PhaseInfo) -> bytes:
    base = base_map_of(viewer.campaign)
    before, after = selectors.view_before(viewer, phase), selectors.view(viewer, phase.no)
    return animate(base, of_phase(base.signs, before, after), Motion.WEBP)


def _replay_of_all(viewer: Viewer) -> bytes:
    return animate(base_map_of(viewer.campaign), of_campaign(selectors.views(viewer, most=MOST_FRAMES)), Motion.WEBP)
