"""The audit chain: what was done in a campaign, each entry sealed to the one before."""

import hashlib
from collections.abc import Mapping
from datetime import datetime

from campaign.engine.values import encode
from campaign.models import AuditEntry, Campaign

FIRST = "0" * 64


def record(campaign: Campaign, act: str, subject: Mapping[str, str | int], *, at: datetime) -> None:
    """Add an entry, within the caller's transaction; until that ends nobody else adds one to the same campaign."""
    Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)
    last = campaign.audit.order_by("-no").first()
    no, prev = (last.no + 1, last.digest) if last else (1, FIRST)
    digest = entry_digest(prev=prev, no=no, at=at.isoformat(), act=act, subject=subject)
    AuditEntry.objects.create(campaign=campaign, no=no, at=at, act=act, subject=dict(subject), prev=prev, digest=digest)


def entry_digest(*, prev: str, no: int, at: str, act: str, subject: Mapping[str, str | int]) -> str:
    """SHA-256 over the digest before and all that an entry says."""
    return hashlib.sha256(encode([prev, no, at, act, dict(subject)])).hexdigest()
