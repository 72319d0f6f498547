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


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """What holds for a user.

    Attributes:
        settings: what they have set.
        reason: why their memory is not used, None when it is.
        keep_turns_days: how long the company keeps the text of turns; None while that is out of reach.
    """

    settings: UserSettings
    reason: str | None
    keep_turns_days: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowSettings:
    """The use case behind `GET /v1/me/settings`."""

    table: UserStates
    switches: Switches
    telemetry: Telemetry

    def __call__(self, user: UserKey) -> OwnSettings:
        """The user's settings, and what their company has decided beside them.

        Raises:
            Unavailable: the table is out of reach.
        """
        flags = flags_if_known(self.switches, self.telemetry, user.company_id)
        settings = self.table.state(user).settings
        return OwnSettings(settings, reason_against(flags, settings), flags.keep_turns_days if flags else None)
