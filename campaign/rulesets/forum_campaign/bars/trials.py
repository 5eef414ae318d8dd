"""The games that are played for the bars, and by whom."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from campaign.engine.bars import Trial
from campaign.engine.state import with_open
from campaign.engine.values.ids import Audience, SideId
from campaign.rulesets.forum_campaign.bots import BOTS, Bot
from campaign.rulesets.forum_campaign.bots.styles import ALL_ROUND, STYLES
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES, GameData
from campaign.rulesets.forum_campaign.model.state import State

LARGE, TUTORIAL = "forum_campaign/ardennes-1944", "forum_campaign/st-vith-1944"
ALL = ALL_ROUND.name
FIVE = tuple(style.name for style in STYLES if style.name != ALL)
_PLENTY = 99
"""R10 Fuel that never runs out."""
_GAMES = 100
_A_PAIRING = 20
_TO_PROVE = {"air": 400, "artillery": 200}
"""Games without a feature, where `_GAMES` are too few to tell its effect from chance."""

FEATURES: Mapping[str, tuple[str, ...]] = {
    "air": ("AIR", "INTERDICT", "AIRDROP", "REMOVE", "CAS"),
    "artillery": ("ARTILLERY",),
    "purchases": ("BUY",),
    "demolition": ("DEMOLISH",),
    "commandos": ("FOLLOW",),
}
"""How the lines begin with which a side uses a feature."""
OWNERS: Mapping[str, Sequence[SideId]] = {
    "air": SIDES,
    "artillery": SIDES,
    "purchases": SIDES,
    "demolition": (ALLIED,),
    "commandos": (GERMAN,),
}


def without(feature: str) -> str:
    """The name of the all-round bot that does not use a feature."""
    return f"{ALL} without {feature}"


def _silent(bot: Bot, feature: str) -> Bot:
    def sheet(game_data: GameData, known: State, who: Audience) -> str:
        lines = bot(game_data, known, who).splitlines(keepends=True)
        begins = [*FEATURES[feature], *(_commandos(known, SideId(who)) if feature == "commandos" else ())]
        begins += [f"{verb} {unit}" for unit in _dropped(lines) for verb in _VERBS] if feature == "air" else []
        return "".join(line for line in lines if not line.startswith(tuple(f"{words} " for words in begins)))

    return sheet


_VERBS = ("MOVE", "THEN", "ATTACK", "DETACH", "REJOIN")
_DROP = "AIRDROP "


def _dropped(lines: Sequence[str]) -> Iterator[str]:
    """R3.8 The units that may do something only because they are supplied from the air."""
    return (line.removeprefix(_DROP).strip() for line in lines if line.startswith(_DROP))


def _commandos(known: State, side: SideId) -> Iterator[str]:
    """How the lines begin that move them."""
    return (f"MOVE {unit.label}" for unit in known.own[side].units.values() if not unit.ground)


PLAYERS: Mapping[str, Bot] = {**BOTS, **{without(feature): _silent(BOTS[ALL], feature) for feature in FEATURES}}


def full_tank(state: State) -> State:
    """R10 The same with unlimited fuel."""
    return with_open(state, fuel=_PLENTY)


def pairing(german: str, allied: str) -> str:
    """The key of the games between two bots."""
    return f"{german} against {allied}"


def ablation(feature: str, side: SideId) -> str:
    """The key of the games in which a side does not use a feature."""
    return f"{side} without {feature}"


def _trials() -> Iterator[Trial[State]]:
    mirror = {GERMAN: ALL, ALLIED: ALL}
    pairs = {feature: _TO_PROVE.get(feature, _GAMES) // len(owners) for feature, owners in OWNERS.items()}
    yield Trial(key="mirror", scenario=LARGE, players=mirror, games=max(pairs.values()))
    yield Trial(key="unlimited fuel", scenario=LARGE, players=mirror, games=_GAMES, before_each=full_tank)
    for german, allied in permutations((ALL, *FIVE), 2):
        players = {GERMAN: german, ALLIED: allied}
        yield Trial(key=pairing(german, allied), scenario=LARGE, players=players, games=_A_PAIRING // 2)
    yield Trial(key="tutorial", scenario=TUTORIAL, players=mirror, games=_GAMES)
    for feature, owners in OWNERS.items():
        for side in owners:
            players = mirror | {side: without(feature)}
            yield Trial(key=ablation(feature, side), scenario=LARGE, players=players, games=pairs[feature])


TRIALS: Sequence[Trial[State]] = tuple(_trials())
