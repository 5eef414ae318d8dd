"""After the end: all read what every side received and ordered, and nothing of what stays shut."""

import re
from collections.abc import Iterator
from functools import partial

import pytest
from django.db import transaction

from campaign.core import clock
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.models import Artefact, Campaign, Consent, Desk, OutboxMessage, Ruling
from campaign.secrecy.truth import Breach, Reader, reading, require
from campaign.viewers import viewer_of
from gm.desk.closing import abandon, concede
from gm.machine.sweeper import sweep
from gm.models import Answer
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_prefaces
from orders.models import Draft, LockedSheet
from staff.models import Comment
from tests.gm.campaigns import live, review_drafts, send
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast

pytestmark = pytest.mark.django_db

ORDER, COMMENT, PASSED = "MOVE 12 SS S22", "canarycomment", "canaryhash"
NOTES = ("canarynote", "canarybadnote", "canarydesknote", "canarypreface", "canaryanswer")
SHUT = ("canarydraft", "canarystaff", "@example.org", "canaryold")
READERS = ("german commander", "allied commander", "allied staff", "allied tactical", "spectator", "gm")


def played(cast: Cast) -> None:
    """The first German sheet, published, with everything in it that somebody could read by mistake."""
    review_drafts()
    phase, german = live(cast.campaign), cast.user("german commander")
    send(phase, german, "NOTE canaryold\nMOVE 12 SS S22")
    Desk.objects.create(campaign=cast.campaign, side="german", name="XLVII", holder=cast.member("german staff"))
    text = f"{ORDER} # {PASSED}\nNOTE canarynote\nnotes: canarybadnote\nREADY"
    send(phase, german, text, ready=True)
    send(phase, cast.user("german staff"), "  note canarydesknote\nREADY", desk="XLVII", ready=True, idem_key="staff")
    Draft.objects.create(phase=phase, side="german", author=german, text="canarydraft", saved_at=clock.now())
    told = {"phase": phase, "side": "german", "audience": "german", "author": german, "written_at": clock.now()}
    Comment.objects.create(**told, no=1, text="canarystaff")
    sweep(worker="one")
    phase.refresh_from_db()
    save_prefaces(phase.pk, {"german": "canarypreface"}, fence=phase.fence)
    answer = {"key": "note/german/x", "question": "The note", "audiences": ["german"], "text": "canaryanswer"}
    Answer.objects.create(phase=phase, author=cast.user("gm"), at=clock.now(), **answer)
    Ruling.objects.create(
        phase=phase, seq=9, at="x", written="FUEL 7", fact={}, reason="a dump burnt", author=cast.user("gm")
    )
    approve(phase.pk, fence=phase.fence)


def ended(cast: Cast) -> Cast:
    concede(viewer_of(cast.user("german commander"), cast.campaign.slug))
    return cast


def addresses(cast: Cast, *, public: bool = False, side: str = "german") -> Iterator[str]:
    """All pages on which a side's part of the story can be read."""
    start, asked = "public/" if public else "", f"?as={side}"
    for no in cast.campaign.phases.filter(state="PUBLISHED").values_list("no", flat=True):
        for rest in ("", "board/", *FILES):
            yield f"{start}stops/{no}/{rest}{asked}"
        yield f"{start}stops/{no}/sheets/{side}/"
    for rest in ("stops/", "stops/2/drawn.png", "stops/2/replay.gif"):
        yield f"{start}{rest}{asked}"


FILES = (
    "map.png",
    "thumbnail.png",
    "chart.png",
    "chart.txt",
    "chart.md",
    "report.txt",
    "report.md",
    "report.bbcode.txt",
)
OTHERS = ("", "result/", "statistics/", "dice/", "dice/german/log.jsonl", "staff/")


def readable(cast: Cast, who: str, *, side: str = "german") -> dict[str, str]:
    """What somebody can read of a side's part, by address."""
    public, browser = who in (ANONYMOUS, OUTSIDER), cast.browser(who)
    start = "public/" if public else ""
    found = {}
    for address in (*addresses(cast, public=public, side=side), *(start + rest for rest in OTHERS)):
        answer = browser.get(cast.address(address))
        if answer.status_code == 200:
            found[address] = answer.content.decode(errors="replace")
    return found


def words_in(pages: dict[str, str], words: tuple[str, ...]) -> set[str]:
    return {word for word in words for page in pages.values() if word in page}


# --- before ----------------------------------------------------------------------------------------------------------


def test_before_the_end_no_address_leads_to_another_side(cast: Cast) -> None:
    played(cast)
    for who in (*READERS, ANONYMOUS):
        browser = cast.browser(who)
        public = who == ANONYMOUS
        for address in (*addresses(cast, public=public), *addresses(cast, public=public, side="nobody")):
            assert browser.get(cast.address(address)).status_code == 404, (who, address)
    assert cast.browser("allied commander").get(cast.address("result/")).status_code == 404


def test_an_absent_side_is_answered_like_a_foreign_one(cast: Cast) -> None:
    browser = cast.browser("allied commander")
    answers = [browser.get(cast.address(f"stops/0/?as={side}")) for side in ("german", "allied", "nobody", "gm", "")]
    assert {answer.status_code for answer in answers} == {404}
    assert len({re.sub(r"as=\w*", "", answer.content.decode()) for answer in answers}) == 1


def test_the_guard_opens_a_side_to_others_only_after_an_open_end() -> None:
    german, public = Audience("german"), Reader(PUBLIC, None, lambda: True)
    with reading(lambda: public):
        require(german, opens=True)
    for reader, audience, opens in (
        (Reader(Audience("allied")), german, True),
        (public, german, False),
        (public, GM, True),
    ):
        with reading(partial(_same, reader)), pytest.raises(Breach), transaction.atomic():
            require(audience, opens=opens)


def _same(reader: Reader) -> Reader:
    return reader


def test_only_artefacts_and_locked_sheets_are_of_the_story() -> None:
    assert [model for model in (Artefact, LockedSheet, Draft, Comment, Desk) if model.in_story] == [
        Artefact,
        LockedSheet,
    ]


# --- after -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["allied commander", "allied tactical", "spectator", ANONYMOUS, OUTSIDER])
def test_everybody_reads_what_each_side_received_and_nothing_that_stays_shut(cast: Cast, who: str) -> None:
    played(cast)
    found = readable(ended(cast), who)
    assert words_in(found, (*NOTES, *SHUT)) == set()
    start = "public/" if who in (ANONYMOUS, OUTSIDER) else ""
    for rest in ("?as=german", "board/?as=german", "map.png?as=german", "replay.gif?as=german", "sheets/german/"):
        assert f"{start}stops/2/{rest}" in found, rest
    sheet = found[f"{start}stops/2/sheets/german/"]
    assert ORDER in sheet
    assert PASSED in sheet
    assert "Notes to the GM are left out." in sheet
    assert "moves" in found[f"{start}stops/2/?as=german"]
    assert "stay shut unless one" in found[f"{start}stops/2/?as=german"]
    assert "a dump burnt" in found[f"{start}result/"]
    assert "FUEL 7" in found[f"{start}result/"]


def test_a_side_still_reads_its_own_notes(cast: Cast) -> None:
    played(cast)
    found = readable(ended(cast), "german commander")
    assert words_in(found, ("canarynote", "canarypreface")) == {"canarynote", "canarypreface"}
    assert "canarynote" in found["stops/2/?as=german"]
    assert words_in(found, ("canarydraft", "@example.org")) == set()


def test_a_side_opens_its_notes(cast: Cast) -> None:
    played(cast)
    ended(cast)
    assert cast.browser("allied commander").post(cast.address("desk/closing/"), {"act": "notes"}).status_code == 302
    assert words_in(readable(cast, "spectator"), NOTES) == set(), "the other side's are its own"
    for _ in range(2):
        assert cast.browser("german commander").post(cast.address("desk/closing/"), {"act": "notes"}).status_code == 302
    assert Consent.objects.filter(side="german").count() == 1
    found = readable(cast, "allied staff")
    assert {"canarynote", "canarypreface", "canarydesknote"} <= words_in(found, NOTES)
    assert words_in(found, SHUT) == set()
    assert "canarynote" in found["stops/2/sheets/german/"]


def test_the_public_reads_nothing_of_a_campaign_without_public_pages(cast: Cast) -> None:
    played(cast)
    ended(cast)
    Campaign.objects.update(public=False)
    assert readable(cast, ANONYMOUS) == {}
    assert cast.browser(OUTSIDER).get(cast.address("stops/2/?as=german")).status_code == 404
    assert readable(cast, "spectator")


def test_the_gm_s_own_part_stays_shut(cast: Cast) -> None:
    played(cast)
    ended(cast)
    for who in ("allied commander", "gm", "spectator"):
        assert cast.browser(who).get(cast.address("stops/2/?as=gm")).status_code == 404
        assert cast.browser(who).get(cast.address("stops/2/sheets/gm/")).status_code == 404
        assert cast.browser(who).get(cast.address("stops/2/sheets/public/")).status_code == 404


def test_other_pages_of_a_side_stay_its_own(cast: Cast) -> None:
    played(cast)
    ended(cast)
    for address in ("orders/HQ/2.0/1/", "orders/HQ/2.0/2/", "orders/HQ/2.0/2/receipt.txt", "staff/german/", "desk/"):
        for who in ("allied commander", "spectator"):
            assert cast.browser(who).get(cast.address(address)).status_code == 404, address


# --- campaigns that did not promise it -------------------------------------------------------------------------------


@pytest.fixture
def older(cast: Cast) -> Cast:
    played(cast)
    Campaign.objects.update(opens_story=False, opens_statistics=False)
    return ended(cast)


def test_an_older_campaign_keeps_its_promise(older: Cast) -> None:
    for who in ("allied commander", "spectator", ANONYMOUS):
        found = readable(older, who)
        assert not any("as=german" in address or "sheets" in address for address in found)
        assert words_in(found, (ORDER, "a dump burnt", *NOTES, *SHUT)) == set()
    assert "stay shut: this campaign was created before" in readable(older, "spectator")["result/"]
    rules = older.browser("spectator").get(older.address("rules/")).content.decode()
    assert "locked order sheets of all sides" not in rules


def test_it_opens_when_both_sides_and_the_gm_agree(older: Cast) -> None:
    for who in ("german commander", "gm"):
        older.browser(who).post(older.address("desk/closing/"), {"act": "story"})
        assert older.browser("spectator").get(older.address("stops/2/?as=german")).status_code == 404
    page = older.browser("allied commander").get(older.address("desk/closing/")).content.decode()
    assert "Agreed: the Germans, the GM. Not yet: the Allies." in re.sub(r"\s+", " ", re.sub(r"\s+([,.])", r"\1", page))
    for _ in range(2):
        assert (
            older.browser("allied commander").post(older.address("desk/closing/"), {"act": "story"}).status_code == 302
        )
    found = readable(older, "spectator")
    assert "stops/2/?as=german" in found
    assert words_in(found, (*NOTES, *SHUT)) == set()
    assert OutboxMessage.objects.filter(kind="story").count() == len(PARTS) - 1


def test_nobody_agrees_before_the_end(cast: Cast) -> None:
    for who, what in (("gm", "story"), ("german commander", "story"), ("german commander", "notes")):
        assert cast.browser(who).post(cast.address("desk/closing/"), {"act": what}).status_code == 404
    assert not Consent.objects.exists()


# --- the result ------------------------------------------------------------------------------------------------------


def test_the_result_tells_each_side_s_story_next_to_the_other_s(cast: Cast) -> None:
    played(cast)
    page = readable(ended(cast), "spectator")["result/"]
    assert "German commander conceded" in page or "german commander conceded" in page
    assert "?as=german" in page
    assert "?as=allied" in page
    assert "Victory points of the Germans" in page


def test_an_abandoned_campaign_has_no_winner(cast: Cast) -> None:
    abandon(viewer_of(cast.user("gm"), cast.campaign.slug), reason="Too few players.")
    page = cast.browser("spectator").get(cast.address("result/")).content.decode()
    assert "Too few players." in page
    assert "have won" not in page
