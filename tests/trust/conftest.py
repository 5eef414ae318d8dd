"""The demonstration, played once for all tests of a module that only look at it."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from campaign.game import turn_package
from campaign.models import Campaign, PhaseSettings
from tests.demonstration import stand_unheard
from tests.gm.campaigns import blank_map
from tests.kept import kept
from tests.trust.busy import make_busy


@pytest.fixture(scope="module")
def demonstration(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:  # noqa: ARG001
    """Two days of the Ardennes, published phase by phase. Tests change nothing that they do not change back."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        patch.setattr(turn_package, "draw", blank_map)
        kept("demonstration", stand_unheard, timeless=True)
        yield Campaign.objects.get()
        call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="module")
def busy(demonstration: Campaign, django_db_blocker: DjangoDbBlocker) -> Campaign:
    """The demonstration with whatever a game master can do; see `tests.trust.busy`."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(turn_package, "draw", blank_map)
        kept("busy", lambda: _make_busy(demonstration), after="demonstration", timeless=True)
    demonstration.refresh_from_db()
    return demonstration


def _make_busy(demonstration: Campaign) -> None:
    make_busy(demonstration)
    # so that those of the demonstration could be given to it
    PhaseSettings.objects.exclude(campaign=demonstration).delete()
