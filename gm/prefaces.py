"""The GM's preface: written while he reviews a draft, part of an audience's package once the stop is published."""

from collections.abc import Iterator

from campaign.engine.ids import Audience
from campaign.engine.values import decode
from campaign.engine.views import View
from campaign.models import Artefact, Phase, Preface
from campaign.reports import report, with_preface
from campaign.rulebook import rule_url
from campaign.store import digest
from gm.packages import Content, report_texts

LONGEST = 20_000
"""Characters."""


def keep_preface(phase_id: int, audience: str, text: str) -> None:
    """Keep what the GM is going to say to an audience; nothing, if it is blank."""
    if text.strip():
        Preface.objects.update_or_create(phase_id=phase_id, audience=audience, defaults={"text": text.strip()})
    else:
        Preface.objects.filter(phase_id=phase_id, audience=audience).delete()


def freeze_prefaces(phase: Phase) -> None:
    """Put the prefaces at the head of their audiences' reports, in the transaction that publishes them."""
    for audience, text in phase.prefaces.values_list("audience", "text"):
        for content in _with_preface(phase, audience, text):
            Artefact.objects.update_or_create(
                phase=phase,
                audience=content.audience,
                kind=content.kind,
                defaults={"content": content.content, "sha256": content.sha256},
            )


def _with_preface(phase: Phase, audience: str, text: str) -> Iterator[Content]:
    view: View = decode(bytes(phase.artefacts.get(audience=audience, kind="view").content), View)
    document = with_preface(report(view), text)
    for kind, content in [("preface", text.encode()), *report_texts(document, rule_url(phase.campaign.slug))]:
        yield Content(Audience(audience), kind, content, digest(content))
