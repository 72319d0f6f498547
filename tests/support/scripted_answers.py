"""What the scripted model can say: whole answers, odd answers, and every way in which an endpoint fails.

Each function makes one `Answer`, the HTTP reply as bytes with its manners (waiting, dripping, hanging, hanging up).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

JSON = "application/json"
USAGE = {"prompt_tokens": 120, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 64}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One HTTP reply.

    Attributes:
        wait_seconds: silence before the first byte.
        drip_seconds: pause after every byte of the body; 0 sends it at once.
        hangs: never answers; the connection stays open until the server stops or the client leaves.
        hangs_up: closes the connection without a byte.
    """

    status: int = 200
    content_type: str = JSON
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_seconds: float = 0.0
    drip_seconds: float = 0.0
    hangs: bool = False
    hangs_up: bool = False

    def late(self, seconds: float) -> Answer:
        """The same reply after a silence."""
        return replace(self, wait_seconds=seconds)

    def dripping(self, seconds: float) -> Answer:
        """The same reply, byte by byte."""
        return replace(self, drip_seconds=seconds)


def of_json(value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Any JSON value as the body."""
    return Answer(status=status, body=json.dumps(value).encode(), headers=headers or {})


def message(
    fields: Mapping[str, Any], *, finish_reason: str | None = "stop", usage: Mapping[str, Any] | None = USAGE
) -> Answer:
    """A completion with one choice whose message holds `fields`."""
    choice = {"index": 0, "message": {"role": "assistant", **fields}, "finish_reason": finish_reason}
    completion: dict[str, Any] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_767_225_600,
        "model": "scripted",
        "choices": [choice],
    }
    if usage is not None:
        completion["usage"] = usage
    return of_json(completion)


def embeddings(*vectors: Sequence[float]) -> Answer:
    """The vectors of as many texts."""
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return of_json({"object": "list", "model": "scripted", "data": data, "usage": {"prompt_tokens": 8}})


def text(content: str, *, finish_reason: str = "stop", usage: Mapping[str, Any] | None = USAGE) -> Answer:
    """The plain answer."""
    return message({"content": content}, finish_reason=finish_reason, usage=usage)


def cut(content: str) -> Answer:
    """An answer that the output limit cut."""
    return text(content, finish_reason="length")


def filtered(content: str | None = None) -> Answer:
    """An answer that the provider's filter stopped."""
    return message({"content": content}, finish_reason="content_filter")


def without_text() -> Answer:
    """An answer whose content is null."""
    return message({"content": None})


def refusal(words: str = "I cannot help with that.") -> Answer:
    """A refusal in the field made for it."""
    return message({"content": None, "refusal": words})


def parts(*contents: Mapping[str, Any]) -> Answer:
    """An answer whose content is a list of parts."""
    return message({"content": list(contents)})


def text_parts(*texts: str) -> Answer:
    """An answer whose content is a list of text parts."""
    return parts(*({"type": "text", "text": part} for part in texts))


def without_choices() -> Answer:
    """A completion with an empty list of choices."""
    return of_json({"id": "chatcmpl-scripted", "object": "chat.completion", "choices": [], "usage": USAGE})


def error(status: int, fields: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None) -> Answer:
    """An error in the provider's usual envelope."""
    told = {"message": HTTPStatus(status).phrase, "type": "error", "param": None, "code": None, **(fields or {})}
    return of_json({"error": told}, status=status, headers=headers)


def slow_down(retry_after: str | None = None) -> Answer:
    """429, with `Retry-After` in seconds or as an HTTP date when given."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return error(429, {"code": "rate_limit_exceeded"}, headers)


def broken(status: int = 500) -> Answer:
    """The endpoint's own failure."""
    return error(status)


def denied(status: int = 401) -> Answer:
    """401 or 403."""
    return error(status, {"code": "invalid_api_key"})


def unknown_model() -> Answer:
    """404 for the model's name."""
    return error(404, {"code": "model_not_found", "message": "The model does not exist or you have no access to it."})


def too_long() -> Answer:
    """400 because the prompt is longer than the model's window."""
    return error(
        400,
        {"code": "context_length_exceeded", "message": "This model's maximum context length is 8192 tokens."},
    )


def prompt_filtered() -> Answer:
    """400 because the provider's filter objects to the prompt."""
    return error(400, {"code": "content_filter", "message": "The prompt triggered the content management policy."})


def unsupported(parameter: str, *, status: int = 400) -> Answer:
    """400 naming a parameter that the model does not take."""
    told = f"Unsupported parameter: '{parameter}' is not supported with this model."
    return error(status, {"code": "unsupported_parameter", "param": parameter, "message": told})


def extra_forbidden(parameters: Sequence[str]) -> Answer:
    """422 of a strict validator, with the place of each parameter and the input it saw."""
    detail = [{"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs"} for name in parameters]
    return of_json({"object": "error", "message": {"detail": detail}}, status=422)


def hang() -> Answer:
    """Silence until the server stops."""
    return Answer(hangs=True)


def hang_up() -> Answer:
    """The connection closes without a byte."""
    return Answer(hangs_up=True)


def rubbish() -> Answer:
    """Bytes that are neither UTF-8 nor JSON, called JSON."""
    return Answer(body=b"\xff\xfe\x00{]")


def html(status: int = 200) -> Answer:
    """A proxy's page where JSON should stand."""
    return Answer(status=status, content_type="text/html", body=b"<html><body>Welcome to the gateway</body></html>")
