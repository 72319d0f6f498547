"""What the `openai` client raises, sorted into the faults of `model_faults`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import openai

from context_memory.adapters.model_complaints import complaint_of
from context_memory.adapters.model_faults import Fault, fault_of_status, no_answer, out_of_reach, retry_after, timed_out
from context_memory.domain.errors import ModelAccessDenied, ModelRejected

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


def _without_credentials() -> Fault:
    return Fault(ModelAccessDenied("The language model's client has no credentials that it can use."))


# The first that fits counts; what is left at the end says that the client is not set up.
_WITHOUT_STATUS: tuple[tuple[type[openai.OpenAIError], Callable[[], Fault]], ...] = (
    (openai.APITimeoutError, timed_out),
    (openai.APIConnectionError, out_of_reach),
    (openai.WebSocketConnectionClosedError, out_of_reach),
    (openai.WebSocketQueueFullError, out_of_reach),
    (openai.LengthFinishReasonError, lambda: Fault(ModelRejected("length"))),
    (openai.ContentFilterFinishReasonError, lambda: Fault(ModelRejected("content_filter"))),
    (openai.APIError, no_answer),
    (openai.OpenAIError, _without_credentials),
)


def fault_of(error: openai.OpenAIError, now: datetime) -> Fault:
    """Sort an error of the client; `now` is what an HTTP date in `Retry-After` is measured from."""
    if isinstance(error, openai.APIStatusError):
        wait = retry_after(error.response.headers, now)
        return fault_of_status(error.status_code, complaint_of(error.body), wait)
    return next(make() for kind, make in _WITHOUT_STATUS if isinstance(error, kind))
