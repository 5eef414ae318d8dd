"""The figures, their limits and their definitions."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.structure import chain, runs, sources


@dataclass(frozen=True)
class Figure:
    """A figure of how the project is built, which may not grow beyond its limit."""

    name: str
    value: int
    most: int
    definition: str
    """What is counted, and what it was at commit 4b1737a."""
    parts: tuple[str, ...]
    """What was counted, one by one."""

    def __str__(self) -> str:
        return f"{self.name}: {self.value} (at most {self.most})\n  {self.definition}\n  {', '.join(self.parts)}\n"


def figures() -> Iterator[Figure]:
    """All that have a limit. The database must be at the present schema; a campaign is written into it."""
    yield from (figure() for figure in OF_TEXT)
    yield post_figure()


def parser_figure() -> Figure:
    calls = sources.parse_calls()
    return Figure(
        "places where the text of a sheet is parsed",
        len(calls),
        5,
        f"Calls of {sources.PARSER} in product files; 13 before.",
        tuple(calls),
    )


def packages_figure() -> Figure:
    levels = sources.levels()
    by_level = tuple(f"{name} {level}" for name, level in sorted(levels.items(), key=lambda each: (-each[1], each[0])))
    return Figure(
        "packages of the forum campaign",
        len(levels),
        15,
        "Folders and modules directly in the ruleset's folder, but for its __init__; 74 modules and bots before.",
        by_level,
    )


def levels_figure() -> Figure:
    return Figure(
        "levels of the forum campaign",
        max(sources.levels().values()),
        7,
        "The longest chain of packages of which each imports the next, not counting imports for type checkers; "
        "15 before.",
        (),
    )


def chain_figure() -> Figure:
    files = chain.files_of_chain()
    return Figure(
        "files of the chain of MOVE",
        len(files),
        15,
        "Files that one opens to follow a MOVE from its text to its effect: those of the functions, classes and "
        "tables of tests/structure/chain.py, which a run must call; 17 before.",
        tuple(map(str, files)),
    )


OF_TEXT = (parser_figure, packages_figure, levels_figure, chain_figure)
"""Those that need no database."""


def post_figure() -> Figure:
    """That of a sheet that is sent; a campaign is written into the database."""
    files = runs.files_entered_by_post()
    return Figure(
        "files entered by a POST of a sheet",
        len(files),
        60,
        f"Product files in which a function is called, from a commander's first POST of '{runs.LINE}' through the real "
        "client, database and scenario to its redirect; 61 before.",
        tuple(map(str, files)),
    )


def lines_of_code() -> Iterator[str]:
    """The number of lines, of all folders and of each."""
    by_folder = sources.lines_by_folder()
    yield f"lines of Python: {sum(by_folder.values()):,}"
    yield "  All lines, blank ones too, of every .py file that is neither a test nor a migration; 39,399 before."
    yield from (f"  {count:6,} {folder}" for folder, count in by_folder.items())
