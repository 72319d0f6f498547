"""Reading a chat completion, as liberally as endpoints write them.

An answer without text is an answer: the chain gives it a name and goes on. Only what is no completion at all is the
endpoint's fault.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from context_memory.adapters.model_complaints import complaint_of
from context_memory.adapters.model_faults import Fault, fault_of_status, no_answer
from context_memory.domain.errors import ModelRejected
from context_memory.domain.turn import Usage
from context_memory.ports.models import ModelReply

if TYPE_CHECKING:
    from context_memory.ports.models import ModelRequest

_NO_CHOICE = "empty"  # a completed answer with nothing in it: some endpoints say so when their filter struck
_WHOLE = frozenset({"eos", "eos_token", "end_turn", "stop_sequence", "completed"})
_CUT = frozenset({"max_tokens", "model_length", "max_output_tokens"})
_TEXT_PARTS, _REFUSAL_PARTS = frozenset({"text", "output_text"}), frozenset({"refusal"})


def read_reply(body: bytes, request: ModelRequest, output_limit: int) -> ModelReply | Fault:
    """Read the body of a 200; `output_limit` tells a cut answer where the endpoint gives no reason for its end."""
    completion = _json(body)
    if not isinstance(completion, Mapping):
        return no_answer()
    match completion.get("choices"):
        case [Mapping() as choice, *_]:
            return _read_choice(choice, _usage(completion.get("usage"), request), output_limit)
        case [] if not completion.get("error"):
            return ModelReply(None, _NO_CHOICE, _usage(completion.get("usage"), request))
        case _:
            return _late_error(completion.get("error"))


def _read_choice(choice: Mapping[str, object], usage: Usage, output_limit: int) -> ModelReply | Fault:
    message, finish_reason = choice.get("message"), _finish_reason(choice.get("finish_reason"), usage, output_limit)
    if finish_reason == "content_filter":
        return Fault(ModelRejected("content_filter"))
    content = message.get("content") if isinstance(message, Mapping) else None
    if not isinstance(message, Mapping) or not isinstance(content, str | list | None) or finish_reason == "error":
        return no_answer()
    if message.get("refusal") or _joined(content, _REFUSAL_PARTS, "refusal"):
        return Fault(ModelRejected("refusal"))
    text = _joined(content, _TEXT_PARTS, "text") if isinstance(content, list) else content
    return ModelReply(None if text is None else only_characters(text), finish_reason, usage)


def only_characters(text: str) -> str:
    """The text without lone surrogates, which no UTF-8 can carry."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _late_error(error: object) -> Fault:
    """Sort an error that a gateway reports under status 200, by the status it names; anything else is rubbish."""
    code = error.get("code") if isinstance(error, Mapping) else None
    if isinstance(code, int) and code >= 400:  # noqa: PLR2004 - where HTTP's errors begin
        return fault_of_status(code, complaint_of(error))
    return no_answer()


def _finish_reason(told: object, usage: Usage, output_limit: int) -> str:
    reason = told.lower() if isinstance(told, str) else ""
    if not reason:
        return "length" if usage.output_tokens >= output_limit else "stop"
    if reason in _WHOLE:
        return "stop"
    if reason in _CUT:
        return "length"
    return "content_filter" if reason.startswith("content_filter") else reason


def _joined(content: object, kinds: frozenset[str], field: str) -> str:
    """Join the text of the parts of some kinds; thoughts and pictures are other kinds."""
    found = [
        part[field]
        for part in (content if isinstance(content, list) else ())
        if isinstance(part, Mapping) and part.get("type") in kinds and isinstance(part.get(field), str)
    ]
    return "".join(found)


def _usage(told: object, request: ModelRequest) -> Usage:
    """Map the figures; what is missing or odd counts as 0."""
    figures = told if isinstance(told, Mapping) else {}
    details = figures.get("prompt_tokens_details")
    return Usage(
        purpose=request.purpose,
        model=request.model,
        input_tokens=_figure(figures.get("prompt_tokens")),
        cached_tokens=_figure(details.get("cached_tokens") if isinstance(details, Mapping) else None),
        output_tokens=_figure(figures.get("completion_tokens")),
    )


def _figure(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
