"""One user's items of the user table, as values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from context_memory.domain.outcomes import TurnStatus
from context_memory.ports.facts import FactsHead

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.erasing import Erasure
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.forgotten import Forgotten
    from context_memory.domain.kept_turns import KeptTurn
    from context_memory.domain.merging import MergeMark
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import OpenChange, OpenTurn, ProfilePointer, UserSettings
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.facts import FactsChange, PendingExtraction
    from context_memory.ports.recall import Given

SEEN = "A#SEEN"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one call of a prompt was given, or None for that the prompt disabled recall."""

    epoch: int
    given: tuple[Given, ...] | None
    expires_at: datetime


@dataclass(slots=True)
class Items:
    """One user's items; `settings` None means that there is no such item. Open turns stand under their keys."""

    profile: ProfilePointer | None = None
    settings: UserSettings | None = None
    consolidated_through: datetime | None = None
    last_time_zone: str | None = None
    open_turns: dict[str, OpenTurn] = field(default_factory=dict)
    turns: dict[str, TurnRecord] = field(default_factory=dict)
    revisions: dict[tuple[int, int], Revision] = field(default_factory=dict)
    open_changes: dict[tuple[int, int], OpenChange] = field(default_factory=dict)
    forgotten: dict[str, Forgotten] = field(default_factory=dict)
    epochs: dict[str, int] = field(default_factory=dict)
    """Of forgotten hashes, and of `SEEN`: by them an erase tells what is old."""
    erasure: Erasure | None = None
    facts: dict[str, Fact] = field(default_factory=dict)
    facts_head: tuple[int, FactsHead] | None = None
    """With its epoch in front."""
    extractions: dict[str, PendingExtraction] = field(default_factory=dict)
    """Under the keys of their open items."""
    kept: dict[str, KeptTurn] = field(default_factory=dict)
    """Turns whose text is kept, likewise."""
    closed: tuple[int, datetime] | None = None
    """Until when nothing is kept that was said, with its epoch in front."""
    moved: dict[tuple[str, str], Fact] = field(default_factory=dict)
    """Facts that merges have taken, by merge and id."""
    marks: dict[tuple[str, str], tuple[int, MergeMark]] = field(default_factory=dict)
    """Of facts that merges have brought, by merge and id, with their epochs in front."""
    prompts: dict[tuple[str, str], Answer] = field(default_factory=dict)
    """By prompt and by the hash of what was asked; that recall was disabled stands under an empty one."""

    def head_of_facts(self, epoch: int) -> FactsHead:
        """The head of the facts, unless it is of another epoch."""
        stands = self.facts_head
        return stands[1] if stands and stands[0] == epoch else FactsHead()

    def change_facts(self, change: FactsChange) -> None:
        """Put and drop facts, and move their head."""
        self.facts_head = change.epoch, change.base.following(change.count, change.at)
        for fact in change.puts:
            self.facts[fact.id] = replace(fact, epoch=change.epoch)
        for dropped in change.drops:
            self.facts.pop(dropped, None)

    def alive(self, record: TurnRecord) -> TurnRecord | None:
        """The turn as it stands, unless it has ended, was given up, or belongs to another epoch or to nobody."""
        turn = self.waiting_or_dead(record)
        return turn if turn and turn.status is not TurnStatus.DEAD else None

    def waiting_or_dead(self, record: TurnRecord) -> TurnRecord | None:
        """The turn as it stands, unless it has ended or belongs to another epoch or to nobody."""
        turn = self.turns.get(record.turn_id)
        return turn if turn and turn.epoch == record.epoch and turn.outcome is None else None

    def set_open(self, record: TurnRecord, *, dead: bool) -> None:
        """Say on the turn's open item whether it was given up, of which nobody was told yet."""
        self.open_turns[record.open_key] = replace(self.open_turns[record.open_key], dead=dead, untold=dead)
