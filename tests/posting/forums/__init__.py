"""Small forums for tests: real HTTP servers that answer as each vendor's documentation says."""

from tests.posting.forums.discord import DiscordServer
from tests.posting.forums.discourse import DiscourseServer
from tests.posting.forums.server import Fault, ForumServer
from tests.posting.forums.xenforo import XenForoServer

SERVERS: dict[str, type[ForumServer]] = {
    "discourse": DiscourseServer,
    "xenforo": XenForoServer,
    "discord": DiscordServer,
}

__all__ = ["SERVERS", "DiscordServer", "DiscourseServer", "Fault", "ForumServer", "XenForoServer"]
