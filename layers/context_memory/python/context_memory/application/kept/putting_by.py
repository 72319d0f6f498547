"""What becomes of a payload once everybody has finished with its turn: it goes, or is put by where the turn is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.ports.keeping import KeptTurns
    from context_memory.ports.objects import TurnPayloads


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBy:
    """Empties the place of payloads that wait, of which it is then known who has turns to look after."""

    turns: KeptTurns
    payloads: TurnPayloads
    texts: TurnPayloads

    def __call__(self, user: UserKey, *, turn_id: str, sha256: str, open_key: str) -> None:
        """Move the payload of a final turn that is kept, and remove it otherwise; doing it again changes nothing.

        Raises:
            Unavailable: it may still be there; `maintain` looks for payloads of final turns.
        """
        if self.turns.is_kept(user, open_key):
            body = self.payloads.get(user, turn_id, sha256)
            if body is not None:
                self.texts.put(user, turn_id, sha256, body)
                if not self.turns.is_kept(user, open_key):  # let go meanwhile, by somebody who found no text yet
                    self.texts.delete(user, turn_id, sha256)
        self.payloads.delete(user, turn_id, sha256)
