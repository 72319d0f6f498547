"""Callers of a company, under the very policies that the stacks ship: each may do its own, and none another's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from botocore.credentials import Credentials

from infra.local.keys import KINDS, caller_keys
from infra.local.outputs import Caller
from tests.support.deployed import NOW, SPACE

if TYPE_CHECKING:
    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

COMPANIES = ("acme", "acm", "acme2")
TURN = json.dumps(
    {
        "turn_id": "t1",
        "space_id": SPACE,
        "occurred_at": NOW,
        "messages": [{"role": "user", "content": " "}],
    }
).encode()


@pytest.fixture(scope="module")
def callers(service: Deployed) -> dict[tuple[str, str], Caller]:
    """Keys by company and kind of caller; the orchestrator of acme is the one that everybody else uses."""
    kinds = ("orchestrator", "reader", "administrator")
    return {
        (company, kind): service.local.outputs.caller
        if (company, kind) == ("acme", "orchestrator")
        else service.local.caller(company, kind)
        for company in COMPANIES
        for kind in kinds
    }


def status(deployed: Deployed, caller: Caller, method: str, path: str) -> int:
    keys = Credentials(caller.access_key_id, caller.secret_access_key)
    return deployed.call(method, path, content=TURN if method == "POST" else b"", keys=keys).status_code


@pytest.mark.parametrize("own", COMPANIES)
@pytest.mark.parametrize("other", COMPANIES)
@pytest.mark.parametrize("kind", ["orchestrator", "reader", "administrator"])
def test_a_caller_reads_for_its_own_company_and_for_no_look_alike(
    deployed: Deployed, callers: dict[tuple[str, str], Caller], own: str, other: str, kind: str
) -> None:
    path = f"/v1/companies/{other}/users/lena/memory?space_id=s1"
    assert status(deployed, callers[own, kind], "GET", path) == (200 if own == other else 403)


def test_a_reader_hands_over_no_turn(deployed: Deployed, callers: dict[tuple[str, str], Caller]) -> None:
    path = "/v1/companies/acme/users/lena/turns"
    assert status(deployed, callers["acme", "reader"], "POST", path) == 403
    assert status(deployed, callers["acme", "orchestrator"], "POST", path) == 200
    assert status(deployed, callers["acme", "reader"], "GET", f"{path}/nobody-knows") == 404


def test_only_an_administrator_may_touch_its_companys_settings(
    deployed: Deployed, callers: dict[tuple[str, str], Caller]
) -> None:
    for path in ("/v1/companies/acme", "/v1/companies/acme/spaces/s1"):
        for kind in ("orchestrator", "reader"):
            assert status(deployed, callers["acme", kind], "PUT", path) == 403
        for other in ("acm", "acme2"):
            assert status(deployed, callers[other, "administrator"], "PUT", path) == 403
        assert status(deployed, callers["acme", "administrator"], "PUT", path) != 403
    for kind, expected in (("orchestrator", 403), ("reader", 403), ("administrator", 200)):
        assert status(deployed, callers["acme", kind], "GET", "/v1/companies/acme") == expected


def test_a_caller_that_nobody_gave_a_policy_is_refused(deployed: Deployed) -> None:
    iam = deployed.local.emulated.iam
    iam.create_user(UserName="nobody-in-particular")
    made = iam.create_access_key(UserName="nobody-in-particular")["AccessKey"]
    kind = type(deployed.local.outputs.caller)
    nobody = kind(access_key_id=made["AccessKeyId"], secret_access_key=made["SecretAccessKey"])
    assert status(deployed, nobody, "GET", "/v1/companies/acme/users/lena/memory?space_id=s1") == 403


def test_keys_that_are_made_on_demand_open_what_their_kind_may(deployed: Deployed) -> None:
    outputs = deployed.local.outputs
    printed = {kind: caller_keys(outputs, "acm", kind).split(":") for kind in KINDS}
    made = {kind: Caller(access_key_id=key, secret_access_key=secret) for kind, (key, secret) in printed.items()}

    settings = {kind: status(deployed, keys, "GET", "/v1/companies/acm") for kind, keys in made.items()}
    assert settings == {"administrator": 200, "reader": 403}
    assert status(deployed, made["reader"], "GET", "/v1/companies/acm/users/lena/memory?space_id=s1") == 200
