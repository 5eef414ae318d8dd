"""A guide through somebody's first phase: `guide-<side>.toml` of a scenario, or the one for all scenarios.

It has steps. Each points at one thing on one page, and says in a few words what it is for or what to do with it.
"""

import re
from collections.abc import Collection, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from campaign.engine.files import Source, decode_toml, line_in_toml, source
from campaign.engine.orders.lexicon import Names
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet, read_side
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, PhaseKey, SideId
from campaign.game.briefing import unknown_figures

GENERAL = Path(__file__).parents[1] / "scenarios" / "guide.toml"
"""The guide of scenarios that have none, and of people who come later."""

LONGEST = 20_000
"""Characters of a guide."""

LONGEST_TEXT = 600
"""Characters of a step, which is read next to what it points at."""

_NAME = re.compile(r"[a-z][a-z-]{0,39}")


class Page(Enum):
    """A page to which a step belongs."""

    BRIEFING = "briefing"
    SITUATION = "situation"
    ORDERS = "orders"
    RECEIPT = "receipt"
    REPORT = "report"


class When(Enum):
    """When a step is true; before that the guide waits, and later it goes past the step."""

    ANY = "any"
    OPEN = "open"
    """While the guide's phase is open and its reader has submitted no READY sheet."""
    SENT = "sent"
    """From then on until the phase closes."""
    PUBLISHED = "published"
    """Once the phase is published."""
    AGAIN = "again"
    """When the reader's side is asked for orders in a later phase."""


PARTS: Mapping[str, tuple[Collection[Page], str]] = {
    "aim": ({Page.BRIEFING}, ".report article p"),
    "open phase": ({Page.SITUATION}, "#page .facts"),
    "map": ({Page.SITUATION, Page.REPORT}, "figure.map"),
    "report": ({Page.SITUATION, Page.REPORT}, ".columns > .report"),
    "sheet": ({Page.ORDERS}, "#text"),
    "answer": ({Page.ORDERS}, ".read"),
    "ready": ({Page.ORDERS}, '#sheet button[value="ready"]'),
    "notation": ({Page.ORDERS}, "#usages"),
    "receipt": ({Page.RECEIPT}, "#page .facts"),
    "tabs": (set(Page), "nav.tabs"),
}
"""What a step may point at, besides a place of the map: the pages that have it, and how scripts find it there."""


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a guide."""

    name: str
    """For what is stored of its readers: how far each has come."""
    page: Page
    text: str
    """Markdown, with figures as in briefings."""
    points_at: str = ""
    """A part of its page, or on the orders page a place of the map."""
    when: When = When.ANY
    order: str = ""
    """A line that the step proposes. Once the sheet has such an order, the guide goes past the step."""
    tap: bool = False
    """The step only asks to choose the unit of that line, at the place that it points at."""


class Guide(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The steps, in order."""

    phase: str = ""
    """The phase that it leads through when it comes up for the first time; empty: any in which its reader acts."""
    steps: tuple[Step, ...]


def guide_file(side: SideId) -> str:
    """The file with a side's guide."""
    return f"guide-{side}.toml"


def read_guide(text: str) -> Guide:
    """A guide that was checked when its campaign was created."""
    return decode_toml(Source("guide", text), Guide)


@cache
def general_guide() -> Guide:
    """The guide that fits every scenario."""
    return read_guide(GENERAL.read_text(encoding="utf-8"))


def require_guides(files: Mapping[str, str], rules: Ruleset[Any, Any], game_data: Any, start: Any) -> None:
    """Raise ScenarioError for a guide of no side, and for names, orders and figures that do not exist."""
    known = {guide_file(side): side for side in rules.sides}
    for name in files:
        if name.startswith("guide-") and name not in known:
            source(files, name).refuse("no side has this name", cure=f"Name it {' or '.join(sorted(known))}.")
    for name, side in known.items():
        if name in files:
            _Check(source(files, name), rules, game_data, side, start).run()


class _Check:
    """Whether a side's guide fits its scenario."""

    def __init__(self, file: Source, rules: Ruleset[Any, Any], game_data: Any, side: SideId, start: Any) -> None:
        self.file, self.rules, self.game_data, self.side = file, rules, game_data, side
        self.known = state_known_to(start, Audience(side))
        self.names: Names = rules.names(game_data, self.known)

    def run(self) -> None:
        if len(self.file.text) > LONGEST:
            self.file.refuse("the guide is too long", cure=f"Shorten it to {LONGEST:,} characters.")
        guide = decode_toml(self.file, Guide)
        phases = [phase.key for phase in self.rules.phases]
        if guide.phase and guide.phase not in phases:
            line = line_in_toml(self.file.text, ["phase"])
            cure = f"Name one of: {', '.join(sorted(phases))}."
            self.file.refuse(f"there is no phase {guide.phase!r}", line=line, cure=cure)
        for at, step in enumerate(guide.steps):
            self._name(at, step, [each.name for each in guide.steps[:at]])
            self._text(at, step)
            self._target(at, step)
            self._order(at, step, guide.phase)

    def _name(self, at: int, step: Step, before: Collection[str]) -> None:
        if not _NAME.fullmatch(step.name):
            self._refuse(at, "name", f"{step.name!r} is no name of a step", "Use up to 40 small letters and hyphens.")
        if step.name in before or step.name in {each.name for each in general_guide().steps}:
            self._refuse(at, "name", f"another step has the name {step.name!r}", "Choose another name.")

    def _text(self, at: int, step: Step) -> None:
        if not step.text.strip() or len(step.text) > LONGEST_TEXT:
            self._refuse(at, "text", "the text is empty or too long", f"Write 1 to {LONGEST_TEXT} characters.")
        for figure in unknown_figures(step.text, self.rules, self.game_data, self.side):
            self._refuse(at, "text", f"there is no {figure!r}", "Name a figure of the ruleset.")

    def _target(self, at: int, step: Step) -> None:
        """A step of the orders page may point at a place."""
        here = sorted(part for part, (pages, _) in PARTS.items() if step.page in pages)
        is_place = step.page is Page.ORDERS and step.points_at in self.names.places.usual
        if step.points_at and not is_place and step.points_at not in here:
            cure = f"Name one of: {', '.join(here)}{', or a place of the map' if step.page is Page.ORDERS else ''}."
            self._refuse(at, "points_at", f"the page {step.page.value!r} has no {step.points_at!r}", cure)
        if step.tap and not (is_place and step.order):
            cure = "Point it at the hex of the unit, and give the order that follows."
            self._refuse(at, "tap", "there is no unit to choose", cure)

    def _order(self, at: int, step: Step, phase: str) -> None:
        if not step.order:
            return
        if step.page is not Page.ORDERS or step.when is not When.OPEN or not phase:
            cure = 'Let the guide name a phase, and the step have page = "orders" and when = "open".'
            self._refuse(at, "order", "there is no sheet for this order", cure)
        who, sheets = Audience(self.side), [DeskSheet(step.order)]
        read = read_side(self.rules, self.game_data, self.known, who, sheets, phase=PhaseKey(phase))
        for problem in read.problems:
            self._refuse(at, "order", f"{step.order!r}: {problem.message}", problem.hint or "Correct the line.")
        if len(read.orders) != 1 or "\n" in step.order:
            self._refuse(at, "order", f"{step.order!r} is not one order", "Write one line.")

    def _refuse(self, at: int, field: str, what: str, cure: str) -> NoReturn:
        self.file.refuse(f"steps[{at}]: {what}", line=line_in_toml(self.file.text, ["steps", at, field]), cure=cure)
