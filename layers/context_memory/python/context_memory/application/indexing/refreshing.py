"""The jobs `embed` and `publish`: facts get the vectors they lack, and indexes outside of the store come up to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import UserScope

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.indexing.embedding_anew import EmbedAnew
    from context_memory.application.indexing.publishing import Publishing
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import ScopeJob, UserJob
    from context_memory.ports.facts import FactStore, SharedFacts
    from context_memory.ports.objects import Roster
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserStates


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshUser:
    """The job `embed`. It may be done again, and at any moment.

    Of a user whom nothing else tells of, as who has only recalled, walks learn here that they exist.

    `embed_anew` is None where there is no embedding model; `publishing` knows the user's table where there are tables.
    """

    table: UserStates
    facts: FactStore
    embed_anew: EmbedAnew | None
    publishing: Publishing
    roster: Roster
    jobs: Jobs
    agenda: Agenda
    telemetry: Telemetry

    def __call__(self, job: UserJob, seconds: float) -> None:
        """Bring one user's facts up to date within so many seconds; what is left then is sent on.

        Raises:
            Unavailable: not all is done; come again.
            CommitRefused: memory was switched off or erased meanwhile; the next look finds nothing to do.
        """
        state = self.table.state(job.user)
        settings = state.settings
        if settings.context_memory and not settings.erase_running:
            if state.unknown:
                self.roster.enter(job.user)
            done = self.embed_anew is None or self.embed_anew.of_user(job.user, settings.epoch, seconds)
            self._publish(job.user, settings.epoch)
            if not done:
                self.jobs.send(job)
                self.telemetry.event("embedding a user's facts goes on in another message")
                return
            self.telemetry.event("a user's facts are to be found as they are")
        if job.entry:
            self.agenda.strike(job.entry)

    def _publish(self, user: UserKey, epoch: int) -> None:
        scope = UserScope(user)
        version = self.facts.head(user, scope).version
        self.publishing.catch_up(scope, version, lambda: self.facts.facts(user, scope), epoch=epoch)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshShared:
    """The job `publish`, of a space or of a whole company; fields as `RefreshUser` has them.

    What was written is published first: it is found by its words while vectors are made, or while nobody makes them.
    """

    company: Callable[[str], StoredSettings]
    facts: SharedFacts
    embed_anew: EmbedAnew | None
    publishing: Publishing
    jobs: Jobs
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry

    def __call__(self, job: ScopeJob, seconds: float) -> None:
        """Bring one scope up to date within so many seconds; what is left then is sent on.

        Raises:
            Unavailable: not all is done; come again.
        """
        until, scope = self.clock.monotonic() + seconds, job.scope
        if not self.company(scope.company_id).closed:  # else it is erased, and nothing may come back
            self._publish(scope)
            done = self.embed_anew is None or self.embed_anew.of_shared(scope, until - self.clock.monotonic())
            if done:
                self._publish(scope)
            else:
                self.jobs.send(job)
                self.telemetry.event("embedding shared facts goes on in another message")
                return
            self.telemetry.event("shared facts are to be found as they are")
        if job.entry:
            self.agenda.strike(job.entry)

    def _publish(self, scope: SharedScope) -> None:
        self.publishing.catch_up(scope, self.facts.head(scope).version, lambda: self.facts.facts(scope))
