"""The operator's switches as AppConfig keeps them: versions of a document, and deployments of versions."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from infra.components.flags_document import CONTENT_TYPE
from infra.operate.target import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mypy_boto3_appconfig.client import AppConfigClient

    from infra.names import Names

Companies = dict[str, dict[str, Any]]
"""Flags by company, as the document has them."""

GRADUAL, IMMEDIATE = "gradual", "immediate"
_SECONDS_BETWEEN_LOOKS = 1.0
_IN_FORCE = frozenset({"COMPLETE", "BAKING"})
UNDER_WAY = frozenset({"DEPLOYING", "BAKING", "VALIDATING", "ROLLING_BACK"})


class SwitchError(TargetError):
    """The switches are not there, or cannot be moved now; the message says why."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """One deployment of a version: AppConfig's number, its state in AppConfig's words, and how far it got."""

    number: int
    version: int
    state: str
    percent: float


class Switchboard:
    """Reads and moves the switches of one environment.

    Args:
        client: AppConfig's control plane, for an operator.
        names: of the environment.
    """

    def __init__(self, client: AppConfigClient, names: Names) -> None:
        self._client = client
        self._names = names

    def rollouts(self) -> list[Rollout]:
        """All deployments, the newest first."""
        pages = self._client.get_paginator("list_deployments").paginate(
            ApplicationId=self._application, EnvironmentId=self._environment
        )
        found = [
            Rollout(one["DeploymentNumber"], int(one["ConfigurationVersion"]), one["State"], one["PercentageComplete"])
            for page in pages
            for one in page["Items"]
        ]
        return sorted(found, key=lambda rollout: rollout.number, reverse=True)

    def in_force(self) -> Rollout:
        """The deployment that decides, for everybody whom one under way has not reached yet.

        Raises:
            SwitchError: nothing was ever deployed.
        """
        for rollout in self.rollouts():
            if rollout.state in _IN_FORCE:
                return rollout
        raise SwitchError("No switches are deployed: deploy the stack of switches first.")

    def companies(self, version: int) -> Companies:
        """What a version of the document says."""
        answer = self._client.get_hosted_configuration_version(
            ApplicationId=self._application, ConfigurationProfileId=self._profile, VersionNumber=version
        )
        companies: Companies = json.loads(answer["Content"].read())["companies"]
        return companies

    def switch(self, company: str, change: dict[str, Any], *, speed: str = GRADUAL) -> Rollout | None:
        """Change flags of one company (None removes one), on top of what is in force, and begin to deploy that.

        Returns:
            The deployment that was begun; None when the flags are so already.

        Raises:
            SwitchError: a deployment is under way, or somebody else was faster.
        """
        latest = self._latest_version()
        companies = self.companies(self.in_force().version)
        before = companies.get(company, {"context_memory": False, "context_memory_with_web_search": False})
        after = {name: value for name, value in (before | change).items() if value is not None}
        if companies.get(company) == after:
            return None
        if any(rollout.state in UNDER_WAY for rollout in self.rollouts()):
            raise SwitchError("A deployment of switches is under way: wait for its end, or stop it.")
        return self._deploy(self._write({**companies, company: after}, latest), speed)

    def stop(self) -> Rollout | None:
        """Take back the deployment that is under way, if any: what was in force before is again, everywhere."""
        found = next((rollout for rollout in self.rollouts() if rollout.state in UNDER_WAY), None)
        if found:
            self._client.stop_deployment(
                ApplicationId=self._application,
                EnvironmentId=self._environment,
                DeploymentNumber=found.number,
                AllowRevert=True,
            )
        return found

    def followed(
        self, rollout: Rollout, *, say: Callable[[Rollout], None], pause: Callable[[float], None] = time.sleep
    ) -> Rollout:
        """Wait for the end of a deployment; `say` is told whenever it has got further."""
        while rollout.state in UNDER_WAY:
            pause(_SECONDS_BETWEEN_LOOKS)
            now = self._looked_up(rollout.number)
            if now != rollout:
                say(now)
            rollout = now
        return rollout

    def guards(self) -> frozenset[str]:
        """ARNs of the alarms that take a deployment of switches back when they ring."""
        environment = self._client.get_environment(ApplicationId=self._application, EnvironmentId=self._environment)
        return frozenset(monitor["AlarmArn"] for monitor in environment.get("Monitors", ()))

    def _looked_up(self, number: int) -> Rollout:
        one = self._client.get_deployment(
            ApplicationId=self._application, EnvironmentId=self._environment, DeploymentNumber=number
        )
        return Rollout(number, int(one["ConfigurationVersion"]), one["State"], one["PercentageComplete"])

    def _write(self, companies: Companies, latest: int) -> int:
        document = json.dumps({"companies": dict(sorted(companies.items()))}, indent=2)
        try:
            return self._client.create_hosted_configuration_version(
                ApplicationId=self._application,
                ConfigurationProfileId=self._profile,
                Content=document.encode(),
                ContentType=CONTENT_TYPE,
                LatestVersionNumber=latest,
            )["VersionNumber"]
        except self._client.exceptions.ConflictException:
            raise SwitchError("Somebody else has just written switches: look at them, then try again.") from None

    def _deploy(self, version: int, speed: str) -> Rollout:
        try:
            one = self._client.start_deployment(
                ApplicationId=self._application,
                EnvironmentId=self._environment,
                ConfigurationProfileId=self._profile,
                ConfigurationVersion=str(version),
                DeploymentStrategyId=self._strategy(speed),
            )
        except self._client.exceptions.ConflictException:
            raise SwitchError("Somebody else has just begun a deployment of switches: wait for its end.") from None
        return Rollout(one["DeploymentNumber"], version, one["State"], one["PercentageComplete"])

    def _latest_version(self) -> int:
        pages = self._client.get_paginator("list_hosted_configuration_versions").paginate(
            ApplicationId=self._application, ConfigurationProfileId=self._profile
        )
        return max((one["VersionNumber"] for page in pages for one in page["Items"]), default=0)

    @cached_property
    def _application(self) -> str:
        pages = self._client.get_paginator("list_applications").paginate()
        return _named(self._names.flags_application, (one for page in pages for one in page["Items"]))

    @cached_property
    def _environment(self) -> str:
        pages = self._client.get_paginator("list_environments").paginate(ApplicationId=self._application)
        return _named(self._names.environment, (one for page in pages for one in page["Items"]))

    @cached_property
    def _profile(self) -> str:
        pages = self._client.get_paginator("list_configuration_profiles").paginate(ApplicationId=self._application)
        return _named(self._names.flags_profile, (one for page in pages for one in page["Items"]))

    def _strategy(self, speed: str) -> str:
        pages = self._client.get_paginator("list_deployment_strategies").paginate()
        return _named(self._names.rollout(speed), (one for page in pages for one in page["Items"]))


def _named(name: str, found: Iterable[Any]) -> str:
    """The id of the one with this name.

    Raises:
        SwitchError: there is none.
    """
    for one in found:
        if one["Name"] == name:
            return str(one["Id"])
    raise SwitchError(f"AppConfig knows no {name!r}: deploy the stack of switches first.")
