from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from context_memory.application.answers import load_body, memory_headers, turn_body
from context_memory.application.steps import GATE, updating_step
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import UnknownTurn
from context_memory.domain.outcomes import Outcome, TurnStatus
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from collections.abc import Mapping


def shown(house: House) -> Mapping[str, object]:
    told = load_body(house.load())
    json.dumps(told)
    return told


def test_a_loaded_memory_says_what_it_is_how_fresh_and_what_to_show(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.clock.advance(1)
    house.post("t2", "I write Rust.")
    told = shown(house)
    assert set(told) == {
        "enabled", "reason", "memory", "prompt", "prompt_tokens", "version", "freshness", "step",
    }  # fmt: skip
    assert (told["enabled"], told["reason"]) == (True, None)
    assert told["freshness"] == {"consolidated_through": "2026-01-05T09:30:00+00:00", "pending": 1, "failed": 0}
    version = told["version"]
    assert isinstance(version, dict)
    assert (version["turn_count"], version["last_updated"]) == (1, "2026-01-05T09:30:00+00:00")
    loaded = house.load()
    headers = memory_headers(loaded.state, loaded.etag)
    assert headers["x-memory-pending"] == "1"
    assert headers["x-memory-consolidated-through"] == "2026-01-05T09:30:00+00:00"
    assert headers["etag"].startswith('"')


def test_without_a_memory_there_is_nothing_to_show_and_the_step_has_no_entry(house: House) -> None:
    told = shown(house)
    assert (told["memory"], told["prompt"], told["prompt_tokens"], told["version"]) == (None, None, 0, None)
    assert told["step"] == {"title": "Loading context memory", "status": "completed"}


def test_where_memory_is_off_the_reason_is_told_and_no_step(house: House) -> None:
    house.world.switches.companies["acme"] = CompanyFlags()
    told = shown(house)
    assert (told["enabled"], told["reason"], told["memory"], told["step"]) == (False, "company_off", None, None)


def test_a_turn_is_told_with_its_calls(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    before = turn_body(house.status(LENA, "t1"))
    assert (before["status"], before["outcome"], before["usage"]) == ("queued", None, [])
    house.work()
    after = turn_body(house.status(LENA, "t1"))
    assert (after["status"], after["outcome"], after["attempts"]) == ("done", "updated", 1)
    usage = after["usage"]
    assert isinstance(usage, list)
    assert usage[0] == {
        "purpose": "gate", "model": "small", "input_tokens": 120, "cached_tokens": 64, "output_tokens": 8,
    }  # fmt: skip
    json.dumps(after)


def test_an_unknown_turn_is_an_error(house: House) -> None:
    with pytest.raises(UnknownTurn):
        house.status(LENA, "t1")


TITLE = {"title": "Updating your memory"}
REVIEW = {"type": "UserMemory", "text": "Review your context memory"}
FAILING = sorted(
    set(Outcome)
    - {Outcome.UPDATED, Outcome.UPDATED_PARTIAL, Outcome.FORGOTTEN, Outcome.NOOP, Outcome.UNCHANGED}
    - {Outcome.SKIPPED_BLANK, Outcome.DROPPED_DISABLED, Outcome.DROPPED_ERASED, Outcome.DROPPED_SUPERSEDED}
)


@pytest.mark.parametrize("outcome", [Outcome.UPDATED, Outcome.UPDATED_PARTIAL, Outcome.FORGOTTEN])
def test_a_stored_change_is_completed_and_can_be_reviewed(outcome: Outcome) -> None:
    step = updating_step(TurnStatus.DONE, outcome, None, stored=True)
    assert step == TITLE | {"status": "completed", "entry": REVIEW}


@pytest.mark.parametrize("outcome", [Outcome.NOOP, Outcome.UNCHANGED])
def test_nothing_to_change_is_completed_without_a_review(outcome: Outcome) -> None:
    assert updating_step(TurnStatus.DONE, outcome, None, stored=False) == TITLE | {"status": "completed"}


@pytest.mark.parametrize("outcome", FAILING)
def test_what_failed_is_never_called_completed(outcome: Outcome) -> None:
    step = updating_step(TurnStatus.DONE, outcome, None, stored=False)
    assert step == TITLE | {"status": "failed", "reason": outcome.value}


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome.NOOP, GATE),
        (Outcome.SKIPPED_BLANK, None),
        (Outcome.DROPPED_DISABLED, None),
        (Outcome.DROPPED_ERASED, None),
        (Outcome.DROPPED_SUPERSEDED, None),
    ],
)
def test_what_concerns_nobody_shows_no_step(outcome: Outcome, reason: str | None) -> None:
    assert updating_step(TurnStatus.DONE, outcome, reason, stored=False) is None


@pytest.mark.parametrize("status", [TurnStatus.QUEUED, TurnStatus.RUNNING, TurnStatus.RETRYING])
def test_a_turn_on_its_way_is_running(status: TurnStatus) -> None:
    assert updating_step(status, None, None, stored=False) == TITLE | {"status": "running"}


def test_a_dead_turn_has_failed_for_a_reason() -> None:
    step = updating_step(TurnStatus.DEAD, None, "call_budget", stored=False)
    assert step == TITLE | {"status": "failed", "reason": "call_budget"}


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("status", TurnStatus)
@pytest.mark.parametrize("outcome", [None, *Outcome])
@pytest.mark.parametrize("reason", [None, GATE, "crashed"])
def test_a_step_is_completed_only_where_the_turn_has_ended_well(
    outcome: Outcome | None, status: TurnStatus, reason: str | None, *, stored: bool
) -> None:
    step = updating_step(status, outcome, reason, stored=stored)
    if step is None:
        assert outcome is not None
        assert outcome in set(Outcome) - set(FAILING) - {Outcome.UPDATED, Outcome.UPDATED_PARTIAL, Outcome.FORGOTTEN}
        return
    well = outcome is not None and outcome.success
    given_up = outcome is None and status is TurnStatus.DEAD
    assert (step["status"] == "completed") is well
    assert (step["status"] == "failed") is ((outcome is not None and not well) or given_up)
    assert (step["status"] == "failed") is ("reason" in step)
    assert ("entry" in step) is (stored and outcome is not None)


def test_a_turn_that_stored_something_and_left_a_pin_alone_has_failed_and_can_be_reviewed() -> None:
    step = updating_step(TurnStatus.DONE, Outcome.PINNED_CONFLICT, None, stored=True)
    assert step == TITLE | {"status": "failed", "reason": "pinned_conflict", "entry": REVIEW}
