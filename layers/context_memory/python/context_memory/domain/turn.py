"""A finished turn as the chain reads it, and what is recorded about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.delegation import THE_USERS_OWN
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.outcomes import Outcome, TurnStatus

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.company_settings import MemoryUse
    from context_memory.domain.delegation import Delegation
    from context_memory.domain.facts.outcomes import FactsCounts

MAX_ATTEMPTS = 5
KEPT = timedelta(days=60)
"""How long a turn is known, as long as its payload. What waits with it expires with it: alone it could never end."""
PROFILE, FACTS = "profile", "facts"
"""Who has to finish with a turn before what was said in it may go."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its text parts only (files, images and audio are left out when the turn is read)."""

    role: str
    parts: tuple[str, ...] = ()
    name: str | None = None
    has_tool_calls: bool = False

    @property
    def text(self) -> str:
        """All text of the message; parts stand in paragraphs of their own."""
        return "\n\n".join(part for part in self.parts if part.strip())


@dataclass(frozen=True, slots=True)
class Turn:
    """One finished turn of one user. `read` and `write` are its `use_memory`, None where it says nothing."""

    turn_id: str
    space_id: str
    messages: tuple[Message, ...]
    occurred_at: datetime
    chat_id: str | None = None
    time_zone: str | None = None
    display_name: str | None = None
    language_model: str | None = None
    read: bool | None = None
    write: bool | None = None
    web_search: bool | None = None
    supersedes_turn_id: str | None = None
    delegation: Delegation = THE_USERS_OWN

    @property
    def disables(self) -> bool:
        """Whether it says itself that memory is not to be used: then workers that it sent out have none either."""
        return self.read is False or self.write is False

    def heard(self, at: datetime) -> Turn:
        """The turn as it counts with us, who took it in `at`: a sender's clock may be ahead, and what is said is past.

        Otherwise it would outrank what its user does in the minutes after it.
        """
        return replace(self, occurred_at=min(self.occurred_at, at))

    def writes(self, use: MemoryUse) -> bool:
        """Whether it is to be remembered; `use` is what counts where it says nothing."""
        return use.write if self.write is None else self.write


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answered model call."""

    purpose: str
    model: str
    input_tokens: int
    cached_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """The item `TURN#<turn_id>`: everything that is known about a turn except what was said.

    `open_key` is what stands behind `A#OPEN#` in the key of its open item, `payload_sha256` names its payload,
    `consumers` lists who has to finish with it, `ring` counts redrives, `alone` keeps it out of company.
    `started_at` is when the last attempt began, `finished_at` when the turn ended. `facts_outcome` and `facts` tell how
    the extraction of its facts ended, or that it was given up. `provider` is the channel's user through which it came,
    as links spell it, None where the user was named. Once it does not teach, because it is to be unlearned, nothing is
    learned from it any more; what it asks to forget is forgotten all the same.
    """

    turn_id: str
    epoch: int
    payload_sha256: str
    open_key: str
    accepted_at: datetime
    occurred_at: datetime
    status: TurnStatus = TurnStatus.QUEUED
    outcome: Outcome | None = None
    reason: str | None = None
    attempts: int = 0
    calls: int = 0
    ring: int = 0
    alone: bool = False
    revision: int | None = None
    started_at: datetime | None = None
    supersedes_turn_id: str | None = None
    consumers: tuple[str, ...] = (PROFILE,)
    usage: tuple[Usage, ...] = ()
    chat_id: str | None = None
    finished_at: datetime | None = None
    facts_outcome: FactsOutcome | None = None
    facts: FactsCounts | None = None
    provider: str | None = None
    teaches: bool = True

    @property
    def wants_facts(self) -> bool:
        """Whether facts are to be extracted from it, or were."""
        return FACTS in self.consumers

    @property
    def extracting(self) -> bool:
        """Whether it has ended for the profile, and its facts are still to be extracted."""
        return self.outcome is not None and self.wants_facts and self.facts_outcome is None

    @property
    def final(self) -> bool:
        """Whether nobody needs what was said in it any more."""
        pending = self.wants_facts and self.facts_outcome in {None, FactsOutcome.DEAD}
        return self.outcome is not None and not pending
