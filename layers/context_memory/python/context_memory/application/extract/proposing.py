"""The extraction call, and that of a summary: one question, asked again once when the answer cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.asking.brief import turn_values
from context_memory.contracts.extraction import EXTRACTION_SCHEMA
from context_memory.domain.errors import MalformedReply
from context_memory.domain.replies.extraction import read_extraction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.application.asking.calls import Calls
    from context_memory.application.extract.work import Work
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.replies.extraction import Extracted
    from context_memory.domain.tokens import Tokenizer

EXTRACTION, SUMMARY = "extraction", "summary"
"""What the model is asked for: the facts of turns that have just ended, or of old ones together."""
_TRIES = 2
_ROOM = 4_000
"""Output tokens of an answer: as many operations as one may hold (`MOST_PROPOSALS`) take up to 3,500."""
_NONE_READABLE = "none of its operations had the fields that were asked for."


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposing:
    """Asks the extraction model; `purpose` names the prompt."""

    calls: Calls
    model: str
    limits: ChainLimits
    tokenizer: Tokenizer
    purpose: str = EXTRACTION

    def propose(self, work: Work, shown: Sequence[Fact]) -> Extracted | None:
        """What the model proposes, or None after two answers that cannot be read.

        Of a turn that runs alone the second answer counts as far as it goes: nobody asks again.

        Raises:
            ModelUnavailable, ModelRejected, CallBudgetSpent: as `Calls.ask` says.
        """
        values: dict[str, object] = {
            "facts": [fact.text for fact in shown],
            "turns": turn_values(
                work.turns,
                self.tokenizer,
                last_zone=work.state.last_time_zone,
                evidence=self.limits.consolidation_evidence,
                earlier_answer=self.limits.earlier_answer,
                answer=self.limits.consolidation_answer,
            ),
            "deny_rules": work.deny_rules,
            "allowed_special": work.allowed_special,
        }
        if self.purpose == EXTRACTION:  # the turns of a summary are always old, which its prompt says once and for all
            oldest = min(said.occurred_at for said in work.said)
            values["late"] = any(fact.last_confirmed_at > oldest for fact in shown)
        return self._asked(values, alone=len(work.turns) == 1)

    def _asked(self, values: Mapping[str, object], *, alone: bool) -> Extracted | None:
        feedback: str | None = None
        for number in range(1, _TRIES + 1):
            reply = self.calls.ask(self.purpose, self.model, {**values, "feedback": feedback}, _ROOM, EXTRACTION_SCHEMA)
            partly = alone and number == _TRIES
            try:
                extracted = read_extraction(reply.text, finish_reason=reply.finish_reason, partly=partly)
            except MalformedReply as error:
                feedback = str(error)
                continue
            if extracted.proposals or not extracted.malformed:
                return extracted
            feedback = _NONE_READABLE
        return None
