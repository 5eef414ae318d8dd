"""After submitting: the version with its answer, what comes next, and the question before READY."""

import re

import pytest

from campaign.models import Desk
from gm.machine.sweeper import sweep
from orders.models import Draft, Sheet
from tests.gm.campaigns import Clock, live
from tests.web.conftest import Cast
from tests.web.sheets.test_sheet import fields, hand_out, post

pytestmark = pytest.mark.django_db

COMMANDER = "german commander"


def version(cast: Cast, who: str = COMMANDER, rest: str = "HQ/2.0/1/") -> str:
    return str(cast.browser(who).get(cast.address(f"orders/{rest}")).content.decode())


def test_the_page_after_submitting_shows_how_each_line_is_read(cast: Cast) -> None:
    post(cast, COMMANDER, text="# a plan\nHOLD 1 SS\nMOVE 2 Pz to Nowhere\nMOVE 12 SS S22")
    page = version(cast)
    lines = re.findall(r"<li[^>]*>\s*<code>(.*?)</code>(.*?)</li>", page.split("How we read it")[1], re.DOTALL)
    assert [text for text, _ in lines] == ["# a plan", "HOLD 1 SS", "MOVE 2 Pz to Nowhere", "MOVE 12 SS S22"]
    assert "reading" not in lines[0][1]
    assert '<span class="reading">Accepted</span>' in lines[1][1]
    assert '<span class="reading">12 SS' in lines[3][1]
    assert "Ignored: " in lines[2][1]
    assert "1 line will be ignored" in page


def test_it_says_for_whom_the_phase_waits_and_until_when(cast: Cast) -> None:
    hand_out(cast)
    post(cast, COMMANDER, text="HOLD 1 SS\nREADY")
    page = version(cast)
    assert "The phase waits for Sixth of your side to be READY." in page
    post(cast, "german staff", "Sixth", text="HOLD 12 SS\nREADY", key="another")
    assert "Your side is READY." in version(cast)
    assert "Deadline: " in version(cast)


def test_a_desk_without_a_holder_is_not_waited_for(cast: Cast) -> None:
    hand_out(cast)
    Desk.objects.update(holder=None)
    post(cast, COMMANDER, text="HOLD 1 SS")
    assert "The phase waits for HQ of your side" in version(cast)


def test_an_older_version_names_the_newer_one(cast: Cast) -> None:
    post(cast, COMMANDER, text="HOLD 1 SS", key="one")
    post(cast, COMMANDER, text="HOLD 2 Pz", key="two", version=1)
    assert "is newer and counts instead of this one" in version(cast)
    assert "is newer" not in version(cast, rest="HQ/2.0/2/")


def test_a_version_of_a_phase_that_has_closed_says_nothing_of_what_comes_next(cast: Cast) -> None:
    post(cast, COMMANDER, text="HOLD 1 SS\nREADY")
    sweep(worker="one")
    page = version(cast)
    assert "What comes next" not in page
    assert "HOLD 1 SS\nREADY</pre>" in page


def test_the_proof_is_folded_away_and_has_the_text_as_received(cast: Cast) -> None:
    post(cast, COMMANDER, text="HOLD 1 SS")
    before, folded = version(cast).split("<summary>Proof</summary>")
    assert Sheet.objects.get().digest not in before
    assert Sheet.objects.get().digest in folded
    assert '<pre class="sheet">HOLD 1 SS</pre>' in folded


# --- READY with ignored lines ----------------------------------------------------------------------------------------

FAULTY = "HOLD 1 SS\nMOVE 2 Pz to Nowhere"


@pytest.mark.parametrize(("act", "text"), [("ready", FAULTY), ("send", f"{FAULTY}\nREADY")])
def test_ready_with_an_ignored_line_asks_first_and_saves_the_text(cast: Cast, act: str, text: str) -> None:
    page = post(cast, COMMANDER, act=act, text=text).content.decode()
    assert "Not submitted yet: 1 line of your sheet will be ignored" in page
    assert "<code>MOVE 2 Pz to Nowhere</code>" in page
    assert not Sheet.objects.exists()
    assert Draft.objects.get().text.strip() == f"{FAULTY}\nREADY"
    field = cast.browser(COMMANDER).get(cast.address("orders/")).content.decode()
    assert "MOVE 2 Pz to Nowhere\nREADY" in field, "keep writing"


def test_it_is_submitted_anyway_with_what_the_question_shows(cast: Cast) -> None:
    browser = cast.browser(COMMANDER)
    page = browser.post(cast.address("orders/HQ/"), fields(cast, act="ready", text=FAULTY)).content.decode()
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    form |= dict(re.findall(r'<textarea[^>]* name="(\w+)"[^>]*>([^<]*)</textarea>', page))
    sent = browser.post(cast.address("orders/HQ/"), {**form, "act": "anyway"})
    assert sent.headers["Location"] == cast.address("orders/HQ/2.0/1/")
    again = browser.post(cast.address("orders/HQ/"), {**form, "act": "anyway"})
    assert again.headers["Location"] == sent.headers["Location"]
    sheet = Sheet.objects.get()
    assert (sheet.text, sheet.ready) == (f"{FAULTY}\nREADY\n", True)
    assert not Draft.objects.exists()


def test_nothing_is_asked_about_a_sheet_that_is_not_final_or_has_no_ignored_line(cast: Cast) -> None:
    assert post(cast, COMMANDER, text=FAULTY).status_code == 302
    assert post(cast, COMMANDER, act="ready", text="HOLD 1 SS", version=1, key="two").status_code == 302
    assert Sheet.objects.count() == 2


def test_a_newer_version_is_not_replaced_through_the_question(cast: Cast) -> None:
    post(cast, "german deputy", text="HOLD 1 SS", key="theirs")
    asked = post(cast, COMMANDER, act="ready", text=FAULTY)
    assert "Not submitted yet" in asked.content.decode()
    refused = post(cast, COMMANDER, act="anyway", text=f"{FAULTY}\nREADY\n")
    assert refused.status_code == 409
    assert "version 1 of this sheet was submitted while you wrote" in refused.content.decode()
    replaced = post(cast, COMMANDER, act="replace", newest=1, text=f"{FAULTY}\nREADY\n").content.decode()
    assert 'name="version" value="1"' in replaced
    assert Sheet.objects.count() == 1


def test_an_answer_after_the_deadline_is_refused_and_the_text_shown(cast: Cast, time: Clock) -> None:
    assert post(cast, COMMANDER, act="ready", text=FAULTY).status_code == 200
    time.now = live(cast.campaign).deadline_at
    response = post(cast, COMMANDER, act="anyway", text=f"{FAULTY}\nREADY\n")
    assert response.status_code == 409
    assert "this phase closed before you submitted" in response.content.decode()
    assert "MOVE 2 Pz to Nowhere" in response.content.decode()
    assert Draft.objects.get().text == f"{FAULTY}\nREADY\n"


# --- differences -----------------------------------------------------------------------------------------------------


def changes(page: str) -> list[str]:
    """The lines that changed, with the words that say how."""
    (listed,) = re.findall(r'<ul class="changes">(.*?)</ul>', page, re.DOTALL)
    rows = re.findall(r"<li[^>]*>(.*?)</li>", listed, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def test_a_version_shows_what_changed_since_the_one_before_or_another(cast: Cast) -> None:
    for nth, text in enumerate(("HOLD 1 SS", "HOLD 1 SS\nHOLD 2 Pz", "HOLD 2 Pz"), 1):
        post(cast, COMMANDER, text=text, key=f"{nth}", version=nth - 1)
    assert changes(version(cast, rest="HQ/2.0/3/")) == ["removed HOLD 1 SS", "HOLD 2 Pz"]
    assert changes(version(cast, rest="HQ/2.0/3/?against=1")) == ["removed HOLD 1 SS", "added HOLD 2 Pz"]
    assert changes(version(cast, rest="HQ/2.0/1/")) == ["HOLD 1 SS", "removed HOLD 2 Pz"]


def test_an_only_version_is_compared_with_none_and_one_that_is_missing_is_not_found(cast: Cast) -> None:
    post(cast, COMMANDER, text="HOLD 1 SS")
    assert "Changes since" not in version(cast)
    post(cast, COMMANDER, text="HOLD 1 SS\n", key="two", version=1)
    assert "The two texts are the same." in version(cast, rest="HQ/2.0/2/")
    for wrong in ("2", "3", "x", ""):
        absent = cast.browser(COMMANDER).get(cast.address(f"orders/HQ/2.0/2/?against={wrong}"))
        assert absent.status_code == 404


def test_two_who_write_one_sheet_see_the_differences(cast: Cast) -> None:
    post(cast, COMMANDER, text="HOLD 1 SS\nHOLD 2 Pz", key="one")
    refused = post(cast, "german deputy", text="HOLD 1 SS\nHOLD 3 FJ", key="two").content.decode()
    assert changes(refused) == ["HOLD 1 SS", "removed HOLD 2 Pz", "added HOLD 3 FJ"]
    later = cast.browser("german deputy").get(cast.address("orders/HQ/")).content.decode()
    assert changes(later) == changes(refused)
