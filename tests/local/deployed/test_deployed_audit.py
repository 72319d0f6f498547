"""The audit trail of the deployed service: records arrive where they are kept, alone, out of the functions' reach."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from infra.names import FUNCTIONS, Names
from infra.operate.__main__ import main as operate
from tests.support.deployed import Deployed, Somebody, eventually
from tests.support.end_users import see

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

pytestmark = pytest.mark.deployed
MEMBERS = {"audit", "time", "caller", "route", "status", "company_id", "user", "request_id"}


def bucket(deployed: Deployed) -> str:
    outputs = deployed.local.outputs
    return Names(environment="local", account=outputs.account, region=outputs.region).audit_bucket


def records(deployed: Deployed, request_id: str) -> list[dict[str, Any]]:
    """What the trail holds of one request."""
    s3, name = deployed.local.emulated.s3, bucket(deployed)
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=name, Prefix="records/")
    keys = [one["Key"] for page in pages for one in page.get("Contents", [])]
    return [record for key in keys for record in written(s3, name, key) if record["request_id"] == request_id]


@cache
def written(s3: S3Client, name: str, key: str) -> tuple[dict[str, Any], ...]:
    """Records of one object, which is read once: nobody ever changes it."""
    body = s3.get_object(Bucket=name, Key=key)["Body"].read().decode()
    return tuple(json.loads(line) for line in body.splitlines())


def test_a_load_and_a_turn_arrive_in_the_trail_and_nothing_else_of_them_does(
    deployed: Deployed, lena: Somebody
) -> None:
    deployed.model.script("gate", lambda _: "NOOP")
    loaded, posted = lena.load(), lena.post("t1", "canary-4711")

    (record,) = eventually(
        lambda: records(deployed, loaded.headers["x-request-id"]), lambda found: len(found) > 0, seconds=20
    )
    assert set(record) == MEMBERS
    assert (record["status"], record["company_id"]) == (200, lena.key.company_id)
    assert record["route"] == "GET /v1/companies/{company_id}/users/{user_id}/memory"
    assert record["caller"].startswith("arn:aws:iam::")
    (turn,) = eventually(
        lambda: records(deployed, posted.headers["x-request-id"]), lambda found: len(found) > 0, seconds=20
    )
    assert turn["status"] == posted.status_code
    assert turn["user"] == record["user"] != "unknown"
    assert lena.key.user_id not in json.dumps([record, turn])
    lena.done("t1")


def test_what_users_and_administrators_do_arrives_too(deployed: Deployed, lena: Somebody) -> None:
    seen = see(deployed, lena.key.user_id)
    caller = deployed.local.caller(lena.key.company_id, "administrator")
    keys = Credentials(caller.access_key_id, caller.secret_access_key)
    shown = deployed.call("GET", f"/v1/companies/{lena.key.company_id}", keys=keys)

    for answer, by, about in ((seen, "user", str), (shown, "arn:aws:iam::", type(None))):
        (record,) = eventually(
            partial(records, deployed, answer.headers["x-request-id"]), lambda found: len(found) > 0, seconds=20
        )
        assert (record["status"], record["company_id"]) == (200, lena.key.company_id)
        assert record["caller"].startswith(by)
        assert isinstance(record["user"], about)
        assert lena.key.user_id not in json.dumps(record)


def test_a_refused_request_arrives_in_the_trail(deployed: Deployed, lena: Somebody) -> None:
    refused = deployed.call("GET", f"{lena.path}/memory")  # without a space

    (record,) = eventually(
        lambda: records(deployed, refused.headers["x-request-id"]), lambda found: len(found) > 0, seconds=20
    )
    assert record["status"] == refused.status_code == 422


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_function_can_read_or_change_the_trail(deployed: Deployed, function: str) -> None:
    keys, name = deployed.keys_of(function), bucket(deployed)
    s3: S3Client = deployed.local.emulated.session.client(
        "s3",
        endpoint_url=deployed.local.outputs.endpoint_url,
        aws_access_key_id=keys["AccessKeyId"],
        aws_secret_access_key=keys["SecretAccessKey"],
        aws_session_token=keys["SessionToken"],
    )
    for attempt in (
        lambda: s3.list_objects_v2(Bucket=name),
        lambda: s3.get_object(Bucket=name, Key="records/x"),
        lambda: s3.put_object(Bucket=name, Key="records/x", Body=b""),
        lambda: s3.delete_object(Bucket=name, Key="records/x"),
    ):
        with pytest.raises(ClientError) as refused:
            attempt()
        assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403
    s3.close()


def test_an_operator_finds_who_reached_for_a_user_and_needs_no_key(
    deployed: Deployed, lena: Somebody, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = lena.load()
    eventually(lambda: records(deployed, loaded.headers["x-request-id"]), lambda found: len(found) > 0, seconds=20)
    folder = str(Path(deployed.local.outputs.log_file).parent)
    arguments = ["--env", "local", "--outputs", folder, "who", "--company", lena.key.company_id]

    assert operate([*arguments, "--user", lena.key.user_id, "--hours", "1"]) == 0
    told = capsys.readouterr().out
    (record,) = records(deployed, loaded.headers["x-request-id"])
    assert told.splitlines()[0] == record["user"]
    assert loaded.headers["x-request-id"] in told

    assert operate([*arguments, "--user", f"{lena.key.user_id}2", "--hours", "1"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[0] != record["user"]
    assert "nothing was recorded" in told
