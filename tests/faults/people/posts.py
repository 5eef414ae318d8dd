"""Acts about forum posts: destinations, decisions of the game master, and each step of a worker."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from posting import sending
from posting.adapters import Adapter, Outgoing, Place
from posting.deciding import decide
from posting.destinations import Wanted, add_destination, withdraw_destination
from posting.models import DispatchState, ThreadPost
from posting.writing import write_posts
from tests.battles import Field

Act = Callable[[], object]
Ready = Callable[[Field], Act]


class Quiet(Adapter):
    """A forum that takes everything, and says nothing to anybody."""

    key: ClassVar[str] = "quiet"
    title: ClassVar[str] = "Quiet"
    readable: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__(Place("https://forum.example", "7", "umpire", "a key"))

    def post(self, post: Outgoing) -> str:
        return "1001"

    def edit(self, remote: str, post: Outgoing) -> None:
        """Nothing shows it."""

    def delete(self, remote: str) -> None:
        """Nothing shows it."""

    def find(self, mark: str) -> str:
        return "1001"

    def headers(self) -> dict[str, str]:
        return {}


def adding_destination(field: Field) -> Act:
    return lambda: _added(field)


def withdrawing_destination(field: Field) -> Act:
    _added(field)
    return lambda: withdraw_destination(field.viewer("gm"), 1, now=field.time.now)


def deciding_post(field: Field) -> Act:
    post = _written(field, DispatchState.DOUBT)
    ThreadPost.objects.update(next_at=None)
    return lambda: decide(field.viewer("gm"), post.mark, "there", seen=post.fence, now=field.time.now)


def claiming_post(field: Field) -> Act:
    post = _written(field, DispatchState.WAITING)
    return lambda: sending._claim(post)


def posting(field: Field) -> Act:
    claimed = _claimed(field, DispatchState.WAITING)
    return lambda: sending._post(claimed, Quiet())


def looking_up(field: Field) -> Act:
    claimed = _claimed(field, DispatchState.DOUBT)
    return lambda: sending._look_up(claimed, Quiet())


def deleting_post(field: Field) -> Act:
    claimed = _claimed(field, DispatchState.LEAVING)
    return lambda: sending._delete(claimed, Quiet())


def losing_post(field: Field) -> Act:
    post = _claimed(field, DispatchState.WAITING)
    field.time.now += sending.LEASE * 2
    return lambda: sending._lose(post)


def _added(field: Field) -> None:
    thread = {"address": "https://forum.example", "thread": "7", "acts_as": "umpire", "key": "a key of the forum"}
    add_destination(field.viewer("gm"), Wanted(audience="german", kind="discourse", **thread), now=field.time.now)


def _written(field: Field, state: DispatchState) -> ThreadPost:
    """A post of a published phase, in this state."""
    _added(field)
    write_posts(field.cast.campaign.phases.get(no=1), now=field.time.now)
    ThreadPost.objects.update(state=state)
    return ThreadPost.objects.select_related("destination", "picture").get()


def _claimed(field: Field, state: DispatchState) -> ThreadPost:
    post = _written(field, state)
    assert sending._claim(post)
    return post


ACTS: Mapping[str, tuple[Ready, ...]] = {
    "destination.before_commit": (adding_destination, withdrawing_destination),
    "posting.after_commit": (claiming_post,),
    "posting.after_delete": (deleting_post,),
    "posting.after_look": (looking_up,),
    "posting.after_post": (posting,),
    "posting.before_commit": (deciding_post, posting, looking_up, deleting_post, losing_post),
}
