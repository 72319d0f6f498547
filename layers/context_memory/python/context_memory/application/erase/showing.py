"""The newest receipt of a user's erasures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_memory.domain.errors import NeverErased

if TYPE_CHECKING:
    from context_memory.application.erase.sealing import Receipts
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Tombstones


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowReceipt:
    """The use case behind `GET …/erasure`."""

    tombstones: Tombstones
    receipts: Receipts

    def __call__(self, user: UserKey) -> dict[str, Any]:
        """The receipt as it now is.

        Raises:
            NeverErased: there is none.
        """
        erasure = self.tombstones.standing(user).erasure
        if erasure is None:
            raise NeverErased("Nothing of this user was ever erased.")
        return self.receipts.of(user, erasure)
