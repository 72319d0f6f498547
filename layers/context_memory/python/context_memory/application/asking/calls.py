"""Calls of the language model: counted, bounded, with what is left of the time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import (
    CallBudgetSpent,
    ModelAccessDenied,
    ModelRejected,
    ModelUnavailable,
    Unavailable,
    kind_of,
)
from context_memory.domain.ids import encode
from context_memory.ports.models import ModelRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from context_memory.application.asking.deadline import Deadline
    from context_memory.domain.turn import Usage
    from context_memory.ports.models import LanguageModel, ModelReply, Prompts
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry

_LEAST_SECONDS = 2.0
"""A call that has less time than this is not begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Which model answers which call; `small` answers the gate of a company that has to save."""

    gate: str
    consolidation: str
    scrub: str
    small: str

    def rewriting(self, model: str) -> Models:
        """Those of a chain whose profile `model` rewrites and condenses; what judges it stays the same."""
        return replace(self, consolidation=model)

    def saving(self) -> Models:
        """Those of a company that has to save: what is stored is still written and checked by the same models."""
        return replace(self, gate=self.small)


def _on_nobody(_usage: Usage) -> None:
    """Charge no turn."""


@dataclass(slots=True, kw_only=True)
class Calls:
    """The calls of one chain, made for `turn_ids`; `charge` is told what each answer cost, `left` counts down."""

    model: LanguageModel
    prompts: Prompts
    identifiers: Identifiers
    clock: Clock
    telemetry: Telemetry
    turn_ids: Sequence[str]
    left: int
    deadline: Deadline
    charge: Callable[[Usage], None] = _on_nobody
    usage: list[Usage] = field(default_factory=list)

    def ask(
        self,
        purpose: str,
        model: str,
        values: Mapping[str, object],
        max_output_tokens: int,
        schema: Mapping[str, object] | None = None,
    ) -> ModelReply:
        """Render the prompt of `purpose` and ask once.

        Raises:
            CallBudgetSpent: the chain or the turn has had its share of answers.
            ModelUnavailable, ModelRejected: as the port says; not charged.
        """
        if self.left <= 0:
            raise CallBudgetSpent("No model call is left for this turn.")
        if self.deadline.seconds_left < _LEAST_SECONDS:
            raise ModelUnavailable("No time is left for another model call.")
        system, user = self.prompts.render(purpose, {**values, "nonce": self.identifiers.nonce()})
        request = ModelRequest(
            purpose=purpose,
            model=model,
            system=system,
            user=user,
            max_output_tokens=max_output_tokens,
            turns=tuple(encode(turn_id) for turn_id in self.turn_ids),
            seconds_left=self.deadline.seconds_left,
            schema=schema,
        )
        began = self.clock.monotonic()
        try:
            reply = self.model.complete(request)
        except (Unavailable, ModelRejected) as error:
            self._failed(purpose, model, error)
            raise
        self._charge(purpose, model, reply, self.clock.monotonic() - began)
        return reply

    def _failed(self, purpose: str, model: str, error: Unavailable | ModelRejected) -> None:
        kind = kind_of(error)
        self.telemetry.count("llm_errors_total", purpose=purpose, model=model, error_type=kind)
        self.telemetry.count("errors_total", stage=purpose, error_type=kind)
        if isinstance(error, ModelAccessDenied):
            self.telemetry.count("model_access_denied_total")

    def _charge(self, purpose: str, model: str, reply: ModelReply, seconds: float) -> None:
        self.left -= 1
        self.usage.append(reply.usage)
        self.charge(reply.usage)
        self.telemetry.count("llm_duration_seconds", seconds, purpose=purpose, model=model)
        tokens = {
            "input": reply.usage.input_tokens,
            "cached": reply.usage.cached_tokens,
            "output": reply.usage.output_tokens,
        }
        for direction, count in tokens.items():
            self.telemetry.count("llm_tokens_total", count, purpose=purpose, model=model, direction=direction)
