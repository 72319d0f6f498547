"""A user turns their memory off, which erases it for good, or on again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused, ConfirmationRequired, EraseRunning

if TYPE_CHECKING:
    from context_memory.application.erase.requesting import RequestErase
    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Tombstones


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchMemory:
    """The use case behind `PUT /v1/me/settings`."""

    tombstones: Tombstones
    erase: RequestErase

    def __call__(self, user: UserKey, *, on: bool, confirmed: bool) -> Erasure | None:
        """Turn a user's memory on or off.

        Returns:
            The erase that turning it off has begun, or has joined; None where nothing is erased.

        Raises:
            ConfirmationRequired: it would be erased, and the user has not said that they know.
            EraseRunning: it cannot be turned on before an erase has ended.
            Unavailable: as `RequestErase`.
        """
        if on:
            self._turn_on(user)
            return None
        standing = self.tombstones.standing(user)
        if not standing.context_memory and standing.running is None and not confirmed:
            return None  # it is off, and nothing is left that could be lost
        if not confirmed:
            raise ConfirmationRequired("Turning memory off erases it for good.")
        return self.erase(user, off=True)

    def _turn_on(self, user: UserKey) -> None:
        standing = self.tombstones.standing(user)
        if standing.running:
            raise EraseRunning("The user's memory is being erased.")
        if standing.context_memory:
            return
        try:
            self.tombstones.switch(user, standing.epoch, on=True)
        except CommitRefused as refused:  # an erase began since
            raise EraseRunning("The user's memory is being erased.") from refused
