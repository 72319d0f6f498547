"""Figures that alarms and dashboards read: our own, by the registry's names, and those of AWS.

A test holds each of them against the registry of metrics, or against what AWS is known to publish.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import Duration, aws_cloudwatch

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One metric with its dimensions and how it is read: `Sum`, `Average`, `Maximum`, `p99`; `label` on dashboards.

    `namespace` is one of AWS's; None for what our own functions count, where each environment has its own.
    """

    namespace: str | None
    name: str
    dimensions: Mapping[str, str]
    statistic: str
    label: str | None = None

    def metric(self, period: Duration, *, own_namespace: str) -> aws_cloudwatch.Metric:
        """As the CDK wants it; `own_namespace` is the environment's."""
        return aws_cloudwatch.Metric(
            namespace=self.namespace or own_namespace,
            metric_name=self.name,
            dimensions_map=dict(self.dimensions),
            statistic=self.statistic,
            period=period,
            label=self.label,
        )


def ours(name: str, statistic: str, service: str, *, label: str | None = None, **dimensions: str) -> Figure:
    """A metric that function `service` counts (`all`: one that all functions count together)."""
    return Figure(
        namespace=None,
        name=name,
        dimensions={"service": service, **dimensions},
        statistic=statistic,
        label=label,
    )


def of_function(name: str, statistic: str, function: str, *, label: str | None = None) -> Figure:
    """A metric of Lambda's; `function` is its physical name."""
    return _of_aws("AWS/Lambda", name, statistic, label, FunctionName=function)


def of_queue(name: str, statistic: str, queue: str, *, label: str | None = None) -> Figure:
    """A metric of SQS's."""
    return _of_aws("AWS/SQS", name, statistic, label, QueueName=queue)


def of_table(name: str, statistic: str, table: str, *, label: str | None = None) -> Figure:
    """A metric of DynamoDB's."""
    return _of_aws("AWS/DynamoDB", name, statistic, label, TableName=table)


def of_api(name: str, statistic: str, api_id: str, *, label: str | None = None) -> Figure:
    """A metric of an HTTP API's."""
    return _of_aws("AWS/ApiGateway", name, statistic, label, ApiId=api_id)


def of_stream(name: str, statistic: str, stream: str) -> Figure:
    """A metric of a Firehose stream's."""
    return _of_aws("AWS/Firehose", name, statistic, None, DeliveryStreamName=stream)


def of_subscription(name: str, statistic: str, *, log_group: str, subscription: str) -> Figure:
    """A metric of CloudWatch Logs' about a log group's subscription that feeds a Firehose stream."""
    return _of_aws(
        "AWS/Logs",
        name,
        statistic,
        None,
        LogGroupName=log_group,
        DestinationType="Firehose",
        FilterName=subscription,
    )


def _of_aws(namespace: str, name: str, statistic: str, label: str | None, **dimensions: str) -> Figure:
    return Figure(namespace=namespace, name=name, dimensions=dimensions, statistic=statistic, label=label)
