"""The widths in pixels at which maps are drawn. No scenario is sound whose map cannot be drawn at each of them."""

from campaign.maps.style import theme

THUMBNAIL = 480
"""The small map that stands for a stop in lists and posts."""
REPLAY = 800
"""Moving pictures: small enough to be posted, large enough to read the counters."""
FORUM = theme.WIDTH
"""The maps that are published."""
BOARD = 2000
"""The sheet under a board: enough to be looked at twice as large as it is shown."""
FULL = 2400

WIDTHS = (THUMBNAIL, REPLAY, FORUM, BOARD, FULL)
