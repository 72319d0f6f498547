"""Moving the switches against AppConfig's control plane as AWS answers it."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.response import StreamingBody
from botocore.stub import Stubber

from infra.names import Names
from infra.operate.switchboard import GRADUAL, IMMEDIATE, Rollout, Switchboard, SwitchError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_appconfig.client import AppConfigClient

NAMES = Names(environment="dev", account="1" * 12, region="eu-central-1")
ON = {"context_memory": True, "context_memory_with_web_search": True}
PLACE = {"ApplicationId": "app1", "EnvironmentId": "env1"}
PROFILE = {"ApplicationId": "app1", "ConfigurationProfileId": "pro1"}


@pytest.fixture(scope="module")
def client() -> AppConfigClient:
    return boto3.Session("key", "secret", region_name="eu-central-1").client("appconfig")


@pytest.fixture
def answers(client: AppConfigClient) -> Iterator[Stubber]:
    """What AppConfig answers, in this order and to these questions."""
    with Stubber(client) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()


@pytest.fixture
def switchboard(client: AppConfigClient) -> Switchboard:
    return Switchboard(client, NAMES)


def deployment(number: int, version: int, state: str) -> dict[str, Any]:
    return {"DeploymentNumber": number, "ConfigurationVersion": str(version), "State": state, "PercentageComplete": 1.0}


def looks_up_ids(answers: Stubber) -> None:
    answers.add_response("list_applications", {"Items": [{"Id": "app1", "Name": "context-memory-dev-switches"}]})
    answers.add_response("list_configuration_profiles", {"Items": [{"Id": "pro1", "Name": "companies"}]})


def looks_at(answers: Stubber, *deployments: dict[str, Any], again: bool = True) -> None:
    """The latest version is 5; these are the deployments; the one in force says that acme is on."""
    looks_up_ids(answers)
    answers.add_response("list_hosted_configuration_versions", {"Items": [{"VersionNumber": 5}]}, PROFILE)
    answers.add_response("list_environments", {"Items": [{"Id": "env1", "Name": "dev"}]})
    answers.add_response("list_deployments", {"Items": list(deployments)}, PLACE)
    document = json.dumps({"companies": {"acme": ON}}).encode()
    body = StreamingBody(io.BytesIO(document), len(document))
    answers.add_response("get_hosted_configuration_version", {"Content": body}, PROFILE | {"VersionNumber": 3})
    if again:
        answers.add_response("list_deployments", {"Items": list(deployments)}, PLACE)


def written(companies: dict[str, Any]) -> dict[str, Any]:
    """A new version is written on top of the latest, whole."""
    document = json.dumps({"companies": companies}, indent=2).encode()
    return PROFILE | {"Content": document, "ContentType": "application/json", "LatestVersionNumber": 5}


@pytest.mark.parametrize("speed", [GRADUAL, IMMEDIATE])
def test_a_change_goes_upon_what_holds_and_not_upon_what_was_taken_back(
    answers: Stubber, switchboard: Switchboard, speed: str
) -> None:
    looks_at(answers, deployment(2, 5, "ROLLED_BACK"), deployment(1, 3, "COMPLETE"))
    beta = {"context_memory": True, "context_memory_with_web_search": False}
    answers.add_response(
        "create_hosted_configuration_version", {"VersionNumber": 6}, written({"acme": ON, "beta": beta})
    )
    strategies = [{"Id": f"s-{one}", "Name": f"context-memory-dev-{one}"} for one in (GRADUAL, IMMEDIATE)]
    answers.add_response("list_deployment_strategies", {"Items": strategies})
    started = PLACE | {
        "ConfigurationProfileId": "pro1",
        "ConfigurationVersion": "6",
        "DeploymentStrategyId": f"s-{speed}",
    }
    answers.add_response("start_deployment", deployment(3, 6, "DEPLOYING"), started)

    begun = switchboard.switch("beta", {"context_memory": True}, speed=speed)

    assert begun == Rollout(3, 6, "DEPLOYING", 1.0)


def test_what_is_so_already_is_not_deployed_again(answers: Stubber, switchboard: Switchboard) -> None:
    looks_at(answers, deployment(1, 3, "COMPLETE"), again=False)
    assert switchboard.switch("acme", {"context_memory": True, "daily_tokens": None}) is None


def test_while_a_deployment_is_under_way_nothing_is_written(answers: Stubber, switchboard: Switchboard) -> None:
    looks_at(answers, deployment(2, 5, "DEPLOYING"), deployment(1, 3, "COMPLETE"))
    with pytest.raises(SwitchError, match="under way"):
        switchboard.switch("acme", {"context_memory": False})


def test_who_is_overtaken_by_another_operator_is_told_and_deploys_nothing(
    answers: Stubber, switchboard: Switchboard
) -> None:
    looks_at(answers, deployment(1, 3, "COMPLETE"))
    answers.add_client_error("create_hosted_configuration_version", "ConflictException", http_status_code=409)
    with pytest.raises(SwitchError, match="Somebody else"):
        switchboard.switch("acme", {"context_memory": False})


def test_switches_that_were_never_deployed_are_named(answers: Stubber, switchboard: Switchboard) -> None:
    answers.add_response("list_applications", {"Items": [{"Id": "x", "Name": "context-memory-staging-switches"}]})
    with pytest.raises(SwitchError, match="context-memory-dev-switches"):
        switchboard.in_force()


def test_a_deployment_is_followed_to_its_end_and_every_step_is_told(answers: Stubber, switchboard: Switchboard) -> None:
    answers.add_response("list_applications", {"Items": [{"Id": "app1", "Name": "context-memory-dev-switches"}]})
    answers.add_response("list_environments", {"Items": [{"Id": "env1", "Name": "dev"}]})
    states = ["DEPLOYING", "BAKING", "BAKING", "ROLLED_BACK"]
    for state in states:
        answers.add_response("get_deployment", deployment(3, 6, state), PLACE | {"DeploymentNumber": 3})
    told: list[str] = []

    ended = switchboard.followed(
        Rollout(3, 6, "DEPLOYING", 1.0), say=lambda rollout: told.append(rollout.state), pause=lambda _: None
    )

    assert (ended.state, told) == ("ROLLED_BACK", ["BAKING", "ROLLED_BACK"])
