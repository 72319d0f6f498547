"""What a user says stands in the profile and, while it waits, in its payload; nowhere else."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.secrets import KeyedHasher
from infra.names import FUNCTIONS, Names
from tests.support import scripted_answers as says
from tests.support.administrators import Administrator
from tests.support.deployed import eventually
from tests.support.deployed_facts import FactsOf
from tests.support.end_users import Owner
from tests.support.listener import Listener

if TYPE_CHECKING:
    from tests.support.deployed import Deployed, Somebody
    from tests.support.scripted_model import Asked

pytestmark = pytest.mark.deployed

CANARY = "zanzibar-4711-canary"
FIELD = "zanzibar_4711_canary"
"""The same as the name of a field."""


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
    lena.let_go()


def test_a_dead_letter_names_the_turn_and_the_reason_alone(deployed: Deployed, lena: Somebody) -> None:
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: says.refusal())
    lena.post("t1", f"I know {CANARY}.")
    assert lena.done("t1")["outcome"] == "model_rejected"
    assert CANARY not in deployed.local.log()
    assert eventually(lena.payloads, lambda keys: keys == []) == []


def _refused(owner: Owner) -> list[int]:
    """Requests that cannot be answered, with a canary wherever a caller may write something of their own."""
    stands = {"if-match": owner.etag()}
    return [
        owner.call(method, path, document, **stands).status_code
        for method, path, document in (
            ("PUT", "memory", {"memory": "x", FIELD: CANARY}),
            ("PUT", "memory", {"memory": f"## {CANARY}\n- a\n"}),
            ("PUT", "memory", {"sections": [{"heading": CANARY, "bullets": []}]}),
            ("PUT", "memory", {"sections": [{"heading": "Identity", "bullets": [], FIELD: CANARY}]}),
            ("PUT", "memory", {"memory": f"- {CANARY} " * 2000}),
            ("PUT", "memory", f"{{{CANARY}".encode()),
            ("POST", f"import?mode={CANARY}", {"memory": CANARY}),
            ("POST", "import?preview=true", {"memory": CANARY, "user_id": CANARY}),
            ("PUT", "deny-rules", {"phrases": [CANARY * 10]}),
            ("PUT", "deny-rules", {"kinds": [CANARY]}),
            ("PUT", "pins", {"pins": [CANARY]}),
            ("PUT", "settings", {"context_memory": CANARY}),
            ("POST", "unlearn", {"from": CANARY}),
            ("POST", "unlearn", {FIELD: [CANARY]}),
            ("GET", f"memory/revisions?before={CANARY}", None),
            ("GET", f"memory/revisions/{CANARY}", None),
            ("POST", f"memory/revisions/{CANARY}/restore", None),
            ("GET", f"turns?limit={CANARY}", None),
        )
    ]


def _taken(owner: Owner) -> list[int]:
    """Requests that are answered, each with a canary."""
    etag, bullet = owner.etag, f"Lives in {CANARY}."
    return [
        owner.edits(Identity=[bullet, "Likes tea."]).status_code,
        owner.call("POST", "import", {"memory": f"## Identity\n- {bullet} Too.\n"}, **{"if-match": etag()}).status_code,
        owner.call("POST", "unlearn", {"chat_ids": [CANARY]}, **{"if-match": etag()}).status_code,
        owner.call("POST", "memory/revisions/1/restore").status_code,
        owner.call("PUT", "deny-rules", {"phrases": [CANARY]}).status_code,
        owner.call("GET", "memory/origins").status_code,
        owner.call("GET", "export").status_code,
    ]


def _recalled(facts: FactsOf) -> None:
    """A recall and citations, with an endpoint of embeddings that quotes and fails, and requests that are refused."""
    facts.deployed.model.script("embedding", lambda _: says.error(500, {"message": CANARY}))
    facts.learn(f"Lives in {CANARY}.")
    told = facts.ask(CANARY, space_id=CANARY, prompt_id=CANARY, chat_id=CANARY, ephemeral=[f"Is in {CANARY}."])
    markers = " ".join(hit["marker"] for hit in told["hits"])
    cited = facts.cite(f"{CANARY} {markers} [[cite:mem:{CANARY}]]", CANARY)
    assert (len(cited["citations"]), cited["invented"]) == (2, 1)
    for route, body in (("recall", {"query": CANARY}), ("citations", {"answer": CANARY, "prompt_id": CANARY})):
        assert facts.post(route, body | {FIELD: CANARY}).status_code == 422


def _companies(deployed: Deployed) -> str:
    """The whole table of companies: agenda, jobs and their reports, ledger."""
    pages = deployed.dynamodb.get_paginator("scan").paginate(TableName=deployed.local.outputs.company_table)
    return json.dumps([page["Items"] for page in pages], default=lambda value: value.decode("latin-1"))


def test_what_users_do_to_their_memory_is_told_to_nobody_else(deployed: Deployed, lena: Somebody) -> None:
    """Edits, files, denials, restoring, unlearning, an export and an erase, with a model that quotes and fails."""
    owner, names = Owner(deployed, lena.key.user_id), deployed.local.emulated.names
    answers = iter([says.error(500, {"message": CANARY}), says.text(CANARY)])
    deployed.model.script("scrub", lambda _: next(answers, "CLEAN"))
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: says.text(CANARY))
    with Listener(deployed) as listener:
        assert set(_refused(owner)) == {422}
        assert set(_taken(owner)) == {200}
        assert CANARY not in lena.load(space_id=CANARY).text  # it was denied
        _recalled(FactsOf(lena))
        lena.post("t1", f"I know {CANARY}.", chat_id=CANARY)
        lena.done("t1")
        told = listener.heard(lena, 3)
        jobs = [deployed.local.emulated.sqs.get_queue_url(QueueName=name)["QueueUrl"] for name in _queues(names)]
        assert CANARY not in json.dumps(told) + _companies(deployed) + "".join(_messages(deployed, url) for url in jobs)
        keeper = Administrator(deployed, lena.key.company_id)
        assert keeper.call("PUT", f"/spaces/{CANARY}", {FIELD: CANARY}).status_code == 422
        assert keeper.call("POST", "/jobs", {"job": "unlearn", "unlearn": {FIELD: [CANARY]}}).status_code == 422
        assert CANARY in keeper.call("GET", f"/users/{lena.key.encoded}/export").text
        assert keeper.call("DELETE", f"/users/{lena.key.encoded}/memory").status_code == 202
        eventually(lambda: owner.get("erasure")["status"], lambda status: status == "final")
        assert CANARY not in json.dumps([owner.get("erasure"), listener.so_far(lena), lena.items()])
    eventually(lambda: lena.key.user_id in _companies(deployed), lambda named: not named)
    for function in FUNCTIONS:
        lines = "\n".join(eventually(partial(deployed.lines_of, function), bool))
        for secret in (CANARY, FIELD, lena.key.user_id):
            assert secret not in lines, function
    assert CANARY not in deployed.local.log()


def _queues(names: Names) -> tuple[str, ...]:
    return names.jobs_queue, names.dead_jobs_queue, names.turns_queue, names.dead_letter_queue
