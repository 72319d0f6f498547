"""Turns that are unlearned while their facts are still to be extracted: nobody is to learn from them behind that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.ports.facts import ExtractionEnd, FactsChange, FactsHead

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import FactStore
    from context_memory.ports.users import UserTable


def leave_unread(store: FactStore, table: UserTable, user: UserKey, condemned: Condemnation, at: datetime) -> int:
    """End the extractions of condemned turns, given-up ones too; maintain removes what was said in them.

    One that runs at this moment is refused, or has stored its facts, which are found by whoever looks after this.
    A wish to forget stays, for what older turns say must be held against it, but it teaches nothing. Where a model or
    a prompt is condemned none is meant, for none has read these turns yet.

    Returns:
        How many have ended.

    Raises:
        StoreUnavailable: some may have.
    """
    if condemned.models or condemned.prompt_versions:
        return 0
    ended = 0
    for pending in store.pending(user):
        record = table.turn(user, pending.turn_id)
        if record is None or not condemned.names(pending.turn_id, record.chat_id, pending.occurred_at):
            continue
        if pending.forgets:
            store.silence(user, pending)
            continue
        end = ExtractionEnd(pending=pending, outcome=FactsOutcome.SKIPPED, counts=FactsCounts())
        try:
            store.change(FactsChange(user=user, base=FactsHead(), epoch=pending.epoch, at=at, ends=(end,)))
        except CommitRefused:  # it has ended meanwhile, or memory was erased or switched off
            continue
        ended += 1
    return ended
