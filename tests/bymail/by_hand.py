"""`make bymail`: the 16 days of the whole campaign by mail alone. It takes many minutes."""

import pytest

from tests.bymail.checks import assert_is_played_by_mail
from tests.bymail.conftest import Servers
from tests.bymail.playing import forum
from tests.gm.campaigns import Clock

pytestmark = pytest.mark.django_db(transaction=True)

DAYS = 16


def test_the_whole_campaign(servers: Servers, time: Clock) -> None:
    assert_is_played_by_mail(forum("forum_campaign/ardennes-1944", "cutter", "fist"), servers, time, days=DAYS)
