"""Nobody is let in: what each role can do on the emulator, which enforces the deployed policies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError

from context_memory.domain.ids import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

ROLES = ("read", "write", "erase")


def denied(call: Callable[[], Any]) -> bool:
    try:
        call()
    except ClientError as error:
        code = error.response["Error"]["Code"]
        assert code in {"AccessDenied", "AccessDeniedException", "403", "Forbidden"}, code
        return True
    return False


def assumed(deployed: Deployed, role_arn: str, tags: dict[str, str]) -> boto3.Session:
    outputs = deployed.local.outputs
    sts = deployed.local.emulated.session.client("sts", endpoint_url=outputs.endpoint_url)
    keys = sts.assume_role(
        RoleArn=role_arn,
        RoleSessionName="probe",
        Tags=[{"Key": name, "Value": value} for name, value in tags.items()],
    )["Credentials"]
    return boto3.Session(
        aws_access_key_id=keys["AccessKeyId"],
        aws_secret_access_key=keys["SecretAccessKey"],
        aws_session_token=keys["SessionToken"],
        region_name=outputs.region,
    )


def reaches(deployed: Deployed, session: boto3.Session, somebody: Somebody) -> dict[str, bool]:
    """Which of a user's data a session reaches, by every way there is."""
    outputs = deployed.local.outputs
    endpoint = outputs.endpoint_url
    s3, table = session.client("s3", endpoint_url=endpoint), session.client("dynamodb", endpoint_url=endpoint)
    home, pk = somebody.key.home, somebody.key.partition
    profiles, profile = outputs.profile_bucket, f"{home}{outputs.root_folder}/memory.md"
    name = outputs.user_table
    ways: dict[str, Callable[[], Any]] = {
        "get": lambda: s3.get_object(Bucket=profiles, Key=profile),
        "put": lambda: s3.put_object(Bucket=outputs.work_bucket, Key=f"turns/{home}probe.json", Body=b"x"),
        "list": lambda: s3.list_objects_v2(Bucket=profiles, Prefix=home),
        "list all": lambda: s3.list_objects_v2(Bucket=profiles),
        "get item": lambda: table.get_item(TableName=name, Key={"pk": {"S": pk}, "sk": {"S": "A#PROFILE"}}),
        "query": lambda: table.query(
            TableName=name, KeyConditionExpression="pk = :pk", ExpressionAttributeValues={":pk": {"S": pk}}
        ),
        "put item": lambda: table.put_item(TableName=name, Item={"pk": {"S": pk}, "sk": {"S": "PROBE"}}),
        "scan": lambda: table.scan(TableName=name),
        "partiql": lambda: table.execute_statement(Statement=f'SELECT * FROM "{name}"'),  # noqa: S608 - to be refused
    }
    return {way: not denied(call) for way, call in ways.items()}


@pytest.fixture
def known(learning: Deployed) -> Somebody:
    lena = learning.newcomer()
    lena.post("t1", "I know Rust.")
    lena.done("t1")
    return lena


def tags_of(somebody: Somebody) -> dict[str, str]:
    return {"company_id": somebody.key.company_id, "user_id": somebody.key.encoded}


@pytest.mark.parametrize("role", ROLES)
def test_credentials_for_one_user_reach_that_user_and_nobody_else(
    deployed: Deployed, known: Somebody, role: str
) -> None:
    arn = _role_arn(deployed, role)
    mine = reaches(deployed, assumed(deployed, arn, tags_of(known)), known)
    assert mine["get"]
    assert mine["get item"]
    assert mine["query"]
    assert mine["put"] == mine["put item"] == (role != "read")
    assert not [way for way in ("scan", "partiql", "list all") if mine[way]]
    strangers = [
        {"company_id": "acme", "user_id": "somebody-else"},
        {"company_id": "globex", "user_id": known.key.encoded},
        {"company_id": "acme", "user_id": known.key.encoded[:-1]},
        {"company_id": "acme", "user_id": known.key.encoded + "x"},
        {"company_id": "acme", "user_id": encode("*")},
        {"company_id": "acme", "user_id": known.key.encoded.upper()},
    ]
    for tags in strangers:
        reached = reaches(deployed, assumed(deployed, arn, tags), known)
        assert not any(reached.values()), (tags, reached)


@pytest.mark.parametrize("function", ["load", "ingest", "consolidate", "maintain"])
def test_a_functions_own_role_reaches_no_users_data(deployed: Deployed, known: Somebody, function: str) -> None:
    name = deployed.local.outputs.functions[function]
    role_arn = deployed.functions.get_function_configuration(FunctionName=name)["Role"]
    reached = reaches(deployed, assumed(deployed, role_arn, {}), known)
    assert not any(reached.values()), reached


def test_a_widened_policy_would_be_noticed(deployed: Deployed, known: Somebody) -> None:
    """The probe itself is proved: with the tags taken out of the policy it reaches a stranger's data."""
    iam = deployed.local.emulated.iam
    role_name = _role_arn(deployed, "read").rpartition("/")[2]
    names = iam.list_role_policies(RoleName=role_name)["PolicyNames"]
    stranger = {"company_id": "acme", "user_id": "somebody-else"}
    before = {name: iam.get_role_policy(RoleName=role_name, PolicyName=name)["PolicyDocument"] for name in names}
    try:
        for name, document in before.items():
            text = json.dumps(document)
            widened = text.replace("${aws:PrincipalTag/user_id}", "*").replace("${aws:PrincipalTag/company_id}", "*")
            widened = widened.replace("ForAllValues:StringEquals", "ForAllValues:StringLike")
            assert widened != text
            iam.put_role_policy(RoleName=role_name, PolicyName=name, PolicyDocument=widened)
        reached = reaches(deployed, assumed(deployed, _role_arn(deployed, "read"), stranger), known)
        assert reached["get"]
        assert reached["query"]
    finally:
        for name, document in before.items():
            iam.put_role_policy(RoleName=role_name, PolicyName=name, PolicyDocument=json.dumps(document))
    reached = reaches(deployed, assumed(deployed, _role_arn(deployed, "read"), stranger), known)
    assert not any(reached.values())


def _role_arn(deployed: Deployed, role: str) -> str:
    return deployed.environment("consolidate" if role != "read" else "load")[f"{role.upper()}_ROLE_ARN"]
