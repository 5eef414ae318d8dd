"""A provider calls this address for each mail that it takes for our domain.

It is told 200 once the mail is stored, and 5xx if it cannot be, so that it calls again. Whether an address takes mail
is not told: a mail for nobody gets the same answer.
"""

import hashlib
import hmac
import json
import logging
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.generator import BytesGenerator
from email.policy import SMTP
from io import BytesIO
from typing import Any

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.inbound import AnymailInboundMessage
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from campaign.secrecy import truth
from incoming.reading.text.message import normal, require_few_parts
from incoming.receiving import LARGEST, take
from incoming.ways import WEBHOOK
from incoming.ways.forms import Field, TooManyFields, fields_of, value_of
from incoming.ways.heads import head_of, headers_only, is_from_nobody, recipients
from incoming.ways.providers import PROVIDERS, Provider

log = logging.getLogger(__name__)

LARGEST_CALL = 12 * 1024 * 1024
"""Bytes of a call: a mail as it came, its parts once more, and what their encoding adds."""


class NotRaw(Exception):
    """A call lacks the mail as it came, by which it is told apart when it comes twice."""


class NotSigned(Exception):
    """A call is not signed with our provider's key."""


@dataclass(frozen=True)
class Call:
    """A mail of which a provider tells us."""

    mail: bytes
    recipient: str
    sender: str | None
    """The sender of its envelope; empty for a mail that names none, None if the provider does not say."""


@csrf_exempt  # the provider's secret or signature is the authority
@require_POST
def take_from_provider(request: HttpRequest) -> HttpResponse:
    """Take a mail from the provider that the settings name."""
    provider = PROVIDERS.get(settings.MAIL_IN_PROVIDER)
    if settings.MAIL_IN != WEBHOOK or provider is None or not settings.MAIL_IN_SECRET:
        raise Http404
    if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST_CALL:
        log.error("a call of the mail webhook had more than %d MB, and its mail was not taken", LARGEST_CALL // 2**20)
        return HttpResponse("Too large.", status=413, content_type="text/plain")
    try:
        for call in _calls_in(request, provider):
            _take(call)
    except (AnymailWebhookValidationFailure, NotSigned, TooManyFields):
        log.warning("a call of the mail webhook was not the provider's: compare FIELDPOST_MAIL_IN_SECRET")
        return HttpResponse("Not yours.", status=401, content_type="text/plain")
    except NotRaw:
        log.error("a call of the mail webhook lacks the mail as it came: %s", provider.turned_on_by)
        return _not_stored()
    except Exception as error:  # whatever it is, the provider must keep the mail
        log.error("a call of the mail webhook could not be handled: %s", type(error).__name__)
        return _not_stored()
    return HttpResponse("Taken.", content_type="text/plain")


def _not_stored() -> HttpResponse:
    return HttpResponse("Not stored. Try again later.", status=503, content_type="text/plain")


def _take(call: Call) -> None:
    """Store the mail of a call, for each of our addresses that it names."""
    head = head_of(call.mail)
    to = recipients(head, (call.recipient,))
    nobody = call.sender in ("", "<>") or is_from_nobody(head)
    too_large = len(call.mail) > LARGEST
    with truth.machinery():
        take(headers_only(head) if too_large else call.mail, to, from_nobody=nobody, too_large=too_large)


# --- what is sent ----------------------------------------------------------------------------------------------------


def _calls_in(request: HttpRequest, provider: Provider) -> Sequence[Call]:
    """The mails that a provider calls about. Nothing is taken apart before the call is known to be the provider's.

    It may be larger than what people send to pages, and its mail may be made to take long.
    """
    reader = provider.reader()
    if provider.by_password:
        reader.run_validators(request)  # it looks at a header alone
    body = request.read(LARGEST_CALL)
    if provider.signs_forms:
        fields = fields_of(body, request.META.get("CONTENT_TYPE", ""))
        _require_signature(fields)
        return [_in_form(fields, provider)]
    read_by_library: Any = request
    read_by_library._body = body
    reader.run_validators(request)
    told = json.loads(body)
    if provider.mail_in:
        return [_in_json(told, provider)]
    for text in _texts_in(told):
        require_few_parts(normal(text))
    return [_put_together(event.message) for event in reader.parse_events(request)]


def _require_signature(fields: Mapping[str, Field]) -> None:
    """Raise NotSigned unless Mailgun signed the time and the token of a form."""
    timestamp, token, signature = (value_of(fields, name) for name in ("timestamp", "token", "signature"))
    expected = hmac.new(settings.MAIL_IN_SECRET.encode(), timestamp + token, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), signature):
        raise NotSigned


def _in_form(fields: Mapping[str, Field], provider: Provider) -> Call:
    """What Mailgun sends. Raises NotRaw."""
    raw = value_of(fields, provider.mail_in)
    if not raw:
        raise NotRaw
    sender = value_of(fields, "sender").decode("utf-8", "replace") if "sender" in fields else None
    return Call(raw, value_of(fields, "recipient").decode("utf-8", "replace"), sender)


def _in_json(told: Mapping[str, Any], provider: Provider) -> Call:
    """What Postmark sends; it writes the sender of the envelope first of all headers. Raises NotRaw."""
    raw = told.get(provider.mail_in)
    if not raw:
        raise NotRaw
    first: Mapping[str, Any] = next(iter(told.get("Headers", ())), {})
    sender = str(first.get("Value", "")) if str(first.get("Name", "")).lower() == "return-path" else None
    return Call(raw.encode("utf-8", "replace"), str(told.get("OriginalRecipient", "")), sender)


def _texts_in(told: object) -> Iterator[bytes]:
    """Every text of a call in JSON, and what it is if it is base64."""
    waiting = [told]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each.encode("utf-8", "replace")
            with suppress(ValueError):
                yield b64decode(each)
        elif isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each


def _put_together(message: AnymailInboundMessage) -> Call:
    return Call(put_together(message), message.envelope_recipient or "", message.envelope_sender)


def put_together(message: AnymailInboundMessage) -> bytes:
    """A mail of the parts that a provider gives; the same parts make the same bytes, whenever it calls."""
    for number, part in enumerate(message.walk()):
        if part.is_multipart() and part.get_boundary() is None:
            part.set_boundary(f"part{number}-{hashlib.sha256(str(message['Message-ID']).encode()).hexdigest()[:32]}")
    written = BytesIO()
    BytesGenerator(written, policy=SMTP.clone(refold_source="none")).flatten(message)
    return written.getvalue()
