"""Every adapter against a small server of its kind: what it sends, and what it makes of each answer."""

import pytest

from posting.adapters import InDoubt, NotSent, Outgoing, PostRefused, Trouble, Wait
from tests.posting.conftest import adapter_to
from tests.posting.forums import Fault, ForumServer

MARK = "0123456789abcdef"
POST = Outgoing("A **report**", MARK)
PICTURED = Outgoing("A report", MARK, b"\x89PNG a map", "map-german.png")


def test_a_post_arrives_with_its_text(forum: ForumServer) -> None:
    remote = adapter_to(forum).post(POST)
    assert list(forum.posts) == [remote]
    assert forum.posts[remote].startswith("A **report**")


def test_a_post_is_changed_and_deleted(forum: ForumServer) -> None:
    adapter = adapter_to(forum)
    remote = adapter.post(POST)
    adapter.edit(remote, Outgoing("Another report", MARK))
    assert forum.posts[remote].startswith("Another report")
    adapter.delete(remote)
    assert forum.posts == {}


def test_what_is_gone_may_be_deleted_again(forum: ForumServer) -> None:
    adapter_to(forum).delete("999999")
    assert [each.method for each in forum.asked] == ["DELETE"]
    assert forum.posts == {}


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_deletion_that_is_refused_is_no_deletion(forum: ForumServer, status: int) -> None:
    """A 404 that does not speak of the post is of the address, or of the key."""
    adapter = adapter_to(forum)
    remote = adapter.post(POST)
    fault = Fault(404, b"<html>") if status == 404 else forum.refuse(status)
    forum.faults.append(Fault(fault.status, fault.body, method="DELETE"))
    with pytest.raises(PostRefused):
        adapter.delete(remote)


def test_a_picture_goes_with_its_post(forum: ForumServer) -> None:
    remote = adapter_to(forum).post(PICTURED)
    assert forum.files == [("map-german.png", b"\x89PNG a map")]
    if forum.key == "discourse":
        assert forum.posts[remote] == f"A report\n\n![Map|690x517](upload://9bqXk1.png)\n\nFieldpost {MARK}"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_refusal_is_told_and_not_tried_again(forum: ForumServer, status: int) -> None:
    forum.faults.append(forum.refuse(status))
    with pytest.raises(PostRefused, match=f"Refused: {status} .+"):
        adapter_to(forum).post(POST)
    assert forum.posts == {}
    assert len(forum.asked) == 1


def test_a_wrong_key_is_refused(forum: ForumServer) -> None:
    with pytest.raises(PostRefused, match=r"40[13]"):
        adapter_to(forum, key="wrong" * 8).post(POST)


def test_a_post_that_is_too_long_is_refused(forum: ForumServer) -> None:
    with pytest.raises(PostRefused, match=r"4(00|22)"):
        adapter_to(forum).post(Outgoing("x" * 40_000, MARK))


def test_a_forum_that_asks_to_wait_is_waited_for(forum: ForumServer) -> None:
    fault = forum.refuse(429)
    forum.faults.append(Fault(429, fault.body, {"Retry-After": "20"}))
    with pytest.raises(Wait) as wait:
        adapter_to(forum).post(POST)
    assert wait.value.seconds == 21


def test_a_wait_is_read_from_the_body_too(forum: ForumServer) -> None:
    forum.faults.append(forum.refuse(429))
    with pytest.raises(Wait) as wait:
        adapter_to(forum).post(POST)
    assert wait.value.seconds == {"discourse": 18, "discord": 17, "xenforo": 61}[forum.key]


@pytest.mark.parametrize("seconds", ["0", "-5", "nan", "soon", "99999999999999", "1e9"])
def test_no_answer_makes_a_post_wait_for_ever(forum: ForumServer, seconds: str) -> None:
    forum.faults.append(Fault(429, None, {"Retry-After": seconds}))
    with pytest.raises(Wait) as wait:
        adapter_to(forum).post(POST)
    assert 1 <= wait.value.seconds <= 24 * 3600


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
@pytest.mark.parametrize("accepts", [True, False])
def test_a_fault_of_the_server_leaves_a_post_in_doubt(forum: ForumServer, status: int, accepts: bool) -> None:  # noqa: FBT001
    forum.faults.append(Fault(status, accepts=accepts))
    with pytest.raises(InDoubt):
        adapter_to(forum).post(POST)
    assert len(forum.posts) == accepts


def test_silence_after_acceptance_leaves_a_post_in_doubt(forum: ForumServer) -> None:
    forum.faults.append(Fault(accepts=True))
    with pytest.raises(InDoubt):
        adapter_to(forum, patience=0.3).post(POST)
    assert len(forum.posts) == 1


@pytest.mark.parametrize("body", [b"<html>Welcome</html>", b"[]", b"{}", b'{"id": "../../7", "post": 3}', b""])
def test_an_answer_that_names_no_post_leaves_it_in_doubt(forum: ForumServer, body: bytes) -> None:
    forum.faults.append(Fault(200, body, accepts=True))
    with pytest.raises(InDoubt):
        adapter_to(forum).post(POST)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(forum: ForumServer, status: int) -> None:
    forum.faults.append(Fault(status, None, {"Location": f"{forum.address}/elsewhere"}))
    with pytest.raises(PostRefused, match="redirect"):
        adapter_to(forum).post(POST)
    assert len(forum.asked) == 1


def test_a_server_that_is_down_got_nothing(forum: ForumServer) -> None:
    adapter = adapter_to(forum)
    forum.close()
    with pytest.raises(NotSent, match="Not reached"):
        adapter.post(POST)


@pytest.mark.parametrize("kind", ["discourse", "xenforo"])
@pytest.mark.parametrize(
    "fault", [Fault(500), Fault(accepts=True), Fault(200, b"{}")], ids=["500", "silence", "no name"]
)
def test_a_picture_in_doubt_means_that_nothing_was_posted(
    request: pytest.FixtureRequest, kind: str, fault: Fault
) -> None:
    forum: ForumServer = request.getfixturevalue(kind)
    forum.faults.append(fault)
    with pytest.raises(NotSent, match="Nothing was posted"):
        adapter_to(forum, patience=0.3).post(PICTURED)
    assert forum.posts == {}


def test_no_trouble_shows_the_key(forum: ForumServer) -> None:
    said = {"errors": [f"bad key {forum.secret}"], "message": f"bad key {forum.secret}"}
    for fault in (Fault(403, said), Fault(500, said), Fault(429, said), Fault(accepts=True)):
        forum.faults.append(fault)
        with pytest.raises((PostRefused, InDoubt, Wait)) as trouble:
            adapter_to(forum, patience=0.3).post(POST)
        assert forum.secret not in str(trouble.value)
    forum.close()
    with pytest.raises(NotSent) as unreached:
        adapter_to(forum).post(POST)
    assert forum.secret not in str(unreached.value)


DEEP = b"[" * 100_000
"""An answer that no program can take apart, within the size that is read."""
_NO_NUMBERS = ["1" * 21, "true", "-7", '""', '"' + "7" * 500 + '"', '"\\u0667"', "7.0", "null", "[7]"]


@pytest.mark.parametrize("number", _NO_NUMBERS)
def test_what_is_no_number_of_a_post_leaves_it_in_doubt(forum: ForumServer, number: str) -> None:
    forum.faults.append(Fault(200, f'{{"id": {number}, "post": {{"post_id": {number}}}}}'.encode()))
    with pytest.raises(InDoubt, match="names no post"):
        adapter_to(forum).post(POST)


@pytest.mark.parametrize("number", ["7", '"7"', "9" * 20])
def test_numbers_of_posts_may_be_text(forum: ForumServer, number: str) -> None:
    forum.faults.append(Fault(200, f'{{"id": {number}, "post": {{"post_id": {number}}}}}'.encode()))
    assert adapter_to(forum).post(POST) == number.strip('"')


@pytest.mark.parametrize("status", [200, 403, 429, 500])
def test_an_answer_that_is_nested_too_deeply_is_trouble(forum: ForumServer, status: int) -> None:
    forum.faults.append(Fault(status, DEEP))
    with pytest.raises(Trouble):
        adapter_to(forum).post(POST)


# --- looking up ------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["discourse", "xenforo"])
def readable(request: pytest.FixtureRequest) -> ForumServer:
    found: ForumServer = request.getfixturevalue(request.param)
    return found


def test_a_post_is_found_by_its_mark(readable: ForumServer) -> None:
    adapter = adapter_to(readable)
    remote = adapter.post(POST)
    assert adapter.find(MARK) == remote
    assert adapter.find("f" * 16) == ""


def test_a_post_is_found_behind_many_others(readable: ForumServer) -> None:
    adapter = adapter_to(readable)
    for each in range(45):
        readable.posted(f"chat {each}", "5")
    remote = adapter.post(POST)
    for each in range(10):
        readable.posted(f"talk {each}", "5")
    assert adapter.find(MARK) == remote


def test_a_quote_of_a_post_is_not_that_post(readable: ForumServer) -> None:
    readable.posted(f"> A report\n\n> Fieldpost {MARK}", "99")
    assert adapter_to(readable).find(MARK) == ""


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"{}",
        DEEP,
        b'{"posts": [], "pagination": {"last_page": 1e999}}',
        b'{"post_stream": 7, "posts": {}, "pagination": []}',
    ],
)
def test_a_topic_that_cannot_be_read_is_not_taken_for_an_empty_one(readable: ForumServer, body: bytes) -> None:
    readable.faults.append(Fault(200, body, method="GET"))
    with pytest.raises(InDoubt):
        adapter_to(readable).find(MARK)


def test_a_channel_of_discord_cannot_be_read(discord: ForumServer) -> None:
    adapter = adapter_to(discord)
    assert not adapter.readable
    with pytest.raises(PostRefused):
        adapter.find(MARK)


# --- what each vendor asks for ---------------------------------------------------------------------------------------


def test_discourse_is_asked_as_documented(discourse: ForumServer) -> None:
    adapter_to(discourse).post(POST)
    (asked,) = discourse.asked
    assert (asked.method, asked.path) == ("POST", "/posts.json")
    assert asked.headers["Api-Key"] == discourse.secret
    assert asked.headers["Api-Username"] == "umpire"
    assert asked.json == {"topic_id": 77, "raw": f"A **report**\n\nFieldpost {MARK}"}


def test_discourse_may_hold_a_post_for_approval(discourse: ForumServer) -> None:
    discourse.faults.append(Fault(200, {"action": "enqueued", "success": True, "pending_count": 1}))
    assert adapter_to(discourse).post(POST) == ""


def test_xenforo_is_asked_as_documented(xenforo: ForumServer) -> None:
    adapter_to(xenforo).post(PICTURED)
    attached, posted = xenforo.asked
    assert attached.path == "/api/attachments/new-key"
    assert posted.headers["XF-Api-Key"] == xenforo.secret
    assert posted.headers["XF-Api-User"] == "12"
    assert posted.form == {"thread_id": "77", "message": f"A report\n\nFieldpost {MARK}", "attachment_key": "abc123"}


def test_discord_is_asked_as_documented(discord: ForumServer) -> None:
    adapter_to(discord, thread="123").post(POST)
    (asked,) = discord.asked
    assert asked.query == [("wait", "true"), ("thread_id", "123")]
    assert asked.json == {"content": "A **report**", "allowed_mentions": {"parse": []}}
