"""The ladder of a company's daily budget: saving, pausing, and going on the next day, with nothing lost."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.application.answers import turn_body
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import FlagsUnavailable, StoreRejected, StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.spaces import SpaceSettings
from context_memory.domain.spending import day_of, resets_at
from context_memory.domain.state import UserSettings
from tests.support.house import LENA, House, body
from tests.support.scripted_answers import error

if TYPE_CHECKING:
    from collections.abc import Callable

BUDGET = 1_000_000


@pytest.fixture(autouse=True)
def budget(house: House) -> None:
    allow(house, BUDGET)


def allow(house: House, daily_tokens: int | None, company_id: str = "acme") -> None:
    house.world.switches.companies[company_id] = CompanyFlags(
        context_memory=True, context_memory_with_web_search=True, daily_tokens=daily_tokens
    )


def spend(house: House, tokens: int, company_id: str = "acme") -> None:
    """What others of the company have used today, seen at once."""
    house.world.budgets.spend(company_id, tokens, day_of(house.world.clock.now()))
    house.world.clock.advance(15)


def used(house: House) -> int:
    return house.world.budgets.used("acme", day_of(house.world.clock.now()))


def knows(*skills: str) -> str:
    return body(skills=[f"Knows {skill}." for skill in skills])


def models_asked(house: House, purpose: str) -> list[str]:
    return [asked.body["model"] for asked in house.model.asked(purpose)]


def failing(step: str, fault: type[Exception]) -> Callable[[str], None]:
    def fail(at: str) -> None:
        if at == step:
            raise fault("The store is down.")

    return fail


def test_a_chain_is_charged_to_its_company_with_all_its_tokens_in_one_write(house: House) -> None:
    writes: list[str] = []
    house.world.whenever(writes.append)
    house.learns(knows("Rust"))
    house.post("t1", "I know Rust.")
    house.consolidate_all()
    calls = house.record("t1").usage
    assert len(calls) == 3
    assert used(house) == sum(call.input_tokens + call.output_tokens for call in calls)
    assert writes.count("after:budgets.spend") == 1


def test_a_chain_that_fails_half_way_is_charged_for_what_was_answered(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.script("consolidation", lambda _: error(503))
    house.post("t1", "I know Rust.")
    assert house.look() is not None
    assert used(house) == 128
    assert house.record("t1").attempts == 0


def test_what_could_not_be_written_is_written_with_the_next_chain(house: House) -> None:
    house.world.whenever(failing("before:budgets.spend", StoreUnavailable))
    for turn in ("t1", "t2"):
        house.model.queue("gate", "NOOP")
        house.post(turn, "Thanks.")
        house.work()
        assert house.record(turn).outcome is Outcome.NOOP
    assert house.world.telemetry.total("budget_unwritten_total") == 2
    house.world.whenever(lambda _: None)
    assert used(house) == 0

    house.model.queue("gate", "NOOP")
    house.post("t3", "Thanks.")
    house.work()
    calls = [call for turn in ("t1", "t2", "t3") for call in house.record(turn).usage]
    assert len(calls) == 3
    assert used(house) == sum(call.input_tokens + call.output_tokens for call in calls)


@pytest.mark.parametrize(("share", "gate"), [(0.79, "small"), (0.80, "smallest")])
def test_from_its_share_on_the_small_model_answers_the_gate_and_no_other_call(
    house: House, share: float, gate: str
) -> None:
    spend(house, int(BUDGET * share))
    house.learns(knows("Rust"))
    house.post("t1", "I know Rust.")
    house.work()
    assert models_asked(house, "gate") == [gate]
    assert models_asked(house, "consolidation") == models_asked(house, "scrub") == ["large"]
    assert "Knows Rust." in house.memory()


def test_a_company_that_saves_asks_the_gate_where_its_space_does_without(house: House) -> None:
    house.world.switches.spaces["acme", "s1"] = SpaceSettings(consolidation_gate_enabled=False)
    spend(house, 900_000)
    house.model.queue("gate", "NOOP")
    house.post("t1", "Thanks.")
    house.work()
    assert house.record("t1").outcome is Outcome.NOOP
    assert models_asked(house, "gate") == ["smallest"]


def test_a_company_that_saves_loses_nothing_when_the_gate_fails(house: House) -> None:
    spend(house, 900_000)
    house.learns(knows("Rust"), gate="I would rather not say.")
    house.post("t1", "I know Rust.")
    house.work()
    assert "Knows Rust." in house.memory()


def test_a_company_that_saves_does_not_pay_for_measuring_the_gate() -> None:
    with House(gate_miss_share=1.0) as house:
        allow(house, BUDGET)
        spend(house, 900_000)
        house.model.queue("gate", "NOOP")
        house.post("t1", "Thanks.")
        house.work()
        assert [asked.purpose for asked in house.model.asked()] == ["gate"]


def test_with_its_budget_used_up_the_doorbell_is_answered_and_the_turn_waits_untouched(house: House) -> None:
    spend(house, BUDGET)
    house.post("t1", "I know Rust.")
    before = house.record("t1")
    house.work()
    assert house.world.doorbells.receive() is None
    assert house.record("t1") == before
    assert (before.status, before.attempts, before.calls) == (TurnStatus.QUEUED, 0, 0)
    assert house.model.asked() == ()
    assert len(house.load().state.waiting) == 1


def test_a_turn_that_waits_for_the_budget_says_so(house: House) -> None:
    house.post("t1", "I know Rust.")
    assert turn_body(house.status(LENA, "t1"))["reason"] is None
    spend(house, BUDGET)
    told = turn_body(house.status(LENA, "t1"))
    assert (told["status"], told["reason"], told["outcome"]) == ("queued", "budget", None)
    assert told["step"] == {"title": "Updating your memory", "status": "running"}


def test_a_turn_that_has_ended_keeps_its_reason_whatever_the_budget(house: House) -> None:
    house.model.queue("gate", "NOOP")
    house.post("t1", "Thanks.")
    house.work()
    spend(house, BUDGET)
    assert turn_body(house.status(LENA, "t1"))["reason"] == "gate"


def test_the_status_is_told_without_that_reason_when_nobody_knows_the_flags(house: House) -> None:
    house.post("t1", "I know Rust.")
    spend(house, BUDGET)
    house.world.whenever(failing("before:switches.flags", FlagsUnavailable))
    assert turn_body(house.status(LENA, "t1"))["reason"] is None


def test_the_next_day_turns_are_stored_in_their_order(house: House) -> None:
    spend(house, BUDGET)
    for number, skill in enumerate(("Rust", "Go", "Zig")):
        house.post(f"t{number}", f"I know {skill}.")
        house.world.clock.advance(60)
        house.work()
    assert house.heal().rings == 0

    house.world.clock.advance((resets_at(house.world.clock.now()) - house.world.clock.now()).total_seconds())
    assert house.heal().rings == 1
    house.learns(knows("Rust", "Go", "Zig"))
    house.work()
    said = house.model.asked("consolidation")[-1].said_by("user")
    assert said.index("Rust") < said.index("Go") < said.index("Zig")
    assert {house.record(f"t{number}").outcome for number in range(3)} == {Outcome.UPDATED}
    assert house.record("t0").attempts == 1


def test_raising_the_budget_lets_turns_go_on_the_same_day(house: House) -> None:
    spend(house, BUDGET)
    house.post("t1", "I know Rust.")
    house.work()
    allow(house, 2 * BUDGET)
    assert house.heal().rings == 1
    house.learns(knows("Rust"))
    house.work()
    assert "Knows Rust." in house.memory()


def test_a_company_that_is_paused_pauses_no_other(house: House) -> None:
    other = UserKey("other", "lena")
    spend(house, BUDGET)
    for user in (LENA, other):
        house.post("t1", "I know Rust.", user)
    assert house.heal().rings == 1
    house.learns(knows("Rust"))
    house.work()
    assert "Knows Rust." in house.memory(other)
    assert house.memory() == ""


def test_a_user_with_many_turns_is_stopped_where_the_budget_ends() -> None:
    with House(coalesced_turns=1) as house:
        allow(house, 300)
        for turn in ("t1", "t2", "t3"):
            house.post(turn, "I know Rust.")
            house.learns(knows("Rust"))
        house.work()
        assert [house.record(turn).status for turn in ("t1", "t2", "t3")] == [
            TurnStatus.DONE, TurnStatus.QUEUED, TurnStatus.QUEUED,
        ]  # fmt: skip
        house.model.forget()


def test_each_step_is_counted_once_a_doorbell_and_told_without_ids(house: House) -> None:
    house.model.queue("gate", "NOOP")
    house.post("t1", "Thanks.")
    house.work()
    spend(house, 900_000)
    house.model.queue("gate", "NOOP")
    house.post("t2", "Thanks.")
    house.work()
    spend(house, BUDGET)
    house.post("t3", "Thanks.")
    house.work()
    telemetry = house.world.telemetry
    assert [telemetry.total("budget_steps_total", step=step) for step in ("full", "saving", "paused")] == [1, 1, 1]
    lines = [line for line in telemetry.lines if "budget" in line.phrase]
    assert [(line.level, line.fields["step"]) for line in lines] == [("info", "saving"), ("warning", "paused")]
    assert not {"acme", "lena", "t1", "t2", "t3"} & {str(value) for line in lines for value in line.fields.values()}


@pytest.mark.parametrize("fault", [StoreUnavailable, StoreRejected])
def test_counters_out_of_reach_do_not_stop_the_memory(house: House, fault: type[Exception]) -> None:
    spend(house, BUDGET)
    house.world.whenever(failing("before:budgets.used", fault))
    house.learns(knows("Rust"))
    house.post("t1", "I know Rust.")
    house.work()
    assert "Knows Rust." in house.memory()
    assert house.world.telemetry.total("budget_unknown_total") >= 1
    assert "a company's spending is unknown" in [line.phrase for line in house.world.telemetry.lines]


def test_a_process_that_dies_while_its_company_is_paused_loses_nothing(house: House) -> None:
    spend(house, BUDGET)
    house.post("t1", "I know Rust.")

    class Killed(BaseException):
        pass

    def die(step: str) -> None:
        if step == "after:budgets.used":
            raise Killed

    house.world.whenever(die)
    with pytest.raises(Killed):
        house.look()
    house.world.whenever(lambda _: None)
    house.restart()
    house.work()
    assert house.record("t1").attempts == 0
    house.world.clock.advance(timedelta(days=1).total_seconds())
    house.heal()
    house.learns(knows("Rust"))
    house.work()
    assert "Knows Rust." in house.memory()


def test_a_turn_from_before_an_erase_ends_while_its_company_is_paused(house: House) -> None:
    spend(house, BUDGET)
    house.post("t1", "I know Rust.")
    house.world.table.write_settings(LENA, UserSettings(epoch=1))
    house.work()
    assert house.record("t1").outcome is Outcome.DROPPED_ERASED
    assert house.world.payloads.stored(LENA) == []


def test_a_dead_turn_can_be_redriven_while_its_company_is_paused_and_waits_with_the_others(house: House) -> None:
    house.post("t1", "I know Rust.")
    record = house.record("t1")
    for _ in range(5):
        record = house.world.table.start(LENA, record, house.world.clock.now()) or record
    house.work()
    assert house.record("t1").status is TurnStatus.DEAD
    spend(house, BUDGET)
    house.redrive(LENA, "t1")
    house.work()
    assert (house.record("t1").status, house.record("t1").attempts) == (TurnStatus.QUEUED, 0)
