"""By which ways code comes to rows of an audience, read off its text.

Below the game master's code there is one: `Sheet.objects.for_viewer(viewer)`. Found are all others: other methods of
these managers, the relations that lead back to them (`phase.all_sheets`), managers of models that the text does not
name, models handed on as values, tables named in strings, statements that are sent as they are.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from django.apps import apps

from campaign.secrecy.tables import Owned, Secret

OWNED = frozenset(model.__name__ for model in apps.get_models() if issubclass(model, Owned))
MODELS = frozenset(model.__name__ for model in apps.get_models())
BACK = frozenset(
    str(field.remote_field.related_name)
    for model in apps.get_models()
    if issubclass(model, Owned)
    for field in model._meta.concrete_fields
    if field.remote_field and field.remote_field.related_name != "+"
)
"""What leads from other rows back to those of an audience."""
TABLES = re.compile(
    "|".join(rf"\b{model._meta.db_table}\b" for model in apps.get_models() if issubclass(model, Owned | Secret))
)
MANAGERS = ("objects", "_default_manager", "_base_manager")
ALLOWED = ("for_viewer", "create", "bulk_create")
"""Rows that are written are not read by that."""
BARE = ("cursor", "raw", "get_models", "get_model")
"""What sends statements that the text does not show, or finds models that it does not name."""


def other_ways(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each other way in a module's text: the innermost function around it, and the words by which it is known."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if way := _way(node, parents):
            yield _function(node, parents), way


def _way(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> str:
    match node:
        case ast.Attribute(value=value, attr=attr) if attr in MANAGERS:
            return _by_manager(value, parents.get(node))
        case ast.Attribute(attr=attr) if attr in BACK or attr in BARE:
            return attr
        case ast.keyword(arg=str(arg)) if BACK & set(arg.split("__")):
            return arg
        case ast.Constant(value=str(text)) if _is_code(node, parents):
            return next(iter(BACK & set(text.split("__"))), "") or _table_in(text)
        case ast.alias(name=name, asname=str(other)) if name in OWNED:
            return f"{name} as {other}"
        case ast.Name(id=name) if name in OWNED and _is_handed_on(node, parents):
            return name
    return ""


def _table_in(text: str) -> str:
    """A table that a statement names; a text of one word is none."""
    return next(iter(TABLES.findall(text)), "") if " " in text else ""


def _by_manager(value: ast.expr, parent: ast.AST | None) -> str:
    named = value.id if isinstance(value, ast.Name) else ""
    if named in MODELS - OWNED:
        return ""
    method = parent.attr if isinstance(parent, ast.Attribute) else ""
    return "" if named in OWNED and method in ALLOWED else f"{named or '?'}.objects.{method}"


def _is_code(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a string is not merely said of something: no docstring, and no text of an f-string's page."""
    return not isinstance(parents.get(node), ast.Expr)


def _is_handed_on(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a model is a value here, and neither made a row of, nor asked for something of its own, nor a type."""
    parent = parents.get(node)
    if isinstance(parent, ast.Call):
        return node is not parent.func
    if isinstance(parents.get(parent) if parent else None, ast.Subscript | ast.Tuple):
        return False  # a type's
    return isinstance(parent, ast.Assign | ast.keyword | ast.Dict | ast.List | ast.Set | ast.Return | ast.Starred)


def _function(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> str:
    while not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if node not in parents:
            return ""
        node = parents[node]
    return node.name


def ways_in(paths: Iterator[Path], root: Path) -> list[tuple[str, str]]:
    """All other ways in these files: the place, and the words."""
    return [
        (f"{path.relative_to(root)} {function}".strip(), way)
        for path in paths
        for function, way in other_ways(ast.parse(path.read_text(encoding="utf-8")))
    ]
