"""A profile over its cap that no turn will make fit: seen here, condensed by a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable

if TYPE_CHECKING:
    from context_memory.application.changing.following import Following
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserState
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgrown:
    """Asks for the job where it is needed; never fails, for whoever meets the profile next asks again."""

    following: Following
    telemetry: Telemetry

    def __call__(self, user: UserKey, state: UserState, cap: int) -> None:
        """Ask for a condensation if what stands is over `cap`, the company's."""
        if not state.outgrows(cap):
            return
        try:
            self.following.note_outgrown(user)
        except Unavailable as error:
            self.telemetry.warning("could not ask for a condensation", error_type=type(error).__name__)
