"""What is counted of requests to stores, hung on the events of real clients before answers of our own."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import botocore.session
import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError

from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.adapters.measured_stores import COMMIT, MeasuredStores, measured_as, operation_of, outcome_of

if TYPE_CHECKING:
    from botocore.client import BaseClient

CANARY = "canary-4711"
A_SETTINGS = {"S": "A#SETTINGS"}
CHECK = {"ConditionCheck": {"Key": {"sk": A_SETTINGS}}}


class Raw(io.BytesIO):
    """A body as botocore streams it."""

    def stream(self, **_: object) -> list[bytes]:
        return [self.read()]


class Time:
    """Half a second passes between two looks."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        self.seconds += 0.5
        return self.seconds


def client(service: str, status: int, body: bytes = b"", fault: BotoCoreError | None = None) -> BaseClient:
    """A client that is always answered so."""
    session = botocore.session.Session()
    session.set_credentials("key", "secret")
    made = session.create_client(service, region_name="eu-central-1", config=Config(retries={"total_max_attempts": 1}))

    def answer(request: Any, **_: object) -> AWSResponse:  # noqa: ANN401 - botocore's own
        if fault:
            raise fault
        return AWSResponse(request.url, status, HTTPHeaders(), Raw(body))

    made.meta.events.register("before-send.*.*", answer)  # type: ignore[arg-type]  # what it returns is the answer
    return made


@pytest.fixture
def telemetry() -> RecordingTelemetry:
    return RecordingTelemetry()


def watched(telemetry: RecordingTelemetry, made: BaseClient) -> Any:  # noqa: ANN401 - botocore makes methods at run time
    MeasuredStores(telemetry, monotonic=Time()).watch(made)
    return made


def counted(telemetry: RecordingTelemetry) -> set[tuple[str, float, frozenset[tuple[str, str]]]]:
    return {(one.metric, one.value, frozenset(one.dimensions.items())) for one in telemetry.counts}


def test_a_request_is_counted_with_what_it_was_for_how_it_ended_and_how_long_it_took(
    telemetry: RecordingTelemetry,
) -> None:
    watched(telemetry, client("s3", 200, b"text")).get_object(Bucket="profiles", Key=f"acme/home-{CANARY}/x/memory.md")
    dimensions = frozenset({("op", "profile_read"), ("outcome", "success")})
    assert counted(telemetry) == {("storage_total", 1, dimensions), ("storage_duration_seconds", 0.5, dimensions)}
    assert CANARY not in repr(telemetry)


def test_an_item_that_is_not_there_was_not_found(telemetry: RecordingTelemetry) -> None:
    dynamodb = watched(telemetry, client("dynamodb", 200, b"{}"))
    dynamodb.get_item(TableName="users", Key={"pk": {"S": "acme#lena"}, "sk": {"S": "TURN#t1"}})
    assert telemetry.total("storage_total", op="turn_read", outcome="not_found") == 1
    assert telemetry.total("errors_total") == 0


@pytest.mark.parametrize(
    ("body", "error_type"),
    [
        (b'{"__type": "ThrottlingException"}', "StoreUnavailable"),
        (b'{"__type": "ValidationException"}', "StoreRejected"),
    ],
)
def test_a_failure_is_an_error_of_its_stage_by_the_class_that_it_becomes(
    telemetry: RecordingTelemetry, body: bytes, error_type: str
) -> None:
    dynamodb = watched(telemetry, client("dynamodb", 400, body))
    with pytest.raises(ClientError):
        dynamodb.query(
            TableName="users",
            KeyConditionExpression="pk = :pk AND begins_with(sk, :beginning)",
            ExpressionAttributeValues={":pk": {"S": "acme#lena"}, ":beginning": {"S": "A#"}},
        )
    assert telemetry.total("storage_total", op="settings_read", outcome="error") == 1
    assert telemetry.total("errors_total", stage="settings", error_type=error_type) == 1


def test_a_store_that_is_out_of_reach_is_an_error(telemetry: RecordingTelemetry) -> None:
    sts = watched(telemetry, client("sts", 0, fault=EndpointConnectionError(endpoint_url="https://sts")))
    with pytest.raises(EndpointConnectionError):
        sts.assume_role(RoleArn="arn:aws:iam::123456789012:role/read", RoleSessionName="cm-1")
    assert telemetry.total("storage_total", op="credentials", outcome="error") == 1
    assert telemetry.total("errors_total", stage="credentials", error_type="StoreUnavailable") == 1
    assert telemetry.total("sts_calls_total") == 1


@pytest.mark.parametrize(("operation", "errors"), [("get_object", 0), ("put_object", 1)])
def test_a_denied_read_of_an_object_may_only_mean_that_it_is_not_there(
    telemetry: RecordingTelemetry, operation: str, errors: int
) -> None:
    s3 = watched(telemetry, client("s3", 403, b"<Error><Code>AccessDenied</Code></Error>"))
    with pytest.raises(ClientError):
        getattr(s3, operation)(Bucket="profiles", Key="acme/home-lena/x/memory.md")
    assert telemetry.total("storage_total", outcome="denied") == 1
    assert telemetry.total("errors_total") == errors


def test_what_looks_like_any_write_is_counted_as_what_it_is_for(telemetry: RecordingTelemetry) -> None:
    body = b'{"__type": "TransactionCanceledException", "CancellationReasons": []}'
    dynamodb = watched(telemetry, client("dynamodb", 400, body))
    item = {"Delete": {"TableName": "users", "Key": {"pk": {"S": "acme#lena"}, "sk": {"S": "A#OPEN#1"}}}}
    for _ in range(2):
        with pytest.raises(ClientError), measured_as(COMMIT):
            dynamodb.transact_write_items(TransactItems=[item])
    with pytest.raises(ClientError):
        dynamodb.transact_write_items(TransactItems=[item])
    assert telemetry.total("storage_total", op="commit", outcome="conflict") == 2
    assert telemetry.total("storage_total", op="turn_write", outcome="conflict") == 1
    assert telemetry.total("errors_total") == 0


def test_other_services_are_let_be(telemetry: RecordingTelemetry) -> None:
    body = b'{"MessageId": "1"}'
    watched(telemetry, client("sqs", 200, body)).change_message_visibility(
        QueueUrl="https://sqs.eu-central-1.amazonaws.com/1/q", ReceiptHandle="r", VisibilityTimeout=1
    )
    assert telemetry.counts == []


@pytest.mark.parametrize(
    ("service", "name", "params", "operation"),
    [
        ("sts", "AssumeRole", {}, "credentials"),
        ("s3", "GetObject", {"Key": "acme/home-lena/user-memory/memory.md"}, "profile_read"),
        ("s3", "ListObjectVersions", {"Prefix": "acme/home-lena/"}, "profile_read"),
        ("s3", "PutObject", {"Key": "acme/home-turns/user-memory/memory.md"}, "profile_write"),
        ("s3", "DeleteObject", {"Key": "acme/home-lena/user-memory/memory.md", "VersionId": "1"}, "profile_write"),
        ("s3", "ListObjectsV2", {"Prefix": "turns/"}, "turn_read"),
        ("s3", "PutObject", {"Key": "turns/acme/home-lena/t.json"}, "turn_write"),
        ("dynamodb", "GetItem", {"Key": {"sk": {"S": "A#PROFILE"}}}, "settings_read"),
        ("dynamodb", "GetItem", {"Key": {"sk": {"S": "TURN#A#"}}}, "turn_read"),
        ("dynamodb", "GetItem", {"Key": {"sk": {"S": "REVISION#0000000001#0000000002"}}}, "profile_read"),
        ("dynamodb", "Query", {"ExpressionAttributeValues": {":beginning": {"S": "A#"}}}, "settings_read"),
        ("dynamodb", "Query", {"ExpressionAttributeValues": {":beginning": {"S": "FORGOTTEN#"}}}, "profile_read"),
        ("dynamodb", "Query", {"ExpressionAttributeValues": {":day": {"S": "2026-01-05#"}}}, "settings_read"),
        ("dynamodb", "UpdateItem", {"Key": {"sk": {"S": "TURN#t1"}}}, "turn_write"),
        ("dynamodb", "UpdateItem", {"Key": {"sk": {"S": "2026-01-05#3"}}}, None),
        ("s3", "GetObject", {"Key": "recall/acme/global/snapshots/1.sqlite"}, "facts_read"),
        ("s3", "PutObject", {"Key": "recall/acme/home-lena/lance/facts.lance"}, "facts_write"),
        (
            "dynamodb",
            "Query",
            {"ExpressionAttributeValues": {":first": A_SETTINGS, ":last": {"S": "FACT$"}}},
            "facts_read",
        ),
        ("dynamodb", "GetItem", {"Key": {"sk": {"S": "FACT#1"}}}, "facts_read"),
        ("dynamodb", "Query", {"ExpressionAttributeValues": {":beginning": {"S": "PROMPT#p#"}}}, "facts_read"),
        ("dynamodb", "UpdateItem", {"Key": {"sk": {"S": "EXTRACT#1"}}}, "facts_write"),
        ("dynamodb", "PutItem", {"Item": {"sk": {"S": "PROMPT#p#1"}}}, "facts_write"),
        (
            "dynamodb",
            "TransactWriteItems",
            {"TransactItems": [CHECK, {"Put": {"Item": {"sk": {"S": "FACT#1"}}}}]},
            "facts_write",
        ),
        (
            "dynamodb",
            "TransactWriteItems",
            {"TransactItems": [CHECK, {"Put": {"Item": {"sk": {"S": "TURN#1"}}}}]},
            "turn_write",
        ),
        ("secretsmanager", "GetSecretValue", {}, None),
    ],
)
def test_each_request_has_its_operation(service: str, name: str, params: dict[str, Any], operation: str | None) -> None:
    assert operation_of(service, name, params) == operation


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("", 200, "success"),
        ("", 304, "success"),
        ("NoSuchKey", 404, "not_found"),
        ("NoSuchBucket", 404, "error"),
        ("AccessDenied", 403, "denied"),
        ("AccessDeniedException", 400, "denied"),
        ("PreconditionFailed", 412, "conflict"),
        ("ConditionalRequestConflict", 409, "conflict"),
        ("ConditionalCheckFailedException", 400, "conflict"),
        ("ThrottlingException", 400, "error"),
        ("InternalError", 500, "error"),
        ("", 503, "error"),
    ],
)
def test_each_answer_has_its_outcome(code: str, status: int, outcome: str) -> None:
    assert outcome_of(code, status) == outcome
