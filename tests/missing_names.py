"""Templates that name something missing: tests fail, where Django would print nothing."""

import sys
from types import FrameType

import pytest
from django.template import engines
from django.template.backends.django import DjangoTemplates
from django.template.base import Node

from tests.locks import ROOT

_OURS = str(ROOT / "templates")


class Missing(str):
    """What a template prints for a missing name: nothing in the templates of allauth and Django, an error in ours."""

    __slots__ = ()

    def __contains__(self, part: object) -> bool:
        return part == "%s"  # Django then asks for the text with the name in it

    def __mod__(self, name: object) -> str:
        template = _rendered(sys._getframe(1))
        if template.startswith(_OURS):
            pytest.fail(f"{template} names {name}, which is missing")
        return ""


def _rendered(frame: FrameType | None) -> str:
    """The file of the template whose node is being rendered."""
    while frame is not None:
        node = frame.f_locals.get("self")
        if isinstance(node, Node) and hasattr(node, "origin"):
            return str(node.origin)
        frame = frame.f_back
    return ""


def refuse() -> None:
    """Let every test fail that renders a template of ours with a name that is missing."""
    backend = engines["django"]
    assert isinstance(backend, DjangoTemplates)
    backend.engine.string_if_invalid = Missing("missing")
