"""The area game: sheets of a day, questions while it is played, and units that may be hidden. Wiring only."""

from campaign.rulesets.area_activation import RULESET
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN
from tests.secrecy.games.area_activation import names, orders, units
from tests.secrecy.games.area_activation.late import EARLY, LATE
from tests.secrecy.games.game import Game
from tests.secrecy.oracle import area_activation as oracle

AREA_ACTIVATION = Game(
    rules=RULESET,
    oracle=oracle.read,
    openings=(EARLY, LATE),
    desks={GERMAN: ("Fifth", "German armor"), ALLIED: ("Eighth", "American infantry")},
    units_are="units",
    hidden=units.hidden,
    has_room=units.has_room,
    places=units.PLACES,
    another=units.another,
    described=units.described,
    from_afar=units.described,
    change_places=lambda _one, _two: True,
    hand=units.hand,
    set_up=names.set_up,
    arrivals=units.arrivals,
    asked_alone=False,
    sheet=orders.sheet,
    ways=orders.ways,
    unseen_moves=orders.unseen_moves,
    lines=orders.lines,
    texts=orders.TEXTS,
    asked=orders.ASKED,
    correction=orders.correction,
    ruling=orders.ruling,
)
