"""What games between bots must show of the area game's scenarios: who wins, and how many phases a day has."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from statistics import mean, median

from campaign.engine.bars import Bar, Bars, Moment, Result, Trial, Waited, mails_after
from campaign.engine.values.ids import Audience, SideId, audience_of
from campaign.rulesets.area_activation.bots import BOTS, Bot
from campaign.rulesets.area_activation.bots.sheets import asking
from campaign.rulesets.area_activation.bots.styles import ALLROUNDER
from campaign.rulesets.area_activation.model.game_data import ALLIED, GERMAN, SIDES, GameData
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.sequence import IMPULSE, REPLY

SCENARIOS = {"race-to-the-meuse": 100, "ardennes-1944": 100}
"""With the games of each German bot against each Allied one; they have the same seeds."""
_SMALL, *_ = SCENARIOS
_OF_PHASES = 10
_MAIN, *_ = BOTS
_ASKING, _ABSENT = "asking", "absent"


def _absent(_game_data: GameData, _known: State, _who: Audience) -> str:
    """R47 Nobody writes a sheet, nor an answer."""
    return ""


PLAYERS: Mapping[str, Bot] = {**BOTS, _ASKING: asking(ALLROUNDER), _ABSENT: _absent}


def pairing(scenario: str, german: str, allied: str) -> str:
    """The key of the games between two bots."""
    return f"{scenario}: {german} against {allied}"


def _trials() -> Iterator[Trial[State]]:
    for scenario, games in SCENARIOS.items():
        for german, allied in product(BOTS, BOTS):
            yield _trial(scenario, german, allied, games)
    for german, allied in ((_ASKING, _ASKING), (_MAIN, _ABSENT), (_ABSENT, _MAIN)):
        yield _trial(_SMALL, german, allied, _OF_PHASES)


def _trial(scenario: str, german: str, allied: str, games: int) -> Trial[State]:
    return Trial(
        key=pairing(scenario, german, allied),
        scenario=f"area_activation/{scenario}",
        players={GERMAN: german, ALLIED: allied},
        games=games,
    )


def note(_game_data: GameData, _trial: Trial[State], moments: Iterable[Moment[State]]) -> Result:
    """The winner, the points and the phases of each day, and the most mails that a side received in one.

    Without questions that it wants to be asked (R47), unless they come with a report.
    """
    played = [moment for moment in moments if moment.sheets]  # a set-up waits for nobody
    days = [moment.before.open.date.day for moment in played]
    phases = [moment.before.open.phase for moment in played]
    waited: list[Waited] = [
        (phase not in (IMPULSE, REPLY), moment.sheets if phase != REPLY else ())
        for phase, moment in zip(phases, played, strict=True)
    ]
    last = played[-1].after
    return {
        "outcome": last.open.winner or "draw",
        "points": list({day: moment.after.open.points for day, moment in zip(days, played, strict=True)}.values()),
        "phases": list(Counter(days).values()),
        "mails": max(most for side in SIDES for most in _by_day(days, mails_after(waited, audience_of(side)))),
    }


def _by_day(days: Sequence[int], numbers: Iterable[int]) -> Iterable[int]:
    """The sums of a number of each phase."""
    sums: Counter[int] = Counter()
    for day, number in zip(days, numbers, strict=True):
        sums[day] += number
    return sums.values()


# --- the bars --------------------------------------------------------------------------------------------------------


def judge(results: Mapping[str, Sequence[Result]]) -> Iterator[Bar]:
    """All bars, from the results of every trial."""
    for scenario in SCENARIOS:
        for name in BOTS:
            mirror = results[pairing(scenario, name, name)]
            yield _share(f"{scenario}.mirror-{name}", [_won(game, GERMAN) for game in mirror], least=40, most=60)
        for name in BOTS:
            others = [other for other in BOTS if other != name]
            wins = [won for other in others for won in _wins(results, scenario, name, other)]
            yield _share(f"{scenario}.{name}", wins, most=65)
    delegated = results[pairing(_SMALL, _MAIN, _MAIN)]
    yield _days("phases.delegated", delegated, most=2)
    yield _days("phases.asking", results[pairing(_SMALL, _ASKING, _ASKING)], most=5)
    for german, allied in ((_MAIN, _ABSENT), (_ABSENT, _MAIN)):
        absent = GERMAN if german == _ABSENT else ALLIED
        yield _days(f"phases.without-{absent}", results[pairing(_SMALL, german, allied)], most=5)
    most = max(game["mails"] for games in results.values() for game in games if "mails" in game)
    yield Bar(name="phases.mails-of-a-side", value=float(most), error=0.0, most=4)


def _wins(results: Mapping[str, Sequence[Result]], scenario: str, name: str, other: str) -> list[float]:
    """How a bot does against another, on both sides."""
    as_german, as_allied = results[pairing(scenario, name, other)], results[pairing(scenario, other, name)]
    return [_won(game, GERMAN) for game in as_german] + [_won(game, ALLIED) for game in as_allied]


def _won(game: Result, side: SideId) -> float:
    """A draw is half a win."""
    return 1.0 if game["outcome"] == side else 0.5 if game["outcome"] == "draw" else 0.0


def _share(name: str, of: Sequence[float], *, least: float | None = None, most: float | None = None) -> Bar:
    """A share in percent."""
    share = mean(of)
    error = (share * (1 - share) / len(of)) ** 0.5
    return Bar(name=name, value=100 * share, error=100 * error, least=least, most=most)


def _days(name: str, games: Sequence[Result], *, most: float) -> Bar:
    """The median of the phases a day."""
    days = [number for game in games for number in game["phases"]]
    return Bar(name=name, value=float(median(days)), error=0.0, most=most)


BARS: Bars[GameData, State] = Bars(trials=tuple(_trials()), bots=PLAYERS, note=note, judge=judge)
