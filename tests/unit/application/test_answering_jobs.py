from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.telemetry import stand_in
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.maintain.answering import AnswerJob, DoJob
from context_memory.bootstrap.jobs.workers import workers
from context_memory.contracts.messages import parse_queued
from context_memory.domain.errors import InvalidInput, StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import AgendaEntry, CompanyJob, JobKind, UserJob, WalkJob, job_body
from context_memory.domain.waiting import Patience

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.jobs import Job

LENA = UserKey("acme", "lena")
REDACT = UserJob(kind=JobKind.REDACT, user=LENA)
PLENTY = 100.0


class Office:
    """One worker for every kind, which does `work`; `done` keeps what came and how much time it had."""

    def __init__(self, work: Callable[[Job], object] = lambda _job: None) -> None:
        self.world = InMemoryWorld()
        self.done: list[tuple[JobKind, Job, float]] = []
        self.work = work
        self.answer = AnswerJob(
            do=DoJob(workers=self._worker, telemetry=self.world.telemetry),
            jobs=self.world.jobs,
            patience=Patience(),
            telemetry=self.world.telemetry,
        )

    def deliver(self, job: Job = REDACT) -> bool:
        """Send a job and answer the message that comes next."""
        self.world.jobs.send(job)
        return self.again()

    def again(self) -> bool:
        """Answer the next visible message."""
        delivery = self.world.jobs.receive()
        assert delivery is not None
        answered = self.answer(
            json.dumps(job_body(delivery.job)), receipt=delivery.receipt, received=delivery.received, seconds=PLENTY
        )
        if answered:
            self.world.jobs.acknowledge(delivery.receipt)
        return answered

    def _worker(self, kind: JobKind) -> Callable[[Job, float], object]:
        def work(job: Job, seconds: float) -> object:
            self.done.append((kind, job, seconds))
            return self.work(job)

        return work


@pytest.mark.parametrize(
    ("job", "kind"),
    [
        (REDACT, JobKind.REDACT),
        (CompanyJob(kind=JobKind.EXPIRE, company_id="acme"), JobKind.EXPIRE),
        (WalkJob(company_id="acme", job_id="J1"), JobKind.WALK),
    ],
    ids=repr,
)
def test_a_job_goes_to_the_worker_of_its_kind_once(job: Job, kind: JobKind) -> None:
    office = Office()
    assert office.deliver(job)
    assert office.done == [(kind, job, PLENTY)]
    assert office.world.jobs.waiting() == []


def test_lines_of_a_worker_say_whom_they_are_about() -> None:
    office = Office(lambda _job: office.world.telemetry.event("worked"))
    office.deliver()
    office.deliver(WalkJob(company_id="acme", job_id="J1"))
    assert [line.fields for line in office.world.telemetry.lines] == [{"user": stand_in(LENA)}, {}]


def fail_with(error: Exception) -> Callable[[Job], object]:
    def work(_job: Job) -> object:
        raise error

    return work


def test_what_the_world_does_wrong_comes_again_after_pauses_that_grow_to_a_quarter_of_an_hour() -> None:
    office, pauses = Office(fail_with(StoreUnavailable("The store is down."))), []
    assert not office.deliver()
    for _ in range(9):
        before = office.world.clock.now()
        while (delivery := office.world.jobs.receive()) is None:
            office.world.clock.advance(1)
        pauses.append(round((office.world.clock.now() - before).total_seconds()))
        body = json.dumps(job_body(delivery.job))
        assert not office.answer(body, receipt=delivery.receipt, received=delivery.received, seconds=PLENTY)
    assert pauses == [15, 30, 60, 120, 240, 480, 900, 900, 900]


def test_a_worker_that_is_asked_to_wait_waits_so_long() -> None:
    office = Office(fail_with(StoreUnavailable("Slow down.", retry_after=100)))
    assert not office.deliver()
    office.world.clock.advance(99)
    assert office.world.jobs.receive() is None
    office.world.clock.advance(1)
    assert office.world.jobs.receive() is not None


def test_what_we_do_wrong_comes_again_too_and_is_told_by_its_class_alone() -> None:
    office = Office(fail_with(KeyError("lena lives in Basel")))
    assert not office.deliver()
    assert office.world.jobs.waiting() == [REDACT]
    (line,) = office.world.telemetry.lines
    assert (line.level, line.fields["job"], line.fields["error_type"]) == ("warning", "redact", "KeyError")
    assert office.world.telemetry.total("errors_total", stage="jobs", error_type="unforeseen") == 1
    assert "Basel" not in repr(office.world.telemetry)


@pytest.mark.parametrize(
    "body",
    ["no JSON: lena", '{"job": "lena"}', '{"job": "heal"}', json.dumps(job_body(REDACT) | {"text": "lena"}), "[]"],
)
def test_what_can_never_be_read_is_on_its_way_to_the_dead_letters_at_once(body: str) -> None:
    office = Office()
    office.world.jobs.send(REDACT)  # stands for the message, of which the queue knows the receipt alone
    for received in range(1, 21):
        delivery = office.world.jobs.receive()  # visible again without any time passing
        assert delivery is not None
        assert not office.answer(body, receipt=delivery.receipt, received=received, seconds=PLENTY)
    assert office.done == []
    assert "lena" not in repr(office.world.telemetry)


def test_a_queue_that_takes_no_pause_brings_the_message_back_by_itself() -> None:
    office = Office(fail_with(StoreUnavailable("The store is down.")))

    def down(step: str) -> None:
        if step == "before:jobs.postpone":
            raise StoreUnavailable("The queue is down.")

    office.world.whenever(down)
    assert not office.deliver()
    office.world.clock.advance(3 * 3600)
    office.work = lambda _job: None
    assert office.again()


def test_each_worker_is_built_once_and_only_when_its_first_job_comes() -> None:
    built: list[str] = []

    def build(parts: object) -> Callable[[Job, float], object]:
        built.append(str(parts))
        return lambda job, seconds: (job, seconds)

    table = {JobKind.REDACT: build}
    find = workers("parts", table)  # type: ignore[arg-type] # the builder looks at no part
    assert built == []
    assert find(JobKind.REDACT) is find(JobKind.REDACT)
    assert built == ["parts"]
    with pytest.raises(InvalidInput):
        find(JobKind.TIDY)


def test_a_message_carries_the_mark_of_the_entry_that_asks_for_it() -> None:
    entry = AgendaEntry(company_id="acme", kind=JobKind.REDACT, due=date(2026, 3, 2), user=LENA, mark="0a1b")
    job = parse_queued(json.dumps(job_body(entry.job())))
    assert isinstance(job, UserJob)
    assert job.entry is not None
    assert (job.entry, job.entry.mark) == (entry, "0a1b")
