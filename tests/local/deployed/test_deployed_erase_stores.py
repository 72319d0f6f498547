"""Erases over the deployed stores: deaths at every request, races with what is in flight, and whoever looks alike."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.errors import ContextMemoryError
from context_memory.domain.ids import UserKey
from tests.support.deployed import Somebody
from tests.support.erasing_process import EraserProcess, no_jobs
from tests.support.house import body
from tests.support.mishaps import Killed, Mishaps, ServiceProcess, silence
from tests.support.records import LOOK_ALIKES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

KNOWN = body(identity=["Lives in Reykjavik."])
ITEMS = (
    "A#PROFILE",
    "A#SEEN",
    "A#OPEN#1",
    "TURN#1",
    "REVISION#0000000000#0000000001",
    "FORGOTTEN#1",
    "FACT",
    "FACT#1",
    "FACT#2",
    "EXTRACT#1",
    "PROMPT#1#1",
    "UNKNOWN#1",
)
WRITES = ("PutItem", "UpdateItem", "TransactWriteItems", "DeleteObjects", "DeleteObject", "SendMessage")
ROOTS = ("user-memory", "an-older-root")


@pytest.fixture
def quiet(deployed: Deployed) -> Iterator[Deployed]:
    """Nobody answers doorbells and jobs but the test itself."""
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: KNOWN)
    deployed.model.script("scrub", lambda _: "CLEAN")
    with silence(deployed), no_jobs(deployed):
        yield deployed


def keep_something(deployed: Deployed, user: UserKey) -> None:
    """One of everything that a user could have, written by nobody in particular."""
    outputs, s3 = deployed.local.outputs, deployed.local.emulated.s3
    for sort_key in ITEMS:
        item = {"pk": {"S": user.partition}, "sk": {"S": sort_key}, "said": {"S": "Reykjavik"}}
        if sort_key != "UNKNOWN#1":
            item["epoch"] = {"N": "0"}
        deployed.dynamodb.put_item(TableName=outputs.user_table, Item=item)
    for root in ROOTS:
        for _ in range(2):
            s3.put_object(Bucket=outputs.profile_bucket, Key=f"{user.home}{root}/memory.md", Body=b"Reykjavik")
    s3.delete_object(Bucket=outputs.profile_bucket, Key=f"{user.home}an-older-root/memory.md")
    legacy = f"{user.company_id}/user-memory/{user.encoded}/memory.md"
    s3.put_object(Bucket=outputs.profile_bucket, Key=legacy, Body=b"Reykjavik")
    s3.put_object(Bucket=outputs.work_bucket, Key=f"turns/{user.home}t1-{'a' * 64}.json", Body=b"Reykjavik")
    s3.put_object(Bucket=outputs.work_bucket, Key=f"users/{user.home}known", Body=b"")
    for table in ("facts.lance/data/1", "facts.lance/_versions/1"):
        s3.put_object(Bucket=outputs.work_bucket, Key=f"recall/{user.home}lance/{table}", Body=b"Reykjavik")


def everything(deployed: Deployed) -> dict[str, Any]:
    """Every item and every version there is, by where it lies."""
    outputs, s3 = deployed.local.outputs, deployed.local.emulated.s3
    found: dict[str, Any] = {}
    for page in deployed.dynamodb.get_paginator("scan").paginate(TableName=outputs.user_table):
        found |= {f"{item['pk']['S']} {item['sk']['S']}": item for item in page["Items"]}
    for bucket in (outputs.profile_bucket, outputs.work_bucket):
        for listed in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
            for one in (*listed.get("Versions", ()), *listed.get("DeleteMarkers", ())):
                found[f"{bucket}/{one['Key']} {one.get('VersionId')}"] = one.get("ETag")
    return found


def left_of(deployed: Deployed, user: UserKey) -> list[str]:
    """Where anything of the user is, the tombstone aside.

    Asked by the user's own keys: other tests leave much behind, and all of it would be listed each time.
    """
    outputs, s3 = deployed.local.outputs, deployed.local.emulated.s3
    items = [item["sk"]["S"] for item in Somebody(deployed, user).items() if item["sk"]["S"] != "A#SETTINGS"]
    places = {
        outputs.profile_bucket: (user.home, f"{user.company_id}/user-memory/{user.encoded}/"),
        outputs.work_bucket: (f"turns/{user.home}", f"users/{user.home}", f"recall/{user.home}"),
    }
    found: list[str] = []
    for bucket, prefixes in places.items():
        for prefix in prefixes:
            listed = s3.list_object_versions(Bucket=bucket, Prefix=prefix)
            found += (one["Key"] for one in (*listed.get("Versions", ()), *listed.get("DeleteMarkers", ())))
    return [*items, *found]


def is_of(where: str, user: UserKey) -> bool:
    """Whether a place of `everything` is the user's, the tombstone aside."""
    legacy = f"{user.company_id}/user-memory/{user.encoded}/"
    ours = (user.home, f"turns/{user.home}", f"users/{user.home}", f"recall/{user.home}", legacy)
    return where.partition("/")[2].startswith(ours) or (
        where.startswith(f"{user.partition} ") and not where.endswith(" A#SETTINGS")
    )


def test_of_whoever_looks_alike_every_byte_stays(quiet: Deployed) -> None:
    lena = quiet.newcomer().key
    others = [
        *(UserKey(one.company_id, one.user_id.replace("lena", lena.user_id)) for one in LOOK_ALIKES),
        *(UserKey(company, lena.user_id) for company in ("acme2", "acm")),
        *(UserKey("acme", name) for name in (f"home-{lena.user_id}", f"{lena.user_id}1", f"={lena.user_id}")),
        UserKey("acme", lena.user_id[:-1]),
    ]
    for user in (lena, *others):
        keep_something(quiet, user)
    before = {where: what for where, what in everything(quiet).items() if not is_of(where, lena)}
    receipt = EraserProcess(quiet).erase(lena)
    EraserProcess(quiet).finish(lena)
    assert left_of(quiet, lena) == []
    after = everything(quiet)
    assert after.pop(f"{lena.partition} A#SETTINGS")
    assert after == before
    assert receipt["counts"] == {
        "versions": 6,
        "payloads": 1,
        "indexes": 2,
        "items": {
            "profile": 1,
            "seen": 1,
            "open": 1,
            "turns": 1,
            "revisions": 1,
            "forgotten": 1,
            "facts": 2,
            "extractions": 1,
            "prompts": 1,
            "others": 2,
        },
    }


def test_a_death_at_any_request_of_an_erase_is_made_up_for(quiet: Deployed) -> None:
    whole, survivor = EraserProcess(quiet), EraserProcess(quiet)
    user = quiet.newcomer().key
    keep_something(quiet, user)
    whole.erase(user)
    requests = list(whole.mishaps.seen)
    assert requests[0] == "sts.AssumeRole"
    counts = survivor.finish(user)["counts"]
    for number, name in enumerate(requests):
        # A death behind a read leaves the world as one before the next request does.
        behind = [Mishaps(kill_after=number)] if name.endswith(WRITES) else []
        for mishaps in (Mishaps(kill_before=number), *behind):
            user = quiet.newcomer().key
            keep_something(quiet, user)
            with suppress(Killed):
                EraserProcess(quiet, mishaps).erase(user)
            receipt = survivor.finish(user)
            assert left_of(quiet, user) == [], (number, name)
            assert receipt["status"] == "final"
            assert receipt["counts"]["versions"] <= counts["versions"]
            assert all(count <= counts["items"][kind] for kind, count in receipt["counts"]["items"].items())


def test_a_lost_answer_at_any_request_of_an_erase_counts_nothing_twice(quiet: Deployed) -> None:
    whole, survivor = EraserProcess(quiet), EraserProcess(quiet)
    user = quiet.newcomer().key
    keep_something(quiet, user)
    counts = whole.erase(user)["counts"]
    for number, name in enumerate(whole.mishaps.seen):
        user = quiet.newcomer().key
        keep_something(quiet, user)
        receipt = EraserProcess(quiet, Mishaps(lost=range(number, number + 1))).erase(user)  # tried again by itself
        assert receipt["counts"] == counts, (number, name)
        survivor.finish(user)
        assert left_of(quiet, user) == [], (number, name)


def test_an_erase_at_any_request_of_a_consolidation_wins(quiet: Deployed) -> None:
    survivor, eraser = ServiceProcess(quiet), EraserProcess(quiet)
    lena = remembering(quiet, survivor)
    whole = ServiceProcess(quiet)
    whole.look(lena.key)
    for number, name in enumerate(whole.mishaps.seen):
        user = remembering(quiet, survivor).key
        striking = Mishaps()

        def strike(_: str, user: UserKey = user, number: int = number, striking: Mishaps = striking) -> None:
            if len(striking.seen) == number + 1:
                eraser.erase(user)

        striking.holding = strike
        with suppress(ContextMemoryError):
            ServiceProcess(quiet, striking).look(user)
        receipt = eraser.finish(user)
        survivor.look(user)
        assert left_of(quiet, user) == [], (number, name)
        assert receipt["status"] == "final"


def remembering(deployed: Deployed, process: ServiceProcess) -> Somebody:
    """Somebody with a profile, and a turn that waits."""
    somebody = deployed.newcomer()
    process.post(somebody.key, "t1", "I live in Reykjavik.")
    process.look(somebody.key)
    process.post(somebody.key, "t2", "I moved to Reykjavik.", "2026-06-17T11:42:00Z")
    return somebody


def test_more_than_a_page_of_each_goes_in_batches(quiet: Deployed) -> None:
    """More than one page of each listing; the benchmark takes the time of ten thousand."""
    user = quiet.newcomer().key
    outputs, s3 = quiet.local.outputs, quiet.local.emulated.s3
    for number in range(1050):
        s3.put_object(Bucket=outputs.work_bucket, Key=f"turns/{user.home}t{number}-{'a' * 64}.json", Body=b"{}")
    for first in range(0, 1050, 25):
        requests = [
            {"PutRequest": {"Item": {"pk": {"S": user.partition}, "sk": {"S": f"TURN#{number}"}, "epoch": {"N": "0"}}}}
            for number in range(first, first + 25)
        ]
        quiet.dynamodb.batch_write_item(RequestItems={outputs.user_table: requests})  # type: ignore[dict-item] # the items are those of put_item
    receipt = EraserProcess(quiet).erase(user)
    assert (receipt["counts"]["payloads"], receipt["counts"]["items"]) == (1050, {"turns": 1050})
    assert left_of(quiet, user) == []
