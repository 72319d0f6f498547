"""What an endpoint's error body complains of. Every vendor words it in its own way; these are the ways known.

Only short messages are read. A long one quotes the request, and then a user's words would decide how it is sorted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.adapters.model_dialect import OPTIONAL_PARAMETERS, RESPONSE_FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_MESSAGE = 500
_DEEPEST = 6

_LENGTH_CODES = frozenset({"context_length_exceeded", "string_above_max_length", "request_too_large"})
_FILTER_CODES = frozenset(
    {
        "content_filter", "content_policy_violation", "data_inspection_failed", "invalid_prompt",
        "responsibleaipolicyviolation",
    }
)  # fmt: skip
_ACCESS_CODES = frozenset(
    {"model_not_found", "model_decommissioned", "deploymentnotfound", "invalid_model", "invalid_api_key"}
)
_PARAMETER_CODES = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter", "extra_forbidden"})

_LENGTH = re.compile(
    r"context[ _](?:length|window)|maximum (?:context|prompt|input) length|too many (?:input )?tokens"
    r"|(?:prompt|input|request) (?:is )?too (?:long|large)|reduce the length"
)
_FILTER = re.compile(r"content[ _](?:filter|management|policy)|content exists risk|responsible ai|safety system")
_ACCESS = re.compile(
    r"\bmodel\b.{0,120}\b(?:not found|not exist|decommissioned)|\b(?:unknown|invalid|not a valid) model\b"
    r"|api key not (?:valid|found)|(?:invalid|incorrect) api key"
)
_PARAMETERS = {
    # Quoted, or behind a word or colon that introduces a name: `store` is also an ordinary word.
    name: re.compile(rf"(?:['\"`]|: ?|\b(?:argument|parameter|field|property) |^){name}(?![\w-])")
    for name in OPTIONAL_PARAMETERS
} | {RESPONSE_FORMAT: re.compile(r"\bresponse[_ ]?format\b|\bjson_schema\b")}


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a body says. `kind` is that of `ModelRejected`; `access` means the model or the key is the trouble."""

    kind: str = "invalid_request"
    access: bool = False
    parameters: frozenset[str] = frozenset()


def complaint_of(body: object) -> Complaint:
    """Read an error body, parsed or as text; anything may come, nothing raises."""
    codes, names, messages = set[str](), set[str](), list[str]()
    for key, value in _leaves(body):
        if key in {"code", "type"}:
            codes.add(value.lower())
        elif key in {"param", "loc"}:
            names.add(value)
        elif key in {"message", "msg", "detail", "error", ""} and len(value) <= _LONGEST_MESSAGE:
            messages.append(value.lower())
    told = "\n".join(messages)
    about_parameters = bool(codes & _PARAMETER_CODES)
    if not about_parameters:
        if codes & _LENGTH_CODES or _LENGTH.search(told):
            return Complaint("length")
        if codes & _FILTER_CODES or _FILTER.search(told):
            return Complaint("content_filter")
        if codes & _ACCESS_CODES or _ACCESS.search(told):
            return Complaint(access=True)
    names = {name.partition(".")[0] for name in names}  # `response_format.type`
    named = {name for name, pattern in _PARAMETERS.items() if name in names or pattern.search(told)}
    # "'max_tokens' is not supported, use 'max_completion_tokens'": the parameter at fault is the one in `param`.
    at_fault = named & names or named
    return Complaint(parameters=frozenset(at_fault))


def _leaves(value: object, key: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Every string of a body with the name it stands under; `input` is where validators quote the request."""
    if isinstance(value, str):
        yield key, value
    elif depth < _DEEPEST and isinstance(value, dict):
        for name, inner in value.items():
            if name != "input":
                yield from _leaves(inner, str(name), depth + 1)
    elif depth < _DEEPEST and isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, key, depth + 1)
