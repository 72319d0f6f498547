from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.erase.replaying import Replayed
from context_memory.application.erase.showing import ShowReceipt
from context_memory.domain.erasing import Stage
from context_memory.domain.errors import ConfirmationRequired, Contended, EraseRunning, NeverErased
from context_memory.domain.jobs import JobKind, UserJob
from tests.support.eraser import JOB_SECONDS, LENA, Eraser, remains
from tests.support.records import stored, turn_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.erasing import Erasure


@pytest.fixture
def eraser() -> Eraser:
    world = InMemoryWorld()
    record = turn_record()
    world.table.accept(LENA, record)
    world.table.settle(stored(record))
    return Eraser(world)


def is_on(eraser: Eraser) -> bool:
    return eraser.world.table.state(LENA).settings.context_memory


def off(eraser: Eraser) -> Erasure:
    erasure = eraser.switch(LENA, on=False, confirmed=True)
    assert erasure is not None
    return erasure


def test_off_is_not_done_before_it_is_confirmed(eraser: Eraser) -> None:
    with pytest.raises(ConfirmationRequired):
        eraser.switch(LENA, on=False, confirmed=False)
    assert is_on(eraser)
    assert eraser.world.table.state(LENA).profile is not None


def test_off_erases_and_stays_off(eraser: Eraser) -> None:
    assert off(eraser).stage is Stage.SWEPT
    eraser.work()
    assert remains(eraser.world) == []
    assert not is_on(eraser)


def test_off_again_erases_nothing_unless_it_is_confirmed(eraser: Eraser) -> None:
    first = off(eraser)
    eraser.work()
    assert eraser.switch(LENA, on=False, confirmed=False) is None
    assert eraser.erasure().receipt_id == first.receipt_id
    assert off(eraser).epoch == first.epoch + 1


def test_on_waits_for_the_erase_to_end(eraser: Eraser) -> None:
    off(eraser)
    with pytest.raises(EraseRunning):
        eraser.switch(LENA, on=True, confirmed=False)
    eraser.work()
    assert eraser.switch(LENA, on=True, confirmed=False) is None
    assert is_on(eraser)


def test_on_while_on_changes_nothing(eraser: Eraser) -> None:
    before = eraser.world.table.state(LENA)
    eraser.switch(LENA, on=True, confirmed=False)
    assert eraser.world.table.state(LENA) == before


def test_on_that_meets_a_new_erase_is_told_so(eraser: Eraser) -> None:
    off(eraser)
    eraser.work()

    def strike(step: str) -> None:
        if step == "before:table.switch":
            eraser.world.whenever(lambda _: None)
            Eraser(eraser.world).erase()

    eraser.world.whenever(strike)
    with pytest.raises(EraseRunning):
        eraser.switch(LENA, on=True, confirmed=False)
    assert not is_on(eraser)


def turned_on_before_the_fence(eraser: Eraser, act: Callable[[], object]) -> None:
    """Somebody turns memory on after `act` has looked how it stands, and before it puts up its fence."""

    def strike(step: str) -> None:
        if step == "before:table.fence":
            eraser.world.whenever(lambda _: None)
            eraser.switch(LENA, on=True, confirmed=False)

    eraser.world.whenever(strike)
    act()


def test_memory_that_is_turned_on_while_it_is_erased_stays_on(eraser: Eraser) -> None:
    off(eraser)
    eraser.work()
    turned_on_before_the_fence(eraser, eraser.erase)
    eraser.work()
    assert is_on(eraser)
    assert (eraser.erasure().epoch, eraser.receipt()["status"]) == (2, "final")


def test_a_job_that_meets_another_switch_erases_all_the_same(eraser: Eraser) -> None:
    off(eraser)
    eraser.work()
    job = UserJob(kind=JobKind.ERASE, user=LENA, epoch=2)  # of a request that died before its fence
    turned_on_before_the_fence(eraser, lambda: eraser.job(job, JOB_SECONDS))
    assert is_on(eraser)
    assert (eraser.erasure().epoch, eraser.erasure().stage) == (2, Stage.SWEPT)


def test_a_job_that_never_gets_its_fence_up_comes_again(eraser: Eraser) -> None:
    off(eraser)
    eraser.work()

    def strike(step: str) -> None:
        if step == "before:table.fence":
            with eraser.world.table.opened(LENA, "switch") as items:
                assert items.settings is not None
                items.settings = replace(items.settings, context_memory=not items.settings.context_memory)

    eraser.world.whenever(strike)
    with pytest.raises(Contended):
        eraser.job(UserJob(kind=JobKind.ERASE, user=LENA, epoch=2), JOB_SECONDS)


def test_whoever_was_never_erased_has_no_receipt(eraser: Eraser) -> None:
    show = ShowReceipt(tombstones=eraser.world.tombstones, receipts=eraser.receipts)
    with pytest.raises(NeverErased):
        show(LENA)
    off(eraser)
    assert show(LENA)["status"] == "provisional"


def restored(eraser: Eraser) -> None:
    """The user table is set back to before the erase; what lay in buckets stays gone."""
    table, record = eraser.world.table, turn_record()
    with table.opened(LENA, "set_back") as items:
        items.settings, items.erasure = None, None
    table.accept(LENA, record)
    table.settle(stored(record))


def test_whom_a_restored_table_brings_back_is_erased_again_above_both_epochs(eraser: Eraser) -> None:
    for _ in range(2):
        eraser.erase()
        eraser.work()
    restored(eraser)
    assert eraser.replay(LENA) == Replayed(replayed=1, status="provisional")
    eraser.work()
    assert remains(eraser.world) == []
    assert eraser.erasure().epoch == 3
    assert eraser.replay(LENA) == Replayed(replayed=0)


def test_whoever_was_off_is_off_again_after_the_replay(eraser: Eraser) -> None:
    off(eraser)
    eraser.work()
    restored(eraser)
    assert is_on(eraser)
    eraser.replay(LENA)
    eraser.work()
    assert not is_on(eraser)


def test_nothing_happens_to_users_whom_nobody_erased(eraser: Eraser) -> None:
    before = eraser.world.table.state(LENA)
    assert eraser.replay(LENA) == Replayed(replayed=0)
    assert eraser.world.table.state(LENA) == before
    assert eraser.world.jobs.sent == []


def test_an_erase_that_the_table_was_set_back_into_goes_on(eraser: Eraser) -> None:
    eraser.erase()
    eraser.world.jobs.sent.clear()
    assert eraser.replay(LENA) == Replayed(replayed=1, status="provisional")
    eraser.work()
    assert eraser.receipt()["status"] == "final"
