"""Every name fits what AWS allows, for the longest environment, region and company that a file may name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from aws_cdk import App

from tests.infra.templates import REGION, WITH_USERS, stacks_of, synthesise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from infra.environments import Environment
    from tests.infra.templates import Templates

LONGEST = {
    ("AWS::ApiGatewayV2::Api", "Name"): 128,
    ("AWS::ApiGatewayV2::Authorizer", "Name"): 128,
    ("AWS::ApiGatewayV2::Stage", "StageName"): 128,
    ("AWS::AppConfig::Application", "Name"): 64,
    ("AWS::AppConfig::ConfigurationProfile", "Name"): 128,
    ("AWS::AppConfig::DeploymentStrategy", "Name"): 64,
    ("AWS::AppConfig::Environment", "Name"): 64,
    ("AWS::CloudWatch::Alarm", "AlarmName"): 255,
    ("AWS::CloudWatch::Dashboard", "DashboardName"): 255,
    ("AWS::DynamoDB::Table", "TableName"): 255,
    ("AWS::Events::EventBus", "Name"): 256,
    ("AWS::IAM::ManagedPolicy", "ManagedPolicyName"): 128,
    ("AWS::IAM::Role", "RoleName"): 64,
    ("AWS::KMS::Alias", "AliasName"): 256,
    ("AWS::KinesisFirehose::DeliveryStream", "DeliveryStreamName"): 64,
    ("AWS::Lambda::Function", "FunctionName"): 64,
    ("AWS::Logs::LogGroup", "LogGroupName"): 512,
    ("AWS::Logs::SubscriptionFilter", "FilterName"): 512,
    ("AWS::S3::Bucket", "BucketName"): 63,
    ("AWS::SNS::Topic", "TopicName"): 256,
    ("AWS::SQS::Queue", "QueueName"): 80,
    ("AWS::SSM::Parameter", "Name"): 1011,
    ("AWS::SecretsManager::Secret", "Name"): 512,
}
"""Characters that AWS allows."""
LONGEST_REGION = "ap-southeast-1"
"""No region's name is longer. Templates name none: it stands for whatever the reference to it becomes."""


@pytest.fixture(scope="module")
def longest() -> Environment:
    from infra.environments.parts import Company, Principal  # noqa: PLC0415 - behind the line that says which Node

    elsewhere = Principal(account="444455556666", role="r" * 64)
    return replace(
        WITH_USERS,
        name="e" * 10,
        companies={**WITH_USERS.companies, "c" * 63: Company(callers=(elsewhere,))},
    )


@pytest.fixture(scope="module")
def templates(longest: Environment, code_folder: Path) -> Templates:
    return synthesise(longest, code_folder)


def given(templates: Templates) -> Iterator[tuple[str, str, str]]:
    """Each name that a resource is given: of which type, by which property, and what."""
    for concern in templates.by_concern:
        for resource in templates.raw(concern).values():
            kind, properties = resource["Type"], resource.get("Properties", {})
            known = {attribute for one, attribute in LONGEST if one == kind}
            for attribute in known or {"Name", f"{kind.rpartition('::')[2]}Name"}:
                if attribute in properties:
                    yield kind, attribute, properties[attribute].replace(REGION, LONGEST_REGION)


def test_every_name_of_a_resource_fits(templates: Templates) -> None:
    names = set(given(templates))
    assert {(kind, attribute) for kind, attribute, _ in names} == LONGEST.keys()
    for kind, attribute, name in names:
        assert len(name) <= LONGEST[kind, attribute], (kind, name)


def test_every_name_of_an_inline_policy_and_of_a_stack_fits(
    longest: Environment, templates: Templates, code_folder: Path
) -> None:
    roles = templates.resources("AWS::IAM::Role").values()
    policies = [policy["PolicyName"] for role in roles for policy in role.get("Policies", ())]
    stacks = [stack.stack_name for stack in stacks_of(App(), longest, code_folder).values()]
    assert policies
    assert max(map(len, [*policies, *stacks])) <= 128


def test_no_name_is_one_that_another_environment_of_the_account_would_give(
    longest: Environment, templates: Templates
) -> None:
    within = {"AWS::ApiGatewayV2::Authorizer", "AWS::ApiGatewayV2::Stage", "AWS::AppConfig::ConfigurationProfile"}
    for kind, _, name in given(templates):
        assert longest.name in name or kind in within, (kind, name)
