"""The GM's preface, written during review; and final reports, with the preface and the dice heads."""

from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction

from campaign.core import clock
from campaign.engine.phases import Weight
from campaign.engine.values.ids import Audience
from campaign.game.artefacts import ANSWERS, Content, report_contents, sealed_report
from campaign.game.rulebook import rule_url
from campaign.game.store import decode_view, encode_answers
from campaign.models import Phase, Preface
from campaign.record import audit
from campaign.record.dice_log import Seal
from campaign.reports import Document, with_preface
from campaign.secrecy import truth
from gm.last_reports import views_before
from gm.phases.judging import Told, told
from gm.phases.rows import locked_row, may_change, write_artefacts

LONGEST = 20_000
"""In characters."""


def save_preface(phase_id: int, audience: str, text: str) -> bool:
    """Store the GM's preface to an audience, or delete it if it is blank. False if no draft waits for the GM."""
    return save_prefaces(phase_id, {audience: text})


def save_prefaces(
    phase_id: int, texts: Mapping[str, str], *, fence: int | None = None, words: str | None = None
) -> bool:
    """Store the GM's prefaces to audiences, all or none; a blank one deletes what is there.

    False if no draft waits for the GM, or not the one that they have seen (see `may_change`).
    """
    with transaction.atomic():
        phase = locked_row(phase_id)
        if not may_change(phase, fence=fence, words=words):
            return False
        write_prefaces(phase, texts)
    return True


def write_prefaces(phase: Phase, texts: Mapping[str, str]) -> None:
    """Store prefaces to a draft that may be changed, in the transaction that has locked its row."""
    for audience, text in texts.items():
        _write(phase, audience, text.strip())


def _write(phase: Phase, audience: str, text: str) -> None:
    before = phase.prefaces.filter(audience=audience).first()
    if text == (before.text if before else ""):
        return
    subject: dict[str, str | int] = {"phase": phase.no, "rev": phase.rev, "audience": audience}
    if text:
        kept, _ = Preface.objects.update_or_create(phase=phase, audience=audience, defaults={"text": text})
        audit.record(phase.campaign, "preface", subject, at=clock.now(), rows=[kept])
    elif before:
        audit.record(phase.campaign, "preface", subject, at=clock.now(), gone=[before])
        before.delete()


def freeze_reports(phase: Phase, seal: Seal) -> None:
    """Finish the reports, in the transaction that publishes them: prefaces first, dice heads last."""
    write_artefacts(phase, list(finished_reports(phase, seal)))


def finished_reports(phase: Phase, seal: Seal) -> Iterator[Content]:
    """Each audience's final texts of a published phase: preface, report in all formats, and the GM's answers."""
    prefaces, answers = dict(phase.prefaces.values_list("audience", "text")), told(phase)
    before = views_before(phase, Weight(phase.weight))
    for audience, content in phase.all_artefacts.filter(kind="view").values_list("audience", "content"):
        who = Audience(audience)
        with truth.writing(who):
            document = sealed_report(decode_view(bytes(content)), before.get(who, ()), seal.notes)
            read = [each for each in answers if each.is_for(who)]
            finished = _finished(phase, who, document, prefaces.get(who, ""), read)
        yield from finished


def _finished(
    phase: Phase, audience: Audience, document: Document, preface: str, answers: Sequence[Told]
) -> list[Content]:
    """An audience's texts: the preface, then the answers that it may read, before its report."""
    text = "\n\n".join(filter(None, (preface, *(each.words for each in answers))))
    texts = report_contents(with_preface(document, text), rule_url(phase.campaign.slug))
    kept = encode_answers({each.key: each.text for each in answers})
    return [
        Content(audience, kind, content)
        for kind, content in [
            *([("preface", text.encode())] if text else []),
            *([(ANSWERS, kept)] if answers else []),
            *texts,
        ]
    ]
