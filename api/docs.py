"""The schema of the API as tables for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.wire import JSON

Row = tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table of texts."""

    head: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class OperationDoc:
    """A method of an address."""

    name: str
    method: str
    path: str
    says: str
    takes: str
    """The name of the type of its body; empty: it has none."""
    gives: str
    """What it answers, in words."""
    given: str
    """The name of the type in that; empty: a file."""
    headers: Table
    answers: Table


@dataclass(frozen=True)
class TypeDoc:
    """What a body or an answer, or a part of one, consists of."""

    name: str
    says: str
    fields: Table


def operation_docs(schema: Mapping[str, Any]) -> list[OperationDoc]:
    """All operations of a schema, in its order."""
    paths: Mapping[str, Mapping[str, Any]] = schema["paths"]
    return [_operation(path, method, each) for path, found in paths.items() for method, each in found.items()]


def type_docs(schema: Mapping[str, Any]) -> list[TypeDoc]:
    """All types that the operations of a schema take and give, by name."""
    return [
        TypeDoc(name, each.get("description", ""), _fields(each))
        for name, each in schema["components"]["schemas"].items()
    ]


def _operation(path: str, method: str, found: Mapping[str, Any]) -> OperationDoc:
    headers = (part for part in found.get("parameters", ()) if part["in"] == "header")
    answers: Mapping[str, Any] = found["responses"]
    done = next(status for status in answers if status.startswith("2"))
    return OperationDoc(
        found["operationId"],
        method.upper(),
        path,
        found["description"],
        _content(found["requestBody"])[0] if "requestBody" in found else "",
        *_content(answers[done]),
        Table(("Header", "Meaning"), tuple((part["name"], part["description"]) for part in headers)),
        Table(("Status", "Meaning"), tuple((status, answers[status]["description"]) for status in answers)),
    )


def _content(found: Mapping[str, Any]) -> tuple[str, str]:
    """What it is in words, and the name of the type in it."""
    content: Mapping[str, Any] = found["content"]
    if JSON not in content:
        return f"a file: {', '.join(content)}", ""
    schema = content[JSON]["schema"]
    return _words(schema), _words(schema.get("items", schema))


def _fields(found: Mapping[str, Any]) -> Table:
    needed = found.get("required", ())
    rows = (
        (name, _words(each), "yes" if name in needed else "no", each.get("description", ""))
        for name, each in found["properties"].items()
    )
    return Table(("Field", "Type", "Required", "Meaning"), tuple(rows))


def _words(schema: Mapping[str, Any]) -> str:
    """A type in words: list of string, integer or null."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_words, schema["anyOf"]))
    if "prefixItems" in schema:
        return " and ".join(map(_words, schema["prefixItems"]))
    if schema.get("type") == "array":
        return f"list of {_words(schema['items'])}"
    return str(schema.get("type", "anything"))
