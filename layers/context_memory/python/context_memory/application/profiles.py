"""Reading the profile that counts: at exactly the version that the table names, or not at all."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from context_memory.domain.errors import ProfileChecksumMismatch, ProfileVersionMissing

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import ProfilePointer
    from context_memory.ports.objects import ProfileObjects, StoredObject
    from context_memory.ports.users import UserStates

    LegacyReader = Callable[[bytes, UserKey], tuple[ProfilePointer, bytes] | None]
    """Reads a file at the legacy place as if it had been committed; None when it is blank."""


def committed(
    objects: ProfileObjects, user: UserKey, pointer: ProfilePointer, latest: StoredObject | None
) -> StoredObject:
    """The object that `pointer` names; `latest` saves a second request when it is that very version.

    Raises:
        ProfileVersionMissing: the version is gone.
        ProfileChecksumMismatch: its bytes are not those that were committed.
    """
    if latest is not None and latest.version_id == pointer.version_id:
        found = latest
    else:
        found = objects.version(user, pointer.version_id)
    if hashlib.sha256(found.body).hexdigest() != pointer.sha256:
        raise ProfileChecksumMismatch("The stored profile is not the text that was committed.")
    return found


def committed_now(
    table: UserStates, objects: ProfileObjects, user: UserKey, pointer: ProfilePointer, latest: StoredObject | None
) -> tuple[ProfilePointer, bytes]:
    """What `committed` finds. A missing version may have been replaced meanwhile: the pointer is read once more.

    Raises:
        ProfileVersionMissing, ProfileChecksumMismatch: as `committed`.
    """
    try:
        return pointer, committed(objects, user, pointer, latest).body
    except ProfileVersionMissing:
        newer = table.state(user).current
        if newer is None or newer.version_id == pointer.version_id:
            raise
        return newer, committed(objects, user, newer, None).body


def legacy_file(
    objects: ProfileObjects, user: UserKey, read: LegacyReader
) -> tuple[ProfilePointer, bytes] | tuple[None, None]:
    """The file at the legacy place with the pointer that a commit would have written; twice None when there is none."""
    found = objects.legacy(user)
    return (None if found is None else read(found, user)) or (None, None)
