"""The OpenAPI schema, out of the types of operations."""

import ast
from collections.abc import Iterator
from functools import cache
from inspect import cleandoc, getsource, isclass
from itertools import pairwise
from textwrap import dedent
from typing import Any, get_args, get_type_hints

import msgspec
from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from api.operations import Operation
from api.problems import ApiProblem
from api.wire import JSON, File
from campaign.engine.values.value import Value

SEEN_ONCE = "Idempotency-Key"
"""The header that makes a repeated submission the same one."""
CSRF = "X-CSRFToken"
"""The header with the token that pages give to their forms."""

_REFS = "#/components/schemas/{name}"

REFUSALS = {
    400: "The request is malformed.",
    401: "Nobody is signed in, or the token is not valid.",
    403: "The token lacks the scope, or the CSRF token is missing.",
    404: "There is nothing here that the caller can read.",
    406: "The caller takes no JSON.",
    409: "It has changed meanwhile, or this is not possible now.",
    413: "The body is too big.",
    415: "The body is not JSON.",
    422: "What was sent cannot be used; the message says why.",
    429: "Too many requests.",
    503: "The server lacks the key of this campaign's dice.",
}
_ALWAYS = (400, 401, 403, 404, 406, 429)
_WITH_A_BODY = (413, 415)


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema names tokens."""

    target_class = "api.authentication.ByToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class SessionScheme(OpenApiAuthenticationExtension):
    """How the schema names the session of a browser."""

    target_class = "api.authentication.BySession"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class TypedSchema(AutoSchema):
    """The part of an operation."""

    @property
    def _operation(self) -> Operation:
        view: Any = self.view
        done: Operation = view.operations[self.method]
        return done

    def get_operation_id(self) -> str:
        return self._operation.name

    def get_description(self) -> str:  # type: ignore[override]
        done = self._operation
        return f"{done.says}\n\nA token needs the scope {done.scope.value}."

    def get_tags(self) -> list[str]:
        return [self._operation.act.__module__.rpartition(".")[2]]

    def get_override_parameters(self) -> list[Any]:
        if self.method == "GET":
            return []
        csrf = _header(CSRF, "The token of a page. Needed with a session, not with a token of the API.", required=False)
        key = _header(SEEN_ONCE, _WHAT_A_KEY_IS, required=True)
        return [csrf, *([key] if self._operation.has_key else [])]

    def get_request_serializer(self) -> Any:
        takes = self._operation.takes
        return {JSON: _schema_of(takes)} if takes else None

    def get_response_serializers(self) -> Any:
        done = self._operation
        codes = {*_ALWAYS, *(_WITH_A_BODY if done.takes else ()), *done.refuses}
        if done.files:
            codes.remove(406)
            given = {(done.status, *done.files): OpenApiResponse({"type": "string", "format": "binary"}, "Done.")}
        else:
            given = {(done.status, JSON): OpenApiResponse(_schema_of(done.gives), "Done.")}
        return {
            **given,
            **{(code, JSON): OpenApiResponse(_schema_of(ApiProblem), REFUSALS[code]) for code in sorted(codes)},
        }


def _header(name: str, what: str, *, required: bool) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, required=required, description=what)


_WHAT_A_KEY_IS = "A text of your choice. A request that repeats it is answered as the first one was."


@cache
def _schema_of(kind: Any) -> dict[str, Any]:
    """The schema of a type: the library asks for that of each operation some twenty times, and changes none."""
    (schema,), _ = msgspec.json.schema_components((kind,), ref_template=_REFS)
    return schema


def with_types(result: dict[str, Any], generator: Any, **_more: Any) -> dict[str, Any]:
    """The schema with all types that its operations name."""
    kinds = {ApiProblem}
    for _, _, _, view in generator.endpoints or ():
        for done in getattr(view.cls, "operations", {}).values():
            kinds |= {done.gives, done.takes} - {None, File}
    _, components = msgspec.json.schema_components(tuple(kinds), ref_template=_REFS)
    for each in {part for kind in kinds for part in _values_in(kind)}:
        for name, meaning in _meanings(each).items():
            components[each.__name__]["properties"][name].setdefault("description", meaning)
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.update({name: components[name] for name in sorted(components)})
    return result


def _values_in(kind: Any) -> Iterator[type[Value]]:
    """A type and those of its fields, as far as they are ours."""
    if isclass(kind) and issubclass(kind, Value):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from _values_in(hint)
    for part in get_args(kind):
        yield from _values_in(part)


def _meanings(kind: type[Value]) -> dict[str, str]:
    """What the code says below each field of a type."""
    (defined,) = ast.parse(dedent(getsource(kind))).body
    found = {}
    for field, text in pairwise(getattr(defined, "body", ())):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(meaning))):
                found[name] = cleandoc(meaning)
    return found
