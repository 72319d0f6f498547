"""What was forgotten goes from history, seven days later: from versions, and from what revisions tell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.history import oldest_first
from context_memory.application.profiles import committed_now
from context_memory.domain.errors import ProfileUnreadable, ProfileVersionMissing, StoreUnavailable
from context_memory.domain.reading import read_committed
from context_memory.domain.redaction import earlier, redacted, to_redact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.commit.sweeping import Sweep
    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import UserJob
    from context_memory.domain.profile import Bullets
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import ProfilePointer
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.queues import Agenda
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Redact:
    """The job `redact`. It may be done again, and goes on where it ended; the version that counts is never touched.

    With a text the earlier ones go that it came from. First the versions go, then the texts of the operations.
    """

    table: UserTable
    objects: ProfileObjects
    forgetting: Forgetting
    sweep: Sweep
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry

    def __call__(self, job: UserJob, _seconds: float) -> None:
        """Redact one user's history; one fetch a version that is kept.

        Raises:
            Unavailable: not all is done; come again.
            ProfileUnreadable: what counts now cannot be read, so that nobody knows what is still remembered.
        """
        user = job.user
        pointer = self.table.state(user).current
        if pointer is not None:
            self._redact(user, pointer, self.forgetting.for_good(user))
        if job.entry:
            self.agenda.strike(job.entry)

    def _redact(self, user: UserKey, pointer: ProfilePointer, forgotten: Callable[[str], bool]) -> None:
        pointer, body = committed_now(self.table, self.objects, user, pointer, None)
        revisions = oldest_first(self.table, user, pointer.epoch, up_to=pointer.turn_count)
        # Kept before anything goes: a job that goes on finds what belonged together though history tells no more of it.
        present = _bullets(body, user)
        self.forgetting.extend(user, pointer.epoch, earlier(revisions, present, forgotten))
        goes = to_redact(present, self.forgetting.for_good(user))
        # Only the listing tells what is there; a version that is denied must not be taken for one that is gone.
        listed = frozenset(version.version_id for version in self.objects.versions(user))
        kept = [
            one if one.turn_count == pointer.turn_count else self._without_version(user, one, listed, goes)
            for one in revisions
        ]
        texts = self._without_texts(user, kept, goes)
        # What nothing names may hold it, too.
        self.sweep(user)
        gone = sum(now is not before for now, before in zip(kept, revisions, strict=True))
        self.telemetry.event("redacted history", versions=gone, revisions=texts)

    def _without_version(
        self, user: UserKey, revision: Revision, listed: frozenset[str], goes: Callable[[str], bool]
    ) -> Revision:
        """The revision, its version deleted where it holds what goes: said first, so that none is said to be there."""
        there = revision.version_id in listed
        if not revision.version_gone:
            if there and not self._holds(user, revision, goes):
                return revision
            revision = replace(revision, version_gone=True, redacted_at=self.clock.now() if there else None)
            self.table.redact_revision(user, revision)
        if there:
            self.objects.delete_version(user, revision.version_id)
        return revision

    def _holds(self, user: UserKey, revision: Revision, goes: Callable[[str], bool]) -> bool:
        """Whether a version holds what goes; what cannot be read cannot be restored, and may hold it."""
        try:
            body = self.objects.version(user, revision.version_id).body
        except ProfileVersionMissing as error:
            raise StoreUnavailable("A version that is listed is out of reach.") from error
        try:
            bullets = _bullets(body, user)
        except ProfileUnreadable:
            return True
        return any(goes(text) for _, text in bullets.items())

    def _without_texts(self, user: UserKey, revisions: Sequence[Revision], goes: Callable[[str], bool]) -> int:
        """The number of revisions whose operations lost a text."""
        number = 0
        for revision in revisions:
            without = redacted(revision, goes, self.clock.now())
            if without is not revision:
                self.table.redact_revision(user, without)
                number += 1
        return number


def _bullets(body: bytes, user: UserKey) -> Bullets:
    return read_committed(body, owner=user.user_id).bullets
