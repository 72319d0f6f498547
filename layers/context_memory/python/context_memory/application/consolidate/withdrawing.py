"""A turn that replaces another, edited or regenerated, withdraws the facts that were, or would be, learned from it.

First the extraction of the replaced turn is ended, if it is still to come or was given up: from then on nobody stores
facts of it. Facts that are read behind that hold all that was learned from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.commit.storing import Overtaken
from context_memory.application.replacing import replaced_by
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.facts.withdrawing import withdraw
from context_memory.ports.facts import ExtractionEnd, FactsChange, FactsHead

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.kept.letting_go import LetGo
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.rewriting import Rewrite
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import FactStore, PendingExtraction
    from context_memory.ports.system import Clock
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawing:
    """Takes replaced turns out of the facts. `tokens` counts a text."""

    table: UserTable
    store: FactStore
    let_go: LetGo
    tokens: Callable[[str], int]
    clock: Clock

    def replaced_by(self, user: UserKey, turns: Sequence[GatheredTurn]) -> frozenset[str]:
        """Ids of the turns that these replace; facts outlive the record of the turn that taught them."""
        named = {one.turn.supersedes_turn_id for one in turns if one.turn.supersedes_turn_id}
        met = (record.turn_id for one in turns for record in replaced_by(self.table, user, one.turn))
        return frozenset(named.union(met))

    def end_extractions(self, user: UserKey, epoch: int, replaced: frozenset[str]) -> None:
        """See to it that no facts of these turns are stored from now on, and let go of their texts where they are kept.

        A wish to forget is left waiting: it holds whatever becomes of the message that asked, but it teaches nothing.

        Raises:
            Overtaken: memory was erased or switched off.
            Unavailable: some of them may still be pending.
        """
        for pending in self.store.pending(user) if replaced else ():
            if pending.turn_id not in replaced:
                continue
            if pending.forgets:
                self.store.silence(user, pending)
            else:
                self._end(user, epoch, pending)
        if replaced:
            self.let_go.some(user, lambda turn: turn.turn_id in replaced)

    def withdrawn(self, facts: Sequence[Fact], replaced: frozenset[str]) -> Rewrite:
        """What becomes of the facts without these turns."""
        return withdraw(facts, replaced, self.tokens)

    def _end(self, user: UserKey, epoch: int, pending: PendingExtraction) -> None:
        end = ExtractionEnd(pending=pending, outcome=FactsOutcome.SKIPPED, counts=FactsCounts())
        change = FactsChange(user=user, base=FactsHead(), epoch=epoch, at=self.clock.now(), ends=(end,))
        try:
            self.store.change(change)
        except CommitRefused as refused:
            if "settings" in refused.clauses:
                raise Overtaken(refused.clauses) from refused
            # It has just ended: what it stored stands among the facts that are read next.
