"""What must follow a stored change, noted before it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable
from context_memory.domain.jobs import AgendaEntry, JobKind, UserJob
from context_memory.domain.retention import tidy_day

if TYPE_CHECKING:
    from context_memory.application.changing.wanted import Standing
    from context_memory.domain.company_settings import Retention
    from context_memory.domain.ids import UserKey
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_AFTER_SECONDS = 5
"""How long the job waits, so that the commit it follows is through."""
_TOMORROW = timedelta(days=1)
"""The agenda only makes up for a message that was lost, or came before the commit that it follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Notes what follows: the agenda cannot lose it, the queue makes it soon."""

    agenda: Agenda
    jobs: Jobs
    clock: Clock
    telemetry: Telemetry

    def note(self, user: UserKey, standing: Standing, *, turn_count: int) -> None:
        """Note what follows the change that makes `turn_count` of what stands.

        Raises:
            Unavailable: it may not be noted, so that nothing may be stored either.
        """
        self._note(user, JobKind.FOLLOW_UP, _TOMORROW)
        self.note_upkeep(user, standing.company.retention, turn_count=turn_count)
        if standing.base.legacy:
            self.note_moved(user)
        epoch = standing.state.settings.epoch
        self._ask(UserJob(kind=JobKind.FOLLOW_UP, user=user, epoch=epoch, turn_count=turn_count))

    def note_upkeep(self, user: UserKey, retention: Retention, *, turn_count: int) -> None:
        """Note when history has to be trimmed because of the change that makes `turn_count`.

        Raises:
            Unavailable: as `note`.
        """
        day = tidy_day(retention, written_at=self.clock.now(), turn_count=turn_count)
        self.agenda.note(AgendaEntry(company_id=user.company_id, user=user, kind=JobKind.TIDY, due=day))

    def note_moved(self, user: UserKey) -> None:
        """Note that the file at the legacy place goes once the profile stands in its own.

        Raises:
            Unavailable: as `note`.
        """
        self._note(user, JobKind.LEGACY, _TOMORROW)
        self._ask(UserJob(kind=JobKind.LEGACY, user=user))

    def note_facts(self, user: UserKey) -> None:
        """Note that facts are about to be written that the policy's reader has still to see.

        Raises:
            Unavailable: as `note`.
        """
        self._note(user, JobKind.CHECK_FACTS, _TOMORROW)
        self._ask(UserJob(kind=JobKind.CHECK_FACTS, user=user))

    def note_outgrown(self, user: UserKey) -> None:
        """Note that what stands is over the cap, as after the cap was lowered.

        Raises:
            Unavailable: it may not be noted; whoever meets it next notes it.
        """
        self._note(user, JobKind.CONDENSE, _TOMORROW)
        self._ask(UserJob(kind=JobKind.CONDENSE, user=user))

    def _ask(self, job: UserJob) -> None:
        try:
            self.jobs.send(job, delay_seconds=_AFTER_SECONDS)
        except Unavailable as error:  # the agenda asks for it again
            self.telemetry.warning(
                "could not ask for what follows a change", job=job.kind.value, error_type=type(error).__name__
            )

    def _note(self, user: UserKey, kind: JobKind, after: timedelta) -> None:
        due = self.clock.now().date() + after
        self.agenda.note(AgendaEntry(company_id=user.company_id, user=user, kind=kind, due=due))
