"""The pages of an archive, as bytes. Each is complete in itself and links only to files of the archive."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe

from campaign import selectors
from campaign import statistics as figures
from campaign.after_action import episodes, turning_points
from campaign.ending import ended_in_words
from campaign.engine.values.ids import PUBLIC
from campaign.game.rulebook import rulebook_of
from campaign.house_rules import began_on, house_rules
from campaign.maps import size_of
from campaign.maps.drawing.sizes import THUMBNAIL
from campaign.maps.plots import svg_plot
from campaign.models import Campaign, Membership
from campaign.record.dice_log import FILES, Log
from campaign.reports import tables_left_out
from campaign.services import base_map_of, scenario_of, shared_digest
from campaign.story import open_rulings, story_audiences
from campaign.viewers import Viewer
from campaign.views.reading import report_of
from orders.outcomes import DeskOutcomes
from orders.selectors import opened_sheets
from stories import words
from stories.models import Story
from stories.reading import stories_to_read


@dataclass(frozen=True)
class Edition:
    """A campaign as one audience received it, at its place in an archive."""

    viewer: Viewer
    folder: str = ""
    """Its folder with a slash at the end; empty if the archive holds nothing else."""

    @property
    def stories(self) -> Viewer:
        """As whom it reads the stories of battles: those for one side alone are in no archive for everybody."""
        return Viewer(self.viewer.campaign, AnonymousUser(), None) if self.folder else self.viewer

    def folder_of(self, phase: selectors.PhaseInfo) -> str:
        """The folder of a phase: phases/07-1944-12-17-german-sheet."""
        return f"phases/{phase.no:02}-{phase.file_stem}"


def index(edition: Edition, phases: Sequence[selectors.PhaseInfo]) -> bytes:
    """The first page: what the campaign was, who played it, and all phases."""
    viewer = edition.viewer
    pictured = selectors.phases_with(viewer, "thumbnail")
    context = {
        "phases": [(each, edition.folder_of(each), each.no in pictured) for each in phases],
        "size": size_of(base_map_of(viewer.campaign), THUMBNAIL),
        "reopened": selectors.reopened(viewer),
        "members": [] if edition.folder or viewer.audience == PUBLIC else _members(viewer.campaign),
    }
    return _page("index", edition, 0, context)


def phase(edition: Edition, phases: Sequence[selectors.PhaseInfo], nth: int, there: Collection[str]) -> bytes:
    """The nth phase as the audience received it, with its own sheets, what became of their lines, and stories."""
    viewer, shown = edition.viewer, phases[nth]
    view = selectors.view(viewer, shown.no)
    html = report_of(viewer, shown.no, view)  # written by campaign.reports, which escapes every text in it
    unchanged = tables_left_out(view, html)
    context = {
        "phase": shown,
        "report": mark_safe(html),  # noqa: S308
        "unchanged": mark_safe(unchanged),  # noqa: S308 # made like the report
        "there": there,
        "sheets": _sheets(edition, shown),
        "stories": [(story, words.shown(story.text)) for story in stories_of(edition, shown)],
        "before": _named(edition, phases[:nth][-1:]),
        "after": _named(edition, phases[nth + 1 :][:1]),
    }
    return _page("phase", edition, 2, context)


def stories_of(edition: Edition, phase: selectors.PhaseInfo) -> list[Story]:
    """The stories of a phase that stand in an edition."""
    return [each for each in stories_to_read(edition.stories, phase.no) if each.battle.phase.rev == phase.rev]


def rules(edition: Edition) -> bytes:
    """The rules, with the campaign's house rules and charts."""
    campaign = edition.viewer.campaign
    context = {
        "rulebook": rulebook_of(shared_digest(campaign), scenario_of(campaign)),
        "began": began_on(campaign),
        "house_rules": house_rules(campaign),
    }
    return _page("rules", edition, 0, context)


def dice(edition: Edition, logs: Sequence[Log]) -> bytes:
    """The rolls that the audience may know, with the files that prove them."""
    context = {
        "logs": logs,
        "files": FILES,
        "withdrawn": selectors.withdrawn_locks(edition.viewer),
        "reopened": selectors.reopened(edition.viewer),
    }
    return _page("dice", edition, 1, context)


def statistics(edition: Edition) -> bytes:
    """The plots by day, with their figures."""
    plots = figures.statistics_of(edition.viewer)
    shown = [(plot, mark_safe(svg_plot(plot))) for plot in plots]  # noqa: S308 # it escapes every text in it
    return _page("statistics", edition, 0, {"plots": shown})


def whole(edition: Edition) -> bytes:
    """The first page of a whole campaign: its result, each side's story next to the other's, and all editions."""
    viewer, found = edition.viewer, episodes(edition.viewer)
    titles = {each.no: f"{each.title}, {each.moment}" for each in selectors.published_phases(viewer)}
    context = {
        "how": ended_in_words(viewer.campaign.closing),
        "episodes": [(each, edition.folder_of(each.phase)) for each in found],
        "turning_points": turning_points(found),
        "last": found[-1].score if found else (),
        "score": scenario_of(viewer.campaign).rules.score,
        "audiences": story_audiences(viewer.campaign),
        "rulings": [(titles[each.no], each) for each in open_rulings(viewer.campaign)],
        "members": _members(viewer.campaign),
    }
    return _page("whole", edition, 0, context)


def _page(name: str, edition: Edition, below: int, context: Mapping[str, object]) -> bytes:
    """A page, in UTC: nobody knows whose clock its reader has.

    `below`: how many folders it is below the first page of its edition.
    """
    home = "../" * below
    root = home + "../" * bool(edition.folder)
    campaign = edition.viewer.campaign
    given = {**context, "viewer": edition.viewer, "campaign": campaign, "home": home, "root": root}
    with timezone.override(UTC):
        html: str = render_to_string(f"archive/{name}.html", given)
    for route, path in _HERE.items():
        html = html.replace(f'href="{reverse(route, args=[campaign.slug])}', f'href="{root}{path}')
    return html.encode()


_HERE = {"rules": "rules.html", "dice": "dice/index.html", "public_dice": "dice/index.html"}
"""Pages of the service to which reports and shared parts of pages link, and their places in the archive."""


def _named(edition: Edition, phases: Sequence[selectors.PhaseInfo]) -> tuple[selectors.PhaseInfo, str] | None:
    """The only one of these phases with its folder; None if there is none."""
    return next(((each, edition.folder_of(each)) for each in phases), None)


def _sheets(edition: Edition, shown: selectors.PhaseInfo) -> tuple[DeskOutcomes, ...]:
    """What a side's desks had submitted when a phase closed, line by line.

    Nothing for the public, and for players who do not read their side's sheets while the campaign is played.
    """
    reads = edition.folder or edition.viewer.writes_sheets
    return opened_sheets(edition.viewer, shown) if reads and edition.viewer.audience != PUBLIC else ()


def _members(campaign: Campaign) -> list[Membership]:
    """Everybody who is in the campaign now, by side and name. The public has no page with them."""
    present = campaign.memberships.filter(left_at=None).select_related("user")
    return list(present.order_by("side", "role", "user__username"))
