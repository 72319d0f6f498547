"""History is kept as long as the company wants, and nothing that counts ever goes with it."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.company_settings import CompanySettings, Retention
from context_memory.domain.errors import RevisionGone, StoreUnavailable, UnknownRevision
from context_memory.domain.jobs import AgendaEntry, JobKind, UserJob
from tests.support.house import LENA, House, body
from tests.support.past import BASEL, SAILS, identity, write

if TYPE_CHECKING:
    from datetime import date

JOB = UserJob(kind=JobKind.TIDY, user=LENA)


def later(house: House, days: float) -> None:
    house.world.clock.advance(timedelta(days=days).total_seconds())


def told(house: House, number: int = 4) -> None:
    """One change a day."""
    for count in range(number):
        write(house, BASEL, *(f"Fact number {n}." for n in range(count)))
        later(house, 1)


def keep(house: House, **retention: int) -> None:
    house.world.companies.replace("acme", CompanySettings(retention=Retention(**retention)), version=None)


def kept(house: House) -> list[int]:
    return [one.turn_count for one in house.world.table.revisions(LENA, 0, limit=100)]


def days(house: House) -> list[date]:
    found = house.world.agenda.due("acme", (house.world.clock.now() + timedelta(days=400)).date())
    return [entry.due for entry in found if entry.kind is JobKind.TIDY]


def test_every_stored_change_is_noted_for_the_day_on_which_it_goes(house: House) -> None:
    today = house.world.clock.now().date()
    write(house, BASEL)
    later(house, 1)
    house.learns(body(identity=[BASEL], skills=["Writes Rust."]))
    house.post("t1", "I write Rust.")
    house.work()
    assert days(house) == [today + timedelta(days=91), today + timedelta(days=92)]


def test_a_change_that_cannot_be_noted_is_not_stored(house: House) -> None:
    house.learns(body(identity=[BASEL]))
    house.post("t1", "I live in Basel.")

    def refuse(step: str) -> None:
        if step == "before:agenda.note":
            raise StoreUnavailable("down")

    house.world.whenever(refuse)
    house.work()
    assert house.world.table.state(LENA).profile is None
    assert house.world.profiles.versions(LENA) == []


def test_what_is_older_than_its_days_goes_with_its_version(house: House) -> None:
    told(house)
    keep(house, revision_days=2)
    house.tidy(JOB, 60)
    assert kept(house) == [4, 3]
    assert len(house.world.profiles.versions(LENA)) == 2
    assert identity(house)[0] == BASEL
    with pytest.raises(UnknownRevision):
        house.restore(LENA, 1)


def test_what_is_one_too_many_goes(house: House) -> None:
    told(house)
    keep(house, revisions=2)
    house.tidy(JOB, 60)
    assert kept(house) == [4, 3]


def test_the_version_that_counts_stays_however_old_it_is(house: House) -> None:
    told(house)
    later(house, 900)
    house.tidy(JOB, 60)
    assert kept(house) == [4]
    assert len(house.world.profiles.versions(LENA)) == 1
    assert identity(house)[0] == BASEL


def test_orphans_of_users_who_never_come_back_are_swept(house: House) -> None:
    write(house, BASEL)
    house.world.profiles.put(LENA, b"nobody's", replaces=house.world.profiles.latest_etag(LENA))
    house.tidy(JOB, 60)
    assert [one.body for one in [house.world.profiles.latest(LENA)] if one] != [b"nobody's"]


def test_the_job_notes_when_the_oldest_of_what_is_left_goes_and_strikes_what_asked(house: House) -> None:
    today = house.world.clock.now().date()
    told(house)
    for entry in house.world.agenda.due("acme", today + timedelta(days=400)):
        house.world.agenda.strike(entry)
    entry = AgendaEntry(company_id="acme", kind=JobKind.TIDY, due=today, user=LENA)
    house.world.agenda.note(entry)
    job = entry.job()
    assert isinstance(job, UserJob)
    house.tidy(job, 60)
    assert days(house) == [today + timedelta(days=91)]


def test_what_does_not_fit_into_its_time_is_done_by_another_message(house: House) -> None:
    told(house)
    later(house, 100)
    house.tidy(JOB, 0)
    assert (kept(house), len(house.world.profiles.versions(LENA))) == ([4], 4)
    assert house.world.jobs.waiting().count(JOB) == 1
    house.tidy(JOB, 60)
    assert len(house.world.profiles.versions(LENA)) == 1
    assert house.world.jobs.waiting().count(JOB) == 1


def test_a_lone_current_version_is_looked_at_no_more(house: House) -> None:
    write(house, BASEL)
    for entry in house.world.agenda.due("acme", (house.world.clock.now() + timedelta(days=400)).date()):
        house.world.agenda.strike(entry)
    house.tidy(JOB, 60)
    assert days(house) == []


def steps() -> list[str]:
    seen: list[str] = []
    with House() as house:
        told(house)
        keep(house, revision_days=2)
        house.world.whenever(seen.append)
        house.tidy(JOB, 60)
    return seen


STEPS = steps()


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[f"{n}-{step}" for n, step in enumerate(STEPS)])
def test_a_job_that_dies_at_any_step_is_finished_by_the_next(house: House, number: int) -> None:
    told(house)
    keep(house, revision_days=2)
    taken = iter(range(10_000))

    def strike(_: str) -> None:
        if next(taken) == number:
            raise StoreUnavailable("down")

    house.world.whenever(strike)
    with contextlib.suppress(StoreUnavailable):
        house.tidy(JOB, 60)
    house.world.whenever(lambda _: None)
    assert identity(house)[0] == BASEL
    house.tidy(JOB, 60)
    assert kept(house) == [4, 3]
    assert len(house.world.profiles.versions(LENA)) == 2


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[f"{n}-{step}" for n, step in enumerate(STEPS)])
def test_an_edit_at_any_step_stands(number: int) -> None:
    with House(sweep_age=timedelta(hours=24)) as house:
        told(house)
        keep(house, revision_days=2)
        taken = iter(range(10_000))

        def strike(_: str) -> None:
            if next(taken) == number:
                house.world.whenever(lambda _: None)
                write(house, SAILS)

        house.world.whenever(strike)
        house.tidy(JOB, 60)
        house.world.whenever(lambda _: None)
        assert identity(house) == (SAILS,)
        assert kept(house)[0] == 5


def restores() -> list[str]:
    seen: list[str] = []
    with House() as house:
        told(house)
        house.world.whenever(seen.append)
        house.restore(LENA, 1)
    return seen


RESTORE_STEPS = restores()


@pytest.mark.parametrize("number", range(len(RESTORE_STEPS)), ids=[f"{n}-{s}" for n, s in enumerate(RESTORE_STEPS)])
def test_a_tidying_at_any_step_of_a_restore_loses_nothing(number: int) -> None:
    with House(sweep_age=timedelta(hours=24)) as house:
        told(house)
        before = identity(house)
        keep(house, revision_days=2)
        taken = iter(range(10_000))

        def strike(_: str) -> None:
            if next(taken) == number:
                house.world.whenever(lambda _: None)
                house.tidy(JOB, 60)

        house.world.whenever(strike)
        with contextlib.suppress(RevisionGone, UnknownRevision):
            house.restore(LENA, 1)
        house.world.whenever(lambda _: None)
        assert identity(house) in {before, (BASEL,)}
        assert house.load().view is not None
