"""`manage.py play SCENARIO`: bots play whole campaigns of a scenario; prints a line for each game, and a summary.

`manage.py play --bar` plays the games that the supplied scenarios are judged by, and prints a line for each bar.
`manage.py play SCENARIO --through URL --tokens FILE` plays a running campaign over the API of a site, for whoever made
the tokens, and prints a line for each sheet.
"""

import json
import os
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.engine.bars import Result, Trial
from campaign.engine.errors import ScenarioError
from campaign.engine.values.ids import SideId
from campaign.game import through
from campaign.game.bars import Kept, OldResults, all_bars, judged, open_games, play_trial
from campaign.game.loading import Loaded, WithStart, find_scenario, load_scenario
from campaign.game.simulation import Game, options_with, play_game, simulation_of
from campaign.secrecy import truth


@dataclass(frozen=True)
class _Series:
    """Games with the same settings."""

    folder: Path
    players: Mapping[SideId, str]
    options: Mapping[str, str]


_BarGame = tuple[str, Trial[Any], int]
"""The ruleset, the trial, and the seed."""
_EVERY = "all"
_HOUR = 60
_OF_SCENARIO = ("scenario", "games", "first", "bots", "option", "json", "through", "tokens", "every")
_OF_BAR = ("minutes", "kept")
_OF_SITE = ("tokens", "every")
_OF_GAMES = ("games", "first", "option", "json", "jobs", "kept")
_USUAL_WAIT = 10
"""Seconds between looks at a running campaign."""


class Command(BaseCommand):
    help = "Let bots play whole campaigns of a scenario: a line for each game, and a summary."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scenario", nargs="?", help="forum_campaign/ardennes-1944, or a folder")
        parser.add_argument(
            "--bar",
            nargs="?",
            const=_EVERY,
            choices=[_EVERY, *all_bars()],
            help="judge the supplied scenarios by many games, in parts; or those of one ruleset",
        )
        parser.add_argument(
            "--minutes", type=_some, help="--bar begins no game after these, 60 by default; --through ends"
        )
        parser.add_argument("--kept", type=Path, metavar="FILE", help="where --bar keeps its results")
        parser.add_argument("--games", type=_some, help="1 by default")
        parser.add_argument("--first", type=int, metavar="SEED", help="of the first game, 1 by default; others follow")
        parser.add_argument(
            "--bots", nargs="+", default=[], metavar="SIDE=NAME", help="who plays; the ruleset's first bot otherwise"
        )
        parser.add_argument("--option", action="append", default=[], metavar="NAME=ANSWER", help="a campaign's choice")
        parser.add_argument("--through", metavar="URL", help="play a running campaign over the API of this site")
        parser.add_argument("--tokens", type=Path, metavar="FILE", help="the tokens for --through, one per line")
        parser.add_argument("--every", type=_some, metavar="SECONDS", help="how often --through looks: 10 by default")
        parser.add_argument("--json", action="store_true", help="lines of JSON")
        parser.add_argument("--jobs", type=_some, help="games played side by side: one for each processor by default")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["bar"]:
            _require_unset(options, _OF_SCENARIO, "--bar chooses its own games")
            kept = options["kept"] or settings.DATA_DIR / "bar.txt"
            chosen = list(all_bars()) if options["bar"] == _EVERY else [options["bar"]]
            self._bar(chosen, kept, minutes=options["minutes"] or _HOUR, jobs=_jobs(options))
        elif options["scenario"] and options["through"]:
            _require_unset(options, _OF_GAMES, "--through plays a campaign that is running")
            self._play_through(options)
        elif options["scenario"]:
            _require_unset(options, _OF_BAR, "only --bar uses it")
            _require_unset(options, _OF_SITE, "only --through uses it")
            self._play(options)
        else:
            raise CommandError("name a scenario, or say --bar")

    def _bar(self, rulesets: Sequence[str], file: Path, *, minutes: int, jobs: int) -> None:
        """Play on for some minutes; judge when all games are played."""
        until = monotonic() + minutes * 60
        try:
            kept = Kept(file)
        except OldResults as error:
            raise CommandError(str(error)) from error
        to_play = takewhile(lambda _game: monotonic() <= until, _open_games(rulesets, kept))
        for trial, seed, result in _results(to_play, jobs):
            kept.add(trial, seed, result)
        if left := sum(1 for _ in _open_games(rulesets, kept)):
            self.stdout.write(f"{left} games are left. Run it again to play them.")
            return
        for ruleset in rulesets:
            for bar in judged(all_bars()[ruleset], kept.results):
                self.stdout.write(str(bar))

    def _play_through(self, options: Mapping[str, Any]) -> None:
        """Play a running campaign until it is over, or for some minutes."""
        loaded = _load(find_scenario(options["scenario"])).open
        until = monotonic() + options["minutes"] * 60 if options["minutes"] else None
        try:
            site, tokens = through.site_of(options["through"]), _tokens(options["tokens"])
            players = through.players_with(site, tokens, loaded, _players(loaded, options["bots"]))
            played = through.play_on(
                players,
                wait=lambda: sleep(options["every"] or _USUAL_WAIT),
                goes_on=lambda: until is None or monotonic() <= until,
            )
            for line in played:
                self.stdout.write(line)
        except (through.Refused, ValueError, OSError) as error:
            raise CommandError(str(error)) from error

    def _play(self, options: Mapping[str, Any]) -> None:
        """Play a scenario."""
        folder = find_scenario(options["scenario"])
        loaded = _load(folder)
        series = _Series(folder, _players(loaded, options["bots"]), _choices(loaded, options["option"]))
        games: list[Game] = []
        first = options["first"] if options["first"] is not None else 1
        seeds = range(first, first + (options["games"] or 1))
        for game in _play_all(series, seeds, _jobs(options)):
            games.append(game)
            self.stdout.write(json.dumps(_line(game)) if options["json"] else _sentence(game))
        summary = _summary(games)
        self.stdout.write(json.dumps({"summary": summary}) if options["json"] else _table(summary))


def _tokens(file: Path | None) -> list[str]:
    """The tokens in a file. They are no words of the command, which everybody on the computer can list."""
    if file is None:
        raise CommandError("--through needs --tokens FILE: a file with a token in each line")
    found = [line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if not found:
        raise CommandError(f"there is no token in {file}")
    return found


def _require_unset(options: Mapping[str, Any], names: Sequence[str], why: str) -> None:
    """Raise CommandError if a word is given that would have no effect."""
    for name in names:
        if options[name] is not False and options[name] not in (None, []):
            raise CommandError(f"{name if name == 'scenario' else f'--{name}'}: {why}. Leave it out.")


def _some(written: str) -> int:
    """A number of games or jobs, at least 1."""
    if not written.isdecimal() or int(written) == 0:
        raise ArgumentTypeError(f"{written!r} is not 1 or more")
    return int(written)


def _jobs(options: Mapping[str, Any]) -> int:
    return options["jobs"] or os.cpu_count() or 1


def _open_games(rulesets: Sequence[str], kept: Kept) -> Iterator[_BarGame]:
    """The games of these rulesets' bars that have no result yet."""
    return ((ruleset, *game) for ruleset in rulesets for game in open_games(all_bars()[ruleset], kept))


def _results(games: Iterator[_BarGame], jobs: int) -> Iterator[tuple[str, int, Result]]:
    """The results of games by trial and seed, as they end. A game is taken when a process is free to play it."""
    if jobs == 1:
        yield from (_result(*game) for game in games)
        return
    failed: BaseException | None = None
    with ProcessPoolExecutor(jobs, initializer=truth.trust_process) as pool:
        playing = {pool.submit(_result, *game) for game in islice(games, jobs)}
        while playing:
            ended, playing = wait(playing, return_when=FIRST_COMPLETED)
            failed = failed or next(filter(None, (each.exception() for each in ended)), None)
            if failed is None:
                playing |= {pool.submit(_result, *game) for game in islice(games, len(ended))}
            yield from (each.result() for each in ended if each.exception() is None)
    if failed is not None:
        raise failed


def _result(ruleset: str, trial: Trial[Any], seed: int) -> tuple[str, int, Result]:
    return trial.key, seed, play_trial(all_bars()[ruleset], trial, seed)


def _players(loaded: Loaded, written: Sequence[str]) -> dict[SideId, str]:
    """The bot of each side."""
    bots = simulation_of(loaded).bots
    players = dict.fromkeys(loaded.rules.sides, next(iter(bots)))
    for side, name in _pairs(written, f"a bot is written SIDE=NAME, as in {next(iter(players))}={next(iter(bots))}"):
        if side not in players:
            raise CommandError(f"there is no side {side!r}; there are {', '.join(players)}")
        if name not in bots:
            raise CommandError(f"there is no bot {name!r}; there are {', '.join(bots)}")
        players[SideId(side)] = name
    return players


def _pairs(written: Sequence[str], else_say: str) -> Iterator[tuple[str, str]]:
    """Words with an equals sign, parted at it."""
    for word in written:
        name, sign, answer = word.partition("=")
        if not sign or not answer:
            raise CommandError(else_say)
        yield name, answer


def _choices(loaded: Loaded, written: Sequence[str]) -> dict[str, str]:
    choices = dict(_pairs(written, "an option is written NAME=ANSWER, as in zone_cost=stop"))
    try:
        options_with(loaded, choices)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return choices


def _load(folder: Path) -> WithStart:
    try:
        return load_scenario(folder)
    except ScenarioError as error:
        raise CommandError(str(error)) from error


def _play_all(series: _Series, seeds: range, jobs: int) -> Iterator[Game]:
    if jobs == 1 or len(seeds) == 1:
        loaded = _load(series.folder)
        yield from (play_game(loaded, seed=seed, players=series.players, options=series.options) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs, initializer=truth.trust_process) as pool:
        yield from pool.map(_play_one, [series] * len(seeds), seeds, chunksize=1)


_LOADED: dict[Path, WithStart] = {}
"""Each worker reads its scenario once."""


def _play_one(series: _Series, seed: int) -> Game:
    if series.folder not in _LOADED:
        _LOADED[series.folder] = load_scenario(series.folder)
    return play_game(_LOADED[series.folder], seed=seed, players=series.players, options=series.options)


def _line(game: Game) -> dict[str, Any]:
    return {
        "seed": game.seed,
        "players": dict(game.players),
        "result": game.outcome,
        "days": game.days,
        "figures": game.figures,
        "phases": list(game.phases.values()),
        "refused": dict(sorted(game.refused.items())),
        "seconds": round(game.seconds, 2),
    }


def _sentence(game: Game) -> str:
    last = ", ".join(f"{name} {figures[-1]}" for name, figures in game.figures.items())
    return f"game {game.seed}: {game.outcome} after {len(game.days)} days; {last}; {game.seconds:.1f} s"


def _summary(games: list[Game]) -> dict[str, Any]:
    """Medians over all games by day, and how often each side won."""
    days = max(games, key=lambda game: len(game.days)).days
    names = games[0].figures
    return {
        "games": len(games),
        "players": dict(games[0].players),
        "results": dict(Counter(game.outcome for game in games).most_common()),
        "days": days,
        "medians": {name: [_median(games, name, day) for day in range(len(days))] for name in names},
        "first_day": {name: _median_first_day(games, name) for name in names},
        "phases_a_day": float(median(number for game in games for number in game.phases.values())),
        "refused_a_game": round(sum(game.refused.total() for game in games) / len(games), 2),
        "seconds_a_game": round(median(game.seconds for game in games), 2),
    }


def _median(games: list[Game], name: str, day: int) -> float:
    return float(median(game.figures[name][day] for game in games if day < len(game.days)))


def _median_first_day(games: list[Game], name: str) -> str | None:
    """The day by which the figure was above zero in half of the games; None if it never was in most of them."""
    firsts = sorted(
        next((day for day, figure in zip(game.days, game.figures[name], strict=True) if figure), "never")
        for game in games
    )
    middle = firsts[(len(firsts) - 1) // 2]
    return None if middle == "never" else middle


def _table(summary: Mapping[str, Any]) -> str:
    results = ", ".join(f"{result} {count}" for result, count in summary["results"].items())
    head = " ".join(f"{day[-2:]:>5}" for day in summary["days"])
    rows = [
        f"{name:18}" + " ".join(f"{figure:5.0f}" for figure in figures) for name, figures in summary["medians"].items()
    ]
    refused, seconds = summary["refused_a_game"], summary["seconds_a_game"]
    tail = f"phases a day {summary['phases_a_day']:g}, refused lines a game {refused}, {seconds} s a game"
    return "\n".join([f"{summary['games']} games: {results}", f"{'median of':18}{head}", *rows, tail])
