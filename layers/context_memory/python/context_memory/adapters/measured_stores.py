"""How long each request to a store takes and how it ends, measured in one place for all adapters.

botocore tells of every operation before it is built and after it was answered, tries included; what is measured hangs
on those events, so that no adapter has to think of it.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from context_memory.adapters.aws_errors import kind_of_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from botocore.client import BaseClient
    from botocore.model import OperationModel

    from context_memory.ports.telemetry import Telemetry

CREDENTIALS, COMMIT = "credentials", "commit"
_STAGES = {"settings_read": "settings"}
_OBJECTS = {"turns/": "turn", "recall/": "facts"}
_FACTS = ("FACT", "PROMPT#", "EXTRACT#")
# What is known of a user, by how sort keys begin; what begins otherwise is a company's.
_ITEMS = {"A#": "settings_read", "TURN#": "turn_read", "REVISION#": "profile_read", "FORGOTTEN#": "profile_read"}
_ITEMS |= dict.fromkeys(_FACTS, "facts_read")
_READS = frozenset({"GetObject", "HeadObject", "ListObjectsV2", "ListObjectVersions"})
_CONFLICTS = frozenset(
    {"ConditionalCheckFailedException", "TransactionCanceledException", "ConditionalRequestConflict"}
)
_DENIALS = frozenset({"AccessDenied", "AccessDeniedException"})
_BEGUN = "context_memory.begun"
_purpose: ContextVar[str | None] = ContextVar("purpose", default=None)


@contextmanager
def measured_as(operation: str) -> Iterator[None]:
    """Requests made inside count as `operation`, whatever they look like."""
    before = _purpose.set(operation)
    try:
        yield
    finally:
        _purpose.reset(before)


class MeasuredStores:
    """Counts `storage_total`, `storage_duration_seconds`, and what failed for `errors_total`.

    Args:
        telemetry: where it is counted.
        monotonic: seconds that never run backwards.
    """

    def __init__(self, telemetry: Telemetry, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._telemetry = telemetry
        self._monotonic = monotonic

    def watch(self, client: BaseClient) -> None:
        """Measure the requests of a client; those of other services than the stores are let be."""
        events = client.meta.events
        events.register("before-parameter-build.*.*", self._begin)
        events.register("after-call.*.*", self._answered)
        events.register("after-call-error.*.*", self._failed)

    def _begin(self, *, params: Mapping[str, Any], model: OperationModel, context: dict[str, Any], **_: object) -> None:
        operation = _purpose.get() or operation_of(model.service_model.service_name, model.name, params)
        if operation is not None:
            context[_BEGUN] = operation, self._monotonic()

    def _answered(
        self, *, parsed: Mapping[str, Any], model: OperationModel, context: dict[str, Any], **_: object
    ) -> None:
        code = str(parsed.get("Error", {}).get("Code", ""))
        status = int(parsed.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
        outcome = "not_found" if _is_empty(model.name, parsed) else outcome_of(code, status)
        self._count(context, outcome, kind_of_code(code, status), tolerated=_is_read_of_an_object(model.name))

    def _failed(self, *, context: dict[str, Any], **_: object) -> None:
        self._count(context, "error", "StoreUnavailable")

    def _count(self, context: dict[str, Any], outcome: str, error_type: str, *, tolerated: bool = False) -> None:
        if _BEGUN not in context:
            return
        operation, begun = context.pop(_BEGUN)
        seconds = self._monotonic() - begun
        self._telemetry.count_all(
            {"storage_total": 1, "storage_duration_seconds": seconds}, op=operation, outcome=outcome
        )
        if operation == CREDENTIALS:
            self._telemetry.count("sts_calls_total")
        # S3 denies what is not there to whoever may not list, so that a denied read of an object is no failure yet.
        if outcome == "error" or (outcome == "denied" and not tolerated):
            stage = _STAGES.get(operation, operation)
            self._telemetry.count("errors_total", stage=stage, error_type=error_type)


def operation_of(service: str, name: str, params: Mapping[str, Any]) -> str | None:
    """Which of the closed operations a request is; None when it is no matter of the stores."""
    if service == "sts":
        return CREDENTIALS
    if service == "s3":
        place = str(params.get("Key") or params.get("Prefix") or "")
        what = next((what for beginning, what in _OBJECTS.items() if place.startswith(beginning)), "profile")
        return f"{what}_read" if name in _READS else f"{what}_write"
    if service != "dynamodb":
        return None
    if name == "TransactWriteItems":
        return "facts_write" if _writes_facts(params) else "turn_write"
    values = params.get("ExpressionAttributeValues", {})
    # A Query that begins with the settings and ends with the facts is one for facts.
    named = params.get("Key") or params.get("Item") or {}
    sort_key = str((named.get("sk") or values.get(":last") or values.get(":beginning", {})).get("S", ""))
    read = next((operation for beginning, operation in _ITEMS.items() if sort_key.startswith(beginning)), None)
    if name in {"GetItem", "Query"}:
        return read or "settings_read"
    return ("facts_write" if read == "facts_read" else "turn_write") if read else None


def _writes_facts(params: Mapping[str, Any]) -> bool:
    """Whether a transaction stores facts, or what was given of them, whatever it checks or ends beside."""
    parts = [part for one in params.get("TransactItems", ()) for part in one.values()]
    keys = [str((part.get("Key") or part.get("Item") or {}).get("sk", {}).get("S", "")) for part in parts]
    return any(key.startswith(_FACTS[:2]) for key in keys)


def outcome_of(code: str, status: int) -> str:
    """How a store answered: `success`, `not_found`, `denied`, `conflict` or `error`."""
    if code in _CONFLICTS or status == HTTPStatus.PRECONDITION_FAILED:
        return "conflict"
    if code in _DENIALS or status == HTTPStatus.FORBIDDEN:
        return "denied"
    if status == HTTPStatus.NOT_FOUND and code != "NoSuchBucket":
        return "not_found"
    return "error" if code or status >= HTTPStatus.BAD_REQUEST else "success"


def _is_empty(name: str, parsed: Mapping[str, Any]) -> bool:
    return name == "GetItem" and "Item" not in parsed and "Error" not in parsed


def _is_read_of_an_object(name: str) -> bool:
    return name in {"GetObject", "HeadObject"}
