"""What an erase takes off the agenda: all that was due about the old life, nothing that is due about a new one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.jobs import AgendaEntry, JobKind, UserJob
from context_memory.domain.news import NewsKind
from context_memory.domain.profile import Bullets
from tests.support.eraser import JOB_SECONDS, LENA, Eraser

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House

HOME = Bullets(identity=("Lives in Basel.", "Went through a divorce."))
NO_KINDS: frozenset[str] = frozenset()


def agenda(house: House) -> set[JobKind]:
    """What is due about Lena, on whatever day."""
    entries = house.world.agenda.due("acme", house.world.clock.now().date() + timedelta(days=400))
    return {entry.kind for entry in entries if entry.user == LENA}


def lives(house: House, epoch: int = 0) -> None:
    """Lena writes something and has a part of it forgotten: history must lose it one day."""
    house.edit(LENA, HOME, expected=frozenset({(epoch, 0)}))
    house.deny(LENA, ("divorce",), NO_KINDS)


def down(at: str) -> Callable[[str], None]:
    def strike(step: str) -> None:
        if step == at:
            raise StoreUnavailable("It is down.")

    return strike


def test_nothing_stays_due_about_who_was_erased(house: House) -> None:
    lives(house)
    assert {JobKind.REDACT, JobKind.TIDY, JobKind.FOLLOW_UP} <= agenda(house)
    eraser = Eraser(house.world)
    eraser.erase()
    eraser.work()
    assert agenda(house) == set()


def test_what_is_due_about_a_new_life_survives_news_of_the_erase_that_come_late(house: House) -> None:
    lives(house)
    eraser = Eraser(house.world)
    eraser.erase()
    house.world.whenever(down("before:news.publish"))
    with pytest.raises(StoreUnavailable):
        eraser.work()
    house.world.whenever(lambda _: None)
    lives(house, epoch=1)
    noted = agenda(house)
    eraser.job(UserJob(kind=JobKind.ERASE, user=LENA, epoch=1), JOB_SECONDS)
    assert agenda(house) == noted - {JobKind.ERASE}


def test_what_is_due_about_a_new_life_survives_a_message_that_comes_twice(house: House) -> None:
    lives(house)
    eraser = Eraser(house.world)
    eraser.erase()
    eraser.work()
    lives(house, epoch=1)
    noted = agenda(house)
    eraser.job(UserJob(kind=JobKind.ERASE, user=LENA, epoch=1), JOB_SECONDS)
    assert agenda(house) == noted
    assert JobKind.REDACT in noted


def test_a_worker_who_is_late_leaves_a_new_life_in_the_roster(house: House) -> None:
    lives(house)
    eraser = Eraser(house.world)
    eraser.erase()

    def overtaken(step: str) -> None:
        if step == "before:table.find_remains":
            house.world.whenever(lambda _: None)
            Eraser(house.world).job(UserJob(kind=JobKind.ERASE, user=LENA, epoch=1), JOB_SECONDS)
            house.world.roster.enter(LENA)

    house.world.clock.advance(1000)
    house.world.whenever(overtaken)
    eraser.job(UserJob(kind=JobKind.ERASE, user=LENA, epoch=1), JOB_SECONDS)
    assert LENA in house.world.roster.entered


def test_a_request_that_died_before_its_fence_is_not_asked_for_for_ever(house: House) -> None:
    lives(house)
    eraser = Eraser(house.world)
    house.world.whenever(down("before:table.fence"))
    with pytest.raises(StoreUnavailable):
        eraser.erase()
    house.world.whenever(lambda _: None)
    house.world.jobs.sent.clear()
    entry = erase_entry(house)
    eraser.job(job(entry), JOB_SECONDS)
    assert JobKind.ERASE in agenda(house)  # the day is not over: the request may be about to put its fence up
    house.world.clock.advance(86400)
    eraser.job(job(entry), JOB_SECONDS)
    assert JobKind.ERASE not in agenda(house)


def test_an_entry_of_another_day_tells_no_news_of_an_older_erase(house: House) -> None:
    eraser = Eraser(house.world)
    eraser.erase()
    eraser.work()
    house.world.clock.advance(5 * 86400)
    stale = AgendaEntry(company_id="acme", kind=JobKind.ERASE, due=house.world.clock.now().date(), user=LENA)
    house.world.agenda.note(stale)
    house.world.clock.advance(86400)
    eraser.job(job(stale), JOB_SECONDS)
    assert [news.kind for news in house.world.news.published].count(NewsKind.ERASED) == 1
    assert agenda(house) == set()


def erase_entry(house: House) -> AgendaEntry:
    due = house.world.agenda.due("acme", house.world.clock.now().date())
    (entry,) = [one for one in due if one.kind is JobKind.ERASE]
    return entry


def job(entry: AgendaEntry) -> UserJob:
    asked = entry.job()
    assert isinstance(asked, UserJob)
    return asked
