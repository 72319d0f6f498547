"""What a user takes out of the memory counts for both: facts that say it go as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.rewriting import Correction

if TYPE_CHECKING:
    from context_memory.application.changing.change import Change
    from context_memory.application.facts.rewriting import RewriteFacts
    from context_memory.domain.ids import UserKey
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOutCorrected:
    """Goes by the revision, so that a change whose answer was lost comes to the same when it is sent again."""

    change: Change
    facts: RewriteFacts
    table: UserTable

    def __call__(self, user: UserKey, turn_count: int | None = None) -> int:
        """Take out facts that say what was let go by an edit, a restore or a file that took the place of what stood.

        By default that of the version that stands.

        Facts that were stated since stay, and so do those that a bullet still says. Kept texts that are older than the
        edit go: a summary of them could say it again.

        Returns:
            How many facts went; asked for again, it finds none.

        Raises:
            MemorySwitchedOff, EraseRunning, ProfileUnreadable, SchemaNewer, Contended, Unavailable.
        """
        standing = self.change.look(user)
        epoch, newest = standing.version
        revision = self.table.revision(user, epoch, turn_count or newest)
        if revision is None or not (lost := revision.texts_let_go):
            return 0
        self.change.forgetting.let_go.all_until(user, epoch, revision.written_at)
        kept = tuple(text for _, text in standing.bullets.items())
        return self.facts.take_out_corrected(user, Correction(lost, kept, revision.written_at))
