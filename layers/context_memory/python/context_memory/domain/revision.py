"""What a stored change did, who made it, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.operations import Operation
    from context_memory.domain.turn import Usage
    from context_memory.domain.writers import Writer


@dataclass(frozen=True, slots=True)
class Source:
    """A turn that a change rests on, and the one whose changes it took back; older revisions know its id alone."""

    turn_id: str
    chat_id: str | None = None
    occurred_at: datetime | None = None
    supersedes_turn_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """`REVISION#<epoch>#<n>`; `turn_count` is its n.

    Attributes:
        operations: what changed, bullet by bullet, computed by code.
        sources: the turns, where turns made the change.
        reason: why, in a constant of ours; None where the writer says it all.
        restored: n of the revision whose content was brought back.
        unlearned: what was taken out, where the revision unlearned something; earlier releases did not say.
        let_go: places in `operations` of what a person took out on purpose, so that facts which say it go as well; what
            only had no room is not among them.
        redacted_at: when texts that were forgotten were taken out of it: out of the operations, where the text of a
            kind that has one is None from then on, and with its version.
        version_gone: whether its version was deleted, so that it cannot be restored.
        moved_legacy: whether it was made of a file at the legacy place, which nothing needs from then on.
    """

    epoch: int
    turn_count: int
    version_id: str
    writer: Writer
    written_at: datetime
    operations: tuple[Operation, ...]
    sources: tuple[Source, ...] = ()
    model: str | None = None
    prompt_version: str | None = None
    policy_version: str | None = None
    usage: tuple[Usage, ...] = ()
    reason: str | None = None
    restored: int | None = None
    unlearned: Condemnation | None = None
    let_go: tuple[int, ...] = ()
    redacted_at: datetime | None = None
    version_gone: bool = False
    moved_legacy: bool = False

    @property
    def texts_let_go(self) -> tuple[str, ...]:
        """What a person took out on purpose, but for what was redacted since."""
        texts = (self.operations[place].before for place in self.let_go)
        return tuple(text for text in texts if text is not None)

    @property
    def turn_ids(self) -> tuple[str, ...]:
        """Ids of the turns."""
        return tuple(source.turn_id for source in self.sources)
