"""One message of the jobs' queue: worked off, or made to come again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.contracts.messages import parse_queued
from context_memory.domain.errors import InvalidInput, Unavailable, kind_of
from context_memory.domain.jobs import JobKind, MergeJob, ScopeJob, UserJob, WalkJob

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.jobs import Job
    from context_memory.domain.waiting import Patience
    from context_memory.ports.queues import JobQueue
    from context_memory.ports.telemetry import Telemetry

type Work[J: Job] = Callable[[J, float], object]
"""Does one job within so many seconds. It may be called again for what it has done, and leaves it as it is then."""

STAGE = "jobs"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoJob:
    """Finds the work for a job. `workers` build it when it is first asked for: none pays for another's imports."""

    workers: Callable[[JobKind], Work[Job]]
    telemetry: Telemetry

    def __call__(self, job: Job, seconds: float) -> object:
        """Do one job; lines that are logged meanwhile say whom it is about.

        Returns:
            What the work says of itself.

        Raises:
            InvalidInput: this release knows no such work.
        """
        if isinstance(job, UserJob):
            with self.telemetry.about(job.user):
                return self.workers(job.kind)(job, seconds)
        return self.workers(kind_of_job(job))(job, seconds)


def kind_of_job(job: Job) -> JobKind:
    """The kind whose worker does it."""
    match job:
        case WalkJob():
            return JobKind.WALK
        case MergeJob():
            return JobKind.MERGE
        case ScopeJob():
            return JobKind.PUBLISH
        case _:
            return job.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerJob:
    """The other end of the queue.

    What the world, or we, did wrong is tried again with growing pauses; after so many deliveries as the queue allows
    it moves the message to the dead letters. What can never be read goes there without pauses.
    """

    do: DoJob
    jobs: JobQueue
    patience: Patience
    telemetry: Telemetry

    def __call__(self, body: str, *, receipt: str, received: int, seconds: float) -> bool:
        """Whether the message is done with; otherwise it was put off and must be reported as failed.

        Args:
            body: of the message.
            receipt: names this delivery of it.
            received: how often it was delivered, this time included.
            seconds: what is left of the function's time.
        """
        wait = self._waits(body, received, seconds)
        if wait is None:
            return True
        try:
            self.jobs.postpone(receipt, wait)
        except Unavailable as error:  # it comes back all the same, when its visibility runs out
            self.telemetry.warning("could not put a job off", error_type=type(error).__name__)
        return False

    def _waits(self, body: str, received: int, seconds: float) -> int | None:
        """How long the message must wait, None when it is done with."""
        try:
            job = parse_queued(body)
        except InvalidInput as error:
            self._tell("a job cannot be read", "unknown", error, received)
            return 0
        try:
            self.do(job, seconds)
        except Exception as error:  # noqa: BLE001 - the last line: its message may quote what was said, so it ends here
            self._tell("a job was not done", kind_of_job(job).value, error, received)
            return self.patience.seconds(received, error.retry_after if isinstance(error, Unavailable) else None)
        return None

    def _tell(self, phrase: str, kind: str, error: Exception, received: int) -> None:
        self.telemetry.warning(phrase, job=kind, error_type=type(error).__name__, received=received)
        self.telemetry.count("errors_total", stage=STAGE, error_type=kind_of(error))
