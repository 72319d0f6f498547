"""Removes what the checks left: objects and items of the users they made up, and of nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from infra.operate.smoke.findings import ok, refused, unseen

if TYPE_CHECKING:
    from infra.operate.smoke.findings import Finding
    from infra.operate.smoke.probe import Probe


def removes_its_own(probe: Probe) -> Finding:
    """Delete them with the operator's own rights; where these do not reach users' data, say what stays."""
    try:
        removed = sum(_objects(probe, user) + _items(probe, user) for user in (probe.user, probe.stranger))
    except ClientError as error:
        if not refused(error):
            raise
        names, home = probe.target.names, f"{probe.api.company}/home-{probe.user}/"
        return unseen(
            f"these credentials do not reach users' data, as it should be, so that all versions of"
            f" s3://{names.profile_bucket}/{home}* and the items {probe.api.company}#{probe.user} of {names.user_table}"
            " stay"
        )
    return ok(f"{removed} objects and items of {probe.user} removed")


def _objects(probe: Probe, user: str) -> int:
    s3, names, home = probe.target.client("s3"), probe.target.names, f"{probe.api.company}/home-{user}/"
    removed = 0
    places = ((names.profile_bucket, home), (names.work_bucket, f"turns/{home}"), (names.work_bucket, f"kept/{home}"))
    for bucket, prefix in places:
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket, Prefix=prefix):
            for version in (*page.get("Versions", ()), *page.get("DeleteMarkers", ())):
                s3.delete_object(Bucket=bucket, Key=version["Key"], VersionId=version["VersionId"])
                removed += 1
    return removed


def _items(probe: Probe, user: str) -> int:
    dynamodb, table = probe.target.client("dynamodb"), probe.target.names.user_table
    pages = dynamodb.get_paginator("query").paginate(
        TableName=table,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": f"{probe.api.company}#{user}"}},
        ProjectionExpression="pk, sk",
        ConsistentRead=True,
    )
    keys = [item for page in pages for item in page["Items"]]
    for key in keys:
        dynamodb.delete_item(TableName=table, Key=key)
    return len(keys)
