"""What operators switch and administrators set, as a test sets it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.company_settings import DEFAULTS, StoredSettings
from context_memory.domain.enablement import NEVER_NAMED
from context_memory.domain.errors import EraseRunning, VersionConflict
from context_memory.domain.ids import encode
from context_memory.domain.spaces import NOT_REGISTERED, StoredSpace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.company_settings import CompanySettings
    from context_memory.domain.enablement import OperatorFlags
    from context_memory.domain.spaces import SpaceSettings


class InMemoryFlags:
    """`Flags`: a company that `companies` does not name is off."""

    def __init__(self, *, steps: Steps) -> None:
        self.companies: dict[str, OperatorFlags] = {}
        self._steps = steps

    def flags(self, company_id: str) -> OperatorFlags:
        """The flags of a company; a hook makes them unavailable."""
        with self._steps.step("flags.flags"):
            return self.companies.get(company_id, NEVER_NAMED)

    def named(self) -> Sequence[str]:
        """Companies that a test has named."""
        with self._steps.step("flags.named"):
            return sorted(self.companies)


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

    def replace(
        self, company_id: str, settings: CompanySettings, *, version: int | None, opens: StoredSettings | None = None
    ) -> StoredSettings:
        """Write all settings on top of `version`.

        Raises:
            VersionConflict: names the version that counts now.
            EraseRunning: another walk than that of `opens` has closed the company.
        """
        with self._steps.step("companies.replace"), self._lock:
            before = self._of(company_id)
            if version not in {None, before.version}:
                raise VersionConflict(before.version)
            if opens is not None:
                if before.closed_by not in {None, opens.closed_by}:
                    raise EraseRunning("The company is being erased.")
                before = replace(before, closed=False, closed_by=None)
            self._stored[company_id] = replace(before, settings=settings, version=before.version + 1)
            return self._stored[company_id]

    def close(self, company_id: str, walk: str) -> None:
        """Close a company, as the walks' twin does when one is begun."""
        with self._lock:
            self._stored[company_id] = replace(self._of(company_id), closed=True, closed_by=walk)

    def _of(self, company_id: str) -> StoredSettings:
        return self._stored.get(company_id, StoredSettings(settings=DEFAULTS))


class InMemorySpaces:
    """`Spaces`; the port says what each method promises. Versions are counted over all spaces: none comes again."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
        self._versions = count(1)
        self._stored: dict[tuple[str, str], StoredSpace] = {}
        self._lock = Lock()

    def space(self, company_id: str, space_id: str) -> StoredSpace | None:
        """What is registered about a space; None when nothing is."""
        with self._steps.step("spaces.space"), self._lock:
            return self._stored.get((company_id, encode(space_id, "space_id")))

    def spaces(self, company_id: str, *, limit: int, after: str | None = None) -> Sequence[StoredSpace]:
        """At most `limit` registered spaces in the order of their encoded ids, those behind the space `after`."""
        behind = (company_id, encode(after, "space_id") if after is not None else "")
        with self._steps.step("spaces.spaces"), self._lock:
            keys = sorted(key for key in self._stored if key[0] == company_id and key > behind)
            return [self._stored[key] for key in keys[:limit]]

    def register(self, company_id: str, space_id: str, settings: SpaceSettings, *, version: int | None) -> StoredSpace:
        """Write all settings of a space on top of `version`.

        Raises:
            VersionConflict: names the version that counts now.
        """
        with self._steps.step("spaces.register"), self._lock:
            key = (company_id, encode(space_id, "space_id"))
            self._expect(key, version)
            self._stored[key] = StoredSpace(space_id=space_id, settings=settings, version=next(self._versions))
            return self._stored[key]

    def unregister(self, company_id: str, space_id: str, *, version: int | None) -> None:
        """Remove what is registered about a space, or find that nothing is.

        Raises:
            VersionConflict: names the version that counts now.
        """
        with self._steps.step("spaces.unregister"), self._lock:
            key = (company_id, encode(space_id, "space_id"))
            if key in self._stored:
                self._expect(key, version)
                del self._stored[key]

    def _expect(self, key: tuple[str, str], version: int | None) -> None:
        found = self._stored[key].version if key in self._stored else NOT_REGISTERED
        if version not in {None, found}:
            raise VersionConflict(found)
