"""Every error of the vendor's client has its place in our tree."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletion

from context_memory.adapters.model_complaints import complaint_of
from context_memory.adapters.model_errors import fault_of
from context_memory.adapters.model_faults import fault_of_status
from context_memory.domain.errors import ModelAccessDenied, ModelRejected, ModelServerError, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2026, 6, 17, 11, 40, tzinfo=UTC)
REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")
SECRET = "sk-invented and what somebody said"


def status_error(kind: type[openai.APIStatusError], status: int) -> openai.APIStatusError:
    return kind(SECRET, response=httpx2.Response(status, request=REQUEST), body={"message": SECRET})


COMPLETION = ChatCompletion(id="1", choices=[], created=1, model="small-1", object="chat.completion")
MAPPED: list[tuple[openai.OpenAIError, type[Exception]]] = [
    (openai.OpenAIError(SECRET), ModelAccessDenied),
    (openai.OAuthError(response=httpx2.Response(401, request=REQUEST), body={"error": "denied"}), ModelAccessDenied),
    (openai.APIError(SECRET, REQUEST, body=None), ModelServerError),
    (openai.APIResponseValidationError(httpx2.Response(200, request=REQUEST), body=None), ModelServerError),
    (openai.APIConnectionError(message=SECRET, request=REQUEST), ModelUnavailable),
    (openai.APITimeoutError(REQUEST), ModelUnavailable),
    (openai.WebSocketConnectionClosedError(SECRET, unsent_messages=[]), ModelUnavailable),
    (openai.WebSocketQueueFullError(SECRET), ModelUnavailable),
    (openai.LengthFinishReasonError(completion=COMPLETION), ModelRejected),
    (openai.ContentFilterFinishReasonError(), ModelRejected),
    (status_error(openai.APIStatusError, 418), ModelAccessDenied),
    (status_error(openai.BadRequestError, 400), ModelRejected),
    (status_error(openai.AuthenticationError, 401), ModelAccessDenied),
    (status_error(openai.PermissionDeniedError, 403), ModelAccessDenied),
    (status_error(openai.NotFoundError, 404), ModelAccessDenied),
    (status_error(openai.ConflictError, 409), ModelUnavailable),
    (status_error(openai.UnprocessableEntityError, 422), ModelRejected),
    (status_error(openai.RateLimitError, 429), ModelUnavailable),
    (status_error(openai.InternalServerError, 500), ModelServerError),
]


def tree(kind: type[openai.OpenAIError]) -> Iterator[type[openai.OpenAIError]]:
    """The class and all below it."""
    yield kind
    for below in kind.__subclasses__():
        yield from tree(below)


def test_no_error_that_the_client_shows_is_left_out() -> None:
    shown = {kind for kind in tree(openai.OpenAIError) if kind.__name__ in openai.__all__}
    assert {type(error) for error, _ in MAPPED} == shown


def test_an_error_that_the_client_hides_is_a_fault_of_the_world() -> None:
    hidden = set(tree(openai.OpenAIError)) - set(tree(openai.APIStatusError)) - {type(error) for error, _ in MAPPED}
    assert hidden
    assert all(isinstance(fault_of(kind.__new__(kind), NOW).error, ModelUnavailable) for kind in hidden)


@pytest.mark.parametrize(("error", "kind"), MAPPED, ids=lambda value: type(value).__name__)
def test_an_error_of_the_client_becomes_one_of_ours(error: openai.OpenAIError, kind: type[Exception]) -> None:
    fault = fault_of(error, NOW)
    assert type(fault.error) is kind
    assert SECRET not in repr(fault)


@pytest.mark.parametrize("status", range(400, 600))
def test_every_status_has_one_meaning(status: int) -> None:
    fault = fault_of_status(status, complaint_of(None))
    assert fault.again == (status >= 500 or status in {408, 409, 425, 429})
    assert isinstance(fault.error, ModelRejected) == (status in {400, 413, 422})
    assert isinstance(fault.error, ModelServerError) == (status >= 500)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"code": "context_length_exceeded"}, "length"),
        ("prompt is too long: 210000 tokens > 200000 maximum", "length"),
        ({"message": "Please reduce the length of the messages or completion."}, "length"),
        ({"message": "max_tokens: 900 exceeds this model's maximum context length"}, "length"),
        ({"innererror": {"code": "ResponsibleAIPolicyViolation"}}, "content_filter"),
        ({"code": "invalid_prompt"}, "content_filter"),
        ({"message": "Content Exists Risk"}, "content_filter"),
        ({"message": "1 validation error", "detail": [{"loc": ["body", 3], "msg": "odd"}]}, "invalid_request"),
        (None, "invalid_request"),
        (b"\xff", "invalid_request"),
    ],
)
def test_vendors_word_the_same_complaint_differently(body: object, kind: str) -> None:
    assert complaint_of(body).kind == kind


def test_a_quoted_request_decides_nothing() -> None:
    quoted = "our model was not found; the api key not valid; context window; content filter; 'store'. " * 9
    complaint = complaint_of({"detail": [{"loc": ["body"], "msg": quoted, "input": {"message": "api key not valid"}}]})
    assert complaint == complaint_of(None)


def test_the_ordinary_word_store_is_no_parameter() -> None:
    assert complaint_of({"message": "The server could not store the request"}).parameters == frozenset()
