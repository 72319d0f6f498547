from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.spending import DailyBudget, Step, day_of, resets_at

LADDER = [Step.FULL, Step.SAVING, Step.PAUSED]
budgets = st.builds(
    DailyBudget,
    daily_tokens=st.integers(0, 10**12),
    saving_share=st.floats(0, 1, exclude_min=True, allow_nan=False),
)
moments = st.builds(
    datetime.fromtimestamp,
    st.integers(0, 4_000_000_000),
    st.sampled_from([UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-11))]),
)


@given(budgets, st.integers(0, 2 * 10**12), st.integers(0, 2 * 10**12))
def test_who_uses_more_is_never_on_a_better_step(budget: DailyBudget, one: int, other: int) -> None:
    less, more = sorted((one, other))
    assert LADDER.index(budget.step(less)) <= LADDER.index(budget.step(more))


@given(budgets, st.integers(0, 10**12), st.integers(0, 10**12))
def test_raising_a_budget_never_makes_a_step_worse(budget: DailyBudget, more: int, used: int) -> None:
    raised = budget.allowing(budget.daily_tokens + more)
    assert LADDER.index(raised.step(used)) <= LADDER.index(budget.step(used))


@given(budgets)
def test_a_company_is_paused_exactly_when_nothing_is_left(budget: DailyBudget) -> None:
    assert budget.step(budget.daily_tokens) is Step.PAUSED
    if budget.daily_tokens:
        assert budget.step(budget.daily_tokens - 1) is not Step.PAUSED


def test_saving_begins_at_its_share() -> None:
    budget = DailyBudget(daily_tokens=1000, saving_share=0.8)
    assert [budget.step(used) for used in (0, 799, 800, 999, 1000, 5000)] == [
        Step.FULL, Step.FULL, Step.SAVING, Step.SAVING, Step.PAUSED, Step.PAUSED,
    ]  # fmt: skip


def test_a_budget_of_nothing_pauses_from_the_first_turn_on() -> None:
    assert DailyBudget(daily_tokens=5, saving_share=0.8).allowing(0).step(0) is Step.PAUSED


def test_the_operators_word_replaces_the_default_and_none_leaves_it() -> None:
    budget = DailyBudget(daily_tokens=1000, saving_share=0.8)
    assert budget.allowing(None) == budget
    assert budget.allowing(10) == DailyBudget(daily_tokens=10, saving_share=0.8)


@given(moments)
def test_a_day_ends_within_24_hours_and_gives_way_to_the_next(at: datetime) -> None:
    end = resets_at(at)
    assert timedelta(0) < end - at <= timedelta(days=1)
    assert day_of(end) == day_of(at) + timedelta(days=1)
    assert day_of(end - timedelta(microseconds=1)) == day_of(at)


def test_days_are_those_of_utc_wherever_somebody_is() -> None:
    in_auckland = datetime(2026, 6, 18, 9, 0, tzinfo=timezone(timedelta(hours=12)))
    assert day_of(in_auckland) == date(2026, 6, 17)
    assert resets_at(in_auckland) == datetime(2026, 6, 18, tzinfo=UTC)
