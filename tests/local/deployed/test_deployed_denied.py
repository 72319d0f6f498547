"""A permission that is taken away is a fault of the world: turns wait, and go on when it is back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.deployed import eventually

if TYPE_CHECKING:
    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

POLICY = "denied-for-a-while"


def deny(deployed: Deployed, role: str, action: str) -> None:
    statement = {"Effect": "Deny", "Action": action, "Resource": "*"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    deployed.local.emulated.iam.put_role_policy(RoleName=role, PolicyName=POLICY, PolicyDocument=document)


def role_of(deployed: Deployed, function: str, kind: str) -> str:
    return deployed.environment(function)[f"{kind}_ROLE_ARN"].rpartition("/")[2]


def test_a_turn_whose_commit_is_denied_waits_and_is_stored_later(learning: Deployed, lena: Somebody) -> None:
    role = role_of(learning, "consolidate", "WRITE")
    assert lena.post("t1", "I know Rust.").status_code == 202
    lena.done("t1")
    deny(learning, role, "s3:GetObject")
    try:
        lena.post("t2", "I know Go.", occurred_at="2026-06-17T11:41:00Z")
        waiting = eventually(lambda: lena.turn("t2"), lambda turn: turn["status"] != "running", seconds=20)
        assert waiting["outcome"] is None
    finally:
        learning.local.emulated.iam.delete_role_policy(RoleName=role, PolicyName=POLICY)
    done = lena.done("t2")
    assert (done["outcome"], done["attempts"]) == ("updated", 1)
    assert {"- Knows Rust.", "- Knows Go."} <= set(lena.memory().splitlines())


@pytest.mark.parametrize("action", ["dynamodb:Query", "s3:GetObject*"])
def test_a_load_that_is_denied_is_an_error_and_never_an_empty_memory(
    learning: Deployed, lena: Somebody, action: str
) -> None:
    lena.post("t1", "I know Rust.")
    lena.done("t1")
    role = role_of(learning, "load", "READ")
    deny(learning, role, action)
    try:
        answer = lena.load()
        assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
        assert int(answer.headers["retry-after"]) > 0
        assert "memory" not in answer.json()
    finally:
        learning.local.emulated.iam.delete_role_policy(RoleName=role, PolicyName=POLICY)
    assert "Knows Rust." in lena.memory()


def test_a_newest_version_that_is_denied_is_read_by_its_name(learning: Deployed, lena: Somebody) -> None:
    lena.post("t1", "I know Rust.")
    lena.done("t1")
    role = role_of(learning, "load", "READ")
    deny(learning, role, "s3:GetObject")
    try:
        assert "Knows Rust." in lena.memory()
    finally:
        learning.local.emulated.iam.delete_role_policy(RoleName=role, PolicyName=POLICY)
