"""What runs: functions on two layers, the API in front, the queues and the clock behind."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import (
    CfnOutput,
    Duration,
    RemovalPolicy,
    aws_events,
    aws_events_targets,
    aws_iam,
    aws_lambda,
    aws_logs,
    aws_ssm,
)

from infra.components.audit_trail import AuditSubscription
from infra.components.company_callers import CompanyCallers
from infra.components.data_key import data_key
from infra.components.memory_api import MemoryApi
from infra.components.python_function import PythonFunction
from infra.environments.parts import Architecture
from infra.names import AUDITED
from infra.stacks.base import EnvironmentStack
from infra.variables import variables_of

if TYPE_CHECKING:
    from pathlib import Path

    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names

API_ID_OUTPUT = "ApiId"
HEAL_EVERY = Duration.minutes(10)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFolders:
    """Where the code lies: `functions` holds a folder per function, the layers hold `python/`."""

    functions: Path
    own_layer: Path
    dependencies_layer: Path


class ServiceStack(EnvironmentStack):
    """Functions and API; roles and everything that lasts stand in stacks of their own."""

    def __init__(
        self, scope: Construct, construct_id: str, *, environment: Environment, names: Names, code: CodeFolders
    ) -> None:
        super().__init__(scope, construct_id, environment=environment, description="functions and API")
        self._environment, self._names, self._code = environment, names, code
        self._key = data_key(self, "DataKey", names=names)
        self._logs_removal = RemovalPolicy.RETAIN if environment.durable else RemovalPolicy.DESTROY
        self._architecture = processor(environment.architecture)
        self._layers = [
            self._layer("Dependencies", code.dependencies_layer),
            self._layer("ContextMemory", code.own_layer),
        ]
        functions = {name: self._function(name) for name in environment.functions}
        functions["consolidate"].add_event_source_mapping(
            "Turns",
            event_source_arn=names.queue_arn(names.turns_queue),
            # A batch would mix groups, and Lambda deletes nothing of it before the whole invocation ends.
            batch_size=1,
            # So many side by side as the model's rate limit carries: the calls of a chain come one after another.
            max_concurrency=environment.models.workers,
            report_batch_item_failures=True,
        )
        functions["extract"].add_event_source_mapping(
            "Facts",
            event_source_arn=names.queue_arn(names.facts_queue),
            # As above: one user's facts in their order, and as many users side by side as the rate limit leaves.
            batch_size=1,
            max_concurrency=environment.models.extractors,
            report_batch_item_failures=True,
        )
        functions["maintain"].add_event_source_mapping(
            "Jobs",
            event_source_arn=names.queue_arn(names.jobs_queue),
            # One fails without the others, and each has the function's whole time.
            batch_size=1,
            max_concurrency=environment.jobs_at_once,
            report_batch_item_failures=True,
        )
        aws_events.Rule(
            self,
            "Heal",
            description="Rings for turns whose doorbell was lost",
            schedule=aws_events.Schedule.rate(HEAL_EVERY),
            targets=[
                aws_events_targets.LambdaFunction(
                    functions["maintain"], event=aws_events.RuleTargetInput.from_object({"job": "heal"})
                )
            ],
        )
        aws_events.Rule(
            self,
            "Compact",
            description="Begins to merge old facts, in every company",
            schedule=aws_events.Schedule.cron(week_day="MON", hour="3", minute="0"),
            targets=[
                aws_events_targets.LambdaFunction(
                    functions["maintain"], event=aws_events.RuleTargetInput.from_object({"job": "compactions"})
                )
            ],
        )
        aws_events.Rule(
            self,
            "Summarise",
            description="Begins to make facts of turns whose text is kept no longer, in every company that keeps some",
            schedule=aws_events.Schedule.cron(hour="2", minute="0"),
            targets=[
                aws_events_targets.LambdaFunction(
                    functions["maintain"], event=aws_events.RuleTargetInput.from_object({"job": "summaries"})
                )
            ],
        )
        api = MemoryApi(
            self,
            "Api",
            name=names.plain("api"),
            environment=environment,
            functions=functions,
            access_log=self._access_log(),
        ).api
        for company_id, company in environment.companies.items():
            CompanyCallers(
                self,
                f"Company-{company_id}",
                names=names,
                company_id=company_id,
                api_id=api.api_id,
                elsewhere=company.callers_elsewhere(environment.account),
            )
        CfnOutput(self, API_ID_OUTPUT, value=api.api_id)
        aws_ssm.StringParameter(
            self,
            "ApiIdParameter",
            parameter_name=names.api_id_parameter,
            string_value=api.api_id,
            description="Id of the HTTP API, for what watches it",
        )

    def _access_log(self) -> aws_logs.LogGroup:
        return aws_logs.LogGroup(
            self,
            "AccessLog",
            log_group_name=self._names.access_log,
            encryption_key=self._key,
            retention=retention(self._environment.retention.logs),
            removal_policy=self._logs_removal,
        )

    def _layer(self, construct_id: str, folder: Path) -> aws_lambda.LayerVersion:
        return aws_lambda.LayerVersion(
            self,
            construct_id,
            code=aws_lambda.Code.from_asset(str(folder)),
            compatible_runtimes=[aws_lambda.Runtime.PYTHON_3_13],
            compatible_architectures=[self._architecture],
        )

    def _function(self, name: str) -> aws_lambda.Function:
        names, environment = self._names, self._environment
        size = environment.size(name)
        function_name = names.function(name)
        made = PythonFunction(
            self,
            name.title(),
            name=function_name,
            code=self._code.functions / name,
            role=aws_iam.Role.from_role_arn(
                self, f"{name.title()}Role", names.role_arn(names.function_role(name)), mutable=False
            ),
            layers=self._layers,
            architecture=self._architecture,
            memory_mb=size.memory_mb,
            timeout=Duration.seconds(size.timeout_seconds),
            reserved_concurrency=size.reserved_concurrency,
            variables=variables_of(name, environment=environment, names=names, url_suffix=self.url_suffix),
            log_group_name=names.log_group(function_name),
            log_key=self._key,
            log_retention=retention(environment.retention.logs),
            log_removal_policy=self._logs_removal,
        )
        if name in AUDITED:
            AuditSubscription(self, f"{name.title()}Audit", names=names, function=name, log_group=made.log_group)
        return made.function


def processor(architecture: Architecture) -> aws_lambda.Architecture:
    """The processor as Lambda calls it."""
    arm = architecture is Architecture.ARM64 or platform.machine() in {"aarch64", "arm64"}
    return aws_lambda.Architecture.ARM_64 if arm else aws_lambda.Architecture.X86_64


def retention(days: int) -> aws_logs.RetentionDays:
    """The days as CloudWatch calls them."""
    return {
        1: aws_logs.RetentionDays.ONE_DAY,
        14: aws_logs.RetentionDays.TWO_WEEKS,
        30: aws_logs.RetentionDays.ONE_MONTH,
        90: aws_logs.RetentionDays.THREE_MONTHS,
        365: aws_logs.RetentionDays.ONE_YEAR,
    }[days]
