"""The posts of a publication: written with it, each for its destination's audience, and withdrawn with it."""

import hashlib
from typing import Any

import pytest
from django.db import transaction

from campaign import selectors
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import replace
from campaign.models import Mailing, Phase, PhaseSettings
from campaign.posts import post_of
from campaign.reports import FORUMS
from campaign.secrecy.truth import Breach, machinery, writing
from campaign.viewers import Viewer, viewer_of
from gm.desk.reopening import reopen
from posting.models import Destination, DispatchState, ThreadPost
from posting.writing import _post_for, _write, write_posts
from tests.gm.campaigns import Clock, live, miss, send
from tests.posting.conftest import destination_at
from tests.posting.forums import ForumServer
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db(transaction=True)


def published(cast: Cast) -> Phase:
    """The next phase of the campaign, published; its posts wait."""
    phase = live(cast.campaign)
    miss(phase)
    phase.refresh_from_db()
    return phase


@pytest.fixture
def all_three(cast: Cast, time: Clock, discourse: ForumServer, xenforo: ForumServer, discord: ForumServer) -> Cast:
    """The Germans read on Discourse, the Allies on XenForo, everybody on Discord. None of them can be reached."""
    for server, audience in ((discourse, "german"), (xenforo, "allied"), (discord, "public")):
        destination_at(server, cast, time, audience)
        server.close()
    return cast


def test_each_destination_gets_what_its_audience_received(all_three: Cast) -> None:
    phase = published(all_three)
    for destination in Destination.objects.all():
        posts = destination.posts.order_by("part")
        viewer = Viewer(phase.campaign, all_three.user("gm"), None, viewing_as=Audience(destination.audience))
        forum = FORUMS[destination.kind]
        limit = forum.limit - (200 if destination.kind != "discord" else 0)
        info = selectors.published_phase(viewer, phase.no)
        post = post_of(viewer, info, replace(forum, limit=limit), attached=True)
        assert post is not None
        assert [each.text for each in posts] == list(post.parts)
        assert {each.digest for each in posts} == {hashlib.sha256(text.encode()).hexdigest() for text in post.parts}
        assert "attach" not in "".join(post.parts)


def test_a_map_goes_with_the_first_part_and_is_its_audiences_own(all_three: Cast) -> None:
    phase = published(all_three)
    for post in ThreadPost.objects.select_related("picture", "destination"):
        if post.part > 1:
            assert post.picture is None
        elif post.picture is not None:
            assert (post.picture.kind, post.picture.phase_id) == ("map", phase.pk)
            assert post.picture.audience == post.destination.audience
    assert ThreadPost.objects.filter(part=1, picture__isnull=False).count() == 3


def test_a_map_that_everybody_with_its_link_sees_is_linked(all_three: Cast) -> None:
    all_three.campaign.open_links = ["german"]
    all_three.campaign.save()
    published(all_three)
    post = ThreadPost.objects.get(destination__audience="german", part=1)
    assert post.picture is None
    assert "![Map of The Bulge](" in post.text


def test_posts_fit_their_forum(all_three: Cast) -> None:
    published(all_three)
    discord = ThreadPost.objects.filter(destination__kind="discord")
    assert discord.count() > 1
    assert all(len(each.text) <= 2000 for each in discord)


def test_a_report_that_is_not_mailed_is_not_posted(all_three: Cast) -> None:
    PhaseSettings.objects.update(mailing=Mailing.QUESTIONS)
    published(all_three)
    assert not ThreadPost.objects.exists()


def test_nothing_is_posted_if_the_publication_fails(all_three: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILPOINTS", "publish.before_commit=raise")
    miss(live(all_three.campaign))
    assert not ThreadPost.objects.exists()
    monkeypatch.delenv("FAILPOINTS")
    miss(live(all_three.campaign))
    assert ThreadPost.objects.exists()


def test_a_withdrawn_destination_gets_nothing(all_three: Cast, time: Clock) -> None:
    Destination.objects.filter(audience="german").update(withdrawn_at=time.now)
    published(all_three)
    assert set(ThreadPost.objects.values_list("destination__audience", flat=True)) == {"allied", "public"}


# --- secrecy ---------------------------------------------------------------------------------------------------------


def test_a_post_can_be_written_only_in_a_block_that_writes_to_its_audience(all_three: Cast, time: Clock) -> None:
    phase = published(all_three)
    german = Destination.objects.get(audience="german")
    with writing(Audience("german")):
        post = _post_for(Audience("german"), phase, "discourse")
    for block in (machinery(), writing(Audience("allied")), writing(Audience("public"))):
        with block, pytest.raises(Breach), transaction.atomic():
            _write(german, phase, post, time.now)


def test_a_sides_post_cannot_be_made_for_another(all_three: Cast) -> None:
    phase = published(all_three)
    with writing(Audience("allied")), pytest.raises(Breach), transaction.atomic():
        _post_for(Audience("german"), phase, "discourse")


def test_another_audiences_post_is_not_written_to_a_destination(all_three: Cast, time: Clock) -> None:
    phase = published(all_three)
    ThreadPost.objects.all().delete()
    with writing(Audience("german")):
        post = _post_for(Audience("german"), phase, "xenforo")
    allied = Destination.objects.get(audience="allied")
    with writing(Audience("allied")):
        assert _write(allied, phase, post, time.now) == []


def test_what_one_side_wrote_is_in_no_post_of_another(all_three: Cast) -> None:
    phase = live(all_three.campaign)
    send(phase, all_three.user("german commander"), "ALL OTHERS HOLD\nNOTE zanzibar\nREADY")
    phase = published(all_three)
    rows = ThreadPost.objects.select_related("destination")
    assert {each.destination.audience for each in rows if "zanzibar" in each.text} == {"german"}


# --- withdrawn with the phase ----------------------------------------------------------------------------------------


def reopened(cast: Cast) -> None:
    reopen(viewer_of(cast.user("gm"), cast.campaign.slug), reason="A mistake")


def test_posts_that_wait_are_never_posted_once_the_phase_is_reopened(all_three: Cast) -> None:
    published(all_three)
    ThreadPost.objects.update(state=DispatchState.WAITING)
    reopened(all_three)
    assert set(ThreadPost.objects.values_list("state", flat=True)) == {DispatchState.DELETED}


def test_posts_that_are_there_are_deleted_and_never_changed(all_three: Cast, time: Clock) -> None:
    published(all_three)
    ThreadPost.objects.update(state=DispatchState.SENT, remote_id="7", next_at=None)
    reopened(all_three)
    rows = list(ThreadPost.objects.all())
    assert {(row.state, row.next_at) for row in rows} == {(DispatchState.LEAVING, time.now)}
    assert all(row.withdrawn_at == time.now for row in rows)


def test_posts_in_doubt_are_looked_up_and_deleted_where_that_can_be_done(all_three: Cast, time: Clock) -> None:
    published(all_three)
    ThreadPost.objects.update(state=DispatchState.DOUBT, next_at=None)
    reopened(all_three)
    found = dict(ThreadPost.objects.filter(part=1).values_list("destination__kind", "next_at"))
    assert found == {"discourse": time.now, "xenforo": time.now, "discord": None}
    assert set(ThreadPost.objects.values_list("state", flat=True)) == {DispatchState.LEAVING}


def test_a_phase_that_is_played_again_is_posted_again(all_three: Cast) -> None:
    first = published(all_three)
    reopened(all_three)
    again = published(all_three)
    assert again.no == first.no
    assert ThreadPost.objects.filter(phase=again, state=DispatchState.WAITING).exists()


def test_a_campaign_without_destinations_is_asked_one_question(
    cast: Cast, time: Clock, django_assert_num_queries: Any
) -> None:
    phase = published(cast)
    with django_assert_num_queries(1):
        write_posts(phase, now=time.now)
