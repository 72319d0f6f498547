"""Whether a user's memory is used, as far as it does not hang on a space or a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.enablement import Asked, Reason, disabled_reason
from context_memory.domain.errors import FlagsUnavailable

if TYPE_CHECKING:
    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.state import UserSettings
    from context_memory.ports.companies import Switches
    from context_memory.ports.telemetry import Telemetry

# The user asks for no space and searches nothing: only what holds for every turn counts.
_ANYWHERE = Asked(web_search=False)


def flags_if_known(switches: Switches, telemetry: Telemetry, company_id: str) -> CompanyFlags | None:
    """The company's flags; None while they are out of reach, which hides nothing from its users."""
    try:
        return switches.flags(company_id)
    except FlagsUnavailable as error:
        telemetry.warning("shows a memory without knowing whether it is used", error_type=type(error).__name__)
        return None


def reason_against(flags: CompanyFlags | None, settings: UserSettings) -> str | None:
    """Why the memory is not used, None when it is."""
    return disabled_reason(flags, None, settings, _ANYWHERE) if flags else Reason.FLAGS_UNAVAILABLE


def enabled(reason: str | None) -> bool | None:
    """Whether the memory is used; None while that is unknown."""
    return None if reason == Reason.FLAGS_UNAVAILABLE else reason is None
