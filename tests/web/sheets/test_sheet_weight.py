"""What the page of a sheet weighs, with everything that its reader loads for it, and how often it asks the database."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.core import clock
from campaign.people.desks import set_desk
from campaign.viewers import gm_viewer
from tests.gm.campaigns import live, send
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

_IMPORT = re.compile(r'^import [^"]*"(\.[^"]+)"', re.MULTILINE)
MOST = 400_000
"""Bytes, compressed, without the base picture."""


def page(cast: Cast) -> str:
    answer = cast.browser("german commander").get(cast.address("orders/HQ/"))
    assert answer.status_code == 200
    return answer.content.decode()


def loaded_by(text: str) -> set[Path]:
    """The scripts and styles of a page, with the modules that they import."""
    waiting = [found(name) for name in re.findall(r'(?:src|href)="/static/([^"]+\.(?:js|css))"', text)]
    files = set[Path]()
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            modules = _IMPORT.findall(file.read_text()) if file.suffix == ".js" else []
            waiting += [(file.parent / name).resolve() for name in modules]
    return files


def found(name: str) -> Path:
    file = finders.find(name)
    assert isinstance(file, str), name
    return Path(file).resolve()


def test_the_page_of_a_sheet_with_its_board_is_light(cast: Cast) -> None:
    text = page(cast)
    assert "<svg" in text
    files = loaded_by(text)
    assert {"orders_page.js", "board.js", "sheet.js", "drag.js", "panzoom.es.js", "fieldpost.css"} <= {
        file.name for file in files
    }
    weight = sum(len(gzip.compress(content)) for content in (text.encode(), *(file.read_bytes() for file in files)))
    print(f"weight of the sheet's page {weight / 1000:.0f} kB")  # noqa: T201 - a figure that is asked for
    assert weight < MOST


def test_its_queries_do_not_grow_with_desks_sheets_and_lines(cast: Cast) -> None:
    formations = {"Fifth": "5th Panzer Army", "Sixth": "6th Panzer Army", "Seventh": "7th Army"}
    counts = []
    for number, (name, formation) in enumerate(formations.items(), 1):
        holder, gm = cast.member("german staff"), gm_viewer(cast.user("gm"), cast.campaign.slug)
        set_desk(gm, name=name, formations=[formation], holder=holder, now=clock.now())
        lines = "\n".join([f"HOLD {unit}" for unit in ("12 SS", "2 Pz", "5 FJ")[:number]])
        send(live(cast.campaign), cast.user("german staff"), lines, desk=name, idem_key=name)
        page(cast)
        with CaptureQueriesContext(connection) as queries:
            page(cast)
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
    assert counts[0] <= 42
