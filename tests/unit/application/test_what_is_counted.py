"""What an operator sees of loads, turns and rounds of maintain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.spending import day_of, resets_at
from tests.support import scripted_answers as says
from tests.support.house import LENA, body

if TYPE_CHECKING:
    from tests.support.house import House

BASEL = "I live in Basel."


def out_of_reach(step: str) -> None:
    if step == "before:table.state":
        raise StoreUnavailable("DynamoDB is out of reach.")


def test_a_load_that_fails_is_one_of_all_loads(house: House) -> None:
    house.load()
    house.world.whenever(out_of_reach)
    with pytest.raises(StoreUnavailable):
        house.load()
    seen = house.world.telemetry
    assert (seen.total("load_total", outcome="empty"), seen.total("load_total", outcome="error")) == (1, 1)
    assert [one.value for one in seen.counts if one.metric == "load_failed"] == [0, 1]
    assert {one.dimensions["outcome"] for one in seen.counts if one.metric == "load_duration_seconds"} == {
        "empty",
        "error",
    }


def test_the_size_of_a_profile_is_told_when_it_is_stored_and_when_it_is_shown(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", BASEL)
    house.work()
    shown = house.load().view
    assert shown is not None
    seen = house.world.telemetry
    assert seen.total("memory_length_tokens", phase="load") == shown.tokens
    assert seen.total("memory_length_chars", phase="load") == len(shown.memory)
    assert seen.total("memory_length_tokens", phase="write") == shown.tokens
    assert seen.total("memory_length_chars", phase="write") > len(shown.memory)  # with its frontmatter


@pytest.mark.parametrize(
    ("answer", "scrub", "result"),
    [
        (body(identity=["Lives in Basel."]), "CLEAN", "rewritten"),
        (body(identity=["Lives in Basel."]), says.text("Certainly!"), "scrub_veto"),
        ("NOOP", "CLEAN", "noop"),
        (body(), "CLEAN", "unchanged"),
        (says.text("Certainly!"), "CLEAN", "malformed"),
        (says.refusal(), "CLEAN", "model_rejected"),
    ],
)
def test_the_result_of_a_rewrite_has_a_name(house: House, answer: object, scrub: object, result: str) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: answer)  # type: ignore[arg-type, return-value]  # an answer or its text
    house.model.script("scrub", lambda _: scrub)  # type: ignore[arg-type, return-value]  # likewise
    house.post("t1", BASEL)
    house.work()
    seen = house.world.telemetry
    results = {one.dimensions["result"] for one in seen.counts if one.metric == "consolidation_results_total"}
    assert results == {result}
    vetoes = [one.value for one in seen.counts if one.metric == "scrub_vetoed"]
    assert vetoes == {"rewritten": [0], "scrub_veto": [1]}.get(result, [])


def test_a_gate_that_says_nothing_counts_as_one_of_all_gates(house: House) -> None:
    house.model.queue("gate", "Well, that depends.", "NOOP")
    house.model.queue("consolidation", "NOOP")
    for turn in ("t1", "t2"):
        house.post(turn, BASEL)
        house.work()
    assert [one.value for one in house.world.telemetry.counts if one.metric == "gate_failed_open"] == [1, 0]


def test_a_key_that_is_refused_is_told_apart_from_other_faults_of_the_model(house: House) -> None:
    house.model.script("gate", lambda _: says.error(401))
    house.post("t1", BASEL)
    house.look()
    seen = house.world.telemetry
    assert seen.total("model_access_denied_total") == 1
    assert seen.total("llm_errors_total", purpose="gate", model="small", error_type="ModelAccessDenied") == 1
    assert seen.total("errors_total", stage="gate", error_type="ModelAccessDenied") == 1
    assert seen.total("postprocessor_total", outcome="waiting") == 1
    assert [one.dimensions["outcome"] for one in seen.counts if one.metric == "postprocessor_duration_seconds"] == [
        "waiting"
    ]


def test_a_round_of_maintain_tells_how_long_the_oldest_turn_has_waited(house: House) -> None:
    house.heal()
    house.post("t1", BASEL)
    house.world.clock.advance(3600)
    house.post("t2", BASEL)
    house.world.clock.advance(60)
    house.heal()
    ages = [one.value for one in house.world.telemetry.counts if one.metric == "open_turn_age_seconds"]
    assert ages == [0, 3660]


def test_turns_that_wait_for_a_budget_wait_for_a_worker_only_from_the_next_day_on(house: House) -> None:
    house.world.switches.companies["acme"] = CompanyFlags(context_memory=True, daily_tokens=1000)
    now = house.world.clock.now()
    house.world.budgets.spend("acme", 1000, day_of(now))
    house.post("t1", BASEL, web_search=False)
    house.world.clock.advance((resets_at(now) - now).total_seconds() - 60)
    house.heal()
    house.world.clock.advance(60 + 300)
    house.heal()
    assert [one.value for one in house.world.telemetry.counts if one.metric == "open_turn_age_seconds"] == [0, 300]


def test_a_round_of_maintain_tells_how_many_turns_were_given_up(house: House) -> None:
    house.post("t1", BASEL)
    record = house.record("t1")
    house.heal()
    house.world.table.bury(LENA, record, reason="crashed")
    house.heal()
    assert [one.value for one in house.world.telemetry.counts if one.metric == "dead_turns"] == [0, 1]
