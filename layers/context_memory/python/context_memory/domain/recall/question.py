"""What a request asks of the facts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.delegation import THE_USERS_OWN, Delegation

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.spaces import Backend

MOST_HITS, HITS = 50, 12
FEWEST_TOKENS, MOST_TOKENS, TOKENS = 200, 8000, 1200
"""Of a block: what its frame and one short fact cost, the most, and what is given where nothing is said."""
_END = 2_000
"""Characters at each end of a query that are looked for; what is longer is a pasted text around a question."""
_DIGITS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request for facts.

    Attributes:
        query: any text; blank: only what is always given.
        max_hits: facts beside those of the tier core.
        max_tokens: of the whole block.
        ephemeral: texts of this chat that are ranked with the facts, and kept nowhere.
        backend: what is to search; None: what the space has set.
        disabled: the request wants no facts, and neither shall the workers of its prompt get any.
        use_memory: whether memory is read; None where only the company says it.
    """

    query: str
    space_id: str
    chat_id: str | None = None
    prompt_id: str | None = None
    max_hits: int = HITS
    max_tokens: int = TOKENS
    ephemeral: tuple[str, ...] = ()
    backend: Backend | None = None
    disabled: bool = False
    use_memory: bool | None = None
    web_search: bool | None = None
    delegation: Delegation = THE_USERS_OWN

    @property
    def looked_for(self) -> str:
        """The query, of a long one its beginning and its end."""
        return self.query if len(self.query) <= 2 * _END else f"{self.query[:_END]}\n{self.query[-_END:]}"

    def digest(self, user: UserKey, backend: Backend) -> str:
        """Names what is asked, so that the same question of one prompt is answered the same; its text is not in it."""
        asked = (
            user.partition,
            self.prompt_id,
            self.query,
            self.space_id,
            self.chat_id,
            self.max_hits,
            self.max_tokens,
            self.ephemeral,
            backend,
        )
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:_DIGITS]
