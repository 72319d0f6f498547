"""What a user has set about their memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.account.use import flags_if_known, reason_against

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserSettings
    from context_memory.ports.companies import Switches
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserStates


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowSettings:
    """The use case behind `GET /v1/me/settings`."""

    table: UserStates
    switches: Switches
    telemetry: Telemetry

    def __call__(self, user: UserKey) -> tuple[UserSettings, str | None]:
        """The user's settings, and why their memory is not used (None when it is).

        Raises:
            Unavailable: the table is out of reach.
        """
        flags = flags_if_known(self.switches, self.telemetry, user.company_id)
        settings = self.table.state(user).settings
        return settings, reason_against(flags, settings)
