from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from context_memory.adapters.in_memory.system import ManualClock
from context_memory.adapters.kept import PAUSE_SECONDS, Ages, Kept
from context_memory.domain.errors import StoreUnavailable

AGES = Ages(fresh_seconds=60.0, stale_seconds=300.0)


class Store:
    """Says how often it was asked for a key; out of reach on demand."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.down = False

    def __call__(self, key: str) -> int | None:
        self.asked.append(key)
        if self.down:
            raise StoreUnavailable("as wanted")
        return None if key == "nothing" else self.asked.count(key)


def kept_of(store: Store, clock: ManualClock, most: int = 100) -> Kept[str, int | None]:
    return Kept(store, AGES, monotonic=clock.monotonic, most=most)


@pytest.mark.parametrize(("key", "answer"), [("one", 1), ("nothing", None)])
def test_an_answer_serves_as_long_as_it_is_fresh_and_that_there_is_none_is_an_answer(
    key: str, answer: int | None
) -> None:
    store, clock = Store(), ManualClock()
    kept = kept_of(store, clock)
    assert not kept.fresh(key)
    assert [kept.get(key) for _ in range(3)] == [answer] * 3
    clock.advance(59)
    assert kept.fresh(key)
    assert (kept.get(key), store.asked) == (answer, [key])
    clock.advance(1)
    assert not kept.fresh(key)
    kept.get(key)
    assert store.asked == [key, key]


def test_what_is_known_serves_for_a_while_with_the_store_out_of_reach_which_is_then_left_alone() -> None:
    store, clock = Store(), ManualClock()
    kept = kept_of(store, clock)
    kept.get("one")
    store.down = True
    clock.advance(300)
    assert [kept.get("one") for _ in range(5)] == [1] * 5
    assert len(store.asked) == 2
    clock.advance(PAUSE_SECONDS)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            kept.get("one")
    store.down = False
    assert kept.get("one") == 5


def test_a_key_of_which_nothing_is_known_fails_with_the_store_and_the_fault_is_not_kept() -> None:
    store, clock = Store(), ManualClock()
    kept = kept_of(store, clock)
    store.down = True
    with pytest.raises(StoreUnavailable):
        kept.get("one")
    store.down = False
    assert kept.get("one") == 2


def test_of_more_answers_than_are_kept_those_go_that_nobody_wanted_for_longest() -> None:
    store = Store()
    kept = kept_of(store, ManualClock(), most=3)
    for key in ("a", "b", "c", "a", "d"):
        kept.get(key)
    assert [key for key in "abcd" if kept.fresh(key)] == ["a", "c", "d"]


def test_of_several_who_ask_at_once_one_asks_the_store() -> None:
    store, start = Store(), Barrier(8)
    kept = kept_of(store, ManualClock())

    def ask(_: int) -> int | None:
        start.wait()
        return kept.get("one")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [1] * 8
    assert store.asked == ["one"]
