"""Asks for the jobs that make up for what a recall met: facts without vectors, indexes that are behind their facts."""

from __future__ import annotations

from concurrent.futures import wait
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.errors import ContextMemoryError, kind_of
from context_memory.domain.facts.embedding import waiting
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.jobs import JobKind, ScopeJob, UserJob

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.jobs import Job
    from context_memory.domain.recall.match import Match
    from context_memory.ports.queues import Jobs
    from context_memory.ports.recall import IndexedScope
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

AGAIN_AFTER_SECONDS = 3600.0
"""For so long this process does not ask for the same job again."""
_MOST_KNOWN = 10_000
"""Jobs that a process remembers to have asked for."""


def without_vectors(
    scopes: Sequence[IndexedScope], matches: Sequence[Match], large: Iterable[FactScope], model: str
) -> Iterator[FactScope]:
    """Scopes with facts that the model in force has made no vector of; of large ones what was found is looked at."""
    for one in scopes:
        if waiting(one.facts, model):
            yield one.scope
    for scope in large:
        if waiting((match.fact for match in matches if match.scope == scope), model):
            yield scope


class Mending:
    """Sends jobs beside the rest of a recall, and remembers which.

    Args:
        jobs: the queue; what it does not hear the next recall says again.
        executor: asks meanwhile.
        clock: tells when a job may be asked for again.
        telemetry: is told when nobody hears.
    """

    def __init__(self, *, jobs: Jobs, executor: Executor, clock: Clock, telemetry: Telemetry) -> None:
        self._jobs = jobs
        self._executor = executor
        self._clock = clock
        self._telemetry = telemetry
        self._asked: dict[Job, float] = {}
        self._lock = Lock()

    def begin(self, scopes: Iterable[FactScope]) -> list[Future[None]]:
        """Ask for what these scopes need, unless that was done a moment ago; `finish` waits for it."""
        wanted = {_job(scope) for scope in scopes}
        return [self._executor.submit(self._send, job) for job in wanted if self._is_due(job)]

    @staticmethod
    def finish(asked: Sequence[Future[None]]) -> None:
        """Wait until all was sent: a process sleeps once it has answered."""
        wait(asked)

    def _is_due(self, job: Job) -> bool:
        now = self._clock.monotonic()
        with self._lock:
            if now - self._asked.get(job, -AGAIN_AFTER_SECONDS) < AGAIN_AFTER_SECONDS:
                return False
            if len(self._asked) >= _MOST_KNOWN:
                self._asked.clear()
            self._asked[job] = now
            return True

    def _send(self, job: Job) -> None:
        try:
            self._jobs.send(job)
        except ContextMemoryError as error:
            with self._lock:
                self._asked.pop(job, None)
            self._telemetry.warning("could not ask for what facts need", error_type=type(error).__name__)
            self._telemetry.count("errors_total", stage="facts_index", error_type=kind_of(error))


def _job(scope: FactScope) -> Job:
    if isinstance(scope, UserScope):
        return UserJob(kind=JobKind.EMBED, user=scope.user)
    return ScopeJob(scope=scope)
