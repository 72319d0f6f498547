"""Bounds of one run of the chain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainLimits:
    """Tokens, unless the name says turns, calls, seconds or a share."""

    gate_evidence: int = 1500
    gate_answer: int = 200
    earlier_answer: int = 300
    consolidation_evidence: int = 6000
    consolidation_answer: int = 500
    coalesced_turns: int = 10
    coalesced_evidence: int = 16000
    calls_per_chain: int = 8
    calls_per_turn: int = 16
    commit_tries: int = 3
    chain_seconds: int = 120
    """What must be left of the function's time for another chain to begin."""
    run_seconds: int = 300
    """The longest that a worker may run: an attempt that began earlier and has not ended came to nothing."""
    spread_seconds: int = 900
    """How long a change of the operator's switches, or of a company's, may take until every process knows it."""
    gate_miss_share: float = 0.01
    """Share of NOOPs that are consolidated without commit, to measure what the gate misses."""
