"""Dice logs for tests: one at a time, and the files that people download of it."""

from campaign.engine.values.ids import Audience
from campaign.models import Campaign
from campaign.record.dice_log import FILES, Log, logs_of

Files = dict[str, bytes]


def log_of(campaign: Campaign, audience: Audience, *, over: bool) -> Log:
    """An audience's log as far as it is published."""
    (log,) = logs_of(campaign, [audience], over=over)
    return log


def files_of(log: Log) -> Files:
    return dict(zip(FILES, (log.anchors, log.reveals, log.lines), strict=True))
