"""The GM's preface, written during review; and final reports, with the preface and the dice heads."""

from collections.abc import Callable, Iterator

from django.db import transaction

from campaign.core import clock
from campaign.engine.phases import Weight
from campaign.engine.values.ids import GM, Audience
from campaign.game.artefacts import Content, report_contents, sealed_report
from campaign.game.rulebook import rule_url
from campaign.game.store import decode_view
from campaign.models import Phase, Preface
from campaign.record import audit
from campaign.record.dice_log import Seal
from campaign.reports import Document, with_preface
from campaign.secrecy import truth
from gm.last_reports import views_before
from gm.phases.judging import told
from gm.phases.rows import locked_row, may_change, write_artefacts

LONGEST = 20_000
"""In characters."""


def save_preface(phase_id: int, audience: str, text: str) -> bool:
    """Store the GM's preface to an audience, or delete it if it is blank. False if no draft waits for the GM."""
    with transaction.atomic():
        phase = locked_row(phase_id)
        if not may_change(phase):
            return False
        before = phase.prefaces.filter(audience=audience).first()
        text = text.strip()
        if text == (before.text if before else ""):
            return True
        subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "audience": audience}
        if text:
            kept, _ = Preface.objects.update_or_create(phase=phase, audience=audience, defaults={"text": text})
            audit.record(phase.campaign, "preface", subject, at=clock.now(), rows=[kept])
        elif before:
            audit.record(phase.campaign, "preface", subject, at=clock.now(), gone=[before])
            before.delete()
    return True


def freeze_reports(phase: Phase, seal: Seal) -> None:
    """Finish the reports, in the transaction that publishes them: prefaces first, dice heads last."""
    write_artefacts(phase, list(finished_reports(phase, seal)))


def finished_reports(phase: Phase, seal: Seal) -> Iterator[Content]:
    """Each audience's final texts of a published phase: preface and report in all formats."""
    texts = _texts(phase)
    before = views_before(phase, Weight(phase.weight))
    for audience, content in phase.all_artefacts.filter(kind="view").values_list("audience", "content"):
        who = Audience(audience)
        with truth.writing(who):
            document = sealed_report(decode_view(bytes(content)), before.get(who, ()), seal.notes)
            finished = _finished(phase, who, document, texts(who))
        yield from finished


def _texts(phase: Phase) -> Callable[[Audience], str]:
    """What the GM writes to an audience: the preface, then the answers that it may read."""
    prefaces, answers = dict(phase.prefaces.values_list("audience", "text")), told(phase)

    def text_for(who: Audience) -> str:
        read = (each for each in answers if who == GM or who in each.audiences or not each.audiences)
        return "\n\n".join(filter(None, (prefaces.get(who, ""), *(f"{each.question} {each.text}" for each in read))))

    return text_for


def _finished(phase: Phase, audience: Audience, document: Document, preface: str) -> list[Content]:
    texts = report_contents(with_preface(document, preface), rule_url(phase.campaign.slug))
    return [
        Content(audience, kind, content)
        for kind, content in [*([("preface", preface.encode())] if preface else []), *texts]
    ]
