"""The job `legacy`: a file at the legacy place goes once nothing reads it any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.history import newest_first

if TYPE_CHECKING:
    from context_memory.domain.jobs import UserJob
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.queues import Agenda
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanUpLegacy:
    """The use case. Whether files at the legacy place count for the company does not matter here."""

    table: UserTable
    objects: ProfileObjects
    agenda: Agenda
    telemetry: Telemetry

    def __call__(self, job: UserJob, seconds: float) -> None:  # noqa: ARG002 - as every job; this one takes none to speak of
        """Remove the file once a stored change was made of it, or its user was erased.

        Where the commit that was to move it never was, it stays: another, made while files at the legacy place did not
        count, may have been the first instead, and holds nothing of it.
        """
        epoch = self.table.state(job.user).settings.epoch
        if epoch > 0 or any(revision.moved_legacy for revision in newest_first(self.table, job.user, epoch)):
            self.objects.delete_legacy(job.user)
            self.telemetry.event("removed what lay at the legacy place")
        if entry := job.entry:
            self.agenda.strike(entry)
