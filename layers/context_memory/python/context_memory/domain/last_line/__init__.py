"""The policy's deterministic last line: what can be recognised with certainty is never stored."""

from context_memory.domain.last_line.applying import LastLine, apply
from context_memory.domain.last_line.recording import without_secrets
from context_memory.domain.last_line.redaction import DETECTORS, MASK, inspect

__all__ = ["DETECTORS", "MASK", "LastLine", "apply", "inspect", "without_secrets"]
