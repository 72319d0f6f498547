"""An erase of ten thousand objects and items over the deployed emulator: well under a function's time-out.

Half are items, two fifths payloads, one tenth versions of the profile. The emulator is one process on the same
processors; on AWS each request takes longer and more of them run side by side.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from infra.environments import LOCAL
from infra.local.environment import LocalEnvironment, ModelEndpoint
from tests.support.deployed import Deployed
from tests.support.erasing_process import EraserProcess, no_jobs
from tests.support.scripted_model import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.domain.ids import UserKey

ITEMS, PAYLOADS, VERSIONS = 5000, 4000, 1000
SHARE = 0.5
"""Of maintain's time-out, at most."""

pytestmark = pytest.mark.deployed


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    with ScriptedModel() as model:
        endpoint = ModelEndpoint(base_url=model.base_url, api_key="key", model="scripted")
        with LocalEnvironment(outputs=tmp_path_factory.mktemp("deployed"), model=endpoint) as local:
            service = Deployed(local, model)
            with no_jobs(service):
                yield service
            service.close()


def fill(deployed: Deployed, user: UserKey) -> None:
    """Items of some 300 bytes, small objects."""
    outputs, s3 = deployed.local.outputs, deployed.local.emulated.s3

    def items(first: int) -> None:
        for number in range(first, first + 25):
            item = {"pk": {"S": user.partition}, "sk": {"S": f"TURN#{number:05d}"}, "epoch": {"N": "0"}}
            deployed.dynamodb.put_item(TableName=outputs.user_table, Item=item | {"usage": {"S": "x" * 250}})

    def payload(number: int) -> None:
        key = f"turns/{user.home}t{number}-{'a' * 64}.json"
        s3.put_object(Bucket=outputs.work_bucket, Key=key, Body=b"{}")

    def version(_: int) -> None:
        s3.put_object(Bucket=outputs.profile_bucket, Key=f"{user.home}user-memory/memory.md", Body=b"- x")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(items, range(0, ITEMS, 25)))
        list(pool.map(payload, range(PAYLOADS)))
        list(pool.map(version, range(VERSIONS)))


def test_ten_thousand_are_erased_well_within_a_functions_time(deployed: Deployed) -> None:
    user = deployed.newcomer().key
    fill(deployed, user)
    process = EraserProcess(deployed)
    began = time.perf_counter()
    receipt = process.erase(user)
    took = time.perf_counter() - began

    counts = receipt["counts"]
    assert receipt["status"] == "provisional"
    assert (counts["versions"], counts["payloads"], counts["items"]) == (VERSIONS, PAYLOADS, {"turns": ITEMS})
    timeout = LOCAL.maintain.timeout_seconds
    requests = len(process.mishaps.seen)
    sys.stdout.write(f"\n{ITEMS + PAYLOADS + VERSIONS} erased in {took:.1f} s with {requests} requests\n")
    assert took < SHARE * timeout
