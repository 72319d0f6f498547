"""What services of AWS do for each other here: the audit trail, the alarms, the switches. Rights and places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.access_places import Listing, Named, Object

if TYPE_CHECKING:
    from tests.support.access_places import Place
    from tests.support.access_rights import Right

OURS = "{region}:{account}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRole:
    """A role that a service of AWS uses.

    `source`: ARN of what the service must act for; empty where AWS names nothing that a trust could ask for.
    """

    service: str
    source: str = ""
    rights: frozenset[Right]


SERVICE_ROLES = {
    "switches-alarm-reader": ServiceRole(
        service="appconfig.amazonaws.com", rights=frozenset({("cloudwatch:DescribeAlarms", "alarms")})
    ),
    "audit-delivery": ServiceRole(
        service="firehose.amazonaws.com",
        source=f"arn:aws:firehose:{OURS}:deliverystream/context-memory-{{environment}}-audit",
        rights=frozenset(
            {
                *(
                    (f"s3:{action}", kind)
                    for action in ("PutObject", "AbortMultipartUpload")
                    for kind in ("audit record", "failed audit record")
                ),
                *(
                    (f"s3:{action}", "audit bucket")
                    for action in ("GetBucketLocation", "ListBucket", "ListBucketMultipartUploads")
                ),
                ("kms:GenerateDataKey", "audit key"),
                ("kms:Decrypt", "audit key"),
            }
        ),
    ),
    "audit-subscription": ServiceRole(
        service="logs.amazonaws.com",
        source=f"arn:aws:logs:{OURS}:log-group:/aws/lambda/context-memory-{{environment}}-load:*",
        rights=frozenset({("firehose:PutRecord", "audit stream"), ("firehose:PutRecordBatch", "audit stream")}),
    ),
}
ALARMS = "cloudwatch.amazonaws.com"
ALARM = f"arn:aws:cloudwatch:{OURS}:alarm:context-memory-{{environment}}-load-errors"
"""What CloudWatch acts for when it tells the topic of an alarm."""
RINGING: dict[Right, Place] = {
    ("sns:Publish", "alarm topic"): Named("sns", "context-memory-{environment}-alarms"),
    ("kms:Decrypt", "alarm key"): Named("kms", "key/watch"),
    ("kms:GenerateDataKey", "alarm key"): Named("kms", "key/watch"),
}
"""What an alarm needs."""
RECORDS = {
    "audit record": "records/2031/01/01/00/one.gz",
    "failed audit record": "failed/one.gz",
    "another audit object": "records2/one.gz",
}
"""Objects of the audit bucket, by kind."""


def watching() -> dict[Right, Place]:
    """Everything that one could want to do to audit records and alarms."""
    objects = {
        **{kind: Object("audit", key) for kind, key in RECORDS.items()},
        "record of another bucket": Object("audit", RECORDS["audit record"], another=True),
        "failed record of another bucket": Object("audit", RECORDS["failed audit record"], another=True),
    }
    buckets = {"audit bucket": Listing("audit"), "another audit bucket": Listing("audit", another=True)}
    streams = {
        f"{kind} stream": Named("firehose", f"deliverystream/context-memory-{{environment}}-audit{more}")
        for kind, more in (("audit", ""), ("another audit", "2"))
    }
    keys = {"audit key": "audit", "another audit key": "audit2", "alarm key": "watch"}
    return {
        **{
            (f"s3:{action}", kind): place
            for kind, place in objects.items()
            for action in ("PutObject", "AbortMultipartUpload", "GetObject", "DeleteObject", "DeleteObjectVersion")
        },
        **{
            (f"s3:{action}", kind): place
            for kind, place in buckets.items()
            for action in ("GetBucketLocation", "ListBucket", "ListBucketMultipartUploads", "ListBucketVersions")
        },
        **{
            (f"firehose:{action}", kind): place
            for kind, place in streams.items()
            for action in ("PutRecord", "PutRecordBatch", "DeleteDeliveryStream")
        },
        **{
            (f"kms:{action}", kind): Named("kms", f"key/{key}")
            for kind, key in keys.items()
            for action in ("Decrypt", "GenerateDataKey", "Encrypt", "ScheduleKeyDeletion")
        },
        ("sns:Publish", "alarm topic"): Named("sns", "context-memory-{environment}-alarms"),
        ("sns:Subscribe", "alarm topic"): Named("sns", "context-memory-{environment}-alarms"),
    }
