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
    from collections.abc import Callable

    from context_memory.application.commit.sweeping import Sweep
    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import UserJob
    from context_memory.domain.profile import Bullets
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import ProfilePointer
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Redact:
    """The job `redact`. It may be done again, and goes on where it ended; the version that counts is never touched.

    A long history takes several messages: each sends the next one on its way, which says up to which revision the
    versions were looked at. Should it get lost, the agenda's entry still stands, and all is looked at again.

    With a text the earlier ones go that it came from. First the versions go, then the texts of the operations.
    """

    table: UserTable
    objects: ProfileObjects
    forgetting: Forgetting
    sweep: Sweep
    agenda: Agenda
    jobs: Jobs
    clock: Clock
    telemetry: Telemetry

    def __call__(self, job: UserJob, seconds: float) -> None:
        """Redact one user's history, beginning nothing later than `seconds` from now; one fetch a version that is kept.

        Raises:
            Unavailable: not all is done; come again.
            ProfileUnreadable: what counts now cannot be read, so that nobody knows what is still remembered.
        """
        until = self.clock.monotonic() + seconds
        pointer = self.table.state(job.user).current
        if pointer is not None:
            looked_at = job.turn_count if job.epoch == pointer.epoch else None
            ended_at = self._redact(job.user, pointer, looked_at or 0, until)
            if ended_at is not None:
                self.jobs.send(replace(job, epoch=pointer.epoch, turn_count=ended_at))
                self.telemetry.event("a redaction goes on in another message")
                return
        if job.entry:
            self.agenda.strike(job.entry)

    def _redact(self, user: UserKey, pointer: ProfilePointer, looked_at: int, until: float) -> int | None:
        """Redact what comes behind the revision `looked_at`.

        Returns:
            The last revision whose version was looked at, where it was time to end; None when all is done.
        """
        forgotten = self.forgetting.for_good(user)
        pointer, body = committed_now(self.table, self.objects, user, pointer, None)
        revisions = oldest_first(self.table, user, pointer.epoch, up_to=pointer.turn_count)
        # Kept before anything goes: a job that goes on finds what belonged together though history tells no more of it.
        present = _bullets(body, user)
        self.forgetting.extend(user, pointer.epoch, earlier(revisions, present, forgotten))
        goes = to_redact(present, self.forgetting.for_good(user))
        # Only the listing tells what is there; a version that is denied must not be taken for one that is gone.
        listed = frozenset(version.version_id for version in self.objects.versions(user))
        kept: list[Revision] = []
        for one in revisions:
            left_alone = one.turn_count <= looked_at or one.turn_count == pointer.turn_count
            kept.append(one if left_alone else self._without_version(user, one, listed, goes))
            if not left_alone and self.clock.monotonic() >= until:
                return one.turn_count
        for one in kept:
            if self._without_texts(user, one, goes) and self.clock.monotonic() >= until:
                return pointer.turn_count
        # What nothing names may hold it, too.
        self.sweep(user)
        self.telemetry.event("redacted history", revisions=len(kept))
        return None

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

    def _without_texts(self, user: UserKey, revision: Revision, goes: Callable[[str], bool]) -> bool:
        """Whether the revision's operations lost a text."""
        without = redacted(revision, goes, self.clock.now())
        if without is revision:
            return False
        self.table.redact_revision(user, without)
        return True


def _bullets(body: bytes, user: UserKey) -> Bullets:
    return read_committed(body, owner=user.user_id).bullets
