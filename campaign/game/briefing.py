"""A side's briefing: the file `briefing-<side>.md` of a scenario, in parts that pages and mails show.

It is Markdown with three conventions. `[[points to win]]` stands for a figure of the ruleset. `[[chart: victory]]` on a
line of its own stands for a chart of the rules. A block of code that names a phase (three backticks and `german_sheet`)
is the first sheet of that phase, which a player can submit as it is.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import nh3
from django.utils.safestring import mark_safe
from markdown import Markdown

from campaign.engine.display.views import Panel
from campaign.engine.files import Source, source
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import PhaseKey, SideId
from campaign.reports.document import Table
from campaign.reports.layout import display_width, hanging, table_lines, wrap
from campaign.reports.writing import WIDTH

LONGEST = 20_000
"""Characters of a briefing."""

_FENCE = "```"
_FIGURE = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_MARK = re.compile(
    r"^```(?P<phase>\w+)[ \t]*\n(?P<sheet>(?:(?!```).*\n)*)```[ \t]*$|^\[\[chart: (?P<chart>[\w-]+)\]\][ \t]*$",
    re.MULTILINE,
)
"""A first sheet, or a chart. The search for the end of a sheet stops at the next fence, in hostile texts too."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """Some words, a chart, or the first sheet of a phase."""

    text: str
    """As plain text; of a first sheet the sheet itself."""
    html: str = ""
    """Of words: the same for pages, harmless."""
    panel: Panel | None = None
    phase: PhaseKey | None = None
    """The phase of a first sheet."""
    title: str = ""
    """What players call that phase."""

    @property
    def plain(self) -> str:
        """As a mail in plain text shows it, in lines that fit."""
        return f"{_underlined(f'First sheet: {self.title}')}\n\n{self.text.rstrip()}" if self.phase else self.text


@dataclass(frozen=True)
class _Block:
    """A piece of the file: words, or what stands for a chart or a first sheet."""

    start: int
    """Where in the text it begins."""
    text: str
    """The words, or the sheet."""
    phase: str = ""
    chart: str = ""


def file_name(side: SideId) -> str:
    """The file with a side's briefing."""
    return f"briefing-{side}.md"


def briefed_sides(files: Mapping[str, str], rules: Ruleset[Any, Any]) -> frozenset[SideId]:
    """The sides that have a briefing in these files of a scenario."""
    return frozenset(side for side in rules.sides if file_name(side) in files)


def parts_of(text: str, rules: Ruleset[Any, Any], game_data: Any, side: SideId) -> tuple[Part, ...]:
    """A briefing as parts, in order. A figure or chart that does not exist is left as it is written."""
    text = _read(text)
    charts = {panel.key: panel for panel in rules.charts(game_data)} if _MARK.search(text) else {}
    titles = {phase.key: phase.title for phase in rules.phases}
    say = partial(_FIGURE.sub, partial(_said, rules, game_data, side))
    blocks = (block for block in _blocks(text[:LONGEST], titles, charts) if block.text.strip() or block.chart)
    return tuple(_part(block, charts, titles, say) for block in blocks)


def words_as_html(text: str, rules: Ruleset[Any, Any], game_data: Any, side: SideId) -> str:
    """Words of a scenario as harmless HTML, with the ruleset's figures; one that does not exist stays as written."""
    return _page(_FIGURE.sub(partial(_said, rules, game_data, side), text))


def unknown_figures(text: str, rules: Ruleset[Any, Any], game_data: Any, side: SideId) -> list[str]:
    """The figures in a text that the ruleset does not have."""
    return [name for name in _FIGURE.findall(text) if _figure(rules, game_data, side, name) is None]


def require_briefings(files: Mapping[str, str], rules: Ruleset[Any, Any], game_data: Any) -> None:
    """Raise ScenarioError for a briefing of no side or too long, and for unknown figures, charts and phases."""
    known = {file_name(side): side for side in rules.sides}
    for name in files:
        if name.startswith("briefing-") and name not in known:
            source(files, name).refuse("no side has this name", cure=f"Name it {' or '.join(sorted(known))}.")
    for side in briefed_sides(files, rules):
        _require_sound(files, rules, game_data, side)


def _require_sound(files: Mapping[str, str], rules: Ruleset[Any, Any], game_data: Any, side: SideId) -> None:
    file = source({name: _read(text) for name, text in files.items()}, file_name(side))
    if len(file.text) > LONGEST:
        file.refuse("the briefing is too long", cure=f"Shorten it to {LONGEST:,} characters.")
    charts, phases = {panel.key for panel in rules.charts(game_data)}, {phase.key for phase in rules.phases}
    for found in _MARK.finditer(file.text):
        if found["phase"] and found["phase"] not in phases:
            _refuse(file, found.start(), f"phase {found['phase']!r}", f"Name one of: {', '.join(sorted(phases))}.")
    for block in _blocks(file.text, phases, charts):
        for found in () if block.phase or block.chart else _FIGURE.finditer(block.text):
            if _figure(rules, game_data, side, found[1]) is None:
                cure = f"Name a figure of the ruleset, or on a line of its own a chart: {', '.join(sorted(charts))}."
                _refuse(file, block.start + found.start(), repr(found[1]), cure)


def _refuse(file: Source, at: int, what: str, cure: str) -> NoReturn:
    file.refuse(f"there is no {what}", line=file.text.count("\n", 0, at) + 1, cure=cure)


# --- reading ---------------------------------------------------------------------------------------------------------


def _read(text: str) -> str:
    return text.replace("\r\n", "\n")


def _blocks(text: str, phases: Container[PhaseKey], charts: Container[str]) -> Iterator[_Block]:
    """The pieces of a briefing in order. A block of code that names no phase belongs to the words around it."""
    at = 0
    for found in _MARK.finditer(text):
        if (found["phase"] or "") in phases or (found["chart"] or "") in charts:
            yield _Block(at, text[at : found.start()])
            yield _Block(found.start(), found["sheet"] or "", found["phase"] or "", found["chart"] or "")
            at = found.end()
    yield _Block(at, text[at:])


def _part(
    block: _Block, charts: Mapping[str, Panel], titles: Mapping[PhaseKey, str], say: Callable[[str], str]
) -> Part:
    if block.phase:
        return Part(text=block.text, phase=PhaseKey(block.phase), title=titles[PhaseKey(block.phase)])
    if block.chart:
        panel = charts[block.chart]
        table = Table(title=panel.title, head=panel.head, rows=panel.rows)
        return Part(text="\n".join(table_lines(table, WIDTH)), panel=panel)
    said = say(block.text).strip()
    return Part(text=_plain(said), html=_page(said))


def _said(rules: Ruleset[Any, Any], game_data: Any, side: SideId, found: re.Match[str]) -> str:
    return _figure(rules, game_data, side, found[1]) or found[0]


def _figure(rules: Ruleset[Any, Any], game_data: Any, side: SideId, name: str) -> str | None:
    try:
        return rules.figure(game_data, side, name)
    except KeyError:
        return None


def _plain(words: str) -> str:
    """Words as plain text: paragraphs and items in lines that fit, headings underlined, nothing bold."""
    return "\n\n".join("\n".join(_plain_lines(block)) for block in re.split(r"\n\s*\n", words))


def _plain_lines(block: str) -> Iterator[str]:
    if block.startswith((_FENCE, "|")):
        yield from block.splitlines()
        return
    for piece in re.split(r"\n(?=- )", block):
        said = re.sub(r"\*\*|`", "", " ".join(piece.split()))
        if said.startswith("#"):
            yield _underlined(said.lstrip("# "))
        elif said.startswith("- "):
            yield from hanging(said.removeprefix("- "), mark="- ", width=WIDTH)
        else:
            yield from wrap(said, WIDTH)


def _underlined(heading: str) -> str:
    return f"{heading}\n{'-' * display_width(heading)}"


def _page(text: str) -> str:
    """A text as HTML without scripts, styles, pictures and ids: scenarios may come from anybody."""
    html = Markdown(extensions=["fenced_code", "tables"], output_format="html").convert(text)
    tags = {"h1", "h2", "h3", "p", "ul", "ol", "li", "strong", "em", "code", "pre", "br", "a"}
    cells = {"table", "thead", "tbody", "tr", "th", "td"}
    kept = {"a": {"href"}}
    return mark_safe(nh3.clean(html, tags=tags | cells, attributes=kept, url_schemes={"https"}))  # noqa: S308
