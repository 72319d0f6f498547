"""What the gate decided: whether a turn is worth a look at the profile."""

from __future__ import annotations

from enum import StrEnum

from context_memory.domain.errors import MalformedReply
from context_memory.domain.replies.reasoning import without_reasoning
from context_memory.domain.replies.sentinels import first_sentinel


class GateDecision(StrEnum):
    """The gate's answer; `fail_open` is an answer that says nothing, so the chain goes on."""

    UPDATE = "update"
    NOOP = "noop"
    FORGET = "forget"
    FAIL_OPEN = "fail_open"


_SENTINELS = ("UPDATE", "NOOP", "FORGET")


def read_gate(text: str | None) -> GateDecision:
    """Read the gate's answer; never fails.

    The first word counts, so an answer that was cut behind it is still one.
    """
    try:
        sentinel = first_sentinel(without_reasoning(text or ""), _SENTINELS)
    except MalformedReply:
        return GateDecision.FAIL_OPEN
    return GateDecision[sentinel.word] if sentinel else GateDecision.FAIL_OPEN
