"""Takes the pictures of README and DAY.md from the running service: `python -m tests.browser.pictures`.

It serves the demonstration from a folder of its own and goes through it with a browser.
"""

import os
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from playwright.sync_api import Browser, Page, sync_playwright

from campaign.engine.display.views import BaseMap
from campaign.engine.values.ids import PlaceId
from campaign.secrecy import truth
from tests.browser import CHROMIUM

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "static/img/readme"
CAMPAIGN = "c/ardennes-demo/"
SHEET = """# German sheet, 18 December
MOVE 2 SS Q26-Q25
MOVE 9 SS T26-T25-T24
ATTACK 352 VG contact
MOVE 12 SS to Nowhere
HOLD Pz Lehr
ALL OTHERS HOLD"""


MAPS = "german_battles", "17 December 1944"
"""The phase of which both sides' maps are shown."""
CORNERS, LARGE = ("T15", "P21"), 2400
"""The part of the German map that DAY.md shows, with the hexes around it, cut from a map of this width."""


def main() -> None:
    django.setup()
    truth.trust_process()
    with served() as enter, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        draw_the_maps(browser)
        commander, staff, enemy, gm = (_visit(browser, enter(name)) for name in ("Model", "Krebs", "Hodges", "Umpire"))
        for page in (commander, staff, enemy):
            _send_nothing(page)
        _open_the_draft(gm)
        gm.get_by_role("button", name="Publish to everyone").first.click()
        for page in (commander, staff):
            page.get_by_role("link", name="Situation").click()
        _write_the_sheet(commander)
        _send(commander)
        staff.get_by_role("button", name="Write your orders").click()
        staff.get_by_label("One order per line").fill("ALL OTHERS HOLD")
        _send(staff)
        _review_the_draft(gm)
        browser.close()


@contextmanager
def served() -> Iterator[Callable[[str], str]]:
    """The demonstration on a server of its own; gives a function that makes one-time links."""
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "FIELDPOST_DATA": data, "PYTHONUNBUFFERED": "1"}
        manage = [sys.executable, "manage.py"]
        server = subprocess.Popen(
            [*manage, "serve", "--port", "8640"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        try:
            next(line for line in server.stdout if "One-time links" in line)
            yield lambda name: subprocess.check_output(
                [*manage, "entrance", name], cwd=ROOT, env=environment, text=True
            ).strip()
        finally:
            server.terminate()
            server.wait()


def draw_the_maps(browser: Browser) -> None:
    """The maps of both sides, and the part of the German one."""
    from campaign.game.loading import find_scenario, load_scenario  # noqa: PLC0415 - they need Django set up
    from campaign.maps import draw  # noqa: PLC0415
    from gm.demo import SCENARIO  # noqa: PLC0415
    from tests.demonstration import play  # noqa: PLC0415

    base = load_scenario(find_scenario(SCENARIO)).base_map
    (phase,) = (phase for phase in play() if (phase.key, phase.packages[0].view.date) == MAPS)
    for package in phase.packages:
        path = PICTURES / f"{package.audience}-map.png"
        if path.exists():
            path.write_bytes(draw(base, package.view))
        if package.audience == "german":
            _cut_out(browser, base, draw(base, package.view, width=LARGE))


def _cut_out(browser: Browser, base: BaseMap, large: bytes) -> None:
    """Save what of a map is between the corners."""
    from campaign.maps.land.projection import fit  # noqa: PLC0415

    paper = fit(base, LARGE)
    grounds = {ground.id: paper.at(ground.at) for ground in base.grounds}
    (left, top), (right, bottom) = (grounds[PlaceId(corner)] for corner in CORNERS)
    rim = paper.unit
    page = browser.new_page(viewport={"width": LARGE, "height": paper.height})
    page.set_content(f'<body style="margin: 0"><img src="data:image/png;base64,{b64encode(large).decode()}">')
    page.screenshot(
        path=PICTURES / "peiper.png",
        clip={"x": left - rim, "y": top - rim, "width": right - left + 2 * rim, "height": bottom - top + 2 * rim},
    )


def _visit(browser: Browser, link: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 960}).new_page()
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()
    page.goto(link.split("enter/", maxsplit=1)[0] + CAMPAIGN)
    return page


def _send_nothing(page: Page) -> None:
    """An empty air sheet."""
    page.get_by_role("button", name="Write your orders").click()
    _send(page)


def _write_the_sheet(page: Page) -> None:
    page.get_by_role("button", name="Write your orders").click()
    page.get_by_label("One order per line").fill(SHEET)
    page.locator("#answer").get_by_text("1 line will be ignored").wait_for()
    page.screenshot(path=PICTURES / "sheet.png", clip={"x": 0, "y": 0, "width": 1280, "height": 900})


def _send(page: Page) -> None:
    page.get_by_role("button", name="Submit as READY", exact=True).click()
    question = page.get_by_role("heading", name="Submit as READY?")
    question.or_(page.get_by_role("heading", name="Version 1")).wait_for()
    if question.is_visible():
        page.get_by_role("button", name="Submit as READY anyway").click()
    page.get_by_role("heading", name="Version 1").wait_for()


def _review_the_draft(page: Page) -> None:
    _open_the_draft(page)
    page.screenshot(path=PICTURES / "draft.png", full_page=True)


def _open_the_draft(page: Page) -> None:
    """The loop closes the phase and resolves it within seconds."""
    page.get_by_role("link", name="GM desk").click()
    while not page.get_by_role("button", name="Review the draft").is_visible():
        page.wait_for_timeout(500)
        page.reload()
    page.get_by_role("button", name="Review the draft").click()
    page.wait_for_load_state("networkidle")


if __name__ == "__main__":
    main()
