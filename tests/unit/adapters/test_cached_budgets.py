from __future__ import annotations

from datetime import date, timedelta

import pytest

from context_memory.adapters.cached_budgets import SECONDS, CachedBudgets
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.errors import StoreUnavailable

TODAY = date(2026, 6, 17)


@pytest.fixture
def world() -> InMemoryWorld:
    return InMemoryWorld()


@pytest.fixture
def cached(world: InMemoryWorld) -> CachedBudgets:
    return CachedBudgets(world.budgets, world.clock)


def test_what_others_spend_is_seen_some_seconds_later_and_own_spending_at_once(
    world: InMemoryWorld, cached: CachedBudgets
) -> None:
    assert cached.used("acme", TODAY) == 0
    world.budgets.spend("acme", 100, TODAY)
    cached.spend("acme", 1, TODAY)
    assert cached.used("acme", TODAY) == 1
    world.clock.advance(SECONDS)
    assert cached.used("acme", TODAY) == 101


def test_a_company_is_read_once_within_these_seconds(world: InMemoryWorld, cached: CachedBudgets) -> None:
    steps: list[str] = []
    world.whenever(steps.append)
    for _ in range(5):
        cached.used("acme", TODAY)
        cached.used("other", TODAY)
    assert steps.count("after:budgets.used") == 2


def test_another_day_is_read_anew(world: InMemoryWorld, cached: CachedBudgets) -> None:
    world.budgets.spend("acme", 5, TODAY)
    assert cached.used("acme", TODAY) == 5
    assert cached.used("acme", TODAY + timedelta(days=1)) == 0


def test_what_could_not_be_written_is_not_counted_as_seen(world: InMemoryWorld, cached: CachedBudgets) -> None:
    cached.used("acme", TODAY)

    def down(step: str) -> None:
        if step == "before:budgets.spend":
            raise StoreUnavailable("The store is down.")

    world.whenever(down)
    with pytest.raises(StoreUnavailable):
        cached.spend("acme", 5, TODAY)
    assert cached.used("acme", TODAY) == 0


def test_counters_out_of_reach_are_asked_again_only_some_seconds_later(
    world: InMemoryWorld, cached: CachedBudgets
) -> None:
    asked: list[str] = []

    def down(step: str) -> None:
        asked.append(step)
        raise StoreUnavailable("The store is down.")

    world.whenever(down)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            cached.used("acme", TODAY)
    assert len(asked) == 1
    world.whenever(lambda _: None)
    world.clock.advance(SECONDS)
    assert cached.used("acme", TODAY) == 0
