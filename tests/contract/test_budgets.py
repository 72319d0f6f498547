"""Both makes of `Budgets`, and the cache in front of either."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.cached_budgets import CachedBudgets
from context_memory.adapters.in_memory.system import ManualClock
from tests.support.stores import COMPANY_TABLE

if TYPE_CHECKING:
    from context_memory.ports.companies import Budgets
    from tests.support.stores import MockedAws, Stores

TODAY = date(2026, 6, 17)
TOMORROW = TODAY + timedelta(days=1)


@pytest.fixture(params=["bare", "cached"])
def budgets(request: pytest.FixtureRequest, stores: Stores) -> Budgets:
    return stores.budgets if request.param == "bare" else CachedBudgets(stores.budgets, ManualClock())


def test_a_company_that_spent_nothing_has_used_nothing(budgets: Budgets) -> None:
    assert budgets.used("acme", TODAY) == 0


def test_what_is_spent_adds_up(budgets: Budgets) -> None:
    assert budgets.used("acme", TODAY) == 0
    for tokens in (1, 20, 300):
        budgets.spend("acme", tokens, TODAY)
    assert budgets.used("acme", TODAY) == 321


def test_companies_and_days_are_counted_apart(budgets: Budgets) -> None:
    budgets.spend("acme", 1, TODAY)
    budgets.spend("acme-2", 20, TODAY)
    budgets.spend("acme", 300, TOMORROW)
    assert (budgets.used("acme", TODAY), budgets.used("acme-2", TODAY), budgets.used("acme", TOMORROW)) == (1, 20, 300)
    assert budgets.used("acme-", TODAY) == 0


def test_parallel_spends_lose_nothing(budgets: Budgets) -> None:
    workers, each = 8, 10
    together = Barrier(workers)

    def spend(worker: int) -> None:
        together.wait()
        for _ in range(each):
            budgets.spend("acme", worker, TODAY)
            budgets.used("acme", TODAY)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(spend, range(1, workers + 1)))
    assert budgets.used("acme", TODAY) == each * sum(range(1, workers + 1))


def test_the_counters_are_few_hold_numbers_only_and_go_after_forty_days(
    aws_stores: Stores, mocked_aws: MockedAws
) -> None:
    for _ in range(100):
        aws_stores.budgets.spend("acme", 7, TODAY)
    with mocked_aws.clients.own_role():
        items = mocked_aws.clients.dynamodb.scan(TableName=COMPANY_TABLE)["Items"]
    assert 2 <= len(items) <= 8
    assert sum(int(item["tokens"]["N"]) for item in items) == 700
    for item in items:
        assert set(item) == {"pk", "sk", "tokens", "expires_at"}
        assert item["pk"] == {"S": "acme##budget"}
        assert item["sk"]["S"].startswith("2026-06-17#")
        assert item["expires_at"] == {"N": str(int(datetime(2026, 7, 27, tzinfo=UTC).timestamp()))}
