"""The operator's switches from end to end: off, on again, out of reach; and what administrators set."""

from __future__ import annotations

import json
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.exceptions import ClientError

from context_memory.domain.ids import UserKey
from infra.components.flags_document import SCHEMA
from infra.operate.__main__ import main
from infra.operate.switchboard import GRADUAL, Switchboard
from tests.support.administrators import Administrator, caller_of, new_company, switch
from tests.support.deployed import Somebody, eventually
from tests.support.mishaps import configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

STALE_SECONDS = "2"
POLICY = "denied-for-a-while"
DEFAULTS = {
    "max_tokens": 2000,
    "legacy": False,
    "retention": {"revision_days": 90, "revisions": 200},
    "allowed_special": [],
    "inherit_memory": False,
    "expire_after_months": None,
    "use_memory": {"read": True, "write": True},
    "facts_cap": 200,
    "keep_turns_days": 0,
}
UNKNOWN = "urn:context-memory:problem:flags_unavailable"


@pytest.fixture(scope="module")
def switchboard(service: Deployed) -> Switchboard:
    emulated = service.local.emulated
    return Switchboard(emulated.appconfig, emulated.names)


@pytest.fixture
def company(switchboard: Switchboard) -> str:
    """A company of this test alone, with a memory."""
    company_id = new_company()
    switch(switchboard, company_id, on=True)
    return company_id


@pytest.fixture
def mia(deployed: Deployed, company: str) -> Somebody:
    """A user of that company, for whom its own orchestrator calls."""
    somebody = Somebody(deployed, UserKey(company, "mia"), caller_of(deployed, company))
    eventually(lambda: reason(somebody), lambda found: found is None)
    eventually(lambda: reason_at_ingest(somebody), lambda found: found == "use_memory")
    return somebody


@contextmanager
def unreadable(deployed: Deployed, *functions: str) -> Iterator[None]:
    """These functions may not read the flags any more, and what they know soon counts for nothing."""
    iam, names = deployed.local.emulated.iam, deployed.local.emulated.names
    statement = {"Effect": "Deny", "Action": "appconfig:GetLatestConfiguration", "Resource": "*"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    with ExitStack() as afterwards:
        for function in functions:
            afterwards.enter_context(configured(deployed, function, FLAGS_STALE_SECONDS=STALE_SECONDS))
            role = names.function_role(function)
            iam.put_role_policy(RoleName=role, PolicyName=POLICY, PolicyDocument=document)
            afterwards.callback(iam.delete_role_policy, RoleName=role, PolicyName=POLICY)
        yield


def reason(somebody: Somebody) -> str | None:
    answer = somebody.load()
    assert answer.status_code == 200, answer.text
    found: str | None = answer.json()["reason"]
    return found


def reason_at_ingest(somebody: Somebody) -> str:
    """Why ingest keeps nothing of a turn that is not to be remembered, and so is kept in no case."""
    found: str = somebody.post("probe", "I know C.", use_memory={"write": False}).json()["reason"]
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
    eventually(lambda: reason_at_ingest(mia), lambda found: found == "company_off", seconds=10)
    skipped = mia.post("t2", "I know Go.")
    assert (skipped.status_code, skipped.json()["reason"]) == (200, "company_off")
    switch(switchboard, company, on=True)
    eventually(lambda: reason(mia), lambda found: found is None, seconds=10)
    assert "Knows Rust." in mia.memory()
    assert [one.turns for one in learning.model.asked("gate")] == [("t1",)]


def test_a_company_that_nobody_switched_on_has_no_memory(deployed: Deployed) -> None:
    stranger = new_company()
    assert reason(Somebody(deployed, UserKey(stranger, "mia"), caller_of(deployed, stranger))) == "company_off"


def test_with_flags_out_of_reach_nobody_is_told_that_memory_is_off(deployed: Deployed, mia: Somebody) -> None:
    with unreadable(deployed, "load", "ingest"):
        answer = eventually(mia.load, lambda answer: answer.status_code != 200, seconds=20)
        assert (answer.status_code, answer.json()["type"]) == (503, UNKNOWN)
        assert int(answer.headers["retry-after"]) > 0
        refused = eventually(lambda: mia.post("t1", "I know Rust."), lambda one: one.status_code != 202, seconds=20)
        assert (refused.status_code, refused.json()["type"]) == (503, UNKNOWN)
    eventually(mia.load, lambda answer: answer.status_code == 200, seconds=20)


def test_a_turn_waits_while_it_is_unknown_whether_memory_is_on_and_nothing_of_it_is_lost(
    learning: Deployed, mia: Somebody
) -> None:
    def waits() -> int:
        return sum("FlagsUnavailable" in line and "turns wait" in line for line in learning.lines_of("consolidate"))

    before = waits()
    with unreadable(learning, "consolidate"):
        assert mia.post("t1", "I know Rust.").status_code == 202
        eventually(waits, lambda found: found > before, seconds=30)
        assert mia.turn("t1")["outcome"] is None
        assert len(mia.payloads()) == 1
    done = mia.done("t1")
    assert (done["outcome"], done["attempts"]) == ("updated", 1)
    assert "Knows Rust." in mia.memory()


def walks_of(deployed: Deployed, company_id: str) -> list[dict[str, AttributeValueTypeDef]]:
    """Walks through a company that were set off, oldest first."""
    found = deployed.dynamodb.query(
        TableName=deployed.local.outputs.company_table,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"{company_id}##job"}},
        ConsistentRead=True,
    )
    return list(found["Items"])


def test_an_administrator_sees_and_sets_what_the_company_has_set(deployed: Deployed) -> None:
    admin = Administrator(deployed, "acme2")
    seen = admin.get()
    assert seen.status_code == 200
    assert set(seen.json()) == {"company_id", "closed", "settings", "flags", "budget"}
    assert seen.json()["closed"] is False
    assert seen.json()["flags"]["context_memory"] in {True, False}
    changed = admin.put({"max_tokens": 900}, if_match=seen.headers["etag"])
    assert (changed.status_code, changed.json()["settings"]) == (200, {**DEFAULTS, "max_tokens": 900})
    assert admin.get().headers["etag"] == changed.headers["etag"] != seen.headers["etag"]
    assert walks_of(deployed, "acme2")[-1]["kind"]["S"] == "condense"  # what is longer than the lower cap
    overtaken = admin.put({"max_tokens": 800}, if_match=seen.headers["etag"])
    assert (overtaken.status_code, overtaken.headers["etag"]) == (412, changed.headers["etag"])
    wrong = admin.put({"max_tokens": 499})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "max_tokens")
    assert admin.get().json()["settings"]["max_tokens"] == 900


def test_a_lower_cap_narrows_what_is_shown_at_once(learning: Deployed) -> None:
    lena, admin = learning.newcomer(), Administrator(learning, "acme")
    facts = [f"I know {name} {'very ' * 60}well." for name in ("Rust", "Go", "Perl", "Java", "Ruby", "Lua", "Scala")]
    for number, fact in enumerate(facts):
        lena.post(f"t{number}", fact, occurred_at=f"2026-06-17T12:{number:02}:00Z")
    for number, _ in enumerate(facts):
        assert lena.done(f"t{number}")["outcome"] == "updated"
    whole = lena.memory()
    assert whole.count("Knows ") == len(facts)
    try:
        admin.put({"max_tokens": 500})
        shown = eventually(lena.memory, lambda memory: memory != whole, seconds=20)
        assert 0 < shown.count("Knows ") < len(facts)
    finally:
        assert admin.put({}).status_code == 200
    assert eventually(lena.memory, lambda memory: memory == whole, seconds=20)


def test_whoever_calls_for_users_does_not_administer_and_the_function_reaches_no_user(deployed: Deployed) -> None:
    assert deployed.call("GET", "/v1/companies/acme").status_code == 403
    keys, outputs = deployed.keys_of("admin"), deployed.local.outputs
    session = boto3.Session(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"], outputs.region)
    tables = session.client("dynamodb", endpoint_url=outputs.endpoint_url)
    for table, partition in ((outputs.user_table, "acme#mia"), (outputs.company_table, "acme##budget")):
        with pytest.raises(ClientError, match="AccessDenied"):
            tables.get_item(TableName=table, Key={"pk": {"S": partition}, "sk": {"S": "A#PROFILE"}})
    sts = session.client("sts", endpoint_url=outputs.endpoint_url)
    tags = [{"Key": "company_id", "Value": "acme"}, {"Key": "user_id", "Value": "mia"}]
    for role in ("read", "write", "erase"):
        arn = deployed.local.emulated.names.role_arn(deployed.local.emulated.names.user_data_role(role))
        with pytest.raises(ClientError, match="AccessDenied"):
            sts.assume_role(RoleArn=arn, RoleSessionName="test", Tags=tags)  # type: ignore[arg-type] # plain dictionaries
    tables.close()
    sts.close()


def test_the_deployed_validator_is_the_one_that_was_proved_against_slips_of_the_hand(deployed: Deployed) -> None:
    appconfig = deployed.local.emulated.appconfig
    (application,) = appconfig.list_applications()["Items"]
    (profile,) = appconfig.list_configuration_profiles(ApplicationId=application["Id"])["Items"]
    found = appconfig.get_configuration_profile(ApplicationId=application["Id"], ConfigurationProfileId=profile["Id"])
    (validator,) = found["Validators"]
    assert (validator["Type"], json.loads(validator["Content"])) == ("JSON_SCHEMA", SCHEMA)


def operate(deployed: Deployed, *arguments: str) -> int:
    """The operator's command line against this environment."""
    folder = Path(deployed.local.outputs.log_file).parent
    return main(["--env", "local", "--outputs", str(folder), "flags", *arguments])


def test_an_operator_moves_the_switches_and_sees_what_holds(
    deployed: Deployed, capsys: pytest.CaptureFixture[str]
) -> None:
    assert operate(deployed, "set", "acm", "context_memory=on", "daily_tokens=7") == 0
    assert "holds everywhere" in capsys.readouterr().out
    assert operate(deployed, "show") == 0
    assert ["acm", "on", "off", "7"] in [line.split() for line in capsys.readouterr().out.splitlines()]
    assert operate(deployed, "set", "acm", "context_memory=on") == 0
    assert "it is so already" in capsys.readouterr().out
    assert operate(deployed, "set", "acm", "context_memory=off", "daily_tokens=default", "--now") == 0
    capsys.readouterr()
    assert operate(deployed, "show") == 0
    assert ["acm", "off", "off", "default"] in [line.split() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("set", "acm", "context_memory=maybe"), "context_memory=on|off"),
        (("set", "nobody", "context_memory=on"), "'nobody' is none of the companies"),
    ],
)
def test_a_slip_of_the_operators_hand_is_refused_before_anything_is_written(
    deployed: Deployed,
    switchboard: Switchboard,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str],
    sentence: str,
) -> None:
    before = switchboard.rollouts()
    assert operate(deployed, *arguments) == 1
    assert sentence in capsys.readouterr().err
    assert switchboard.rollouts() == before


def test_a_change_under_which_loads_fail_is_taken_back_and_what_held_before_holds(
    deployed: Deployed, switchboard: Switchboard, mia: Somebody, company: str, capsys: pytest.CaptureFixture[str]
) -> None:
    emulated, names = deployed.local.emulated, deployed.local.emulated.names
    alarms = emulated.session.client("cloudwatch", endpoint_url=emulated.endpoint_url)
    (strategy,) = [
        one["Id"]
        for one in emulated.appconfig.list_deployment_strategies()["Items"]
        if one["Name"] == names.rollout(GRADUAL)
    ]
    alarm = names.plain("switches-load-errors")
    emulated.appconfig.update_deployment_strategy(DeploymentStrategyId=strategy, DeploymentDurationInMinutes=1)
    try:
        held = switchboard.in_force()
        begun = switchboard.switch(company, {"daily_tokens": 7})
        assert begun is not None
        alarms.set_alarm_state(AlarmName=alarm, StateValue="ALARM", StateReason="loads fail")
        ended = switchboard.followed(begun, say=lambda _: None)
        assert ended.state == "ROLLED_BACK"
        assert switchboard.in_force() == held
        assert operate(deployed, "show") == 0
        assert "was taken back" in capsys.readouterr().out
        assert reason(mia) is None
    finally:
        alarms.set_alarm_state(AlarmName=alarm, StateValue="OK", StateReason="the test is over")
        emulated.appconfig.update_deployment_strategy(DeploymentStrategyId=strategy, DeploymentDurationInMinutes=0)
        alarms.close()
