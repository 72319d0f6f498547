"""Asking about some groups of a user's facts, and storing what may stand of the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import CallBudgetSpent, ModelRejected, Unavailable, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.compact.looking import Group
    from context_memory.application.compact.proposing import Proposing
    from context_memory.application.compact.storing import Storing
    from context_memory.domain.facts.compacting.merging import Pressed
    from context_memory.ports.telemetry import Telemetry


@dataclass(slots=True)
class Merged:
    """What came of it: groups that were asked about, facts that went into others, and how many those are."""

    groups: int = 0
    facts: int = 0
    into: int = 0

    def add(self, pressed: Pressed) -> None:
        """Count what was stored of a group."""
        self.facts += len(pressed.gone)
        self.into += len(pressed.puts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """Works off groups of one user, one after the other; `storing` is over the shelf of that user."""

    proposing: Proposing
    storing: Storing
    telemetry: Telemetry

    def merge(self, groups: Sequence[Group]) -> Merged:
        """Merge what can be merged; groups that there is no time for are left to another walk.

        Raises:
            MemorySwitchedOff, EraseRunning: there is nothing to write to.
            Unavailable: before anything was stored; what was stored before a fault stays.
        """
        merged = Merged()
        for group in groups:
            try:
                self._merge(group, merged)
            except (ModelRejected, CallBudgetSpent) as error:  # this group has no answer
                self._tell("error", error=kind_of(error))
            except Unavailable as error:
                self._tell("error", error=kind_of(error))
                if not merged.groups:
                    raise
                break
            merged.groups += 1
        return merged

    def _merge(self, group: Group, merged: Merged) -> None:
        merges = self.proposing.propose([fact.text for fact in group])
        if not merges:
            self._tell("malformed" if merges is None else "nothing")
            return
        pressed = self.storing.store(merges, group)
        merged.add(pressed)
        reasons = {f"refused_{reason.value}": count for reason, count in pressed.refused.items()}
        self._tell(
            "compacted" if pressed.puts else "refused", facts=len(pressed.gone), into=len(pressed.puts), **reasons
        )

    def _tell(self, outcome: str, **fields: str | int) -> None:
        self.telemetry.count("compaction_total", outcome=outcome)
        self.telemetry.event("looked at a group of old facts", outcome=outcome, **fields)
