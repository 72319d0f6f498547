"""The condense call answers with a body and nothing else."""

from context_memory.domain.replies.body import read_body

__all__ = ["read_body"]
