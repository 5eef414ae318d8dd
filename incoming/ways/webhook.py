"""A provider calls this address for each mail that it takes for our domain.

It is told 200 once the mail is stored, and 5xx if it cannot be, so that it calls again. Whether an address takes mail
is not told: a mail for nobody gets the same answer.
"""

import hashlib
import logging
from collections.abc import Mapping
from email.generator import BytesGenerator
from email.policy import SMTP
from io import BytesIO
from typing import Any

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.inbound import AnymailInboundMessage
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.datastructures import MultiValueDict
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from campaign.secrecy import truth
from incoming.receiving import take
from incoming.ways import WEBHOOK
from incoming.ways.forms import fields_of
from incoming.ways.heads import LARGEST, alone, head_of, is_from_nobody, recipients
from incoming.ways.providers import PROVIDERS, Provider

log = logging.getLogger(__name__)

LARGEST_CALL = 12 * 1024 * 1024
"""Bytes of a call: a mail as it came, its parts once more, and what their encoding adds."""


class NotRaw(Exception):
    """A call lacks the mail as it came, by which it is told apart when it comes twice."""


@csrf_exempt  # the provider's secret or signature is the authority
@require_POST
def take_from_provider(request: HttpRequest) -> HttpResponse:
    """Take a mail from the provider that the settings name."""
    provider = PROVIDERS.get(settings.MAIL_IN_PROVIDER)
    if settings.MAIL_IN != WEBHOOK or provider is None or not settings.MAIL_IN_SECRET:
        raise Http404
    if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST_CALL:
        return HttpResponse("Too large.", status=413, content_type="text/plain")
    try:
        fields = _read(request)
        reader = provider.reader()
        reader.run_validators(request)
        for event in reader.parse_events(request):
            _take(event, provider, fields)
    except AnymailWebhookValidationFailure:
        log.warning("a call of the mail webhook was not the provider's: compare FIELDPOST_MAIL_IN_SECRET")
        return HttpResponse("Not yours.", status=401, content_type="text/plain")
    except NotRaw:
        log.error("a call of the mail webhook lacks the mail as it came: %s", provider.turned_on_by)
        return _again()
    except Exception as error:  # whatever it is, the provider must keep the mail
        log.error("a call of the mail webhook could not be handled: %s", type(error).__name__)
        return _again()
    return HttpResponse("Taken.", content_type="text/plain")


def _again() -> HttpResponse:
    return HttpResponse("Not stored. Try again later.", status=503, content_type="text/plain")


def _take(event: Any, provider: Provider, fields: Mapping[str, bytes]) -> None:
    """Store the mail of a call, for each of our addresses that it names."""
    message = event.message
    raw = _raw(event, provider, fields)
    head = head_of(raw)
    to = recipients(head, (message.envelope_recipient or "",))
    nobody = message.envelope_sender in ("", "<>") or is_from_nobody(head)
    with truth.machinery():
        take(raw if len(raw) <= LARGEST else alone(head), to, from_nobody=nobody)


def _raw(event: Any, provider: Provider, fields: Mapping[str, bytes]) -> bytes:
    """The mail as it came. Raises NotRaw if the provider can send it so, and did not."""
    if not provider.raw:
        return put_together(event.message)
    told = event.esp_event
    raw = told.get(provider.raw, "").encode("utf-8", "replace") if isinstance(told, dict) else fields.get(provider.raw)
    if not raw:
        raise NotRaw
    return raw


def put_together(message: AnymailInboundMessage) -> bytes:
    """A mail of the parts that a provider gives; the same parts make the same bytes, whenever it calls."""
    for number, part in enumerate(message.walk()):
        if part.is_multipart() and part.get_boundary() is None:
            part.set_boundary(f"part{number}-{hashlib.sha256(str(message['Message-ID']).encode()).hexdigest()[:32]}")
    written = BytesIO()
    BytesGenerator(written, policy=SMTP.clone(refold_source="none")).flatten(message)
    return written.getvalue()


# --- what is sent ----------------------------------------------------------------------------------------------------


def _read(request: HttpRequest) -> Mapping[str, bytes]:
    """Read a call, which may be larger than what people send to pages; the fields of a form, as bytes.

    The library finds them in the request, as if Django had read it.
    """
    body = request.read(LARGEST_CALL)
    fields = {name: value() for name, value in fields_of(body, request.META.get("CONTENT_TYPE", "")).items()}
    call: Any = request
    call._body, call._files = body, MultiValueDict()
    call._post = QueryDict(mutable=True, encoding="utf-8")
    for name, value in fields.items():
        call._post.appendlist(name, value.decode("utf-8", "replace"))
    return fields
