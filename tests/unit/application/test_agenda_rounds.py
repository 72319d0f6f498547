from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.maintain.agenda import AGAIN_AFTER, MOST_OF_A_COMPANY, RingAgenda
from context_memory.domain.enablement import OperatorFlags
from context_memory.domain.errors import FlagsUnavailable, StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import AgendaEntry, CompanyJob, JobKind, UserJob, WalkJob

if TYPE_CHECKING:
    from context_memory.application.maintain.agenda import Rung

LENA = UserKey("acme", "lena")
REDACT = UserJob(kind=JobKind.REDACT, user=LENA)


@pytest.fixture
def world() -> InMemoryWorld:
    world = InMemoryWorld()
    world.flags.companies["acme"] = OperatorFlags()
    return world


def one_round(world: InMemoryWorld, seconds: float = 60.0) -> Rung:
    ring = RingAgenda(
        agenda=world.agenda,
        jobs=world.jobs,
        flags=world.flags,
        directory=world.directory,
        clock=world.clock,
        telemetry=world.telemetry,
        at_once=1,
    )
    return ring(seconds)


def note(world: InMemoryWorld, user: UserKey = LENA, *, days: int = 0, kind: JobKind = JobKind.REDACT) -> AgendaEntry:
    due = world.clock.now().date() + timedelta(days=days)
    entry = AgendaEntry(company_id=user.company_id, kind=kind, due=due, user=user)
    world.agenda.note(entry)
    return entry


def test_what_is_due_is_rung_for_and_what_is_not_is_left(world: InMemoryWorld) -> None:
    note(world)
    note(world, UserKey("acme", "jonas"), days=1)
    assert one_round(world).jobs == 1
    assert world.jobs.waiting() == [REDACT]


def test_entries_of_a_company_become_jobs_of_a_company(world: InMemoryWorld) -> None:
    today = world.clock.now().date()
    world.agenda.note(AgendaEntry(company_id="acme", kind=JobKind.EXPIRE, due=today))
    world.agenda.note(AgendaEntry(company_id="acme", kind=JobKind.WALK, due=today, job_id="J1"))
    one_round(world)
    assert world.jobs.waiting() == [
        CompanyJob(kind=JobKind.EXPIRE, company_id="acme"),
        WalkJob(company_id="acme", job_id="J1"),
    ]


def test_an_entry_is_rung_for_again_when_its_message_must_have_ended_and_not_before(world: InMemoryWorld) -> None:
    note(world)
    rounds = []
    for _ in range(40):
        rounds.append(one_round(world).jobs)
        world.clock.advance(600)
    between = int(AGAIN_AFTER.total_seconds()) // 600
    assert [number for number, jobs in enumerate(rounds) if jobs] == [0, between]


def test_an_entry_that_was_struck_is_rung_for_no_more(world: InMemoryWorld) -> None:
    entry = note(world)
    one_round(world)
    world.agenda.strike(entry)
    world.clock.advance(2 * AGAIN_AFTER.total_seconds())
    assert one_round(world).jobs == 0


def test_a_company_that_was_never_named_but_has_turns_is_looked_after_too(world: InMemoryWorld) -> None:
    stranger = UserKey("other", "lena")
    world.payloads.put(stranger, "t1", "0" * 64, b"{}")
    note(world, stranger)

    def down(step: str) -> None:
        if step == "before:agenda.companies":
            raise StoreUnavailable("down")

    world.whenever(down)
    assert one_round(world).jobs == 1
    assert world.jobs.waiting() == [UserJob(kind=JobKind.REDACT, user=stranger)]


def test_a_company_with_very_much_on_its_agenda_gets_its_share_of_each_round(world: InMemoryWorld) -> None:
    for number in range(MOST_OF_A_COMPANY + 5):
        note(world, UserKey("acme", f"user-{number:04}"))
    assert [one_round(world).jobs for _ in range(3)] == [MOST_OF_A_COMPANY, 5, 0]


def test_a_backlog_of_histories_to_trim_holds_up_nobody_who_is_to_be_forgotten(world: InMemoryWorld) -> None:
    for number in range(MOST_OF_A_COMPANY):
        note(world, UserKey("acme", f"user-{number:04}"), days=-1, kind=JobKind.TIDY)
    note(world)
    assert one_round(world).jobs == MOST_OF_A_COMPANY
    assert world.jobs.waiting()[0] == REDACT


def test_one_company_s_fault_costs_no_other_its_rings(world: InMemoryWorld) -> None:
    for company_id in ("acme", "other", "third"):
        world.flags.companies[company_id] = OperatorFlags()
        note(world, UserKey(company_id, "lena"))
    failed: list[str] = []

    def fail_once(step: str) -> None:
        if step == "before:agenda.due" and not failed:
            failed.append(step)
            raise KeyError("lena")

    world.whenever(fail_once)
    rung = one_round(world)
    assert (rung.jobs, rung.failures) == (2, 1)
    assert "lena" not in repr(world.telemetry)
    assert one_round(world).jobs == 1


def test_a_queue_that_is_out_of_reach_loses_nothing(world: InMemoryWorld) -> None:
    note(world)

    def down(step: str) -> None:
        if step == "before:jobs.send":
            raise StoreUnavailable("The queue is down.")

    world.whenever(down)
    assert (one_round(world).jobs, world.jobs.waiting()) == (0, [])
    world.whenever(lambda _: None)
    assert (one_round(world).jobs, world.jobs.waiting()) == (1, [REDACT])


def test_a_death_between_ring_and_note_rings_twice_and_never_not_at_all(world: InMemoryWorld) -> None:
    note(world)

    def die(step: str) -> None:
        if step == "before:agenda.rung":
            raise KeyboardInterrupt

    world.whenever(die)
    with pytest.raises(KeyboardInterrupt):
        one_round(world)
    world.whenever(lambda _: None)
    one_round(world)
    assert world.jobs.waiting() == [REDACT, REDACT]


@pytest.mark.parametrize("source", ["flags.named", "directory.companies_with_turns"])
def test_a_company_is_found_by_either_source_while_the_other_is_down(world: InMemoryWorld, source: str) -> None:
    note(world)
    world.payloads.put(LENA, "t1", "0" * 64, b"{}")

    def down(step: str) -> None:
        if step == f"before:{source}":
            raise FlagsUnavailable("Down.")

    world.whenever(down)
    rung = one_round(world)
    assert (rung.jobs, rung.failures) == (1, 1)


def test_a_round_without_time_left_ends_and_says_so(world: InMemoryWorld) -> None:
    for company_id in ("acme", "other"):
        world.flags.companies[company_id] = OperatorFlags()
        note(world, UserKey(company_id, "lena"))
    note(world, UserKey("acme", "jonas"))
    world.whenever(lambda step: world.clock.advance(100) if step == "after:jobs.send" else None)
    assert one_round(world).jobs == 1
    assert "a round of the agenda ended early" in {line.phrase for line in world.telemetry.lines}


def test_a_company_that_nobody_names_any_more_and_that_has_no_turns_is_looked_after(world: InMemoryWorld) -> None:
    gone = UserKey("globex", "lena")
    note(world, gone, kind=JobKind.ERASE)
    one_round(world)
    assert [job.user for job in world.jobs.waiting() if isinstance(job, UserJob)] == [gone]
