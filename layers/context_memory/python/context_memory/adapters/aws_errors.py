"""What AWS answers when it does not answer, in the words of the error tree.

A vendor's message names keys, and keys name users: it never travels on.
Ours say service, operation, the vendor's code and the HTTP status, and carry no cause and no context.

    ClientError  a code of `_OUR_FAULT`                                → StoreRejected
                 any other code: throttled, denied, expired, 5xx, …    → StoreUnavailable
    BotoCoreError  parameters that do not fit the operation            → StoreRejected
                   time-out, connection, no credentials, broken body   → StoreUnavailable
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from context_memory.domain.errors import ContextMemoryError, StoreRejected, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

# The request itself is wrong, and will be tomorrow. Everything else is the world's fault and worth waiting for:
# an unknown code must not cost a turn its attempts.
_OUR_FAULT = frozenset(
    {
        "EntityTooLarge",
        "InvalidArgument",
        "InvalidMessageContents",
        "InvalidParameterValue",
        "InvalidRequest",
        "ItemCollectionSizeLimitExceededException",
        "KeyTooLongError",
        "MalformedXML",
        "MissingParameter",
        "SerializationException",
        "ValidationError",
        "ValidationException",
    }
)
_SIGNATURE_FAULTS = frozenset(
    {
        "ExpiredToken",
        "ExpiredTokenException",
        "InvalidAccessKeyId",
        "InvalidToken",
        "RequestExpired",
        "RequestTimeTooSkewed",
        "SignatureDoesNotMatch",
        "TokenRefreshRequired",
    }
)
_NAMES_AN_OBJECT_THAT_IS_NOT_THERE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})
_CODE = re.compile(r"[A-Za-z0-9._]{1,80}")


@contextmanager
def told_as_ours(service: str) -> Iterator[None]:
    """Turn whatever botocore raises inside into an error of the tree.

    Raises:
        StoreUnavailable: the world's fault; `retry_after` holds the service's hint in seconds.
        StoreRejected: the request can never succeed.
    """
    try:
        yield
    except ClientError as error:
        ours = _translated(service, error)
    except ParamValidationError:
        ours = StoreRejected(f"{service} was asked with parameters that do not fit.")
    except BotoCoreError as error:
        ours = StoreUnavailable(f"{service} is out of reach ({type(error).__name__}).")
    else:
        return
    try:
        raise ours
    finally:
        ours.__context__ = None  # the `with` around us is still handling the vendor's error, which would hang on


def code_of(error: ClientError) -> str:
    """The vendor's code, or `unknown` when it is none that could be shown."""
    code = str(error.response.get("Error", {}).get("Code", ""))
    return code if _CODE.fullmatch(code) else "unknown"


def status_of(error: ClientError) -> int:
    """HTTP status of the answer; 0 when there is none."""
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def says_missing(error: ClientError) -> bool:
    """S3 says that the object or the version does not exist (or is a delete marker); a missing bucket is not that."""
    return status_of(error) in _NAMES_AN_OBJECT_THAT_IS_NOT_THERE and code_of(error) != "NoSuchBucket"


def says_missing_or_denied(error: ClientError) -> bool:
    """As `says_missing`, or S3 denies: without the right to list, that is its answer for a missing object too."""
    denied = status_of(error) == HTTPStatus.FORBIDDEN and code_of(error) not in _SIGNATURE_FAULTS
    return denied or says_missing(error)


def kind_of_code(code: str, status: int) -> str:
    """Name of the class that an answer with this code and HTTP status becomes."""
    ours = code in _OUR_FAULT and status < HTTPStatus.INTERNAL_SERVER_ERROR
    return StoreRejected.__name__ if ours else StoreUnavailable.__name__


def _translated(service: str, error: ClientError) -> ContextMemoryError:
    code = code_of(error)
    said = f"{service} {error.operation_name} answered {code} ({status_of(error)})."
    if code in _OUR_FAULT and status_of(error) < HTTPStatus.INTERNAL_SERVER_ERROR:
        return StoreRejected(said)
    return StoreUnavailable(said, retry_after=_hint(error))


def _hint(error: ClientError) -> float | None:
    value = error.response.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("retry-after", "")
    return float(value) if value.isdecimal() else None
