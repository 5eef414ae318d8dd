"""The toy: sides in turns, cards, and standing orders, which both sides may change in every phase. Wiring only."""

from tests.secrecy.games.game import Game, Opening
from tests.secrecy.games.toy import forces, names, orders
from tests.secrecy.games.toy.late import LATE
from tests.secrecy.oracle import toy as oracle
from tests.toy import FOLDER, RULESET, SCENARIO
from tests.toy.model.game_data import NORTH, SOUTH

TOY = Game(
    rules=RULESET,
    oracle=oracle.read,
    rules_text=FOLDER / "RULES.md",
    openings=(Opening(name="toy", scenario=SCENARIO, phases=6), LATE),
    desks={NORTH: ("Shore", "North, Coast Brigade"), SOUTH: ("Upland", "South, Inland Brigade")},
    units_are="forces",
    hidden=forces.hidden,
    has_room=forces.has_room,
    places=forces.PLACES,
    another=forces.another,
    described=forces.described,
    from_afar=forces.described,
    change_places=lambda _one, _two: True,
    hand=forces.hand,
    set_up=names.set_up,
    renamed=names.renamed,
    names=names.names,
    listed=names.listed,
    by_id=names.by_id,
    asked_alone=True,
    sheet=orders.sheet,
    ways=orders.ways,
    unseen_moves=orders.unseen_moves,
    lines=orders.lines,
    texts=orders.TEXTS,
    asked=orders.ASKED,
    correction=orders.correction,
    ruling=orders.ruling,
)
