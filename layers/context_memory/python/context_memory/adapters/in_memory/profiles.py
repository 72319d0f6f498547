"""Versions of profiles, as a versioned bucket keeps them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.errors import PreconditionFailed, ProfileVersionMissing
from context_memory.ports.objects import ObjectVersion, StoredObject

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.ids import UserKey
    from context_memory.ports.system import Clock


@dataclass(frozen=True, slots=True)
class _Version:
    stored: StoredObject
    written_at: datetime


class InMemoryProfileObjects:
    """`ProfileObjects`. `legacy_files` is what lies at the legacy place."""

    def __init__(self, *, steps: Steps, clock: Clock) -> None:
        self.legacy_files: dict[UserKey, bytes] = {}
        self._steps = steps
        self._clock = clock
        self._versions: dict[UserKey, list[_Version]] = {}
        self._numbers = count(1)
        self._lock = Lock()

    def latest(self, user: UserKey) -> StoredObject | None:
        """The newest version, or None."""
        with self._steps.step("profiles.latest"), self._lock:
            return self._newest(user)

    def version(self, user: UserKey, version_id: str) -> StoredObject:
        """One named version.

        Raises:
            ProfileVersionMissing: it does not exist.
        """
        with self._steps.step("profiles.version"), self._lock:
            for one in self._versions.get(user, ()):
                if one.stored.version_id == version_id:
                    return one.stored
        raise ProfileVersionMissing("The version of the profile that the table names cannot be read.")

    def put(self, user: UserKey, body: bytes, *, replaces: str | None) -> ObjectVersion:
        """Write a new version on top of the one with the ETag `replaces` (None: on top of nothing).

        Raises:
            PreconditionFailed: another version, or any version, is the newest.
        """
        with self._steps.step("profiles.put"), self._lock:
            newest = self._newest(user)
            if replaces != (newest.etag if newest else None):
                raise PreconditionFailed("Another version of the profile is the newest.")
            # As S3 does for small objects: equal bytes have equal ETags.
            etag = f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'
            stored = StoredObject(body, f"version-{next(self._numbers)}", etag)
            written = _Version(stored, self._clock.now())
            self._versions.setdefault(user, []).append(written)
            return ObjectVersion(stored.version_id, written.written_at)

    def latest_etag(self, user: UserKey) -> str | None:
        """ETag of the newest version, None when there is none."""
        with self._steps.step("profiles.latest_etag"), self._lock:
            newest = self._newest(user)
            return newest.etag if newest else None

    def versions(self, user: UserKey) -> Sequence[ObjectVersion]:
        """All versions, newest first."""
        with self._steps.step("profiles.versions"), self._lock:
            found = reversed(self._versions.get(user, []))
            return [ObjectVersion(one.stored.version_id, one.written_at) for one in found]

    def delete_version(self, user: UserKey, version_id: str) -> None:
        """Remove one version for good; an absent one is no error."""
        with self._steps.step("profiles.delete_version"), self._lock:
            kept = [one for one in self._versions.get(user, ()) if one.stored.version_id != version_id]
            self._versions[user] = kept

    def legacy(self, user: UserKey) -> bytes | None:
        """The file at the legacy place, or None."""
        with self._steps.step("profiles.legacy"), self._lock:
            return self.legacy_files.get(user)

    def owners(self) -> Sequence[UserKey]:
        """Users who have a version; for the directory."""
        with self._lock:
            return [user for user, versions in self._versions.items() if versions]

    def delete_legacy(self, user: UserKey) -> None:
        """Remove the file at the legacy place; an absent one is no error."""
        with self._steps.step("profiles.delete_legacy"), self._lock:
            self.legacy_files.pop(user, None)

    def _newest(self, user: UserKey) -> StoredObject | None:
        versions = self._versions.get(user)
        return versions[-1].stored if versions else None
