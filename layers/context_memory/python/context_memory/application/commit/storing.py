"""Write the data, then move the pointer.

The object is written first, visible to nobody; one transaction then makes it count, together with the turns' outcomes.
A version is deleted only after a consistent read shows that nothing names it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.budget import build_index
from context_memory.domain.errors import CommitRefused, PreconditionFailed, StoreUnavailable
from context_memory.domain.rendering import render
from context_memory.domain.state import ProfilePointer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.commit.base import Base
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Profile
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.objects import ObjectVersion, ProfileObjects
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import Settlement, UserTable

_PUT_TRIES = 3
_SETTLE_TRIES = 3


class Overtaken(Exception):
    """Somebody else's change counts now; `clauses` says what had changed. Nothing of ours was stored."""

    def __init__(self, clauses: frozenset[str]) -> None:
        """Keep what had changed."""
        super().__init__("Somebody else was faster.")
        self.clauses = clauses


@dataclass(slots=True, kw_only=True)
class Storing:
    """Stores profiles and settles turns.

    `met_orphan` becomes true when a put met a version that nobody committed, `committed` names the version that counts.
    """

    objects: ProfileObjects
    table: UserTable
    tokenizers: Sequence[Tokenizer]
    telemetry: Telemetry
    policy_version: str
    met_orphan: bool = False
    committed: str = ""

    def store(
        self, user: UserKey, epoch: int, base: Base, profile: Profile, settle: Callable[[ProfilePointer], Settlement]
    ) -> None:
        """Put `profile` and commit, in the epoch of the base, the settlement that `settle` makes of its pointer.

        Raises:
            Overtaken: another change was committed, the turns ended, or memory was erased or switched off.
            Unavailable: it is not stored, or it is unknown whether it is: come again and see.
        """
        text = render(profile)
        if self.table.state(user).settings.epoch != epoch:
            raise Overtaken(frozenset({"settings"}))
        version = self._put(user, base, text.encode())
        pointer = ProfilePointer(
            epoch=epoch,
            turn_count=profile.turn_count,
            version_id=version.version_id,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            tokens=self.tokenizers[0].count(text),
            index=build_index(profile, text, self.tokenizers, base.written, profile.last_updated.date()),
            policy_version=self.policy_version,
            last_updated=profile.last_updated,
        )
        try:
            self.settle(settle(pointer))
        except Overtaken:
            self._discard(user, version.version_id)
            raise
        self.committed = version.version_id
        self.telemetry.count_all(
            {"memory_length_tokens": pointer.tokens, "memory_length_chars": len(text)}, phase="write"
        )

    def settle(self, settlement: Settlement) -> None:
        """Commit a settlement, reading back what happened when the answer is a refusal or is lost.

        Raises:
            Overtaken, Unavailable: as `store`.
        """
        for attempt in range(1, _SETTLE_TRIES + 1):
            try:
                self.table.settle(settlement)
            except CommitRefused as refusal:
                if self._went_through(settlement):
                    return
                if refusal.clauses != {"seen"}:
                    raise Overtaken(refusal.clauses) from refusal
                settlement = self._later_seen(settlement)
            except StoreUnavailable:
                # Unknown, not failed. The same request with the same token is safe to send again.
                if self._went_through(settlement):
                    return
                if attempt == _SETTLE_TRIES:
                    raise
            else:
                return
        raise Overtaken(frozenset({"seen"}))

    def _put(self, user: UserKey, base: Base, body: bytes) -> ObjectVersion:
        etag = base.etag
        for _ in range(_PUT_TRIES):
            try:
                return self.objects.put(user, body, replaces=etag)
            except PreconditionFailed as refusal:
                committed = self.table.state(user).current
                if (committed and committed.version_id) != (base.pointer and base.pointer.version_id):
                    raise Overtaken(frozenset({"profile"})) from refusal
                # Nobody committed since: what lies on top is the orphan of a crash, or a put still on its way.
                self.met_orphan = True
                etag = self.objects.latest_etag(user)
        raise StoreUnavailable("The profile object keeps changing under us.")

    def _went_through(self, settlement: Settlement) -> bool:
        if settlement.pointer is not None:
            current = self.table.state(settlement.user).current
            if current is not None and current.version_id == settlement.pointer.version_id:
                return True
            # A later change may stand on ours already; its revision still names our version.
            return settlement.pointer.version_id in self.table.named_versions(settlement.user)
        records = [self.table.turn(settlement.user, record.turn_id) for record in settlement.turns]
        return all(record is not None and record.outcome is settlement.outcome for record in records)

    def _later_seen(self, settlement: Settlement) -> Settlement:
        """Turns of this user were settled meanwhile: never set the clock of what is seen back."""
        seen = self.table.state(settlement.user).consolidated_through
        times = [moment for moment in (seen, settlement.consolidated_through) if moment is not None]
        return replace(settlement, consolidated_through=max(times, default=None))

    def _discard(self, user: UserKey, version_id: str) -> None:
        if version_id in self.table.named_versions(user):
            return
        self.objects.delete_version(user, version_id)
        self.telemetry.event("discarded a version that lost the race")
