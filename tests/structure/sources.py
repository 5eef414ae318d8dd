"""What the source text says: who imports whom, where sheets are parsed, how many lines there are."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULESET = "campaign.rulesets.forum_campaign"
PARSER = "campaign.engine.orders.notation.parse"


def product_files() -> list[Path]:
    """Every Python file that is neither a test nor a migration."""
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
    kept = (path for path in found if not path.parts[0].startswith((".", "tests", "mutants", "var")))
    return sorted(path for path in kept if "migrations" not in path.parts)


def lines_by_folder() -> dict[str, int]:
    """Lines of the product files, by the folder that they lie in; blank lines count."""
    counts: dict[str, int] = {}
    for path in product_files():
        folder = str(path.parent)
        counts[folder] = counts.get(folder, 0) + len((ROOT / path).read_text(encoding="utf-8").splitlines())
    return counts


# --- where the text of a sheet is parsed ------------------------------------------------------------------------------


def parse_calls() -> list[str]:
    """Each call of the parser as file:line."""
    return [f"{path}:{line}" for path in product_files() for line in _calls(path)]


def _calls(path: Path) -> Iterator[int]:
    tree = _tree(path)
    names = {PARSER}
    for name, alias in _from_imports(tree):
        bound = alias.asname or alias.name
        names |= {bound} if f"{name}.{alias.name}" == PARSER else set()
        names |= {f"{bound}.parse"} if f"{name}.{alias.name}.parse" == PARSER else set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
            yield node.lineno


# --- packages and levels ----------------------------------------------------------------------------------------------


def levels() -> dict[str, int]:
    """Each package of the ruleset, with its level; a module of its own counts as a package.

    Level 1 imports no other package of the ruleset; each further level is one more than the highest that it imports.
    Its `__init__`, which binds them, is none. Imports for type checkers alone do not count. A circle is a
    RecursionError.
    """
    edges = _edges()

    @cache
    def level(package: str) -> int:
        return 1 + max((level(other) for other in edges[package]), default=0)

    return {package: level(package) for package in sorted(edges)}


def _edges() -> Mapping[str, set[str]]:
    """Whom each package of the ruleset imports."""
    folder = Path(*RULESET.split("."))
    inside = [path.relative_to(folder) for path in product_files() if path.is_relative_to(folder)]
    edges: dict[str, set[str]] = {path.parts[0].removesuffix(".py"): set() for path in inside}
    del edges["__init__"]
    for path in inside:
        here = path.parts[0].removesuffix(".py")
        if here in edges:
            named = {_below(name) for name in _imported(folder / path)}
            edges[here] |= (named & edges.keys()) - {here}
    return edges


def _below(name: str) -> str:
    """The package of the ruleset that a dotted name lies in; empty for all others."""
    return name.removeprefix(f"{RULESET}.").partition(".")[0] if name.startswith(f"{RULESET}.") else ""


def _imported(path: Path) -> Iterator[str]:
    tree = _tree(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
    yield from (f"{name}.{alias.name}" for name, alias in _from_imports(tree))


def _from_imports(tree: ast.AST) -> Iterator[tuple[str, ast.alias]]:
    """What is imported from where, but for type checkers alone."""
    typing = (node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    left_out = {inner for node in typing for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node not in left_out:
            yield from ((node.module, alias) for alias in node.names)


def _tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))
