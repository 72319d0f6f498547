from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest

from infra.local.client import Client, ServiceError, TurnTooSlow
from infra.local.outputs import Caller, Outputs

if TYPE_CHECKING:
    from collections.abc import Callable

OUTPUTS = Outputs(
    api_url="http://localhost:1/_aws/execute-api/abc/$default",
    profile_bucket="p",
    work_bucket="w",
    user_table="u",
    company_table="c",
    queue_url="q",
    dead_letter_queue_url="d",
    region="eu-central-1",
    account="000000000000",
    company_id="acme",
    caller=Caller(access_key_id="AKIALOCAL", secret_access_key="not-a-secret"),
    issuer_url="http://localhost:1",
    issuer_key_file="key.pem",
    page_url="http://localhost:8/",
    endpoint_url="http://localhost:1",
    model_base_url="http://localhost:2/v1",
    model="offline",
    root_folder="user-memory",
    functions={},
    log_file="log",
)
DONE = {"turn_id": "t", "status": "done", "outcome": "noop", "attempts": 1, "usage": [], "step": None}


def client(answer: Callable[[httpx.Request], httpx.Response], pauses: list[float] | None = None) -> Client:
    return Client(OUTPUTS, sleep=(pauses if pauses is not None else []).append, transport=httpx.MockTransport(answer))


def test_a_request_is_signed_and_its_ids_are_spelled_for_the_path() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=DONE)

    client(answer).turn("lena/frei", "turn 1")
    (request,) = seen
    assert request.url.raw_path == (
        b"/_aws/execute-api/abc/$default/v1/companies/acme/users/lena=2Ffrei/turns/turn=201"
    )
    assert request.headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIALOCAL/")
    assert "/eu-central-1/execute-api/aws4_request" in request.headers["authorization"]


def test_a_users_token_goes_along_as_it_is_and_nothing_is_signed() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"memory": None})

    assert client(answer).own_memory("a.b.c") == {"memory": None}
    (request,) = seen
    assert request.url.path.endswith("/v1/me/memory")
    assert request.headers["authorization"] == "Bearer a.b.c"
    assert "x-amz-date" not in request.headers


def test_ids_in_the_query_are_the_ids_themselves() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"enabled": True, "memory": None})

    loaded = client(answer).load("lena", "space & time", web_search=False)
    assert dict(seen[0].url.params) == {"space_id": "space & time", "web_search": "false"}
    assert loaded.memory is None
    assert loaded.turn_count == 0


def test_a_post_carries_its_text_as_it_was_written_and_tells_why_it_was_skipped() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert json.loads(request.content) == {"turn_id": "t", "messages": ["Zürich 张伟"]}
        return httpx.Response(200, json={"turn_id": "t", "status": "skipped", "reason": "blank"})

    assert client(answer).post("lena", {"turn_id": "t", "messages": ["Zürich 张伟"]}) == "blank"


def test_an_accepted_turn_has_no_reason() -> None:
    waiting = client(lambda _: httpx.Response(202, json={"turn_id": "t", "status": "queued"}))
    assert waiting.post("lena", {"turn_id": "t"}) is None


def test_it_comes_again_when_told_to_and_as_late_as_told() -> None:
    answers = iter(
        [httpx.Response(503, headers={"retry-after": "2"}), httpx.Response(429), httpx.Response(200, json=DONE)]
    )
    pauses: list[float] = []
    assert client(lambda _: next(answers), pauses).turn("lena", "t").status == "done"
    assert pauses == [2.0, 1.0]


def test_it_gives_up_on_a_service_that_stays_out_of_reach() -> None:
    pauses: list[float] = []
    problem = {"title": "Service unavailable", "detail": "flags are out of reach"}
    with pytest.raises(ServiceError, match="503: Service unavailable: flags are out of reach"):
        client(lambda _: httpx.Response(503, json=problem), pauses).turn("lena", "t")
    assert len(pauses) == 4


def test_a_gateway_without_a_problem_document_is_still_told_in_a_sentence() -> None:
    with pytest.raises(ServiceError, match="403: Forbidden") as refused:
        client(lambda _: httpx.Response(403, json={"message": "Forbidden"})).turn("lena", "t")
    assert refused.value.status == 403
    with pytest.raises(ServiceError, match="502: no reason given"):
        client(lambda _: httpx.Response(502, text="<html>")).turn("lena", "t")


def test_nobody_at_the_address_is_told_in_a_sentence() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(ServiceError, match="is the environment up"):
        client(answer).turn("lena", "t")


def test_waiting_ends_with_the_turn_and_counts_its_calls() -> None:
    usage = [
        {"purpose": "gate", "model": "m", "input_tokens": 100, "cached_tokens": 0, "output_tokens": 2},
        {"purpose": "consolidation", "model": "m", "input_tokens": 300, "cached_tokens": 50, "output_tokens": 40},
    ]
    answers = iter([{**DONE, "status": "running", "outcome": None}, {**DONE, "outcome": "updated", "usage": usage}])
    turn = client(lambda _: httpx.Response(200, json=next(answers))).wait("lena", "t", seconds=5)
    assert (turn.outcome, turn.calls, turn.input_tokens, turn.output_tokens) == (
        "updated",
        ("gate", "consolidation"),
        400,
        42,
    )
    assert turn.well


def test_waiting_does_not_last_for_ever() -> None:
    running = {**DONE, "status": "retrying", "outcome": None}
    with pytest.raises(TurnTooSlow, match="still retrying"):
        client(lambda _: httpx.Response(200, json=running)).wait("lena", "t", seconds=0.05)


@pytest.mark.parametrize(
    ("status", "outcome", "well"),
    [
        ("done", "updated", True),
        ("done", "noop", True),
        ("done", "skipped_blank", True),
        ("done", "malformed", False),
        ("done", "scrub_veto", False),
        ("done", "expired", False),
        ("dead", None, False),
    ],
)
def test_an_outcome_that_lost_something_is_not_well(status: str, outcome: str | None, *, well: bool) -> None:
    ended = client(lambda _: httpx.Response(200, json={**DONE, "status": status, "outcome": outcome}))
    turn = ended.turn("lena", "t")
    assert turn.final
    assert turn.well is well
