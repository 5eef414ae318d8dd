"""The schema of the API, as JSON and as a page. Both are the same for everybody."""

from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from api.docs import operation_docs, type_docs
from api.wire import JSON
from campaign.engine.values.value import encode

CLIENT = "api_client.py"


@require_safe
def schema(_request: HttpRequest) -> HttpResponse:
    """The OpenAPI schema in JSON."""
    return HttpResponse(encode(_schema()), content_type=JSON)


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """All operations and types, for people who write programs."""
    context = {"operations": operation_docs(_schema()), "types": type_docs(_schema()), "client": _client()}
    return render(request, "api/docs.html", context)


@cache
def _client() -> str:
    """A client for one task, which the page shows whole."""
    return (Path(settings.BASE_DIR) / "static" / CLIENT).read_text(encoding="utf-8")


@cache
def _schema() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    return found
