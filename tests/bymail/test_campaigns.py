"""Two days of the small scenario and a day of the area game by mail alone: the same games as without any site."""

import pytest

from campaign.engine.values.ids import SideId
from campaign.models import Phase
from campaign.rulesets.area_activation.bots.sheets import asking
from campaign.rulesets.area_activation.bots.styles import STYLES
from tests.bymail.checks import assert_is_played_by_mail
from tests.bymail.conftest import Servers
from tests.bymail.playing import Sides, forum
from tests.gm.campaigns import Clock

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_days_of_the_small_scenario(servers: Servers, time: Clock) -> None:
    sides = forum("forum_campaign/st-vith-1944", "cutter", "fist")
    assert_is_played_by_mail(sides, servers, time, days=2)
    assert Phase.objects.filter(state="PUBLISHED").count() == 6, "the morning of the first day has nobody's orders"


def test_a_day_of_the_area_game_with_the_questions_that_it_asks(servers: Servers, time: Clock) -> None:
    german, allied, *_ = STYLES.values()
    bots = {SideId("german"): asking(german), SideId("allied"): asking(allied)}
    assert_is_played_by_mail(Sides("area_activation/race-to-the-meuse", bots), servers, time, days=1)
    assert "reply" in set(Phase.objects.values_list("key", flat=True))
