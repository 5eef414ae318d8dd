"""Every locked package installs *and* imports: some declare a Python they cannot run on."""

import importlib
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.locks import LOCKS, read_lock

HERE = sorted(
    {
        str(entry.requirement)
        for lock in LOCKS
        for entry in read_lock(lock)
        if entry.requirement.marker is None or entry.requirement.marker.evaluate()
    }
)


def top_level_modules(distribution: str) -> list[str]:
    """The modules of a distribution, without stubs for type checkers."""
    files = metadata.files(distribution) or []
    tops = {path.parts[0] for path in files if path.suffix in {".py", ".so"}}
    names = {top.split(".")[0] for top in tops}
    return sorted(name for name in names if name.isidentifier())


def programs(distribution: str) -> list[Path]:
    """The programs that a distribution installs next to Python."""
    places = [Path(str(file.locate())).resolve() for file in metadata.files(distribution) or []]
    return [place for place in places if place.parent == Path(sys.prefix).resolve() / "bin"]


@pytest.fixture(autouse=True)
def _psycopg_before_its_binary_part() -> None:
    """psycopg_binary cannot be imported first."""
    importlib.import_module("psycopg")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("locked", HERE)
def test_a_locked_package_is_installed_as_locked_and_imports(locked: str) -> None:
    requirement = Requirement(locked)
    assert metadata.version(requirement.name) in requirement.specifier
    modules = top_level_modules(requirement.name)
    stubs = requirement.name.endswith(("stubs", "-types")) or requirement.name.startswith("types-")
    assert modules or stubs or programs(requirement.name)
    for module in modules:
        importlib.import_module(module)
    for program in () if modules else programs(requirement.name):
        subprocess.run([program, "--version"], check=True, capture_output=True)
