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

CLIENTS = {"client": "api_client.py", "gm_client": "api_client_gm.py"}
"""Clients for one task each, which the page shows whole."""


@require_safe
def schema(_request: HttpRequest) -> HttpResponse:
    """The OpenAPI schema in JSON."""
    return HttpResponse(encode(_schema()), content_type=JSON)


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """All operations and types, for people who write programs."""
    context = {"operations": operation_docs(_schema()), "types": type_docs(_schema())}
    context |= {name: _client(file) for name, file in CLIENTS.items()}
    return render(request, "api/docs.html", context)


@cache
def _client(file: str) -> str:
    return (Path(settings.BASE_DIR) / "static" / file).read_text(encoding="utf-8")


@cache
def _schema() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    return found
