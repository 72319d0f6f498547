"""The operator's switches from end to end: off, on again, out of reach; and what administrators set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from botocore.credentials import Credentials

from context_memory.domain.ids import UserKey
from infra.environments import LOCAL
from infra.names import Names
from infra.operate.switchboard import IMMEDIATE, Switchboard
from tests.support.deployed import Somebody, eventually
from tests.support.mishaps import configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

STALE_SECONDS = "2"
POLICY = "denied-for-a-while"


@pytest.fixture(scope="module")
def switchboard(service: Deployed) -> Switchboard:
    outputs = service.local.outputs
    names = Names(environment=LOCAL.name, account=outputs.account, region=outputs.region)
    return Switchboard(service.local.emulated.appconfig, names)


@pytest.fixture
def company(switchboard: Switchboard) -> str:
    """A company of this test alone, with a memory."""
    company_id = f"company-{uuid4().hex[:8]}"
    switch(switchboard, company_id, on=True)
    return company_id


@pytest.fixture
def mia(deployed: Deployed, company: str) -> Somebody:
    """A user of that company, for whom its own orchestrator calls."""
    somebody = Somebody(deployed, UserKey(company, "mia"), caller_of(deployed, company))
    eventually(lambda: reason(somebody), lambda found: found is None)
    return somebody


@pytest.fixture
def out_of_reach(deployed: Deployed, mia: Somebody) -> Iterator[Somebody]:
    """Mia, when no function may read the flags any more, and what they know soon counts for nothing."""
    iam, names = deployed.local.emulated.iam, names_of(deployed)
    statement = {"Effect": "Deny", "Action": "appconfig:GetLatestConfiguration", "Resource": "*"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    roles = [names.function_role(function) for function in ("load", "ingest", "consolidate", "admin")]
    with (
        configured(deployed, "load", FLAGS_STALE_SECONDS=STALE_SECONDS),
        configured(deployed, "ingest", FLAGS_STALE_SECONDS=STALE_SECONDS),
        configured(deployed, "consolidate", FLAGS_STALE_SECONDS=STALE_SECONDS),
    ):
        for role in roles:
            iam.put_role_policy(RoleName=role, PolicyName=POLICY, PolicyDocument=document)
        try:
            yield mia
        finally:
            for role in roles:
                iam.delete_role_policy(RoleName=role, PolicyName=POLICY)


def caller_of(deployed: Deployed, company_id: str) -> Credentials:
    """Somebody who may call for a company that the environment's file does not name."""
    iam, api = deployed.local.emulated.iam, deployed.local.outputs.api_url.rpartition("/")[2]
    resource = f"arn:aws:execute-api:*:*:{api}/$default/*/v1/companies/{company_id}/*"
    statement = {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": resource}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    iam.create_user(UserName=company_id)
    iam.put_user_policy(UserName=company_id, PolicyName="invoke", PolicyDocument=document)
    key = iam.create_access_key(UserName=company_id)["AccessKey"]
    return Credentials(key["AccessKeyId"], key["SecretAccessKey"])


def names_of(deployed: Deployed) -> Names:
    outputs = deployed.local.outputs
    return Names(environment=LOCAL.name, account=outputs.account, region=outputs.region)


def switch(switchboard: Switchboard, company: str, *, on: bool) -> None:
    change: dict[str, Any] = {"context_memory": on, "context_memory_with_web_search": on}
    assert switchboard.switch(company, change, speed=IMMEDIATE) is not None


def reason(somebody: Somebody) -> str | None:
    answer = somebody.load()
    assert answer.status_code == 200, answer.text
    found: str | None = answer.json()["reason"]
    return found


def test_a_company_that_is_switched_off_has_no_memory_within_a_moment_and_has_it_again(
    learning: Deployed, mia: Somebody, company: str, switchboard: Switchboard
) -> None:
    mia.post("t1", "I know Rust.")
    mia.done("t1")
    assert "Knows Rust." in mia.memory()
    switch(switchboard, company, on=False)
    eventually(lambda: reason(mia), lambda found: found == "company_off", seconds=10)
    assert mia.load().json()["memory"] is None
    skipped = eventually(lambda: mia.post("t2", "I know Go."), lambda answer: answer.status_code == 200, seconds=10)
    assert skipped.json()["reason"] == "company_off"
    switch(switchboard, company, on=True)
    eventually(lambda: reason(mia), lambda found: found is None, seconds=10)
    assert "Knows Rust." in mia.memory()
    assert [one.turns for one in learning.model.asked("gate")] == [("t1",)]


def test_a_company_that_nobody_switched_on_has_no_memory(deployed: Deployed) -> None:
    stranger = f"company-{uuid4().hex[:8]}"
    assert reason(Somebody(deployed, UserKey(stranger, "mia"), caller_of(deployed, stranger))) == "company_off"


def test_with_flags_out_of_reach_nobody_is_told_that_memory_is_off(out_of_reach: Somebody) -> None:
    mia = out_of_reach
    answer = eventually(mia.load, lambda answer: answer.status_code != 200, seconds=20)
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:context-memory:problem:flags_unavailable")
    assert int(answer.headers["retry-after"]) > 0
    refused = eventually(lambda: mia.post("t1", "I know Rust."), lambda one: one.status_code != 202, seconds=20)
    assert refused.json()["type"] == "urn:context-memory:problem:flags_unavailable"
