"""What a caller expects to replace, by its `If-Match`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.contracts.http import ANY_VERSION, version_etag
from context_memory.domain.errors import VersionConflict

if TYPE_CHECKING:
    from collections.abc import Callable


def expected_version(expected: frozenset[str] | None, now: Callable[[], int]) -> int | None:
    """The version on top of which a caller wants to write; None: whatever there is.

    Args:
        expected: validators, one of which must be that of what counts now (`*`: anything that was written); None where
            the caller names none.
        now: looks up the version that counts; 0 where nothing was written.

    Raises:
        VersionConflict: names the version that counts now.
    """
    if expected is None:
        return None
    version = now()
    if version_etag(version) in expected or (ANY_VERSION in expected and version):
        return version
    raise VersionConflict(version)
