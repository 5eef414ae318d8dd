"""Code comes to rows of an audience as their viewer, but for the game master's code and the places named here."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.locks import ROOT
from tests.trust.guard.ways import BACK, other_ways, ways_in

PLACES: Mapping[str, str] = {
    "archive/jobs.py ask": "a member's own archive is asked for in place of their older one, and not read",
    "archive/jobs.py forget_old": "archives that are days old are deleted; nobody is answered",
    "archive/jobs.py make_due": "the archive that has waited longest is made, for its audience",
    "campaign/links.py follow": "who may see the picture was asked with the link, of all audiences alike",
    "campaign/links.py link_published": "publishing makes everybody's links at once; nothing of the pictures is read",
    "campaign/links.py revoke_links": "the GM revokes an audience's links; nothing of its pictures is read",
    "campaign/people/memberships.py _take_absences": "whoever leaves is away no more",
    "campaign/people/memberships.py _take_desks": "whoever changes their part gives up the desks that they held",
    "campaign/record/audit.py whole_rows": "an act's rows are sealed whole, and only their digests are kept",
    "campaign/record/dice_log.py _lines": "all logs are everybody's once the campaign is over; else the guard is asked",
    "campaign/record/dice_log.py append": "what is published continues each log where it ended",
    "campaign/record/dice_log.py printed_heads": "the heads of all logs stand in what the public was told",
    "campaign/secrecy/truth.py guard_parts": "the guard guards the ways from rows to their secret parts",
    "campaign/secrecy/truth.py secret_tables": "the guard looks up which tables are secret",
    "orders/battles/reading.py mark_of": "how often a battle was reported, for those who may read the report",
    "orders/battles/reading.py statements_of": "who fought it, and the commanders, read what each side says of it",
    "orders/entropy.py _contributed": "what goes into a lock is digested; nobody is answered",
    "orders/entropy.py frozen_words": "a side is shown what its own commanders typed",
    "orders/intake.py _newest": "the newest version of the very desk whose sheet comes in",
    "orders/intake.py submit": "the sheet that the same sender has sent under the same key",
    "posting/network.py send": "the bytes that another server answers with, and no table",
    "posting/sending.py _row": "a post or a call that a worker has claimed; both tables are secret",
    "stories/erasing.py _campaigns": "where a person has written whose account is erased; nobody is answered",
    "stories/erasing.py erase": "a person's account is erased, by themselves or the operator; nobody is answered",
    "stories/keeping.py _named": "files that no story names are deleted; nobody is answered",
    "stories/writing.py tellings_of": "who may read a story is changed and recorded; the page shows nothing of it",
}
"""The places that come by rows of an audience otherwise, and why they may."""


def test_rows_of_an_audience_are_come_by_as_their_viewer() -> None:
    found = ways_in(_below_the_gm(), ROOT)
    assert {place for place, _ in found} == set(PLACES), found


def _below_the_gm() -> Iterator[Path]:
    for package in ("archive", "campaign", "incoming", "orders", "posting", "questions", "staff", "stories", "deploy"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if not {"migrations", "models"} & {*path.parts, path.stem}:
                yield path


def test_no_template_comes_by_rows_of_an_audience() -> None:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        words = set(path.read_text(encoding="utf-8").replace("|", " ").replace(".", " ").split())
        assert not words & BACK, path


@pytest.mark.parametrize(
    "code",
    [
        "Sheet.objects.filter(side=seat.side)",
        "Sheet.objects.all()",
        "Sheet.objects.get(pk=1)",
        "Sheet._base_manager.all()",
        "rows = Sheet.objects",
        "phase.all_sheets.filter(side='german')",
        "list(sheets := phase.all_sheets.all())",
        "Phase.objects.filter(all_sheets__ready=True)",
        "Phase.objects.annotate(n=Count('all_sheets'))",
        "Phase.objects.prefetch_related('campaign__all_desks')",
        "Phase.objects.values('all_artefacts__content')",
        "get_object_or_404(Sheet, pk=1)",
        "model = Sheet",
        "page(queryset=Artefact)",
        "type(sheet).objects.all()",
        "model.objects.all()",
        "apps.get_model('orders', 'Sheet')",
        "from orders.models import Sheet as Other",
        "Phase.objects.raw('SELECT 1')",
        "connection.cursor()",
        "ask('SELECT text FROM orders_sheet')",
        "ask('SELECT mix FROM campaign_phaseproof')",
        "Draft.objects.update_or_create(phase=phase)",
        "DiceLine.objects.in_bulk()",
    ],
)
def test_another_way_is_seen(code: str) -> None:
    assert [way for _, way in other_ways(ast.parse(code))]


@pytest.mark.parametrize(
    "code",
    [
        "Sheet.objects.for_viewer(seat).filter(side=seat.side)",
        "Draft.objects.for_viewer(seat).update_or_create(phase=phase)",
        "Sheet.objects.create(phase=phase)",
        "DiceLine.objects.bulk_create(lines)",
        "Phase.objects.filter(campaign=seat.campaign)",
        "def of(sheet: Sheet) -> list[Sheet]: return [sheet]",
        "Sheet(phase=phase)",
        "isinstance",
        '"""Sheets in orders_sheet."""',
    ],
)
def test_the_one_way_is_no_other(code: str) -> None:
    assert [way for _, way in other_ways(ast.parse(code))] == []
