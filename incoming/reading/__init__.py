"""Reading an incoming mail: bytes in, and out what its writer says. Nothing here opens a file or asks a database.

Where a mail can be read in two ways, the reading is the one that keeps what they submitted before: a template that is
merely quoted, a quotation that was cut off, an attachment and a program's mail give no orders, and a sentence that says
why. Their own orders without END ORDERS count as far as they go, also with a sentence.
"""

from incoming.reading.reader import read
from incoming.reading.reports import read_report
from incoming.reading.results import Fate, Kind, Reading, Report, Verdict
from incoming.reading.verdicts import verdict

__all__ = ["Fate", "Kind", "Reading", "Report", "Verdict", "read", "read_report", "verdict"]
