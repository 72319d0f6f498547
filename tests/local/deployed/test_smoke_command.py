"""The smoke test on a deployed environment: what it finds, that it finds what is wrong, and what it leaves behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from infra.local.environment import COMPANY, LocalEnvironment
from infra.operate.__main__ import main
from infra.operate.commands.smoke import CHECKS
from infra.operate.smoke import isolation, leftovers, memory, operations
from infra.operate.smoke.findings import Verdict, found_by
from infra.operate.smoke.probe import Probe, probe
from infra.operate.switchboard import IMMEDIATE, Switchboard
from infra.operate.target import TargetError, target

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.deployed

ALARM = "context-memory-local-smoke-test"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEnvironment]:
    with LocalEnvironment(outputs=tmp_path_factory.mktemp("smoke")) as local:
        yield local


@pytest.fixture
def folder(local: LocalEnvironment) -> Path:
    return Path(local.outputs.log_file).parent


@pytest.fixture
def look(folder: Path) -> Iterator[Probe]:
    found = probe(target("local", folder), company=None, role=None, patience=60)
    yield found
    found.api.close()
    found.own_api.close()


def client(look: Probe, service: str) -> Any:  # noqa: ANN401 - a client of any service
    return look.target.client(service)


def test_on_a_healthy_environment_nothing_fails_and_nothing_is_left(
    folder: Path, local: LocalEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["--env", "local", "--outputs", str(folder), "smoke", "--wait", "60"])

    said = capsys.readouterr().out
    assert "FAILED" not in said
    assert code == 0
    assert said.count("\n  ok ") >= len(CHECKS) - 2, said
    assert said.splitlines()[-1] == f"{len(CHECKS)} checks, 0 failed, {said.count('  open ')} open, for you to judge"
    dynamodb = local.emulated.session.client("dynamodb", endpoint_url=local.outputs.endpoint_url)
    assert dynamodb.scan(TableName=local.outputs.user_table)["Items"] == []
    dynamodb.close()
    for bucket in (local.outputs.profile_bucket, local.outputs.work_bucket):
        assert "Versions" not in local.emulated.s3.list_object_versions(Bucket=bucket)


def test_a_company_that_is_switched_off_is_a_failure_that_says_so(look: Probe) -> None:
    switchboard = Switchboard(client(look, "appconfig"), look.target.names)
    switchboard.switch(COMPANY, {"context_memory": False}, speed=IMMEDIATE)
    try:
        found = operations.switches_are_read(look)
    finally:
        switchboard.switch(COMPANY, {"context_memory": True}, speed=IMMEDIATE)

    assert (found.verdict, found.sentence) == (Verdict.FAILED, "memory is switched off for acme")


def test_a_memory_that_does_not_come_back_is_a_failure(look: Probe) -> None:
    found = memory.recalls(look)

    assert (found.verdict, found.sentence) == (
        Verdict.FAILED,
        "another chat of the same user does not get what was said",
    )


def test_a_turn_that_takes_too_long_is_a_failure_and_no_crash(look: Probe) -> None:
    hasty = replace(look, patience=0.0)

    found = found_by(lambda: memory.remembers(hasty))

    assert found.verdict is Verdict.FAILED
    assert "after 0 seconds" in found.sentence
    hasty.api.final(hasty.user, "remember", seconds=60)
    assert leftovers.removes_its_own(hasty).verdict is Verdict.OK


def test_dead_letters_are_left_to_a_person_as_a_ringing_alarm_is(look: Probe) -> None:
    sqs = client(look, "sqs")
    url = sqs.get_queue_url(QueueName=look.target.names.dead_letter_queue)["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="{}", MessageGroupId="g", MessageDeduplicationId="d")
    try:
        found = operations.nothing_is_given_up(look)
    finally:
        sqs.purge_queue(QueueUrl=url)

    assert (found.verdict, found.sentence) == (Verdict.OPEN, "1 in the queue: look with `dead-letters list`")


def test_an_alarm_that_tells_nobody_is_a_failure(look: Probe) -> None:
    cloudwatch = client(look, "cloudwatch")
    metric = {"Namespace": "T", "MetricName": "m", "Statistic": "Sum", "Period": 60, "EvaluationPeriods": 1}
    cloudwatch.put_metric_alarm(AlarmName=ALARM, Threshold=1, ComparisonOperator="GreaterThanThreshold", **metric)
    try:
        found = operations.alarms_are_wired(look)
    finally:
        cloudwatch.delete_alarms(AlarmNames=[ALARM])

    assert (found.verdict, found.sentence) == (Verdict.FAILED, f"these alarms tell nobody: {ALARM}")


def test_whoever_may_call_for_every_company_is_told_what_was_not_seen(look: Probe) -> None:
    mighty = replace(look, bound=False)

    assert isolation.refuses_other_companies(mighty).verdict is Verdict.OPEN
    assert isolation.refuses_other_spellings(mighty).verdict is Verdict.OPEN


def test_a_path_that_leads_to_another_company_is_a_failure(look: Probe) -> None:
    everywhere = look.target.session.get_credentials()
    assert everywhere is not None
    mighty = replace(look, api=replace(look.api, credentials=everywhere))

    assert isolation.refuses_other_spellings(mighty).verdict is Verdict.FAILED
    mighty.api.close()


def test_a_caller_who_may_take_a_user_data_role_is_a_failure(look: Probe) -> None:
    role = look.target.names.role_arn(look.target.names.function_role("load"))
    keys = client(look, "sts").assume_role(RoleArn=role, RoleSessionName="test")["Credentials"]
    session = boto3.Session(
        keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"], region_name=look.target.names.region
    )
    mighty = replace(look, caller=session, bound=False)

    found = isolation.keeps_user_data_roles(mighty)

    assert (found.verdict, found.sentence) == (Verdict.FAILED, "these credentials may take the user-data role 'read'")


def test_a_company_that_the_environment_does_not_have_is_refused(folder: Path) -> None:
    with pytest.raises(TargetError, match="no company 'umbrella' in local"):
        probe(target("local", folder), company="umbrella", role=None, patience=1)
