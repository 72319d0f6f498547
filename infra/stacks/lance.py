"""The function `lance`, where an environment has it: an image that reaches nothing but with borrowed credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_lambda, aws_logs
from aws_cdk.aws_ecr_assets import Platform

from infra.components.data_key import data_key
from infra.components.function_role import FunctionRole
from infra.images import lance_context
from infra.names import LANCE
from infra.stacks.base import EnvironmentStack
from infra.stacks.service import processor, retention
from infra.variables import variables_of

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.environments.parts import FunctionSize
    from infra.names import Names


class LanceStack(EnvironmentStack):
    """A stack of its own: its image is large, and built by Docker, which other stacks need not wait for."""

    def __init__(
        self, scope: Construct, construct_id: str, *, environment: Environment, names: Names, size: FunctionSize
    ) -> None:
        super().__init__(scope, construct_id, environment=environment, description="tables of facts")
        architecture = processor(environment.architecture)
        arm = architecture is aws_lambda.Architecture.ARM_64
        role = FunctionRole(self, "LanceFunction", names=names, function=LANCE, user_data_roles=()).role
        log_group = aws_logs.LogGroup(
            self,
            "Logs",
            log_group_name=names.log_group(names.function(LANCE)),
            encryption_key=data_key(self, "DataKey", names=names),
            retention=retention(environment.retention.logs),
            removal_policy=RemovalPolicy.RETAIN if environment.durable else RemovalPolicy.DESTROY,
        )
        aws_lambda.DockerImageFunction(
            self,
            "Function",
            function_name=names.function(LANCE),
            code=aws_lambda.DockerImageCode.from_image_asset(
                str(lance_context()), platform=Platform.LINUX_ARM64 if arm else Platform.LINUX_AMD64
            ),
            architecture=architecture,
            # Its own role lets it log: what it reads and writes it is lent the credentials for.
            role=role.without_policy_updates(),
            memory_size=size.memory_mb,
            timeout=Duration.seconds(size.timeout_seconds),
            reserved_concurrent_executions=size.reserved_concurrency,
            environment=variables_of(LANCE, environment=environment, names=names, url_suffix=self.url_suffix),
            log_group=log_group,
            tracing=aws_lambda.Tracing.ACTIVE,
        )
