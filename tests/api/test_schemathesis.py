"""Whatever the schema allows and forbids to be asked: no fault of ours, and no answer that it does not declare.

A longer run makes more requests of each kind to each operation: API_EXAMPLES=300 pytest tests/api/test_schemathesis.py
"""

import gzip
import os
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.middleware.csrf import _get_new_csrf_string
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import api.operations
from api.views import schema as of_schema
from campaign.models import Phase as PhaseRow
from tests.api.asking import token_of, write
from tests.battles import KEY, Field
from tests.web.conftest import Cast
from tests.web.desk.test_desk import mark

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("API_EXAMPLES", "3"))
PLAYER, GM = "german commander", "gm"
SEEN = ""
"""The mark of the draft that there is."""
EXISTING = {
    "slug": "bulge",
    "desk": "HQ",
    "side": "german",
    "no": 0,
    "rev": 0,
    "nth": 1,
    "name": "map.png",
    "key": KEY,
    "audience": "german",
}
"""What there is, for the parameters of addresses: at random nearly every address would lead nowhere."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(autouse=True)
def nobody_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """All requests come within a minute."""
    monkeypatch.setattr(api.operations, "may", lambda *_: True)
    monkeypatch.setattr(api.operations, "allows", lambda *_, **__: True)


def with_token(cast: Cast, who: str = PLAYER) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {token_of(cast, who)}"}}


def with_session(cast: Cast) -> dict[str, Any]:
    """What a page sends: the session, and its CSRF token."""
    csrf = _get_new_csrf_string()
    cookies = {"sessionid": cast.browser(PLAYER).cookies["sessionid"].value, "csrftoken": csrf}
    return {"headers": {"X-CSRFToken": csrf}, "cookies": cookies}


def served(environ: dict[str, Any], start_response: Any) -> Any:
    """The project, asked from this computer."""
    return _HANDLER({**environ, "REMOTE_ADDR": "127.0.0.1"}, start_response)


_HANDLER = WSGIHandler()


def operations() -> Iterator[Any]:
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema.json", served)
    schema.config.generation.update(with_security_parameters=False)
    for each in schema.get_all_operations():
        assert isinstance(each, Ok), each
        yield each.ok()


def ask_everything(caller: Mapping[str, Any], *, modes: tuple[GenerationMode, ...]) -> dict[str, set[int]]:
    """Ask each operation many times; returns the statuses of the answers by operation."""
    found: dict[str, set[int]] = {}
    for operation in operations():
        statuses = found.setdefault(operation.definition.raw["operationId"], set())
        for mode in modes:
            if operation.body or mode is GenerationMode.POSITIVE:  # an address has nothing that a schema forbids
                _ask(operation, caller, mode, statuses)
    return found


def _ask(operation: Any, caller: Mapping[str, Any], mode: GenerationMode, statuses: set[int]) -> None:
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), exists=st.sampled_from([True, True, True, False]))
    def asked(case: Any, *, exists: bool) -> None:
        if exists:
            case.path_parameters = {name: EXISTING[name] for name in case.path_parameters or {}}
            if _names_a_draft(case.body) and not operation.path.endswith("/publication/"):  # others come after it
                case.body = {**case.body, "seen": SEEN}
        answer = case.call(headers=caller["headers"], cookies=caller.get("cookies"))
        statuses.add(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    asked()


def _names_a_draft(body: Any) -> bool:
    return bool(SEEN) and isinstance(body, dict) and isinstance(body.get("seen"), str)


def test_a_token_gets_only_declared_answers(cast: Cast) -> None:
    found = ask_everything(with_token(cast), modes=(GenerationMode.POSITIVE, GenerationMode.NEGATIVE))
    assert {"campaigns", "check_sheet", "submit_sheet", "phase_view"} <= found.keys()
    assert all(200 in found[each] for each in ("campaigns", "campaign", "base_map", "state", "phases"))
    assert 400 in found["check_sheet"], "bodies that the schema forbids are refused"
    assert not any(401 in statuses for statuses in found.values())


def test_a_session_gets_only_declared_answers(field: Field) -> None:
    """While battles wait for their results."""
    found = ask_everything(with_session(field.cast), modes=(GenerationMode.POSITIVE,))
    assert all(200 in found[each] for each in ("battles", "battle", "desks", "dice"))
    assert not any(401 in statuses for statuses in found.values())
    assert found["check_report"] & {200, 404}


def test_a_game_master_gets_only_declared_answers(choice: Field) -> None:
    """While battles wait for their results."""
    found = ask_everything(with_token(choice.cast, GM), modes=(GenerationMode.POSITIVE, GenerationMode.NEGATIVE))
    assert all(200 in found[each] for each in ("waiting", "gm_phase", "battles_to_decide", "links", "gm_log"))
    assert found["pause"] & {409, 422}
    assert not any(401 in statuses for statuses in found.values())


def test_a_game_master_with_a_draft_gets_only_declared_answers(
    cast: Cast, draft: PhaseRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some of the acts name the draft that there is."""
    of_draft = re.compile("/gm/draft/|/gm/received/")
    every = list(operations())
    monkeypatch.setattr(f"{__name__}.operations", lambda: (each for each in every if of_draft.search(each.path)))
    monkeypatch.setattr(f"{__name__}.SEEN", mark(draft))
    monkeypatch.setitem(EXISTING, "no", draft.no)
    found = ask_everything(with_token(cast, GM), modes=(GenerationMode.POSITIVE, GenerationMode.NEGATIVE))
    assert all(200 in found[each] for each in ("draft", "rulings", "received_view", "received_file"))
    assert 422 in found["try_rulings"] | found["apply_rulings"]


def test_an_answer_that_is_not_declared_is_found(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tests above rest on."""
    declared = of_schema._schema()
    path = "/api/v1/campaigns/{slug}/phases/{no}/view/"
    answers = {status: each for status, each in declared["paths"][path]["get"]["responses"].items() if status != "404"}
    operation = {**declared["paths"][path]["get"], "responses": answers}
    monkeypatch.setattr(of_schema, "_schema", lambda: {**declared, "paths": {path: {"get": operation}}})
    monkeypatch.setitem(EXISTING, "slug", "nowhere")
    with pytest.raises(FailureGroup, match="404"):
        ask_everything(with_token(cast), modes=(GenerationMode.POSITIVE,))


# --- what no schema can say ------------------------------------------------------------------------------------------

JSON = "application/json"
HOSTILE: dict[str, tuple[bytes, str, int]] = {
    "nothing": (b"", JSON, 400),
    "half": (b'{"text": "a', JSON, 400),
    "no object": (b'"text"', JSON, 400),
    "two objects": (b"{}{}", JSON, 400),
    "a field that nobody knows": (b'{"text": "", "more": {"__proto__": 1}}', JSON, 400),
    "a number too large": (b'{"text": ' + b"9" * 5_000 + b"}", JSON, 400),
    "no number": (b'{"text": NaN}', JSON, 400),
    "nested too deep": (b'{"text": ' * 20_000, JSON, 400),
    "half a character": (b'{"text": "\xc3"}', JSON, 400),
    "half of a pair": (b'{"text": "\\ud800"}', JSON, 400),
    "another encoding": ('{"text": "é"}'.encode("utf-16"), f"{JSON}; charset=utf-16", 400),
    "a mark in front": (b'\xef\xbb\xbf{"text": ""}', JSON, 400),
    "packed": (gzip.compress(b'{"text": ""}'), JSON, 400),
    "more than a MB": (b'{"text": "' + b"a" * 2_000_000 + b'"}', JSON, 413),
    "a form": (b"text=a", "application/x-www-form-urlencoded", 415),
    "a page": (b"<text/>", "text/xml", 415),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_every_operation_refuses_what_is_hostile_with_a_clear_error(field: Field, name: str) -> None:
    body, kind, status = HOSTILE[name]
    browsers, asked = [field.cast.browser(who) for who in (PLAYER, GM)], 0
    for path, methods in of_schema._schema()["paths"].items():
        for method, browser in product(_with_a_body(methods), browsers):
            where = path.format(**EXISTING)
            answer = browser.generic(method.upper(), where, body, content_type=kind, headers={"Idempotency-Key": "k"})
            assert (answer.status_code, answer.headers["Content-Type"]) == (status, JSON), (where, answer.content)
            assert answer.json()["message"].endswith("."), where
            asked += 1
    assert asked >= 9


def _with_a_body(methods: Mapping[str, Any]) -> list[str]:
    return [method for method, each in methods.items() if "requestBody" in each]


def test_a_key_that_nobody_can_keep_is_refused(cast: Cast) -> None:
    for key in ("", "k" * 201, "schlüssel"):
        body = {"phase": "2.0", "text": "", "version": 0}
        answer = write(cast, PLAYER, "desks/HQ/sheets/", body, key=key)
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed")
        assert "Idempotency-Key" in answer.json()["message"]
