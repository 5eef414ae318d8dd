"""Writing comments: on lines, on places, limited, throttled, escaped; removed and marked as read."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Phase
from campaign.people import desks, throttles
from campaign.people.throttles import Limit
from campaign.viewers import viewer_of
from orders.models import Draft
from staff import writing
from staff.models import Comment, Visit
from tests.gm.campaigns import live, miss, send
from tests.staff.conftest import PLAN, Talk
from tests.web.conftest import Cast, rows

pytestmark = pytest.mark.django_db

SHEET = "# 16 December\nMOVE 1 SS Q22-R22\n\nALL OTHERS HOLD"


def test_a_comment_on_a_line_keeps_the_line_as_it_was(talk: Talk, cast: Cast) -> None:
    send(live(cast.campaign), cast.user("german commander"), SHEET)
    assert '<option value="2">2: MOVE 1 SS Q22-R22</option>' in talk.reads("german staff", "orders/HQ/")
    answer = talk.posts("german staff", "Why not R21?", desk="HQ", version="1", line="2", back="sheet")
    assert answer.headers["Location"] == cast.address("orders/HQ/#comments")
    send(live(cast.campaign), cast.user("german commander"), "ALL OTHERS HOLD")
    for rest in ("staff/", "orders/HQ/"):
        page = talk.reads("german commander", rest)
        assert "on HQ, version 1, line 2" in page
        assert "MOVE 1 SS Q22-R22" in page
        assert "Why not R21?" in page


def test_a_line_that_is_not_there_is_refused_and_the_words_stay(talk: Talk, cast: Cast) -> None:
    send(live(cast.campaign), cast.user("german commander"), SHEET)
    answer = talk.posts("german staff", "Why?", desk="HQ", version="1", line="5")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Not written: version 1 of this sheet has no line 5. Choose another." in page
    assert ">Why?</textarea>" in page
    assert "On the sheet of HQ, version 1, line 5" in page


def test_a_comment_on_a_whole_sheet_needs_no_version(talk: Talk) -> None:
    assert talk.posts("german staff", desk="HQ", version="0", line="", back="sheet").status_code == 302
    page = talk.reads("german commander", "orders/HQ/")
    assert "on HQ" in page
    assert "version" not in page[page.index('id="comments"') : page.index(PLAN)]


def test_a_desk_shows_the_comments_on_its_own_sheet(talk: Talk, cast: Cast) -> None:
    commander = viewer_of(cast.user("german commander"), "bulge")
    holder = cast.member("german staff")
    desks.set_desk(commander, name="South", formations=["7th Army"], holder=holder, now=talk.time.now)
    talk.says(text="For HQ.", desk="HQ")
    talk.says(text="For the south.", desk="South")
    talk.says(text="For nobody.")
    south = talk.reads("german staff", "orders/South/")
    assert "For the south." in south
    assert "For HQ." not in south
    assert "For nobody." not in south
    desks.drop_desk(commander, side="german", name="South", now=talk.time.now)
    closed = talk.posts("german staff", "Too late.", desk="South")
    assert closed.status_code == 422
    assert "your side has no desk South any more" in closed.content.decode()


def test_what_another_writes_and_has_not_submitted_is_not_quoted(talk: Talk, cast: Cast) -> None:
    phase, user = live(cast.campaign), cast.user("german commander")
    Draft.objects.create(phase=phase, side="german", author=user, text="MOVE 1 SS R22", saved_at=talk.time.now)
    assert talk.posts("german staff", "Why?", desk="HQ", version="0", line="1").status_code == 302
    assert Comment.objects.get().quote == ""
    assert "MOVE 1 SS R22" not in talk.reads("german staff", "orders/HQ/")


def test_a_comment_on_a_place_leads_to_the_board(talk: Talk, cast: Cast) -> None:
    assert talk.posts("german staff", "Two roads meet here.", place=" k16 ", back="board").headers[
        "Location"
    ] == cast.address("board/#comments")
    link = f'<a href="{cast.address("board/")}#at-K16">K16</a>'
    for rest in ("staff/", "orders/HQ/", "board/"):
        page = talk.reads("german commander", rest)
        assert link in page, rest
        assert "Two roads meet here." in page, rest
    for who, rest in (("german tactical", "board/"), ("gm", "board/"), ("spectator", "board/"), ("gm", "orders/HQ/")):
        page = talk.reads(who, rest)
        assert "Two roads meet here." not in page
        assert "omments on" not in page


def test_a_place_that_is_not_on_the_map_is_refused_and_nothing_is_lost(talk: Talk) -> None:
    answer = talk.posts("german staff", "Here.", place="Zz99")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "there is no hex &#x27;Zz99&#x27; on this map. Write its id, for example" in page
    assert ">Here.</textarea>" in page
    assert 'value="Zz99"' in page


def test_a_board_shows_what_was_said_while_it_was_the_newest(talk: Talk, cast: Cast) -> None:
    talk.says(place="K16")
    newest = live(cast.campaign).no - 1
    assert PLAN in talk.reads("german staff", f"stops/{newest}/board/")
    assert "Comment on a hex" in talk.reads("german staff", f"stops/{newest}/board/")
    earlier = talk.reads("german staff", f"stops/{newest - 1}/board/")
    assert PLAN not in earlier
    assert "Comment on a hex" not in earlier


def test_comments_are_kept_with_their_phase_the_newest_first(talk: Talk, cast: Cast) -> None:
    talk.says(text="Of the first phase.")
    miss(live(cast.campaign))
    talk.says(text="Of the second phase.")
    talk.says(text="One more.")
    page = talk.reads("german commander")
    assert page.index("One more.") < page.index("Of the second phase.") < page.index("Of the first phase.")
    assert [comment.no for comment in Comment.objects.order_by("pk")] == [1, 1, 2]
    assert "Of the first phase." not in talk.reads("german commander", "orders/HQ/")


def test_a_comment_on_a_phase_that_is_over_is_refused_and_its_words_stay(cast: Cast) -> None:
    over = live(cast.campaign)
    miss(over)
    form = {"act": "write", "phase": f"{over.no}.{over.rev}", "text": PLAN}
    answer = cast.browser("german staff").post(cast.address("staff/"), form)
    assert answer.status_code == 409
    assert "the phase that it was for is over" in answer.content.decode()
    assert f">{PLAN}</textarea>" in answer.content.decode()
    assert not Comment.objects.exists()


def test_after_the_end_words_are_given_back(talk: Talk, cast: Cast) -> None:
    Phase.objects.filter(pk=live(cast.campaign).pk).update(state="WITHDRAWN")
    page = talk.posts("german staff").content.decode()
    assert f"readonly>{PLAN}</textarea>" in page
    assert 'name="act" value="write"' not in page


@pytest.mark.parametrize(
    "form", [{"phase": "x"}, {"phase": "2"}, {"phase": "2.0.1.1"}, {"phase": "99.0"}, {"act": "x"}]
)
def test_a_form_that_no_page_has_is_answered_like_a_page_that_is_not_there(talk: Talk, form: dict[str, str]) -> None:
    assert talk.posts("german staff", **form).status_code == 404


# --- limits ----------------------------------------------------------------------------------------------------------


def test_what_is_written_is_shown_as_it_was_written(talk: Talk) -> None:
    talk.posts("german staff", "<script>alert(1)</script>\r\n& more", place="K16", desk="HQ")
    for rest in ("staff/", "orders/HQ/", "board/"):
        page = talk.reads("german commander", rest)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>&amp; more" in page, rest
        assert "<script>alert" not in page, rest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the comment has no words. Write some."),
        (" \r\n ", "the comment has no words. Write some."),
        ("x" * (writing.LONGEST + 1), "the comment has 2,001 characters; 2,000 are the most. Shorten it."),
        ("One\nt\u0000wo", "character 2 of line 2 cannot be seen in print."),
        ("\u202eevil", "character 1 of line 1 cannot be seen in print."),
        ("be\u0007ep", "character 3 of line 1 cannot be seen in print."),
    ],
)
def test_a_text_that_cannot_be_shown_is_refused(talk: Talk, text: str, why: str) -> None:
    answer = talk.posts("german staff", text)
    assert answer.status_code == 422
    assert f"Not written: {why}" in answer.content.decode()
    assert not Comment.objects.exists()


@pytest.mark.parametrize("text", ["Überraschung\tnow", "👩‍🚀 goes", "العربية", "x" * writing.LONGEST])
def test_other_texts_are_written(talk: Talk, text: str) -> None:
    assert talk.posts("german staff", text).status_code == 302
    assert Comment.objects.get().text == text


def test_a_side_writes_so_many_comments_in_a_phase(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_IN_A_PHASE", 2)
    assert [talk.posts("german staff", text).status_code for text in ("One.", "Two.", "Three.")] == [302, 302, 422]
    assert talk.posts("allied commander", "One.").status_code == 302, "the other side has its own number"


def test_those_who_write_too_fast_wait_and_keep_their_words(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("staff.views.COMMENTS", Limit("comments", throttles.MINUTE, 1))
    assert talk.posts("german staff", "One.").status_code == 302
    answer = talk.posts("german staff", "Two.")
    assert talk.posts("spectator", "Two.").status_code == 404, "a stranger learns nothing of limits"
    assert answer.status_code == 429
    assert "Two.</textarea>" in answer.content.decode()


def test_a_form_that_is_sent_twice_writes_once(talk: Talk) -> None:
    for _ in range(2):
        assert talk.posts("german staff", "Once.").status_code == 302
    assert Comment.objects.count() == 1
    talk.time.forward(minutes=2)
    talk.posts("german staff", "Once.")
    talk.posts("german commander", "Once.")
    assert Comment.objects.count() == 3


def test_a_long_room_has_pages(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("staff.views.PER_PAGE", 2)
    for text in ("First.", "Second.", "Third."):
        talk.says(text=text)
    newest, earlier = talk.reads("german staff"), talk.reads("german staff", "staff/?page=2")
    assert "Third." in newest
    assert "First." not in newest
    assert "First." in earlier
    assert 'href="?page=2"' in newest


# --- removed ---------------------------------------------------------------------------------------------------------


def test_an_author_removes_their_comment_and_its_place_stays(talk: Talk, cast: Cast) -> None:
    send(live(cast.campaign), cast.user("german commander"), SHEET)
    comment = talk.says("german staff", "Nonsense.", desk="HQ", version=1, line=2)
    assert talk.presses("german staff", "remove", comment).status_code == 302
    page = talk.reads("german commander")
    assert "Removed by its author." in page
    assert "Nonsense." not in page
    assert "MOVE 1 SS" not in page
    comment.refresh_from_db()
    assert (comment.text, comment.quote, comment.removed_at) == ("", "", talk.time.now)
    assert talk.presses("german staff", "remove", comment).status_code == 404


@pytest.mark.parametrize("who", ["german commander", "allied commander", "gm", "spectator"])
def test_nobody_removes_the_comments_of_others(talk: Talk, who: str) -> None:
    comment = talk.says("german staff")
    talk.reads(who)
    before = rows()
    assert talk.presses(who, "remove", comment).status_code == 404
    assert rows() == before
    assert 'value="remove"' not in talk.reads("german commander")


# --- new -------------------------------------------------------------------------------------------------------------


def test_the_situation_says_how_many_comments_are_new(talk: Talk) -> None:
    first = talk.says()
    talk.time.forward(minutes=5)
    newest = talk.says("german deputy", "And more.")
    assert "2 new comments in the staff room" in talk.reads("german staff", "")
    assert "1 new comment in the staff room" in talk.reads("german commander", ""), "their own is not new to them"
    for who in ("allied commander", "german tactical", "gm", "spectator"):
        assert "new comment" not in talk.reads(who, "")
    assert "2 new comments." in talk.reads("german staff")
    assert talk.presses("german staff", "read", first).status_code == 302
    assert "1 new comment in" in talk.reads("german staff", "")
    talk.presses("german staff", "read", newest)
    talk.presses("german staff", "read", first)
    assert "new comment" not in talk.reads("german staff", "")
    assert Visit.objects.get().seen_at == newest.written_at


def test_nobody_marks_what_they_may_not_read(talk: Talk) -> None:
    comment = talk.says()
    for who in ("allied commander", "gm", "spectator"):
        assert talk.presses(who, "read", comment).status_code == 404
    assert not Visit.objects.exists()


def test_a_removed_comment_is_not_new(talk: Talk) -> None:
    comment = talk.says()
    talk.presses("german commander", "remove", comment)
    assert "new comment" not in talk.reads("german staff", "")


def test_pages_ask_the_database_as_often_whatever_was_said(talk: Talk) -> None:
    def asked() -> dict[str, int]:
        found = {}
        for rest in ("staff/", "orders/HQ/", "board/", ""):
            talk.reads("german staff", rest)
            with CaptureQueriesContext(connection) as queries:
                talk.reads("german staff", rest)
            found[rest] = len(queries)
        return found

    talk.says(text="One.", desk="HQ", place="K16")
    before = asked()
    for who in ("german commander", "german deputy", "german staff"):
        for no in range(4):
            talk.time.forward(minutes=2)
            talk.says(who, f"Number {no}.", desk="HQ", place="K16")
    assert asked() == before
