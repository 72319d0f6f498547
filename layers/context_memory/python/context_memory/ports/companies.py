"""What operators switch and administrators set for companies, and what companies spend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor, Future
    from datetime import date

    from context_memory.domain.company_settings import CompanySettings, StoredSettings
    from context_memory.domain.enablement import CompanyFlags, OperatorFlags
    from context_memory.domain.spaces import SpaceSettings, StoredSpace


class Flags(Protocol):
    """What the operator switches."""

    def flags(self, company_id: str) -> OperatorFlags:
        """The flags of a company; one that the operator never named is off.

        Raises:
            FlagsUnavailable: unknown is not off.
        """

    def named(self) -> Sequence[str]:
        """Companies that the operator has ever named, switched on or off, sorted.

        Raises:
            FlagsUnavailable: nobody knows.
        """


class Companies(Protocol):
    """The company table: what administrators set for their company. No user's data."""

    def settings(self, company_id: str) -> StoredSettings:
        """The company's settings; the defaults where it has written none."""

    def replace(
        self, company_id: str, settings: CompanySettings, *, version: int | None, opens: StoredSettings | None = None
    ) -> StoredSettings:
        """Write all settings in one conditional write; `Walks.start` is what closes a company.

        Args:
            company_id: whose settings.
            settings: all of them.
            version: the one that they are written on top of (0: on top of none; None: on top of whatever there is).
            opens: as the company stood when it was decided to open it; None leaves it open or closed.

        Returns:
            The settings as they now stand.

        Raises:
            VersionConflict: nothing was written; names the version that counts now.
            EraseRunning: nothing was written: a walk has closed the company that had not when it was decided.
        """


class Spaces(Protocol):
    """The company table: what administrators register about their company's spaces. No user's data."""

    def space(self, company_id: str, space_id: str) -> StoredSpace | None:
        """What is registered about a space; None when nothing is."""

    def spaces(self, company_id: str, *, limit: int, after: str | None = None) -> Sequence[StoredSpace]:
        """At most `limit` registered spaces in the order of their encoded ids, those behind the space `after`."""

    def register(self, company_id: str, space_id: str, settings: SpaceSettings, *, version: int | None) -> StoredSpace:
        """Write all settings of a space on top of `version` (0: of none; None: of whatever there is).

        Returns:
            The space as it is now registered.

        Raises:
            VersionConflict: names the version that counts now.
        """

    def unregister(self, company_id: str, space_id: str, *, version: int | None) -> None:
        """Remove what is registered about a space, or find that nothing is; None: whatever it is.

        Raises:
            VersionConflict: `version` is not the one that counts; names that one.
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
        """Registered settings of a space; None when it is not registered, or the company is switched off.

        Raises:
            FlagsUnavailable: unknown is not off.
            Unavailable: the space's settings are out of reach.
        """

    def space_ahead(self, company_id: str, space_id: str, executor: Executor) -> Future[SpaceSettings | None]:
        """The same, asked for by a thread of `executor` where somebody must be asked; done at once where not."""


class Budgets(Protocol):
    """What companies have spent on the model, by day of UTC; reached with the function's own role."""

    def spend(self, company_id: str, tokens: int, on: date) -> None:
        """Add tokens to what the company has used on that day.

        An answer that is lost may leave them added, and they are added again by whoever tries again: the count is
        never too low for what was written, and is no bill.
        """

    def used(self, company_id: str, on: date) -> int:
        """Tokens that the company has used on that day; 0 when nothing was written."""
