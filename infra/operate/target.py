"""Where a command acts: one environment in one account and region, or the emulator on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import boto3

from infra.environments import ENVIRONMENTS, LOCAL, missing
from infra.local.outputs import Outputs
from infra.names import Names

if TYPE_CHECKING:
    from pathlib import Path

    from infra.environments import Environment


class TargetError(Exception):
    """There is nothing to act upon; the message says what is missing."""


@dataclass(frozen=True)
class Target:
    """An environment, its names, and a session that may act in its account; `outputs` only of the local one."""

    environment: Environment
    names: Names
    session: boto3.Session
    endpoint_url: str | None = None
    outputs: Outputs | None = None

    def client(self, service: str) -> Any:  # noqa: ANN401 - a client of any service
        """A client of a service in this account and region."""
        return self.session.client(service, endpoint_url=self.endpoint_url)  # type: ignore[call-overload] # any service


def target(name: str, outputs: Path) -> Target:
    """Find an environment by name.

    Args:
        name: of a file in `infra/environments`.
        outputs: folder of the running local environment, for `local`.

    Raises:
        TargetError: no such environment, no credentials for its account, or the local one does not run.
    """
    if name not in ENVIRONMENTS:
        raise TargetError(missing(name))
    return _local(outputs) if name == LOCAL.name else _deployed(ENVIRONMENTS[name])


def _local(folder: Path) -> Target:
    try:
        outputs = Outputs.read(folder)
    except FileNotFoundError:
        raise TargetError("the local environment does not run: start it with `make up`") from None
    # The emulator takes these words for root.
    session = boto3.Session(aws_access_key_id="test", aws_secret_access_key="test", region_name=outputs.region)  # noqa: S106
    names = Names(environment=LOCAL.name, account=outputs.account, region=outputs.region)
    return Target(LOCAL, names, session, outputs.endpoint_url, outputs)


def _deployed(environment: Environment) -> Target:
    session = boto3.Session(region_name=environment.region)
    if session.region_name is None:
        raise TargetError("no region: name it in the environment's file or in AWS_REGION")
    account = session.client("sts").get_caller_identity()["Account"]
    if environment.account not in {None, account}:
        raise TargetError(f"these credentials are of account {account}, and {environment.name} is another's")
    names = Names(
        environment=environment.name,
        account=account,
        region=session.region_name,
        partition=session.get_partition_for_region(session.region_name),
    )
    return Target(environment, names, session)
