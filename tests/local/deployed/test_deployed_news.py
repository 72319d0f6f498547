"""A company that listens hears what becomes of memories."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from botocore.exceptions import ConnectionClosedError

from infra.environments import LOCAL
from tests.support.deployed import eventually
from tests.support.end_users import Owner
from tests.support.house import body
from tests.support.listener import Listener
from tests.support.mishaps import Mishaps, ServiceProcess, receive, silence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed


@pytest.fixture
def listener(deployed: Deployed) -> Iterator[Listener]:
    with Listener(deployed) as listener:
        yield listener


def refuse_news(name: str) -> None:
    if name == "eventbridge.PutEvents":
        raise ConnectionClosedError(endpoint_url="https://events.invalid")


def untold(somebody: Somebody) -> list[str]:
    return [item["sk"]["S"] for item in (*somebody.items("A#OPEN#"), *somebody.items("A#CHANGE#"))]


@pytest.mark.usefixtures("learning")
def test_a_stored_turn_is_heard_with_ids_and_counts_and_without_a_word(lena: Somebody, listener: Listener) -> None:
    lena.post("t1", "I know Rust.")
    turn = lena.done("t1")
    (event,) = listener.heard(lena)
    assert (event["source"], event["detail-type"]) == ("context-memory", "MemoryUpdated")
    detail = event["detail"]
    assert (detail["company_id"], detail["user_id"], detail["turn_ids"]) == (
        lena.key.company_id, lena.key.user_id, ["t1"],
    )  # fmt: skip
    assert (detail["outcome"], detail["writer"], detail["revision"]) == ("updated", "turn", 1)
    assert detail["counts"] == {"added": 1, "changed": 0, "removed": 0}
    assert detail["step"] == turn["step"]
    assert "Rust" not in json.dumps(event)
    assert eventually(lambda: untold(lena), lambda left: not left) == []


def test_a_failed_turn_is_heard_as_failed(deployed: Deployed, lena: Somebody, listener: Listener) -> None:
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: "Certainly!")
    lena.post("t1", "I know Rust.")
    turn = lena.done("t1")
    (event,) = listener.heard(lena)
    assert event["detail-type"] == "MemoryUpdateFailed"
    assert event["detail"]["step"] == turn["step"]
    assert (turn["step"]["status"], turn["step"]["reason"]) == ("failed", "malformed")


@pytest.mark.usefixtures("learning")
def test_small_talk_is_no_news(lena: Somebody, listener: Listener) -> None:
    lena.post("t1", "Good morning!")
    assert lena.done("t1")["step"] is None
    lena.post("t2", "I know Rust.", occurred_at="2026-06-17T11:41:00Z")
    lena.done("t2")
    assert [event["detail"]["turn_ids"] for event in listener.heard(lena)] == [["t2"]]


def test_what_a_user_types_is_heard_and_read_by_the_policy_behind_it(
    deployed: Deployed, lena: Somebody, listener: Listener
) -> None:
    deployed.model.script("scrub", lambda asked: "2 DROP" if "insulin" in asked.said_by("user") else "CLEAN")
    owner = Owner(deployed, lena.key.user_id)
    assert owner.edits(Identity=["Lives in Basel.", "Takes insulin twice a day."]).status_code == 200
    events = listener.heard(lena, 2)
    told = {event["detail"]["revision"]: event["detail"]["writer"] for event in events}
    assert told == {1: "user", 2: "scrub"}
    assert {event["detail-type"] for event in events} == {"MemoryUpdated"}
    assert "insulin" not in lena.memory()
    assert "- Lives in Basel." in lena.memory()
    assert eventually(lambda: untold(lena), lambda left: not left) == []
    (pointer,) = lena.items("A#PROFILE")
    assert pointer["policy_version"]["S"] != ""


@pytest.mark.usefixtures("learning")
def test_a_legacy_file_goes_once_a_stored_change_was_made_of_it(deployed: Deployed, lena: Somebody) -> None:
    s3, bucket = deployed.local.emulated.s3, deployed.local.outputs.profile_bucket
    key = f"{lena.key.company_id}/{LOCAL.root_folder}/{lena.key.encoded}/memory.md"
    for text in (b"old", b"older than that"):
        s3.put_object(Bucket=bucket, Key=key, Body=text)
    clean_up = {"job": "legacy", "company_id": lena.key.company_id, "user_id": lena.key.user_id}
    deployed.invoke("maintain", clean_up)
    assert len(s3.list_object_versions(Bucket=bucket, Prefix=key)["Versions"]) == 2  # nothing stands elsewhere yet
    lena.post("t1", "I know Rust.")
    lena.done("t1")
    deployed.invoke("maintain", clean_up)
    # The company's files at the legacy place do not count: nothing of it was stored.
    assert len(s3.list_object_versions(Bucket=bucket, Prefix=key)["Versions"]) == 2
    (revision,) = lena.items("REVISION#")
    deployed.dynamodb.put_item(
        TableName=deployed.local.outputs.user_table, Item=revision | {"moved_legacy": {"BOOL": True}}
    )
    deployed.invoke("maintain", clean_up)
    found = s3.list_object_versions(Bucket=bucket, Prefix=key)
    assert [*found.get("Versions", []), *found.get("DeleteMarkers", [])] == []
    assert "- Knows Rust." in lena.memory()


@pytest.mark.usefixtures("learning")
def test_what_a_deaf_bus_did_not_take_the_agenda_gets_told(
    deployed: Deployed, lena: Somebody, listener: Listener
) -> None:
    with silence(deployed):
        untroubled = ServiceProcess(deployed)
        untroubled.post(lena.key, "t1", "I know Rust.")
        deaf = ServiceProcess(deployed, Mishaps(holding=refuse_news))
        deaf.work(lena.key)
        assert "eventbridge.PutEvents" in deaf.mishaps.seen
        assert lena.memory() == body(skills=["Knows Rust."])
        assert len(untold(lena)) == 1
        assert receive(deployed, lena.key) is None  # nobody's turns wait for the bus
    assert listener.so_far(lena) == []
    deployed.invoke("maintain", {"job": "heal"})
    (event,) = listener.heard(lena)
    assert event["detail"]["turn_ids"] == ["t1"]
    assert eventually(lambda: untold(lena), lambda left: not left) == []
