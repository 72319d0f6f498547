"""Which hash is whose, for whoever reads logs and audit records: told, and not told in silence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.ids import UserKey
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class TellPseudonym:
    """The job `pseudonym`. `pseudonym` makes the hash, and waits for its key."""

    pseudonym: Callable[[UserKey], str]
    telemetry: Telemetry

    def __call__(self, user: UserKey) -> str:
        """The hash that stands for a user.

        Raises:
            Unavailable: the key is out of reach.
        """
        known = self.pseudonym(user)
        with self.telemetry.about(user):
            self.telemetry.event("an operator asked which hash stands for a user")
        return known
