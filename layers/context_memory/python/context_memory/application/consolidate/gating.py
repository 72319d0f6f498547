"""The gate: is there anything in these turns that belongs into memory?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.asking.brief import turn_values
from context_memory.domain.errors import ModelRejected, ModelServerError
from context_memory.domain.replies.gate import GateDecision, read_gate

if TYPE_CHECKING:
    from context_memory.application.asking.calls import Calls
    from context_memory.application.consolidate.task import Task
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.tokens import Tokenizer

_MAX_OUTPUT = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Gating:
    """Asks the gate's model."""

    calls: Calls
    model: str
    limits: ChainLimits
    tokenizer: Tokenizer

    def decide(self, task: Task) -> GateDecision:
        """The decision; `FAIL_OPEN` when there is none to be had, for a gate that fails must not lose facts.

        Raises:
            ModelUnavailable: time-out, 429, refused key: the turns wait.
        """
        values = {
            "turns": turn_values(
                task.turns,
                self.tokenizer,
                last_zone=task.last_zone,
                evidence=self.limits.gate_evidence,
                earlier_answer=self.limits.earlier_answer,
                answer=self.limits.gate_answer,
            ),
            "deny_rules": task.deny_rules,
            "allowed_special": task.allowed,
        }
        try:
            reply = self.calls.ask("gate", self.model, values, _MAX_OUTPUT)
        except (ModelRejected, ModelServerError):
            return GateDecision.FAIL_OPEN
        return read_gate(reply.text)
