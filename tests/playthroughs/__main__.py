"""Writes the playthroughs, the transcript of the demonstration, the answers of the cases, and the results of editions.

With names only those games; `answers` is the name of the answers, `editions` that of the results.
"""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from campaign.secrecy import truth  # noqa: E402 - needs Django set up

truth.trust_process()  # it reads whole scenarios

from tests.laws.games import RULES  # noqa: E402 - needs Django set up
from tests.playthroughs import answers, editions  # noqa: E402 - needs Django set up
from tests.playthroughs.games import GAMES, Playthrough  # noqa: E402 - needs Django set up
from tests.playthroughs.transcript import FILE, transcript  # noqa: E402


def _write(game: Playthrough) -> None:
    """All days of a game; what is left of a longer one goes."""
    files = game.files()
    game.folder.mkdir(parents=True, exist_ok=True)
    for stale in {path.name for path in game.folder.glob("*.txt")} - set(files):
        (game.folder / stale).unlink()
    for name, lines in files.items():
        (game.folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


wanted = sys.argv[1:]
for each in GAMES:
    if not wanted or each.scenario in wanted:
        _write(each)
if not wanted:
    FILE.write_text("\n".join(transcript()) + "\n", encoding="utf-8")
if not wanted or "answers" in wanted:
    answers.FILE.write_text("\n".join(answers.answers()) + "\n", encoding="utf-8")
if not wanted or "editions" in wanted:
    for rules in RULES:
        editions.keep(rules)
