"""The widths in pixels at which maps are drawn. A scenario whose map cannot be drawn at each of them is refused."""

from campaign.maps.style import theme

THUMBNAIL = 480
"""The small map that represents a phase in lists and posts."""
REPLAY = 800
"""Moving pictures: small enough to post, large enough to read the counters."""
FORUM = theme.WIDTH
"""The maps that are published."""
BOARD = 2000
"""The sheet under a board: enough for twice the size at which it is shown."""
FULL = 2400

WIDTHS = (THUMBNAIL, REPLAY, FORUM, BOARD, FULL)
