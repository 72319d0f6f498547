"""A company near the end of its daily budget, and past it, on the deployed stacks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import Credentials

from context_memory.domain.ids import UserKey
from infra.environments import LOCAL
from infra.operate.switchboard import IMMEDIATE, Switchboard
from tests.support.administrators import caller_of, new_company, switch
from tests.support.deployed import Somebody, eventually
from tests.support.mishaps import Killed, Mishaps, ServiceProcess, configured, silence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

SMALL = "scripted-small"
RICH = 10**9
USED_UP = {"DAILY_TOKENS": "1"}


@pytest.fixture
def used(learning: Deployed) -> int:
    """What the company has used today: at least all the tokens of one turn, whose chain and facts are over."""
    somebody, before = learning.newcomer(), spent(learning)
    somebody.post("t1", "I know Ada.")
    cost = tokens_of(usage_of(somebody, "t1"))
    return eventually(lambda: spent(learning), lambda tokens: tokens >= before + cost)


@pytest.fixture
def paused(learning: Deployed, used: int) -> Iterator[Deployed]:
    """The service with a budget that is used up, for every function that asks."""
    assert used >= 1
    with (
        configured(learning, "consolidate", **USED_UP),
        configured(learning, "ingest", **USED_UP),
        configured(learning, "maintain", **USED_UP),
    ):
        yield learning


def spent(deployed: Deployed, company_id: str | None = None) -> int:
    """Tokens of all of a company's counters; of the usual one, unless said otherwise."""
    outputs = deployed.local.outputs
    found = deployed.dynamodb.query(
        TableName=outputs.company_table,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"{company_id or outputs.company_id}##budget"}},
        ConsistentRead=True,
    )
    return sum(int(item["tokens"]["N"]) for item in found["Items"])


def switchboard(deployed: Deployed) -> Switchboard:
    """The operator's switches."""
    emulated = deployed.local.emulated
    return Switchboard(emulated.appconfig, emulated.names)


def allow(deployed: Deployed, daily_tokens: int | None) -> None:
    """What the operator switches for the company, in force at once and seen by every function a second later."""
    change = {"daily_tokens": daily_tokens}
    switchboard(deployed).switch(deployed.local.outputs.company_id, change, speed=IMMEDIATE)
    time.sleep(1.5)


def doorbells(deployed: Deployed) -> int:
    """How many wait or are held; a worker that ended while it was configured anew holds its own for half an hour."""
    queue = deployed.local.outputs.queue_url
    attributes = deployed.local.emulated.sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["All"])["Attributes"]
    waiting, held = attributes["ApproximateNumberOfMessages"], attributes["ApproximateNumberOfMessagesNotVisible"]
    return int(waiting) + int(held)


def usage_of(somebody: Somebody, turn_id: str) -> list[dict[str, Any]]:
    """Every call for a turn; facts are extracted last, behind the end of its chain."""

    def usage() -> list[dict[str, Any]]:
        return list(somebody.turn(turn_id)["usage"])

    return eventually(usage, lambda calls: any(call["purpose"] == "extraction" for call in calls))


def tokens_of(usage: list[dict[str, Any]]) -> int:
    """What counts of these calls."""
    return sum(call["input_tokens"] + call["output_tokens"] for call in usage)


def models_asked(deployed: Deployed, turn_id: str) -> dict[str, str]:
    """Which model answered which call of a turn."""
    return {asked.purpose: asked.body["model"] for asked in deployed.model.asked() if turn_id in asked.turns}


def test_a_turn_is_charged_to_its_company_with_all_the_tokens_of_its_chain_and_of_its_facts(
    learning: Deployed,
) -> None:
    company = new_company()  # no other test spends of its budget
    switch(switchboard(learning), company, on=True)
    mia = Somebody(learning, UserKey(company, "mia"), caller_of(learning, company))
    eventually(lambda: mia.post("t1", "I know Rust."), lambda answer: answer.status_code == 202)
    usage = usage_of(mia, "t1")
    assert [call["purpose"] for call in usage] == ["gate", "consolidation", "scrub", "extraction"]
    cost = tokens_of(usage)
    assert eventually(lambda: spent(learning, company), lambda tokens: tokens >= cost) == cost


def test_near_its_budget_the_small_model_answers_the_gate_and_the_turn_is_stored_all_the_same(
    learning: Deployed, lena: Somebody, used: int
) -> None:
    # It saves already, and is far from its end: the turn's own facts do not wait.
    with configured(learning, "consolidate", DAILY_TOKENS=str(used * 10), SAVING_SHARE="0.05", SMALL_MODEL=SMALL):
        lena.post("saving-1", "I know Rust.")
        assert lena.done("saving-1")["outcome"] == "updated"
    asked = eventually(lambda: models_asked(learning, "saving-1"), lambda models: "extraction" in models)
    assert asked.pop("gate") == SMALL
    assert asked == {"consolidation": "scripted", "scrub": "scripted", "extraction": "scripted"}
    assert "Knows Rust." in lena.memory()


def test_past_its_budget_turns_wait_untouched_and_go_on_in_order_once_it_is_raised(
    paused: Deployed, lena: Somebody
) -> None:
    before = doorbells(paused)
    lena.post("paused-1", "I know Rust.")
    lena.post("paused-2", "I know Go.", occurred_at="2026-06-17T11:41:00Z")
    eventually(lambda: doorbells(paused), lambda left: left <= before)
    for turn_id in ("paused-1", "paused-2"):
        told = lena.turn(turn_id)
        assert (told["status"], told["reason"], told["attempts"]) == ("queued", "budget", 0)
        assert models_asked(paused, turn_id) == {}
    assert lena.load().json()["freshness"]["pending"] == 2
    assert paused.invoke("maintain", {"job": "heal"})["rings"] == 0

    allow(paused, RICH)
    try:
        assert paused.invoke("maintain", {"job": "heal"})["rings"] >= 1
        assert [lena.done(turn_id)["outcome"] for turn_id in ("paused-1", "paused-2")] == ["updated", "updated"]
    finally:
        allow(paused, None)
    (asked,) = [asked for asked in paused.model.asked("consolidation") if "paused-1" in asked.turns]
    assert asked.turns == ("paused-1", "paused-2")
    assert lena.memory().index("Knows Rust.") < lena.memory().index("Knows Go.")


def test_a_kill_at_any_request_while_paused_loses_nothing(
    paused: Deployed, lena: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", paused.environment("consolidate")["TIKTOKEN_CACHE_DIR"])
    with silence(paused):
        ServiceProcess(paused).post(lena.key, "killed-1", "I know Rust.")
        before = lena.items("TURN#")
        calm = ServiceProcess(paused)
        calm.look(lena.key)
        assert calm.mishaps.seen[-1] == "dynamodb.Query"  # what the company has used is looked up last
        for number in range(len(calm.mishaps.seen)):
            with pytest.raises(Killed):
                ServiceProcess(paused, Mishaps(kill_before=number)).look(lena.key)
        assert lena.items("TURN#") == before
        with configured(paused, "consolidate", DAILY_TOKENS=str(RICH)):
            ServiceProcess(paused).look(lena.key)
    assert lena.turn("killed-1")["outcome"] == "updated"
    assert "Knows Rust." in lena.memory()


def test_administrators_see_what_their_company_has_used_today(learning: Deployed, used: int) -> None:
    company = learning.local.outputs.company_id
    caller = learning.local.caller(company, "administrator")
    keys = Credentials(caller.access_key_id, caller.secret_access_key)
    answer = learning.call("GET", f"/v1/companies/{company}", keys=keys)
    assert answer.status_code == 200, answer.text
    budget = answer.json()["budget"]
    assert (budget["daily_tokens"], budget["step"]) == (LOCAL.budget.daily_tokens, "full")
    assert used <= budget["used"] <= spent(learning)
    assert budget["resets_at"].endswith("T00:00:00+00:00")


def test_no_more_doorbells_are_answered_side_by_side_than_the_models_rate_limit_carries(deployed: Deployed) -> None:
    name = deployed.local.outputs.functions["consolidate"]
    (mapping,) = deployed.functions.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]
    assert mapping["ScalingConfig"] == {"MaximumConcurrency": LOCAL.models.workers}


def test_our_functions_may_count_and_read_what_companies_spend(learning: Deployed, used: int) -> None:
    assert used >= 1
    for function in ("consolidate", "ingest", "maintain"):
        assert not [line for line in learning.lines_of(function) if "spending is unknown" in line]
        assert not [line for line in learning.lines_of(function) if "could not write down what was spent" in line]
