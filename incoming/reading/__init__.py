"""Reading an incoming mail: bytes in, and out what its writer says. Nothing here opens a file or asks a database."""

from incoming.reading.reader import read
from incoming.reading.results import Kind, Reading, Verdict
from incoming.reading.verdicts import verdict

__all__ = ["Kind", "Reading", "Verdict", "read", "verdict"]
