"""A Lambda function of ours: one thin handler file over the two layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_iam, aws_kms, aws_lambda, aws_logs
from constructs import Construct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

HANDLER = "handler.handler"


class PythonFunction(Construct):
    """Code from `functions/<name>/`, an encrypted log group with a retention, and Lambda's own tracing."""

    def __init__(  # noqa: PLR0913 - keyword-only values of one resource
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        code: Path,
        role: aws_iam.IRole,
        layers: Sequence[aws_lambda.ILayerVersion],
        architecture: aws_lambda.Architecture,
        memory_mb: int,
        timeout: Duration,
        reserved_concurrency: int | None,
        variables: Mapping[str, str],
        log_group_name: str,
        log_key: aws_kms.IKey,
        log_retention: aws_logs.RetentionDays,
        log_removal_policy: RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        self.log_group = aws_logs.LogGroup(
            self,
            "Logs",
            log_group_name=log_group_name,
            encryption_key=log_key,
            retention=log_retention,
            removal_policy=log_removal_policy,
        )
        self.function = aws_lambda.Function(
            self,
            "Function",
            function_name=name,
            runtime=aws_lambda.Runtime.PYTHON_3_13,
            architecture=architecture,
            handler=HANDLER,
            code=aws_lambda.Code.from_asset(str(code), exclude=["__pycache__", "__init__.py"]),
            layers=list(layers),
            role=role,
            memory_size=memory_mb,
            timeout=timeout,
            reserved_concurrent_executions=reserved_concurrency,
            environment=dict(variables),
            log_group=self.log_group,
            # Powertools' tracer costs half a second of import; Lambda's own costs none.
            tracing=aws_lambda.Tracing.ACTIVE,
        )
