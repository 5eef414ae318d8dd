"""The glossary: the words of pages and mails, for everybody."""

from functools import cache

import markdown
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """The meanings of the words on pages and in mails."""
    return render(request, "campaign/rules/glossary.html", {"text": _text()})


@cache
def _text() -> SafeString:
    written = (settings.BASE_DIR / "GLOSSARY.md").read_text(encoding="utf-8")
    return mark_safe(markdown.markdown(written))  # noqa: S308 - a file of ours
