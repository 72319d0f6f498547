"""Where alarms ring: a topic under a key of its own, to which CloudWatch alone may publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy, aws_iam, aws_kms, aws_sns, aws_sns_subscriptions
from constructs import Construct

from infra.components.statement_names import name_statements

if TYPE_CHECKING:
    from infra.names import Names


class AlarmTopic(Construct):
    """Told of every alarm of the environment; `address`, if there is one, gets them by e-mail once it has confirmed."""

    def __init__(self, scope: Construct, construct_id: str, *, names: Names, address: str | None) -> None:
        super().__init__(scope, construct_id)
        # The key that AWS manages for SNS lets no alarm publish.
        key = aws_kms.Key(
            self,
            "Key",
            alias=names.plain("alarms"),
            enable_key_rotation=True,
            removal_policy=RemovalPolicy.DESTROY,
        )
        name_statements(key, "KeyPolicy", ["TheAccountsAdministrators"])
        self.topic = aws_sns.Topic(self, "Topic", topic_name=names.alarm_topic, master_key=key, enforce_ssl=True)
        own_alarms = {
            "StringEquals": {"aws:SourceAccount": names.account},
            "ArnLike": {"aws:SourceArn": names.arn("cloudwatch", f"alarm:{names.plain('*')}")},
        }
        cloudwatch = aws_iam.ServicePrincipal("cloudwatch.amazonaws.com")
        key.add_to_resource_policy(
            aws_iam.PolicyStatement(
                sid="TheEnvironmentsAlarms",
                principals=[cloudwatch],
                actions=["kms:Decrypt", "kms:GenerateDataKey*"],
                resources=["*"],
                conditions=own_alarms,
            )
        )
        self.topic.add_to_resource_policy(
            aws_iam.PolicyStatement(
                sid="TheEnvironmentsAlarms",
                principals=[cloudwatch],
                actions=["sns:Publish"],
                resources=[self.topic.topic_arn],
                conditions=own_alarms,
            )
        )
        if address:
            self.topic.add_subscription(aws_sns_subscriptions.EmailSubscription(address))
