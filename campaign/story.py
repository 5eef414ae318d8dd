"""A campaign's story: what all sides received and ordered, open to everybody who can read the campaign after its end.

It opens if the campaign promised so when it was created, or if both sides and the GM agree after the end. Reports, maps
and locked sheets of each side are read as that side received them. Its NOTE lines, and what the GM wrote to it, stay
shut to others until one of its commanders opens them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q
from django.http import Http404, HttpRequest

from campaign.core.memory import MB
from campaign.engine.display.views import LogLine, View
from campaign.engine.facts import Noted
from campaign.engine.values import value
from campaign.engine.values.ids import PUBLIC, Audience, audience_of
from campaign.game.store import decode_events, unpack
from campaign.models import Agreed, Campaign, Outcome, PhaseState, Ruling
from campaign.secrecy import truth
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.services import scenario_of
from campaign.viewers import Viewer


def story_is_open(campaign: Campaign) -> bool:
    """Whether everybody who can read the campaign may read what all sides received and ordered."""
    return campaign.opens_story and hasattr(campaign, "closing")


def is_open_to(slug: str | None, *, member: bool) -> bool:
    """The same for the guard: whether the story is open to a member of a campaign, or to the public."""
    here = Campaign.objects.filter(slug=slug, opens_story=True, closing__isnull=False)
    return here.filter(Q() if member else Q(public=True)).exists()


def story_audiences(campaign: Campaign) -> tuple[Audience, ...]:
    """Those as which an open story is read: each side, and the public."""
    return (*map(Audience, scenario_of(campaign).rules.sides), PUBLIC)


def reading_as(viewer: Viewer, audience: str | None) -> Viewer:
    """The viewer as a reader of what another audience received; they themselves for None.

    Http404 while the story is not open, and for what is no audience of it.
    """
    if audience is None:
        return viewer
    if not story_is_open(viewer.campaign) or audience not in story_audiences(viewer.campaign):
        raise Http404
    own = viewer.is_gm or audience in (viewer.side, PUBLIC)
    return replace(
        viewer,
        viewing_as=Audience(audience),
        without_notes=not own and not notes_are_open(viewer.campaign, audience),
    )


def reader_of(request: HttpRequest, viewer: Viewer) -> Viewer:
    """The viewer as a reader of what the address names: of another audience's part of an open story, or of their own.

    Http404 as for `reading_as`.
    """
    return reading_as(viewer, request.GET.get(AS))


AS = "as"
"""The parameter of an address with an audience."""


def notes_are_open(campaign: Campaign, side: str) -> bool:
    """Whether a side has opened its NOTE lines, and what the GM wrote to it."""
    return campaign.consents.filter(side=side, what=Agreed.NOTES).exists()


@dataclass(frozen=True)
class OpenRuling:
    """A GM ruling, as everybody reads it once the story is open."""

    no: int
    """The number of its phase."""
    written: str
    """The GM's lines; empty where an older release did not store them."""
    reason: str
    author: str


def open_rulings(campaign: Campaign) -> list[OpenRuling]:
    """The rulings that stand, in the order of the phases; none while the story is not open."""
    if not story_is_open(campaign):
        return []
    stand = {"phase__campaign": campaign, "phase__state": PhaseState.PUBLISHED, "taken_back_at": None}
    columns = ("phase__no", "written", "reason", "author__username")
    with truth.opened("Ruling"):
        rows = Ruling.objects.filter(**stand).order_by("phase__no", "seq").values_list(*columns)
        return [OpenRuling(*row) for row in rows]


def shown_view(viewer: Viewer, view: View) -> View:
    """A View of the viewer's audience, without its notes to the GM where they stay shut."""
    if not viewer.without_notes:
        return view
    notes = _notes(viewer)
    return value.replace(
        view,
        log=tuple(line for line in view.log if not _is_note(line, notes)),
        headlines=tuple(line for line in view.headlines if not any(note in line for note in notes)),
    )


def _is_note(line: LogLine, notes: Iterable[str]) -> bool:
    return not line.rule and any(line.text.endswith(note) for note in notes)


def _notes(viewer: Viewer) -> frozenset[str]:
    """The texts of all notes to the GM of the side as which they read."""
    campaign, side = viewer.campaign, viewer.audience
    published = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no")
    newest = published.values_list("pk", "published_at").first()
    if newest is None:
        return frozenset()
    return _NOTES.get(Key(side, campaign, _Newest(*newest)), None, lambda: frozenset(_written(campaign, side)))


@dataclass(frozen=True)
class _Newest:
    """The phase published last, as keys name it."""

    phase_id: int
    published_at: datetime | None
    published: bool = True


_NOTES: KeyedMemory[frozenset[str]] = KeyedMemory(
    MB, lambda notes: 300 + sum(100 + len(note) for note in notes), in_story=True
)


def _written(campaign: Campaign, side: Audience) -> Iterator[str]:
    """The side's notes, from the events of all published phases."""
    rules = scenario_of(campaign).rules
    here = {"resolution__phase__campaign": campaign, "resolution__phase__state": PhaseState.PUBLISHED}
    with truth.opened("Outcome"):
        rows = list(Outcome.objects.filter(**here).values_list("events", "resolution__event_version"))
    for events, version in rows:
        for event in decode_events(rules, unpack(events), version=version):
            if isinstance(event.fact, Noted) and audience_of(event.fact.side) == side:
                yield event.fact.text
