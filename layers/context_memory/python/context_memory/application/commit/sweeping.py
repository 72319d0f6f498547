"""Removing versions of a profile that nothing names: what crashes and lost races leave behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Sweeps one user. Younger versions than `age` may belong to a commit on its way and are left alone."""

    objects: ProfileObjects
    table: UserTable
    clock: Clock
    telemetry: Telemetry
    age: timedelta = timedelta(hours=24)

    def __call__(self, user: UserKey, *, below: str | None = None) -> int:
        """Delete what nothing names; the number of versions that went.

        Args:
            user: whose profile.
            below: a version that was just committed. What lies below it was put upon an earlier count, so that no
                commit can ever name it: it goes however young it is.
        """
        orphans = self._orphans(user, below)
        for version_id in orphans:
            self.objects.delete_version(user, version_id)
        self._tell(len(orphans))
        return len(orphans)

    def until(self, user: UserKey, end: float) -> bool:
        """Delete what nothing names, beginning with nothing after `end` by the monotonic clock; whether all went."""
        orphans = self._orphans(user, None)
        for gone, version_id in enumerate(orphans):
            if self.clock.monotonic() >= end:
                self._tell(gone)
                return False
            self.objects.delete_version(user, version_id)
        self._tell(len(orphans))
        return True

    def _orphans(self, user: UserKey, below: str | None) -> list[str]:
        versions = self.objects.versions(user)
        listed = [version.version_id for version in versions]
        if below in listed:
            old = listed[listed.index(below) + 1 :]
        else:
            before = self.clock.now() - self.age
            old = [version.version_id for version in versions if version.last_modified <= before]
        if not old:
            return []
        # Read after listing: a version committed in between is named by now.
        named = self.table.named_versions(user)
        return [version_id for version_id in old if version_id not in named]

    def _tell(self, gone: int) -> None:
        if gone:
            self.telemetry.event("swept versions that nothing names", versions=gone)
