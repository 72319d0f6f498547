"""The access matrix through the deployed stacks: what every role may do and whom it may become, call by call."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from infra.local.environment import LocalEnvironment, ModelEndpoint
from tests.support.access_calls import call_of, goes_through
from tests.support.access_cells import Actor
from tests.support.access_inventory import user_data
from tests.support.access_matrix import matrix
from tests.support.access_places import Assumption, Object
from tests.support.access_rights import COMPANY, FUNCTIONS, LENA, OTHERS, USER
from tests.support.access_services import RECORDS
from tests.support.access_shared import shared_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.access_cells import Cell

pytestmark = pytest.mark.deployed

ASSUMED_BY = {
    "user-read": "load",
    "user-recall": "recall",
    "user-write": "ingest",
    "user-erase": "maintain",
    "user-lister": "maintain",
}
SESSIONS = (
    *(Actor(role=f"user-{role}", tags=LENA) for role in ("read", "recall", "write", "erase")),
    Actor(role="user-lister", tags=LENA[:1]),
)
OWN_ROLES = tuple(Actor(role=f"{function}-function") for function in FUNCTIONS)
PEOPLE = {
    "operator": Actor(role="somebody", operates=True),
    "auditor": Actor(role="somebody", audits=True),
}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEnvironment]:
    nobody = ModelEndpoint(base_url="http://127.0.0.1:9/v1", api_key="none", model="none")
    with LocalEnvironment(outputs=tmp_path_factory.mktemp("local"), model=nobody) as running:
        for company, user in ((COMPANY, USER), *OTHERS):
            put_objects(running, company, user)
        for record in RECORDS.values():
            running.emulated.s3.put_object(Bucket=running.emulated.names.audit_bucket, Key=record, Body=b"x")
        yield running


def put_objects(local: LocalEnvironment, company: str, user: str) -> None:
    """An object wherever a user, or their company, can have one: what is absent would be refused anyway."""
    for place in (*user_data(company, user).values(), *shared_data(company).values()):
        if isinstance(place, Object) and not place.another:
            bucket = local.emulated.names.bucket(place.bucket)
            local.emulated.s3.put_object(Bucket=bucket, Key=place.key, Body=b"x")


def session(local: LocalEnvironment, actor: Actor) -> Callable[[str], Any]:
    """Clients under a role: one with tags is assumed by a function, as functions do."""
    where = local.emulated.names
    starts = where.function_role(ASSUMED_BY[actor.role]) if actor.tags else actor.role_name(where)
    own = local.emulated.session.client("sts", endpoint_url=local.outputs.endpoint_url).assume_role(
        RoleArn=where.role_arn(starts), RoleSessionName="test"
    )
    if not actor.tags:
        return clients(local, own["Credentials"])
    answer = clients(local, own["Credentials"])("sts").assume_role(
        RoleArn=actor.role_arn(where),
        RoleSessionName="test",
        Tags=[{"Key": key, "Value": value} for key, value in actor.tags],
    )
    return clients(local, answer["Credentials"])


def clients(local: LocalEnvironment, lent: Any) -> Callable[[str], Any]:  # noqa: ANN401 - credentials as STS gives them
    keys = (lent["AccessKeyId"], lent["SecretAccessKey"], lent["SessionToken"])
    session = boto3.Session(*keys, local.outputs.region)

    def client(service: str) -> Any:  # noqa: ANN401 - a client of any service
        return session.client(service, endpoint_url=local.outputs.endpoint_url)  # type: ignore[call-overload] # any service

    return functools.cache(client)


def decide(local: LocalEnvironment, actor: Actor, client: Callable[[str], Any]) -> list[Cell]:
    """Ask all that can be asked in one call; returns the cells, all of which are decided as they should be."""
    asked, wrong = [], []
    for cell in matrix():
        call = call_of(cell, local.emulated.names) if cell.who == actor else None
        if call is None:
            continue
        asked.append(cell)
        if goes_through(call, client) != cell.allowed:
            wrong.append(str(cell))
        if cell.allowed and cell.action == "s3:DeleteObject":
            for company in (COMPANY, "other"):
                put_objects(local, company, USER)
    assert wrong == []
    return asked


def services(cells: list[Cell]) -> set[str]:
    return {cell.action.partition(":")[0] for cell in cells}


@pytest.mark.parametrize("actor", SESSIONS, ids=lambda actor: actor.role)
def test_a_session_may_do_what_the_architecture_says_and_nothing_else(local: LocalEnvironment, actor: Actor) -> None:
    asked = decide(local, actor, session(local, actor))

    assert services(asked) >= {"s3", "dynamodb"}
    assert any(cell.allowed for cell in asked)
    assert len(asked) > (40 if actor.role == "user-lister" else 400)


@pytest.mark.parametrize("actor", OWN_ROLES, ids=lambda actor: actor.role)
def test_a_functions_own_role_does_and_becomes_what_the_architecture_says_and_nothing_else(
    local: LocalEnvironment, actor: Actor
) -> None:
    asked = decide(local, actor, session(local, actor))

    assert services(asked) == {"s3", "dynamodb", "sqs", "secretsmanager", "appconfig", "sts"}
    assert {cell.on.role for cell in asked if isinstance(cell.on, Assumption)} >= {*ASSUMED_BY}
    assert any(cell.allowed for cell in asked)
    assert len(asked) > 140


@pytest.mark.parametrize("kind", PEOPLE)
def test_people_of_the_operation_do_what_their_policy_is_for_and_nothing_else(
    local: LocalEnvironment, kind: str
) -> None:
    iam, actor = local.emulated.iam, PEOPLE[kind]
    policy = {"operator": local.emulated.names.operator_policy, "auditor": local.emulated.names.auditor_policy}[kind]
    iam.create_user(UserName=f"probing-{kind}")
    iam.attach_user_policy(UserName=f"probing-{kind}", PolicyArn=local.emulated.names.policy_arn(policy))
    key = iam.create_access_key(UserName=f"probing-{kind}")["AccessKey"]
    asked = decide(local, actor, clients(local, {**key, "SessionToken": None}))

    assert services(asked) >= {"s3", "dynamodb", "sqs", "secretsmanager"}
    assert any(cell.allowed for cell in asked)
    assert len(asked) > 100


@pytest.mark.parametrize(
    ("effect", "action"),
    [
        ("Allow", "sqs:ReceiveMessage"),
        ("Allow", "secretsmanager:PutSecretValue"),
        ("Allow", "dynamodb:Scan"),
        ("Allow", "s3:ListBucket"),
        ("Deny", "sqs:SendMessage"),
        ("Deny", "appconfig:StartConfigurationSession"),
        ("Deny", "sts:AssumeRole"),
    ],
)
def test_a_right_too_many_or_too_few_on_a_deployed_role_is_noticed(
    local: LocalEnvironment, effect: str, action: str
) -> None:
    load = OWN_ROLES[0]
    mistake = {"RoleName": load.role_name(local.emulated.names), "PolicyName": "mistake"}
    statement = {"Effect": effect, "Action": action, "Resource": "*"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    local.emulated.iam.put_role_policy(**mistake, PolicyDocument=document)
    try:
        with pytest.raises(AssertionError, match=action):
            decide(local, load, session(local, load))
    finally:
        local.emulated.iam.delete_role_policy(**mistake)
