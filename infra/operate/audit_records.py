"""The audit trail, read by the hour: one bucket, records as JSON, packed on AWS and plain on the emulator."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from infra.names import AUDIT_RECORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from infra.operate.target import Target

_GZIP = b"\x1f\x8b"


def records(target: Target, user: str, *, since: datetime, until: datetime) -> list[dict[str, Any]]:
    """What was recorded about a user between two times of UTC, in order, each request once.

    Args:
        target: where the trail is.
        user: the hash that stands for the user.
        since: of the first record.
        until: of the last record. Those of the last minutes may still be on their way.
    """
    s3, bucket = target.client("s3"), target.names.audit_bucket
    found: dict[str, dict[str, Any]] = {}
    for prefix in hours(since, until):
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
            for listed in page.get("Contents", ()):
                body = s3.get_object(Bucket=bucket, Key=listed["Key"])["Body"].read()
                found |= {record["request_id"]: record for record in read(body) if record["user"] == user}
    return sorted(found.values(), key=lambda record: str(record["time"]))


def hours(since: datetime, until: datetime) -> Iterator[str]:
    """Folders that may hold records of that time: a record lies by the hour at which it arrived."""
    hour = since.replace(minute=0, second=0, microsecond=0)
    while hour <= until:
        yield f"{AUDIT_RECORDS}{hour:%Y/%m/%d/%H}/"
        hour += timedelta(hours=1)


def read(body: bytes) -> Iterator[dict[str, Any]]:
    """The records of one object, whether or not something stands between them."""
    text = (gzip.decompress(body) if body.startswith(_GZIP) else body).decode().strip()
    decoder = json.JSONDecoder()
    while text:
        record, end = decoder.raw_decode(text)
        yield record
        text = text[end:].lstrip()
