"""What operators may: the commands of `infra.operate`, alarms and logs. Nothing that a user said is within reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam
from constructs import Construct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.components.company_flags import CompanyFlags
    from infra.names import Names


class OperatorPolicy(Construct):
    """A managed policy, to be attached to whomever operates the environment.

    Args:
        functions: those whose logs there are.
        flags: the switches that operators move.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, names: Names, functions: Sequence[str], flags: CompanyFlags
    ) -> None:
        super().__init__(scope, construct_id)
        aws_iam.ManagedPolicy(
            self,
            "Policy",
            managed_policy_name=names.operator_policy,
            description="Context Memory: operate the environment, without a look at anybody's memory",
            statements=[*_switches(names, flags), *_turns(names), *_watching(names, functions)],
        )


def _switches(names: Names, flags: CompanyFlags) -> list[aws_iam.PolicyStatement]:
    parts = [names.arn("appconfig", path) for path in (flags.application, flags.environment, flags.profile)]
    versions = names.arn("appconfig", f"{flags.profile}/hostedconfigurationversion/*")
    deployments = names.arn("appconfig", f"{flags.environment}/deployment/*")
    strategies = [names.arn("appconfig", path) for path in flags.strategies]
    return [
        # AppConfig knows no resources in these two listings.
        _allow("FindSwitches", ["appconfig:ListApplications", "appconfig:ListDeploymentStrategies"], ["*"]),
        _allow(
            "ReadSwitches",
            [
                "appconfig:ListEnvironments",
                "appconfig:GetEnvironment",
                "appconfig:ListConfigurationProfiles",
                "appconfig:ListHostedConfigurationVersions",
                "appconfig:GetHostedConfigurationVersion",
                "appconfig:ListDeployments",
                "appconfig:GetDeployment",
            ],
            [*parts, versions, deployments],
        ),
        _allow(
            "MoveSwitches",
            ["appconfig:CreateHostedConfigurationVersion", "appconfig:StartDeployment", "appconfig:StopDeployment"],
            [*parts, *strategies, deployments],
        ),
    ]


def _turns(names: Names) -> list[aws_iam.PolicyStatement]:
    maintain = names.arn("lambda", f"function:{names.function('maintain')}")
    return [
        _allow(
            "LookThroughDeadLetters",
            [
                "sqs:GetQueueUrl",
                "sqs:GetQueueAttributes",
                "sqs:ReceiveMessage",
                "sqs:ChangeMessageVisibility",
                "sqs:DeleteMessage",
            ],
            [
                names.queue_arn(queue)
                for queue in (names.dead_letter_queue, names.facts_dead_letter_queue, names.dead_jobs_queue)
            ],
        ),
        _allow(
            "RingAgain",
            ["sqs:GetQueueUrl", "sqs:SendMessage"],
            [names.queue_arn(queue) for queue in (names.turns_queue, names.facts_queue, names.jobs_queue)],
        ),
        # It alone takes credentials for a user, and answers with ids, states and hashes.
        _allow("AskMaintain", ["lambda:InvokeFunction"], [maintain]),
    ]


def _watching(names: Names, functions: Sequence[str]) -> list[aws_iam.PolicyStatement]:
    groups = [*(names.log_group(names.function(function)) for function in functions), names.access_log]
    return [
        # CloudWatch decides a listing of alarms upon all of them, and shows composite ones to nobody else.
        _allow("SeeAlarms", ["cloudwatch:DescribeAlarms"], ["*"]),
        _allow("SeeWhoIsTold", ["sns:ListSubscriptionsByTopic"], [names.arn("sns", names.alarm_topic)]),
        _allow(
            "ReadLogs",
            [
                "logs:DescribeLogStreams",
                "logs:FilterLogEvents",
                "logs:GetLogEvents",
                "logs:StartQuery",
                "logs:GetQueryResults",
            ],
            [names.arn("logs", f"log-group:{group}:*") for group in groups],
        ),
        _allow(
            "FindTheApi",
            ["cloudformation:DescribeStacks"],
            [names.arn("cloudformation", f"stack/{names.plain('service')}/*")],
        ),
    ]


def _allow(sid: str, actions: Sequence[str], resources: Sequence[str]) -> aws_iam.PolicyStatement:
    return aws_iam.PolicyStatement(sid=sid, actions=list(actions), resources=list(resources))
