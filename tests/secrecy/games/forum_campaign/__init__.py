"""The forum campaign. Wiring only."""

from campaign.game.loading import find_scenario
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN
from tests.secrecy.games.forum_campaign import names, orders, units
from tests.secrecy.games.forum_campaign.late import LATE, LATE_LARGE
from tests.secrecy.games.game import MOST, Game, Opening
from tests.secrecy.oracle import forum_campaign as oracle
from tests.with_air import with_air

OPENINGS = (
    Opening(name=MOST, scenario=with_air(), phases=11),
    Opening(name="large", scenario=find_scenario("forum_campaign/ardennes-1944"), phases=4),
    LATE,
    LATE_LARGE,
)
"""Nearly three days of the small scenario, the first day of the large one, and late days of both."""

FORUM_CAMPAIGN = Game(
    rules=RULESET,
    oracle=oracle.read,
    openings=OPENINGS,
    desks={GERMAN: ("Fifth", "5th Panzer Army"), ALLIED: ("Eighth", "First Army, VIII")},
    units_are="units",
    hidden=units.hidden,
    has_room=units.has_room,
    places=units.PLACES,
    another=units.another,
    described=units.described,
    from_afar=units.from_afar,
    change_places=units.change_places,
    hand=units.hand,
    set_up=names.set_up,
    arrivals=names.arrivals,
    renamed=names.renamed,
    names=names.names,
    listed=names.listed,
    by_id=names.by_id,
    sneaks=lambda unit: not unit.ground,
    shared_dice=("commando/",),
    sheet=orders.sheet,
    ways=orders.ways,
    unseen_moves=orders.unseen_moves,
    lines=orders.lines,
    texts=orders.TEXTS,
    asked=orders.ASKED,
    correction=orders.correction,
    ruling=lambda chance: f"FUEL {chance.randint(10, 60)}",
    report=orders.report,
    chosen_anew=orders.chosen_anew,
)
