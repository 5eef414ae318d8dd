"""The course of a guide for one reader: which of its steps are true now, and which are past.

Each step is held against the campaign as the reader's side knows it, and against the sheet that they write.
"""

from collections.abc import Sequence
from enum import Enum
from functools import cached_property

from django.http import Http404
from django.urls import ResolverMatch, reverse

from campaign.briefings import guide_of, is_briefed
from campaign.engine.values.ids import PhaseKey
from campaign.game.guide import Guide, Page, Step, When, general_guide
from campaign.models import Phase, PhaseState
from campaign.selectors import PhaseInfo, addressed_phase, newest_phase, view
from campaign.viewers import Viewer
from orders.answers import ReadLine
from orders.desks import Place, places
from orders.models import Sheet
from orders.selectors import draft_of, versions
from orders.services import answered


class Fit(Enum):
    """What is to be done with a step."""

    SHOW = "show"
    WAIT = "wait"
    PAST = "past"


class Course:
    """Somebody in the guide, and what the campaign is like for them. Each thing is looked up when a step asks."""

    def __init__(self, viewer: Viewer, match: ResolverMatch | None, text: str | None) -> None:
        self.viewer, self.match, self.given = viewer, match, text

    # --- which guide, and where in it ---

    @cached_property
    def guide(self) -> Guide:
        """The scenario's, for commanders who come before its phase is over, or have begun it; else the general one."""
        own = guide_of(self.viewer) if self.viewer.commands else None
        step = self.viewer.member.guide_step
        if own is None or step in {each.name for each in general_guide().steps}:
            return general_guide()
        first = self._first(own.phase)
        over = own.phase and first is not None and first.state != PhaseState.OPEN
        return general_guide() if over and step not in {each.name for each in own.steps} else own

    @cached_property
    def at(self) -> int:
        """The number of the step that is stored, counted from 0."""
        names = [each.name for each in self.guide.steps]
        step = self.viewer.member.guide_step
        return names.index(step) if step in names else 0

    def find(self, start: int) -> tuple[int, Fit] | None:
        """The first step from a number on that is not past."""
        fits = ((number, self.fit(self.guide.steps[number])) for number in range(start, len(self.guide.steps)))
        return next(((number, fit) for number, fit in fits if fit is not Fit.PAST), None)

    @cached_property
    def step(self) -> Step | None:
        """The step that is to be read; None: all are past."""
        found = self.find(self.at)
        return self.guide.steps[found[0]] if found else None

    # --- pages ---

    def is_at(self, page: Page) -> bool:
        """Whether the guide is shown on this page."""
        match, no = self.match, self._told
        if match is None or match.url_name not in ROUTES[page]:
            return False
        if page is Page.REPORT and match.url_name == "phase":
            return bool(match.kwargs.get("no") == no)
        if page is Page.REPORT:
            newest = newest_phase(self.viewer)
            return newest is not None and newest.no == no
        return True

    def address(self, page: Page) -> str:
        """The address of a page; empty if its reader has no such page now."""
        slug = self.viewer.campaign.slug
        if page is Page.REPORT:
            return reverse("phase", args=[slug, self._told]) if self._told else ""
        if page is Page.RECEIPT:
            sent, phase, place = self._sent, self._asked, self.writes
            if not sent or phase is None or place is None:
                return ""
            return reverse("version", args=[slug, place.name, phase.no, phase.rev, sent[0].version])
        return reverse(_NAMES[page], args=[slug])

    # --- steps ---

    def fit(self, step: Step) -> Fit:
        if step.page is Page.BRIEFING and not is_briefed(self.viewer):
            return Fit.PAST
        return _FITS[step.when](self, step)

    def _any(self, _step: Step) -> Fit:
        return Fit.SHOW

    def _open(self, step: Step) -> Fit:
        phase = self._asked
        if self._over or self.writes is None:
            return Fit.PAST
        if phase is None:
            return Fit.WAIT
        if phase.state != PhaseState.OPEN or self._is_ready:
            return Fit.PAST
        return Fit.SHOW if not step.order or self._is_left(step) else Fit.PAST

    def _sent_step(self, _step: Step) -> Fit:
        """In a practice campaign no READY sheet waits for anybody."""
        phase = self._asked
        if self._over or self.writes is None or self.viewer.campaign.practice:
            return Fit.PAST
        if phase is None or (phase.state == PhaseState.OPEN and not self._is_ready):
            return Fit.WAIT
        return Fit.SHOW if phase.state == PhaseState.OPEN else Fit.PAST

    def _published(self, _step: Step) -> Fit:
        if self._told:
            return Fit.SHOW
        return Fit.PAST if self._over else Fit.WAIT

    def _again(self, _step: Step) -> Fit:
        if self._over or self.writes is None:
            return Fit.PAST
        asked, newest = self._asked, self._own[-1] if self._own else None
        later = newest is not None and asked is not None and newest.no > asked.no
        return Fit.SHOW if later and newest is not None and newest.state == PhaseState.OPEN else Fit.WAIT

    # --- orders ---

    def _is_left(self, step: Step) -> bool:
        """Whether the order that a step proposes can be given and is not: by a unit that is where the step says."""
        order = self.proposed(step)
        if order is None or order.ignored:
            return False
        if any(each.verb == order.verb and set(order.units) <= set(each.units) for each in self._lines):
            return False
        return not step.tap or all(self._where.get(unit) == step.points_at for unit in order.units)

    def proposed(self, step: Step) -> ReadLine | None:
        """The line that a step proposes, as it is read after the sheet."""
        if not step.order:
            return None
        text = f"{self._text.rstrip()}\n{step.order}"
        return next((line for line in self._read(text) if line.line == text.count("\n") + 1), None)

    @cached_property
    def _lines(self) -> Sequence[ReadLine]:
        return self._read(self._text)

    def _read(self, text: str) -> Sequence[ReadLine]:
        phase, place = self._asked_info, self.writes
        return answered(self.viewer, phase, place, text).lines if phase and place else ()

    @cached_property
    def _text(self) -> str:
        """The sheet: as it is on the page, as a draft, or as it was submitted last."""
        if self.given is not None:
            return self.given
        phase, place = self._asked_info, self.writes
        draft = draft_of(self.viewer, phase, place) if phase and place else None
        if draft is not None:
            return draft.text
        return self._sent[0].text if self._sent else ""

    @cached_property
    def _where(self) -> dict[str, str]:
        """Where the units are that the reader's newest map shows."""
        newest = newest_phase(self.viewer)
        try:
            seen = view(self.viewer, newest.no) if newest else None
        except Http404:
            return {}
        return {counter.unit: counter.at for counter in seen.counters} if seen else {}

    # --- the campaign ---

    @cached_property
    def _phases(self) -> list[Phase]:
        """What can be read of all phases, the oldest first."""
        columns = ("no", "rev", "key", "acts", "state")
        kept = self.viewer.campaign.phases.exclude(state=PhaseState.WITHDRAWN).filter(no__gt=0)
        return list(kept.order_by("no").only(*columns))

    @cached_property
    def _own(self) -> list[Phase]:
        """Those in which the reader's side acts."""
        return [phase for phase in self._phases if self.viewer.side in phase.acts]

    def _first(self, key: str) -> Phase | None:
        return next((phase for phase in self._own if phase.key == PhaseKey(key)), None)

    @cached_property
    def _asked(self) -> Phase | None:
        """The guide's phase; None: it has not come."""
        if self.guide.phase:
            return self._first(self.guide.phase)
        return self._own[-1] if self._own else None

    @cached_property
    def _asked_info(self) -> PhaseInfo | None:
        phase = self._asked
        return addressed_phase(self.viewer, phase.no, phase.rev) if phase else None

    @cached_property
    def _told(self) -> int:
        """The number of the guide's phase once it is published; 0: it is not."""
        own = [self._asked] if self.guide.phase else self._own
        return max((phase.no for phase in own if phase and phase.state == PhaseState.PUBLISHED), default=0)

    @cached_property
    def _over(self) -> bool:
        return bool(self._phases) and self._phases[-1].state == PhaseState.PUBLISHED

    @cached_property
    def writes(self) -> Place | None:
        """The first desk whose sheet the reader writes."""
        return next((place for place in places(self.viewer) if place.writes), None)

    @cached_property
    def _sent(self) -> list[Sheet]:
        phase, place = self._asked_info, self.writes
        return versions(self.viewer, phase, place) if phase and place else []

    @property
    def _is_ready(self) -> bool:
        return bool(self._sent) and self._sent[0].ready


_FITS = {
    When.ANY: Course._any,
    When.OPEN: Course._open,
    When.SENT: Course._sent_step,
    When.PUBLISHED: Course._published,
    When.AGAIN: Course._again,
}
_NAMES = {Page.BRIEFING: "briefing", Page.SITUATION: "campaign", Page.ORDERS: "orders"}
ROUTES = {
    Page.BRIEFING: ("briefing",),
    Page.SITUATION: ("campaign",),
    Page.ORDERS: ("orders", "sheet"),
    Page.RECEIPT: ("version",),
    Page.REPORT: ("phase", "campaign"),
}
