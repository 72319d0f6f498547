"""Asks for the jobs that make up for what a write of facts left undone: vectors, and indexes outside of the store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable, kind_of
from context_memory.domain.facts.embedding import waiting
from context_memory.domain.jobs import AgendaEntry, JobKind, ScopeJob, UserJob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import Job
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_TOMORROW = timedelta(days=1)
"""The agenda only makes up for a message that was lost."""
_AFTER_SECONDS = 5
"""How long the job waits: of several writes in a row it is the first one's that finds all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """Asked behind a write that stands already: where nobody hears it, whoever recalls next asks again."""

    agenda: Agenda
    jobs: Jobs
    clock: Clock
    telemetry: Telemetry

    def of_user(self, user: UserKey) -> None:
        """A user's facts miss vectors, or their table is behind."""
        entry = AgendaEntry(company_id=user.company_id, kind=JobKind.EMBED, due=self._tomorrow(), user=user)
        self._ask(entry, UserJob(kind=JobKind.EMBED, user=user))

    def of_shared(self, scope: SharedScope) -> None:
        """Facts that a company shares are not to be found everywhere as they are."""
        entry = AgendaEntry(
            company_id=scope.company_id, kind=JobKind.PUBLISH, due=self._tomorrow(), space_id=scope.space_id
        )
        self._ask(entry, ScopeJob(scope=scope))

    def _ask(self, entry: AgendaEntry, job: Job) -> None:
        try:
            self.agenda.note(entry)
        except Unavailable as error:
            self._unheard(entry.kind, error)
        try:
            self.jobs.send(job, delay_seconds=_AFTER_SECONDS)
        except Unavailable as error:
            self._unheard(entry.kind, error)

    def _tomorrow(self) -> date:
        return self.clock.now().date() + _TOMORROW

    def _unheard(self, kind: JobKind, error: Unavailable) -> None:
        self.telemetry.warning("could not ask for what follows a write of facts", job=kind.value)
        self.telemetry.count("errors_total", stage="facts_index", error_type=kind_of(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUsers:
    """What follows a write of a user's own facts, but for those whose writer does it there and then.

    `model` names the vectors of the model in force, None where there is none; `tables`: the environment keeps tables.
    """

    model: Callable[[], str | None]
    tables: bool
    upkeep: Upkeep

    def __call__(self, user: UserKey, puts: Iterable[Fact]) -> None:
        """Ask for the vectors that these facts lack, and for the table to come up to the store."""
        model = self.model()
        if self.tables or (model is not None and waiting(puts, model)):
            self.upkeep.of_user(user)
