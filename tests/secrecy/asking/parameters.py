"""Parameters of addresses: the names that a page looks for, each of which somebody should ask for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.core.handlers import wsgi
from django.http import QueryDict

from tests.secrecy import worlds


@contextmanager
def watched() -> Iterator[None]:
    """In this context worlds note the parameters that pages look for."""
    with mock.patch.object(wsgi, "QueryDict", _Watched):
        yield


class _Watched(QueryDict):
    """The parameters of a request; `get` looks for one by `__getitem__`."""

    def __contains__(self, key: object) -> bool:
        worlds.look_for(key)
        return super().__contains__(key)

    def __getitem__(self, key: str) -> Any:
        worlds.look_for(key)
        return super().__getitem__(key)

    def getlist(self, key: str, default: Any = None) -> Any:
        worlds.look_for(key)
        return super().getlist(key, default)
