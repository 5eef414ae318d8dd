"""Refusals: each has a code for programs and a sentence for people."""

import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from api.answers.sheets import LineProblem, line_problem
from api.wire import JSON
from campaign.engine.values.value import Value
from campaign.record.dice_keys import KeyMissing
from gm.desk.corrections import Unwritten
from gm.desk.deadlines import Refused
from gm.phases.lifecycle import RulingRefused
from gm.phases.rolls import RollRefused
from gm.phases.trying import TriedOtherwise
from orders.battles.reporting import Answered, Faulty, OtherPhase, Unusable
from orders.intake import KeyReused, NotYours, Outdated, TooLate
from orders.services import NothingToWithdraw, OtherDraft, Overtaken, TooLong


class ApiProblem(Value, frozen=True):
    """Why a request was refused."""

    error: str
    """A code that stays the same."""
    message: str
    """The same for people: what is wrong, and what to do."""
    newest: int | None = None
    """If somebody submitted a newer version of a sheet meanwhile: its number."""
    problems: tuple[LineProblem, ...] = ()
    """What is wrong with a report or with rulings, line by line."""


class OtherDraftResults(Exception):
    """The draft results are not those that the game master has seen; nothing was changed."""


class AboutToBePublished(Exception):
    """The draft results are approved, so they do not change; nothing was changed."""


class PhaseOver(Exception):
    """The request is about another phase than the present one; nothing was changed."""


class Unfit(Exception):
    """What was sent cannot be used; the message says why, as the page does. Nothing was changed."""


log = logging.getLogger(__name__)

ABSENT = ApiProblem("not-found", "There is nothing here that you can read.")
UNREADABLE = ApiProblem("malformed", "The address or the body has characters that cannot be in it.")
FORBIDDEN = ApiProblem("forbidden", "This request is not allowed.")
BROKEN = ApiProblem("broken", "A fault of this site. It is in the log of its operator. Try again later.")
_KEY_MISSING = ApiProblem("key-missing", "The server lacks the key of this campaign's dice. Tell its operator.")
_TOO_BIG = ApiProblem("too-big", "The body has more than 1 MB, which is the limit.")

_CONFLICTS: Mapping[type[Exception], ApiProblem] = {
    TooLate: ApiProblem("closed", "This phase has closed. It was not saved."),
    NotYours: ApiProblem(
        "not-yours", "Your side has no orders to give in this phase, or you do not write this desk's sheet."
    ),
    KeyReused: ApiProblem(
        "key-reused", "This Idempotency-Key was used with a different text. Send this one with a new key."
    ),
    TriedOtherwise: ApiProblem(
        "key-reused", "This Idempotency-Key was used for another try. Send this one with a new key."
    ),
    NothingToWithdraw: ApiProblem("nothing-submitted", "Nothing is submitted for this desk, so nothing was withdrawn."),
    OtherDraft: ApiProblem(
        "other-draft", "The draft was changed after you read it. It was not saved. Read it, and combine the two."
    ),
    Answered: ApiProblem(
        "answered", "Someone else changed this battle after you read it. It was not saved. Read it and try again."
    ),
    OtherPhase: ApiProblem("closed", "The phase has closed since you read it. It was not saved."),
    OtherDraftResults: ApiProblem(
        "outdated",
        "The draft results changed after you read them, so your change was not applied. Read them and try again.",
    ),
    AboutToBePublished: ApiProblem(
        "approved", "These results are about to be published, so they do not change. Cancel the publication first."
    ),
    PhaseOver: ApiProblem("closed", "This phase has already closed, so nothing was changed. Read the current one."),
}
_OF_ALL: Mapping[type[exceptions.APIException], ApiProblem] = {
    exceptions.NotAuthenticated: ApiProblem("not-signed-in", "Sign in, or send a token in the Authorization header."),
    exceptions.AuthenticationFailed: ApiProblem("invalid-token", "This token is not valid, or it has ended."),
    exceptions.MethodNotAllowed: ApiProblem("method", "This address does not take that method."),
    exceptions.NotAcceptable: ApiProblem("not-acceptable", "This address answers in JSON only."),
    exceptions.UnsupportedMediaType: ApiProblem("media-type", "Send the body as application/json."),
}
_CODES: Mapping[type[exceptions.APIException], str] = {
    exceptions.ParseError: "malformed",
    exceptions.PermissionDenied: "forbidden",
}
"""Of refusals with words of their own."""


def answered(error: Exception, _context: Mapping[str, Any]) -> Response | None:
    """The answer to a request that was refused; None for our own faults."""
    found = _problem(error)
    if found is None:
        return None
    status, problem = found
    more = {"WWW-Authenticate": getattr(error, "auth_header", None), "Retry-After": getattr(error, "wait", None)}
    return Response(
        problem, status=status, content_type=JSON, headers={name: str(value) for name, value in more.items() if value}
    )


def _problem(error: Exception) -> tuple[int, ApiProblem] | None:
    match error:
        case Http404():
            return 404, ABSENT
        case RequestDataTooBig():
            return 413, _TOO_BIG
        case Outdated(newest=newest) | Overtaken(newest=newest):
            message = f"Version {newest} of this sheet was submitted meanwhile. Read it, and combine the two."
            return 409, ApiProblem("outdated", message, newest)
        case TooLong() | Faulty() | Unusable():
            return 422, _not_saved(error)
        case KeyMissing():
            log.error("an answer of the API: %s", error)
            return 503, _KEY_MISSING
        case exceptions.APIException():
            return error.status_code, _of_all(error)
    return _of_game_masters(error)


def _of_all(error: exceptions.APIException) -> ApiProblem:
    if isinstance(error, exceptions.Throttled):
        window, wait = ("a minute", "a minute") if (error.wait or 0) <= _MINUTE else ("an hour", "up to an hour")  # type: ignore[attr-defined]
        return ApiProblem("too-many-requests", f"Too many requests within {window}. Wait {wait}.")
    own = ApiProblem(_CODES.get(type(error), "refused"), str(error.detail))
    return _OF_ALL.get(type(error), own)


_MINUTE = 60


def _of_game_masters(error: Exception) -> tuple[int, ApiProblem] | None:
    """What a game master cannot do, in the words of their pages, and conflicts of all."""
    match error:
        case Refused():
            return 409, ApiProblem("not-possible", str(error))
        case Unwritten(problems=problems):
            faults = tuple(map(line_problem, problems))
            return 422, ApiProblem("faulty", "No ruling was applied: fix the lines that are listed.", problems=faults)
        case RulingRefused() | RollRefused():
            return 422, ApiProblem("refused", f"Nothing was changed: {str(error).rstrip('.')}.")
        case Unfit():
            return 422, ApiProblem("unusable", str(error))
    conflict = _CONFLICTS.get(type(error))
    return None if conflict is None else (409, conflict)


def _not_saved(error: TooLong | Faulty | Unusable) -> ApiProblem:
    match error:
        case TooLong():
            return ApiProblem("too-long", f"{_sentence(str(error))} It was not saved.")
        case Faulty(read=read):
            faults = tuple(map(line_problem, read.problems))
            return ApiProblem("faulty", "It was not saved: fix the lines that are listed.", problems=faults)
        case Unusable():
            return ApiProblem("unusable", f"{error} It was not saved.")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
