"""What a user has had taken out of their memory since something was said: that does not come back with it.

A wish to forget is known by keyed hashes, and holds for good. What they have edited away themselves history tells, word
for word, so that an edit needs no hashes and can be undone as long as ever (decision 46). Either counts only for what
was said before: who says it again afterwards is believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from context_memory.application.history import newest_first
from context_memory.domain.facts.likeness import said_by
from context_memory.domain.facts.sources import resting_on
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.facts.sources import Said
    from context_memory.domain.ids import UserKey
    from context_memory.domain.revision import Revision
    from context_memory.ports.users import UserTable

_BY_HAND = frozenset({Writer.USER, Writer.IMPORT, Writer.RESTORE})
"""Writers whose word is the user's own."""
_AT_ONCE = 10
_LOOKED_AT = 200
"""Changes of a memory that a turn of long ago is held against; the next older one is nobody's fresh memory any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOut:
    """Tells of texts whether they may be learned; the table is read once, when it is asked first."""

    table: UserTable
    forgetting: Forgetting

    def since(
        self, user: UserKey, epoch: int, turns: Sequence[Said], kept: Iterable[str], *, own_wish: bool = False
    ) -> Callable[[str], bool]:
        """Whether a text was taken out after the turn happened that it rests on.

        Args:
            user: whose memory.
            epoch: of that memory.
            turns: what was said, in order, no later than we have heard it.
            kept: what is remembered now: what it says was not taken out.
            own_wish: the turns ask to forget something, which must not be learned from those very turns.
        """
        asked = self.forgetting.last_asked(user)
        oldest = min(turn.occurred_at for turn in turns)
        edits = cache(lambda: self._edits(user, epoch, oldest))
        standing = tuple(kept)

        def taken_out(text: str) -> bool:
            said_at = resting_on(text, turns).occurred_at
            forgotten_at = asked(text)
            if forgotten_at and (said_at < forgotten_at or (own_wish and said_at == forgotten_at)):
                return True
            lost = [one for edit in edits() if said_at < edit.written_at for one in _lost(edit)]
            return bool(said_by([text], lost)) and not said_by([text], standing)

        return taken_out

    def _edits(self, user: UserKey, epoch: int, moment: datetime) -> Sequence[Revision]:
        recent = islice(newest_first(self.table, user, epoch, page=_AT_ONCE), _LOOKED_AT)
        return [
            one for one in takewhile(lambda revision: moment < revision.written_at, recent) if one.writer in _BY_HAND
        ]


def _lost(edit: Revision) -> Sequence[str]:
    """Texts that an edit has taken out, and says no more itself."""
    gone = [one.before for one in edit.operations if one.before is not None]
    says = said_by(gone, [one.after for one in edit.operations if one.after is not None])
    return [text for text in gone if text not in says]
