"""What all stacks have in common: where they go, what they are tagged with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aws_cdk
from aws_cdk import Stack, Tags

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment

_REPLACED_FOR_A_TAG = "AWS::AppConfig::Deployment"
"""Another tag would deploy the first document of the switches again, and so switch every company off."""


class EnvironmentStack(Stack):
    """A stack of one environment, bound to its account and region where its file names them.

    Where it names none the stack goes wherever the credentials that deploy belong.
    `lasting`: it holds data, so that where the environment is durable nobody deletes it by accident.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, environment: Environment, description: str, lasting: bool = False
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            description=f"Context Memory: {description}",
            env=aws_cdk.Environment(account=environment.account, region=environment.region),
            termination_protection=lasting and environment.durable,
        )
        for key, value in environment.tags.items():
            Tags.of(self).add(key, value, exclude_resource_types=[_REPLACED_FOR_A_TAG])
