from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.company_settings import CompanySettings, MemoryUse, Retention, Special, StoredSettings
from context_memory.domain.errors import EraseRunning, VersionConflict
from context_memory.domain.walks import Walk, WalkKind, WalkStatus
from tests.support.stores import at

if TYPE_CHECKING:
    from tests.support.stores import Stores

SMALL = CompanySettings(max_tokens=500)
LARGE = CompanySettings(
    max_tokens=8000,
    legacy=True,
    retention=Retention(revision_days=30, revisions=50),
    allowed_special=frozenset({Special.UNION, Special.BELIEF}),
    inherit_memory=True,
    expire_after_months=18,
    use_memory=MemoryUse(read=False, write=True),
    facts_cap=50,
    keep_turns_days=90,
)


def test_a_company_that_wrote_nothing_has_the_defaults_at_version_0(stores: Stores) -> None:
    assert stores.companies.settings("acme") == StoredSettings(settings=CompanySettings(), version=0)


def test_what_was_written_is_read_and_counted(stores: Stores) -> None:
    for version, settings in enumerate((LARGE, SMALL, SMALL)):
        written = stores.companies.replace("acme", settings, version=version)
        assert written == StoredSettings(settings=settings, version=version + 1)
        assert stores.companies.settings("acme") == written


def test_one_company_s_settings_are_never_another_s(stores: Stores) -> None:
    stores.companies.replace("acme", LARGE, version=None)
    for other in ("acme2", "acm", "acme-x"):
        assert stores.companies.settings(other).version == 0


def test_without_a_version_whatever_there_is_is_replaced(stores: Stores) -> None:
    assert stores.companies.replace("acme", LARGE, version=None).version == 1
    assert stores.companies.replace("acme", SMALL, version=None) == StoredSettings(settings=SMALL, version=2)


@pytest.mark.parametrize("version", [0, 2, 7])
def test_on_top_of_another_version_nothing_is_written_and_the_one_that_counts_is_named(
    stores: Stores, version: int
) -> None:
    stores.companies.replace("acme", LARGE, version=0)
    with pytest.raises(VersionConflict) as refused:
        stores.companies.replace("acme", SMALL, version=version)
    assert refused.value.version == 1
    assert stores.companies.settings("acme").settings == LARGE


def test_of_two_who_write_on_top_of_the_same_one_wins_and_the_other_is_told(stores: Stores) -> None:
    start = Barrier(2)

    def write(settings: CompanySettings) -> StoredSettings | int:
        start.wait()
        try:
            return stores.companies.replace("acme", settings, version=0)
        except VersionConflict as refused:
            return refused.version

    with ThreadPoolExecutor(2) as pool:
        written = list(pool.map(write, (SMALL, LARGE)))
    (winner,) = [one for one in written if isinstance(one, StoredSettings)]
    assert 1 in written  # what the loser is told
    assert stores.companies.settings("acme") == winner


def closed(stores: Stores, job_id: str = "J1", company_id: str = "acme") -> StoredSettings:
    """Have a walk close the company; how it then stands."""
    walk = Walk(
        company_id=company_id,
        job_id=job_id,
        kind=WalkKind.ERASE,
        status=WalkStatus.AWAITING_CONFIRMATION,
        dry_run=False,
        asked_by="123456789012/admin",
        asked_at=at(0),
    )
    stores.walks.open(walk)
    assert stores.walks.start(walk, walk.started(at(1)))
    return stores.companies.settings(company_id)


def test_a_company_is_closed_and_opened_again_without_a_change_of_what_it_has_set(stores: Stores) -> None:
    written = stores.companies.replace("acme", LARGE, version=0)
    assert closed(stores) == replace(written, closed=True, closed_by="J1")
    assert stores.companies.settings("acme2") == StoredSettings(settings=CompanySettings())
    changed = stores.companies.replace("acme", SMALL, version=written.version)
    assert changed == StoredSettings(
        settings=SMALL, version=2, closed=True, closed_by="J1"
    )  # what is set opens nothing
    for version, upon in enumerate((2, None), start=3):  # what is open can be opened
        opened = stores.companies.replace("acme", LARGE, version=upon, opens=changed)
        assert opened == StoredSettings(settings=LARGE, version=version)
        assert stores.companies.settings("acme") == opened


def test_a_company_that_wrote_nothing_can_be_closed_and_opened(stores: Stores) -> None:
    stands = closed(stores)
    assert stands == StoredSettings(settings=CompanySettings(), version=0, closed=True, closed_by="J1")
    opened = stores.companies.replace("acme", SMALL, version=0, opens=stands)
    assert opened == StoredSettings(settings=SMALL, version=1)


@pytest.mark.parametrize("version", [None, 1])
@pytest.mark.parametrize("before", [None, "J1"])
def test_a_company_that_another_walk_has_closed_since_is_not_opened(
    stores: Stores, before: str | None, version: int | None
) -> None:
    stands = stores.companies.replace("acme", LARGE, version=None)
    if before:
        stands = closed(stores, before)
    now = closed(stores, "J2")
    with pytest.raises(EraseRunning):
        stores.companies.replace("acme", SMALL, version=version, opens=stands)
    assert stores.companies.settings("acme") == now


def test_who_opens_on_top_of_another_version_is_told_which_one_counts(stores: Stores) -> None:
    stands = closed(stores)
    stores.companies.replace("acme", LARGE, version=None)
    with pytest.raises(VersionConflict) as refused:
        stores.companies.replace("acme", SMALL, version=0, opens=stands)
    assert refused.value.version == 1
    assert stores.companies.settings("acme").closed


def test_a_company_that_is_opened_and_closed_at_once_is_closed(stores: Stores) -> None:
    for number in range(10):
        stands, start = closed(stores, f"J{number}"), Barrier(2)

        def open_it(stands: StoredSettings = stands, start: Barrier = start) -> None:
            start.wait()
            with contextlib.suppress(EraseRunning):
                stores.companies.replace("acme", SMALL, version=None, opens=stands)

        def close_it(number: int = number, start: Barrier = start) -> None:
            start.wait()
            closed(stores, f"K{number}")

        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(open_it), pool.submit(close_it)]:
                done.result()
        stands = stores.companies.settings("acme")
        assert (stands.closed, stands.closed_by) == (True, f"K{number}")
