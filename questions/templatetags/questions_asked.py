"""What other pages show of questions and answers."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from campaign.engine.orders.order import Problem
from campaign.viewers import Viewer
from questions import opened, reading
from questions.models import RuleAnswer
from questions.reading import Waiting

register = template.Library()

_PARTS = re.compile(r'(?=<(?:p id="|h\d))')
"""The rules split into parts: a heading, or a rule with what belongs to it."""
_RULE = re.compile(r'<(p|h\d) id="(R\d+(?:\.\d+)*)">.*?</\1>', re.DOTALL)
"""The block with which a part begins that is a rule."""


@register.filter
def has_questions(viewer: Viewer) -> bool:
    """Whether they have a page for questions and answers."""
    return reading.has_questions(viewer)


@register.filter
def may_ask(viewer: Viewer) -> bool:
    """Whether they may ask the game master something now."""
    return reading.may_ask(viewer)


@register.simple_tag(takes_context=True)
def about_line(context: Context, problem: Problem) -> str:
    """The address of the form for a question about a line of the sheet on the page; it holds no word of the line."""
    slug, rule = context["viewer"].campaign.slug, problem.rule if problem.rule != "NOTATION" else ""
    about = {"desk": context["place"].name, "line": problem.line, **({"rule": rule} if rule else {})}
    return f"{reverse('questions', args=[slug])}?{urlencode(about)}#ask"


@register.simple_tag
def sides_that_open_questions(viewer: Viewer) -> list[str]:
    """The sides whose questions everybody may read, after the end."""
    return opened.opened_sides(viewer)


@register.simple_tag
def questions_for(viewer: Viewer) -> Waiting | None:
    """The questions that wait for a game master."""
    return reading.waiting_questions(viewer)


@register.simple_tag
def answers_by_rule(viewer: Viewer) -> Mapping[str, Sequence[RuleAnswer]]:
    """The answers that a reader of the rules may read, by rule."""
    found: dict[str, list[RuleAnswer]] = defaultdict(list)
    for answer in reading.precedents(viewer):
        found[answer.rule].append(answer)
    return found


@register.simple_tag(takes_context=True)
def with_answers(context: Context, rules: SafeString, answers: Mapping[str, Sequence[RuleAnswer]]) -> SafeString:
    """The rules as HTML, with the answers under each rule and, for who may ask, a link to ask about it."""
    viewer: Viewer = context["viewer"]
    asking = reading.may_ask(viewer)
    if not (answers or asking):
        return rules
    page = reverse("questions", args=[viewer.campaign.slug])
    return mark_safe(  # noqa: S308 - the rules were cleaned, and all that is added is escaped
        "".join(_part(part, viewer, answers, page if asking else "") for part in _PARTS.split(rules))
    )


def _part(part: str, viewer: Viewer, answers: Mapping[str, Sequence[RuleAnswer]], page: str) -> str:
    found = _RULE.match(part)
    if found is None:
        return part
    rule, end = found[2], found.end()
    link = format_html('<p class="ask"><a href="{}?rule={}">Ask about {}</a></p>', page, rule, rule) if page else ""
    listed = answers.get(rule)
    under = {"viewer": viewer, "rule": rule, "answers": listed}
    return part[:end] + link + part[end:] + (render_to_string("questions/_under_rule.html", under) if listed else "")
