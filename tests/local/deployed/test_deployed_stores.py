"""Our use cases over the deployed stores: races and deaths that HTTP alone cannot stage."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from context_memory.application.asking.deadline import Deadline
from context_memory.bootstrap.consolidate import consolidate
from context_memory.domain.outcomes import Outcome
from context_memory.domain.turn import TurnRecord
from tests.support.deployed import Deployed, Somebody, eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.application.consolidate.worker import Consolidate

pytestmark = pytest.mark.deployed


@pytest.fixture
def as_the_service(deployed: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our adapters in this process find the emulator, with the keys that consolidate runs with."""
    keys = deployed.keys_of("consolidate")
    for name, value in {
        "AWS_ENDPOINT_URL": deployed.local.outputs.endpoint_url,
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_SESSION_TOKEN": keys["SessionToken"],
        "AWS_REGION": deployed.local.outputs.region,
        "AWS_DEFAULT_REGION": deployed.local.outputs.region,
        "AWS_EC2_METADATA_DISABLED": "true",
        "TIKTOKEN_CACHE_DIR": deployed.environment("consolidate")["TIKTOKEN_CACHE_DIR"],
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    assert os.environ["AWS_ENDPOINT_URL"].startswith("http://localhost")


@pytest.fixture
def silent(deployed: Deployed, as_the_service: None) -> Iterator[None]:  # noqa: ARG001 - the order of fixtures
    """Nobody answers doorbells but the test itself."""
    queue = deployed.local.outputs.queue_url
    (mapping,) = deployed.functions.list_event_source_mappings(
        FunctionName=deployed.local.outputs.functions["consolidate"]
    )["EventSourceMappings"]
    deployed.functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)
    yield
    deployed.local.emulated.sqs.purge_queue(QueueUrl=queue)
    deployed.functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=True)


def worker(deployed: Deployed, **variables: str) -> Consolidate:
    return consolidate(deployed.environment("consolidate") | variables).work


def look(consolidate: Consolidate, somebody: Somebody) -> None:
    assert consolidate(somebody.key, Deadline.within(consolidate.attempts.clock, 250)) is None


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(("limit", "counts"), [("1", 2), ("10", 1)])
def test_two_consolidations_of_one_user_at_the_same_moment_keep_both_facts(
    learning: Deployed, lena: Somebody, limit: str, counts: int
) -> None:
    lena.post("t1", "I know Rust.")
    lena.post("t2", "I know Go.", occurred_at="2026-06-17T11:41:00Z")
    workers = [worker(learning, LIMIT_COALESCED_TURNS=limit) for _ in range(2)]
    start = Barrier(2)

    def run(consolidate: Consolidate) -> None:
        start.wait()
        look(consolidate, lena)

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(run, one) for one in workers]:
            done.result(timeout=60)
    look(workers[0], lena)
    memory = lena.memory()
    assert (memory.count("Knows Rust."), memory.count("Knows Go.")) == (1, 1)
    assert lena.load().json()["version"]["turn_count"] == counts
    learning.invoke("maintain", {"job": "heal"})
    workers[0].run.commit.sweep(lena.key)
    assert len(lena.versions()) == counts
    assert {lena.turn(turn)["outcome"] for turn in ("t1", "t2")} == {"updated"}


@pytest.mark.usefixtures("silent")
def test_a_version_put_by_a_process_that_died_is_overwritten_and_swept(learning: Deployed, lena: Somebody) -> None:
    consolidate = worker(learning)
    consolidate.run.objects.put(lena.key, b"never committed", replaces=None)
    assert lena.memory() == ""
    lena.post("t1", "I know Rust.")
    look(consolidate, lena)
    assert "Knows Rust." in lena.memory()
    assert len(lena.versions()) == 1


@pytest.mark.usefixtures("silent")
def test_a_transaction_whose_answer_was_lost_is_not_done_twice(learning: Deployed, lena: Somebody) -> None:
    from context_memory.domain.errors import StoreUnavailable  # noqa: PLC0415 - used here alone
    from context_memory.ports.users import Settlement  # noqa: PLC0415, TC001 - likewise

    consolidate = worker(learning)
    table = consolidate.run.table
    settle = table.settle
    lost: list[Settlement] = []

    def losing(settlement: Settlement) -> None:
        settle(settlement)
        if not lost:
            lost.append(settlement)
            raise StoreUnavailable("The answer was lost.")

    object.__setattr__(table, "settle", losing)
    lena.post("t1", "I know Rust.")
    look(consolidate, lena)
    assert lost
    assert lena.memory().count("Knows Rust.") == 1
    assert lena.load().json()["version"]["turn_count"] == 1
    assert len(lena.versions()) == 1


@pytest.mark.usefixtures("silent")
def test_a_turn_that_was_accepted_but_never_rung_for_is_healed(learning: Deployed, lena: Somebody) -> None:
    lena.post("t1", "I know Rust.")
    learning.local.emulated.sqs.purge_queue(QueueUrl=learning.local.outputs.queue_url)
    assert learning.invoke("maintain", {"job": "heal"})["rings"] >= 1
    look(worker(learning), lena)
    assert "Knows Rust." in lena.memory()


@pytest.mark.usefixtures("silent")
def test_a_dead_turn_is_visible_can_be_redriven_and_is_then_stored(learning: Deployed, lena: Somebody) -> None:
    consolidate = worker(learning)
    lena.post("t1", "I know Rust.")
    for _ in range(5):
        record = consolidate.table.turn(lena.key, "t1")
        assert isinstance(record, TurnRecord)
        consolidate.table.start(
            lena.key, record, record.accepted_at - timedelta(hours=1)
        )  # five processes that died at once
    look(consolidate, lena)
    dead = lena.turn("t1")
    assert (dead["status"], dead["reason"], dead["step"]["status"]) == ("dead", "crashed", "failed")
    assert lena.load().json()["freshness"] == {"consolidated_through": None, "pending": 0, "failed": 1}
    lena.post("t2", "I know Go.", occurred_at="2026-06-17T11:41:00Z")
    look(consolidate, lena)
    assert lena.turn("t2")["outcome"] == "updated"
    assert learning.invoke("maintain", {"job": "redrive", "turn_id": "t1", **_ids(lena)}) == {
        "redriven": 1,
        "status": "queued",
    }
    look(consolidate, lena)
    assert lena.turn("t1")["outcome"] == Outcome.UPDATED
    assert {"Knows Go.", "Knows Rust."} <= {line[2:] for line in lena.memory().splitlines()}


def _ids(somebody: Somebody) -> dict[str, str]:
    return {"company_id": somebody.key.company_id, "user_id": somebody.key.user_id}


@pytest.mark.usefixtures("as_the_service")
def test_acceptance_and_consolidation_from_end_to_end_wait_for_a_model_that_is_down(
    learning: Deployed, lena: Somebody
) -> None:
    from tests.support import scripted_answers as says  # noqa: PLC0415 - used here alone

    learning.model.script("gate", lambda _: says.slow_down("1"))
    turns = [f"t{number}-{uuid4().hex[:4]}" for number in range(4)]
    for number, turn in enumerate(turns):
        lena.post(turn, f"I know language {number}.", occurred_at=f"2026-06-17T11:4{number}:00Z")
    eventually(lambda: lena.turn(turns[0])["status"], lambda status: status == "retrying")
    learning.model.script("gate", lambda _: "UPDATE")
    for turn in turns:
        done = lena.done(turn)
        assert (done["outcome"], done["attempts"]) == ("updated", 1)
    known = [line for line in lena.memory().splitlines() if "Knows" in line]
    assert known == [f"- Knows language {number}." for number in range(4)]
