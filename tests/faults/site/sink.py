"""A mail server that records each mail it takes; in a bad mood it refuses, hangs up, or takes a mail and hangs up."""

import asyncio
import hashlib
import signal
import socket
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path
from random import Random
from typing import cast

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.faults.checks.records import Record

OK = "250 OK"


@dataclass
class Sink:
    """The server's answer; a mail counts as taken once it is on disk."""

    record: Record
    chance: Random
    moody: bool = True

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        refusal = self._drawn({"450 busy": 0.03, "550 no such person": 0.02})
        if refusal:
            self.record.write(refused=refusal)
            return refusal
        envelope.rcpt_tos.append(address)
        return OK

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = cast(bytes, envelope.content)
        answer = self._drawn({"451 later": 0.03, "554 never": 0.02, "hang up": 0.02, "take it and hang up": 0.02}) or OK
        if answer in (OK, "take it and hang up"):
            self.record.write(
                taken=str(message_from_bytes(content)["Message-ID"]).strip(),
                to=envelope.rcpt_tos,
                sha256=hashlib.sha256(content).hexdigest(),
                heard=answer == OK,
            )
        else:
            self.record.write(refused=answer)
        if not answer[0].isdigit():
            cast(asyncio.Transport, server.transport).abort()
            return "421 gone"
        return answer

    def _drawn(self, refusals: dict[str, float]) -> str:
        throw = self.chance.random() if self.moody else 1.0
        for refusal, share in refusals.items():
            if throw < share:
                return refusal
            throw -= share
        return ""


def serve(listener: socket.socket, folder: Path, seed: int) -> None:
    """Take mails until killed; SIGUSR1 ends the bad moods."""
    sink = Sink(Record(folder, "sink"), Random(f"sink {seed}"))
    signal.signal(signal.SIGUSR1, lambda *_: setattr(sink, "moody", False))
    asyncio.run(_serve(listener, sink))


async def _serve(listener: socket.socket, sink: Sink) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(sink, data_size_limit=0, loop=loop), sock=listener)
    await server.serve_forever()
