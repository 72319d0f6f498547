"""Of which turns the text is kept, once their facts are extracted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.kept_turns import KeptTurn

if TYPE_CHECKING:
    from context_memory.application.extract.gathered import Gathered
    from context_memory.application.extract.work import Work


def kept_of(work: Work) -> tuple[KeptTurn, ...]:
    """Turns of the run that are kept: none where the company keeps none.

    Kept is what facts may be made of one day. So nothing is kept of a turn that asks to forget something or teaches
    nothing any more, nor of one whose space merges no facts; a turn whose space writes none, or that the gate let go,
    never comes so far.
    """
    if not work.flags.keep_turns_days:
        return ()
    return tuple(_kept(one) for one in work.turns if _may_teach(one))


def _may_teach(gathered: Gathered) -> bool:
    pending = gathered.pending
    return gathered.recall.compaction and pending.teaches and not pending.forgets


def _kept(gathered: Gathered) -> KeptTurn:
    pending = gathered.pending
    return KeptTurn(
        open_key=pending.open_key,
        turn_id=pending.turn_id,
        payload_sha256=pending.payload_sha256,
        epoch=pending.epoch,
        accepted_at=pending.accepted_at,
        occurred_at=pending.occurred_at,
        chat_id=gathered.turn.chat_id,
        provider=pending.provider,
    )
