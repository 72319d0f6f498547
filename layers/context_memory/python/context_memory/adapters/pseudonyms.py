"""What users are called in logs and audit records."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.ports.trust import Hasher

PURPOSE = "user"
UNKNOWN = "unknown"
"""Stands for a user who could not be hashed."""
DIGITS = 16
"""Hex digits of the hash: enough for no two of ten million users to share one."""


def pseudonym(hasher: Hasher, user: UserKey) -> str:
    """The keyed hash that stands for a user, the same in every function of the environment.

    Raises:
        StoreUnavailable: the key is out of reach.
    """
    return hasher.digest(PURPOSE, user.partition)[:DIGITS]
