"""A player's state and its disclosures as a View."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from campaign.engine.display.sentences import audience_title, headlines, log_lines, sentence_for
from campaign.engine.display.views import Arrow, Counter, Figure, Marker, Panel, Sighting, View
from campaign.engine.facts import Disclosure
from campaign.engine.phases import title_in
from campaign.engine.values.ids import Audience, SideId
from tests.toy.model import facts
from tests.toy.model.game_data import SIDE_NAMES, SIDES, GameData, enemy_of
from tests.toy.model.signs import ASSAULT, ATTACK, BATTALION, MARINES, MOVE, OBJECTIVE, SPENT, STEPS, STOPPED
from tests.toy.model.state import Force, State
from tests.toy.rules.standing import meaning
from tests.toy.rules.victory import points_of
from tests.toy.sequence import PHASES, moment
from tests.toy.show.describe import HEADLINES, SENTENCES

_TITLES = {phase.key: phase.title for phase in PHASES}


def _title(line: Disclosure[Any]) -> str:
    return title_in(PHASES, line.phase)


def show(game_data: GameData, known: State, audience: Audience, disclosures: Sequence[Disclosure[Any]]) -> View:
    """All that an audience may be shown. `known` is the player's state."""
    return View(
        audience=audience,
        audience_title=audience_title(audience, SIDE_NAMES),
        campaign=game_data.title,
        date=moment(known).label,
        stop=_title(disclosures[0]) if disclosures else "",
        next_stop="" if known.open.ended else _TITLES[known.open.phase],
        counters=tuple(_counter(force, side) for side, own in known.own.items() for force in own.forces.values()),
        sightings=tuple(_sightings(known)),
        markers=tuple(_markers(game_data, known)),
        arrows=tuple(_arrows(disclosures)),
        control=tuple(sorted(known.open.control.items())),
        panels=tuple(_panels(game_data, known)),
        chart=tuple(_open_to_all(game_data, known)),
        log=tuple(log_lines(disclosures, map(_title, disclosures), partial(sentence_for, sentences=SENTENCES))),
        headlines=headlines(disclosures, HEADLINES),
    )


def _counter(force: Force, side: SideId) -> Counter:
    return Counter(
        unit=force.id,
        at=force.at,
        side=side,
        label=force.id,
        name=force.name,
        branch=MARINES.key,
        echelon=BATTALION.key,
        small=False,
        figures=(Figure(STEPS.key, force.strength),),
        states=(SPENT.key,) if force.spent else (),
    )


def _sightings(known: State) -> Iterator[Sighting]:
    """R6.1 The enemy as one side sees it. The GM sees both sides' counters instead."""
    if len(known.own) != 1:
        return
    for side, own in known.own.items():
        for seen in own.seen:
            yield Sighting(seen.at, enemy_of(side), MARINES.key, seen.force, BATTALION.key)


def _markers(game_data: GameData, known: State) -> Iterator[Marker]:
    for place, side in sorted(known.open.control.items()):
        yield Marker(place, OBJECTIVE.key, side, game_data.areas[place].points)
    if known.open.attack is not None:
        yield Marker(known.open.attack.at, ATTACK.key, known.open.attack.attacker)


def _arrows(disclosures: Sequence[Disclosure[Any]]) -> Iterator[Arrow]:
    for line in disclosures:
        match line.fact:
            case facts.Moved(side=side, start=start, path=path, met=met) if path:
                yield Arrow((STOPPED if met else MOVE).key, side, (start, *path))
            case facts.Attacked(attack=attack):
                yield Arrow(ASSAULT.key, attack.attacker, (attack.start, attack.at))


def _panels(game_data: GameData, known: State) -> Iterator[Panel]:
    yield from _open_to_all(game_data, known)
    for side, own in known.own.items():
        yield Panel(
            f"hand-{side}", f"Hand of {SIDE_NAMES[side]}", (), tuple((card.value,) for card in own.hand), on_map=True
        )
        orders = tuple((meaning(order),) for order in own.standing)
        yield Panel(f"standing-{side}", f"Standing orders of {SIDE_NAMES[side]}", (), orders)


def _open_to_all(game_data: GameData, known: State) -> Iterator[Panel]:
    points = points_of(game_data, known.open.control)
    yield Panel("points", "Points", (), tuple((SIDE_NAMES[side], str(points[side])) for side in SIDES), on_map=True)
    sizes = known.open.hand_sizes
    yield Panel("cards", "Cards in hand", (), tuple((SIDE_NAMES[side], str(sizes[side])) for side in SIDES))
