"""The words that people meet: plain, modern English, and the same word for the same thing (GLOSSARY.md).

The test reads templates with their mails, every sentence in the Python code that a page or a mail can print, the words
in scripts and stylesheets, and the documents.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.locks import ROOT

PHRASES: dict[str, str] = {
    # a step of a turn
    r"\b(?:the|this|a|an|each|every|all|any|no|open|next|that|another|other|which|one|newest|per) stops?\b": "phase",
    r"\bstop(?:'s|’s)": "phase",
    r"\bstop(?=</dt>|</th>)": "phase",
    r"\badjudicat(?:e|es|ed|ing)\b": "resolve",
    # campaigns
    r"\bfound (?:a|the|another) campaign\b|\bfounded\b": "create, start",
    r"\bheld by the GM\b|\bhold (?:the|a) campaign\b|\bcampaign is (?:not )?held\b|\bclock (?:stands|runs)\b": "pause",
    r"\bgoes on\b|\blet it go on\b": "resume",
    r"\ball are told\b|\btell everybody\b|\btold to all\b|\bthose concerned\b|\bwhom it concerns\b": "notify",
    # orders
    r"\bwhat is understood\b|\bwas understood\b": "how we read it",
    r"\bwould do nothing\b|\bdo(?:es)? nothing\.": "will be ignored",
    r"\bone (?:order )?a line\b|\bone line each\b|\bplain words a line\b": "one per line",
    r"\bsend, to be changed\b|\bsend as READY\b|\bkeep as draft\b|\bcan be sent\b": "submit, save",
    r"\bthings? to mend\b|\bmend(?:ed|s|ing)?\b": "problem, fix",
    r"\bcannot stand\b|\bnothing was stored\b|\bnothing is written yet\b": "not saved; nothing written yet",
    r"\btak(?:e|es|en|ing) back\b": "undo, withdraw",
    # desks
    r"\bhand(?:s|ed)? out\b|\blast word\b|\bname him\b": "assign; may override",
    # results
    r"\banew\b": "again",
    r"\bno hex having been\b|\bhaving no way\b|\bfreest way\b": "no retreat hex; best known supply route",
    r"\bhad his hand\b|\bnot at all, in the campaign\b": "interventions",
    # people
    r"\bhe\b|\bhim\b|\bhis\b|\bhimself\b": "they",
    r"\bcome in\b|\bcomes in\b|\blog(?:s|ged)? (?:you )?(?:in|out)\b|\bwithout a login\b": "sign in, sign out",
    r"\bwords of theirs\b|\bwords of your own\b": "passphrase",
    r"\bseen where it should not be\b": "report a leak",
    r"\bfull hours\b|\bis the night\b|\bno deadline from\b": "quiet hours",
    # constructions
    r"\bwho(?:so)?ever\b|\bwhomever\b": "anyone who; the person who",
    r"\b(?:what|which) stands behind\b|\bstands? (?:below|here|there|beside)\b": "is below",
    r"\bso many\b|\bno more\b|\bnot any more\b": "at most; no longer",
    r"\bbeside\b": "next to, besides",
    r"\bby itself\b|\bby themselves\b": "automatically, on its own",
    r"\ball the same\b": "still",
    r"\b(?:is|are) to be\b|\bhas to be named\b|\blet it be\b|\bas is\b|\bit is (?:he|she|they) who\b": "must",
    r"\bof which\b|\bof whom\b|\bof these colours\b|\bwhence\b": "whose; from which",
    r"\bmeanwhile\b.*\blook again\b|\bby now\b": "has already",
}
"""Phrases to avoid, and what to say instead. Case makes no difference."""

STORED = {"take back"}
"""Strings that are names on the record of a campaign, and are never shown unchanged."""

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "GLOSSARY.md", "tests/THREATS.md")


def _documents() -> Iterator[Path]:
    yield from (ROOT / name for name in DOCUMENTS)
    yield from (ROOT / "campaign" / "rulesets").rglob("*.md")
    yield from (ROOT / "campaign" / "scenarios").rglob("*.md")


def _looked_at() -> list[str]:
    templates = [path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"}]
    code = [
        path
        for name in (
            "api",
            "archive",
            "campaign",
            "gm",
            "incoming",
            "orders",
            "posting",
            "questions",
            "staff",
            "stories",
        )
        for path in (ROOT / name).rglob("*.py")
    ]
    code = [path for path in code if "migrations" not in path.parts]
    static = [*(ROOT / "static" / "js").glob("*.js"), ROOT / "static" / "css" / "fieldpost.css"]
    return sorted(str(path.relative_to(ROOT)) for path in [*templates, *code, *static, *_documents()])


def sentences_of(name: str, text: str) -> Iterator[str]:
    """The text that people read: templates without tags and comments, the strings of code that have a space."""
    if name.endswith((".html", ".txt")):
        bare = re.sub(
            r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}|\{\{.*?\}\}|\{%.*?%\}", " ", text, flags=re.DOTALL
        )
        yield re.sub(r"<(?!/dt>|/th>)[^<>]*>", _spoken, bare)
    elif name.endswith(".py"):
        yield from _strings(ast.parse(text))
    elif name.endswith(".js"):
        yield from re.findall(r'"[^"\n]* [^"\n]*"', text)
    elif name.endswith(".css"):
        yield from re.findall(r'content:\s*"([^"]*)"', text)
    else:
        yield re.sub(r"```.*?```|`[^`\n]*`", " ", text, flags=re.DOTALL)


def _spoken(tag: re.Match[str]) -> str:
    """The attributes of a tag that are read aloud or shown."""
    return " " + " ".join(re.findall(r'(?:alt|aria-label|placeholder|title)="([^"]*)"', tag[0])) + " "


def _strings(tree: ast.Module) -> Iterator[str]:
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes | inner:
            yield "" if node.value in STORED else node.value


def found_in(name: str, text: str) -> list[str]:
    """The phrases to avoid in a text, each with what to say instead."""
    wanted = {re.compile(pattern, re.IGNORECASE): better for pattern, better in PHRASES.items()}
    return [
        f"{match[0]!r} (say: {better}) in {flat[max(match.start() - 40, 0) : match.end() + 40]!r}"
        for flat in (" ".join(each.split()) for each in sentences_of(name, text) if " " in each)
        for pattern, better in wanted.items()
        for match in pattern.finditer(flat)
    ]


@pytest.mark.parametrize("name", _looked_at())
def test_nobody_meets_these_phrases(name: str) -> None:
    assert found_in(name, (ROOT / name).read_text(encoding="utf-8")) == []


WORST = (
    "The campaign is founded.",
    "in plain words a line",
    "whoever the link is for takes your place",
    "One order a line; what stands behind a # is for yourself.",
    "What is understood",
    "5 lines would do nothing",
    "Send, to be changed",
    "READY lets the stop run as soon as everybody who acts is.",
    "the last word on all",
    "None is handed out.",
    "Name him",
    "One line each; what stands behind a # is a remark.",
    "Rule, and adjudicate anew",
    "1 thing to mend",
    "Nothing was stored: lines of it cannot stand as they are.",
    "it can be sent",
    "Another stop is open by now than the one you saw.",
    "The clock stands still; all are told.",
    "Goes on by itself. Empty: when you let it.",
    "Take back what was published last",
    "Something was seen where it should not be",
    "Full hours: 22 until 8 is the night.",
    "No deadline from ... until",
    "Then words of theirs go into the first dice.",
    "The GM had his hand in this stop not at all, in the campaign not at all.",
    "freest way known to the supply edge",
    "A visitor is anybody whom you are not told by name. Of those ... whoever comes from the same network",
    "no hex having been chosen",
    "having no way to retreat",
)
"""The phrases that confused a reader of the first version most."""


@pytest.mark.parametrize("phrase", WORST)
def test_each_of_the_worst_phrases_is_found(phrase: str) -> None:
    assert found_in("document.md", phrase)


def test_they_are_found_wherever_they_stand() -> None:
    assert found_in("a.html", '<p>What is\n  understood</p><img alt="The report beside it">')[1:]
    assert found_in("a.py", '"""Whoever reads."""\nX = f"Sent {1}, whoever it was."\n') != []
    assert found_in("a.py", '"""Whoever reads, in a docstring."""\n') == []
    assert found_in("a.js", 'x.title = "as his computer has it";\n') != []
    assert found_in("a.html", "{# whoever #}{% if stop.held %}{{ beside.him }}{% endif %}") == []
