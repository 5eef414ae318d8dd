"""Everything that readers receive has a place in `oracle/depends.toml`, which says what it may depend on."""

import ast
import email
import inspect
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args, get_type_hints

import pytest
from django import forms
from django.template.base import Node, Variable
from django.template.loader import get_template

import campaign.forms
import gm.forms
from api.problems import ApiProblem
from campaign.core import clock
from campaign.engine.display import outcomes, views
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import Value
from campaign.mail.mutes import unsubscribe_headers
from campaign.mail.outbox import compose
from campaign.models import Campaign, Membership, User
from tests.mail.writing import composed
from tests.secrecy.asking.crawler import routes

ROOT = Path(__file__).parents[3]
TABLE = Path(__file__).parents[1] / "oracle" / "depends.toml"
CODE = ("api", "archive", "campaign", "gm", "incoming", "orders", "posting", "questions", "staff", "stories")
_FOR_THE_GM = ("gm/", "emails/desk.", "allauth/")
"""Templates of pages and mails that only a game master gets, and of the library's own parts."""


@cache
def table() -> Any:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def test_every_source_is_explained_and_used() -> None:
    used = {source for sources in _lists(table()) for source in sources}
    assert used == set(table()["sources"])
    assert all(sources for sources in _lists(table()))


def _lists(part: Any) -> Iterator[list[str]]:
    for each in part.values():
        if isinstance(each, dict):
            yield from _lists(each)
        elif isinstance(each, list):
            yield each


def test_every_field_of_a_view_of_outcomes_and_of_the_base_map_says_what_it_depends_on() -> None:
    modules = (views, outcomes)
    classes = [(kind, module) for module in modules for kind in vars(module).values() if inspect.isclass(kind)]
    kinds = [kind for kind, module in classes if kind.__module__ == module.__name__]
    fields = {f"{kind.__name__}.{name}" for kind in kinds if issubclass(kind, Value) for name in kind.__struct_fields__}
    assert fields == set(table()["view"])


def test_nothing_of_an_enemy_that_a_view_shows_depends_on_more_than_sight() -> None:
    enemy = {field: sources for field, sources in table()["view"].items() if field.startswith("Sighting.")}
    assert {source for sources in enemy.values() for source in sources} <= {
        "units in sight",
        "own memory",
        "told",
        "public clock",
    }


# --- pages ---------------------------------------------------------------------------------------------------------


def test_every_name_that_a_template_reads_says_what_it_depends_on() -> None:
    templates = [path.relative_to(ROOT / "templates").as_posix() for path in sorted((ROOT / "templates").rglob("*"))]
    read = {
        name
        for template in templates
        if template.endswith((".html", ".txt")) and not template.startswith(_FOR_THE_GM)
        for name in _names_read_by(template)
    }
    assert read == set(table()["template"])


def _names_read_by(template: str) -> set[str]:
    nodes = get_template(template).template.nodelist  # type: ignore[attr-defined]
    return set(_names(nodes, set())) - set(_bound(nodes))


_MACHINERY = ("Template", "Engine", "Origin", "Token", "Parser", "Library")


def _names(value: Any, visited: set[int]) -> Iterator[str]:
    """The first names of the variables in a part of a parsed template."""
    if id(value) in visited:
        return
    visited.add(id(value))
    if isinstance(value, Variable):
        yield from (value.lookups or ())[:1]
        return
    parts: list[Any] = []
    if isinstance(value, list | tuple | set):
        parts = list(value)
    elif isinstance(value, dict):
        parts = list(value.values())
    elif _is_of_templates(value):
        parts = [getattr(value, name, None) for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        parts += list(getattr(value, "__dict__", {}).values())
    for part in parts:
        yield from _names(part, visited)


def _is_of_templates(value: Any) -> bool:
    kind = type(value)
    ours = kind.__module__.startswith(("django.template", "campaign.templatetags"))
    return ours and kind is not type and kind.__name__ not in _MACHINERY


def _bound(nodes: Any) -> Iterator[str]:
    """Names that a template sets itself: those of loops, `with` and `as`."""
    for node in nodes.get_nodes_by_type(Node):
        yield from getattr(node, "loopvars", ())
        yield from getattr(node, "extra_context", ())
        yield from (name for tag in ("asvar", "target_var", "variable") if isinstance(name := vars(node).get(tag), str))


def test_every_field_that_the_api_answers_says_what_it_depends_on() -> None:
    every = [each for view in _resources() for each in view.operations.values()]
    done = [each for each in every if not each.act.__module__.startswith(_FOR_GMS)]
    assert len(done) < len(every), "those of the game master are elsewhere"
    kinds = {kind for each in done for kind in _values_in(each.gives)} | {ApiProblem}
    fields = {f"{kind.__name__}.{name}" for kind in kinds for name in kind.__struct_fields__}
    assert fields == set(table()["api"])


_FOR_GMS = "api.views.gm."
"""The operations that nobody but a game master can call."""


def _resources() -> list[Any]:
    callbacks: list[Any] = [pattern.callback for _, pattern in routes()]
    return [each.cls for each in callbacks if hasattr(getattr(each, "cls", None), "operations")]


def _values_in(kind: Any) -> Iterator[Any]:
    """The types of answers of the API in a type, and in the types of its fields."""
    if inspect.isclass(kind) and issubclass(kind, Value):
        if kind.__module__.startswith("api."):
            yield kind
        for hint in get_type_hints(kind).values():
            yield from _values_in(hint)
    for part in get_args(kind):
        yield from _values_in(part)


def test_every_field_of_a_form_says_what_it_depends_on() -> None:
    modules = [import_module(f"campaign.forms.{each.name}") for each in iter_modules(campaign.forms.__path__)]
    kinds = [kind for module in modules for kind in vars(module).values() if _is_form(kind, module)]
    fields = {f"{kind.__name__}.{name}" for kind in kinds for name in kind.base_fields}
    assert fields | {"LoginForm.login"} == set(table()["form"]), "the library adds the first field of LoginForm"
    assert any(_is_form(kind, gm.forms) for kind in vars(gm.forms).values()), "those of the game master are elsewhere"


def _is_form(kind: Any, module: Any) -> bool:
    return inspect.isclass(kind) and issubclass(kind, forms.BaseForm) and kind.__module__ == module.__name__


def test_every_field_that_a_template_writes_by_hand_says_what_it_depends_on() -> None:
    written = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        if not path.relative_to(ROOT / "templates").as_posix().startswith(_FOR_THE_GM)
        for name in re.findall(r'<(?!meta)[^>]*?\sname="([^"{]+)"', path.read_text(encoding="utf-8"))
    }
    assert written == set(table()["input"])


# --- headers and names of files -----------------------------------------------------------------------------------


def _sources_of(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


_LIKE_A_HEADER = re.compile(
    r"[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)+|Date|Subject|References|ETag|Location|Vary|Allow|Link|Expires|Age|From|To|Cc"
)


def test_every_header_of_a_mail_or_an_answer_says_what_it_depends_on() -> None:
    set_here = {
        name
        for _, tree in _sources_of(*CODE)
        for node in ast.walk(tree)
        for name in _headers_set_by(node)
        if _LIKE_A_HEADER.fullmatch(name)
    }
    assert set_here <= set(table()["header"])
    assert {"Message-ID", "Content-Disposition", "List-Unsubscribe", "Cache-Control"} <= set_here


def _headers_set_by(node: ast.AST) -> Iterator[str]:
    """Texts by which a node sets something: keys of a dict, of an item that is assigned, of `setdefault`."""
    keys: list[ast.AST | None] = []
    if isinstance(node, ast.Dict):
        keys = list(node.keys)
    if isinstance(node, ast.Assign):
        keys = [target.slice for target in node.targets if isinstance(target, ast.Subscript)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "setdefault":
        keys = list(node.args[:1])
    yield from (str(key.value) for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


@pytest.mark.django_db
def test_a_whole_mail_has_no_other_headers() -> None:
    user = User(username="reader", email="reader@example.org")
    member = Membership(campaign=Campaign(slug="somewhere"), user=user)
    mail = compose(
        composed(
            user,
            key="k",
            kind="report",
            subject="A report",
            text="Text.",
            html="<p>Text.</p>",
            campaign=member.campaign,
            audience=Audience("german"),
            pictures={"map": b"\x89PNG"},
            headers=unsubscribe_headers(member.campaign, user),
        ),
        at=clock.now(),
    )
    names = {name for part in email.message_from_bytes(mail).walk() for name in part}
    assert names <= set(table()["header"])
    assert {"Subject", "To", "Message-ID", "References", "List-Unsubscribe", "Content-ID"} <= names


def test_every_part_of_a_file_name_says_what_it_depends_on() -> None:
    filled = dict(_file_names())
    assert {where: set(parts) for where, parts in table()["file"].items()} == filled


def _file_names() -> Iterator[tuple[str, set[str]]]:
    """By function that names a file: all that it fills into texts."""
    for path, tree in _sources_of(
        "archive", "campaign", "incoming", "orders", "posting", "questions", "staff", "stories"
    ):
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and _names_a_file(function):
                filled = (node.value for node in ast.walk(function) if isinstance(node, ast.FormattedValue))
                yield f"{path}:{function.name}", {ast.unparse(value) for value in filled}


def _names_a_file(function: ast.FunctionDef) -> bool:
    nodes = list(ast.walk(function))
    texts = (node.value for node in nodes if isinstance(node, ast.Constant))
    arguments = (node.arg for node in nodes if isinstance(node, ast.keyword))
    return "Content-Disposition" in texts or "filename" in arguments
