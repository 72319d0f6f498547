"""Language models, and what they are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.domain.turn import Usage


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a language model.

    Attributes:
        turns: encoded turn ids.
        seconds_left: bounds all tries together.
        schema: JSON schema that the answer should fit; an endpoint that takes none is asked without it.
    """

    purpose: str
    model: str
    system: str
    user: str
    max_output_tokens: int
    turns: tuple[str, ...]
    seconds_left: float
    schema: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """An answer, whole or cut (`finish_reason` other than `stop`)."""

    text: str | None
    finish_reason: str
    usage: Usage


class LanguageModel(Protocol):
    """An OpenAI-compatible chat completion."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once, with retries within `seconds_left`.

        Raises:
            ModelUnavailable: time-out, connection, 429.
            ModelServerError: 5xx, or an answer that is no completion.
            ModelAccessDenied: 401, 403, unknown model.
            ModelRejected: 400, 413, 422: too long, filtered, invalid.
        """


class Prompts(Protocol):
    """The prompt files."""

    version: str
    policy_version: str

    def render(self, call: str, values: Mapping[str, object]) -> tuple[str, str]:
        """System and user text of one call; a variable that is missing or left over is an error."""

    def sentences(self) -> frozenset[str]:
        """Every sentence of the prompts and every canary in them, folded: none of it may be stored (R7)."""
