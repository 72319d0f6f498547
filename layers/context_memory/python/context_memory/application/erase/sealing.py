"""Receipts as users get them: signed once for each sweep, and kept as they were signed."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from context_memory.domain.receipt import canonical, receipt, statement

if TYPE_CHECKING:
    from datetime import date

    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey
    from context_memory.ports.trust import Signer


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipts:
    """Writes receipts.

    Attributes:
        settling: time between the sweeps.
        backup_days: how long the user table can be set back; 0 where it cannot.
    """

    signer: Signer
    settling: timedelta
    backup_days: int

    def sealed(self, user: UserKey, erasure: Erasure) -> Erasure:
        """The erase with its receipt signed."""
        stated = self._stated(user, erasure)
        signed = receipt(stated, self.signer.sign(canonical(stated)))
        return replace(erasure, sealed=json.dumps(signed, ensure_ascii=False))

    def of(self, user: UserKey, erasure: Erasure) -> dict[str, Any]:
        """The receipt as it now is; without signature while the first sweep is under way."""
        if erasure.sealed is None:
            return receipt(self._stated(user, erasure), None)
        signed: dict[str, Any] = json.loads(erasure.sealed)
        return signed

    def _stated(self, user: UserKey, erasure: Erasure) -> dict[str, Any]:
        return statement(user, erasure, self._backups_expire_on(erasure), key=self.signer.key)

    def _backups_expire_on(self, erasure: Erasure) -> date | None:
        if not self.backup_days:
            return None
        cleared = erasure.second_sweep_at or (erasure.first_sweep_at or erasure.requested_at) + self.settling
        return (cleared + timedelta(days=self.backup_days)).date()
