"""The compaction call: one question about one group of facts, or about old topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.contracts.compaction import COMPACTION_SCHEMA
from context_memory.domain.errors import MalformedReply
from context_memory.domain.replies.compaction import read_compaction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.asking.calls import Calls
    from context_memory.domain.facts.compacting.merging import Merge

PURPOSE = "compact"
_TOKENS_PER_TEXT = 80
_SPARE_TOKENS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposing:
    """Asks the model that also condenses profiles."""

    calls: Calls
    model: str

    def propose(self, texts: Sequence[str]) -> tuple[Merge, ...] | None:
        """What may be merged, or None after an answer that cannot be read: the group comes again with its next fact.

        Raises:
            ModelUnavailable, ModelRejected, CallBudgetSpent: as `Calls.ask` says.
        """
        room = _TOKENS_PER_TEXT * len(texts) + _SPARE_TOKENS
        values = {"facts": [*texts]}
        reply = self.calls.ask(PURPOSE, self.model, values, room, COMPACTION_SCHEMA)
        try:
            return read_compaction(reply.text, finish_reason=reply.finish_reason)
        except MalformedReply:
            return None
