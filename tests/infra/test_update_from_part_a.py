"""What CloudFormation would refuse, or replace and so lose, when today's stacks are deployed over the first release.

The emulator is more lenient: it neither minds that a name is taken by another resource nor does it replace a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from infra.environments import LOCAL
from tests.infra.templates import Templates, filled, synthesise
from tests.support.part_a import CONCERNS, template

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMED_BY = {
    "AWS::S3::Bucket": "BucketName",
    "AWS::DynamoDB::Table": "TableName",
    "AWS::SQS::Queue": "QueueName",
    "AWS::KMS::Alias": "AliasName",
    "AWS::SecretsManager::Secret": "Name",
    "AWS::Lambda::Function": "FunctionName",
    "AWS::IAM::Role": "RoleName",
    "AWS::Logs::LogGroup": "LogGroupName",
}
# What holds data. A change of one of these makes CloudFormation put a new, empty resource in the place of the old one.
REPLACING = {
    "AWS::S3::Bucket": ("BucketName",),
    "AWS::DynamoDB::Table": ("TableName", "KeySchema"),
    "AWS::SQS::Queue": ("QueueName", "FifoQueue"),
    "AWS::KMS::Key": ("KeySpec", "KeyUsage"),
    "AWS::SecretsManager::Secret": ("Name",),
}


def placed(templates: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Concern, logical id and resource of all resources."""
    for concern, document in templates.items():
        for logical_id, resource in document["Resources"].items():
            yield concern, logical_id, resource


def names(templates: dict[str, dict[str, Any]]) -> dict[tuple[str, str], tuple[str, str]]:
    """Where each named resource stands, by kind and name."""
    return {
        (resource["Type"], resource["Properties"][NAMED_BY[resource["Type"]]]): (concern, logical_id)
        for concern, logical_id, resource in placed(templates)
        if NAMED_BY.get(resource["Type"], "") in resource.get("Properties", {})
    }


@pytest.fixture(scope="module")
def before() -> dict[str, dict[str, Any]]:
    return {concern: filled(template(concern)) for concern in CONCERNS}


@pytest.fixture(scope="module")
def today(code_folder: Path) -> Templates:
    return synthesise(LOCAL, code_folder)


def test_no_name_moves_to_another_resource_or_stack(before: dict[str, dict[str, Any]], today: Templates) -> None:
    then, now = names(before), names({concern: dict(document) for concern, document in today.by_concern.items()})

    assert len(then) > 20
    moved = {name: (place, now[name]) for name, place in then.items() if now.get(name, place) != place}
    assert moved == {}


def test_nothing_that_holds_data_is_removed_or_replaced(before: dict[str, dict[str, Any]], today: Templates) -> None:
    held = [place for place in placed(before) if place[2]["Type"] in REPLACING]

    assert len(held) == 9
    for concern, logical_id, resource in held:
        kind = resource["Type"]
        successor = today.raw(concern)[logical_id]
        assert successor["Type"] == kind
        for attribute in REPLACING[kind]:
            assert successor["Properties"].get(attribute) == resource["Properties"].get(attribute), (kind, attribute)


def test_those_who_call_keep_the_address(before: dict[str, dict[str, Any]], today: Templates) -> None:
    def apis(resources: dict[str, dict[str, Any]]) -> list[str]:
        return [name for name, resource in resources.items() if resource["Type"] == "AWS::ApiGatewayV2::Api"]

    assert apis(before["service"]["Resources"]) == apis(today.raw("service"))
