"""The operator's switches: which companies have a memory. It lasts: who was switched on stays on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_cloudwatch, aws_iam

from infra.components.company_flags import CompanyFlags
from infra.components.operator_policy import OperatorPolicy
from infra.components.statement_names import name_statements
from infra.stacks.base import EnvironmentStack
from infra.watch.alarms import described

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names

_ERRORS_A_MINUTE = 5


class SwitchesStack(EnvironmentStack):
    """The flags, the alarm that takes a bad change back, and the rights to read and to move them."""

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(
            scope, construct_id, environment=environment, description="the operator's switches", lasting=True
        )
        alarm = aws_cloudwatch.CfnAlarm(
            self,
            "LoadErrors",
            alarm_name=names.plain("switches-load-errors"),
            alarm_description=described(
                "Loads fail: if a change of the switches is spreading, AppConfig takes it back.", "switches-load-errors"
            ),
            namespace=names.metrics_namespace,
            metric_name="load_total",
            dimensions=[
                aws_cloudwatch.CfnAlarm.DimensionProperty(name="service", value="load"),
                aws_cloudwatch.CfnAlarm.DimensionProperty(name="outcome", value="error"),
            ],
            statistic="Sum",
            period=int(Duration.minutes(1).to_seconds()),
            evaluation_periods=1,
            threshold=_ERRORS_A_MINUTE,
            comparison_operator="GreaterThanOrEqualToThreshold",
            treat_missing_data="notBreaching",
        )
        flags = CompanyFlags(
            self,
            "Flags",
            application_name=names.flags_application,
            environment_name=environment.name,
            profile_name=names.flags_profile,
            gradual_name=names.rollout("gradual"),
            immediate_name=names.rollout("immediate"),
            rollout_minutes=environment.flags_rollout_minutes,
            alarm_arn=alarm.attr_arn,
            alarm_role_arn=self._alarm_reader(names).role_arn,
            removal_policy=RemovalPolicy.RETAIN if environment.durable else RemovalPolicy.DESTROY,
        )
        # Here and not with the roles: AppConfig gives its resources ids, which a policy must name.
        # Roles name the policy, and so may be deleted and made again while the switches stand.
        aws_iam.ManagedPolicy(
            self,
            "FlagsReader",
            managed_policy_name=names.flags_policy,
            description="Context Memory: read the flags of companies",
            statements=[
                aws_iam.PolicyStatement(
                    sid="ReadFlags",
                    actions=["appconfig:StartConfigurationSession", "appconfig:GetLatestConfiguration"],
                    resources=[names.arn("appconfig", flags.configuration)],
                )
            ],
        )
        OperatorPolicy(self, "Operator", names=names, functions=environment.functions, flags=flags)

    def _alarm_reader(self, names: Names) -> aws_iam.Role:
        role = aws_iam.Role(
            self,
            "AlarmReader",
            role_name=names.role("switches-alarm-reader"),
            assumed_by=aws_iam.ServicePrincipal("appconfig.amazonaws.com"),
            inline_policies={
                "alarms": aws_iam.PolicyDocument(
                    statements=[
                        aws_iam.PolicyStatement(
                            sid="SeeWhetherTheAlarmRings",
                            actions=["cloudwatch:DescribeAlarms"],
                            # CloudWatch decides a listing of alarms upon all of them.
                            resources=[names.arn("cloudwatch", "alarm:*")],
                        )
                    ]
                )
            },
        )
        name_statements(role, "AssumeRolePolicyDocument", ["AppConfigLooks"])
        return role
