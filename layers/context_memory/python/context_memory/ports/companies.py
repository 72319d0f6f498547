"""What operators switch and administrators set for companies, and what companies spend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date

    from context_memory.domain.enablement import (
        CompanyFlags,
        CompanySettings,
        OperatorFlags,
        SpaceSettings,
        StoredSettings,
    )


class Flags(Protocol):
    """What the operator switches."""

    def flags(self, company_id: str) -> OperatorFlags:
        """The flags of a company; one that the operator never named is off.

        Raises:
            FlagsUnavailable: unknown is not off.
        """


class Companies(Protocol):
    """The company table: what administrators set for their company. No user's data."""

    def settings(self, company_id: str) -> StoredSettings:
        """The company's settings; the defaults where it has written none."""

    def replace(self, company_id: str, settings: CompanySettings, *, version: int | None) -> StoredSettings:
        """Write all settings on top of `version` (0: on top of none; None: on top of whatever there is).

        Returns:
            The settings as they now stand.

        Raises:
            VersionConflict: names the version that counts now.
        """


class Switches(Protocol):
    """The company's flags and the space's settings."""

    def flags(self, company_id: str) -> CompanyFlags:
        """The company's flags.

        Raises:
            FlagsUnavailable: unknown is not off.
            Unavailable: the company's settings are out of reach.
        """

    def space(self, company_id: str, space_id: str) -> SpaceSettings | None:
        """Registered settings of a space; None when it is not registered."""


class Budgets(Protocol):
    """What companies have spent on the model, by day of UTC; reached with the function's own role."""

    def spend(self, company_id: str, tokens: int, on: date) -> None:
        """Add tokens to what the company has used on that day.

        An answer that is lost may leave them added, and they are added again by whoever tries again: the count is
        never too low for what was written, and is no bill.
        """

    def used(self, company_id: str, on: date) -> int:
        """Tokens that the company has used on that day; 0 when nothing was written."""
