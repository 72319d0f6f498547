"""Cells of the access matrix as calls of AWS's API, for deployed stacks: one call each, and whether it goes through."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from tests.support.access_cells import Layer, Transport
from tests.support.access_places import Assumption, Items, Listing, Named, Object

if TYPE_CHECKING:
    from collections.abc import Callable

    from infra.names import Names
    from tests.support.access_cells import Cell

type Clients = Callable[[str], Any]
"""A client of any service, by its name, with the actor's keys."""
_REFUSED = {"AccessDenied", "AccessDeniedException", "403"}
_SECRET = re.compile(r"secret:(context-memory/[^/]+/[a-z-]+)-[A-Za-z0-9]{6}$")
_OBJECTS: dict[str, Callable[[Any, str, str], object]] = {
    "s3:GetObject": lambda s3, bucket, key: s3.get_object(Bucket=bucket, Key=key),
    "s3:PutObject": lambda s3, bucket, key: s3.put_object(Bucket=bucket, Key=key, Body=b"x"),
    "s3:DeleteObject": lambda s3, bucket, key: s3.delete_object(Bucket=bucket, Key=key),
}
_LISTINGS: dict[str, Callable[..., object]] = {
    "s3:ListBucket": lambda s3, **asked: s3.list_objects_v2(**asked),
    "s3:ListBucketVersions": lambda s3, **asked: s3.list_object_versions(**asked),
}
_ITEMS: dict[str, Callable[[Any, str, dict[str, Any]], object]] = {
    "dynamodb:GetItem": lambda db, table, key: db.get_item(TableName=table, Key=key),
    "dynamodb:PutItem": lambda db, table, key: db.put_item(TableName=table, Item=key),
    "dynamodb:UpdateItem": lambda db, table, key: db.update_item(TableName=table, Key=key),
    "dynamodb:DeleteItem": lambda db, table, key: db.delete_item(TableName=table, Key=key),
    "dynamodb:BatchGetItem": lambda db, table, key: db.batch_get_item(RequestItems={table: {"Keys": [key]}}),
    "dynamodb:Query": lambda db, table, key: db.query(
        TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": key["pk"]}
    ),
    "dynamodb:ConditionCheckItem": lambda db, table, key: db.transact_write_items(
        TransactItems=[
            {"ConditionCheck": {"TableName": table, "Key": key, "ConditionExpression": "attribute_not_exists(none)"}}
        ]
    ),
}
_QUEUES: dict[str, Callable[[Any, str], object]] = {
    "sqs:SendMessage": lambda sqs, url: sqs.send_message(QueueUrl=url, MessageBody="?", MessageGroupId="probe"),
    "sqs:ReceiveMessage": lambda sqs, url: sqs.receive_message(QueueUrl=url, WaitTimeSeconds=0),
    "sqs:DeleteMessage": lambda sqs, url: sqs.delete_message(QueueUrl=url, ReceiptHandle="none"),
    "sqs:ChangeMessageVisibility": lambda sqs, url: sqs.change_message_visibility(
        QueueUrl=url, ReceiptHandle="none", VisibilityTimeout=0
    ),
    "sqs:GetQueueAttributes": lambda sqs, url: sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"]),
    "sqs:PurgeQueue": lambda sqs, url: sqs.purge_queue(QueueUrl=url),
}
_SECRETS: dict[str, Callable[[Any, str], object]] = {
    "secretsmanager:GetSecretValue": lambda secrets, name: secrets.get_secret_value(SecretId=name),
    "secretsmanager:PutSecretValue": lambda secrets, name: secrets.put_secret_value(SecretId=name, SecretString="x"),
}
_SCANS = {"dynamodb:Scan": lambda db, table: db.scan(TableName=table)}


def call_of(cell: Cell, names: Names) -> Callable[[Clients], object] | None:
    """What to call to ask a cell of deployed stacks; None for what is no single call, or names what is not deployed."""
    on = cell.on
    if (cell.transport, cell.layer) != (Transport.TLS, Layer.BOTH):
        return None
    if isinstance(on, Object) and cell.action in _OBJECTS and on.bucket != "elsewhere" and not on.another:
        return lambda clients: _OBJECTS[cell.action](clients("s3"), names.bucket(on.bucket), on.key)
    if isinstance(on, Listing) and cell.action in _LISTINGS and not on.another:
        asked = {"Bucket": names.bucket(on.bucket), "Prefix": on.prefix, "Delimiter": on.delimiter}
        given = {key: value for key, value in asked.items() if value is not None}
        return lambda clients: _LISTINGS[cell.action](clients("s3"), **given)
    if isinstance(on, Items) and not on.table.endswith("2"):
        return _call_on_items(cell.action, on, names)
    if isinstance(on, Assumption) and cell.action == "sts:AssumeRole":
        tags = [{"Key": key, "Value": value} for key, value in on.tags]
        return lambda clients: clients("sts").assume_role(RoleArn=on.arn(names), RoleSessionName="probe", Tags=tags)
    return _call_on_named(cell.action, on.arn(names), names) if isinstance(on, Named) else None


def goes_through(call: Callable[[Clients], object], clients: Clients) -> bool:
    """Whether a call is let through; that what it asks for may be missing is no refusal."""
    try:
        call(clients)
    except ClientError as error:
        return error.response["Error"]["Code"] not in _REFUSED
    return True


def _call_on_items(action: str, on: Items, names: Names) -> Callable[[Clients], object] | None:
    table = names.plain(on.table)
    if action in _SCANS:
        return lambda clients: _SCANS[action](clients("dynamodb"), table)
    if action not in _ITEMS or len(on.partitions) != 1:
        return None
    key = {"pk": {"S": on.partitions[0]}, "sk": {"S": "TURN#probe"}}
    return lambda clients: _ITEMS[action](clients("dynamodb"), table, key)


def _call_on_named(action: str, arn: str, names: Names) -> Callable[[Clients], object] | None:
    queue = arn.rpartition(":")[2]
    if action in _QUEUES and queue in {
        *(names.turns_queue, names.dead_letter_queue, names.jobs_queue, names.dead_jobs_queue),
        *(names.facts_queue, names.facts_dead_letter_queue),
    }:
        return lambda clients: _QUEUES[action](clients("sqs"), _url(clients, names, queue))
    secret = _SECRET.search(arn)
    if (
        action in _SECRETS
        and secret
        and secret[1] in {names.hash_secret, names.model_key_secret, names.embedding_key_secret}
    ):
        return lambda clients: _SECRETS[action](clients("secretsmanager"), secret[1])
    if action == "appconfig:StartConfigurationSession" and arn.endswith("/configuration/companies"):
        application, environment, profile = names.flags_configuration.split("/")
        return lambda clients: clients("appconfigdata").start_configuration_session(
            ApplicationIdentifier=application,
            EnvironmentIdentifier=environment,
            ConfigurationProfileIdentifier=profile,
        )
    return None


def _url(clients: Clients, names: Names, queue: str) -> str:
    return f"{clients('sqs').meta.endpoint_url}/{names.account}/{queue}"
