"""What can be seen of the service, and who has called it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One call upon somebody's memory or a company's settings, and how it was answered.

    Attributes:
        route: `METHOD /path/{with}/names`; the names are not filled in.
        caller: ARN that IAM authorised, `user` for users themselves, `unknown` where nobody is named.
        company_id: None where the call names no company that could exist.
        user: None where the call names no user that could exist, or is about none.
    """

    route: str
    status: int
    request_id: str
    caller: str
    company_id: str | None
    user: UserKey | None


class Audit(Protocol):
    """Who reached for whose memory, kept apart from other logs."""

    def record(self, access: Access) -> None:
        """Write one record, refusals included; it never holds an id of a user, and never stops a call."""


class Telemetry(Protocol):
    """One line an event, constant phrases, values as fields; never text of a user, a bullet or a raw id."""

    def about(self, user: UserKey) -> AbstractContextManager[None]:
        """Lines that are logged inside say whom they are about: `user` is a keyed hash, or `unknown`."""

    def event(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Log one line."""

    def warning(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Log one line that somebody should look at."""

    def count(self, metric: str, value: float = 1, **dimensions: str) -> None:
        """Add to a counter or a distribution, with the dimensions that the registry (contracts/metrics) names."""

    def count_all(self, figures: Mapping[str, float], **dimensions: str) -> None:
        """As `count`, for several metrics of the same dimensions at once."""
