"""Taking a mail: it is stored before its sender is told that it was taken, and counts at that time.

What comes to the return path of a mail of ours is stored apart from what comes to reply addresses: nothing in it can
become an order or get an answer.
"""

import hashlib
import re
import zlib
from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.core.workers import Job, wake_workers
from campaign.models import OutboxMessage, Phase
from incoming.addresses import find, find_by_return_path
from incoming.models import ReceivedMail, ReturnedMail

LARGEST = 5 * 1024 * 1024
"""Bytes of a mail that is kept. A sheet has at most 65,536 characters; what is larger are pictures.

The listener refuses a larger mail. Of one that another server took only the headers are kept, and its writer is told.
"""


def take(
    raw: bytes,
    recipients: Collection[str],
    *,
    from_nobody: bool,
    too_large: bool = False,
    at: datetime | None = None,
) -> bool:
    """Store a mail for each of our addresses and return paths among its recipients, once; whether there is any.

    Of one that is `too_large` these are the headers.

    The phases' rows are locked first, as for any sheet: what is stored after a phase was locked has a later time,
    unless our mailbox took it `at` an earlier one.
    """
    with transaction.atomic(durable=True):
        addresses, returned = find(recipients), find_by_return_path(recipients)
        phases = {address.phase_id for address in addresses}
        list(Phase.objects.select_for_update(of=("self",)).only("pk").filter(pk__in=phases).order_by("pk"))
        now = clock.now()  # only now: a mail that waited for the row must not get an earlier time
        received_at = now if at is None else min(at, now)
        stored = zlib.compress(raw)
        ReceivedMail.objects.bulk_create(
            [
                ReceivedMail(
                    address=address,
                    digest=digest_of(raw, address.digest),
                    stored=stored,
                    from_nobody=from_nobody,
                    too_large=too_large,
                    received_at=received_at,
                )
                for address in addresses
            ],
            ignore_conflicts=True,  # it was delivered before
        )
        _keep_returned(stored, raw, returned, at=received_at)
        for phase in sorted(phases):
            wake_workers(Job.PHASE, phase)
        fp("incoming.before_commit")
    fp("incoming.after_commit")
    return bool(addresses or returned)


def _keep_returned(stored: bytes, raw: bytes, returned: Iterable[OutboxMessage], *, at: datetime) -> None:
    rows = [
        ReturnedMail(about=each, digest=digest_of(raw, each.return_digest or ""), stored=stored, received_at=at)
        for each in returned
    ]
    ReturnedMail.objects.bulk_create(rows, ignore_conflicts=True)


def digest_of(raw: bytes, address: str) -> str:
    """What makes two deliveries to an address one mail: what its author's program wrote.

    `address`: the digest of its token. A server that has lost our answer delivers a mail again, and another copy may
    come by another way. Servers and filters add headers of any name on its way; a mail without a Message-ID is told
    apart by all but the usual ones.
    """
    head, gap, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    own = _written(head + b"\n") or _ON_ITS_WAY.sub(b"", head + b"\n")
    return hashlib.sha256(b"\0".join([address.encode(), own, gap, body])).hexdigest()


def _written(head: bytes) -> bytes:
    """The headers that name a mail and say how to read it, however they are folded; empty without a Message-ID."""
    found = [(each[1].lower(), b" ".join(each[2].split())) for each in _WRITTEN.finditer(head)]
    if not any(name == b"message-id" and value for name, value in found):
        return b""
    return b"\n".join(b": ".join(header) for header in found)


_WRITTEN = re.compile(
    rb"^(Message-ID|Date|From|Subject|Content-[\w-]+)[ \t]*:([^\n]*\n(?:[ \t][^\n]*\n)*)", re.MULTILINE | re.IGNORECASE
)
_ON_ITS_WAY = re.compile(
    rb"^(?:Received|Return-Path|Delivered-To|Envelope-To|X-Original-To|X-Envelope-\w+|X-Spam-[\w-]+|X-Virus-[\w-]+"
    rb"|Authentication-Results|Received-SPF|ARC-[\w-]+|DKIM-Signature|DKIM-Filter)"
    rb":[^\n]*\n(?:[ \t][^\n]*\n)*",
    re.MULTILINE | re.IGNORECASE,
)
