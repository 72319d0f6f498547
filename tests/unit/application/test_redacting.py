"""Seven days after it was asked for, what was forgotten is nowhere: however often the job dies on its way."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import RevisionGone, StoreUnavailable
from context_memory.domain.forgotten import redaction_day
from context_memory.domain.jobs import AgendaEntry, JobKind, UserJob
from tests.support.house import LENA, House
from tests.support.past import BASEL, DOG, SAILS, forget_the_dog, identity, write

if TYPE_CHECKING:
    from datetime import date

REX = "Has a dog named Rex."
JOB = UserJob(kind=JobKind.REDACT, user=LENA)


def later(house: House, days: float) -> None:
    house.world.clock.advance(timedelta(days=days).total_seconds())


def told(house: House) -> None:
    """A dog was remembered, named, forgotten, and life went on."""
    write(house, BASEL, DOG)
    write(house, BASEL, REX)
    forget_the_dog(house, "t1", BASEL)
    write(house, BASEL, SAILS)


def everything(house: House) -> str:
    """All that is kept of Lena, as one text."""
    world = house.world
    versions = [world.profiles.version(LENA, one.version_id).body.decode() for one in world.profiles.versions(LENA)]
    return "\n".join([*versions, *map(str, world.table.revisions(LENA, 0, limit=100))])


def noted(house: House, kind: JobKind) -> list[date]:
    found = house.world.agenda.due("acme", (house.world.clock.now() + timedelta(days=400)).date())
    return [entry.due for entry in found if entry.kind is kind]


def test_a_forgetting_is_noted_for_the_day_on_which_it_is_final(house: House) -> None:
    told(house)
    assert noted(house, JobKind.REDACT) == [redaction_day(house.world.clock.now())]


def test_what_was_forgotten_is_nowhere_and_the_memory_stands(house: House) -> None:
    told(house)
    later(house, 8)
    house.redact(JOB, 60)
    assert "dog" not in everything(house)
    assert identity(house) == (BASEL, SAILS)
    revisions = house.world.table.revisions(LENA, 0, limit=10)
    assert [one.turn_count for one in revisions] == [4, 3, 2, 1]
    assert [one.version_gone for one in revisions] == [False, False, True, True]
    assert [one.redacted_at is not None for one in revisions] == [False, True, True, True]


def test_before_it_is_final_nothing_goes(house: House) -> None:
    told(house)
    later(house, 6.9)
    before = everything(house)
    house.redact(JOB, 60)
    assert everything(house) == before


def test_what_was_undone_stays_in_history(house: House) -> None:
    told(house)
    house.restore(LENA, 2)
    later(house, 8)
    before = everything(house)
    house.redact(JOB, 60)
    assert everything(house) == before


def test_what_was_told_again_stays_though_it_counts_as_forgotten(house: House) -> None:
    told(house)
    write(house, BASEL, REX)
    later(house, 8)
    house.redact(JOB, 60)
    assert house.history.one(LENA, 2).memory is not None
    assert identity(house) == (BASEL, REX)


def test_what_a_user_removes_by_an_edit_stays_in_history(house: House) -> None:
    write(house, BASEL, DOG)
    write(house, BASEL)
    assert noted(house, JobKind.REDACT) == []
    later(house, 8)
    house.redact(JOB, 60)
    house.restore(LENA, 1)
    assert identity(house) == (BASEL, DOG)


def test_what_a_new_deny_rule_takes_out_goes_from_history_too(house: House) -> None:
    write(house, BASEL, DOG)
    assert house.deny(LENA, ("dog",), frozenset()) == 1
    assert noted(house, JobKind.REDACT) == [redaction_day(house.world.clock.now())]
    later(house, 8)
    house.redact(JOB, 60)
    assert "dog" not in everything(house)


def test_a_version_that_cannot_be_read_goes_for_it_may_hold_what_was_forgotten(house: House) -> None:
    told(house)
    versions = house.world.profiles._versions[LENA]  # noqa: SLF001 - nothing that writes by the rules makes such a file
    versions[0] = type(versions[0])(
        type(versions[0].stored)(b"\xff", versions[0].stored.version_id, "etag"), versions[0].written_at
    )
    later(house, 8)
    house.redact(JOB, 60)
    assert versions[0].stored.version_id not in [one.version_id for one in house.world.profiles.versions(LENA)]


@pytest.mark.parametrize("hour", [0.0, 12.0, 24 - 1 / 3600])
def test_left_to_the_agenda_alone_it_is_gone_when_the_eighth_day_has_begun_and_no_sooner_than_after_seven(
    house: House, hour: float
) -> None:
    midnight = house.world.clock.now().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    house.world.clock.advance((midnight - house.world.clock.now()).total_seconds() + 3600 * hour)
    told(house)
    asked_at = house.world.clock.now()
    while "dog" in everything(house):
        assert house.world.clock.now() < midnight + timedelta(days=9)
        for entry in house.world.agenda.due("acme", house.world.clock.now().date()):
            if entry.kind is JobKind.REDACT:
                house.redact(entry.job(), 60)  # type: ignore[arg-type]  # an entry of a user's
        house.world.clock.advance(3600)
    assert house.world.clock.now() - asked_at > timedelta(days=7)
    assert identity(house) == (BASEL, SAILS)
    assert noted(house, JobKind.REDACT) == []


def test_an_entry_that_asked_is_struck_when_all_is_done(house: House) -> None:
    told(house)
    later(house, 8)
    (day,) = noted(house, JobKind.REDACT)
    entry = AgendaEntry(company_id="acme", kind=JobKind.REDACT, due=day, user=LENA)
    job = entry.job()
    assert isinstance(job, UserJob)
    house.redact(job, 60)
    assert noted(house, JobKind.REDACT) == []


def slow(house: House, step: str) -> list[str]:
    """Each such request takes a minute; all of them are noted."""
    seen: list[str] = []

    def wait(now: str) -> None:
        if now == step:
            house.world.clock.advance(60)
            seen.append(now)

    house.world.whenever(wait)
    return seen


@pytest.mark.parametrize("step", ["after:profiles.version", "after:table.redact_revision"])
def test_a_long_history_is_redacted_in_several_messages_each_of_which_ends_in_time(house: House, step: str) -> None:
    told(house)
    later(house, 8)
    (day,) = noted(house, JobKind.REDACT)
    seen = slow(house, step)
    house.world.jobs.send(UserJob(kind=JobKind.REDACT, user=LENA, due=day))
    runs = 0
    while delivery := house.world.jobs.receive():
        if isinstance(delivery.job, UserJob) and delivery.job.kind is JobKind.REDACT:
            assert noted(house, JobKind.REDACT) == [day]
            before = len(seen)
            house.redact(delivery.job, 30)
            assert len(seen) - before <= 2  # what counts now is read in any case
            runs += 1
        house.world.jobs.acknowledge(delivery.receipt)
    assert runs > 1
    assert "dog" not in everything(house)
    assert identity(house) == (BASEL, SAILS)
    assert noted(house, JobKind.REDACT) == []


def test_what_was_looked_at_in_a_life_before_is_no_measure_for_this_one(house: House) -> None:
    told(house)
    later(house, 8)
    house.redact(UserJob(kind=JobKind.REDACT, user=LENA, epoch=7, turn_count=4), 60)
    assert "dog" not in everything(house)


def test_a_user_who_was_erased_meanwhile_costs_nothing(house: House) -> None:
    house.redact(UserJob(kind=JobKind.REDACT, user=LENA, due=house.world.clock.now().date()), 60)
    assert house.world.profiles.versions(LENA) == []


def steps() -> list[str]:
    seen: list[str] = []
    with House() as house:
        told(house)
        later(house, 8)
        house.world.whenever(seen.append)
        house.redact(JOB, 60)
    return seen


STEPS = steps()


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[f"{n}-{step}" for n, step in enumerate(STEPS)])
def test_a_job_that_dies_at_any_step_is_finished_by_the_next(house: House, number: int) -> None:
    told(house)
    later(house, 8)
    taken = iter(range(10_000))

    def strike(_: str) -> None:
        if next(taken) == number:
            raise StoreUnavailable("down")

    house.world.whenever(strike)
    with contextlib.suppress(StoreUnavailable):
        house.redact(JOB, 60)
    house.world.whenever(lambda _: None)
    assert identity(house) == (BASEL, SAILS)
    # What a revision says to be there is there: nobody is promised what is gone.
    for revision in house.world.table.revisions(LENA, 0, limit=10):
        assert revision.version_gone or house.history.one(LENA, revision.turn_count).memory is not None
    house.redact(JOB, 60)
    assert "dog" not in everything(house)
    assert identity(house) == (BASEL, SAILS)


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[f"{n}-{step}" for n, step in enumerate(STEPS)])
def test_an_edit_at_any_step_of_a_redaction_stands(house: House, number: int) -> None:
    told(house)
    later(house, 8)
    taken = iter(range(10_000))

    def strike(_: str) -> None:
        if next(taken) == number:
            house.world.whenever(lambda _: None)
            write(house, BASEL, SAILS, "Plays the cello.")

    house.world.whenever(strike)
    house.redact(JOB, 60)
    house.world.whenever(lambda _: None)
    assert identity(house) == (BASEL, SAILS, "Plays the cello.")
    house.redact(JOB, 60)
    assert "dog" not in everything(house)


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[f"{n}-{step}" for n, step in enumerate(STEPS)])
def test_a_restore_at_any_step_of_a_redaction_brings_nothing_forgotten_back(house: House, number: int) -> None:
    told(house)
    later(house, 8)
    taken = iter(range(10_000))

    def strike(_: str) -> None:
        if next(taken) == number:
            house.world.whenever(lambda _: None)
            with contextlib.suppress(RevisionGone):
                house.restore(LENA, 2)

    house.world.whenever(strike)
    house.redact(JOB, 60)
    house.world.whenever(lambda _: None)
    assert BASEL in identity(house)
    assert REX not in identity(house)
