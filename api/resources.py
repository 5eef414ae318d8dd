"""The addresses of the API as views: who asks, what they send, and how they are answered or refused."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import Http404, HttpRequest, HttpResponse
from rest_framework.exceptions import NotAuthenticated, ParseError, PermissionDenied, Throttled, UnsupportedMediaType
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.models import ApiToken, Scope
from api.operations import Call, Operation
from api.problems import answered
from api.schema import SEEN_ONCE, TypedSchema
from api.wire import JSON, File, FileRenderer, JsonParser, JsonRenderer, decoded
from campaign.models import Role, User
from campaign.people.throttles import Limit, allows, may


class Resource(APIView):
    """An address with its operations by method."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JsonParser,)
    renderer_classes = (JsonRenderer,)
    metadata_class = None
    schema = TypedSchema()
    operations: ClassVar[dict[str, Operation]] = {}

    def get_exception_handler(self) -> Any:
        return answered

    def answer(self, request: Request, **parts: Any) -> HttpResponse:
        done = self.operations[_READ_AS.get(request.method or "", request.method or "")]
        user, token = request.user, request.auth
        if not isinstance(user, User):
            raise NotAuthenticated
        if not isinstance(token, ApiToken):
            token = None
        _require(token, done.scope)
        if not _may(request._request, token, done.limit):
            raise Throttled(wait=int(done.limit.window.total_seconds()))
        kind = request.content_type.partition(";")[0].strip().lower()
        if done.takes and kind not in (JSON, ""):
            raise UnsupportedMediaType(request.content_type)
        more = {"body": decoded(request.data, done.takes)} if done.takes else {}
        if done.has_key:
            more["idempotency_key"] = _key(request)
        call = Call(request._request, user, token, parts.pop("slug", ""))
        found = done.act(call, **parts, **more)
        if isinstance(found, File):
            headers = {"Content-Disposition": "inline", "X-Content-Type-Options": "nosniff"}
            return HttpResponse(found.content, content_type=found.media_type, headers=headers)
        return Response(found, status=done.status, content_type=JSON)


def _require(token: ApiToken | None, scope: Scope) -> None:
    """Refuse a token without the scope; a player's finds nothing of what only a game master may do."""
    if token is None:
        return
    if scope is Scope.GM and token.role != Role.GM:
        raise Http404
    if scope not in token.scopes:
        raise PermissionDenied(f"This token may not be used for this. It needs the scope '{scope.value}'.")


_READ_AS = {"HEAD": "GET"}
"""Methods that are answered as another: the server leaves out the body."""


def _may(request: HttpRequest, token: ApiToken | None, limit: Limit) -> bool:
    """Count a request. A person's programs share a limit, and use up nothing of what their owner may do."""
    if token is None:
        return may(request, limit)
    return not limit.number or allows(limit, f"programs of account {token.user_id}", most=limit.number)


def _key(request: Request) -> str:
    key = request.headers.get(SEEN_ONCE, "")
    if not key or len(key) > _LONGEST_KEY or not key.isascii():
        raise ParseError(f"Send a header {SEEN_ONCE}: a text of your choice, new for each submission.")
    return key


_LONGEST_KEY = 200


def resource(**by_method: Operation) -> Callable[..., Any]:
    """The view of an address, with an operation for each of its methods."""
    operations = {method.upper(): each for method, each in by_method.items()}
    methods = dict.fromkeys(by_method, Resource.answer)
    sends_files = any(each.files for each in by_method.values())
    renderers = {"renderer_classes": (FileRenderer,)} if sends_files else {}
    view: type[Resource] = type("Resource", (Resource,), {**methods, **renderers, "operations": operations})
    return view.as_view()
