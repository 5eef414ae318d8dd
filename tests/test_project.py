"""The project itself: the contents of its files, its lock files, its settings."""

import os
import re
import socket
import stat
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pytest_socket import SocketConnectBlockedError

from tests.locks import LOCKS, ROOT, read_lock

# Assembled here, so that this file does not contain what it looks for.
REGISTRIES = [f"{name}.org" for name in ("pypi", "pythonhosted", "npmjs", "deb.debian", "security.debian")]
MACHINE_FOLDERS = ["work", "root", "opt"]
FOREIGN = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, REGISTRIES))})\b" + rf"|(?<![\w.-])/(?:{'|'.join(MACHINE_FOLDERS)})/"
)


def project_files() -> list[Path]:
    """Every file that is in git or would be added to it."""
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in the checkout in a new Python, whose settings come from these variables only."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("FIELDPOST_", "DATABASE_"))}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=own | environment, capture_output=True, text=True, check=False)


def settings_under(environment: dict[str, str], *names: str) -> list[str]:
    """The values of these settings, as text, under these variables."""
    run = run_python(f"from deploy import settings as s; print({', '.join(f's.{n}' for n in names)})", **environment)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def test_the_search_for_foreign_names_finds_them() -> None:
    for text in (
        f"see https://{REGISTRIES[0]}/x",
        f"cd /{MACHINE_FOLDERS[0]}/main",
        f"files.{REGISTRIES[1]}",
    ):
        assert FOREIGN.search(text), text
    assert not FOREIGN.search("docs/work/plan and happy.organ")


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in project_files()
        for match in FOREIGN.finditer(path.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert found == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_line_of_a_lock_is_one_version_with_its_digests(lock: Path) -> None:
    entries = read_lock(lock)
    assert entries
    for entry in entries:
        assert re.fullmatch(r"==[^,*]+", str(entry.requirement.specifier)), entry.requirement
        assert entry.hashes, entry.requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in entry.hashes)


def test_the_tools_are_tried_with_the_packages_the_app_runs_on() -> None:
    runtime, dev = ({str(entry.requirement): entry.hashes for entry in read_lock(lock)} for lock in LOCKS)
    assert runtime.items() <= dev.items()


def test_the_locks_satisfy_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime, dev = ({canonicalize_name(e.requirement.name): e.requirement for e in read_lock(p)} for p in LOCKS)
    extra = project["optional-dependencies"]["dev"]
    for asked, locked in [(project["dependencies"], runtime), (extra, dev)]:
        for requirement in map(Requirement, asked):
            version = str(locked[canonicalize_name(requirement.name)].specifier).removeprefix("==")
            assert version in requirement.specifier, requirement


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
def test_tests_reach_this_computer_only() -> None:
    """127.0.0.2 plays the world: it is on no list either, and nothing leaves the machine if the guard fails."""
    with socket.socket() as client, pytest.raises(SocketConnectBlockedError):
        client.connect(("127.0.0.2", 9))


def test_the_secret_key_is_made_once_even_by_several_processes(tmp_path: Path) -> None:
    environment = {"FIELDPOST_DATA": str(tmp_path / "data")}
    with ThreadPoolExecutor(4) as pool:
        keys = {key for (key,) in pool.map(settings_under, [environment] * 8, ["SECRET_KEY"] * 8)}
    kept = tmp_path / "data" / "secret_key"
    assert keys == {kept.read_text()}
    assert len(kept.read_text()) >= 50
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [path for path in kept.parent.iterdir() if path.is_file()] == [kept]


def test_a_given_secret_key_is_used_and_not_kept(tmp_path: Path) -> None:
    environment = {"FIELDPOST_DATA": str(tmp_path), "FIELDPOST_SECRET_KEY": "$given"}
    assert settings_under(environment, "SECRET_KEY") == ["$given"]
    assert [path for path in tmp_path.iterdir() if path.is_file()] == []


def test_secret_keys_that_were_used_before_are_named_with_commas(tmp_path: Path) -> None:
    environment = {
        "FIELDPOST_DATA": str(tmp_path),
        "FIELDPOST_SECRET_KEY": "new",
        "FIELDPOST_OLD_SECRET_KEYS": " $a, b,, ",
    }
    assert settings_under(environment, "SECRET_KEY_FALLBACKS") == ["['$a',", "'b']"]


def test_links_lead_to_where_serve_last_listened_unless_the_owner_says_where(tmp_path: Path) -> None:
    environment = {"FIELDPOST_DATA": str(tmp_path)}
    assert settings_under(environment, "SITE_URL") == ["http://localhost:8000"]
    (tmp_path / "address").write_text("http://localhost:8001")
    assert settings_under(environment, "SITE_URL") == ["http://localhost:8001"]
    given = environment | {"FIELDPOST_URL": "https://fieldpost.example/"}
    assert settings_under(given, "SITE_URL") == ["https://fieldpost.example"]


@pytest.mark.parametrize("hosts", ["fieldpost.example", "localhost,fieldpost.example", "*", "192.0.2.1"])
def test_debug_pages_are_refused_where_others_can_reach_them(tmp_path: Path, hosts: str) -> None:
    environment = {"FIELDPOST_DATA": str(tmp_path), "FIELDPOST_ALLOWED_HOSTS": hosts}
    refused = run_python("import deploy.settings", FIELDPOST_DEBUG="on", **environment)
    assert refused.returncode != 0
    assert "ImproperlyConfigured: FIELDPOST_DEBUG shows secrets" in refused.stderr
    assert settings_under(environment, "DEBUG") == ["False"]


def test_debug_pages_are_allowed_on_this_computer(tmp_path: Path) -> None:
    environment = {"FIELDPOST_DATA": str(tmp_path), "FIELDPOST_DEBUG": "on"}
    assert settings_under(environment, "DEBUG", "HTTPS") == ["True", "False"]


def test_a_public_host_is_served_over_https_unless_configured_otherwise(tmp_path: Path) -> None:
    environment = {"FIELDPOST_DATA": str(tmp_path), "FIELDPOST_ALLOWED_HOSTS": "fieldpost.example"}
    names = ("SECURE_SSL_REDIRECT", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS")
    assert settings_under(environment, *names) == ["True", "True", "31536000"]
    assert settings_under(environment | {"FIELDPOST_HTTPS": "off"}, *names) == ["False", "False", "0"]


@pytest.mark.parametrize(("url", "file"), [("", "fieldpost.sqlite3"), ("sqlite:///{}/other.db", "other.db")])
def test_sqlite_is_opened_so_that_writers_wait_and_commits_last(tmp_path: Path, url: str, file: str) -> None:
    code = """if True:
        import django
        django.setup()
        from django.db import connection, transaction
        with transaction.atomic(), connection.cursor() as cursor:
            for name in ("journal_mode", "synchronous", "busy_timeout"):
                print(cursor.execute(f"PRAGMA {name}").fetchone()[0])
        print(connection.transaction_mode)
    """
    environment = {"FIELDPOST_DATA": str(tmp_path), "DATABASE_URL": url.format(tmp_path)}
    run = run_python(code, DJANGO_SETTINGS_MODULE="deploy.settings", **environment)
    assert run.stdout.split() == ["wal", "2", "20000", "IMMEDIATE"], run.stderr
    assert (tmp_path / file).exists()


def test_database_url_leads_to_postgresql(tmp_path: Path) -> None:
    environment = {"FIELDPOST_DATA": str(tmp_path), "DATABASE_URL": "postgres://gm:pass@db.example/fieldpost"}
    names = ("DATABASE['ENGINE']", "DATABASE['NAME']", "DATABASE['HOST']")
    assert settings_under(environment, *names) == ["django.db.backends.postgresql", "fieldpost", "db.example"]


def test_no_line_of_a_template_stylesheet_or_script_is_longer_than_160_characters() -> None:
    """Text mails are left out: each of their lines is a paragraph, which is wrapped when the mail is written."""
    files = [
        path
        for path in project_files()
        if path.suffix in {".html", ".css", ".js"}
        and path.relative_to(ROOT).parts[0] in {"templates", "static"}
        and "vendor" not in path.parts
    ]
    assert len(files) > 70
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 160
    ]
    assert long == []


TREE = re.compile(r"^( *)(\S+/(?: \S+/)*)(?: |$)", re.MULTILINE)


def test_every_folder_of_the_readmes_tree_is_there() -> None:
    tree = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The tree")[2].split("```")[1]
    above: list[str] = []
    found = 0
    for indent, names in TREE.findall(tree):
        above[len(indent) // 2 :] = []
        for name in names.split():
            assert (ROOT.joinpath(*above) / name).is_dir(), name
            found += 1
        above.append(names.split()[0])
    assert found > 40


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_file_that_a_document_names_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    folders = "campaign|orders|gm|templates|static|deploy|tests"
    named = set(re.findall(rf"`((?:{folders})/[\w./-]+)`", text))
    assert len(named) > 5
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
