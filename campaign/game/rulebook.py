"""The rules of a campaign as a page: its ruleset's text and rulings, with its scenario's charts in place.

The text is Markdown with a few conventions. A heading or paragraph that begins with a rule's number (`R4.2`) is that
rule, and links lead to it; a heading may also have a word in capitals, which is not shown. The name of a rule in the
text becomes a link, and `[ruling 3]` links to an entry of the numbered list. `[[chart: terrain]]` stands for that
chart.
"""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

import nh3
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from campaign.engine.display.views import Panel
from campaign.engine.errors import EngineError
from campaign.engine.facts import Fact, Release
from campaign.game.loading import Loaded, rule_texts
from campaign.reports.writing import RuleUrl

_NUMBER = r"R\d+(?:\.\d+)*"
_RULE = re.compile(rf"({_NUMBER})\s+(?=\S)")
_RULES_IN_FRONT = re.compile(rf"(?:{_NUMBER},?\s+)+")
_HEADING = re.compile(rf"(?:({_NUMBER})|([A-Z]{{2,}}))\s+(.+)")
_CHART = re.compile(r"\[\[chart: ([\w-]+)\]\]")
_RULINGS_ID = "rulings"
_SUMMARY_ID = "SUMMARY"


@dataclass(frozen=True)
class Chapter:
    """A heading of the rules."""

    id: str
    title: str


@dataclass(frozen=True)
class Rulebook:
    """The rules of a campaign, ready for display."""

    html: SafeString
    chapters: tuple[Chapter, ...]
    anchors: frozenset[str]
    """Every rule and ruling that links can lead to."""

    @property
    def opening(self) -> SafeString:
        """What comes before the first chapter; the summary too, if that is the first chapter."""
        return mark_safe("<h2".join(self._pieces[: self._opening_pieces]))  # noqa: S308 - cleaned when it was made

    @property
    def others(self) -> SafeString:
        """All other chapters."""
        others = self._pieces[self._opening_pieces :]
        return mark_safe("".join(f"<h2{piece}" for piece in others))  # noqa: S308 - as above

    @property
    def _opening_pieces(self) -> int:
        return 2 if self.chapters and self.chapters[0].id == _SUMMARY_ID else 1

    @property
    def _pieces(self) -> list[str]:
        return self.html.split("<h2")


def rulebook_of(digest: str, loaded: Loaded) -> Rulebook:
    """The rules of a scenario with its charts, made once for each digest of a scenario without an entered position."""
    found = _MADE.get(digest)
    if found is None:
        found = _MADE[digest] = rulebook(loaded)
    return found


def rulebook(loaded: Loaded) -> Rulebook:
    """The rules of a scenario. Raises EngineError if the text asks for a chart that does not exist."""
    rules, rulings = rule_texts(loaded.rules)
    panels = (*loaded.rules.charts(loaded.scenario.game_data), _release_table(loaded.rules.release))
    book = _Book({panel.key: panel for panel in panels})
    pages = Markdown(extensions=["fenced_code", book], output_format="html").convert(f"{rules}\n\n#{rulings}")
    return Rulebook(mark_safe(_harmless(pages)), tuple(book.chapters), frozenset(book.anchors))  # noqa: S308


def rule_url(slug: str) -> RuleUrl:
    """The address of each rule on a campaign's rules page, for reports."""
    page = reverse("rules", args=[slug])
    return lambda rule: f"{page}#{rule}"


_MADE: dict[str, Rulebook] = {}
"""Rulebooks by their scenario's digest without an entered position. They are few and never change."""


# --- who learns what -------------------------------------------------------------------------------------------------


def _release_table(release: Mapping[type[Fact], Release]) -> Panel:
    """The release table, with each kind of fact in the first words of its own description."""
    rows = tuple((_described(fact), line.words) for fact, line in release.items())
    return Panel("release", "Release table", ("What happens", "Who is told"), rows)


def _described(fact: type[Fact]) -> str:
    first, *_ = (inspect.getdoc(fact) or "").split("\n\n")
    words = " ".join(first.split())
    named = _RULES_IN_FRONT.match(words)
    return words[named.end() :] if named else words


# --- Markdown --------------------------------------------------------------------------------------------------------


class _Book(Extension):
    """The conventions of a rules text, and what it contains."""

    def __init__(self, charts: Mapping[str, Panel]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.charts = charts
        self.chapters: list[Chapter] = []
        self.anchors: set[str] = set()

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - its name in the library
        before_words, before_links = 25, 175
        md.treeprocessors.register(_Blocks(self), "rules", before_words)
        md.inlinePatterns.register(_RuleLinks(self), "rule", before_links)
        md.inlinePatterns.register(_RulingLinks(r"\[ruling (\d+)\]"), "ruling", before_links)


class _Blocks(Treeprocessor):
    """Gives headings, rules and rulings their anchors, and puts the charts in place."""

    def __init__(self, book: _Book) -> None:
        super().__init__()
        self.book = book

    def run(self, root: Element) -> None:
        for block in root:
            text = block.text or ""
            if block.tag == "h2":
                self._head(block, text)
            elif block.tag == "p" and (marker := _CHART.fullmatch(text.strip())):
                self._put_chart(block, marker[1])
            elif block.tag == "p" and (rule := _RULE.match(text)):
                self._number(block, rule[1], text[rule.end() :])
            elif block.tag == "ol":
                self._number_rulings(block)

    def _head(self, block: Element, text: str) -> None:
        found = _HEADING.fullmatch(text)
        if found is None:
            id_, title = _RULINGS_ID, text
        else:
            id_, title = found[1] or found[2], text if found[1] else found[3]
        block.text = AtomicString(title)
        self._anchor(block, id_)
        self.book.chapters.append(Chapter(id_, title))

    def _put_chart(self, block: Element, key: str) -> None:
        if key not in self.book.charts:
            raise EngineError(f"the rules show a chart {key!r} that the ruleset does not have")
        block.text = None
        _fill_with_table(block, self.book.charts[key])

    def _number(self, block: Element, rule: str, rest: str) -> None:
        self._anchor(block, rule)
        block.text = None
        link = SubElement(block, "a", {"class": "rule", "href": f"#{rule}"})
        link.text = AtomicString(rule)
        link.tail = f" {rest}"

    def _number_rulings(self, block: Element) -> None:
        for number, item in enumerate(block, 1):
            self._anchor(item, f"ruling-{number}")

    def _anchor(self, block: Element, id_: str) -> None:
        block.set("id", id_)
        self.book.anchors.add(id_)


_Match = tuple[Element | str, int, int]
"""What the library wants from a matcher: the replacement, its start and its end."""


class _RuleLinks(InlineProcessor):
    """Links the name of a rule that exists, with or without brackets."""

    def __init__(self, book: _Book) -> None:
        super().__init__(rf"\[({_NUMBER})\]|\b({_NUMBER})\b")
        self.book = book

    def handleMatch(self, m: re.Match[str], data: str) -> _Match:  # type: ignore[override]  # noqa: N802
        rule = m[1] or m[2]
        return _link(rule, f"#{rule}") if rule in self.book.anchors else AtomicString(rule), m.start(), m.end()


class _RulingLinks(InlineProcessor):
    """Links `[ruling 3]`."""

    def handleMatch(self, m: re.Match[str], data: str) -> _Match:  # type: ignore[override]  # noqa: N802
        return _link(f"ruling {m[1]}", f"#ruling-{m[1]}"), m.start(), m.end()


def _link(text: str, href: str) -> Element:
    link = Element("a", {"href": href})
    link.text = AtomicString(text)
    return link


def _fill_with_table(block: Element, panel: Panel) -> None:
    """A panel as a table, in a frame of its own that scrolls on narrow pages."""
    block.tag = "div"
    block.attrib.update({"class": "scroll", "role": "region", "tabindex": "0", "aria-label": panel.title or panel.key})
    table = SubElement(block, "table")
    if panel.title:
        _cell(table, "caption", panel.title)
    if panel.head:
        head = SubElement(SubElement(table, "thead"), "tr")
        for name in panel.head:
            _cell(head, "th", name, scope="col")
    body = SubElement(table, "tbody")
    for first, *others in panel.rows:
        row = SubElement(body, "tr")
        _cell(row, "th", first, scope="row")
        for text in others:
            _cell(row, "td", text)


def _cell(parent: Element, tag: str, text: str, **attributes: str) -> None:
    """A cell. Its text comes from a scenario: it is shown unchanged and never read as Markdown."""
    SubElement(parent, tag, attributes).text = AtomicString(text)


# --- what the page may contain ---------------------------------------------------------------------------------------


def _harmless(html: str) -> str:
    tags = {"h1", "h2", "h3", "p", "ul", "ol", "li", "strong", "em", "code", "pre", "a", "div"}
    return nh3.clean(
        html,
        tags=tags | {"table", "caption", "thead", "tbody", "tr", "th", "td"},
        attributes={"*": {"id"}, "a": {"href"}, "th": {"scope"}, "div": {"role", "tabindex", "aria-label"}},
        allowed_classes={"a": {"rule"}, "div": {"scroll"}},
        url_schemes={"https"},
        link_rel=None,
    )
