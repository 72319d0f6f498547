"""Reading the committed profile: at exactly the version that the table names, or not at all."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from context_memory.domain.errors import ProfileChecksumMismatch

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import ProfilePointer
    from context_memory.ports import ProfileObjects, StoredObject


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
