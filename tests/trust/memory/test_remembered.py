"""Nothing remembers what was made from state, but for `campaign.secrecy.memory`: read off the text of all modules."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.locks import ROOT
from tests.trust.memory.remembered import CONSTANTS, DECLARED, MACHINERY, OBJECTS, PIECES
from tests.trust.memory.remembering import Module, modules, remembering

PACKAGES = (
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
    "deploy",
)


def found_in(code: str) -> list[str]:
    return list(remembering([Module.of("campaign/new.py", code)]))


def test_all_that_remembers_is_declared() -> None:
    assert set(remembering(modules(ROOT, PACKAGES))) == set(DECLARED)


def test_nothing_is_declared_twice() -> None:
    assert len(DECLARED) == sum(map(len, (CONSTANTS, PIECES, OBJECTS, MACHINERY)))


def test_no_template_is_remembered_in_parts() -> None:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        assert not re.search(r"{%\s*(cache\b|load\b[^%]*\bcache\b)", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(
    "code",
    [
        "@lru_cache\ndef page_of(campaign): ...",
        "@functools.cache\ndef page_of(campaign): ...",
        "from functools import lru_cache as once\n@once\ndef page_of(campaign): ...",
        "page_of = functools.lru_cache(maxsize=8)(made)",
        "def page(request):\n    return cache(lambda: made(request))()",
        "class Campaign(Model):\n    @cached_property\n    def newest(self): ...",
        "_PAGES = {}\ndef page_of(campaign):\n    _PAGES[campaign.pk] = made(campaign)",
        "_PAGES = {}\ndef page_of(campaign):\n    return _PAGES.setdefault(campaign.pk, made(campaign))",
        "_PAGES = []\ndef page_of(campaign):\n    _PAGES.append(made(campaign))",
        "_PAGES = {}\ndef page_of(campaign):\n    _PAGES['a'].pages.update(made(campaign))",
        "_LAST = None\ndef page_of(campaign):\n    global _LAST\n    _LAST = made(campaign)",
        "def page_of(campaign):\n    globals()['last'] = made(campaign)",
        "def page_of(campaign):\n    page_of.last = made(campaign)",
        "def page_of(campaign):\n    setattr(page_of, 'last', made(campaign))",
        "from django.conf import settings\ndef page_of(campaign):\n    settings.LAST = made(campaign)",
        "from campaign.services import _READ\ndef page_of(campaign):\n    _READ[campaign.slug] = made(campaign)",
        "def page_of(campaign, known={}): ...",
        "def page_of(campaign, *, known=dict()): ...",
        "class Pages:\n    known = {}\n    def page_of(self, campaign):\n        self.known[campaign] = made()",
        "class Pages:\n    @classmethod\n    def page_of(cls, campaign):\n        cls.last = made(campaign)",
        "class Pages:\n    def page_of(self, campaign):\n        type(self).last = made(campaign)",
        "class Pages:\n    def page_of(self, campaign):\n        self.__class__.last = made(campaign)",
        "class Pages:\n    last = None\ndef page_of(campaign):\n    Pages.last = made(campaign)",
        "class Pages:\n    def keep(self, page):\n        self.last = page\nPAGES = Pages()",
        "class Pages:\n    def keep(self, page):\n        self.pages.append(page)\nPAGES = {'one': Pages()}",
        "class Pages:\n    def keep(self, page):\n        self.last = page\ndef page_of(campaign, known=Pages()): ...",
        (
            "def kept(make):\n    pages = {}\n    def page_of(campaign):\n        pages[campaign.pk] = make(campaign)\n"
            "    return page_of"
        ),
        "def kept(make):\n    pages = {}\n    return lambda campaign: pages.setdefault(campaign.pk, make(campaign))",
        (
            "def kept(make):\n    last = None\n    def page_of(campaign):\n        nonlocal last\n"
            "        last = make(campaign)\n"
            "    return page_of"
        ),
        "_PAGES = ContextVar('pages')",
        "_PAGES = threading.local()",
        "_PAGES = WeakKeyDictionary()",
        "_PAGES: Memory[int, str] = Memory(8, len)",
        "class Pages:\n    def __init__(self):\n        self.pages = Halves(8, len)",
        "_NUMBERS = itertools.count()",
        "from django.core.cache import cache\ndef page_of(campaign):\n    cache.set('page', made(campaign))",
        "from django.core.cache import caches",
        "from django.core import cache as kept",
        "from django.views.decorators.cache import cache_page",
        "from django.views.decorators.http import etag",
        "MIDDLEWARE = ['django.middleware.cache.FetchFromCacheMiddleware']",
        "MIDDLEWARE = ['django.middleware.http.ConditionalGetMiddleware']",
        "SESSION_ENGINE = 'django.contrib.sessions.backends.cache'",
        "def page(request):\n    answer.headers['ETag'] = made(request)",
        "def page(request):\n    answer['Cache-Control'] = 'public'",
        "def page(request):\n    request.session['last'] = made(request)",
        "def page(request):\n    path.write_bytes(made(request))",
        "def page(request):\n    with open('page', 'w') as file: ...",
        "import shelve",
        "import pickle",
    ],
)
def test_what_remembers_is_seen(code: str) -> None:
    assert found_in(code)


@pytest.mark.parametrize(
    "code",
    [
        "_BOARDS: KeyedMemory[str] = KeyedMemory(8, len)",
        "_TITLES = {1: 'one'}\ndef title_of(campaign):\n    return _TITLES[campaign.pk]",
        "def page_of(campaign):\n    pages = {}\n    pages[campaign.pk] = made(campaign)\n    return pages",
        "def page_of(campaign):\n    pages = []\n    def add(page):\n        pages.append(page)\n    add(campaign)",
        (
            "class Page:\n    def __init__(self):\n        self.lines = []\n    def add(self, line):\n"
            "        self.lines.append(line)"
        ),
        "def page(request):\n    return open('page', 'rb')",
    ],
)
def test_what_is_gone_with_the_call_is_not(code: str) -> None:
    assert found_in(code) == []


# --- pieces of pictures ----------------------------------------------------------------------------------------------

VALUES = frozenset(
    "str float int bool None tuple Point Edge Path Box Print Size Colour Halo Scheme SideColours".split()  # noqa: SIM905
    + "CounterStyle Course Track Leg Badge Rows".split()  # noqa: SIM905
)
"""Types of which equal values give equal pieces; none of them names a campaign or a reader."""


def test_pieces_are_made_from_values_alone() -> None:
    known = {module.path: module for module in modules(ROOT, ("campaign/maps",))}
    for place in PIECES:
        path, name = place.split()
        for node in ast.walk(known[path].tree):
            if isinstance(node, ast.FunctionDef) and (node.name == name or _is_stamped(node)):
                arguments = [*node.args.args, *node.args.kwonlyargs]
                used = {word for each in arguments for word in re.findall(r"\w+", ast.unparse(each.annotation or each))}
                assert used <= VALUES, (place, node.name, used - VALUES)


def _is_stamped(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "stamped" for each in function.decorator_list)


def test_what_is_made_for_a_key_is_made_from_the_key_alone() -> None:
    """A key without the width would give one reader another's picture."""
    checked = list(_makers())
    assert len(checked) == 5
    for where, key, maker in checked:
        assert maker <= key, (where, maker - key)


def _makers() -> Iterator[tuple[str, set[str], set[str]]]:
    """For each use of a memory: where, the names in its key, and the names that are handed to what makes the value."""
    for module in modules(ROOT, ("campaign/maps",)):
        for node in ast.walk(module.tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="get"),
                    args=[key, ast.Call(func=ast.Name(id="partial"), args=[_, *handed], keywords=more)],
                ):
                    values = [*handed, *(each.value for each in more)]
                    yield f"{module.path} {module.place(node)}", _names([key]), _names(values)
                case ast.Call(func=ast.Attribute(attr="get"), args=[key, ast.Lambda() as made]):
                    yield f"{module.path} {module.place(node)}", _names([key]), _names([made])


def _names(nodes: list[ast.expr]) -> set[str]:
    return {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}
