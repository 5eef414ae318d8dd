"""What the service keeps and sends for an audience and its people, as bytes to compare."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from campaign.engine.values.ids import Audience
from campaign.models import Artefact, AuditEntry, OutboxMessage
from posting.models import ThreadPost, TurnCall
from tests.secrecy.asking.crawler import Crawl
from tests.secrecy.campaigns import ELSEWHERE, SLUG
from tests.secrecy.chance import CHANCE
from tests.secrecy.forum import CHANNEL, FORUM
from tests.secrecy.worlds import Answer, World

A_POST, A_CALL, A_REQUEST = "a post", "a call", "a request to a forum"


def kept_for(world: World, observer: Audience) -> Iterator[tuple[str, bytes]]:
    """What an audience received of each phase that was ever published, in order, then all that is posted for it.

    A publication that was undone since is among them.
    """
    with world.present():
        published = Artefact.objects.filter(phase__campaign__slug=SLUG, phase__published_at__isnull=False)
        columns = ("phase__no", "phase__rev", "kind")
        rows = published.filter(audience=observer).order_by(*columns)
        for no, rev, kind, content in rows.values_list(*columns, "content"):
            yield f"{kind} of phase {no}.{rev}", bytes(content)
    yield from _posted(world, observer)


def _posted(world: World, observer: Audience) -> Iterator[tuple[str, bytes]]:
    """What is posted for an audience, what became of it, and what its forum and its channel were asked, and when."""
    with world.present():
        posts = ThreadPost.objects.filter(destination__audience=observer, destination__address=FORUM).order_by("pk")
        drawn = {_drawn(mark): f"MARK {n}" for n, mark in enumerate(posts.values_list("mark", flat=True))}
        columns = ("phase__no", "phase__rev", "part", "parts", "text", "state", "trouble", "created_at", "sent_at")
        for post in posts.values_list(*columns, "next_at", "withdrawn_at", "picture__kind", "picture__content"):
            yield A_POST, repr(post).encode()
        calls = TurnCall.objects.filter(webhook__address=CHANNEL).order_by("pk")
        for call in calls.values_list("phase__no", "text", "state", "trouble", "created_at", "sent_at", "next_at"):
            yield A_CALL, repr(call).encode()
    marks = re.compile("|".join(filter(None, drawn)) or "$^")
    for asked in world.asked_elsewhere:
        if asked.request.url.startswith((FORUM, CHANNEL)):
            yield A_REQUEST, marks.sub(lambda found: drawn[found[0]], repr(asked)).encode()


def _drawn(mark: str) -> str:
    """The part of a mark that was drawn, from its beginning; what else is in it is compared."""
    parts = (mark[:end] for end in range(len(mark), 0, -1))
    return next(filter(CHANCE.has_drawn, parts), "")


def mails_to(world: World, who: str) -> Iterator[bytes]:
    """A person's mails in the outbox, and those that the mail server got, in order."""
    with world.present():
        rows = OutboxMessage.objects.filter(user__username=who).order_by("created_at", "pk")
        columns = ("subject", "kind", "to_addr", "state", "tries", "created_at", "sent_at", "message_id")
        for row in rows.select_related("picture"):
            yield repr([getattr(row, column) for column in columns]).encode() + row.message
    address = f"{who.replace(' ', '.')}@example.org"
    yield from (sent.mail for sent in world.sent if sent.to == address)


def mails_without_heads(world: World, who: str) -> Iterator[bytes]:
    """The same for the other campaign's GM, without the digests in the heads of that campaign's record.

    A digest covers the numbers of related rows, which differ as soon as a mutator adds a row. It reveals nothing about
    them: it also covers the sealed seeds of the campaign, which nobody can guess. The entries' numbers stay.
    """
    heads = _heads(world)
    for mail in mails_to(world, who):
        yield heads.sub(b"(a digest)", mail)


def answers_without_heads(world: World, who: str, found: Crawl) -> Mapping[str, Answer]:
    """A reader's answers. For the other campaign's GM, whose pages show their mails, likewise without these digests."""
    if who != "other gm":
        return found.answers
    heads = _heads(world)
    return {path: replace(each, body=heads.sub(b"(a digest)", each.body)) for path, each in found.answers.items()}


def _heads(world: World) -> re.Pattern[bytes]:
    """The digests of the entries of the other campaign's record."""
    with world.present():
        digests = list(AuditEntry.objects.filter(campaign__slug=ELSEWHERE).values_list("digest", flat=True))
    folded = "|".join("(?:=\r\n)?".join(digest) for digest in digests)  # lines of a mail may break inside it
    return re.compile((folded or "$^").encode())
