"""The bars that the games are held to."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, median, stdev

from campaign.engine.bars import Bar, Result
from campaign.engine.values.ids import SideId
from campaign.rulesets.forum_campaign.bars.trials import ALL, FIVE, OWNERS, ablation, pairing
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, SIDES

Results = Mapping[str, Sequence[Result]]
_FIRST_DAY, _CRISIS, _LAST_DAY = 16, 24, 31
"""The days from which and until which fuel must and must not be short."""
_SHORT = 2
"""Marches that fuel must forbid on a day that counts."""
_CERTAIN = 1.96
"""Standard errors of a 95 percent bound."""
_MEDIAN = 1.2533
"""The standard error of a median, in those of a mean."""


def judge(results: Results) -> Iterator[Bar]:
    """All bars that there are results for."""
    mirror = results["mirror"]
    yield from _history(mirror)
    yield from _fuel(mirror, results["unlimited fuel"])
    yield _share("ladder.mirror", [_won(game, GERMAN) for game in mirror], least=40, most=60)
    yield from _ladder(results)
    yield from _features(results, mirror)
    yield _share("tutorial", [_won(game, GERMAN) for game in results["tutorial"]], least=40, most=60)


def _history(games: Sequence[Result]) -> Iterator[Bar]:
    meuse = [game.get("at_the_meuse", _LAST_DAY + 1) for game in games]
    cut_off = [game.get("bastogne_cut_off", _LAST_DAY + 1) for game in games]
    yield _share("history.meuse-20-to-26", [20 <= day <= 26 for day in meuse], least=20, most=60)
    yield _share("history.meuse-before-20", [day < 20 for day in meuse], most=5)
    yield _share("history.bastogne-cut-off", [day <= 22 for day in cut_off], least=30, most=70)
    yield _share("history.elsenborn", [game["elsenborn"] for game in games], most=25)
    for side, most in ((ALLIED, 14), (GERMAN, 6)):
        yield _median(f"history.lost-{side}", [game[f"lost_{side}"] for game in games], most=most)


def _fuel(games: Sequence[Result], unlimited: Sequence[Result]) -> Iterator[Bar]:
    days = list(zip(*(game["forbidden"] for game in games), strict=True))
    medians = [median(day) for day in days]
    crisis = _CRISIS - _FIRST_DAY
    yield Bar(name="fuel.forbidden-until-22", value=max(medians[: crisis - 1]), error=0.0, most=0)
    short = sum(each >= _SHORT for each in medians[crisis:])
    yield Bar(name="fuel.short-days-from-24", value=float(short), error=0.0, least=4)
    worth = _mean("fuel.unlimited", _gains(unlimited, games, GERMAN), least=3)
    yield worth
    yield _bound("fuel.unlimited-at-least", worth)


def _ladder(results: Results) -> Iterator[Bar]:
    for name in FIVE:
        yield _share(f"ladder.all-round-{name}", _wins(results, ALL, name), least=55)
    for name in FIVE:
        others = [other for other in (ALL, *FIVE) if other != name]
        wins = [won for other in others for won in _wins(results, name, other)]
        yield _share(f"ladder.{name}", wins, most=65)


def _wins(results: Results, name: str, other: str) -> list[float]:
    """How a bot does against another, on both sides."""
    as_german, as_allied = results[pairing(name, other)], results[pairing(other, name)]
    return [_won(game, GERMAN) for game in as_german] + [_won(game, ALLIED) for game in as_allied]


def _features(results: Results, mirror: Sequence[Result]) -> Iterator[Bar]:
    proven = 0
    for feature, owners in OWNERS.items():
        games = [(results[ablation(feature, side)], side) for side in owners]
        gains = [gain for played, side in games for gain in _gains(mirror, played, side)]
        judged = feature != "commandos"
        bar = _mean(f"features.{feature}", gains, least=0 if judged else None, most=6 if judged else None)
        proven += judged and _bound("", bar).value > 0
        yield bar
    yield Bar(name="features.proven", value=float(proven), error=0.0, least=3)


# --- figures ---------------------------------------------------------------------------------------------------------


def _won(game: Result, side: SideId) -> float:
    """A draw is half a win."""
    return 1.0 if game["outcome"] == side else 0.0 if game["outcome"] in SIDES else 0.5


def _gains(more: Sequence[Result], less: Sequence[Result], side: SideId) -> list[float]:
    """How many points more a side has in the first games than in the others with the same seeds."""
    return [one[f"vp_{side}"] - other[f"vp_{side}"] for one, other in zip(more, less, strict=False)]


def _share(name: str, of: Sequence[float], *, least: float | None = None, most: float | None = None) -> Bar:
    """A share in percent."""
    share = mean(of)
    error = (share * (1 - share) / len(of)) ** 0.5
    return Bar(name=name, value=100 * share, error=100 * error, least=least, most=most)


def _mean(name: str, of: Sequence[float], *, least: float | None = None, most: float | None = None) -> Bar:
    return Bar(name=name, value=mean(of), error=_error(of), least=least, most=most)


def _median(name: str, of: Sequence[float], *, most: float) -> Bar:
    return Bar(name=name, value=float(median(of)), error=_MEDIAN * _error(of), most=most)


def _bound(name: str, bar: Bar) -> Bar:
    """The lower 95 percent bound of a figure, which must not be below zero."""
    return Bar(name=name, value=bar.value - _CERTAIN * bar.error, error=0.0, least=0)


def _error(of: Sequence[float]) -> float:
    return stdev(of) / len(of) ** 0.5 if len(of) > 1 else 0.0
