"""Unreadable is not empty: what is stored and cannot be read is never shown as nothing, and never written over."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.deployed import eventually

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

LATER = "2026-06-17T11:41:00Z"


def object_key(somebody: Somebody) -> str:
    return f"{somebody.key.home}{somebody.deployed.local.outputs.root_folder}/memory.md"


def stored(somebody: Somebody) -> bytes:
    outputs, s3 = somebody.deployed.local.outputs, somebody.deployed.local.emulated.s3
    return s3.get_object(Bucket=outputs.profile_bucket, Key=object_key(somebody))["Body"].read()


def pointer(somebody: Somebody) -> dict[str, Any]:
    (item,) = somebody.items("A#PROFILE")
    return item


def point_at(somebody: Somebody, item: dict[str, Any]) -> None:
    somebody.deployed.dynamodb.put_item(TableName=somebody.deployed.local.outputs.user_table, Item=item)


def commit(somebody: Somebody, body: bytes) -> None:
    """Store a file as if our own code had written and committed it."""
    outputs, s3 = somebody.deployed.local.outputs, somebody.deployed.local.emulated.s3
    version = s3.put_object(Bucket=outputs.profile_bucket, Key=object_key(somebody), Body=body)["VersionId"]
    digest = hashlib.sha256(body).hexdigest()
    point_at(somebody, pointer(somebody) | {"version_id": {"S": version}, "sha256": {"S": digest}})


def of_another_owner(somebody: Somebody) -> None:
    commit(somebody, stored(somebody).replace(somebody.key.user_id.encode(), b"user-somebody-else"))


def in_latin_1(somebody: Somebody) -> None:
    commit(somebody, stored(somebody).replace(b"Knows Rust.", "Knows R\u00fcst.".encode("latin-1")))


def blank(somebody: Somebody) -> None:
    commit(somebody, b"\xef\xbb\xbf \r\n")


def not_what_was_committed(somebody: Somebody) -> None:
    point_at(somebody, pointer(somebody) | {"sha256": {"S": "0" * 64}})


@pytest.fixture
def rusty(learning: Deployed, lena: Somebody) -> Somebody:
    """A user who knows Rust."""
    assert learning.model.unforeseen == ()
    lena.post("t1", "I know Rust.")
    assert lena.done("t1")["outcome"] == "updated"
    return lena


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (of_another_owner, "owner_mismatch"),
        (in_latin_1, "profile_unreadable"),
        (blank, "profile_unreadable"),
        (not_what_was_committed, "profile_unreadable"),
    ],
)
def test_an_unreadable_profile_is_said_to_be_so_and_kept(
    rusty: Somebody, spoil: Callable[[Somebody], None], problem: str
) -> None:
    whole = pointer(rusty)
    spoil(rusty)
    spoiled, versions = pointer(rusty), rusty.versions()
    answer = rusty.load()
    assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (500, problem)
    assert answer.headers["content-type"] == "application/problem+json"
    assert not {"memory", "prompt", "enabled"} & answer.json().keys()
    assert "Knows" not in answer.text
    rusty.post("t2", "I know Go.", occurred_at=LATER)
    turn = rusty.done("t2")
    assert (turn["outcome"], turn["step"]["status"]) == ("profile_unreadable", "failed")
    assert {call["purpose"] for call in turn["usage"]} <= {"extraction", "scrub"}  # facts are a memory of their own
    assert (pointer(rusty), rusty.versions()) == (spoiled, versions)
    point_at(rusty, whole)
    assert "- Knows Rust." in rusty.memory()


def test_a_missing_version_is_waited_for(rusty: Somebody) -> None:
    """A store says 403 and 404 for too many reasons to believe it."""
    outputs, s3 = rusty.deployed.local.outputs, rusty.deployed.local.emulated.s3
    whole, text = pointer(rusty), stored(rusty)
    s3.delete_object(Bucket=outputs.profile_bucket, Key=object_key(rusty), VersionId=whole["version_id"]["S"])
    answer = rusty.load()
    assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (503, "store_unavailable")
    assert int(answer.headers["retry-after"]) > 0
    rusty.post("t2", "I know Go.", occurred_at=LATER)
    eventually(lambda: rusty.turn("t2")["status"], lambda status: status == "retrying")
    assert rusty.load().status_code == 503
    assert (pointer(rusty), rusty.versions()) == (whole, [])
    commit(rusty, text)
    turn = rusty.done("t2")
    assert (turn["outcome"], turn["attempts"]) == ("updated", 1)
    known = [line for line in rusty.memory().splitlines() if "Knows" in line]
    assert known == ["- Knows Rust.", "- Knows Go."]


def test_a_profile_of_a_newer_release_is_shown_and_never_written_over(rusty: Somebody) -> None:
    commit(rusty, stored(rusty).replace(b"schema_version: 1", b"schema_version: 2"))
    newer, versions = pointer(rusty), rusty.versions()
    assert "- Knows Rust." in rusty.memory()
    rusty.post("t2", "I know Go.", occurred_at=LATER)
    turn = rusty.done("t2")
    assert (turn["outcome"], turn["step"]["reason"]) == ("schema_newer", "schema_newer")
    assert (pointer(rusty), rusty.versions()) == (newer, versions)
    assert "- Knows Rust." in rusty.memory()
