"""The operator's switches: who checks a change, how it spreads, what takes it back, what deployments leave alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from infra.components.flags_document import NOBODY, SCHEMA
from infra.environments import DEV, LOCAL
from tests.infra.templates import ACCOUNT, REGION, WITH_USERS, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates


MOST_CHARACTERS_OF_A_POLICY = 6144


@pytest.fixture(scope="module")
def local(code_folder: Path) -> Templates:
    return synthesise(LOCAL, code_folder)


def one(templates: Templates, kind: str) -> dict[str, Any]:
    (found,) = templates.resources(f"AWS::AppConfig::{kind}").values()
    return found


def strategy(templates: Templates, speed: str) -> dict[str, Any]:
    found = templates.named("AWS::AppConfig::DeploymentStrategy", "Name")[templates.names.rollout(speed)]
    return {name: found[name] for name in ("DeploymentDurationInMinutes", "GrowthType", "GrowthFactor")} | {
        "bake": found["FinalBakeTimeInMinutes"]
    }


def test_the_document_is_checked_by_a_strict_schema(dev: Templates) -> None:
    (validator,) = one(dev, "ConfigurationProfile")["Validators"]
    assert (validator["Type"], json.loads(validator["Content"])) == ("JSON_SCHEMA", SCHEMA)
    assert one(dev, "ConfigurationProfile")["LocationUri"] == "hosted"


def test_the_first_deployment_names_nobody_in_every_environment_so_that_no_later_one_undoes_a_switch(
    dev: Templates, local: Templates
) -> None:
    for templates in (dev, local):
        assert one(templates, "HostedConfigurationVersion")["Content"] == NOBODY
    assert one(dev, "HostedConfigurationVersion") == one(local, "HostedConfigurationVersion")
    assert {name: one(dev, "Deployment")[name] for name in ("Description", "ConfigurationVersion")} == {
        name: one(local, "Deployment")[name] for name in ("Description", "ConfigurationVersion")
    }


def test_nothing_that_an_environment_s_file_says_deploys_the_first_document_again(
    dev: Templates, code_folder: Path
) -> None:
    changed = replace(
        DEV, tags={"cost": "memory"}, flags_rollout_minutes=30, flags_seconds=30, flags_stale_seconds=900, durable=True
    )
    other = synthesise(changed, code_folder)
    for kind in ("HostedConfigurationVersion", "Deployment"):  # CloudFormation replaces both for any change of theirs
        assert one(other, kind) == one(dev, kind)
        assert "Tags" not in one(dev, kind)
    assert one(other, "Application")["Tags"] == [{"Key": "cost", "Value": "memory"}]


def test_a_change_spreads_by_fifths_and_bakes_as_long_unless_it_is_an_emergency(dev: Templates) -> None:
    assert strategy(dev, "gradual") == {
        "DeploymentDurationInMinutes": 10,
        "GrowthType": "LINEAR",
        "GrowthFactor": 20,
        "bake": 10,
    }
    assert strategy(dev, "immediate") == {
        "DeploymentDurationInMinutes": 0,
        "GrowthType": "LINEAR",
        "GrowthFactor": 100,
        "bake": 0,
    }


def test_on_this_machine_every_change_is_immediate(local: Templates) -> None:
    assert strategy(local, "gradual") == strategy(local, "immediate")


def test_an_alarm_of_this_stack_takes_a_change_back_and_appconfig_may_look_at_it(dev: Templates) -> None:
    (monitor,) = one(dev, "Environment")["Monitors"]
    ((alarm_id, alarm),) = dev.resources("AWS::CloudWatch::Alarm", "switches").items()
    assert monitor["AlarmArn"] == f"<{alarm_id}>"
    assert (alarm["Namespace"], alarm["MetricName"], alarm["TreatMissingData"]) == (
        "ContextMemory/dev",
        "load_total",
        "notBreaching",
    )
    assert {one["Name"]: one["Value"] for one in alarm["Dimensions"]} == {"service": "load", "outcome": "error"}
    ((role_id, role),) = dev.resources("AWS::IAM::Role", "switches").items()
    assert monitor["AlarmRoleArn"] == f"<{role_id}>"
    (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "appconfig.amazonaws.com"}
    (right,) = dev.statements(role["RoleName"])
    assert (right["Action"], right["Resource"]) == (
        "cloudwatch:DescribeAlarms",
        f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:*",
    )


def test_functions_are_told_the_names_under_which_the_flags_lie(dev: Templates) -> None:
    place = "/".join(one(dev, kind)["Name"] for kind in ("Application", "Environment", "ConfigurationProfile"))
    for function in dev.resources("AWS::Lambda::Function").values():
        assert function["Environment"]["Variables"]["FLAGS_CONFIGURATION"] == place


@pytest.mark.parametrize(("durable", "policy"), [(True, "Retain"), (False, "Delete")])
def test_switches_outlive_their_stack_where_the_environment_is_durable(
    code_folder: Path, *, durable: bool, policy: str
) -> None:
    templates = synthesise(replace(DEV, durable=durable), code_folder)
    lasting = [one for one in templates.raw("switches").values() if one["Type"].startswith("AWS::AppConfig::")]
    assert len(lasting) == 7
    assert {one["DeletionPolicy"] for one in lasting} == {policy}


def test_the_operators_policy_fits_into_what_iam_takes(code_folder: Path) -> None:
    long = synthesise(replace(WITH_USERS, name="averylongo"), code_folder)
    policy = long.named("AWS::IAM::ManagedPolicy", "ManagedPolicyName")[long.names.operator_policy]

    assert len(json.dumps(policy["PolicyDocument"], separators=(",", ":"))) < MOST_CHARACTERS_OF_A_POLICY - 500
