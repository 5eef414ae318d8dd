"""What becomes of a post: it arrives once, whatever the forum, the network and the worker do meanwhile."""

from datetime import timedelta

import pytest
from django.db import transaction

from campaign.core.failpoints import Provoked
from campaign.models import PhaseState
from campaign.viewers import viewer_of
from posting.deciding import decide
from posting.destinations import WITHDRAWN, withdraw_destination
from posting.models import Destination, DispatchState, ThreadPost
from posting.sending import BATCH, FOR_APPROVAL, GIVE_UP, INTERRUPTED, LEASE, _attend, send_due
from posting.writing import withdraw_posts
from tests.gm.campaigns import Clock
from tests.kept import kept
from tests.posting.conftest import destination_at
from tests.posting.forums import Fault, ForumServer
from tests.posting.test_publication import published
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db(transaction=True)


class Desk:
    """The posts of a publication to one forum, and workers that send them."""

    def __init__(self, forum: ForumServer, cast: Cast, time: Clock) -> None:
        self.forum, self.cast, self.time = forum, cast, time
        self.destination = Destination.objects.get()
        self.phase = cast.campaign.phases.filter(state=PhaseState.PUBLISHED).latest("no")

    def post(self, part: int = 1) -> ThreadPost:
        return ThreadPost.objects.get(phase=self.phase, part=part)

    def later(self, **by: float) -> int:
        self.time.forward(**by)
        return send_due(self.time.now)

    def works(self, hours: int = 1) -> None:
        """Workers for a while, at the moments at which what fails is tried again."""
        for _ in range(hours):
            for seconds in (61, 61, 122, 244, 488, 976, 1708):
                self.later(seconds=seconds)


def withdraw(desk: Desk) -> None:
    """As a reopening does, within its transaction."""
    with transaction.atomic():
        withdraw_posts(desk.phase, now=desk.time.now)


def after_a_sweep(forum: ForumServer, cast: Cast, time: Clock) -> Desk:
    """A sweep has published, and has sent what it could."""
    destination_at(forum, cast, time)
    published(cast)
    return Desk(forum, cast, time)


def waiting(forum: ForumServer, cast: Cast, time: Clock) -> Desk:
    """One post waits, as if the sweep that published it had sent none."""
    kept(f"a post that waits at {forum.key}", lambda: _waits(forum, cast, time), after="cast")
    for received in (forum.posts, forum.authors, forum.files, forum.asked):
        received.clear()
    Destination.objects.update(address=forum.address)  # the forum of this test; the record names the first one's
    return Desk(forum, cast, time)


def _waits(forum: ForumServer, cast: Cast, time: Clock) -> None:
    destination_at(forum, cast, time)
    published(cast)
    ThreadPost.objects.filter(part__gt=1).delete()
    ThreadPost.objects.update(
        state=DispatchState.WAITING, tries=0, remote_id="", sent_at=None, first_try_at=None, next_at=time.now
    )


@pytest.fixture
def desk(forum: ForumServer, cast: Cast, time: Clock) -> Desk:
    return waiting(forum, cast, time)


@pytest.fixture(params=["discourse", "xenforo"])
def readable(request: pytest.FixtureRequest, cast: Cast, time: Clock) -> Desk:
    """At a forum that can be read."""
    return waiting(request.getfixturevalue(request.param), cast, time)


@pytest.fixture
def blind(discord: ForumServer, cast: Cast, time: Clock) -> Desk:
    """At a channel that cannot be read."""
    return waiting(discord, cast, time)


def test_a_post_goes_out_with_its_picture(desk: Desk) -> None:
    assert send_due(desk.time.now) == 1
    post = desk.post()
    assert (post.state, post.trouble, post.sent_at) == (DispatchState.SENT, "", desk.time.now)
    assert list(desk.forum.posts) == [post.remote_id]
    assert next(iter(desk.forum.posts.values())).startswith(post.text)
    assert desk.forum.files[-1] == ("map-german.png", b"a map")
    desk.works()
    assert len(desk.forum.posts) == 1


def test_a_sweep_sends_what_it_publishes(forum: ForumServer, cast: Cast, time: Clock) -> None:
    desk = after_a_sweep(forum, cast, time)
    desk.works()
    posts = ThreadPost.objects.order_by("part")
    assert {each.state for each in posts} == {DispatchState.SENT}
    assert list(forum.posts) == [each.remote_id for each in posts]


def test_a_forum_that_is_down_is_tried_again_after_longer_pauses(desk: Desk) -> None:
    desk.forum.close()
    pauses = []
    for _ in range(9):
        before = desk.time.now
        assert send_due(before) == 1
        post = desk.post()
        assert post.state == DispatchState.WAITING
        assert post.next_at is not None
        pauses.append((post.next_at - before).total_seconds())
        desk.time.now = post.next_at
    assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


def test_after_three_days_a_post_is_given_up(desk: Desk) -> None:
    desk.forum.close()
    send_due(desk.time.now)
    assert desk.later(seconds=GIVE_UP.total_seconds()) == 1
    assert desk.post().state == DispatchState.DEAD
    assert desk.post().trouble.startswith("Given up after 72 hours.")
    assert desk.later(days=30) == 0


def test_a_pause_that_the_forum_asks_for_is_kept(desk: Desk) -> None:
    fault = desk.forum.refuse(429)
    desk.forum.faults.append(Fault(429, fault.body, {"Retry-After": "300"}, path=desk.forum.to_post))
    send_due(desk.time.now)
    assert desk.later(seconds=299) == 0
    assert desk.later(seconds=3) == 1
    assert desk.post().state == DispatchState.SENT


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_a_refusal_waits_for_the_game_master(desk: Desk, status: int) -> None:
    desk.forum.faults.append(desk.forum.refuse(status))
    send_due(desk.time.now)
    post = desk.post()
    assert (post.state, post.next_at) == (DispatchState.DEAD, None)
    assert str(status) in post.trouble
    asked = len(desk.forum.asked)
    desk.works(hours=2)
    assert len(desk.forum.asked) == asked


def test_parts_go_out_in_order_and_none_without_the_one_before(desk: Desk) -> None:
    first = desk.post()
    ThreadPost.objects.filter(pk=first.pk).update(parts=2)
    second = ThreadPost.objects.get(pk=first.pk)
    second.pk, second.part, second.parts, second.mark, second.picture = None, 2, 2, "b" * 16, None
    second.text = "second"
    second.save()
    desk.forum.faults.append(desk.forum.refuse(403))
    desk.works()
    assert ThreadPost.objects.get(part=1).state == DispatchState.DEAD
    assert ThreadPost.objects.get(part=2).state == DispatchState.WAITING
    ThreadPost.objects.filter(part=1).update(state=DispatchState.SENT)
    desk.works()
    assert [text.partition("\n\nFieldpost")[0] for text in desk.forum.posts.values()] == ["second"]


def test_trouble_in_one_destination_delays_no_other(
    cast: Cast, time: Clock, discourse: ForumServer, discord: ForumServer
) -> None:
    destination_at(discourse, cast, time, "german")
    destination_at(discord, cast, time, "allied")
    discourse.close()
    published(cast)
    for _ in range(BATCH):
        send_due(time.now)
        time.forward(seconds=61)
    states = set(ThreadPost.objects.filter(destination__audience="allied").values_list("state", flat=True))
    assert states == {DispatchState.SENT}


def test_a_picture_of_another_audience_never_goes_out(desk: Desk) -> None:
    other = desk.phase.all_artefacts.get(audience="allied", kind="map")
    ThreadPost.objects.update(picture=other)
    desk.works()
    assert desk.forum.asked == []


# --- in doubt --------------------------------------------------------------------------------------------------------

_DOUBTS = [Fault(500, accepts=True), Fault(502), Fault(200, b"<html>", accepts=True), Fault(200, b"{}")]


@pytest.mark.parametrize("fault", _DOUBTS, ids=["500 accepted", "502", "html accepted", "no name"])
def test_a_post_in_doubt_is_looked_up_and_arrives_once(readable: Desk, fault: Fault) -> None:
    readable.forum.faults.append(Fault(fault.status, fault.body, accepts=fault.accepts, path=readable.forum.to_post))
    send_due(readable.time.now)
    assert readable.post().state == DispatchState.DOUBT
    readable.works()
    assert readable.post().state == DispatchState.SENT
    assert list(readable.forum.posts) == [readable.post().remote_id]


def test_a_forum_that_answers_nonsense_is_given_up_in_the_end(readable: Desk) -> None:
    """A post whose number no column takes, and a topic that no program can take apart."""
    readable.forum.faults += [
        Fault(200, b'{"id": %b, "post": {"post_id": %b}}' % (b"7" * 40, b"7" * 40), path=readable.forum.to_post),
        *[Fault(200, b"[" * 100_000, method="GET") for _ in range(2)],
    ]
    send_due(readable.time.now)
    assert (readable.post().state, "names no post" in readable.post().trouble) == (DispatchState.DOUBT, True)
    assert readable.later(seconds=61) == 1
    assert "not one of this kind" in readable.post().trouble
    assert readable.later(seconds=GIVE_UP.total_seconds()) == 1
    assert readable.post().next_at is None
    assert readable.post().trouble.startswith("Given up after 72 hours.")


def test_a_topic_that_cannot_be_read_is_read_again_later(readable: Desk) -> None:
    readable.forum.faults += [
        Fault(500, accepts=True, path=readable.forum.to_post),
        *[Fault(503, method="GET") for _ in range(4)],
    ]
    readable.works()
    assert readable.post().state == DispatchState.SENT
    assert len(readable.forum.posts) == 1


def test_a_topic_that_may_not_be_read_waits_for_the_game_master(readable: Desk) -> None:
    refusal = readable.forum.refuse(403)
    readable.forum.faults += [Fault(500, path=readable.forum.to_post), Fault(403, refusal.body, method="GET")]
    readable.works()
    post = readable.post()
    assert (post.state, post.next_at, len(readable.forum.posts)) == (DispatchState.DOUBT, None, 0)
    assert "Look in the topic yourself." in post.trouble


def test_a_post_in_doubt_where_nobody_can_look_waits_for_the_game_master(blind: Desk) -> None:
    blind.forum.faults.append(Fault(500, accepts=True))
    blind.works(hours=2)
    post = blind.post()
    assert (post.state, post.next_at) == (DispatchState.DOUBT, None)
    assert len(blind.forum.posts) == 1


def test_a_post_that_a_moderator_must_approve_is_not_posted_again(
    cast: Cast, time: Clock, discourse: ForumServer
) -> None:
    desk = waiting(discourse, cast, time)
    discourse.faults.append(Fault(200, {"action": "enqueued", "success": True}, path=discourse.to_post))
    desk.works()
    post = desk.post()
    assert (post.state, post.remote_id, post.trouble) == (DispatchState.SENT, "", FOR_APPROVAL)
    assert len([each for each in discourse.asked if each.path == "/posts.json"]) == 1


# --- workers that die ------------------------------------------------------------------------------------------------

PLACES = ("posting.after_commit", "posting.after_post", "posting.before_commit", "posting.after_look")


@pytest.mark.parametrize("place", PLACES)
def test_a_worker_that_dies_anywhere_loses_nothing_and_posts_nothing_twice(
    readable: Desk, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "posting.after_look":
        readable.forum.faults.append(Fault(500, accepts=True, path=readable.forum.to_post))
        send_due(readable.time.now)
        readable.time.forward(seconds=61)
    monkeypatch.setenv("FAILPOINTS", f"{place}=raise")
    with pytest.raises(Provoked):
        _attend(ThreadPost.objects.select_related("destination", "picture").get())
    monkeypatch.delenv("FAILPOINTS")
    assert readable.later(seconds=1) == 0, "its lease still runs"
    readable.works()
    assert readable.post().state == DispatchState.SENT
    assert list(readable.forum.posts) == [readable.post().remote_id]


def test_a_worker_that_dies_where_nobody_can_look_leaves_it_to_the_game_master(
    blind: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAILPOINTS", "posting.after_post=raise")
    with pytest.raises(Provoked):
        _attend(ThreadPost.objects.select_related("destination", "picture").get())
    monkeypatch.delenv("FAILPOINTS")
    blind.later(seconds=LEASE.total_seconds() + 1)
    assert (blind.post().state, blind.post().trouble, blind.post().next_at) == (DispatchState.DOUBT, INTERRUPTED, None)
    blind.works()
    assert len(blind.forum.posts) == 1


def test_two_workers_post_once(desk: Desk) -> None:
    row, same = (ThreadPost.objects.select_related("destination", "picture").get() for _ in range(2))
    assert _attend(row) == 1
    assert _attend(same) == 0
    assert len(desk.forum.posts) == 1


def test_a_worker_that_is_too_slow_notes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lease has ended meanwhile, and another has looked after the post."""
    row = ThreadPost.objects.select_related("destination", "picture").get()

    def slowly(place: str) -> None:
        if place == "posting.after_post":
            desk.time.forward(seconds=LEASE.total_seconds() + 1)
            ThreadPost.objects.update(state=DispatchState.DOUBT, fence=99, lease_until=None)

    monkeypatch.setattr("posting.sending.fp", slowly)
    assert _attend(row) == 0
    assert desk.post().state == DispatchState.DOUBT


# --- on their way out ------------------------------------------------------------------------------------------------


def test_a_withdrawn_post_is_deleted(desk: Desk) -> None:
    send_due(desk.time.now)
    withdraw(desk)
    desk.works()
    assert desk.post().state == DispatchState.DELETED
    assert desk.forum.posts == {}
    assert {each.method for each in desk.forum.asked} <= {"POST", "DELETE"}


def test_a_post_that_is_gone_already_counts_as_deleted(desk: Desk) -> None:
    send_due(desk.time.now)
    desk.forum.posts.clear()
    withdraw(desk)
    desk.works()
    assert desk.post().state == DispatchState.DELETED


@pytest.mark.parametrize("accepts", [True, False])
def test_a_deletion_in_doubt_is_tried_again(desk: Desk, accepts: bool) -> None:  # noqa: FBT001
    send_due(desk.time.now)
    withdraw(desk)
    desk.forum.faults += [Fault(500, method="DELETE", accepts=accepts), Fault(503, method="DELETE")]
    desk.works()
    assert desk.post().state == DispatchState.DELETED
    assert desk.forum.posts == {}


def test_a_deletion_that_is_refused_waits_for_the_game_master(desk: Desk) -> None:
    send_due(desk.time.now)
    withdraw(desk)
    desk.forum.faults.append(Fault(403, desk.forum.error(403), method="DELETE"))
    desk.works(hours=2)
    post = desk.post()
    assert (post.state, post.next_at) == (DispatchState.LEAVING, None)
    assert "403" in post.trouble
    assert len(desk.forum.posts) == 1


def test_a_post_in_doubt_that_is_withdrawn_is_found_and_deleted(readable: Desk) -> None:
    readable.forum.faults.append(Fault(500, accepts=True, path=readable.forum.to_post))
    send_due(readable.time.now)
    withdraw(readable)
    assert len(readable.forum.posts) == 1
    readable.works()
    assert readable.post().state == DispatchState.DELETED
    assert readable.forum.posts == {}


def test_a_post_that_is_withdrawn_while_it_is_sent_is_deleted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile(place: str) -> None:
        if place == "posting.after_post":
            withdraw(desk)

    monkeypatch.setattr("posting.sending.fp", meanwhile)
    send_due(desk.time.now)
    assert desk.post().state == DispatchState.LEAVING
    desk.works()
    assert desk.post().state == DispatchState.DELETED
    assert desk.forum.posts == {}


def test_a_worker_that_dies_while_it_deletes_deletes_in_the_end(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    send_due(desk.time.now)
    withdraw(desk)
    monkeypatch.setenv("FAILPOINTS", "posting.after_delete=raise")
    with pytest.raises(Provoked):
        _attend(ThreadPost.objects.select_related("destination", "picture").get())
    monkeypatch.delenv("FAILPOINTS")
    desk.time.now += LEASE + timedelta(seconds=1)
    desk.works()
    assert desk.post().state == DispatchState.DELETED


def test_a_key_that_cannot_be_opened_is_told(desk: Desk) -> None:
    desk.destination.sealed_key = b"broken"
    desk.destination.save()
    send_due(desk.time.now)
    assert desk.post().state == DispatchState.DEAD
    assert "secret key has changed" in desk.post().trouble


# --- withdrawn destinations ------------------------------------------------------------------------------------------


def _withdraws(desk: Desk, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Let the game master withdraw the destination while a worker is at this place."""

    def meanwhile(here: str) -> None:
        if here == place:
            monkeypatch.setattr("posting.sending.fp", lambda _: None)
            viewer = viewer_of(desk.cast.user("gm"), desk.cast.campaign.slug)
            withdraw_destination(viewer, desk.destination.no, now=desk.time.now)

    monkeypatch.setattr("posting.sending.fp", meanwhile)


def test_a_post_that_was_being_sent_says_that_its_destination_was_withdrawn(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.forum.close()
    _withdraws(desk, monkeypatch, "posting.after_commit")
    desk.works()
    post = desk.post()
    assert (post.state, post.trouble, post.next_at) == (DispatchState.DEAD, WITHDRAWN, None)


@pytest.mark.parametrize("arrived", [True, False])
def test_a_look_up_under_way_leaves_a_withdrawn_destination_to_the_game_master(
    readable: Desk,
    monkeypatch: pytest.MonkeyPatch,
    arrived: bool,  # noqa: FBT001
) -> None:
    readable.forum.faults.append(Fault(500, accepts=arrived, path=readable.forum.to_post))
    send_due(readable.time.now)
    _withdraws(readable, monkeypatch, "posting.after_look")
    readable.works()
    post = readable.post()
    assert (post.state, post.next_at, post.lease_until) == (DispatchState.DOUBT, None, None)
    viewer = viewer_of(readable.cast.user("gm"), readable.cast.campaign.slug)
    decide(viewer, post.mark, "there", seen=post.fence, now=readable.time.now)
    assert readable.post().state == DispatchState.SENT


def test_a_deletion_under_way_leaves_a_withdrawn_destination_to_the_game_master(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_due(desk.time.now)
    withdraw(desk)
    desk.forum.faults.append(Fault(500, method="DELETE"))
    _withdraws(desk, monkeypatch, "posting.after_commit")
    desk.works()
    post = desk.post()
    assert (post.state, post.next_at, post.lease_until) == (DispatchState.LEAVING, None, None)
