"""What is told of a write-back: one line with its counts, and why they differ where something went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.application.extract.counting import total
from context_memory.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.extract.gathered import Gathered
    from context_memory.domain.facts.outcomes import FactsOutcome
    from context_memory.domain.facts.refusals import Refusal
    from context_memory.domain.ids import UserKey
    from context_memory.domain.replies.extraction import Malformed
    from context_memory.ports.facts import ExtractionEnd
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.trust import Hasher

_PURPOSE = "session"
_DIGITS = 16
_UNKNOWN = "unknown"
_STORED = ("added", "confirmed", "superseded", "deleted")
_WRITTEN = (*_STORED, "refused", "pruned")


@dataclass(slots=True, kw_only=True)
class Report:
    """Collects the figures of one run.

    Attributes:
        extracted: operations in the answer, malformed ones included.
        kept: those of them that passed every check.
        malformed: those that could not be read.
        refused: why others were not kept.
        trouble: what else went wrong, as a constant of ours.
    """

    extracted: int = 0
    kept: int = 0
    malformed: tuple[Malformed, ...] = ()
    refused: Counter[Refusal] = field(default_factory=Counter)
    trouble: str | None = None

    @property
    def reason(self) -> str | None:
        """Why not all that was extracted was kept and stored; None when nothing went wrong."""
        reasons = [f"malformed fact {one.position} ({one.shape})" for one in self.malformed]
        reasons += [f"{count} refused: {refusal.value}" for refusal, count in sorted((+self.refused).items())]
        return "; ".join([*reasons, *([self.trouble] if self.trouble else [])]) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """Logs the line and counts."""

    hasher: Hasher
    telemetry: Telemetry

    def __call__(
        self, user: UserKey, turns: Sequence[Gathered], ends: Sequence[ExtractionEnd], report: Report, seconds: float
    ) -> None:
        """Tell how turns that ran together ended."""
        counts = total(ends)
        stored = sum(counts[name] for name in _STORED)
        line = (
            f"memory write-back extracted {_facts(report.extracted)}, kept {report.kept}, stored {stored} "
            f"(session {self._session(user, turns[-1])}, {round(seconds * 1000)} ms)"
        )
        if report.reason:
            self.telemetry.warning(line, reason=report.reason)
        else:
            self.telemetry.event(line)
        for name in _WRITTEN:
            if counts[name]:
                self.telemetry.count("facts_written_total", counts[name], result=name)
        self.ended([end.outcome for end in ends], seconds)

    def ended(self, outcomes: Sequence[FactsOutcome], seconds: float | None = None) -> None:
        """Count turns that ended, and how long that took, if it was work."""
        for outcome in outcomes:
            self.telemetry.count("writeback_total", outcome=outcome.value)
        if seconds is not None and outcomes:
            self.telemetry.count("writeback_duration_seconds", seconds, outcome=outcomes[0].value)

    def _session(self, user: UserKey, gathered: Gathered) -> str:
        """A hash of the chat, or of the turn where no chat is named; the user is part of it, as chats are theirs."""
        named = gathered.turn.chat_id or gathered.pending.turn_id
        try:
            return self.hasher.digest(_PURPOSE, f"{user.partition}\0{named}")[:_DIGITS]
        except Unavailable:
            return _UNKNOWN


def _facts(count: int) -> str:
    return f"{count} fact" if count == 1 else f"{count} facts"
