"""What the user said in this turn, and what of it the chain may learn from."""

from context_memory.domain.evidence.gathering import Evidence, evidence_of

__all__ = ["Evidence", "evidence_of"]
