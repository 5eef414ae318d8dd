"""Worlds for the quick tests: the first phases of the small campaign, of the toy, and of the area game."""

from collections.abc import Iterator, Mapping

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.secrecy.campaigns import Base
from tests.secrecy.games.game import MOST
from tests.secrecy.runs import begun, service

FEW = 4


@pytest.fixture(scope="session")
def built_once(django_db_blocker: DjangoDbBlocker) -> Mapping[str, Base]:
    with django_db_blocker.unblock(), service():
        return begun(MOST, FEW) | begun("toy", FEW) | begun("area", FEW) | begun("area-late", FEW)


@pytest.fixture
def worlds(built_once: Mapping[str, Base], django_db_blocker: DjangoDbBlocker) -> Iterator[Mapping[str, Base]]:
    with django_db_blocker.unblock(), service():
        yield built_once
