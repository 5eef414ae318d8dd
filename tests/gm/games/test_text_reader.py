"""Somebody who reads no map learns from report and mail where every enemy is that their side sees or remembers."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

import pytest

from campaign.engine.display.views import View
from campaign.game.store import decode_view
from campaign.models import Artefact, Campaign, OutboxMessage, PhaseState
from campaign.rulesets.forum_campaign.model.game_data import SIDES
from campaign.rulesets.forum_campaign.model.signs import SIGNS
from tests.gm.games.test_demo import demonstration
from tests.mails import plain_text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("blank_maps")]

Enemy = tuple[str, str, str, str, str]
"""Hex, label, arm in words, size, and the day when it was last seen; empty: in sight."""

WORDS = {sign.key: sign.words.lower() for sign in SIGNS.arms}
TABLES = ("Enemy in sight", "Enemy out of sight")


def shown(view: View) -> Counter[Enemy]:
    """The enemies in sight on a View's map. A phase of the demonstration keeps none that are out of sight."""
    assert all(seen.age is None for seen in view.sightings)
    return Counter((seen.at, seen.label, WORDS.get(seen.branch or "", ""), seen.echelon, "") for seen in view.sightings)


def told(text: str) -> Counter[Enemy]:
    """The same, read from plain text."""
    return Counter(enemy for title in TABLES for enemy in _table(text, title))


def _table(text: str, title: str) -> Iterator[Enemy]:
    for hex_, what, *more in _rows(text, title):
        if not any(each.startswith("no longer") for each in more):
            yield _enemy(hex_, what, next((each for each in more if each not in ("", "new")), ""))


def _rows(text: str, title: str) -> list[list[str]]:
    """The rows of a table. Long cells continue on the next line, below an empty first cell."""
    rows: list[list[str]] = []
    _, _, rest = text.partition(f"\n{title}\n")
    for line in takewhile(str.strip, rest.splitlines()[4:]):
        columns = [match.span() for match in re.finditer(r"-+", rest.splitlines()[3])]
        cells = [line[start:end].strip() for start, end in columns]
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [f"{above} {cell}".strip() for above, cell in zip(rows[-1], cells, strict=True)]
    return rows


def _enemy(hex_: str, what: str, since: str) -> Enemy:
    at = re.search(r"\((\w+)\)$", hex_)
    label, _, kind = what.removesuffix(")").rpartition(" (") if what.endswith(")") else ("", "", what)
    arm, _, size = kind.partition(", ")
    return at[1] if at else hex_, label, "" if arm == "unknown unit" else arm, size, since


def sides_views(campaign: Campaign) -> Iterator[tuple[Artefact, View]]:
    found = Artefact.objects.filter(phase__campaign=campaign, phase__state=PhaseState.PUBLISHED, kind="view")
    for row in found.filter(audience__in=SIDES).select_related("phase").order_by("phase__no"):
        yield row, decode_view(bytes(row.content))


def test_the_report_in_plain_text_names_every_sighted_enemy() -> None:
    campaign, seen = demonstration(), 0
    for row, view in sides_views(campaign):
        text = bytes(Artefact.objects.get(phase=row.phase, audience=row.audience, kind="text").content).decode()
        assert told(text) == shown(view), (row.phase, row.audience)
        seen += len(view.sightings)
    assert seen > 100


def test_every_mail_with_a_report_names_every_sighted_enemy() -> None:
    campaign = demonstration()
    views = {(row.phase_id, row.audience): view for row, view in sides_views(campaign)}
    reports = OutboxMessage.objects.filter(campaign=campaign, audience__in=SIDES, kind__in=["opened", "report"])
    read = Counter[str]()
    for mail in reports:
        assert told(plain_text_of(bytes(mail.message)).replace("\r", "")) == shown(
            views[mail.phase_id or 0, mail.audience]
        ), mail
        read[mail.audience] += 1
    assert all(read[side] > 1 for side in SIDES)
