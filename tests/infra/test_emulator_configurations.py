"""What our launcher adds to the emulator's AppConfig, by itself: which right a request of the data plane needs."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from infra.local.emulator import configurations

SESSION = {
    "ApplicationIdentifier": "app1",
    "EnvironmentIdentifier": "env1",
    "ConfigurationProfileIdentifier": "pro1",
}
CONFIGURATION = "arn:aws:appconfig:eu-central-1:111122223333:application/app1/environment/env1/configuration/pro1"


@pytest.fixture
def actions() -> Any:  # noqa: ANN401 - a stand-in for the emulator's module
    """The module that names actions and resources, patched."""
    module = SimpleNamespace(
        extract_iam_action=lambda *_: "stock:Action",
        extract_resource_arn=lambda *_: "stock:arn",
    )
    ids = {"switches": "app1", "dev": "env1", "companies": "pro1"}
    appconfig = SimpleNamespace(
        _sessions={"good": SESSION},
        _resolve_application_id=ids.get,
        _resolve_environment_id=lambda application, name: ids.get(name) if application == "app1" else None,
        _resolve_configuration_profile_id=lambda application, name: ids.get(name) if application == "app1" else None,
    )
    configurations.install(module, appconfig)
    return module


def decided(actions: Any, method: str, path: str, body: bytes = b"", **query: Any) -> tuple[str | None, str]:  # noqa: ANN401 - the module
    action = actions.extract_iam_action("appconfig", method, path, {}, body, query)
    arn = actions.extract_resource_arn("appconfig", method, path, {}, body, query, "eu-central-1", "111122223333")
    return action, arn


def started(application: str, environment: str, profile: str) -> bytes:
    return json.dumps(dict(zip(SESSION, (application, environment, profile), strict=True))).encode()


def test_starting_a_session_is_a_right_upon_what_it_names(actions: Any) -> None:  # noqa: ANN401 - the module
    assert decided(actions, "POST", "/configurationsessions", started("switches", "dev", "companies")) == (
        "appconfig:StartConfigurationSession",
        CONFIGURATION,
    )


def test_what_does_not_exist_is_no_other_configuration(actions: Any) -> None:  # noqa: ANN401 - the module
    _, arn = decided(actions, "POST", "/configurationsessions", started("others", "dev", "companies"))
    assert arn.endswith("application/others/environment/dev/configuration/companies")


@pytest.mark.parametrize("token", ["good", ["good"]])
def test_reading_is_a_right_upon_what_the_session_was_started_for(actions: Any, token: Any) -> None:  # noqa: ANN401 - the module
    assert decided(actions, "GET", "/configuration", configuration_token=token) == (
        "appconfig:GetLatestConfiguration",
        CONFIGURATION,
    )


def test_a_token_that_is_not_good_is_left_to_the_service(actions: Any) -> None:  # noqa: ANN401 - the module
    assert decided(actions, "GET", "/configuration", configuration_token="bad")[0] is None


@pytest.mark.parametrize("body", [b"", b"{}", b"no"])
def test_a_first_request_that_names_nothing_is_a_right_upon_nothing_of_ours(actions: Any, body: bytes) -> None:  # noqa: ANN401 - the module
    assert decided(actions, "POST", "/configurationsessions", body)[1] == "stock:arn"


def test_every_other_request_is_named_as_before(actions: Any) -> None:  # noqa: ANN401 - the module
    assert decided(actions, "GET", "/applications") == ("stock:Action", "stock:arn")
    assert actions.extract_iam_action("s3", "GET", "/configuration", {}, b"", {}) == "stock:Action"
