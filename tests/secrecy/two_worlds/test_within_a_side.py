"""What some of a side keep to themselves shows to none of its others.

Sheets, drafts and the staff's room are for those who write sheets, and a question is for its asker. A tactical player
reads what the side received, and the battles that are theirs.
"""

from collections.abc import Mapping

from campaign.engine.values.ids import Audience
from campaign.engine.values.value import replace
from campaign.game.artefacts import OUTCOMES
from campaign.game.store import decode_outcomes, digest, encode_outcomes
from campaign.models import Artefact, Phase
from campaign.viewers import viewer_of
from orders.intake import sheet_digest
from orders.models import HQ, Draft, Sheet
from questions.models import Reach
from questions.writing import Written, answer, ask, state_of
from staff.models import Comment
from tests.secrecy.asking.crawler import Lot, crawl
from tests.secrecy.campaigns import SLUG, Base, live, person
from tests.secrecy.steps.archives import made, own_folder
from tests.secrecy.two_worlds.playing import ALL
from tests.secrecy.two_worlds.test_single_acts import GERMAN, pair_of, send
from tests.secrecy.worlds import Answer, World

MOST = 3
"""As many phases back somebody reads: further than to the newest in which their side acted."""


def test_a_tactical_player_learns_nothing_of_what_their_side_writes(worlds: Mapping[str, Base]) -> None:
    """Also if those who write it have read every page before, and have had an archive made."""
    side, reader = GERMAN, "german tactical"
    with pair_of(worlds["02-german_sheet"], Audience(side)) as (one, two), own_folder():
        two.keeps = True
        for world in (one, two):
            assert send(world, f"{side} commander", "NOTE We stay.").status == 302
        _write_otherwise(two, side)
        assert _read(two, f"{side} commander", side)
        for world in (one, two):
            assert made(world, f"{side} commander", side)[-1].status == 200
        archives = [made(world, reader, side) for world in (one, two)]
        assert archives[0][-1].status == 200
        assert archives[0] == archives[1]
        read = [_read(world, reader, side) for world in (one, two)]
        assert len(read[0]) > 100
        assert {path for path, each in read[0].items() if each != read[1].get(path)} == set()
        assert read[0].keys() == read[1].keys()


def _read(world: World, who: str, side: str) -> Mapping[str, Answer]:
    return crawl(world, who, own_side=side, most=MOST, lot=Lot(who, 0.0, ALL)).answers


def _write_otherwise(world: World, side: str) -> None:
    """Other words on all sheets, of which other things became, and in drafts, comments and questions."""
    with world.present():
        phase = live()
        assert phase is not None
        sheets = Sheet.objects.filter(phase__campaign__slug=SLUG, side=side)
        for sheet in sheets:
            text = f"{sheet.text}\n# In other words."
            sheets.filter(pk=sheet.pk).update(text=text, digest=sheet_digest(text, sheet.nonce))
        outcomes = Artefact.objects.filter(phase__campaign__slug=SLUG, audience=side, kind=OUTCOMES)
        changed = 0
        for each in outcomes:
            found = decode_outcomes(bytes(each.content))
            content = encode_outcomes(replace(found, lines=found.lines[1:]))
            changed += outcomes.filter(pk=each.pk).update(content=content, sha256=digest(content)) if found.lines else 0
        assert changed
        _talk(world, phase, side)


def _talk(world: World, phase: Phase, side: str) -> None:
    commander = person(f"{side} commander")
    Draft.objects.create(phase=phase, side=side, desk=HQ, author=commander, text="NOTE We go.", saved_at=world.now)
    Comment.objects.create(
        phase=phase, side=side, audience=side, no=1, author=commander, written_at=world.now, text="We go.", desk=HQ
    )
    asked = ask(viewer_of(commander, SLUG), "And if we go?", rule="R1", line="", now=world.now)
    gm = viewer_of(person("gm"), SLUG)
    written = Written(reach=Reach.ASKER, rule="R1", asked="", text="Then you may not return.")
    answer(gm, asked, written, seen=state_of(gm, asked), shown="", now=world.now)
