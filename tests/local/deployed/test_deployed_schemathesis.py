"""Schemathesis asks the deployed API what its description allows, and much that it does not.

Every route is asked with data that fits and with data that does not, signed as an administrator or with a user's token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
import requests
import schemathesis
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from context_memory.contracts.openapi.generator import document
from context_memory.contracts.openapi.operation import Callers
from context_memory.contracts.openapi.operations import OPERATIONS
from infra.local.issuer.tokens import signed
from tests.support.end_users import claims_of, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemathesis import Case

    from context_memory.contracts.openapi.operation import Operation
    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

EXAMPLES = 8
COMPANY = "acm"
"""A company that no other test sets anything of."""
SCOPES = {Callers.READERS: "memory", Callers.CHANGERS: "memory:change", Callers.EXPORTERS: "memory:export"}
# Checks that do not apply, each with the reason.
NOT_ASKED = {
    "positive_data_acceptance": "some rules no schema can tell: a time not in the future, one of two fields, a cap",
    "ignored_auth": "it knows tokens and no signatures; tests of callers and users try what gets in without",
    "object_level_authorization": "likewise: the matrix of access asks",
    "use_after_free": "nothing here is made by a POST and found under an id of the answer",
    "ensure_resource_availability": "likewise",
}
BUSY = "urn:context-memory:problem:erase_running"
"""What memory off has begun may still run when the next request comes: a described answer of 503, and no fault."""


def without_security() -> dict[str, Any]:
    """The description without a word of who may call: each request here is shown or signed as its route wants."""
    described = document()
    for operations in described["paths"].values():
        for operation in operations.values():
            operation["security"] = []
    return described


SCHEMA = schemathesis.openapi.from_dict(without_security())


class Administrator(requests.auth.AuthBase):
    """Signs a request as it stands, for IAM."""

    def __init__(self, deployed: Deployed) -> None:
        caller = deployed.local.caller(COMPANY, "administrator")
        keys = Credentials(caller.access_key_id, caller.secret_access_key)
        self._signer = SigV4Auth(keys, "execute-api", deployed.local.outputs.region)

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        body = request.body.encode() if isinstance(request.body, str) else request.body
        asked = AWSRequest(method=request.method, url=request.url, data=body, headers={})
        self._signer.add_auth(asked)
        request.headers.update(dict(asked.headers.items()))
        return request


class User(requests.auth.AuthBase):
    """Shows a token of somebody whom nobody knows yet."""

    def __init__(self, deployed: Deployed, scope: str) -> None:
        claims = claims_of(deployed, f"user-{uuid4().hex[:12]}", scope=scope)
        self._token = signed(claims, key_of(deployed))

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["authorization"] = f"Bearer {self._token}"
        return request


def shown(deployed: Deployed, callers: Callers) -> requests.auth.AuthBase | None:
    """How a caller of a route shows who it is."""
    if callers is Callers.IAM:
        return Administrator(deployed)
    return User(deployed, SCOPES[callers]) if callers else None


def checks(*spared: str) -> list[Any]:
    """All that Schemathesis knows, but those that do not apply."""
    load_all_checks()
    return [CHECKS.get_one(name) for name in CHECKS.get_all_names() if name not in {*NOT_ASKED, *spared}]


def can_be_wrong(operation: Operation) -> bool:
    """Whether there is anything that must not be any text; which company it is about is given."""
    asked = [one for one in operation.parameters if one.name != "company_id"]
    return bool(operation.body) or any(one.where != "header" or one.required for one in asked)


def refused(answer: schemathesis.Response) -> bool:
    """Whether the function has found what it was asked to be wrong, and says so as a problem."""
    return 400 <= answer.status_code < 500 and answer.headers["content-type"] == ["application/problem+json"]


@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_the_deployed_api_answers_as_it_is_described(
    learning: Deployed, operation: Operation, mode: GenerationMode
) -> None:
    asked = SCHEMA[operation.path][operation.method]
    auth, wanted = shown(learning, operation.callers), checks()
    wanted_of_busy = checks("not_a_server_error")
    if mode is GenerationMode.NEGATIVE and not can_be_wrong(operation):
        pytest.skip("there is nothing to get wrong")
    named: Mapping[str, Any] = {"company_id": COMPANY} if "{company_id}" in operation.path else {}

    answered: list[schemathesis.Response] = []

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=asked.as_strategy(generation_mode=mode, path_parameters=dict(named) or None))
    def ask(case: Case[Any]) -> None:
        answer = case.call(base_url=learning.local.outputs.api_url, auth=auth)
        if "x-request-id" not in answer.headers:
            # The gateway's own words are the emulator's here.
            assert answer.status_code < 500, answer.text
            return
        answered.append(answer)
        busy = answer.status_code == 503 and answer.json()["type"] == BUSY
        case.validate_response(answer, checks=wanted_of_busy if busy else wanted)

    ask()
    assert answered
    if mode is GenerationMode.NEGATIVE:
        assert any(map(refused, answered))
