from __future__ import annotations

import inspect
from typing import Any

import botocore.exceptions
import botocore.session
import pytest
from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from context_memory.adapters.aws_errors import says_missing, says_missing_or_denied, told_as_ours
from context_memory.domain.errors import ContextMemoryError, StoreRejected, StoreUnavailable

VENDOR_TEXT = "arn:aws:s3:::profiles/acme/home-lena/user-memory/memory.md"
OPERATIONS = {
    "dynamodb": ["GetItem", "Query", "UpdateItem", "TransactWriteItems"],
    "s3": ["GetObject", "HeadObject", "PutObject", "DeleteObject", "ListObjectsV2", "ListObjectVersions"],
    "sqs": ["SendMessage", "ChangeMessageVisibility"],
    "sts": ["AssumeRole"],
    "secretsmanager": ["GetSecretValue"],
}


def client_error(code: str, status: int = 400, headers: dict[str, str] | None = None) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": VENDOR_TEXT},
        "ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": headers or {}},
    }
    return ClientError(response, "GetObject")


def translated(error: Exception) -> ContextMemoryError:
    with pytest.raises(ContextMemoryError) as ours, told_as_ours("S3"):
        raise error
    return ours.value


def subclasses(kind: type[BaseException]) -> list[type[BaseException]]:
    found = (value for _, value in inspect.getmembers(botocore.exceptions, inspect.isclass))
    return [value for value in found if issubclass(value, kind)]


def declared_codes() -> set[str]:
    """Every error that the service models declare for the operations we use."""
    session = botocore.session.Session()
    return {
        shape.metadata.get("error", {}).get("code", shape.name)
        for service, operations in OPERATIONS.items()
        for operation in operations
        for shape in session.get_service_model(service).operation_model(operation).error_shapes
    }


@pytest.mark.parametrize("kind", subclasses(BotoCoreError), ids=lambda kind: kind.__name__)
def test_every_error_class_of_botocore_becomes_ours(kind: type[BotoCoreError]) -> None:
    error = kind.__new__(kind)
    Exception.__init__(error, VENDOR_TEXT)
    expected = StoreRejected if issubclass(kind, ParamValidationError) else StoreUnavailable
    assert type(translated(error)) is expected


@pytest.mark.parametrize("code", sorted(declared_codes()))
def test_every_error_that_an_operation_declares_becomes_ours(code: str) -> None:
    assert isinstance(translated(client_error(code)), StoreRejected | StoreUnavailable)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("ThrottlingException", 400),
        ("ProvisionedThroughputExceededException", 400),
        ("RequestLimitExceeded", 400),
        ("Throttling", 400),
        ("TooManyRequestsException", 429),
        ("SlowDown", 503),
        ("RequestTimeout", 400),
        ("InternalError", 500),
        ("InternalServerError", 500),
        ("ServiceUnavailable", 503),
        ("503", 503),
        ("ExpiredToken", 400),
        ("ExpiredTokenException", 400),
        ("UnrecognizedClientException", 400),
        ("InvalidClientTokenId", 403),
        ("AccessDenied", 403),
        ("AccessDeniedException", 400),
        ("KMS.DisabledException", 400),
        ("NoSuchBucket", 404),
        ("ResourceNotFoundException", 400),
        ("TransactionInProgressException", 400),
        ("IdempotentParameterMismatchException", 400),
        ("SomethingThatAwsInventsNextYear", 400),
        ("ValidationException", 500),
    ],
)
def test_a_fault_of_the_world_is_worth_waiting_for(code: str, status: int) -> None:
    assert type(translated(client_error(code, status))) is StoreUnavailable


@pytest.mark.parametrize("code", ["ValidationException", "InvalidArgument", "EntityTooLarge", "SerializationException"])
def test_a_request_that_is_wrong_will_not_be_right_tomorrow(code: str) -> None:
    assert type(translated(client_error(code))) is StoreRejected


@pytest.mark.parametrize(
    "error",
    [client_error("AccessDenied", 403), client_error("ValidationException"), client_error(VENDOR_TEXT, 500)],
    ids=["denied", "rejected", "a code that is no code"],
)
def test_nothing_of_the_vendors_error_travels_on(error: ClientError) -> None:
    ours = translated(error)
    assert VENDOR_TEXT not in str(ours)
    assert "lena" not in repr(ours)
    assert ours.__cause__ is None
    assert ours.__context__ is None


def test_ours_say_service_operation_code_and_status() -> None:
    assert str(translated(client_error("SlowDown", 503))) == "S3 GetObject answered SlowDown (503)."


@pytest.mark.parametrize(("header", "seconds"), [("7", 7.0), ("soon", None), ("", None)])
def test_a_hint_how_long_to_wait_is_kept(header: str, seconds: float | None) -> None:
    ours = translated(client_error("SlowDown", 503, {"retry-after": header}))
    assert isinstance(ours, StoreUnavailable)
    assert ours.retry_after == seconds


def test_our_own_errors_pass_as_they_are() -> None:
    with pytest.raises(KeyError), told_as_ours("S3"):
        raise KeyError("ours")


@pytest.mark.parametrize(
    ("code", "status", "missing", "missing_or_denied"),
    [
        ("NoSuchKey", 404, True, True),
        ("NoSuchVersion", 404, True, True),
        ("404", 404, True, True),
        ("MethodNotAllowed", 405, True, True),
        ("AccessDenied", 403, False, True),
        ("403", 403, False, True),
        ("NoSuchBucket", 404, False, False),
        ("SignatureDoesNotMatch", 403, False, False),
        ("InvalidAccessKeyId", 403, False, False),
        ("ExpiredToken", 400, False, False),
        ("SlowDown", 503, False, False),
    ],
)
def test_what_s3_says_of_an_object_that_is_not_handed_out(
    code: str, status: int, *, missing: bool, missing_or_denied: bool
) -> None:
    error = client_error(code, status)
    assert says_missing(error) is missing
    assert says_missing_or_denied(error) is missing_or_denied
