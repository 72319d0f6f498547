"""What operators switch and administrators set, as a test sets it."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.enablement import NEVER_NAMED, CompanySettings, StoredSettings
from context_memory.domain.errors import VersionConflict

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.enablement import OperatorFlags


class InMemoryFlags:
    """`Flags`: a company that `companies` does not name is off."""

    def __init__(self, *, steps: Steps) -> None:
        self.companies: dict[str, OperatorFlags] = {}
        self._steps = steps

    def flags(self, company_id: str) -> OperatorFlags:
        """The flags of a company; a hook makes them unavailable."""
        with self._steps.step("flags.flags"):
            return self.companies.get(company_id, NEVER_NAMED)


class InMemoryCompanies:
    """`Companies`; the port says what each method promises."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
        self._stored: dict[str, StoredSettings] = {}
        self._lock = Lock()

    def settings(self, company_id: str) -> StoredSettings:
        """The company's settings; the defaults where it has written none."""
        with self._steps.step("companies.settings"), self._lock:
            return self._of(company_id)

    def replace(self, company_id: str, settings: CompanySettings, *, version: int | None) -> StoredSettings:
        """Write all settings on top of `version`.

        Raises:
            VersionConflict: names the version that counts now.
        """
        with self._steps.step("companies.replace"), self._lock:
            before = self._of(company_id)
            if version not in {None, before.version}:
                raise VersionConflict(before.version)
            self._stored[company_id] = StoredSettings(settings=settings, version=before.version + 1)
            return self._stored[company_id]

    def _of(self, company_id: str) -> StoredSettings:
        return self._stored.get(company_id, StoredSettings(settings=CompanySettings()))
