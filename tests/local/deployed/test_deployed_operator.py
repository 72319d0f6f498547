"""Somebody with the operator's policy alone, on the deployed stacks: every command works, and nothing beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.operate.__main__ import main
from infra.operate.target import Target, target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

Operate = Callable[..., int]
REFUSED: dict[str, Callable[[Target], object]] = {
    "read a profile": lambda at: at.client("s3").get_object(Bucket=at.names.profile_bucket, Key="acme/x"),
    "list profiles": lambda at: at.client("s3").list_objects_v2(Bucket=at.names.profile_bucket),
    "list what waits": lambda at: at.client("s3").list_objects_v2(Bucket=at.names.work_bucket, Prefix="turns/"),
    "read items": lambda at: at.client("dynamodb").scan(TableName=at.names.user_table),
    "read companies": lambda at: at.client("dynamodb").scan(TableName=at.names.company_table),
    "read the model's key": lambda at: at.client("secretsmanager").get_secret_value(SecretId=at.names.model_key_secret),
    "read doorbells": lambda at: at.client("sqs").receive_message(QueueUrl=_queue(at, at.names.turns_queue)),
    "purge dead letters": lambda at: at.client("sqs").purge_queue(QueueUrl=_queue(at, at.names.dead_letter_queue)),
    "call load": lambda at: at.client("lambda").invoke(FunctionName=at.names.function("load"), Payload=b"{}"),
    "see a function's settings": lambda at: at.client("lambda").get_function(FunctionName=at.names.function("load")),
    "take a role": lambda at: at.client("sts").assume_role(
        RoleArn=at.names.role_arn(at.names.user_data_role("read")), RoleSessionName="operator"
    ),
    "read audit records": lambda at: at.client("s3").list_objects_v2(Bucket=at.names.audit_bucket, Prefix="records/"),
    "make another application": lambda at: at.client("appconfig").create_application(Name="mine"),
    "silence an alarm": lambda at: at.client("cloudwatch").disable_alarm_actions(
        AlarmNames=[at.names.plain("switches-load-errors")]
    ),
    "delete a stack": lambda at: at.client("cloudformation").delete_stack(StackName=at.names.plain("service")),
    "hold another policy": lambda at: at.client("iam").attach_user_policy(
        UserName="operator", PolicyArn=at.names.policy_arn(at.names.auditor_policy)
    ),
}


def _queue(at: Target, name: str) -> str:
    """Its address, which the operator may ask for; dots and slashes are the emulator's."""
    return str(at.client("sqs").get_queue_url(QueueName=name)["QueueUrl"])


@pytest.fixture
def here(deployed: Deployed) -> Target:
    return target("local", folder(deployed))


@pytest.fixture
def operator(deployed: Deployed, here: Target) -> Iterator[Target]:
    """The environment with the credentials of a user who holds one policy."""
    iam, name = deployed.local.emulated.iam, f"operator-{uuid4().hex[:8]}"
    iam.create_user(UserName=name)
    iam.attach_user_policy(UserName=name, PolicyArn=here.names.policy_arn(here.names.operator_policy))
    key = iam.create_access_key(UserName=name)["AccessKey"]
    session = boto3.Session(key["AccessKeyId"], key["SecretAccessKey"], region_name=here.names.region)
    yield replace(here, session=session)
    for policy in iam.list_attached_user_policies(UserName=name)["AttachedPolicies"]:
        iam.detach_user_policy(UserName=name, PolicyArn=policy["PolicyArn"])
    iam.delete_access_key(UserName=name, AccessKeyId=key["AccessKeyId"])
    iam.delete_user(UserName=name)


@pytest.fixture
def operate(deployed: Deployed, operator: Target) -> Operate:
    def run(*arguments: str) -> int:
        argv: Sequence[str] = ["--env", "local", "--outputs", str(folder(deployed)), *arguments]
        return main(argv, find=lambda *_: operator)

    return run


def folder(deployed: Deployed) -> Path:
    return Path(deployed.local.outputs.log_file).parent


def put_letter(deployed: Deployed, **body: str) -> None:
    deployed.local.emulated.sqs.send_message(
        QueueUrl=deployed.local.outputs.dead_letter_queue_url,
        MessageBody=json.dumps(body),
        MessageGroupId=uuid4().hex,
        MessageDeduplicationId=uuid4().hex,
    )


def test_an_operator_moves_the_switches(operate: Operate, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [
        operate("flags", "set", "acm", "context_memory=on"),
        operate("flags", "set", "acm", "daily_tokens=5000000", "--now"),
        operate("flags", "show"),
    ]

    shown = capsys.readouterr().out
    assert codes == [0, 0, 0]
    assert shown.count("holds everywhere") == 2
    assert [line.split() for line in shown.splitlines() if line.startswith("acm ")] == [["acm", "on", "off", "5000000"]]


def test_an_operator_looks_after_users_turns_and_dead_letters(
    operate: Operate, learning: Deployed, capsys: pytest.CaptureFixture[str]
) -> None:
    lena = learning.newcomer()
    assert lena.post("t1", "I know Zanzibarish.").status_code == 202
    lena.done("t1")
    ids = {"company_id": lena.key.company_id, "user_id": lena.key.user_id}
    put_letter(learning, **ids, turn_id="t1", reason="model_refused")
    put_letter(learning, **ids, kind="ring")
    who = ("--company", lena.key.company_id, "--user", lena.key.user_id)

    codes = [
        operate("turns", *who),
        operate("who", *who),
        operate("dead-letters", "list", *who),
        operate("dead-letters", "redrive", *who),
    ]
    put_letter(learning, **ids, turn_id="t1", reason="model_refused")
    codes.append(operate("dead-letters", "drop", *who, "--yes"))

    said = capsys.readouterr()
    assert (codes, said.err) == ([0] * 5, "")
    assert "not dead: done" in said.out
    assert "rung again" in said.out
    assert "dropped" in said.out


def test_audit_records_take_the_auditors_policy_too(
    operate: Operate, operator: Target, lena: Somebody, capsys: pytest.CaptureFixture[str]
) -> None:
    lena.load()
    asked = ("who", "--company", lena.key.company_id, "--user", lena.key.user_id, "--hours", "1")

    assert operate(*asked) == 1
    assert "AccessDenied" in capsys.readouterr().err

    iam, arn = lena.deployed.local.emulated.iam, operator.client("sts").get_caller_identity()["Arn"]
    iam.attach_user_policy(
        UserName=arn.rpartition("/")[2], PolicyArn=operator.names.policy_arn(operator.names.auditor_policy)
    )
    assert operate(*asked) == 0
    assert "GET /v1/companies/{company_id}/users/{user_id}/memory" in capsys.readouterr().out


def test_the_smoke_test_sees_what_is_an_operators_to_see_and_names_what_it_may_not_remove(
    operate: Operate, deployed: Deployed, capsys: pytest.CaptureFixture[str]
) -> None:
    deployed.model.script("gate", lambda _: "NOOP")
    deployed.local.emulated.sqs.purge_queue(QueueUrl=deployed.local.outputs.dead_letter_queue_url)

    operate("smoke", "--wait", "30")

    found = {line[10:].split("  ")[0].strip(): line[2:8].strip() for line in capsys.readouterr().out.splitlines()}
    looked = ("switches", "unsigned", "other company", "user-data roles", "alarms", "ringing", "dead letters")
    assert {name: found[name] for name in looked} == dict.fromkeys(looked, "ok")
    assert found["leftovers"] == found["who is told"] == "open"


def test_an_operator_reads_the_service_own_logs(operator: Target, lena: Somebody) -> None:
    lena.load()
    logs = operator.client("logs")

    ours = operator.names.log_group(operator.names.function("load"))
    assert logs.describe_log_streams(logGroupName=ours)["logStreams"]
    with pytest.raises(ClientError, match="AccessDenied"):
        logs.describe_log_streams(logGroupName=f"{ours}2")


@pytest.mark.parametrize("what", REFUSED)
def test_an_operator_may_not(what: str, operator: Target) -> None:
    with pytest.raises(ClientError) as refused:
        REFUSED[what](operator)

    assert refused.value.response["Error"]["Code"] in {"AccessDenied", "AccessDeniedException"}


def test_an_operator_hands_out_the_key_that_checks_receipts(
    operate: Operate, capsys: pytest.CaptureFixture[str]
) -> None:
    assert operate("receipt-key") == 0
    assert capsys.readouterr().out.startswith("-----BEGIN PUBLIC KEY-----")


def test_whoever_replays_erasures_needs_the_right_to_read_the_restored_table(
    operate: Operate, capsys: pytest.CaptureFixture[str]
) -> None:
    assert operate("erasures", "replay") == 1
    assert "not authorized to perform: dynamodb:Scan" in capsys.readouterr().err


def test_every_command_was_tried() -> None:
    parser: Any = Path(main.__code__.co_filename).parent / "commands"
    commands = {file.stem.replace("_", "-") for file in parser.glob("*.py")} - {"--init--"}

    assert commands == {"dead-letters", "erasures", "flags", "receipt-key", "smoke", "turns", "who"}
