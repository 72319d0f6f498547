from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import AgendaEntry, JobKind
from tests.support.stores import at

if TYPE_CHECKING:
    from tests.support.stores import Stores

TODAY = date(2026, 3, 2)
AWKWARD = UserKey("acme", "ü/# 猫")
REDACTION = AgendaEntry(company_id="acme", kind=JobKind.REDACT, due=TODAY, user=AWKWARD)
EXPIRY = AgendaEntry(company_id="acme", kind=JobKind.EXPIRE, due=TODAY)
WALK = AgendaEntry(company_id="acme", kind=JobKind.WALK, due=TODAY, job_id="01ARZ3NDEKTSV4RRFFQ69G5FAV")
PUBLISHING = AgendaEntry(company_id="acme", kind=JobKind.PUBLISH, due=TODAY)
OF_A_SPACE = replace(PUBLISHING, space_id="ü/# 猫")


@pytest.mark.parametrize("entry", [REDACTION, EXPIRY, WALK, PUBLISHING, OF_A_SPACE], ids=repr)
def test_an_entry_is_due_on_its_day_and_after_and_not_before(stores: Stores, entry: AgendaEntry) -> None:
    stores.agenda.note(entry)
    assert stores.agenda.due("acme", TODAY - timedelta(days=1)) == []
    assert stores.agenda.due("acme", TODAY) == [entry]
    assert stores.agenda.due("acme", TODAY + timedelta(days=400)) == [entry]


def test_what_has_waited_longest_comes_first(stores: Stores) -> None:
    days = [TODAY - timedelta(days=ago) for ago in (1, 40, 3)]
    for day in days:
        stores.agenda.note(replace(REDACTION, due=day))
    assert [entry.due for entry in stores.agenda.due("acme", TODAY)] == sorted(days)


def test_one_company_s_entries_are_never_another_s(stores: Stores) -> None:
    stores.agenda.note(REDACTION)
    for other in ("acme2", "acm", "acme-x"):
        assert stores.agenda.due(other, TODAY) == []


def test_every_company_that_noted_anything_is_known_even_when_all_is_struck(stores: Stores) -> None:
    assert stores.agenda.companies() == []
    for company_id in ("globex", "acme"):
        for _ in range(2):
            stores.agenda.note(replace(EXPIRY, company_id=company_id))
    stores.agenda.strike(EXPIRY)
    assert stores.agenda.companies() == ["acme", "globex"]


def test_an_entry_that_is_noted_twice_is_one(stores: Stores) -> None:
    for _ in range(2):
        stores.agenda.note(REDACTION)
    assert stores.agenda.due("acme", TODAY) == [REDACTION]
    stores.agenda.strike(REDACTION)
    assert stores.agenda.due("acme", TODAY) == []


def test_striking_takes_one_entry_and_finds_an_absent_one_gone(stores: Stores) -> None:
    tidying = replace(REDACTION, kind=JobKind.TIDY)
    for entry in (REDACTION, tidying, EXPIRY, WALK):
        stores.agenda.note(entry)
    for _ in range(2):
        stores.agenda.strike(REDACTION)
    assert set(stores.agenda.due("acme", TODAY)) == {tidying, EXPIRY, WALK}


def test_all_of_a_user_s_entries_go_and_no_look_alike_s(stores: Stores) -> None:
    lena, others = UserKey("acme", "lena"), [UserKey("acme", "lena2"), UserKey("acme", "len"), UserKey("acme2", "lena")]
    days = [TODAY, TODAY - timedelta(days=1)]
    for user in (lena, *others):
        for kind in (JobKind.REDACT, JobKind.TIDY):
            for day in days:
                stores.agenda.note(AgendaEntry(company_id=user.company_id, kind=kind, due=day, user=user))
    stores.agenda.strike_all(lena, [JobKind.REDACT, JobKind.TIDY, JobKind.ERASE], days)
    left = [*stores.agenda.due("acme", TODAY), *stores.agenda.due("acme2", TODAY)]
    assert {entry.user for entry in left} == {*others}
    assert len(left) == len(others) * 4


def test_that_an_entry_was_rung_for_is_kept(stores: Stores) -> None:
    stores.agenda.note(REDACTION)
    stores.agenda.rung(REDACTION, at(5))
    assert [entry.rung_at for entry in stores.agenda.due("acme", TODAY)] == [at(5)]


def test_an_entry_that_was_struck_while_it_was_rung_for_stays_struck(stores: Stores) -> None:
    stores.agenda.rung(REDACTION, at(5))
    assert stores.agenda.due("acme", TODAY) == []


def test_an_entry_that_is_struck_and_rung_for_at_once_does_not_come_back(stores: Stores) -> None:
    start = Barrier(2)
    for _ in range(20):
        stores.agenda.note(REDACTION)

        def race(first: bool) -> None:  # noqa: FBT001 - which of the two
            start.wait()
            stores.agenda.strike(REDACTION) if first else stores.agenda.rung(REDACTION, at(5))

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(race, (True, False)))
        assert stores.agenda.due("acme", TODAY) == []


def read(stores: Stores) -> AgendaEntry:
    (entry,) = stores.agenda.due("acme", TODAY)
    return entry


def test_what_was_noted_anew_while_an_earlier_noting_was_worked_off_stays(stores: Stores) -> None:
    stores.agenda.note(REDACTION)
    earlier = read(stores)
    stores.agenda.note(REDACTION)
    stores.agenda.rung(earlier, at(5))
    assert read(stores).rung_at is None  # it is rung for by the next round
    stores.agenda.strike(earlier)
    stores.agenda.strike(read(stores))
    assert stores.agenda.due("acme", TODAY) == []


def test_an_entry_keeps_its_mark_while_it_is_rung_for(stores: Stores) -> None:
    stores.agenda.note(REDACTION)
    before = read(stores)
    for minute in (5, 6):
        stores.agenda.rung(before, at(minute))
    assert (read(stores).mark, read(stores).rung_at) == (before.mark, at(6))
    stores.agenda.strike(before)
    assert stores.agenda.due("acme", TODAY) == []


def test_an_entry_that_is_noted_and_struck_at_once_stays(stores: Stores) -> None:
    for _ in range(20):
        stores.agenda.note(REDACTION)
        earlier, start = read(stores), Barrier(2)

        def note(start: Barrier = start) -> None:
            start.wait()
            stores.agenda.note(REDACTION)

        def strike(earlier: AgendaEntry = earlier, start: Barrier = start) -> None:
            start.wait()
            stores.agenda.strike(earlier)

        with ThreadPoolExecutor(2) as pool:
            for done in (pool.submit(note), pool.submit(strike)):
                done.result()
        assert read(stores).mark != earlier.mark
