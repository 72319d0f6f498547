"""What a user says stands in the profile and, while it waits, in its payload; nowhere else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.secrets import KeyedHasher
from infra.names import Names
from tests.support import scripted_answers as says
from tests.support.deployed import eventually

if TYPE_CHECKING:
    from tests.support.deployed import Deployed, Somebody
    from tests.support.scripted_model import Asked

pytestmark = pytest.mark.deployed

CANARY = "zanzibar-4711-canary"


def _messages(deployed: Deployed, queue_url: str) -> str:
    found = deployed.local.emulated.sqs.receive_message(
        QueueUrl=queue_url, MaxNumberOfMessages=10, VisibilityTimeout=0, AttributeNames=["All"]
    )
    return json.dumps(found.get("Messages", []))


def _users_in(deployed: Deployed, function: str, phrase: str) -> set[str | None]:
    lines = (line for line in deployed.lines_of(function) if phrase in line)
    return {json.loads(line).get("user") for line in lines}


def _hash_of(somebody: Somebody) -> str:
    """What stands for a user in lines, from the secret of the environment."""
    local = somebody.deployed.local
    names = Names(environment="local", account=local.outputs.account, region=local.outputs.region)
    key = local.emulated.secrets.get_secret_value(SecretId=names.hash_secret)["SecretString"]
    return KeyedHasher(lambda: key).digest("user", somebody.key.partition)[:16]


def test_no_queue_log_or_table_holds_what_was_said(deployed: Deployed, lena: Somebody) -> None:
    """Through every mishap that the model can bring about."""
    said = f"I know {CANARY}."
    faults = [
        says.error(400, {"message": CANARY}),
        says.error(500, {"message": CANARY}),
        says.refusal(CANARY),
        says.text(CANARY),
        says.slow_down("1"),
        says.Answer(hangs_up=True),
    ]
    for number, fault in enumerate(faults):
        answers = iter([fault, fault, fault])

        def consolidation(_: Asked, answers: object = answers) -> says.Answer | str:
            return next(answers, "NOOP")  # type: ignore[call-overload, no-any-return]  # an iterator of answers

        deployed.model.script("gate", lambda _: "UPDATE")
        deployed.model.script("consolidation", consolidation)
        lena.post(f"t{number}", said, occurred_at=f"2026-06-17T11:4{number}:00Z")
        lena.done(f"t{number}")
    lena.post("bad", said, occurred_at=CANARY)
    queues = deployed.local.outputs.queue_url, deployed.local.outputs.dead_letter_queue_url
    for queue in queues:
        assert CANARY not in _messages(deployed, queue)
    lena.load()
    deployed.invoke("maintain", {"job": "heal"})
    for function in ("load", "ingest", "consolidate", "maintain"):
        lines = eventually(lambda function=function: deployed.lines_of(function), bool)  # type: ignore[misc]  # a lambda's default has no type
        assert CANARY not in "\n".join(lines), function
        assert lena.key.user_id not in "\n".join(lines), function
        assert any('"_aws"' in line for line in lines), function  # metrics stand among them
    for function, phrase in (("consolidate", "turns ended without success"), ("ingest", "refused a request")):
        eventually(
            lambda function=function, phrase=phrase: _users_in(deployed, function, phrase),  # type: ignore[misc]  # a lambda's default has no type
            lambda users: _hash_of(lena) in users,
        )
    assert CANARY not in deployed.local.log()
    assert CANARY not in json.dumps(lena.items(), default=str)
    assert lena.payloads() == []


def test_a_dead_letter_names_the_turn_and_the_reason_alone(deployed: Deployed, lena: Somebody) -> None:
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: says.refusal())
    lena.post("t1", f"I know {CANARY}.")
    assert lena.done("t1")["outcome"] == "model_rejected"
    assert CANARY not in deployed.local.log()
    assert eventually(lena.payloads, lambda keys: keys == []) == []
