from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import TYPE_CHECKING

from context_memory.domain.walks import FAILED, Code, Line, Page, Phase, Walk, WalkKind, WalkStatus
from tests.support.stores import at

if TYPE_CHECKING:
    from tests.support.stores import Stores

JOB = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
NEW = Walk(
    company_id="acme",
    job_id=JOB,
    kind=WalkKind.ERASE,
    status=WalkStatus.AWAITING_CONFIRMATION,
    dry_run=False,
    asked_by="123456789012/admin",
    asked_at=at(0),
    code=Code(digest="abc", until=at(59)),
)
FAR = replace(
    NEW,
    status=WalkStatus.FAILED,
    parameters='{"models":["m"]}',
    started_at=at(1),
    finished_at=at(9),
    phase=Phase.RETRY,
    cursor="=C3=BC",
    planned=3,
    version=1,
    users=7,
    failed=2,
    counts={"erased": 5, FAILED: 2},
    code=None,
)


def page(number: int, *results: str) -> Page:
    lines = (Line(user_id=f"ü/{result}", result=result, details={"receipt_id": "R", "epoch": 1}) for result in results)
    return Page(number=number, lines=tuple(lines))


def test_a_walk_that_was_never_opened_is_none(stores: Stores) -> None:
    assert stores.walks.walk("acme", JOB) is None


def test_a_walk_is_kept_as_it_was_opened_and_as_it_was_moved(stores: Stores) -> None:
    assert stores.walks.open(NEW)
    assert stores.walks.walk("acme", JOB) == NEW
    assert stores.walks.move(NEW, FAR)
    assert stores.walks.walk("acme", JOB) == FAR


def test_a_walk_that_is_there_is_not_opened_again(stores: Stores) -> None:
    stores.walks.open(NEW)
    stores.walks.move(NEW, FAR)
    assert not stores.walks.open(replace(NEW))
    assert stores.walks.walk("acme", JOB) == FAR


def test_one_company_s_walks_and_pages_are_never_another_s(stores: Stores) -> None:
    stores.walks.open(NEW)
    stores.walks.move(NEW, FAR, page(1, "erased"))
    for other in ("acme2", "acm", "acme-x"):
        assert stores.walks.walk(other, JOB) is None
        assert stores.walks.pages(other, JOB, after=0, limit=10) == []


def test_pages_come_in_the_order_of_their_numbers_from_where_they_are_asked_for(stores: Stores) -> None:
    stores.walks.open(NEW)
    walk = NEW
    for number in (2, 10, 9, 100):
        moved = replace(walk, version=walk.version + 1)
        assert stores.walks.move(walk, moved, page(number, "erased", FAILED))
        walk = moved
    assert [one.number for one in stores.walks.pages("acme", JOB, after=0, limit=3)] == [2, 9, 10]
    assert stores.walks.pages("acme", JOB, after=10, limit=3) == [page(100, "erased", FAILED)]


def test_a_walk_whose_id_begins_as_another_s_has_pages_of_its_own(stores: Stores) -> None:
    longer = replace(NEW, job_id=f"{JOB}-2")
    for walk in (NEW, longer):
        stores.walks.open(walk)
    stores.walks.move(longer, replace(longer, version=1), page(1, "erased"))
    assert stores.walks.pages("acme", JOB, after=0, limit=10) == []


def test_a_page_is_replaced_with_the_walk_or_not_at_all(stores: Stores) -> None:
    stores.walks.open(NEW)
    stores.walks.move(NEW, FAR, page(1, FAILED))
    assert not stores.walks.move(NEW, replace(NEW, version=1), page(1, "stale"))
    assert stores.walks.pages("acme", JOB, after=0, limit=10) == [page(1, FAILED)]
    assert stores.walks.move(FAR, replace(FAR, version=2), page(1, "erased"))
    assert stores.walks.pages("acme", JOB, after=0, limit=10) == [page(1, "erased")]


def test_of_two_workers_on_one_stretch_one_moves_the_walk_and_the_other_is_told(stores: Stores) -> None:
    stores.walks.open(NEW)
    start = Barrier(2)

    def move(users: int) -> bool:
        start.wait()
        return stores.walks.move(NEW, replace(NEW, version=1, users=users), page(1, str(users)))

    with ThreadPoolExecutor(2) as pool:
        moved = list(pool.map(move, (3, 4)))
    assert sorted(moved) == [False, True]
    winner = 3 if moved[0] else 4
    walk = stores.walks.walk("acme", JOB)
    assert walk is not None
    assert walk.users == winner
    assert stores.walks.pages("acme", JOB, after=0, limit=10) == [page(1, str(winner))]


def test_a_walk_that_is_begun_has_closed_its_company_and_no_other(stores: Stores) -> None:
    stores.walks.open(NEW)
    assert stores.walks.start(NEW, NEW.started(at(1)))
    assert stores.walks.walk("acme", JOB) == NEW.started(at(1))
    stands = stores.companies.settings("acme")
    assert (stands.closed, stands.closed_by, stands.version) == (True, JOB, 0)
    assert not stores.companies.settings("acme2").closed


def test_a_walk_that_was_moved_meanwhile_is_not_begun_and_closes_nothing(stores: Stores) -> None:
    stores.walks.open(NEW)
    stores.walks.move(NEW, FAR)
    assert not stores.walks.start(NEW, NEW.started(at(1)))
    assert stores.walks.walk("acme", JOB) == FAR
    assert not stores.companies.settings("acme").closed
