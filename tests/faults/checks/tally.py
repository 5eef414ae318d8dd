"""The figures of a run, from the records outside the site."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db.models import Sum

from campaign.engine.phases import Weight
from campaign.models import Campaign, OutboxMessage, Phase, PhaseState
from orders.models import LockedSheet, Sheet
from tests.faults.checks.invariants import Evidence
from tests.faults.checks.records import IN_DOUBT, read
from tests.faults.plan import STOP

if TYPE_CHECKING:
    from tests.faults.site.processes import Machinery

KINDS_OF_BREACH = {
    "double phases": "double",
    "gaps": "gap",
    "lost acknowledged sheets": "lost",
    "phantom mails": "phantom",
    "half publications": "half",
}


def provoked(folder: Path) -> list[tuple[str, str, int, float]]:
    """Each fault of a failpoint by the processes' logs: place, action, process, Unix time."""
    lines = [line.split() for path in folder.glob("*.log") for line in path.read_text(errors="replace").splitlines()]
    return [(words[1], words[2], int(words[3]), float(words[4])) for words in lines if words[:1] == ["failpoint"]]


def killed(folder: Path) -> dict[int, float]:
    """Each process of the service that was killed by SIGKILL, and when; also all that ran when the faults ended."""
    by_failpoint = {pid: at for _, action, pid, at in provoked(folder) if action == "kill9"}
    return {line["pid"]: line["at"] for line in read(folder, "deaths") if line["killed"]} | by_failpoint


def windows(folder: Path, faults: Mapping[str, int]) -> int:
    """The number of faults that may have sent a mail twice."""
    between = [action for place, action, *_ in provoked(folder) if place.startswith("outbox.") and action != "kill9"]
    logs = [log.read_text(errors="replace") for log in folder.glob("*.log")]
    unheard = sum(text.count(_NOT_SENT) + text.count(_NOT_NOTED) for text in logs)
    return len(killed(folder)) + faults.get(STOP, 0) + len(between) + unheard


_NOT_SENT = "was not sent: "
"""The log line of a sender that got no confirmation: a slow server may have taken the mail."""

_NOT_NOTED = " cannot be noted: "
"""The log line of a sender that could not note what became of a mail, as when the disk is full."""


def reruns(folder: Path) -> list[float]:
    """Seconds from the death of a worker with an unfinished claim of a phase to the next claim of it."""
    deaths, claims = killed(folder), _claims(folder)
    over = {tuple(line["over"]) for line in read(folder, "watch") if "over" in line}
    seen = {(line["phase"], line["fence"]): line["at"] for line in claims}
    waited = [
        seen[line["phase"], line["fence"] + 1] - deaths[line["pid"]]
        for line in claims
        if line["pid"] in deaths
        and (line["phase"], line["fence"]) not in over
        and (line["phase"], line["fence"] + 1) in seen
    ]
    return sorted(round(seconds, 2) for seconds in waited if seconds > 0)


def figures(
    folder: Path,
    faults: Counter[str],
    machinery: "Machinery",
    times: Mapping[str, float],
    found: Sequence[str],
) -> dict[str, Any]:
    """The figures that describe a run."""
    evidence, hits = Evidence(folder), provoked(folder)
    refused = [line["refused"] for line in read(folder, "sink") if "refused" in line]
    replaced = {pid for pid in killed(folder) if pid in _pids(folder / "replaced.log")}
    last = {line["pid"] for line in read(folder, "deaths") if line.get("last")}
    again = reruns(folder)
    return {
        "kills": len(killed(folder).keys() - replaced - last),
        "of them by failpoints": sum(action == "kill9" for _, action, *_ in hits) - len(replaced),
        "faults met at random": dict(faults),
        "failpoints": dict(
            sorted(Counter(f"{place} {action.partition(':')[0]}" for place, action, *_ in hits).items())
        ),
        "deaths by role": dict(sorted(machinery.ends.items())),
        "campaigns": Campaign.objects.count(),
        "phases": (published := Phase.objects.filter(state=PhaseState.PUBLISHED)).count(),
        "questions in the middle of a day": published.filter(weight=Weight.REPLY.value).count(),
        "leases lost": Phase.objects.aggregate(lost=Sum("leases_lost"))["lost"],
        "claims": Phase.objects.aggregate(claims=Sum("fence"))["claims"],
        "sheets": Sheet.objects.count(),
        "sheets acknowledged": len({(ack["slug"], ack["no"], ack["side"], ack["version"]) for ack in evidence.acks}),
        "sheets locked": LockedSheet.objects.count(),
        "mails": OutboxMessage.objects.count(),
        "mails arrived again": len(evidence.mails) - len({mail["taken"] for mail in evidence.mails}),
        "mails refused": dict(Counter(refused)),
        IN_DOUBT: sum(log.read_text(errors="replace").count(_NOT_NOTED) for log in folder.glob("*.log")),
        "seconds to the next claim": {"of": len(again), "median": again[len(again) // 2 :][:1], "longest": again[-1:]},
        "seconds to the next claim, sweeping as in production": replacements(folder),
        "seconds": dict(times),
        **{
            name: sum(word in breach.split(":")[0].split() for breach in found)
            for name, word in KINDS_OF_BREACH.items()
        },
        "other breaches": sum(breach.split()[1].strip(":") not in KINDS_OF_BREACH.values() for breach in found),
    }


def replacements(folder: Path) -> list[float]:
    """Seconds to the next claim of the phases whose workers were killed on purpose at the end."""
    pids, claims = _pids(folder / "replaced.log"), _claims(folder)
    seen, deaths = {(line["phase"], line["fence"]): line["at"] for line in claims}, killed(folder)
    return sorted(
        round(seen.get((line["phase"], line["fence"] + 1), float("inf")) - deaths[line["pid"]], 2)
        for line in claims
        if line["pid"] in pids
    )


def _claims(folder: Path) -> list[dict[str, Any]]:
    """The claims seen, each with its process; 0 for a tick, which gives no number."""
    lines = [line for line in read(folder, "watch") if "fence" in line]
    return [{**line, "pid": int(line["by"].rpartition("-")[2]) if "-" in line["by"] else 0} for line in lines]


def _pids(log: Path) -> set[int]:
    lines = log.read_text().splitlines() if log.exists() else []
    return {int(line.split()[3]) for line in lines if line.startswith("failpoint")}
