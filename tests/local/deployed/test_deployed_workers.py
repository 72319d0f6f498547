"""Lambda's own worker processes, killed while they wait for the model: no code of ours runs on its way out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import scripted_answers as says
from tests.support.deployed import eventually
from tests.support.mishaps import configured
from tests.support.worker_processes import coming_back_after, kill_workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed, Somebody
    from tests.support.scripted_model import Asked

pytestmark = pytest.mark.deployed

VISIBILITY_SECONDS = "4"
"""Longer than a worker takes to start and to be killed; on a busy machine a second one may still get the doorbell."""
MOST_ATTEMPTS = 5


@pytest.fixture
def impatient(deployed: Deployed) -> Iterator[None]:
    """A doorbell whose worker is gone comes back after seconds, not after half an hour; and a worker lives as long."""
    queue = deployed.local.outputs.queue_url
    with (
        coming_back_after(deployed, queue, VISIBILITY_SECONDS),
        configured(deployed, "consolidate", LIMIT_RUN_SECONDS="1"),
    ):
        yield


def hang_on(deployed: Deployed, turn_id: str) -> None:
    """Let the gate be silent about one turn."""

    def gate(asked: Asked) -> says.Answer | str:
        return says.hang() if turn_id in asked.turns else "UPDATE"

    deployed.model.script("gate", gate)


def asked_about(deployed: Deployed, turn_id: str) -> int:
    return sum(turn_id in asked.turns for asked in deployed.model.asked("gate"))


def hanging_again_or_dead(somebody: Somebody, turn_id: str, met: int) -> dict[str, Any]:
    """The turn once a worker waits for the gate's word about it, after the first `met`, or once it is given up."""
    return eventually(
        lambda: somebody.turn(turn_id),
        lambda turn: turn["status"] == "dead" or asked_about(somebody.deployed, turn_id) > met,
    )


def dead_letters(somebody: Somebody) -> list[dict[str, str]]:
    """What the dead-letter queue says of a user; what it says of others, whose tests are over, goes."""
    sqs, queue = somebody.deployed.local.emulated.sqs, somebody.deployed.local.outputs.dead_letter_queue_url
    found: list[dict[str, str]] = []
    while messages := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
        for message in messages:
            found.append(json.loads(message["Body"]))
            sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
    return [letter for letter in found if letter["user_id"] == somebody.key.user_id]


@pytest.mark.usefixtures("impatient")
def test_a_turn_whose_worker_was_killed_comes_back_and_is_stored_once(learning: Deployed, lena: Somebody) -> None:
    hang_on(learning, "t1")
    lena.post("t1", "I know Rust.")
    eventually(lambda: asked_about(learning, "t1"), bool)
    running = lena.turn("t1")
    assert (running["status"], running["attempts"] >= 1) == ("running", True)
    learning.model.script("gate", lambda _: "UPDATE")
    kill_workers(learning, "consolidate")
    turn = lena.done("t1")
    assert turn["outcome"] == "updated"
    assert turn["attempts"] >= 2
    loaded = lena.load().json()
    assert loaded["memory"].count("Knows Rust.") == 1
    assert loaded["version"]["turn_count"] == 1
    assert loaded["freshness"]["pending"] == 0
    assert len(lena.versions()) == len(lena.items("REVISION#")) == 1
    lena.let_go()


@pytest.mark.usefixtures("impatient")
def test_a_turn_that_kills_five_workers_is_given_up_and_blocks_nobody(learning: Deployed, lena: Somebody) -> None:
    other = learning.newcomer()
    dead_letters(lena)
    hang_on(learning, "poison")
    lena.post("poison", "I know Rust.")
    eventually(lambda: asked_about(learning, "poison"), bool)
    lena.post("t2", "I know Go.", occurred_at="2026-06-17T11:41:00Z")
    other.post("t1", "I know Python.")
    assert other.done("t1")["outcome"] == "updated"
    met = 0
    while (dead := hanging_again_or_dead(lena, "poison", met))["status"] != "dead":
        assert lena.turn("t2")["status"] == "queued"  # order is kept as long as there is hope
        kill_workers(learning, "consolidate")
        met = asked_about(learning, "poison")
    assert (dead["status"], dead["outcome"], dead["reason"]) == ("dead", None, "crashed")
    assert (dead["attempts"], dead["step"]["status"]) == (MOST_ATTEMPTS, "failed")
    assert lena.done("t2")["outcome"] == "updated"
    loaded = lena.load().json()
    assert "- Knows Go." in loaded["memory"]
    assert (loaded["freshness"]["pending"], loaded["freshness"]["failed"]) == (0, 1)
    assert dead_letters(lena) == [
        {"company_id": lena.key.company_id, "user_id": lena.key.user_id, "turn_id": "poison", "reason": "crashed"}
    ]

    learning.model.script("gate", lambda _: "UPDATE")
    job = {"job": "redrive", "company_id": lena.key.company_id, "user_id": lena.key.user_id, "turn_id": "poison"}
    assert learning.invoke("maintain", job) == {"redriven": 1, "status": "queued"}
    assert lena.done("poison")["outcome"] == "updated"
    loaded = lena.load().json()
    assert {"- Knows Go.", "- Knows Rust."} <= set(loaded["memory"].splitlines())
    assert loaded["freshness"]["failed"] == 0
    lena.let_go()
